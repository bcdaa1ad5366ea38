//! How many eyes a space is worth to the colour around it.
//!
//! This is judged from the shape and not read out, so it can be wrong where reading matters: bent spaces in a corner with
//! several throw-ins, or dead stones about which the players disagree.

use crate::board::{Point, PointSet};

/// A space that one colour encloses.
pub(super) struct EyeSpace {
    /// Its points, empty or under dead stones of the opponent.
    pub(super) points: PointSet,
    /// Points beside it at which the opponent is stopped by the threat to close a gap only, not by stones.
    pub(super) gaps: PointSet,
}

impl EyeSpace {
    /// The points that need not be filled to connect the chains around.
    pub(super) fn real(&self, false_eye: &PointSet) -> PointSet {
        self.points.without(false_eye)
    }

    /// 0, 1, or 2 for two eyes and more.
    ///
    /// The opponent may throw in at each false point and each gap, which costs the space one point beside it, and a stone already
    /// thrown in costs a second one. The owner then has two eyes if stones of his can part what is left. Dead stones stand
    /// where the owner cannot play, so nakade is one eye.
    pub(super) fn eyes(&self, false_eye: &PointSet, dead: &PointSet) -> u32 {
        const LARGE: usize = 8;
        const LIBERTIES_OF_A_LARGE_SPACE: usize = 4;
        let space = self.after_throw_ins(false_eye, dead);
        let large = space.len() >= LARGE && space.without(dead).len() >= LIBERTIES_OF_A_LARGE_SPACE;
        if self.real(false_eye).is_empty() {
            0
        } else if large || can_be_two(&space, dead) {
            2
        } else {
            1
        }
    }

    fn after_throw_ins(&self, false_eye: &PointSet, dead: &PointSet) -> PointSet {
        let mut space = self.real(false_eye);
        for point in self.points.intersection(false_eye).union(&self.gaps).iter() {
            let mut lost = PointSet::from_iter([point]);
            for _ in 0..1 + usize::from(dead.contains(point)) {
                let beside = lost.grown().intersection(&space);
                // The point on the rim goes: what stays is compact, which is worst for the owner.
                let room = |&point: &Point| PointSet::from_iter([point]).grown().intersection(&space).len();
                if let Some(filled) = beside.iter().min_by_key(room) {
                    space.remove(filled);
                    lost.insert(filled);
                }
            }
        }
        space
    }
}

fn is_parted(space: &PointSet) -> bool {
    space.parts().nth(1).is_some()
}

fn can_be_two(space: &PointSet, dead: &PointSet) -> bool {
    let captured_room = space.intersection(dead).parts().any(|chain| leaves_room(&chain));
    is_parted(space) || can_be_parted(space, dead) || captured_room
}

/// Whether capturing this chain leaves a space for two eyes even if the opponent plays there first: it is none of the
/// shapes with one vital point, the rabbity six the largest, nor a square of four or a smaller one.
fn leaves_room(chain: &PointSet) -> bool {
    const LARGEST_WITH_A_VITAL_POINT: usize = 6;
    match cutting_points(chain, chain).len() {
        0 => chain.len() >= LARGEST_WITH_A_VITAL_POINT,
        1 => chain.len() > LARGEST_WITH_A_VITAL_POINT,
        _ => true,
    }
}

/// Whether a stone of the opponent here would be in atari at once, or be captured with room to spare.
fn is_harmless(point: Point, space: &PointSet, dead: &PointSet) -> bool {
    let stone = PointSet::from_iter([point]);
    let chain = stone.flood(&dead.intersection(space).union(&stone));
    chain.grown().intersection(space).without(&chain).without(dead).len() <= 1 || leaves_room(&chain)
}

/// The points of `playable` without which the space is in two parts.
fn cutting_points(space: &PointSet, playable: &PointSet) -> Vec<Point> {
    playable.iter().filter(|&point| is_parted(&space.without(&PointSet::from_iter([point])))).collect()
}

/// Whether the owner can part the space: with one stone, or two of which the opponent cannot take both. Where more than
/// a third of the space is dead stones the opponent is assumed to be the first to play, and takes the only such point.
fn can_be_parted(space: &PointSet, dead: &PointSet) -> bool {
    const ROOM_FOR_AN_EXCHANGE: usize = 6;
    const ROOM_FOR_A_CORNER: usize = 7;
    let playable = space.without(dead);
    let owner_first = 3 * space.intersection(dead).len() <= space.len();
    match cutting_points(space, &playable)[..] {
        [] => {}
        [only] if !owner_first => return is_harmless(only, space, dead),
        _ => return true,
    }
    let parts = |one: Point, other: Point| {
        let adjacent = PointSet::from_iter([one]).grown().contains(other);
        let room = if adjacent { ROOM_FOR_AN_EXCHANGE } else { ROOM_FOR_A_CORNER };
        let enough = space.len() >= room && (adjacent || owner_first);
        enough && is_parted(&space.without(&PointSet::from_iter([one, other])))
    };
    playable.iter().any(|one| playable.iter().any(|other| one < other && parts(one, other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::read;

    /// The eyes of the space that is drawn as `.` and, for dead stones, `O`.
    fn eyes(diagram: &str) -> u32 {
        let position = read(diagram).unwrap();
        let holds =
            |color| -> PointSet { position.size().iter().filter(|&point| position.stone(point) == color).collect() };
        let dead = holds(Some(crate::board::Color::White));
        let points = dead.union(&holds(None));
        EyeSpace { points, gaps: PointSet::EMPTY }.eyes(&PointSet::EMPTY, &dead)
    }

    #[test]
    fn four_in_a_row_is_two_eyes_and_a_square_of_four_is_one() {
        assert_eq!(eyes("X . . . . X"), 2);
        assert_eq!(eyes(". . X\n. . X"), 1);
    }

    #[test]
    fn nakade_is_one_eye() {
        assert_eq!(eyes("X . O . X"), 1);
        assert_eq!(eyes(". O O\nO O O"), 1);
        assert_eq!(eyes(". O O O O ."), 2);
    }

    #[test]
    fn a_throw_in_costs_a_point() {
        let points: PointSet = (0..4).map(|x| Point::new(x, 0)).collect();
        let false_eye: PointSet = [Point::new(3, 0)].into_iter().collect();
        let space = EyeSpace { points, gaps: PointSet::EMPTY };
        assert_eq!(space.eyes(&false_eye, &PointSet::EMPTY), 1);
        assert_eq!(space.eyes(&PointSet::EMPTY, &PointSet::EMPTY), 2);
    }
}
