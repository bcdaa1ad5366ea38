//! Faults of the territory marks (TB, TW): the differences between a record's marks and a confident
//! count.

use std::fmt;

use super::audited_game::{AuditedGame, MIN_CONTRADICTION_CONFIDENCE};
use super::cause::Cause;
use super::counted_ending::CountedEnding;
use super::result_comparison::agrees;
use jigo_rules::board::{Color, Point, Position};
use jigo_rules::{HalfPoints, Ruleset};
use jigo_score::{Counts, Ending, MarkedEnding, Owner, Score};

/// The largest number of points that a fault names.
const MAX_NAMED: usize = 4;

/// The kind of a [`MarkFault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkFaultKind {
    /// The marks take living chains for dead.
    Living,
    /// The marks take chains for dead that live in seki.
    Seki,
    /// The marks leave chains alive that are dead in atari.
    Captured,
    /// The marks leave chains alive that are dead with several liberties.
    Dead,
    /// The marks give a player points that both players touch.
    Dame,
    /// The marks omit territory that only one player touches.
    Omitted,
}

/// Stones or points on which the marks and a count differ in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkFault {
    /// The kind of the difference.
    pub kind: MarkFaultKind,
    /// The colour of the chains, or the player who gets the points.
    pub color: Color,
    /// The names of some points: a stone of each chain, or points without a stone.
    pub points: Vec<String>,
    /// The number of further chains or points.
    pub more: usize,
}

impl MarkFault {
    fn new(kind: MarkFaultKind, color: Color, points: &[Point], position: &Position) -> MarkFault {
        let named = &points[..points.len().min(MAX_NAMED)];
        let names = named.iter().map(|point| point.to_a1(position.size())).collect();
        MarkFault { kind, color, points: names, more: points.len() - named.len() }
    }
}

/// Writes a short sentence, such as `marks leave W P13 alive: it is captured`.
impl fmt::Display for MarkFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = format!("{} {}", self.color.letter(), self.points.join(" "));
        if self.more > 0 {
            names += &format!(" and {} more", self.more);
        }
        let be = if self.points.len() == 1 { "it is" } else { "they are" };
        match self.kind {
            MarkFaultKind::Captured => write!(f, "marks leave {names} alive: {be} captured"),
            MarkFaultKind::Dead => write!(f, "marks leave {names} alive: {be} dead"),
            MarkFaultKind::Living => write!(f, "marks take {names} for dead: {be} alive"),
            MarkFaultKind::Seki => write!(f, "marks take {names} for dead: {be} in seki"),
            MarkFaultKind::Dame => write!(f, "marks give {names}: {be} dame"),
            MarkFaultKind::Omitted => write!(f, "marks omit {names}: {be} territory"),
        }
    }
}

/// A record's marks, compared with a count.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkedResult {
    /// The margin by the marks alone, Black minus White, including komi and bonus.
    pub margin: HalfPoints,
    /// True if the marks give the recorded result.
    pub gives_recorded: bool,
    /// The differences between the marks and the count. Empty if the count is in doubt.
    pub faults: Vec<MarkFault>,
}

impl MarkedResult {
    /// Counts the marks under the first ruleset that then gives the recorded result, or else under
    /// the first one, and compares them with a count.
    ///
    /// Returns `None` without marks, for rulesets that count all stones as alive, and for marks
    /// that cover a part of the board and don't give the recorded result.
    pub(super) fn new(
        game: &AuditedGame,
        counted_ending: &CountedEnding,
        scored_rulesets: &[(Ruleset, Score)],
    ) -> Option<MarkedResult> {
        let marked = game.marked?;
        let counts = Counts::as_marked(game.position, marked);
        let rulesets = scored_rulesets.iter().map(|(ruleset, _)| ruleset);
        let rulesets = rulesets.filter(|ruleset| !ruleset.axes.counts_as_is());
        let scores: Vec<Score> = rulesets.filter_map(|ruleset| game.score(&counts, ruleset)).collect();
        let recorded = scores.iter().find(|score| agrees(score, &game.header.result) == Some(true));
        let score = recorded.or(scores.first().filter(|_| marked.is_complete))?;
        let ending = &counted_ending.ending;
        let is_confident = !ending.is_open && ending.is_confident(MIN_CONTRADICTION_CONFIDENCE);
        let faults = if is_confident { faults(game.position, ending, marked) } else { Vec::new() };
        Some(MarkedResult { margin: score.black_minus_white(), gives_recorded: recorded.is_some(), faults })
    }

