//! Which stones of a finished position are dead, by static evaluation: features of groups and regions, and trees fitted to counted games. What is judged is a group:
//! chains that can't be kept apart, which live or die together.
//!
//! The recursive scheme is that of E. van der Werf, H. J. van den Herik and J. Uiterwijk, "Learning to score final positions in the game of Go" (2005): a
//! first pass judges groups by what is around them, a second one knows the first one's verdicts on their neighbours, and a third one the second one's. Each is a
//! sum of boosted decision trees. Weights and their making: `fit/` and docs/accuracy.md.

mod features;
mod links;
mod scan;
mod statuses;
mod sums;
mod sure;
mod trees;
mod weights_first;
mod weights_second;
mod weights_third;

use crate::board::{BoardSize, Point, Position};
use crate::score::cell_set::CellSet;
pub use features::FIRST;
use features::Surroundings;
use scan::Scan;
pub use statuses::LATER;
use statuses::{Extent, PartMarks, Statuses};
pub(super) use sure::Sure;
use sure::sure;
use trees::{LevelTree, Row, by_level, sums};

static FIRST_TREES: [LevelTree<32>; weights_first::TREES.len()] = by_level(weights_first::TREES);
static SECOND_TREES: [LevelTree<64>; weights_second::TREES.len()] = by_level(weights_second::TREES);
static THIRD_TREES: [LevelTree<64>; weights_third::TREES.len()] = by_level(weights_third::TREES);

/// A group for whose status a pass gives odds of this logarithm, about a thousand to one, is not looked at again: three in four after the first pass. Of
/// 448,000 such verdicts on games that its trees had not seen seven are wrong, in six games.
const SURE_ODDS: f32 = 7.0;

/// A board looked at for its evaluation.
pub struct Evaluation {
    scan: Scan,
    marks: PartMarks,
    /// The features of the first pass, group by group.
    first: Vec<Row>,
    /// For each group, how much speaks for its life: the logarithm of the odds. The numbers are those of parts.
    odds: Vec<f32>,
    /// What the odds make of the board, where the latest pass changed nothing about it.
    extent: Option<Extent>,
}

impl Evaluation {
    /// Looks at a position; `None` on all boards but 19x19, for which there were no games to fit to.
    pub fn new(position: &Position) -> Option<Evaluation> {
        if position.size() != BoardSize::standard() {
            return None;
        }
        let scan = Scan::new(position);
        let ground = Surroundings::new(&scan);
        let marks = PartMarks::new(scan.parts.len());
        let first = scan.groups().map(|group| ground.row(&scan, group)).collect();
        let odds = vec![0.0; scan.parts.len()];
        Some(Evaluation { scan, marks, first, odds, extent: None })
    }

    /// The features of the first pass, for each group with its first point.
    pub fn first_rows(&self) -> impl Iterator<Item = (Point, &[f32])> {
        self.scan.groups().map(|group| self.scan.head(group)).zip(self.first.iter().map(|row| &row[..FIRST]))
    }

    /// Makes the first pass.
    fn first_pass(&mut self) {
        let found = sums(&FIRST_TREES, &self.first);
        self.extent = None;
        self.scan.groups().zip(found).for_each(|(group, odds)| self.odds[group] = odds);
    }

    /// Takes the odds of groups from elsewhere, each named by a point.
    pub fn set_odds(&mut self, odds: impl Iterator<Item = (Point, f32)>) {
        odds.for_each(|(point, odds)| self.odds[self.scan.part_at(point)] = odds);
        self.extent = None;
    }

    /// The groups that the pass before leaves in doubt, and their features.
    fn later(&mut self) -> (Vec<usize>, Vec<Row>) {
        let in_doubt = |(group, _): &(usize, &Row)| self.odds[*group].abs() < SURE_ODDS;
        let groups: Vec<(usize, &Row)> = self.scan.groups().zip(&self.first).filter(in_doubt).collect();
        if groups.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let statuses = Statuses::new(&self.scan, &self.odds);
        let sums = statuses.sums();
        self.extent = Some(statuses.extent());
        groups.into_iter().map(|(group, first)| (group, statuses.row(first, group, &sums, &mut self.marks))).unzip()
    }

