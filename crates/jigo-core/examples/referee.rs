//! A referee for a server: reads turns from standard input and tells whether each is legal.
//!
//! `printf 'B E5\nW E5\nW pass\n' | cargo run -p jigo-core --example referee -- 9 aga`

use std::error::Error;
use std::io;

use jigo_core::{BoardSize, Color, Point, Referee, Ruleset, Turn};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [side, rules] = arguments.as_slice() else { return Err("say the board's side and the ruleset: 9 aga".into()) };
    let size = BoardSize::square(side.parse()?).ok_or("a board has a side of 1 to 52")?;
    let rules: Ruleset = rules.parse()?;
    let mut referee = Referee::new(size);
    for line in io::stdin().lines() {
        let line = line?;
        println!("{line}: {}", answer(&mut referee, &rules, &line));
    }
    Ok(())
}

/// Makes the turn that a line names if it is legal, and describes the outcome.
pub fn answer(referee: &mut Referee, rules: &Ruleset, line: &str) -> String {
    let Some(turn) = turn(line, referee.position().size()) else {
        return "no turn; write B D4, W pass and the like".into();
    };
    match referee.try_turn(turn, rules) {
        Ok(facts) if facts.captured > 0 => format!("legal, takes {}", facts.captured),
        Ok(_) => "legal".into(),
        Err(reason) => format!("illegal: {reason}"),
    }
}

/// Parses the turn in a line.
fn turn(line: &str, size: BoardSize) -> Option<Turn> {
    let (color, place) = line.trim().split_once(' ')?;
    let color = match color {
        "B" => Color::Black,
        "W" => Color::White,
        _ => return None,
    };
    match place {
        "pass" => Some(Turn::pass(color)),
        place => Point::from_a1(place, size).map(|point| Turn::play(color, point)),
    }
}
