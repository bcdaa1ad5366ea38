//! Games as rows of the arrays that KataGo's trainer reads.
//!
//! A row is the position before a turn, with the turn, the opponent's reply and the counted ending
//! as targets. The layout follows lightvector/KataGo at 6a1fc5d: inputs of version 7
//! (`cpp/neuralnet/nninputs.cpp`, `fillRowV7`) and training data of version 3
//! (`cpp/dataio/trainingwrite.h`). Boards have 19 lines; a smaller one is at the top left. All
//! values are from the view of the player to move.
//!
//! These values differ from KataGo's own rows, because a record lacks them or they are expensive:
//!
//! - Planes 18 and 19 ignore a tax on seki or groups.
//! - The short-term values repeat the result and have the weight 0, and the time until the game is
//!   decided (target 22) is 0. So are Black's extra moves (54) and later bonus points (61).
//! - Passes and the turns after them have the row weight 1. KataGo has no rows for these.
//! - KataGo's friendly passes and encore do not occur.

mod layout;
mod ladders;
mod walk;
mod targets;

pub use layout::{ARRAYS, ArrayType, Arrays, Planes, SIDE};

use crate::analysis::{GameReport, TurnEffects, TurnKind};
use jigo_rules::{Axes, HalfPoints, Ruleset};
use layout::is_territory;
use targets::{RowTurn, Targets};
use walk::Walk;

/// The reason why a game has no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRows {
    /// The board does not fit into a row.
    #[error("the board has more than {SIDE} lines")]
    Board,
    /// The record is unreadable, has no turn, or its first turn is illegal.
    #[error("there is no legal turn")]
    Turns,
    /// The game is too long. A row takes about 16 kB.
    #[error("the game has more than {MAX_TURNS} turns")]
    Length,
}

/// The maximum number of turns of a game with rows.
pub const MAX_TURNS: usize = 2000;

/// Appends a row for each turn of a game up to its first illegal turn. Returns the number of that
/// turn, if there is one.
///
/// The report must contain [turns](crate::analysis::Settings::turns). A count and the
/// [hash](crate::analysis::Settings::game_hash) are used if present. The rules are those of the
/// first scored ruleset, or else the recorded ones, or else those of [`Ruleset::unknown`].
///
/// # Errors
/// Fails if the game has no row.
pub fn add_rows(report: &GameReport, arrays: &mut Arrays) -> Result<Option<u32>, NoRows> {
    let size = report.header.size;
    if usize::from(size.width().max(size.height())) > SIDE {
        return Err(NoRows::Board);
    }
    if report.turns.iter().filter(|turn| turn.kind != TurnKind::Setup).count() > MAX_TURNS {
        return Err(NoRows::Length);
    }
    let scored = report.scores.first().map(|(ruleset, _)| ruleset).or(report.ruleset.as_ref());
    let ruleset = scored.cloned().unwrap_or_else(Ruleset::unknown);
    let mut walk = Walk::new(size, &ruleset.axes, white_komi(report, &ruleset.axes));
    let (mut turns, mut boards, mut follows_setup) = (Vec::new(), Vec::new(), false);
    let mut illegal = None;
    for turn in &report.turns {
        if let (true, Some(player)) = (turn.kind != TurnKind::Setup, turn.color) {
            if !is_playable(turn, &walk) {
                illegal = Some(turn.number);
                break;
            }
            walk.add_inputs(player, arrays);
            boards.push(walk.position.stones_by_color());
            turns.push(RowTurn { player, point: turn.point, white_komi: walk.white_komi(), follows_setup });
        }
        follows_setup = turn.kind == TurnKind::Setup;
        walk.apply(turn);
    }
    if turns.is_empty() {
        return Err(NoRows::Turns);
    }
    boards.push(walk.position.stones_by_color());
    // The final position does not follow from the rows if a turn is missing.
    let targets = Targets::new(report, &ruleset, illegal.is_none().then_some(&walk.position));
    for index in 0..turns.len() {
        targets.add(&turns, &boards, index, arrays);
    }
    arrays.rows += turns.len();
    Ok(illegal)
}

/// Returns komi with the points for handicap stones that area rules give.
fn white_komi(report: &GameReport, axes: &Axes) -> HalfPoints {
    let handicap = report.tally.handicap.stones();
    let komi = report.komi.for_header(&report.header);
    let bonus = if is_territory(axes) { HalfPoints::ZERO } else { axes.handicap_bonus.points(handicap) };
    komi.unwrap_or_else(|| axes.komi(handicap)) + bonus
}

/// Returns true if a turn is legal and its point, if any, is empty.
fn is_playable(turn: &TurnEffects, walk: &Walk<'_>) -> bool {
    turn.is_legal && turn.kind != TurnKind::Skipped && turn.point.is_none_or(|point| walk.position.is_empty(point))
}

#[cfg(test)]
mod tests;
