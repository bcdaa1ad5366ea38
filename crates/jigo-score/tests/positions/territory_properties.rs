//! Properties of the territory judgement for any position: it does not depend on the orientation of
//! the board or the colours, and no point counts twice.

use jigo_rules::board::{BoardSize, Color, Point, PointSet, Position};
use jigo_score::Counts;
use jigo_score::seki::{Territory, territory};
use proptest::prelude::*;

/// A finished position, with its dead stones.
#[derive(Clone, Debug)]
struct Final {
    size: BoardSize,
    stones: Vec<(Point, Color)>,
    dead: Vec<Point>,
}

impl Final {
    fn position(&self) -> Position {
        let mut position = Position::new(self.size);
        position.place(self.stones.iter().map(|&(point, color)| (point, Some(color))));
        position
    }

    fn judge(&self) -> Territory {
        territory(&self.position(), &self.dead)
    }

    fn in_view(&self, view: View) -> Final {
        let color = |color: Color| if view.swapped { color.opponent() } else { color };
        let point = |point| view.point(point, self.size);
        Final {
            size: view.size(self.size),
            stones: self.stones.iter().map(|&(at, stone)| (point(at), color(stone))).collect(),
            dead: self.dead.iter().map(|&at| point(at)).collect(),
        }
    }
}

/// A symmetry of the board, with or without exchanged colours.
#[derive(Clone, Copy, Debug)]
struct View {
    turn: u8,
    swapped: bool,
}

impl View {
    fn all() -> impl Iterator<Item = View> {
        (0..16).map(|view| View { turn: view % 8, swapped: view >= 8 })
    }

    fn size(self, size: BoardSize) -> BoardSize {
        let turned = BoardSize::new(size.height(), size.width());
        if self.turn & 4 == 0 { size } else { turned.unwrap_or(size) }
    }

    fn point(self, point: Point, size: BoardSize) -> Point {
        let x = if self.turn & 1 == 0 { point.x() } else { size.width() - 1 - point.x() };
        let y = if self.turn & 2 == 0 { point.y() } else { size.height() - 1 - point.y() };
        if self.turn & 4 == 0 { Point::new(x, y) } else { Point::new(y, x) }
    }

    fn set(self, set: &PointSet, size: BoardSize) -> PointSet {
        set.iter().map(|point| self.point(point, size)).collect()
    }

    fn pair(self, sets: &[PointSet; 2], size: BoardSize) -> [PointSet; 2] {
        let [black, white] = [0, 1].map(|side| self.set(&sets[side], size));
        if self.swapped { [white, black] } else { [black, white] }
    }
}

/// Returns a board filled by random players, with random chains called dead.
fn finals() -> impl Strategy<Value = Final> {
    (1u8..=9, 1u8..=9, 0usize..300).prop_flat_map(|(width, height, turns)| {
        let plays = proptest::collection::vec((0..width, 0..height), turns);
        let calls = proptest::collection::vec(0u8..5, usize::from(width) * usize::from(height));
        (plays, calls).prop_map(move |(plays, calls)| position_of_plays(width, height, &plays, &calls))
    })
}

fn position_of_plays(width: u8, height: u8, plays: &[(u8, u8)], calls: &[u8]) -> Final {
    let size = BoardSize::new(width, height).unwrap_or(BoardSize::standard());
    let mut position = Position::new(size);
    let mut color = Color::Black;
    for &(x, y) in plays {
        let point = Point::new(x, y);
        let is_eye = position.neighbours(point).all(|next| position.stone(next) == Some(color));
        if position.stone(point).is_none() && !is_eye {
            position.play(color, point, &mut Vec::new());
        }
        color = color.opponent();
    }
    let stones = size.iter().filter_map(|point| Some((point, position.stone(point)?))).collect();
    // Each chain has one call, at its first point.
    let is_called = |point: Point| {
        let first = position.chain(point).min();
        first.is_some_and(|first| calls[usize::from(first.y()) * usize::from(width) + usize::from(first.x())] == 0)
    };
    let dead = size.iter().filter(|&point| position.stone(point).is_some() && is_called(point)).collect();
    Final { size, stones, dead }
}

fn is_disjoint(sets: &[PointSet]) -> bool {
    let all = sets.iter().fold(PointSet::EMPTY, |all, set| all.union(set));
    all.len() == sets.iter().map(PointSet::len).sum::<usize>()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn symmetry_and_colour_swap_keep_the_judgement(ending in finals()) {
        let judged = ending.judge();
        for view in View::all() {
            let other = ending.in_view(view).judge();
            prop_assert_eq!(other.territory, view.pair(&judged.territory, ending.size), "{:?}", view);
            prop_assert_eq!(other.seki, view.pair(&judged.seki, ending.size), "{:?}", view);
            prop_assert_eq!(other.false_eye, view.set(&judged.false_eye, ending.size), "{:?}", view);
        }
    }

    #[test]
    fn points_count_once_for_the_surrounding_colour(ending in finals()) {
        let Territory { flooded, territory, seki, false_eye } = ending.judge();
        prop_assert!(is_disjoint(&[territory[0], territory[1], seki[0], seki[1]]));
        for color in Color::BOTH.map(Color::index) {
            prop_assert!(territory[color].without(&flooded.territory[color]).is_empty());
            prop_assert!(!seki[color].intersects(&flooded.stones[1 - color]));
        }
        prop_assert!(!flooded.stones.iter().any(|stones| false_eye.intersects(stones)));
    }

    #[test]
    fn open_gaps_only_add_points(ending in finals()) {
        let counts = Counts::from_position(&ending.position(), &ending.dead);
        for color in Color::BOTH.map(Color::index) {
            prop_assert!(counts.territory_outside_seki[color] <= counts.territory_with_open_gaps[color]);
            prop_assert!(counts.territory_with_open_gaps[color] <= counts.territory[color]);
        }
        for view in View::all() {
            let other = ending.in_view(view);
            let other = Counts::from_position(&other.position(), &other.dead).territory_with_open_gaps;
            prop_assert_eq!(other[usize::from(view.swapped)], counts.territory_with_open_gaps[0], "{:?}", view);
        }
    }

    #[test]
    fn every_dead_stone_is_counted_once(ending in finals()) {
        let judged = ending.judge();
        prop_assert!(is_disjoint(&[judged.flooded.dead[0], judged.flooded.dead[1]]));
        let counts = Counts::from_position(&ending.position(), &ending.dead);
        prop_assert_eq!(counts.dead.iter().sum::<u32>() as usize, ending.dead.len());
        prop_assert_eq!(counts.dead.map(|dead| dead as usize), judged.flooded.dead.map(|dead| dead.len()));
    }
}
