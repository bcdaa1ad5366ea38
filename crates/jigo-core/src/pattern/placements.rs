//! Matches of patterns that cover a part of the board.
//!
//! A placement is a view of the pattern at a corner. It can only match if each of its stones is
//! placed at some time in the game, which one pass over the rows of the board decides for all
//! placements, and if its empty points can still be empty then. The remaining placements, usually
//! few, count the points that do not yet satisfy their condition, while the changes of the game
//! pass by.

use jigo_rules::board::{BoardSize, Point, PointSet};
use jigo_rules::budget::Budget;

use super::match_collector::MatchCollector;
use super::pattern_search::ViewedPattern;
use super::pattern_shape::PatternPoint;
use super::timeline::{GamePosition, MatchEnd, Timeline};

/// The number of placements that one walk through the game observes, one bit for each.
const PLACEMENTS_AT_ONCE: usize = u64::BITS as usize;

/// A view of the pattern at a corner.
#[derive(Clone, Copy)]
struct Placement {
    /// The index of the view.
    view: usize,
    corner: Point,
    /// The number of points that do not satisfy their condition.
    mismatches: u16,
    /// The position since which the placement matches.
    matches_since: Option<GamePosition>,
}

/// Memory for the search in one game, reused by the next one.
#[derive(Default)]
pub(super) struct PlacementSearch {
    placements: Vec<Placement>,
    first_stones: FirstStones,
    /// For each cell of the grid, the observing placements.
    observers: Vec<u64>,
}

impl PlacementSearch {
    /// Finds all matches of the views and adds them to `collector`.
    pub(super) fn search(
        &mut self,
        views: &[ViewedPattern],
        size: BoardSize,
        timeline: &Timeline,
        budget: &Budget,
        collector: &mut MatchCollector,
    ) {
        let cells = Point::new(size.width() - 1, size.height() - 1).cell() + 1;
        self.first_stones.read(timeline, collector.last_turn, cells);
        self.find_placements(views, size);
        self.observers.resize(cells, 0);
        let mut placements = std::mem::take(&mut self.placements);
        for (chunk, first) in placements.chunks_mut(PLACEMENTS_AT_ONCE).zip((0..).step_by(PLACEMENTS_AT_ONCE)) {
            if budget.is_spent() {
                break;
            }
            let mut walk = PlacementWalk { views, placements: chunk, first, observers: &mut self.observers, collector };
            walk.observe();
            walk.walk(timeline);
        }
        self.placements = placements;
    }

    /// Lists the placements that can match at some time, in the order of views and points.
    fn find_placements(&mut self, views: &[ViewedPattern], size: BoardSize) {
        self.placements.clear();
        for (view, viewed) in views.iter().enumerate() {
            let Some([columns, rows]) = viewed.corners(size) else { continue };
            let all_columns = ((1_u64 << (columns.end() - columns.start() + 1)) - 1) << columns.start();
            for y in rows {
                let mut corners = all_columns;
                for (point, color) in &viewed.stones {
                    let row = self.first_stones.points[color.index()].row(usize::from(y + point.y() + 1));
                    // Bit 0 of a row is the border.
                    corners &= row >> (point.x() + 1);
                    if corners == 0 {
                        break;
                    }
                }
                while corners != 0 {
                    let corner = Point::new(corners.trailing_zeros() as u8, y);
                    if self.first_stones.allow(viewed, corner) {
                        self.placements.push(Placement { view, corner, mismatches: 0, matches_since: None });
                    }
                    corners &= corners - 1;
                }
            }
        }
    }
}

/// When each point of a game first has a stone of each colour, and whether it loses one.
#[derive(Default)]
struct FirstStones {
    /// The points on which each colour places a stone, Black first.
    points: [PointSet; 2],
    /// The points from which a stone is removed.
    removed: PointSet,
    /// For each colour and cell, the position with the first stone, if `points` has the cell.
    positions: [Vec<u32>; 2],
}