    /// The features of the pass after the latest, for each group that is left in doubt with its first point.
    pub fn later_rows(&mut self) -> Vec<(Point, Vec<f32>)> {
        let (groups, rows) = self.later();
        groups.into_iter().zip(rows).map(|(group, row)| (self.scan.head(group), row[..LATER].to_vec())).collect()
    }

    /// Makes the second pass, which knows what the first one says of all groups.
    fn second_pass(&mut self) {
        self.pass(&SECOND_TREES);
    }

    /// Makes the third pass, which knows what the second one says.
    fn third_pass(&mut self) {
        self.pass(&THIRD_TREES);
    }

    fn pass(&mut self, trees: &[LevelTree<64>]) {
        let (groups, rows) = self.later();
        for (group, odds) in groups.into_iter().zip(sums(trees, &rows)) {
            let before = std::mem::replace(&mut self.odds[group], odds);
            if (before >= 0.0) != (odds >= 0.0) {
                self.extent = None;
            }
        }
    }

    /// Each group by its first point with the odds of its life.
    pub fn odds(&self) -> impl Iterator<Item = (Point, f32)> {
        self.scan.groups().map(|group| (self.scan.head(group), self.odds[group]))
    }
}

/// What static evaluation says of a position that leaves it no doubt.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Judged {
    /// The dead stones, in the order of points.
    pub dead: Vec<Point>,
    /// How probable it is that these are the dead stones the players agree on, from 0 to 1.
    pub confidence: f32,
}

/// A position is decided where no more groups than this are expected to be wrong. Chosen on the games to fit to, each fourth with trees fitted to the others: of
/// 26,420 positions below it one is wrong that playouts get right, and 23 the other way round; of the 1,257 from there to 0.01 three, and four.
const MOST_DOUBT: f32 = 0.007;
/// How many times fewer positions are wrong than groups are expected to be: half of the eight that it was when this was set.
pub(super) const PESSIMISM: f32 = 4.0;
/// A position with more points that touch both colours is not decided: it may have been stopped in the middle. An eighth of the board, as for
/// playouts.
const MOST_OPEN: usize = 361 / 8;
/// The most points of a region without living stones, a fifth of the board: where somebody has more room than that, somebody may still live in it.
/// Nineteen in twenty counted games have less.
const MOST_ROOM: usize = 361 / 5;
/// What the estimate of a position without doubt is worth.
const SUREST: f32 = 0.999;

/// Judges a finished position.
pub(super) fn judge(position: &Position) -> Judgement {
    evaluated(position).map_or(Judgement::Nothing, |mut evaluation| evaluation.judgement())
}

/// The odds of all groups of a position that is not open, each named by a point; none of the others.
pub(super) fn odds(position: &Position) -> Vec<(Point, f32)> {
    let closed = evaluated(position).and_then(|mut evaluation| (!evaluation.is_open()).then_some(evaluation));
    closed.map_or_else(Vec::new, |evaluation| {
        evaluation.scan.chains().map(|(point, group)| (point, evaluation.odds[group])).collect()
    })
}

/// A position after all passes.
fn evaluated(position: &Position) -> Option<Evaluation> {
    let mut evaluation = Evaluation::new(position)?;
    evaluation.first_pass();
    evaluation.second_pass();
    evaluation.third_pass();
    Some(evaluation)
}

/// How probable it is, from 0 to 0.5, that a group with odds of this logarithm has the other status. The exponential is that of a library, as those of platforms
/// differ in the last bit, and a limit may lie between.
fn wrong(odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(odds.abs()))
}

/// What static evaluation makes of a position.
pub(super) enum Judgement {
    /// It leaves no doubt.
    Whole(Judged),
    /// It is sure of some groups.
    Part(Box<Sure>),
    /// Too much of the board is nobody's for a word on anything.
    Open,
    /// There were no games to fit to on such a board: all but 19x19.
    Nothing,
}

impl Evaluation {
    /// What the odds of all groups make of the board.
    fn extent(&mut self) -> Extent {
        *self.extent.get_or_insert_with(|| Statuses::new(&self.scan, &self.odds).extent())
    }

    /// Whether it may have been stopped in the middle.
    fn is_open(&mut self) -> bool {
        self.extent().open > MOST_OPEN
    }

