//! jigo
pub mod board;
pub mod score;
