//! Games that did not end by counting.

use jigo_record::ResultKind;
use jigo_rules::Tally;
use jigo_score::Uncounted;

/// Returns the reason, according to the record, not to score a game.
///
/// For example, the players never counted a game that ended by resignation.
pub fn ended_otherwise(result: ResultKind, tally: &Tally) -> Option<Uncounted> {
    match result {
        _ if tally.stopped_at.is_some() => Some(Uncounted::Stopped),
        // The record contains the result of a game without the game.
        ResultKind::Score | ResultKind::Draw if tally.turns == 0 && tally.setup.contains(&0) => {
            Some(Uncounted::Unfinished)
        }
        ResultKind::Score | ResultKind::Draw => None,
        ResultKind::Resignation => Some(Uncounted::Resignation),
        ResultKind::Time => Some(Uncounted::Time),
        ResultKind::Forfeit => Some(Uncounted::Forfeit),
        ResultKind::Void => Some(Uncounted::Void),
        _ if tally.closing_passes >= 2 => None,
        ResultKind::Missing | ResultKind::Unknown | ResultKind::Win | ResultKind::Unreadable => {
            Some(Uncounted::Unfinished)
        }
    }
}
