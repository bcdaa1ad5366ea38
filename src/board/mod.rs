//! Go without records, input or policy: points, turns, positions.

pub mod diagram;
pub mod hash;
pub mod point;
pub mod position;

pub use hash::PositionHash;
pub use point::{Action, BoardSize, Color, Point, Turn};
pub use position::{Played, Position};