impl FirstStones {
    /// Reads the positions up to a turn, on a board whose cells are below `cells`.
    fn read(&mut self, timeline: &Timeline, last_turn: u32, cells: usize) {
        (self.points, self.removed) = ([PointSet::EMPTY; 2], PointSet::EMPTY);
        self.positions.iter_mut().for_each(|positions| positions.resize(cells, 0));
        for (index, position) in timeline.positions.iter().enumerate() {
            if position.turn > last_turn {
                break;
            }
            for change in timeline.changes(index) {
                match change.after {
                    Some(color) => {
                        if self.points[color.index()].insert(change.point) {
                            self.positions[color.index()][change.point.cell()] = index as u32;
                        }
                    }
                    None => _ = self.removed.insert(change.point),
                }
            }
        }
    }

    /// Returns false if some point that must be empty has a stone that stays, when the last stone
    /// of the pattern is placed.
    fn allow(&self, viewed: &ViewedPattern, corner: Point) -> bool {
        let position = |color: usize, point: Point| self.positions[color][point.cell()];
        let placed = viewed.stones.iter().map(|(point, color)| position(color.index(), point_at(corner, *point)));
        let Some(complete) = placed.max() else { return true };
        viewed.empty_points.iter().map(|point| point_at(corner, *point)).all(|point| {
            let is_filled = |color: usize| self.points[color].contains(point) && position(color, point) <= complete;
            self.removed.contains(point) || !is_filled(0) && !is_filled(1)
        })
    }
}

/// A walk through the changes of a game for some placements.
struct PlacementWalk<'a, 'c> {
    views: &'a [ViewedPattern],
    placements: &'a mut [Placement],
    /// The index of the first placement among all placements of the search.
    first: usize,
    observers: &'a mut [u64],
    collector: &'a mut MatchCollector<'c>,
}

impl PlacementWalk<'_, '_> {
    /// Lets each placement observe its points, and counts the points that an empty board does not
    /// satisfy.
    fn observe(&mut self) {
        self.observers.fill(0);
        for (index, placement) in self.placements.iter_mut().enumerate() {
            for (point, condition) in self.views[placement.view].pattern.iter() {
                if condition != PatternPoint::Any {
                    self.observers[point_at(placement.corner, point).cell()] |= 1 << index;
                    placement.mismatches += u16::from(!condition.accepts(None));
                }
            }
        }
    }

    fn walk(&mut self, timeline: &Timeline) {
        let mut changed = u64::MAX >> (PLACEMENTS_AT_ONCE - self.placements.len());
        let mut end = MatchEnd { turn: timeline.last_turn, is_by_setup: false };
        for (index, position) in timeline.positions.iter().enumerate() {
            if position.turn > self.collector.last_turn {
                end = MatchEnd::before(position);
                break;
            }
            for change in timeline.changes(index) {
                let mut observers = self.observers[change.point.cell()];
                changed |= observers;
                while observers != 0 {
                    let placement = &mut self.placements[observers.trailing_zeros() as usize];
                    let pattern = &self.views[placement.view].pattern;
                    let (x, y) = (change.point.x() - placement.corner.x(), change.point.y() - placement.corner.y());
                    let condition = pattern.point(Point::new(x, y)).unwrap_or(PatternPoint::Any);
                    placement.mismatches += u16::from(condition.accepts(change.before));
                    placement.mismatches -= u16::from(condition.accepts(change.after));
                    observers &= observers - 1;
                }
            }
            while changed != 0 {
                self.update(changed.trailing_zeros() as usize, position);
                changed &= changed - 1;
            }
        }
        for index in 0..self.placements.len() {
            if let Some(since) = self.placements[index].matches_since.take() {
                self.add(index, since, end);
            }
        }
    }

    /// Notes the start or the end of a match at this position.
    fn update(&mut self, index: usize, position: &GamePosition) {
        let placement = &mut self.placements[index];
        match (placement.matches_since, placement.mismatches) {
            (None, 0) => {
                placement.matches_since = Some(*position);
                self.collector.note_start(position);
            }
            (Some(since), 1..) => {
                placement.matches_since = None;
                self.add(index, since, MatchEnd::before(position));
            }
            _ => {}
        }
    }

    fn add(&mut self, index: usize, since: GamePosition, end: MatchEnd) {
        let Placement { view, corner, .. } = self.placements[index];
        self.collector.add(&self.views[view], (self.first + index, corner), since, end);
    }
}

/// Returns the point of the board under a point of a pattern.
fn point_at(corner: Point, point: Point) -> Point {
    Point::new(corner.x() + point.x(), corner.y() + point.y())
}
