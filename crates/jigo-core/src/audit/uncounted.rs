//! Games that did not end by counting.

use jigo_record::ResultKind;
use jigo_rules::Tally;
use jigo_score::UncountedReason;

/// Returns the reason, according to the record, not to score a game.
///
/// For example, the players never counted a game that ended by resignation.
pub fn uncounted_reason(result: ResultKind, tally: &Tally) -> Option<UncountedReason> {
    match result {
        _ if tally.stopped_at.is_some() => Some(UncountedReason::Stopped),
        // The record contains the result of a game without the game.
        ResultKind::Score | ResultKind::Draw if tally.turns == 0 && tally.setup.contains(&0) => {
            Some(UncountedReason::Unfinished)
        }
        ResultKind::Score | ResultKind::Draw => None,
        ResultKind::Resignation => Some(UncountedReason::Resignation),
        ResultKind::Time => Some(UncountedReason::Time),
        ResultKind::Forfeit => Some(UncountedReason::Forfeit),
        ResultKind::Void => Some(UncountedReason::Void),
        _ if tally.closing_passes >= 2 => None,
        ResultKind::Missing | ResultKind::Unknown | ResultKind::Win | ResultKind::Unreadable => {
            Some(UncountedReason::Unfinished)
        }
    }
}
