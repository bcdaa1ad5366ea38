//! A search: a pattern with its views, and the turns and colours to search.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use jigo_rules::board::{BoardSize, Color, Point};

use super::pattern_shape::{BoardPattern, PatternPoint};
use crate::similarity::View;

/// The options of a search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// True if the pattern also matches in its other symmetries.
    pub has_symmetries: bool,
    /// True if the pattern also matches with exchanged colours.
    pub swaps_colors: bool,
    /// The turns after which the pattern may match.
    pub turns: RangeInclusive<u32>,
    /// True if the next turn must be a play inside the pattern.
    pub needs_next_inside: bool,
    /// True if every match is returned instead of the first one of a game.
    pub returns_all: bool,
}

/// All symmetries and all turns; the first match of each game.
impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            has_symmetries: true,
            swaps_colors: false,
            turns: 0..=u32::MAX,
            needs_next_inside: false,
            returns_all: false,
        }
    }
}

/// The place of the next turn in the frame of the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NextPlace {
    /// A point of the pattern, whose top left point is `aa`.
    Inside(Point),
    /// A point outside the pattern.
    Elsewhere,
    /// A pass.
    Pass,
}

/// The turn after a match, as the pattern shows it: in its symmetry, with its colours.
///
/// If the pattern is symmetric, equivalent turns are equal: Black's comes before White's, and the
/// uppermost point comes first, then the rightmost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NextTurn {
    /// The player.
    pub color: Color,
    /// The place.
    pub place: NextPlace,
}

/// A match of a pattern in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternMatch {
    /// The first searched turn after which the pattern matches: B and W properties counted from 1,
    /// 0 for the initial position.
    pub turn: u32,
    /// The view of the pattern on the board of the game.
    pub view: View,
    /// The point of the board at the top left corner of the viewed pattern.
    pub corner: Point,
    /// The next turn of the game. `None` if there is none, or if it has no readable point.
    pub next: Option<NextTurn>,
    /// The variation with the match, as in the findings. Empty for the main line.
    pub variation: String,
}

/// A pattern in one view.
#[derive(Clone, Debug)]
pub(super) struct ViewedPattern {
    /// The view.
    pub view: View,
    /// The pattern in this view.
    pub pattern: BoardPattern,
    /// The points of the original pattern, in the order of the points of the viewed one.
    frame: Vec<Point>,
    /// The stones of the viewed pattern with their colours.
    pub stones: Vec<(Point, Color)>,
    /// The points of the viewed pattern that are empty.
    pub empty_points: Vec<Point>,
}

impl ViewedPattern {
    fn new(original: &BoardPattern, view: View) -> ViewedPattern {
        let pattern = original.in_view(view);
        let mut frame: Vec<(Point, Point)> =
            original.size().iter().map(|point| (original.place_in(view, point), point)).collect();
        frame.sort_unstable();
        let stones: Vec<(Point, Color)> = pattern
            .iter()
            .filter_map(|(point, condition)| match condition {
                PatternPoint::Stone(color) => Some((point, color)),
                _ => None,
            })
            .collect();
        let is_empty = |condition: PatternPoint| matches!(condition, PatternPoint::Empty | PatternPoint::NextTurn);
        let empty_points =
            pattern.iter().filter(|(_, condition)| is_empty(*condition)).map(|(point, _)| point).collect();
        let frame = frame.into_iter().map(|(_, point)| point).collect();
        ViewedPattern { view, pattern, frame, stones, empty_points }
    }

    /// Returns the possible columns and rows of the top left corner on a board of this size.
    pub(super) fn corners(&self, size: BoardSize) -> Option<[RangeInclusive<u8>; 2]> {
        let (part, borders) = (self.pattern.size(), self.pattern.borders());
        let columns = places(part.width(), size.width(), borders.left, borders.right)?;
        let rows = places(part.height(), size.height(), borders.top, borders.bottom)?;
        Some([columns, rows])
    }

    /// Returns the point of the original pattern that lies on a point of the board, if any.
    pub(super) fn original_point(&self, corner: Point, point: Point) -> Option<Point> {
        let x = point.x().checked_sub(corner.x())?;
        let y = point.y().checked_sub(corner.y())?;
        let (size, point) = (self.pattern.size(), Point::new(x, y));
        size.contains(point).then(|| self.frame[size.index(point)])
    }
}

/// Returns the places of a part on a line of the board, given its borders at the start and the end.
fn places(part: u8, whole: u8, at_start: bool, at_end: bool) -> Option<RangeInclusive<u8>> {
    let last = whole.checked_sub(part)?;
    match (at_start, at_end) {
        (true, true) => (last == 0).then_some(0..=0),
        (true, false) => Some(0..=0),
        (false, true) => Some(last..=last),
        (false, false) => Some(0..=last),
    }
}

/// A pattern with everything that a search needs, computed once.
#[derive(Clone, Debug)]
pub struct PatternSearch {
    pattern: BoardPattern,
    options: SearchOptions,
    /// The different views of the pattern, the identity first.
    pub(super) views: Vec<ViewedPattern>,
    /// The views, without the identity, that do not change the pattern.
    own_symmetries: Vec<View>,
}

impl PatternSearch {
    /// Prepares a search.
    pub fn new(pattern: BoardPattern, options: SearchOptions) -> PatternSearch {
        let mut views: Vec<ViewedPattern> = Vec::new();
        let mut own_symmetries = Vec::new();
        let is_searched = |view: &View| {
            (options.has_symmetries || view.symmetry.number() == 0) && (options.swaps_colors || !view.colors_swapped)
        };
        for view in View::all().filter(is_searched) {
            let viewed = ViewedPattern::new(&pattern, view);
            if viewed.pattern == pattern && !view.is_identity() {
                own_symmetries.push(view);
            }
            if views.iter().all(|earlier| earlier.pattern != viewed.pattern) {
                views.push(viewed);
            }
        }
        PatternSearch { pattern, options, views, own_symmetries }
    }

    /// Returns the pattern.
    pub fn pattern(&self) -> &BoardPattern {
        &self.pattern
    }

    /// Returns the options.
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// Returns true if the next turn decides whether a position matches.
    pub(super) fn needs_next(&self) -> bool {
        self.options.needs_next_inside || self.pattern.names_next_turn()
    }

    /// Returns true if the next turn satisfies the search.
    pub(super) fn accepts_next(&self, next: Option<NextTurn>) -> bool {
        let Some(NextTurn { place: NextPlace::Inside(point), .. }) = next else { return false };
        !self.pattern.names_next_turn() || self.pattern.point(point) == Some(PatternPoint::NextTurn)
    }

    /// Returns the first of the turns that are equivalent because the pattern is symmetric.
    pub(super) fn representative(&self, next: NextTurn) -> NextTurn {
        let in_view = |view: &View| NextTurn {
            color: if view.colors_swapped { next.color.opponent() } else { next.color },
            place: match next.place {
                NextPlace::Inside(point) => NextPlace::Inside(self.pattern.place_in(*view, point)),
                other => other,
            },
        };
        let order = |next: &NextTurn| {
            let place = match next.place {
                NextPlace::Inside(point) => (point.y(), Reverse(point.x())),
                NextPlace::Elsewhere | NextPlace::Pass => (0, Reverse(0)),
            };
            (next.color, place)
        };
        self.own_symmetries.iter().map(in_view).chain([next]).min_by_key(order).unwrap_or(next)
    }
}