    /// Returns the faults as the cause of a recorded result that differs from the count, if the
    /// marks give this result.
    pub(super) fn cause(&self) -> Option<Cause> {
        (self.gives_recorded && !self.faults.is_empty()).then(|| Cause::Marks(self.faults.clone()))
    }
}

/// Returns the differences between the marks and a count: the chains with another status, or else
/// the points that are dame or territory with the same dead stones.
///
/// The status of a chain decides the points around it, so points are compared only without such a
/// chain. A point that any reading of territory leaves out is not an omission.
fn faults(position: &Position, ending: &Ending, marked: &MarkedEnding) -> Vec<MarkFault> {
    use MarkFaultKind::{Captured, Dame, Dead, Living, Omitted, Seki};
    let disputed = disputed_chains(position, ending, marked);
    let disputed = if disputed.is_empty() { disputed_points(position, ending, marked) } else { disputed };
    // Stones inside a group that is taken for dead are alive by the marks, so this group comes first.
    let kinds = [Living, Seki, Captured, Dead, Dame, Omitted];
    let possible = kinds.into_iter().flat_map(|kind| Color::BOTH.map(|color| (kind, color)));
    let faults = possible.map(|(kind, color)| {
        let of_kind = disputed.iter().filter(|point| (point.kind, point.color) == (kind, color));
        let points: Vec<Point> = of_kind.map(|point| point.point).collect();
        MarkFault::new(kind, color, &points, position)
    });
    faults.filter(|fault| !fault.points.is_empty()).collect()
}

/// A point on which marks and count differ.
struct DisputedPoint {
    kind: MarkFaultKind,
    color: Color,
    point: Point,
}

/// Returns the marked dame and the territory that the marks omit, in the order of the board.
fn disputed_points(position: &Position, ending: &Ending, marked: &MarkedEnding) -> Vec<DisputedPoint> {
    let counted = ending.territory(position);
    let of_color = |color: Color| {
        let territory = &marked.territory[color.index()];
        let dame = territory.intersection(&counted.flooded.dame);
        let omitted = counted.territory[color.index()].without(territory);
        [(MarkFaultKind::Dame, dame), (MarkFaultKind::Omitted, omitted)]
            .map(|(kind, points)| points.iter().map(|point| DisputedPoint { kind, color, point }).collect::<Vec<_>>())
    };
    Color::BOTH.into_iter().flat_map(of_color).flatten().collect()
}

/// Returns a stone of each chain whose status differs, the largest chain first.
fn disputed_chains(position: &Position, ending: &Ending, marked: &MarkedEnding) -> Vec<DisputedPoint> {
    let is_dead = |dead: &[Point], point: &Point| dead.binary_search(point).is_ok();
    let is_disputed = |point: &Point| is_dead(&ending.dead, point) != is_dead(&marked.dead, point);
    let disputed: Vec<Point> = position.size().iter().filter(is_disputed).collect();
    if disputed.is_empty() {
        return Vec::new();
    }
    let owners: Vec<(Point, Owner)> = position.size().iter().zip(ending.owners(position)).collect();
    let kind = |stone: Point| {
        let is_in_seki = owners.iter().any(|(point, owner)| *point == stone && matches!(owner, Owner::InSeki(_)));
        match is_dead(&ending.dead, &stone) {
            true if position.liberties(stone, 2).len() < 2 => MarkFaultKind::Captured,
            true => MarkFaultKind::Dead,
            false if is_in_seki => MarkFaultKind::Seki,
            false => MarkFaultKind::Living,
        }
    };
    let mut chains = position.chains(&disputed);
    chains.sort_by_key(|chain| std::cmp::Reverse(chain.len()));
    let chains = chains.into_iter().filter_map(|chain| chain.into_iter().min());
    let disputed_point = |point: Point| Some(DisputedPoint { kind: kind(point), color: position.stone(point)?, point });
    chains.filter_map(disputed_point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_names_four_points_and_the_number_of_others() {
        let position = jigo_rules::board::diagram::read(". . .\n. . .\n. . .").unwrap();
        let points: Vec<Point> = position.size().iter().collect();
        let text = |kind, number: usize| MarkFault::new(kind, Color::White, &points[..number], &position).to_string();
        assert_eq!(text(MarkFaultKind::Captured, 1), "marks leave W A3 alive: it is captured");
        assert_eq!(text(MarkFaultKind::Living, 2), "marks take W A3 B3 for dead: they are alive");
        assert_eq!(text(MarkFaultKind::Omitted, 6), "marks omit W A3 B3 C3 A2 and 2 more: they are territory");
    }
}
