//! The layout of the arrays.

use jigo_rules::HalfPoints;
use jigo_rules::board::{Color, Point};

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
