//! The number of eyes that a space gives to the colour around it, judged by its shape.
//!
//! The criteria and their numbers are those of lightvector/goscorer (`mark_eye_values`), a rule of
//! thumb without reading. A space that needs an answer counts in favour of its owner, and players
//! who disagree can play it out.

use super::cell_set::CellSet;
use super::grid::Grid;
use crate::shape::territory::FloodedTerritory;
use jigo_rules::board::Color;

/// The facts about the board that are shared by all eyes of one colour.
pub(crate) struct EyeContext<'a, const W: usize> {
    grid: &'a Grid<W>,
    empty: CellSet<W>,
    /// Dead stones of the opponent.
    dead: CellSet<W>,
    /// All points without opposing stones.
    clear: CellSet<W>,
    /// False eyes of the owner.
    false_eye: CellSet<W>,
}

impl<'a, const W: usize> EyeContext<'a, W> {
    pub(crate) fn new(
        grid: &'a Grid<W>,
        flooded: &FloodedTerritory<CellSet<W>>,
        owner: Color,
        false_eye: CellSet<W>,
    ) -> EyeContext<'a, W> {
        let opponent = owner.opponent().index();
        let dead = flooded.dead[opponent];
        let clear = grid.board.without(&flooded.stones[opponent]).without(&dead);
        EyeContext { grid, empty: flooded.empty(), dead, clear, false_eye }
    }
}

/// An eye: a connected space of empty points and dead stones.
pub(crate) struct Eye<'a, const W: usize> {
    context: &'a EyeContext<'a, W>,
    /// Points that are not false.
    points: CellSet<W>,
    empty: CellSet<W>,
    dead: CellSet<W>,
    /// Dead stones on false points.
    throw_ins: CellSet<W>,
    /// Points that are not closed yet: the owner needs at least one move.
    open_points: CellSet<W>,
    /// Points that one move does not close.
    wide_open_points: CellSet<W>,
    /// Points where the owner can play.
    playable: CellSet<W>,
}

