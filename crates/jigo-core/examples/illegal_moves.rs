//! Reads collections and prints the illegal moves of every game under the ruleset that its record
//! names.
//!
//! `cargo run -p jigo-core --example illegal_moves -- fixtures/findings/K*.sgf`

use jigo_core::{Game, NotAGame, Ruleset, games};

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path)?;
        for (number, game) in (1..).zip(games(&text)) {
            for line in illegal_moves(game) {
                println!("{path}#{number}: {line}");
            }
        }
    }
    Ok(())
}

/// Returns a line for each illegal move of a game, or the reason why there is no game.
pub fn illegal_moves(game: Result<Game, NotAGame>) -> Vec<String> {
    let game = match game {
        Ok(game) => game,
        Err(reason) => return vec![format!("not replayed: {reason}")],
    };
    // Nearly all rulesets forbid ko and suicide, so games with unknown rules are judged by these
    // two.
    let rules = game.ruleset().unwrap_or_else(Ruleset::unknown);
    let replay = game.replay(&rules);
    let line = |finding: &jigo_core::Finding| {
        let turn = finding.place.turn.unwrap_or_default();
        let point = finding.place.point.map_or("-".into(), |point| point.to_a1(game.size()));
        format!("turn {turn} at {point}: {} ({})", finding.code.name(), finding.detail)
    };
    replay.illegal().map(line).collect()
}
