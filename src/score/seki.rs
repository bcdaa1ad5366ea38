//! Seki and false eyes: which points count as territory where eyes in seki do not.
//!
//! Japanese rules call living stones that have dame seki stones, and give points only to the others. By the letter, every
//! dame would have to be filled first. Records stop earlier, so this decides on shape: a group is in seki when the
//! eyes it has for sure are fewer than two, as it then lives only because the opponent cannot approach. A group is all
//! chains of a colour that hang together through points the colour can reach.

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
    color: Color,
    stones: PointSet,
    /// Points without stones through which the colour can go on.
    way: PointSet,
    /// Points without stones that the opponent cannot reach.
    inside: PointSet,
}

struct Judged {
    eyes: u32,
    false_eye: PointSet,
    /// False eyes that are not worth a point.
    to_fill: PointSet,
}

impl Side<'_> {
    fn new(flooded: &Flooded, size: BoardSize, color: Color) -> Side<'_> {
        let free = flooded.free();
        let way = |color: Color| {
            let open = free.without(&doors(&free, &flooded.stones[color.opponent().index()], size));
            flooded.stones[color.index()].grown().flood(&open)
        };
        let opponents = flooded.stones[color.opponent().index()].union(&way(color.opponent()));
        let stones = flooded.stones[color.index()];
        let inside = free.without(&opponents.grown());
        Side { flooded, color, stones, way: way(color), inside }
    }

    /// Eyes and false eyes of a group: stones and the points between them.
    fn judge(&self, group: &PointSet) -> Judged {
        let spaces = self.spaces(group);
        let holders = self.stones.union(&self.flooded.dead);
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
            own.map(|space| space.eyes(&false_eye, &self.flooded.dead)).sum::<u32>() == 1
        };
        let to_fill: PointSet =
            cuts.iter().filter(|(_, parts)| !parts.iter().all(has_one_eye)).map(|&(point, _)| point).collect();
        let dead_there = to_fill.flood(&self.flooded.dead);
        let eyes = spaces.iter().map(|space| space.eyes(&false_eye, &self.flooded.dead)).sum();
        Judged { eyes, false_eye, to_fill: to_fill.union(&dead_there) }
    }

    fn spaces(&self, group: &PointSet) -> Vec<EyeSpace> {
        let sure = &self.flooded.territory[self.color.index()];
        let parts = group.intersection(&self.inside).parts();
        parts.map(|points| EyeSpace { points, open: !points.without(sure).is_empty() }).collect()
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
