//! The targets of the rows of a game: its turns, later positions, and ending.

use super::layout::{
    Arrays, GLOBAL_TARGETS, MOVES, POINTS, SCORE_RADIUS, SCORES, VALUE_PLANES, has_group_tax, has_seki_tax, in_points,
    index, is_territory, push_floats, sign,
};
use crate::analysis::GameReport;
use jigo_record::ResultKind;
use jigo_rules::Ruleset;
use jigo_rules::board::{Color, Point, PointSet, Position};
use jigo_score::Owner;

/// The version of the training data.
const DATA_VERSION: f32 = 3.0;
/// The weight of the lead in games of people. KataGo's `writetrainingdata` uses the same.
const LEAD_WEIGHT: f32 = 0.25;
/// The value of a whole point in the plane of points.
const WHOLE_POINT: i8 = 120;

/// A turn with its row.
#[derive(Clone, Copy)]
pub(super) struct RowTurn {
    pub(super) player: Color,
    /// The point; `None` for a pass.
    pub(super) point: Option<Point>,
    /// White's komi at this turn, in points, as the features contain it.
    pub(super) white_komi: f32,
    /// True if setup precedes the turn, so that it is not a reply.
    pub(super) follows_setup: bool,
}

/// The facts of a game that its rows have in common.
pub(super) struct Targets {
    /// The counted owner of each point, and true for an eye in seki that does not count.
    owners: Vec<(Color, usize, bool)>,
    black_minus_white: f32,
    /// The winner; `None` for a draw.
    winner: Option<Color>,
    /// The weight of the winner.
    value_weight: f32,
    /// The weight of the owners and the margin: the confidence in the count, or 0.
    count_weight: f32,
    hash: u64,
    is_area: bool,
    has_group_tax: bool,
}

impl Targets {
    /// Returns the facts of a game. Without its final position nothing but the turns counts.
    pub(super) fn new(report: &GameReport, ruleset: &Ruleset, end: Option<&Position>) -> Targets {
        let mut targets = Targets {
            owners: Vec::new(),
            black_minus_white: 0.0,
            winner: None,
            value_weight: 0.0,
            count_weight: 0.0,
            hash: report.hash,
            is_area: !is_territory(&ruleset.axes),
            has_group_tax: has_group_tax(&ruleset.axes),
        };
        let Some(position) = end else { return targets };
        let ending = report.ending.as_ref().and_then(|ending| ending.as_ref().ok()).filter(|ending| ending.is_certain);
        let score = report.scores.first().and_then(|(_, score)| score.as_ref().ok());
        if let (Some(counted), Some(score)) = (ending, score) {
            let owners = counted.ending.owners(position).into_iter().zip(position.size().iter());
            targets.owners.extend(owners.filter_map(|(owner, point)| match owner {
                Owner::Owned(color) => Some((color, index(point), false)),
                Owner::InSeki(color) => {
                    Some((color, index(point), has_seki_tax(&ruleset.axes) && position.is_empty(point)))
                }
                Owner::Neither => None,
            }));
            targets.black_minus_white = in_points(score.black_minus_white());
            targets.winner = score.winner;
            targets.count_weight = counted.confidence(ruleset).unwrap_or(1.0);
            targets.value_weight = targets.count_weight;
        } else if let (ResultKind::Resignation, Some(winner)) = (report.header.result.kind, report.header.result.winner)
        {
            (targets.winner, targets.value_weight) = (Some(winner), 1.0);
        }
        targets
    }

