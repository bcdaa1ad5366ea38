//! The binary planes of a row.

use super::layout::{PLANE_BYTES, PLANES, index};
use jigo_rules::board::{Color, Point, PointSet, Position};

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
