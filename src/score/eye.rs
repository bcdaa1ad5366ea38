//! How many eyes a space is worth to the colour around it.

use crate::board::{Point, PointSet};

/// A space that one colour encloses.
pub(super) struct EyeSpace {
    /// Its points, empty or under dead stones of the opponent.
    pub(super) points: PointSet,
    /// Whether the opponent is kept out by the threat to close a gap only, not by stones.
    pub(super) open: bool,
}

impl EyeSpace {
    /// The points that need not be filled to connect the chains around.
    pub(super) fn real(&self, false_eye: &PointSet) -> PointSet {
        self.points.without(false_eye)
    }

    /// 0, 1, or 2 for two eyes and more.
    ///
    /// The opponent may throw in at each false point, which costs the space one point beside it, and a stone already
    /// thrown in costs a second one. The owner then has two eyes if stones of his can part what is left. Dead stones stand
    /// where the owner cannot play, so nakade is one eye.
    pub(super) fn eyes(&self, false_eye: &PointSet, dead: &PointSet) -> u32 {
        const LARGE: usize = 8;
        const LIBERTIES_OF_A_LARGE_SPACE: usize = 4;
        let space = self.after_throw_ins(false_eye, dead);
        let large = space.len() >= LARGE && space.without(dead).len() >= LIBERTIES_OF_A_LARGE_SPACE;
        if self.real(false_eye).is_empty() {
            0
        } else if large || (!self.open && can_be_two(&space, dead)) {
            2
        } else {
            1
        }
    }

    fn after_throw_ins(&self, false_eye: &PointSet, dead: &PointSet) -> PointSet {
        let mut space = self.real(false_eye);
        for point in self.points.intersection(false_eye).iter() {
            let mut lost = PointSet::from_iter([point]);
            for _ in 0..1 + usize::from(dead.contains(point)) {
                let beside = lost.grown().intersection(&space);
                if let Some(filled) = beside.iter().next() {
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
