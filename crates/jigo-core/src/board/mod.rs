//! The board without records, input or rules policy: points, turns, positions.

pub mod diagram;
pub mod hash;
pub mod picture;
pub(crate) mod point;
pub(crate) mod point_set;
pub(crate) mod position;

pub use hash::PositionHash;
pub use picture::Picture;
pub use point::{Action, BoardSize, Color, Point, Turn};
pub use point_set::PointSet;
pub use position::{Played, Position, Stones};
