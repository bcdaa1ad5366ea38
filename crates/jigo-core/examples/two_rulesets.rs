//! Counts the ending of a game under several rulesets.
//!
//! `cargo run -p jigo-core --example two_rulesets -- fixtures/games/marked.sgf japanese chinese`

use std::error::Error;

use jigo_core::{Game, Ruleset};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a file and two rulesets")?;
    let rulesets: Vec<Ruleset> = arguments.map(|name| name.parse()).collect::<Result<_, _>>()?;
    let game = Game::parse(std::fs::read(&path)?)?;
    count(&game, &rulesets)?.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// Returns the source of the dead stones, the recorded result, and the count under each ruleset.
pub fn count(game: &Game, rulesets: &[Ruleset]) -> Result<Vec<String>, Box<dyn Error>> {
    let replay = game.replay(&game.ruleset().unwrap_or_else(Ruleset::unknown));
    if !replay.is_whole() {
        return Err("the record is damaged, so its last position is not known".into());
    }
    let ending = replay.ending();
    let confidence =
        ending.confidence.map_or(String::new(), |confidence| format!(", confidence {:.0}%", 100.0 * confidence));
    let mut lines = vec![
        format!("{} dead stones, by {}{confidence}", ending.dead.len(), ending.source.name()),
        format!("the record states {}", game.header().result_text),
    ];
    for ruleset in rulesets {
        lines.push(match replay.score(ruleset, &ending) {
            Ok(score) => format!("{}: Black minus White {}", ruleset.name, score.black_minus_white()),
            Err(reason) => format!("{}: {}", ruleset.name, reason.text()),
        });
    }
    Ok(lines)
}
