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
//! - The planes of ladders (14 to 17) are zero.
//! - Planes 18 and 19 ignore a tax on seki or groups.
//! - The short-term values repeat the result and have the weight 0, and the time until the game is
//!   decided (target 22) is 0.
//! - KataGo's friendly passes and encore do not occur.

mod planes;
mod targets;
mod walk;

pub use planes::Planes;

use crate::analysis::{GameReport, TurnEffects, TurnKind};
use jigo_rules::board::{Color, Point};
use jigo_rules::{Axes, HalfPoints, Ruleset, Scoring, TerritoryReading};
use targets::Targets;
use walk::Walk;

/// Lines of the board of a row.
pub const SIDE: usize = 19;
/// Points of the board of a row.
const POINTS: usize = SIDE * SIDE;
/// Values of a policy: the points row by row, and the pass.
const MOVES: usize = POINTS + 1;

/// The name, element type and shape of one of the arrays. Elements are little-endian.
#[derive(Clone, Copy, Debug)]
pub struct ArrayType {
    /// The name in KataGo's files.
    pub name: &'static str,
    /// The type as NumPy writes it: the order of bytes, the kind, and the number of bytes.
    pub element: &'static str,
    /// The shape of a row.
    pub shape: &'static [usize],
}

/// The arrays, in the order of [`Arrays::bytes`].
pub const ARRAYS: [ArrayType; 6] = [
    ArrayType { name: "binaryInputNCHWPacked", element: "|u1", shape: &[planes::COUNT, planes::BYTES] },
    ArrayType { name: "globalInputNC", element: "<f4", shape: &[walk::GLOBALS] },
    ArrayType { name: "policyTargetsNCMove", element: "<i2", shape: &[2, MOVES] },
    ArrayType { name: "globalTargetsNC", element: "<f4", shape: &[targets::GLOBALS] },
    ArrayType { name: "scoreDistrN", element: "|i1", shape: &[targets::SCORES] },
    ArrayType { name: "valueTargetsNCHW", element: "|i1", shape: &[targets::PLANES, SIDE, SIDE] },
];

/// Rows, as the bytes of each array.
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    /// The number of rows.
    pub rows: usize,
    /// The bytes of the arrays, in the order of [`ARRAYS`].
    pub bytes: [Vec<u8>; ARRAYS.len()],
}

impl Arrays {
    /// Moves the first rows, at most `rows`, out of the arrays.
    pub fn take(&mut self, rows: usize) -> Arrays {
        let taken = rows.min(self.rows);
        let mut rest = Arrays { rows: self.rows - taken, ..Arrays::default() };
        for (bytes, rest) in self.bytes.iter_mut().zip(&mut rest.bytes) {
            *rest = bytes.split_off(bytes.len() / self.rows.max(1) * taken);
        }
        self.rows = taken;
        std::mem::replace(self, rest)
    }

    /// Appends the rows of other arrays.
    pub fn append(&mut self, other: &Arrays) {
        self.rows += other.rows;
        self.bytes.iter_mut().zip(&other.bytes).for_each(|(bytes, other)| bytes.extend_from_slice(other));
    }
}

/// The reason why a game has no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRows {
    /// The board does not fit into a row.
    #[error("the board has more than {SIDE} lines")]
    Board,
    /// The record is unreadable, has no turn, or its first turn is illegal.
    #[error("there is no legal turn")]
    Turns,
}

/// A turn with its row.
#[derive(Clone, Copy)]
struct RowTurn {
    player: Color,
    /// The point; `None` for a pass.
    point: Option<Point>,
    /// White's komi at this turn, in points, as the features contain it.
    white_komi: f32,
    /// True if setup precedes the turn, so that it is not a reply.
    follows_setup: bool,
}

/// Appends a row for each turn of a game up to its first illegal turn. Returns the number of that
/// turn, if there is one.
///
/// The report must contain [turns](crate::analysis::Settings::turns). A count and the
/// [hash](crate::analysis::Settings::game_hash) are used if present. The rules are those of the
/// first scored ruleset, or else the recorded ones.
///
/// # Errors
/// Fails if the game has no row.
pub fn add_rows(report: &GameReport, arrays: &mut Arrays) -> Result<Option<u32>, NoRows> {
    let size = report.header.size;
    if usize::from(size.width().max(size.height())) > SIDE {
        return Err(NoRows::Board);
    }
    let scored = report.scores.first();
    let ruleset = scored.map(|(ruleset, _)| ruleset.clone()).or_else(|| report.ruleset.clone());
    let ruleset = ruleset.unwrap_or_else(Ruleset::unknown);
    let handicap = report.tally.handicap.stones();
    let score = scored.and_then(|(_, score)| score.as_ref().ok());
    let komi = score.map(|score| score.komi).or_else(|| report.header.known_komi());
    let bonus = if is_territory(&ruleset.axes) { HalfPoints::ZERO } else { ruleset.axes.handicap_bonus.points(handicap) };
    let mut walk = Walk::new(size, &ruleset.axes, komi.unwrap_or_else(|| ruleset.axes.komi(handicap)) + bonus);
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

/// Returns true if a turn is legal and its point, if any, is empty.
fn is_playable(turn: &TurnEffects, walk: &Walk<'_>) -> bool {
    turn.is_legal && turn.kind != TurnKind::Skipped && turn.point.is_none_or(|point| walk.position.is_empty(point))
}

/// Returns true if KataGo counts a ruleset by territory. Pass stones give the area.
fn is_territory(axes: &Axes) -> bool {
    matches!(axes.scoring, Scoring::Territory | Scoring::TerritoryTax)
}

/// Returns true if a ruleset has a tax on groups.
fn has_group_tax(axes: &Axes) -> bool {
    matches!(axes.scoring, Scoring::GroupTax | Scoring::TerritoryTax)
}

/// Returns true if eyes in seki do not count.
fn has_seki_tax(axes: &Axes) -> bool {
    has_group_tax(axes) || axes.territory != TerritoryReading::EveryRegion
}

/// Returns 1 for the player and -1 for the opponent.
fn sign(color: Color, player: Color) -> i8 {
    if color == player { 1 } else { -1 }
}

/// Returns a number of half points in points.
fn in_points(points: HalfPoints) -> f32 {
    points.0 as f32 / 2.0
}

/// Returns the index of a point in a plane.
fn index(point: Point) -> usize {
    usize::from(point.y()) * SIDE + usize::from(point.x())
}

/// Appends numbers as bytes.
fn push_floats(floats: &[f32], bytes: &mut Vec<u8>) {
    bytes.extend(floats.iter().flat_map(|value| value.to_le_bytes()));
}

#[cfg(test)]
mod tests;
