//! Problems: first positions, which are equal in any view and at any distance from a far edge.

use super::class::{Class, RecordComparison};
use super::header_sketch::{HeaderFields, HeaderSketch};
use super::sketch::{GameSketch, PackedTurn};
use super::symmetry::View;
use jigo_rules::board::{BoardSize, Color, Point};

/// The empty lines that are kept between the stones and an edge. More of them make no difference,
/// so a problem may be shifted, or on a larger board.
const EDGE_LINES: u8 = 4;

impl GameSketch {
    /// Reduces a game to the stones of its first position and the player to move.
    ///
    /// Beyond the nearest [`EDGE_LINES`] empty lines on each side of the stones the board is cut off.
    pub(crate) fn into_problem(self) -> GameSketch {
        let color = |turn: &PackedTurn| Color::BOTH.into_iter().find(|color| turn.is_of(*color));
        let stones = || self.setup.iter().filter_map(|stone| Some((color(stone)?, stone.point(self.size)?)));
        let (columns, width) = kept_lines(stones().map(|(_, point)| point.x()), self.size.width());
        let (rows, height) = kept_lines(stones().map(|(_, point)| point.y()), self.size.height());
        let shifted = |point: Point| Point::new(point.x() - columns, point.y() - rows);
        let mut setup: Vec<_> = stones().map(|(color, point)| PackedTurn::stone(Some(color), shifted(point))).collect();
        setup.sort_unstable();
        GameSketch {
            // Neither number is 0 or above that of the board.
            size: BoardSize::new(width, height).unwrap_or(self.size),
            setup,
            turns: vec![PackedTurn::first_player(self.turns.first().and_then(color))],
            clocks: Vec::new(),
            header: HeaderSketch { filled_fields: self.header.filled_fields, ..HeaderSketch::default() },
        }
    }

    /// Returns true if the sketch is only a first position, made by [`GameSketch::into_problem`].
    pub(super) fn is_problem(&self) -> bool {
        matches!(self.turns[..], [turn] if turn.is_first_player())
    }

    fn in_view(&self, view: View) -> (BoardSize, Vec<PackedTurn>, Vec<PackedTurn>) {
        let (width, height) = view.symmetry.size(self.size);
        let mapped = |turns: &[PackedTurn]| turns.iter().map(|turn| turn.in_view(view, self.size)).collect::<Vec<_>>();
        let mut setup = mapped(&self.setup);
        setup.sort_unstable();
        (BoardSize::new(width, height).unwrap_or(self.size), setup, mapped(&self.turns))
    }
}

/// Returns the first of the lines that are kept, and their number. `stones` are the lines of the
/// stones, from 0.
fn kept_lines(stones: impl Iterator<Item = u8> + Clone, length: u8) -> (u8, u8) {
    let (Some(first), Some(last)) = (stones.clone().min(), stones.max()) else { return (0, length) };
    let start = first.saturating_sub(EDGE_LINES);
    (start, length.min(last + 1 + EDGE_LINES) - start)
}

/// Compares two problems. Returns `None` if they differ or have no stones.
pub(super) fn compare_problems(
    first: &GameSketch,
    second: &GameSketch,
    is_same_text: bool,
) -> Option<RecordComparison> {
    if first.setup.is_empty() {
        return None;
    }
    let expected = (second.size, second.setup.clone(), second.turns.clone());
    let view = View::all().find(|view| first.in_view(*view) == expected)?;
    let class = match () {
        () if is_same_text => Class::Identical,
        () if view.is_identity() => Class::Same,
        () => Class::Symmetric,
    };
    Some(RecordComparison {
        class,
        view,
        common_turns: 0,
        edits: 0,
        is_cut: false,
        agreeing: HeaderFields::default(),
        conflicting: HeaderFields::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similarity::{SimilarityKeys, compare_records};
    use jigo_record::Reading;
    use jigo_record::sgf::Charset;
    use jigo_record::splitter::{Close, GameText};

    fn problem(sgf: &str) -> GameSketch {
        let text = GameText::single(sgf.as_bytes(), Close::Parenthesis, Charset::UTF8);
        GameSketch::from_record(&Reading::from_text(&text).record, sgf.as_bytes(), None).into_problem()
    }

    /// Returns the class and the view, and checks that equal problems, and only these, share a key.
    fn comparison(first: &str, second: &str) -> Option<(Class, String)> {
        let [first, second] = [first, second].map(problem);
        let found = compare_records(&first, &second, false);
        let key = |sketch: &GameSketch| SimilarityKeys::from_sketch(sketch, &[]).turns();
        assert_eq!(key(&first).is_some() && key(&first) == key(&second), found.is_some());
        let unpacked = GameSketch::unpack(&first.pack()).unwrap();
        assert_eq!(unpacked, first);
        found.map(|found| (found.class, found.view.to_string()))
    }

    const CORNER: &str = "(;SZ[19]AB[ba][bb]AW[ca][cb][ac];B[aa])";
    const SIDE: &str = "(;SZ[19]AB[ha][hb]AW[ga][ic];W[gb])";

    #[test]
    fn mirrored_and_swapped_problems_are_equal() {
        let symmetric = |view: &str| Some((Class::Symmetric, view.to_owned()));
        assert_eq!(comparison(CORNER, "(;SZ[19]AB[ba][bb]AW[ca][cb][ac];B[bc])"), Some((Class::Same, "none".into())));
        assert_eq!(comparison(CORNER, "(;SZ[19]AB[ra][rb]AW[qa][qb][sc];B[sa])"), symmetric("mirror-left-right"));
        assert_eq!(comparison(CORNER, "(;SZ[19]AW[ba][bb]AB[ca][cb][ac];W[aa])"), symmetric("none;colors-swapped"));
        for other in [
            "(;SZ[19]AB[ba][bb]AW[ca][cb][ac];W[aa])",
            "(;SZ[19]AB[ba][bb]AW[ca][cb][ad];B[aa])",
            "(;SZ[19]AW[ba][bb]AB[ca][cb][ac];B[aa])",
            "(;SZ[19]AB[ba][bb]AW[ca][cb][ac])",
        ] {
            assert_eq!(comparison(CORNER, other), None, "{other}");
        }
    }

    #[test]
    fn shift_is_free_only_away_from_edges() {
        let same = Some((Class::Same, "none".to_owned()));
        // Four empty lines are to the left of the stones at least.
        assert_eq!(comparison(SIDE, "(;SZ[19]AB[fa][fb]AW[ea][gc];W[ef])"), same);
        assert_eq!(comparison(SIDE, "(;SZ[13]AB[ga][gb]AW[fa][hc];W[eb])"), same);
        assert_eq!(comparison(SIDE, "(;SZ[19]AB[ea][eb]AW[da][fc];W[db])"), None);
        assert_eq!(comparison(SIDE, "(;SZ[19]AB[hb][hc]AW[gb][id];W[gc])"), None);
        assert_eq!(comparison(CORNER, "(;SZ[9]AB[ba][bb]AW[ca][cb][ac];B[aa])"), same);
        assert_eq!(comparison("(;SZ[19]AB[jj][jk];W[jl])", "(;SZ[19]AB[ff][fg];W[jl])"), same);
        // The empty board is not a problem.
        assert_eq!(comparison("(;SZ[19];B[jk])", "(;SZ[19];B[jk])"), None);
    }
}