impl<'a, const W: usize> Eye<'a, W> {
    pub(crate) fn new(context: &'a EyeContext<'a, W>, points: &CellSet<W>) -> Eye<'a, W> {
        let grid = context.grid;
        let real_points = points.without(&context.false_eye);
        let thrown_in = points.intersection(&context.false_eye).intersection(&context.dead);
        let (open_points, wide_open_points) = open_to_opponent(context, &real_points, &thrown_in);
        let chains = grid.parts(points.intersection(&context.dead));
        let in_atari = chains.filter(|chain| grid.adjacent(chain, 1).intersection(&context.empty).len() <= 1);
        let legal_beside = in_atari.fold(context.clear, |all, chain| all.union(&chain));
        let empty = real_points.intersection(&context.empty);
        Eye {
            context,
            points: real_points,
            empty,
            dead: real_points.intersection(&context.dead),
            throw_ins: thrown_in,
            open_points,
            wide_open_points,
            playable: empty.intersection(&grid.adjacent(&legal_beside, 1)),
        }
    }

    /// Returns 0, 1, or 2 for two or more eyes.
    pub(crate) fn value(&self) -> u32 {
        const DEAD_STONES_FOR_ONE_EYE: u32 = 5;
        let has_two_eyes =
            self.is_roomy() || self.has_bottleneck() || self.has_double_bottleneck() || self.lives_by_capture();
        if has_two_eyes {
            2
        } else {
            u32::from(self.points != self.wide_open_points || self.dead.len() >= DEAD_STONES_FOR_ONE_EYE)
        }
    }

    /// Returns true if the space or its number of dead stones is so large that the shape does not
    /// matter.
    fn is_roomy(&self) -> bool {
        const ROOM: u32 = 6;
        const OPEN_ROOM: u32 = 6;
        const DEAD_STONES_FOR_TWO_EYES: u32 = 8;
        let neighbours = |count| self.context.grid.adjacent(&self.points, count);
        let in_the_way = self.dead.intersection(&neighbours(2)).len();
        let inner_points = |count| self.empty.intersection(&neighbours(count)).len();
        self.points.len() >= ROOM + self.open_points.len() + self.wide_open_points.len() + in_the_way
            || inner_points(3) + inner_points(4) >= OPEN_ROOM
            || self.dead.len() >= DEAD_STONES_FOR_TWO_EYES
    }

    /// Returns true if one stone divides the space into two parts with a closed point each.
    fn has_bottleneck(&self) -> bool {
        let grid = self.context.grid;
        let beside_one_throw_in = grid.adjacent(&self.throw_ins, 1).without(&grid.adjacent(&self.throw_ins, 2));
        // The space is connected, so a point with fewer than two neighbours divides nothing.
        self.playable.intersection(&grid.adjacent(&self.points, 2)).iter().any(|point| {
            // The dividing stone also closes the points that the throw-in threatens to open.
            let open_points =
                if beside_one_throw_in.contains(point) { &self.wide_open_points } else { &self.open_points };
            let other_points = self.points.without(&CellSet::from_iter([point]));
            grid.parts(other_points).filter(|part| !part.without(open_points).is_empty()).nth(1).is_some()
        })
    }

    /// Returns true if two neighbouring points divide the space in two.
    ///
    /// The opponent can take either of them; the owner then takes the other.
    fn has_double_bottleneck(&self) -> bool {
        let grid = self.context.grid;
        let crossings = self.points.intersection(&grid.adjacent(&self.points, 3)).without(&self.wide_open_points);
        let not_on_edge = grid.adjacent(&grid.board, 4);
        let has_room = self.empty.union(&grid.adjacent(&self.empty, 2));
        crossings.intersection(&self.playable).intersection(&not_on_edge).iter().any(|first| {
            let first = CellSet::from_iter([first]);
            let others = grid.adjacent(&first, 1).intersection(&crossings).intersection(&has_room);
            others.iter().any(|second| {
                let other_points = self.points.without(&first).without(&CellSet::from_iter([second]));
                let closed: Vec<u32> =
                    grid.parts(other_points).map(|part| part.without(&self.open_points).len()).collect();
                let parts_with = |points| closed.iter().filter(|&&closed| closed >= points).count();
                let required = if self.empty.contains(second) { 1 } else { 2 };
                parts_with(1) >= 2 && parts_with(2) >= required
            })
        })
    }

    /// Returns true if capturing the dead stones leaves space for two eyes.
    ///
    /// It does not if they fill a shape with a vital point. Points on which the owner cannot play
    /// until the capture belong to that shape. The opponent can still fill all of these points but
    /// one.
    fn lives_by_capture(&self) -> bool {
        if self.dead.is_empty() {
            return false;
        }
        let blocked = self.points.without(&self.dead).without(&self.playable);
        let shape = self.dead.union(&blocked);
        let has_room = |shape: &CellSet<W>| has_room_for_two(self.context.grid, shape, self.throw_ins.len() as usize);
        has_room(&shape) && blocked.iter().all(|point| has_room(&shape.without(&CellSet::from_iter([point]))))
    }
}

