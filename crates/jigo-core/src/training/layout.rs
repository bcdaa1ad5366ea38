//! The layout of the arrays, their binary planes, and rulesets as KataGo counts them.

use jigo_rules::board::{Color, Point, PointSet, Position};
use jigo_rules::{Axes, HalfPoints, Scoring, TerritoryReading};

/// Lines of the board of a row.
pub const SIDE: usize = 19;
/// Points of the board of a row.
pub(super) const POINTS: usize = SIDE * SIDE;
/// Values of a policy: the points row by row, and the pass.
pub(super) const MOVES: usize = POINTS + 1;
/// Binary planes of a row.
pub(super) const PLANES: usize = 22;
/// Bytes of a binary plane.
pub(super) const PLANE_BYTES: usize = POINTS.div_ceil(8);
/// Global inputs.
pub(super) const GLOBAL_INPUTS: usize = 19;
/// Global targets.
pub(super) const GLOBAL_TARGETS: usize = 80;
/// Scores on each side of 0 that have a place in the distribution.
pub(super) const SCORE_RADIUS: usize = POINTS + 60;
/// Places of the score distribution.
pub(super) const SCORES: usize = 2 * SCORE_RADIUS;
/// Planes of values: owner, eye in seki, stones after 8 and 32 turns, points.
pub(super) const VALUE_PLANES: usize = 5;

/// The name, element type and shape of one of the arrays. Elements are little-endian.
#[derive(Clone, Copy, Debug)]
pub struct ArrayType {
    /// The name in KataGo's files.
    pub name: &'static str,
    /// The type as NumPy writes it: the order of bytes, the kind, and the number of bytes.
    pub element: &'static str,
    /// The shape of a row.
    pub shape: &'static [usize],
}

/// The arrays, in the order of [`Arrays::bytes`].
pub const ARRAYS: [ArrayType; 6] = [
    ArrayType { name: "binaryInputNCHWPacked", element: "|u1", shape: &[PLANES, PLANE_BYTES] },
    ArrayType { name: "globalInputNC", element: "<f4", shape: &[GLOBAL_INPUTS] },
    ArrayType { name: "policyTargetsNCMove", element: "<i2", shape: &[2, MOVES] },
    ArrayType { name: "globalTargetsNC", element: "<f4", shape: &[GLOBAL_TARGETS] },
    ArrayType { name: "scoreDistrN", element: "|i1", shape: &[SCORES] },
    ArrayType { name: "valueTargetsNCHW", element: "|i1", shape: &[VALUE_PLANES, SIDE, SIDE] },
];

/// Rows, as the bytes of each array.
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    /// The number of rows.
    pub rows: usize,
    /// The bytes of the arrays, in the order of [`ARRAYS`].
    pub bytes: [Vec<u8>; ARRAYS.len()],
}

impl Arrays {
    /// Moves the first rows, at most `rows`, out of the arrays.
    pub fn take(&mut self, rows: usize) -> Arrays {
        let taken = rows.min(self.rows);
        let mut rest = Arrays { rows: self.rows - taken, ..Arrays::default() };
        for (bytes, rest) in self.bytes.iter_mut().zip(&mut rest.bytes) {
            *rest = bytes.split_off(bytes.len() / self.rows.max(1) * taken);
        }
        self.rows = taken;
        std::mem::replace(self, rest)
    }

    /// Appends the rows of other arrays.
    pub fn append(&mut self, other: &Arrays) {
        self.rows += other.rows;
        self.bytes.iter_mut().zip(&other.bytes).for_each(|(bytes, other)| bytes.extend_from_slice(other));
    }
}

/// Returns 1 for the player and -1 for the opponent.
pub(super) fn sign(color: Color, player: Color) -> i8 {
    if color == player { 1 } else { -1 }
}

/// Returns a number of half points in points.
pub(super) fn in_points(points: HalfPoints) -> f32 {
    points.0 as f32 / 2.0
}

/// Returns the index of a point in a plane.
pub(super) fn index(point: Point) -> usize {
    usize::from(point.y()) * SIDE + usize::from(point.x())
}

/// Appends numbers as bytes.
pub(super) fn push_floats(floats: &[f32], bytes: &mut Vec<u8>) {
    bytes.extend(floats.iter().flat_map(|value| value.to_le_bytes()));
}

/// Returns true if KataGo counts a ruleset by territory. Pass stones give the area.
pub(super) fn is_territory(axes: &Axes) -> bool {
    matches!(axes.scoring, Scoring::Territory | Scoring::TerritoryTax)
}

/// Returns true if a ruleset has a tax on groups.
pub(super) fn has_group_tax(axes: &Axes) -> bool {
    matches!(axes.scoring, Scoring::GroupTax | Scoring::TerritoryTax)
}

/// Returns true if eyes in seki do not count.
pub(super) fn has_seki_tax(axes: &Axes) -> bool {
    has_group_tax(axes) || axes.territory != TerritoryReading::EveryRegion
}

/// The binary planes of a position: one bit for each point, row by row, the highest bit first.
///
/// | plane | points |
/// |---|---|
/// | 0 | on the board |
/// | 1, 2 | with a stone of the player to move, of the opponent |
/// | 3, 4, 5 | with a stone of a chain with 1, 2, 3 liberties |
/// | 6 | forbidden by ko or superko |
/// | 9 to 13 | of the last five turns, the last one first |
/// | 14, 15, 16 | with a stone that a ladder captures now, one turn ago, two turns ago |
/// | 17 | where a ladder that captures a chain of the opponent begins |
/// | 18, 19 | owned by the player, by the opponent, under area rules |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planes([[u8; PLANE_BYTES]; PLANES]);

impl Planes {
    /// Returns the planes 0 to 5 of a position. The others, which need its history, are empty.
    ///
    /// # Panics
    /// If the board has more than [`SIDE`](super::SIDE) lines.
    pub fn new(position: &Position, player: Color) -> Planes {
        let mut planes = Planes([[0; PLANE_BYTES]; PLANES]);
        let mut visited = PointSet::EMPTY;
        for point in position.size().iter() {
            planes.set(0, point);
            let Some(color) = position.stone(point) else { continue };
            planes.set(if color == player { 1 } else { 2 }, point);
            if visited.contains(point) {
                continue;
            }
            let chain: Vec<Point> = position.chain(point).collect();
            chain.iter().for_each(|&stone| _ = visited.insert(stone));
            let liberties = position.liberties(point, 4).len();
            if (1..=3).contains(&liberties) {
                chain.iter().for_each(|&stone| planes.set(2 + liberties, stone));
            }
        }
        planes
    }

    /// Sets a point of a plane.
    pub(super) fn set(&mut self, plane: usize, point: Point) {
        let index = index(point);
        self.0[plane][index / 8] |= 0x80 >> (index % 8);
    }

    /// Returns the bytes of all planes.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_flattened()
    }
}
