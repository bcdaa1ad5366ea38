//! The first matches of a pattern, as examples for the page.

use crate::pipeline::{VisitedGame, Visitor};
use crate::visit::figures::Example;
use jigo_core::pattern::NextTurn;
use jigo_record::Header;

/// The maximum number of examples.
const MAX_EXAMPLES: usize = 24;

/// A match of a pattern with its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchExample {
    /// The game and the turn. The note has the year and the result.
    pub example: Example,
    /// The next turn.
    pub next: Option<NextTurn>,
}

/// Collects the first matches of a run. Another visitor sets the pattern.
pub struct MatchExampleVisitor;

impl MatchExampleVisitor {
    /// Appends the examples of a batch to those of the batches before it.
    pub fn merge(all: &mut Vec<MatchExample>, batch: Vec<MatchExample>) {
        let missing = MAX_EXAMPLES - all.len();
        all.extend(batch.into_iter().take(missing));
    }
}

impl Visitor for MatchExampleVisitor {
    type Accumulator = Vec<MatchExample>;

    fn start_batch(&self) -> Vec<MatchExample> {
        Vec::new()
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut Vec<MatchExample>) {
        let (missing, header) = (MAX_EXAMPLES - batch.len(), &game.report.header);
        for found in game.report.matches.iter().take(missing) {
            batch.push(MatchExample {
                example: Example {
                    variation: found.variation.clone(),
                    players: players(header),
                    ..Example::new(game.text, game.report, Some(found.turn), note(header))
                },
                next: found.next,
            });
        }
    }
}

/// Returns a text, or a question mark for none.
fn or_unknown(text: &str) -> &str {
    if text.is_empty() { "?" } else { text }
}

/// Returns the players of a game.
pub(crate) fn players(header: &Header) -> String {
    format!("{} - {}", or_unknown(&header.black), or_unknown(&header.white))
}

/// Returns the year and the result of a game.
pub(crate) fn note(header: &Header) -> String {
    let year = header.year().map_or(String::new(), |year| format!("{year}, "));
    format!("{year}{}", or_unknown(&header.result_text))
}
