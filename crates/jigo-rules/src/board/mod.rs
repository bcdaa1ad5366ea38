//! The board without records, input or rules policy: points, turns, positions.

pub mod diagram;
pub mod hash;
pub mod picture;
pub mod point;
mod point_set;
mod position;

pub use hash::{PositionHash, fnv1a, split_mix};
pub use picture::{Mark, Picture, PointContent};
pub use point::{Action, BoardSize, Color, Point, Turn};
pub use point_set::{MarkedTerritory, PointSet};
pub use position::{Position, RemovedStones, Stones};
