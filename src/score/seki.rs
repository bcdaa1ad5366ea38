//! Seki and false eyes: which points count as territory where eyes in seki do not.
//!
//! Japanese rules call living stones that have dame seki stones, and give points only to the others. By the letter, every
//! dame would have to be filled first. Records stop earlier, so this decides on shape: a group is in seki when the
//! eyes it has for sure are fewer than two, as it then lives only because the opponent cannot approach. A group is all
//! chains of a colour that hang together through points the colour can reach. A point of an eye is false when without it
//! the group falls into several parts that hold stones; chains in a ring have no such point, so their eyes are real.

use super::eye::EyeSpace;
use super::territory::{Flooded, flooded};
use crate::board::{BoardSize, Color, Point, PointSet, Position};

/// Whose every point is when eyes in seki and false eyes do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Territory {
    /// The count without regard to seki: area, and territory where eyes in seki count.
    pub flooded: Flooded,
    /// Territory, empty or below dead stones, outside seki and without points that have to be filled; Black's first.
    pub territory: [PointSet; 2],
    /// The stones of groups in seki and the points they enclose; Black's first.
    pub seki: [PointSet; 2],
    /// Points of eyes through which chains of one group are connected, or would be once they are filled.
    pub false_eye: PointSet,
}

/// Judges a finished position of which `dead` are all the dead stones.
pub fn territory(position: &Position, dead: &[Point]) -> Territory {
    let flooded = flooded(position, dead);
    let mut result =
        Territory { territory: flooded.territory, seki: [PointSet::EMPTY; 2], false_eye: PointSet::EMPTY, flooded };
    for color in Color::BOTH {
        let side = Side::new(&result.flooded, position.size(), color);
        for group in side.stones.union(&side.way).parts().filter(|group| group.meets(&side.stones)) {
            let judged = side.judge(&group);
            let own = &mut result.territory[color.index()];
            *own = own.without(&judged.to_fill);
            if judged.eyes < 2 {
                let held = group.intersection(&side.stones.union(&side.inside));
                *own = own.without(&held);
                result.seki[color.index()] = result.seki[color.index()].union(&held);
            }
            result.false_eye = result.false_eye.union(&judged.false_eye);
        }
    }
    result
}

/// One colour's view of the position.
struct Side<'a> {
    flooded: &'a Flooded,
    stones: PointSet,
    /// Dead stones of the opponent.
    dead: PointSet,
    /// Points without stones through which the colour can go on.
    way: PointSet,
    /// Points without stones that the opponent cannot reach.
    inside: PointSet,
}

struct Judged {
    eyes: u32,
    false_eye: PointSet,
    /// False eyes that are not worth a point: all but those with exactly one eye on every side, where neither side can
    /// be put into atari without a throw-in that is captured.
    to_fill: PointSet,
}

impl Side<'_> {
    fn new(flooded: &Flooded, size: BoardSize, color: Color) -> Side<'_> {
        let free = flooded.free();
        let shut = |color: Color| doors(&free, &flooded.stones[color.opponent().index()], size);
        let stones = flooded.stones[color.index()];
        let beside = |color: Color| flooded.stones[color.index()].grown().intersection(&free);
        // A stone beside a door gets into it before it is closed, and to what lies behind.
        let roam = |color: Color| beside(color).grown().flood(&free.without(&shut(color)));
        let other = color.opponent();
        let reached = beside(other).union(&roam(other)).grown();
        // Whoever stands in a door is connected with the dead stones behind it.
        let inside =
            free.without(&reached).without(&reached.intersection(&free).grown().flood(&flooded.dead[other.index()]));
        let roamed = roam(color);
        let entered = beside(color).intersection(&shut(color)).intersection(&roamed.grown());
        let dead = flooded.dead[other.index()];
        Side { flooded, stones, dead, way: roamed.union(&entered), inside }
    }

    /// Eyes and false eyes of a group: stones and the points between them.
    fn judge(&self, group: &PointSet) -> Judged {
        let spaces = self.spaces(group);
        let holders = self.stones.union(&self.dead);
        let cut = |point: Point| {
            let mut rest = *group;
            rest.remove(point);
            rest.parts().filter(|part| part.meets(&holders)).collect::<Vec<_>>()
        };
        let candidates = spaces.iter().flat_map(|space| space.points.iter());
        let cuts: Vec<(Point, Vec<PointSet>)> =
            candidates.map(|point| (point, cut(point))).filter(|(_, parts)| parts.len() > 1).collect();
        let false_eye: PointSet = cuts.iter().map(|&(point, _)| point).collect();
        let has_one_eye = |part: &PointSet| {
            let own = spaces.iter().filter(|space| space.real(&false_eye).meets(part));
            own.map(|space| space.eyes(&false_eye, &self.dead)).sum::<u32>() == 1
        };
        let to_fill: PointSet =
            cuts.iter().filter(|(_, parts)| !parts.iter().all(has_one_eye)).map(|&(point, _)| point).collect();
        // A stone thrown in has to be captured too, and the play that does so costs a second point.
        let thrown_in = to_fill.intersection(&self.dead);
        let second = thrown_in.iter().filter_map(|point| {
            let beside =
                PointSet::from_iter([point]).grown().intersection(&group.intersection(&self.inside)).without(&to_fill);
            let dead = beside.intersection(&self.dead).iter().next();
            dead.or_else(|| beside.iter().next())
        });
        let second: PointSet = second.collect();
        let eyes = spaces.iter().map(|space| space.eyes(&false_eye, &self.dead)).sum();
        Judged { eyes, false_eye, to_fill: to_fill.union(&second) }
    }

    fn spaces(&self, group: &PointSet) -> Vec<EyeSpace> {
        let free = self.flooded.free();
        let parts = group.intersection(&self.inside).parts();
        parts.map(|points| EyeSpace { points, gaps: points.grown().intersection(&free).without(&points) }).collect()
    }
}