    /// Appends the targets of a row, counted from 0. The boards are those before each turn, and the last
    /// one.
    pub(super) fn add(&self, turns: &[RowTurn], boards: &[[PointSet; 2]], row: usize, arrays: &mut Arrays) {
        let RowTurn { player, white_komi, .. } = turns[row];
        let reply = turns.get(row + 1).filter(|reply| reply.player != player && !reply.follows_setup);
        let score = f32::from(sign(Color::Black, player)) * self.black_minus_white;
        let mut globals = self.globals(player, score);
        globals[28] = if reply.is_some() { 1.0 } else { 0.0 };
        globals[47] = f32::from(sign(Color::White, player)) * white_komi;
        globals[51] = row as f32;
        let [_, _, policy, global, scores, values] = &mut arrays.bytes;
        for turn in [Some(&turns[row]), reply] {
            push_policy(turn, policy);
        }
        push_floats(&globals, global);
        push_scores(score, scores);
        self.push_values(player, boards, row, values);
    }

    /// Returns the global targets without those of the turn.
    fn globals(&self, player: Color, score: f32) -> [f32; GLOBAL_TARGETS] {
        let mut globals = [0.0; GLOBAL_TARGETS];
        let win = match self.winner {
            Some(winner) if winner == player => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
        globals[..20].chunks_exact_mut(4).for_each(|values| values.copy_from_slice(&[win, 1.0 - win, 0.0, score]));
        (globals[20], globals[21]) = (score, score);
        // The short-term values have the weight 1 - 1.
        (globals[24], globals[25], globals[26]) = (1.0, 1.0, 1.0);
        globals[27] = self.count_weight;
        globals[29] = LEAD_WEIGHT * self.count_weight;
        globals[33] = 1.0;
        globals[34] = if self.has_group_tax { 0.0 } else { self.count_weight };
        globals[35] = 1.0 - self.value_weight;
        globals[36..41].fill(1.0);
        // A float holds 24 bits exactly.
        for (part, (shift, bits)) in [(0, 22), (22, 22), (44, 20)].into_iter().enumerate() {
            globals[41 + part] = (self.hash >> shift & ((1 << bits) - 1)) as f32;
        }
        globals[48] = if self.is_area { 1.0 } else { 0.0 };
        globals[62] = if self.count_weight > 0.0 { 1.0 } else { 0.0 };
        globals[63] = DATA_VERSION;
        globals
    }

    /// Appends the planes of values.
    fn push_values(&self, player: Color, boards: &[[PointSet; 2]], row: usize, values: &mut Vec<u8>) {
        let mut planes = [[0_i8; POINTS]; VALUE_PLANES];
        for &(color, point, is_uncounted_eye) in &self.owners {
            planes[usize::from(is_uncounted_eye)][point] = sign(color, player);
        }
        for (plane, turns) in [(2, 8), (3, 32)] {
            let board = &boards[(row + turns).min(boards.len() - 1)];
            for color in Color::BOTH {
                for point in board[color.index()].iter() {
                    planes[plane][index(point)] = sign(color, player);
                }
            }
        }
        if !self.has_group_tax {
            planes[4] = planes[0].map(|owner| owner * WHOLE_POINT);
        }
        values.extend(planes.as_flattened().iter().map(|value| *value as u8));
    }
}

/// Appends the policy of a turn. Without a turn all moves are equal.
fn push_policy(turn: Option<&RowTurn>, policy: &mut Vec<u8>) {
    let mut moves = [i16::from(turn.is_none()); MOVES];
    if let Some(turn) = turn {
        moves[turn.point.map_or(POINTS, index)] = 1;
    }
    policy.extend(moves.iter().flat_map(|value| value.to_le_bytes()));
}

/// Appends the distribution of the score in percent. Its places are the scores -420.5 to 420.5, and
/// a score between two of them is shared.
fn push_scores(score: f32, scores: &mut Vec<u8>) {
    let first = scores.len();
    scores.resize(first + SCORES, 0);
    let place = (score - 0.5 + SCORE_RADIUS as f32).clamp(0.0, (SCORES - 1) as f32);
    let upper = (place.fract() * 100.0).round() as u8;
    let lower = first + place as usize;
    scores[lower] = 100 - upper;
    if upper > 0 {
        scores[lower + 1] = upper;
    }
}