    fn judgement(&mut self) -> Judgement {
        if self.is_open() {
            return Judgement::Open;
        }
        let doubt: f32 = self.scan.groups().map(|group| wrong(self.odds[group])).sum();
        if doubt > MOST_DOUBT || self.extent().room > MOST_ROOM {
            return Judgement::Part(Box::new(sure(&self.scan, &self.odds)));
        }
        let dead = self.scan.groups().filter(|&group| self.odds[group] < 0.0);
        let dead = dead.fold(CellSet::EMPTY, |all, group| all.union(&self.scan.parts[group].cells));
        let dead: Vec<Point> = dead.iter().map(|cell| self.scan.grid.point(cell)).collect();
        Judgement::Whole(Judged { dead, confidence: (1.0 - doubt / PESSIMISM).min(SUREST) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::board::hash::split_mix;

    /// Random play that fills no eyes, to the end or not.
    pub(super) fn random_position(seed: u64, turns: usize) -> Position {
        let mut random = seed;
        let mut position = Position::new(BoardSize::standard());
        for turn in 0..turns {
            let number = split_mix(&mut random);
            let point = Point::new((number >> 8) as u8 % 19, (number >> 16) as u8 % 19);
            let color = Color::BOTH[turn % 2];
            let is_eye = position.neighbours(point).all(|near| position.stone(near) == Some(color));
            if position.stone(point).is_none() && !is_eye {
                position.play(color, point, &mut Vec::new());
            }
        }
        position
    }

    /// The position turned by half, with the colours exchanged.
    fn turned(position: &Position) -> Position {
        let mut turned = Position::new(position.size());
        let place = |point: Point| (turn(point), position.stone(point).map(Color::opponent));
        turned.place(position.size().iter().map(place));
        turned
    }

    fn turn(point: Point) -> Point {
        Point::new(18 - point.x(), 18 - point.y())
    }

    /// The odds of each stone, by the order of points.
    fn odds_of(position: &Position) -> Vec<f32> {
        let mut evaluation = Evaluation::new(position).unwrap();
        evaluation.first_pass();
        evaluation.second_pass();
        evaluation.third_pass();
        position.size().iter().map(|point| evaluation.odds[evaluation.scan.part_at(point)]).collect()
    }

    #[test]
    fn the_other_player_sees_the_same() {
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

    /// Walls of each colour across the board, and where asked for a stone of the other one behind them.
    fn halves(is_invaded: bool) -> Position {
        let mut position = Position::new(BoardSize::standard());
        for at in 0..19 {
            for (color, row) in [(Color::Black, 8), (Color::Black, 9), (Color::White, 10)] {
                position.place([(Point::new(at, row), Some(color))]);
            }
            if !(8..=10).contains(&at) {
                let color = if at < 9 { Color::Black } else { Color::White };
                position.place([(Point::new(9, at), Some(color))]);
            }
        }
        if is_invaded {
            position.place([(Point::new(4, 3), Some(Color::White)), (Point::new(14, 14), Some(Color::Black))]);
        }
        position
    }

    /// The verdict on a position that leaves no doubt.
    fn judge(position: &Position) -> Option<Judged> {
        match super::judge(position) {
            Judgement::Whole(judged) => Some(judged),
            _ => None,
        }
    }

    #[test]
    fn a_lone_stone_in_territory_is_dead() {
        assert_eq!(judge(&halves(false)).map(|judged| judged.dead), Some(vec![]));
        let judged = judge(&halves(true)).unwrap();
        assert_eq!(judged.dead, [Point::new(4, 3), Point::new(14, 14)]);
        assert!((0.9..1.0).contains(&judged.confidence));
    }

    #[test]
    fn what_is_open_in_doubt_or_of_another_size_is_not_decided() {
        assert_eq!(judge(&random_position(1, 60)), None);
        assert_eq!(judge(&Position::new(BoardSize::square(9).unwrap())), None);
        let mut open = halves(false);
        [8, 9, 10].into_iter().for_each(|y| open.take_off(Point::new(4, y)));
        assert_eq!(judge(&open), None);
        let mut early = Position::new(BoardSize::standard());
        early.place([(Point::new(3, 3), Some(Color::Black))]);
        assert_eq!(judge(&early), None);
    }
}
