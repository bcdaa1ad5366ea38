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
    /// The opponent may throw in at each false point, which costs the space one point beside it. The owner then has two
    /// eyes if one stone can part what is left, or either of two (if the opponent takes one, the owner takes the other)
    /// where the space is large enough that the exchange leaves an eye on both sides. Dead stones stand where the owner
    /// cannot play, so nakade is one eye.
    pub(super) fn eyes(&self, false_eye: &PointSet, dead: &PointSet) -> u32 {
        const LARGE: usize = 8;
        let mut space = self.real(false_eye);
        if space.is_empty() {
            return 0;
        }
        if space.len() >= LARGE {
            return 2;
        }
        if self.open {
            return 1;
        }
        for point in self.points.intersection(false_eye).iter() {
            let beside = PointSet::from_iter([point]).grown().intersection(&space).iter().next();
            beside.into_iter().for_each(|filled| space.remove(filled));
        }
        if is_parted(&space) || can_be_parted(&space, dead) { 2 } else { 1 }
    }
}

fn is_parted(space: &PointSet) -> bool {
    space.parts().nth(1).is_some()
}

fn can_be_parted(space: &PointSet, dead: &PointSet) -> bool {
    const ROOM_FOR_AN_EXCHANGE: usize = 6;
    let playable: Vec<Point> = space.without(dead).iter().collect();
    let parted_by = |filled: &[Point]| is_parted(&space.without(&filled.iter().copied().collect()));
    if playable.iter().any(|&point| parted_by(&[point])) {
        return true;
    }
    space.len() >= ROOM_FOR_AN_EXCHANGE
        && playable
            .iter()
            .enumerate()
            .any(|(at, &one)| playable[at + 1..].iter().any(|&other| parted_by(&[one, other])))
}
