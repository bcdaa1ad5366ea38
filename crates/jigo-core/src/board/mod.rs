//! Go without records, input or policy: points, turns, positions.

pub mod diagram;
pub mod hash;
pub mod picture;
pub mod point;
pub mod point_set;
pub mod position;

pub use hash::PositionHash;
pub use picture::Picture;
pub use point::{Action, BoardSize, Color, Point, Turn};
pub use point_set::PointSet;
pub use position::{Played, Position};
