//! Static evaluation: classifies the groups of a finished position as dead or alive, with decision
//! trees fitted to counted games.
//!
//! A group consists of chains that the opponent cannot separate, so they live or die together.
//!
//! The recursive scheme is that of E. van der Werf, H. J. van den Herik and J. Uiterwijk, "Learning
//! to score final positions in the game of Go" (2005). The first pass judges groups by their
//! surroundings. The second pass also uses the first pass's estimates for the neighbours, and the
//! third pass those of the second. Each pass is a sum of boosted decision trees. `fit/` and
//! docs/accuracy.md describe how the weights are made.

mod features;
mod links;
mod scan;
mod statuses;
mod sums;
mod confident;
mod trees;
mod weights_first;
mod weights_second;
mod weights_third;

use crate::shape::cell_set::CellSet;
pub(super) use confident::ConfidentGroups;
use confident::{MAX_LIFELESS_REGION, error_probability, find_confident_groups};
pub use features::FIRST_FEATURES;
use features::GroupFeatures;
use jigo_rules::board::{BoardSize, Point, Position};
use links::scan_groups;
use scan::Scan;
pub use statuses::LATER_FEATURES;
use statuses::{OpenExtent, PartMarks, Statuses};
use trees::{LevelTree, Row, level_trees, sums};

static FIRST_TREES: [LevelTree<32>; weights_first::TREES.len()] = level_trees(weights_first::TREES);
static SECOND_TREES: [LevelTree<64>; weights_second::TREES.len()] = level_trees(weights_second::TREES);
static THIRD_TREES: [LevelTree<64>; weights_third::TREES.len()] = level_trees(weights_third::TREES);

/// Logarithm of the odds, about a thousand to one, beyond which a group is not judged again.
///
/// The first pass reaches it for three groups in four. Of 448,000 such estimates on games that the
/// trees had not seen, seven are wrong, in six games.
const DECIDED_ODDS: f32 = 7.0;

/// A board prepared for evaluation.
pub struct Evaluation {
    scan: Scan,
    marks: PartMarks,
    /// The features of the first pass, group by group.
    first: Vec<Row>,
    /// For each group, the logarithm of the odds that it lives.
    ///
    /// The vector is indexed by part.
    odds: Vec<f32>,
    /// Cached extent of the current statuses. `None` if a pass changed the status of a group.
    extent: Option<OpenExtent>,
}

impl Evaluation {
    /// Prepares a position. Returns `None` on boards other than 19x19, because the model was fitted
    /// to games on 19x19 only.
    pub fn new(position: &Position) -> Option<Evaluation> {
        if position.size() != BoardSize::standard() {
            return None;
        }
        let scan = scan_groups(position);
        let features = GroupFeatures::new(&scan);
        let marks = PartMarks::new(scan.parts.len());
        let first = scan.groups().map(|group| features.row(&scan, group)).collect();
        let odds = vec![0.0; scan.parts.len()];
        Some(Evaluation { scan, marks, first, odds, extent: None })
    }

    /// Returns the first point of each group with its features in the first pass.
    pub fn first_rows(&self) -> impl Iterator<Item = (Point, &[f32])> {
        self.scan.groups().map(|group| self.scan.head(group)).zip(self.first.iter().map(|row| &row[..FIRST_FEATURES]))
    }

    /// Makes the first pass.
    fn first_pass(&mut self) {
        let group_odds = sums(&FIRST_TREES, &self.first);
        self.extent = None;
        self.scan.groups().zip(group_odds).for_each(|(group, odds)| self.odds[group] = odds);
    }

    /// Replaces the odds of groups, each given by one of its points.
    pub fn set_odds(&mut self, odds: impl Iterator<Item = (Point, f32)>) {
        odds.for_each(|(point, odds)| self.odds[self.scan.part_at(point)] = odds);
        self.extent = None;
    }

    /// Returns the groups that the pass before leaves in doubt, with their features.
    fn rows_in_doubt(&mut self) -> (Vec<usize>, Vec<Row>) {
        let in_doubt = |(group, _): &(usize, &Row)| self.odds[*group].abs() < DECIDED_ODDS;
        let groups: Vec<(usize, &Row)> = self.scan.groups().zip(&self.first).filter(in_doubt).collect();
        if groups.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let statuses = Statuses::new(&self.scan, &self.odds);
        let sums = statuses.sums();
        self.extent = Some(statuses.extent());
        groups.into_iter().map(|(group, first)| (group, statuses.row(first, group, &sums, &mut self.marks))).unzip()
    }

