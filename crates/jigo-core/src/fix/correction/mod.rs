//! Corrections of a record that breaks the rules at one place: typing errors that explain the
//! fault, with the evidence for each.
//!
//! A stone on an occupied point, a turn out of order or a ko retaken at once usually result from
//! one typing error, often many turns before the fault. The search reverses every likely typing
//! error in turn and replays the record. Corrections that make the whole record legal are
//! candidates. Two facts about real games rank them: most turns are near the previous ones, and
//! most are answered nearby.

mod candidates;
mod evidence;
mod relevance;
mod text;
mod trial;
mod typo;

pub use text::{at_the_end, edits, passes};
pub use typo::{Correction, Typo};

use jigo_record::GameRecord;
use trial::{State, Trial};

/// The maximum number of typing errors that the search tries, and of turns that it replays for
/// them.
const MAX_TRIALS: usize = 20_000;
const MAX_REPLAYED: usize = 1_000_000;
/// The maximum number of listed corrections.
const MAX_LISTED: usize = 12;

/// Returns the turn of the fault, from 1, and the corrections, the likeliest first.
///
/// Returns `None` if the record breaks no rules, or sets up stones between turns.
pub fn suggest(record: &GameRecord) -> Option<(u32, Vec<Correction>)> {
    let trial = Trial::new(record)?;
    let fault = trial.fault?;
    let (mut trials, mut replayed) = (MAX_TRIALS, MAX_REPLAYED);
    let mut corrections: Vec<Correction> = Vec::new();
    // Errors of one turn are tried in succession, so its position is computed once. The position is
    // large.
    let mut before: Option<(u32, Box<State>)> = None;
    for stage in candidates::stages(&trial, fault) {
        for typo in stage {
            if trials == 0 || replayed == 0 {
                break;
            }
            trials -= 1;
            let turn = typo.turn();
            let (_, state) = match before.take().filter(|(cached_turn, _)| *cached_turn == turn) {
                Some(cached) => before.insert(cached),
                None => before.insert((turn, Box::new(trial.before(turn as usize - 1)))),
            };
            if trial.can_be_legal(typo, state) && trial.is_legal(typo, state, &mut replayed) {
                corrections.push(evidence::weigh(&trial, fault, typo));
            }
        }
        if !corrections.is_empty() {
            break;
        }
    }
    corrections.sort_by(|first, second| second.weight.total_cmp(&first.weight));
    corrections.truncate(MAX_LISTED);
    corrections.iter_mut().for_each(|correction| correction.picture = Some(trial.picture(correction.typo)));
    Some((fault as u32 + 1, corrections))
}
