//! Dead stones as a record marks them with TB and TW.
//!
//! The standard lets TB and TW mean territory or area, and programs differ. KGS marks the points
//! under dead stones, GNU Go marks only empty points. An opposing stone on a marked point is dead
//! in both readings. An opposing chain is also dead if all its liberties are marked, because no
//! point of territory touches a living stone of the opponent.

use crate::shape::territory::flood_territory;
use jigo_rules::board::{Color, MarkedTerritory, Point, PointSet, Position};

/// The share of empty points that marks may omit, as a divisor of the board's points. Marks that
/// omit more describe only a part of the board.
const UNMARKED_SHARE: usize = 8;
/// The number of points that may be unmarked even on the smallest board: dame and the eyes of a
/// seki.
const FEW_UNMARKED: usize = 4;
/// The number of territory points that a player without any mark may have: the eyes of a seki.
const EYES_OF_A_SEKI: usize = 2;

/// Returns the marked dead stones, sorted. `None` if the marks contradict the board or cover only a
/// part of it.
///
/// Marks agree with the board if every marked empty point is territory of its colour after the
/// removal of the dead stones. They are complete if they cover both players' territory. A single
/// mark of a lesson covers a part of it and says nothing about unmarked stones.
pub(super) fn marked_dead_stones(position: &Position, markup: &MarkedTerritory) -> Option<Vec<Point>> {
    let marks = Marks::new(position, markup);
    if !marks.cover_board(position) { None } else { marks.confirmed_dead(position) }
}

/// The final position exactly as TB and TW mark it: marked points are territory, no others are.
///
/// Unlike the ending that the source `markup` decides, it may contradict the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedEnding {
    /// The dead stones, sorted.
    pub dead: Vec<Point>,
    /// Marked empty points, and the points of the opponent's dead stones. Black first.
    pub territory: [PointSet; 2],
    /// True if the marks cover most of the board. Otherwise they may be those of a lesson.
    pub is_complete: bool,
}

impl MarkedEnding {
    /// Returns the ending that a record marks. `None` without marks on the board, if a chain is
    /// marked for both players, or if jigo wrote the marks.
    pub fn new(position: &Position, markup: &MarkedTerritory) -> Option<MarkedEnding> {
        if markup.is_counted || !markup.is_on_board(position.size()) {
            return None;
        }
        let marks = Marks::new(position, markup);
        let explicit = || marks.dead(position, DeadMarks::Explicit);
        let dead = marks.confirmed_dead(position).or_else(explicit)?;
        let territory = Color::BOTH.map(|color| {
            let captured = dead.iter().filter(|point| position.stone(**point) == Some(color.opponent()));
            marks.empty[color.index()].union(&captured.copied().collect())
        });
        let is_complete =
            marks.cover_board(position) && marks.are_complete(&flood_territory(position, &dead).territory);
        Some(MarkedEnding { dead, territory, is_complete })
    }
}

/// The marks that make a chain dead.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DeadMarks {
    /// A mark of the opponent on one of its stones.
    Explicit,
    /// The same, or marks of the opponent on all its liberties.
    Inferred,
}

/// Marks of a record on its board. Arrays hold Black's first.
struct Marks {
    /// Marked points with a stone.
    stones: [PointSet; 2],
    /// Marked empty points.
    empty: [PointSet; 2],
    /// All empty points.
    empty_points: PointSet,
    /// The number of empty points without a mark.
    unmarked: usize,
}

impl Marks {
    fn new(position: &Position, markup: &MarkedTerritory) -> Marks {
        let mut marked = [&markup.black, &markup.white].map(|points| {
            let on_board = points.iter().filter(|point| position.size().contains(**point));
            on_board.copied().collect::<PointSet>()
        });
        // A point with marks for both players has no meaning.
        let in_both = marked[0].intersection(&marked[1]);
        marked = marked.map(|points| points.without(&in_both));
        let empty_points = position.points_with(None);
        let empty = marked.map(|points| points.intersection(&empty_points));
        let unmarked = empty_points.without(&empty[0]).without(&empty[1]).len();
        Marks { stones: marked.map(|points| points.without(&empty_points)), empty, empty_points, unmarked }
    }