    /// Returns the first point of each group that is still in doubt, with its features in the next
    /// pass.
    pub fn later_rows(&mut self) -> Vec<(Point, Vec<f32>)> {
        let (groups, rows) = self.rows_in_doubt();
        groups
            .into_iter()
            .zip(rows)
            .map(|(group, row)| (self.scan.head(group), row[..LATER_FEATURES].to_vec()))
            .collect()
    }

    /// Makes a later pass, which uses the odds of all groups from the pass before.
    fn pass(&mut self, trees: &[LevelTree<64>]) {
        let (groups, rows) = self.rows_in_doubt();
        for (group, odds) in groups.into_iter().zip(sums(trees, &rows)) {
            let previous = std::mem::replace(&mut self.odds[group], odds);
            if (previous >= 0.0) != (odds >= 0.0) {
                self.extent = None;
            }
        }
    }

    /// Returns the first point of each group with the odds that it lives.
    pub fn odds(&self) -> impl Iterator<Item = (Point, f32)> {
        self.scan.groups().map(|group| (self.scan.head(group), self.odds[group]))
    }
}

/// Largest expected number of wrong groups in a position that static evaluation decides.
///
/// The limit was chosen on the games to fit to, each fourth judged by trees fitted to the others.
/// Of 26,420 positions below it, one is wrong that playouts get right, and 23 are right that
/// playouts get wrong. Of the 1,257 positions from here to 0.01 these numbers are three and four.
const MAX_DOUBT: f32 = 0.007;
/// Ratio of the expected number of wrong groups to the probability of a wrong position.
///
/// The measured ratio was eight when this was set; half of it is used.
pub(super) const PESSIMISM: f32 = 4.0;
/// Largest number of points that touch both colours in a decided position.
///
/// A position with more may have stopped in the middle of the game. The limit is an eighth of the
/// board, as for playouts.
const MAX_OPEN_POINTS: usize = 361 / 8;
/// Largest confidence of a static estimate.
const MAX_CONFIDENCE: f32 = 0.999;

/// Judges a finished position.
pub(super) fn judge(position: &Position) -> Judgement {
    evaluate(position).map_or(Judgement::Unsupported, |mut evaluation| evaluation.judgement())
}

/// Returns the odds of all groups, each with a point of every chain.
///
/// Returns none if the position is open or the board is not 19x19.
pub(super) fn odds(position: &Position) -> Vec<(Point, f32)> {
    let closed = evaluate(position).and_then(|mut evaluation| (!evaluation.is_open()).then_some(evaluation));
    closed.map_or_else(Vec::new, |evaluation| {
        evaluation.scan.chains().map(|(point, group)| (point, evaluation.odds[group])).collect()
    })
}

/// Evaluates a position with all passes.
fn evaluate(position: &Position) -> Option<Evaluation> {
    let mut evaluation = Evaluation::new(position)?;
    evaluation.first_pass();
    evaluation.pass(&SECOND_TREES);
    evaluation.pass(&THIRD_TREES);
    Some(evaluation)
}

/// The result of static evaluation.
pub(super) enum Judgement {
    /// Every group is decided.
    Whole {
        /// Dead stones, in the order of points.
        dead: Vec<Point>,
        /// Probability, from 0 to 1, that the players agree on these dead stones.
        confidence: f32,
    },
    /// Some groups are decided.
    Part(Box<ConfidentGroups>),
    /// Too many points touch both colours for any estimate.
    Open,
    /// The board is not 19x19, and the model was fitted to games on 19x19 only.
    Unsupported,
}

impl Evaluation {
    /// Returns the extent of the current statuses.
    fn extent(&mut self) -> OpenExtent {
        *self.extent.get_or_insert_with(|| Statuses::new(&self.scan, &self.odds).extent())
    }

    /// Returns true if the position may have stopped in the middle of the game.
    fn is_open(&mut self) -> bool {
        self.extent().open > MAX_OPEN_POINTS
    }