/// Returns the points of an eye that need at least one move to close, and those that need more.
///
/// A side is open if the opponent can enter there: at a false point, a gap, or a point threatened
/// by a throw-in. A side with a dead stone connected to a throw-in cannot be closed.
fn open_to_opponent<const W: usize>(
    context: &EyeContext<W>,
    real_points: &CellSet<W>,
    thrown_in: &CellSet<W>,
) -> (CellSet<W>, CellSet<W>) {
    let adjacent = |set: &CellSet<W>, count| context.grid.adjacent(set, count);
    let entries = context.empty.intersection(&context.false_eye);
    let dead = real_points.intersection(&context.dead);
    // With two entries, the opponent can use one of them.
    let linked_dead = dead.intersection(&adjacent(thrown_in, 1).union(&adjacent(&entries, 2)));
    let unusable = thrown_in.union(&linked_dead);
    let threatened = real_points.intersection(&context.empty).intersection(&adjacent(thrown_in, 1));
    let entered_dead = dead.intersection(&adjacent(&entries, 1)).without(&unusable);
    let sides = context.empty.without(real_points).union(&threatened).union(&entered_dead);
    let in_eye = |points: CellSet<W>| real_points.intersection(&points);
    (in_eye(adjacent(&sides.union(&unusable), 1)), in_eye(adjacent(&sides, 2).union(&adjacent(&unusable, 1))))
}

/// Returns true if a space of this shape makes two eyes after the opponent plays first. Each
/// throw-in costs one eye.
fn has_room_for_two<const W: usize>(grid: &Grid<W>, shape: &CellSet<W>, throw_ins: usize) -> bool {
    const LARGEST_WITH_A_VITAL_POINT: u32 = 6;
    let parts = |set: CellSet<W>| grid.parts(set).count();
    let connected_parts = parts(*shape);
    let broad = grid.adjacent(shape, 3);
    let counts =
        |&point: &usize| broad.contains(point) || parts(shape.without(&CellSet::from_iter([point]))) > connected_parts;
    let vital = shape.iter().filter(counts).count() + usize::from(shape.len() > LARGEST_WITH_A_VITAL_POINT);
    connected_parts + vital / 2 >= 2 + throw_ins
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::Point;
    use jigo_rules::board::diagram::read;

    /// Returns the number of eyes of a drawn space, in which `.` is empty, `O` is a dead stone and
    /// some points are false.
    fn eyes_with_false(diagram: &str, false_eye: &[(u8, u8)]) -> u32 {
        let position = read(diagram).unwrap();
        let dead = position.points_with(Some(Color::White));
        let grid = Grid::<2>::new(position.size());
        let flooded = FloodedTerritory::on(&grid, &position, &dead.iter().collect::<Vec<_>>());
        let false_eye: Vec<Point> = false_eye.iter().map(|&(x, y)| Point::new(x, y)).collect();
        let context = EyeContext::new(&grid, &flooded, Color::Black, grid.cells(&false_eye));
        Eye::new(&context, &grid.cell_set(&dead.union(&position.points_with(None)))).value()
    }

    fn eyes(diagram: &str) -> u32 {
        eyes_with_false(diagram, &[])
    }

    #[test]
    fn divisible_space_is_two_eyes() {
        assert_eq!(eyes("X . . . . X"), 2);
        assert_eq!(eyes(". . X\n. . X"), 1);
        assert_eq!(eyes("X . . X"), 1);
        assert_eq!(eyes("X X X X X\nX . . . X\nX . . . X\nX X X X X"), 2);
    }

    #[test]
    fn dead_stone_on_the_vital_point_leaves_one_eye() {
        assert_eq!(eyes("X . . . X"), 2);
        assert_eq!(eyes("X . O . X"), 1);
        assert_eq!(eyes(". O O\nO O O"), 1);
        assert_eq!(eyes(". O O O O ."), 2);
    }

    #[test]
    fn many_dead_stones_are_two_eyes_in_any_shape() {
        assert_eq!(eyes("X O O O . X\nX O O O O X"), 2);
        assert_eq!(eyes("O O O O . X\nO O O O X X"), 2);
    }

    #[test]
    fn false_point_lets_the_opponent_in() {
        assert_eq!(eyes_with_false("X . . . . X", &[(4, 0)]), 1);
        assert_eq!(eyes_with_false("X . . . . X", &[]), 2);
        assert_eq!(eyes_with_false("X . X", &[(1, 0)]), 0);
        assert_eq!(eyes_with_false("X O . X", &[(1, 0)]), 0);
    }
}