    /// Returns true if few empty points of the board are unmarked.
    fn cover_board(&self, position: &Position) -> bool {
        self.unmarked <= FEW_UNMARKED.max(position.size().points() / UNMARKED_SHARE)
    }

    /// Returns the dead stones with which the marks are complete and agree with the board.
    fn confirmed_dead(&self, position: &Position) -> Option<Vec<Point>> {
        let is_confirmed = |dead: &Vec<Point>| {
            let territory = flood_territory(position, dead).territory;
            Color::BOTH.iter().all(|color| self.empty[color.index()].without(&territory[color.index()]).is_empty())
                && self.are_complete(&territory)
        };
        let marked = self.dead(position, DeadMarks::Explicit)?;
        let inferred = self.dead(position, DeadMarks::Inferred)?;
        [inferred, marked].into_iter().find(is_confirmed)
    }

    /// Returns true if the marks cover most points of both players' territory.
    fn are_complete(&self, territory: &[PointSet; 2]) -> bool {
        let marked = [0, 1].map(|color: usize| self.empty[color].len() + self.stones[color].len());
        let missing = [0, 1]
            .map(|color: usize| territory[color].intersection(&self.empty_points).without(&self.empty[color]).len());
        let covers_player = |color: usize| marked[color] > 0 || missing[color] <= EYES_OF_A_SEKI;
        covers_player(0) && covers_player(1) && 2 * missing.iter().sum::<usize>() <= marked.iter().sum()
    }