/// The points between two stones, or a stone and the edge, in one line: whoever stands there can close the gap when the
/// opponent approaches, so the opponent gets as far as this point and no farther.
fn doors(free: &PointSet, stones: &PointSet, size: BoardSize) -> PointSet {
    let is_closed = |x: Option<u8>, y: Option<u8>| match (x, y) {
        (Some(x), Some(y)) if x < size.width() && y < size.height() => (stones.contains(Point::new(x, y)), false),
        _ => (false, true),
    };
    let closes = |one: (bool, bool), other: (bool, bool)| (one.0 && (other.0 || other.1)) || (one.1 && other.0);
    let is_door = |point: &Point| {
        let (x, y) = (point.x(), point.y());
        closes(is_closed(x.checked_sub(1), Some(y)), is_closed(Some(x + 1), Some(y)))
            || closes(is_closed(Some(x), y.checked_sub(1)), is_closed(Some(x), Some(y + 1)))
    };
    free.iter().filter(is_door).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::read;

    fn judge(diagram: &str, dead: &[(u8, u8)]) -> Territory {
        let dead: Vec<Point> = dead.iter().map(|&(x, y)| Point::new(x, y)).collect();
        territory(&read(diagram).unwrap(), &dead)
    }

    fn sizes(sets: [PointSet; 2]) -> [usize; 2] {
        sets.map(|set| set.len())
    }

    #[test]
    fn one_eye_each_and_a_dame_between_is_seki() {
        let judged = judge(". X . O .\nX X . O O", &[]);
        assert_eq!(sizes(judged.territory), [0, 0]);
        assert_eq!(sizes(judged.seki), [4, 4]);
        assert_eq!(sizes(judged.flooded.territory), [1, 1]);
    }

    #[test]
    fn two_eyes_beside_a_dame_are_territory() {
        let judged = judge(". X . O . O .\nX X . O O O O\n. X . O O O O", &[]);
        assert_eq!(sizes(judged.territory), [2, 2]);
        assert_eq!(sizes(judged.seki), [0, 0]);
    }

    #[test]
    fn an_eye_that_must_be_filled_to_connect_is_no_point() {
        let judged = judge(". X . X . X\n X X X O X .\n O O O . O O", &[]);
        assert!(judged.false_eye.contains(Point::new(4, 0)));
        assert!(!judged.territory[0].contains(Point::new(4, 0)));
    }

    #[test]
    fn a_ring_of_chains_makes_its_eyes_real() {
        let judged = judge(". X X .\nX O O X\nX O O X\n. X X .", &[]);
        assert!(judged.false_eye.is_empty());
        let cut = judge(". X X .\nX O O X\nX O O X\n. X X O", &[]);
        assert_eq!(cut.false_eye.len(), 3);
    }

    #[test]
    fn dead_stones_lie_on_the_captors_points() {
        let judged = judge(". . . X .\n. O . X X\n. . . X X", &[(1, 1)]);
        assert_eq!(sizes(judged.territory), [10, 0]);
        assert_eq!(judged.flooded.area(Color::White), 0);
    }

    #[test]
    fn no_stones_make_no_territory_on_any_board() {
        for (width, height) in [(1, 1), (1, 52), (52, 52)] {
            let empty = Position::new(BoardSize::new(width, height).unwrap());
            assert_eq!(sizes(territory(&empty, &[]).territory), [0, 0]);
        }
    }
}