    fn judgement(&mut self) -> Judgement {
        if self.is_open() {
            return Judgement::Open;
        }
        let doubt: f32 = self.scan.groups().map(|group| error_probability(self.odds[group])).sum();
        if doubt > MAX_DOUBT || self.extent().room > MAX_LIFELESS_REGION {
            return Judgement::Part(Box::new(find_confident_groups(&self.scan, &self.odds)));
        }
        let dead = self.scan.groups().filter(|&group| self.odds[group] < 0.0);
        let dead = dead.fold(CellSet::EMPTY, |all, group| all.union(&self.scan.parts[group].cells));
        let dead: Vec<Point> = dead.iter().map(|cell| self.scan.grid.point(cell)).collect();
        Judgement::Whole { dead, confidence: (1.0 - doubt / PESSIMISM).min(MAX_CONFIDENCE) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::Color;
    use jigo_rules::board::hash::split_mix;

    /// Plays random turns that fill no eyes. The game need not be finished.
    pub(super) fn random_position(seed: u64, turns: usize) -> Position {
        let mut random = seed;
        let mut position = Position::new(BoardSize::standard());
        for turn in 0..turns {
            let number = split_mix(&mut random);
            let point = Point::new((number >> 8) as u8 % 19, (number >> 16) as u8 % 19);
            let color = Color::BOTH[turn % 2];
            let is_eye = position.neighbours(point).all(|neighbour| position.stone(neighbour) == Some(color));
            if position.stone(point).is_none() && !is_eye {
                position.play(color, point, &mut Vec::new());
            }
        }
        position
    }

    /// Rotates the position by 180 degrees and exchanges the colours.
    fn turned(position: &Position) -> Position {
        let mut turned = Position::new(position.size());
        let transform = |point: Point| (turn(point), position.stone(point).map(Color::opponent));
        turned.place(position.size().iter().map(transform));
        turned
    }

    fn turn(point: Point) -> Point {
        Point::new(18 - point.x(), 18 - point.y())
    }

    /// Returns the odds of each point's group, in the order of points.
    fn odds_of(position: &Position) -> Vec<f32> {
        let evaluation = evaluate(position).unwrap();
        position.size().iter().map(|point| evaluation.odds[evaluation.scan.part_at(point)]).collect()
    }

    #[test]
    fn exchanged_colors_give_the_same_odds() {
        let mut seen = [0, 0];
        for seed in 0..60 {
            let position = random_position(seed, 40 + 12 * seed as usize);
            let mut other = odds_of(&turned(&position));
            other.reverse();
            let own = odds_of(&position);
            assert_eq!(own, other, "{seed}");
            own.iter().for_each(|odds| seen[usize::from(*odds < 0.0)] += 1);
        }
        assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
    }

    /// Creates walls of each colour across the board, with an enemy stone inside each side if
    /// `is_invaded`.
    fn halves(is_invaded: bool) -> Position {
        let mut position = Position::new(BoardSize::standard());
        for line in 0..19 {
            for (color, row) in [(Color::Black, 8), (Color::Black, 9), (Color::White, 10)] {
                position.place([(Point::new(line, row), Some(color))]);
            }
            if !(8..=10).contains(&line) {
                let color = if line < 9 { Color::Black } else { Color::White };
                position.place([(Point::new(9, line), Some(color))]);
            }
        }
        if is_invaded {
            position.place([(Point::new(4, 3), Some(Color::White)), (Point::new(14, 14), Some(Color::Black))]);
        }
        position
    }

    /// Returns the result if the position is decided completely.
    fn judge(position: &Position) -> Option<(Vec<Point>, f32)> {
        match super::judge(position) {
            Judgement::Whole { dead, confidence } => Some((dead, confidence)),
            _ => None,
        }
    }

    #[test]
    fn lone_stone_in_territory_is_dead() {
        assert_eq!(judge(&halves(false)).map(|(dead, _)| dead), Some(vec![]));
        let (dead, confidence) = judge(&halves(true)).unwrap();
        assert_eq!(dead, [Point::new(4, 3), Point::new(14, 14)]);
        assert!((0.9..1.0).contains(&confidence));
    }

    #[test]
    fn open_doubtful_and_small_boards_are_not_decided() {
        assert_eq!(judge(&random_position(1, 60)), None);
        assert_eq!(judge(&Position::new(BoardSize::square(9).unwrap())), None);
        let mut open = halves(false);
        [8, 9, 10].into_iter().for_each(|y| open.remove_stone(Point::new(4, y)));
        assert_eq!(judge(&open), None);
        let mut early = Position::new(BoardSize::standard());
        early.place([(Point::new(3, 3), Some(Color::Black))]);
        assert_eq!(judge(&early), None);
    }
}