    /// Returns the dead stones, sorted. `None` if a chain is marked for both players.
    fn dead(&self, position: &Position, dead_marks: DeadMarks) -> Option<Vec<Point>> {
        let mut dead = Vec::new();
        let mut seen = PointSet::EMPTY;
        for point in position.size().iter() {
            let Some(color) = position.stone(point).filter(|_| !seen.contains(point)) else { continue };
            let (color_index, opponent) = (color.index(), color.opponent().index());
            let chain: PointSet = position.chain(point).collect();
            seen = seen.union(&chain);
            let adjacent: PointSet = chain.iter().flat_map(|stone| position.neighbours(stone)).collect();
            let is_captured = chain.intersects(&self.stones[opponent]);
            if is_captured && chain.intersects(&self.stones[color_index]) {
                return None;
            }
            let liberties = adjacent.intersection(&self.empty_points);
            let is_enclosed = !liberties.is_empty()
                && liberties.without(&self.empty[opponent]).is_empty()
                && !chain.intersects(&self.stones[color_index]);
            if is_captured || dead_marks == DeadMarks::Inferred && is_enclosed {
                dead.extend(chain.iter());
            }
        }
        dead.sort_unstable();
        Some(dead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::diagram::read;

    /// Returns the dead stones of a diagram by marks in the same form: `b` and `w` are TB and TW.
    fn dead(board: &str, marks: &str) -> Option<Vec<Point>> {
        let position = read(board).unwrap();
        marked_dead_stones(&position, &markup(&position, marks))
    }

    fn markup(position: &Position, marks: &str) -> MarkedTerritory {
        let signs: Vec<char> = marks.chars().filter(|sign| !sign.is_whitespace()).collect();
        let of = |sign: char| {
            let marked = position.size().iter().zip(&signs).filter(|(_, sign_at)| **sign_at == sign);
            marked.map(|(point, _)| point).collect()
        };
        MarkedTerritory { black: of('b'), white: of('w'), is_counted: false }
    }

    /// Returns the number of dead stones and the territory of both players by the marks alone.
    fn literal(board: &str, marks: &str) -> Option<(usize, [usize; 2], bool)> {
        let position = read(board).unwrap();
        let marked = MarkedEnding::new(&position, &markup(&position, marks))?;
        Some((marked.dead.len(), marked.territory.map(|points| points.len()), marked.is_complete))
    }

    #[test]
    fn marks_are_counted_as_they_are() {
        const WALLS: &str = ". X . O .\n. X . O .";
        assert_eq!(literal(WALLS, "b X . O w\nb X . O w"), Some((0, [2, 2], true)));
        assert_eq!(literal(WALLS, "b X b O w\nb X . O w"), Some((0, [3, 2], true)), "a dame is marked");
        assert_eq!(literal(WALLS, "b X . O w\n. X . O w"), Some((0, [1, 2], true)), "a point is omitted");
        assert_eq!(literal(WALLS, "b X . O .\nb X . O ."), Some((0, [2, 0], false)), "no point of White is marked");
        let of_white = literal(DEAD_IN_BOTH, ". . X . O w w\n. O X . O X w\n. O X O O w w\n. . X O w w w");
        assert_eq!(of_white, Some((1, [0, 9], false)));
        // Dead stones count whether they are marked or only enclosed by marks.
        let on_empty_points = "b b X . O w w\nb O X . O X w\nb O X O O w w\nb b X O w w w";
        assert_eq!(literal(DEAD_IN_BOTH, on_empty_points), Some((3, [8, 9], true)));
        assert_eq!(literal(WALLS, ". X . O .\n. X . O ."), None);
        assert_eq!(literal(". X X O .\n. X X O .", "b b w O w\nb X X O w"), None, "a chain marked for both");
    }

    const DEAD_IN_BOTH: &str = ". . X . O . .\n. O X . O X .\n. O X O O . .\n. . X O . . .";

    #[test]
    fn stone_in_marked_empty_points_is_dead() {
        let all = [(5, 1), (1, 1), (1, 2)].map(|(x, y)| Point::new(x, y));
        let mut all = all.to_vec();
        all.sort_unstable();
        let on_empty_points = "b b X . O w w\nb O X . O X w\nb O X O O w w\nb b X O w w w";
        assert_eq!(dead(DEAD_IN_BOTH, on_empty_points), Some(all.clone()));
        let under_stones = "b b X . O w w\nb b X . O w w\nb b X O O w w\nb b X O w w w";
        assert_eq!(dead(DEAD_IN_BOTH, under_stones), Some(all.clone()));
        let one_stone_of_a_chain = "b b X . O w w\nb b X . O X w\nb O X O O w w\nb b X O w w w";
        assert_eq!(dead(DEAD_IN_BOTH, one_stone_of_a_chain), Some(all));
    }

    #[test]
    fn own_stones_in_marked_area_live() {
        assert_eq!(dead(". X . O .\n. X . O .", "b b . w w\nb b . w w"), Some(Vec::new()));
    }

    #[test]
    fn groups_in_seki_next_to_unmarked_points_live() {
        let seki = ". X . O . X . .\nX X . O O X . .\nO O O X X X X X\n. O . X . . . .";
        let marks = ". X . O . X b b\nX X . O O X b b\nO O O X X X X X\n. O . X b b b b";
        assert_eq!(dead(seki, marks), None, "the unmarked eyes are too large a part of so small a board");
        let lower_rows = [". . . . . . . ."; 4].join("\n") + "\n";
        let marked = ["b b b b b b b b"; 4].join("\n") + "\n";
        assert_eq!(
            dead(&(lower_rows + "X X X X X X X X\n" + seki), &(marked + "X X X X X X X X\n" + marks)),
            Some(Vec::new())
        );
    }

    #[test]
    fn marks_that_contradict_the_board_name_no_dead_stones() {
        // The wall of White has a gap, and a point in it is marked for Black.
        let open = ". . X . . O . .\n. . X . . O . .\n. . X . . . . .\n. . X . . O . .";
        assert_eq!(dead(open, "b b X b b O w w\nb b X b b O w w\nb b X b b w w w\nb b X b b O w w"), None);
        // White's only wall would be dead next to Black's points.
        assert_eq!(dead(". X . O .\n. X . O .", "b X b O .\nb X b O ."), None);
        assert_eq!(dead(". X X O .\n. X X O .", "b b w O w\nb X X O w"), None, "a chain marked for both");
    }

    #[test]
    fn marks_on_a_part_of_the_board_name_no_dead_stones() {
        assert_eq!(dead(DEAD_IN_BOTH, ". . X . O w w\n. O X . O X w\n. O X O O w w\n. . X O w w w"), None);
    }
}
