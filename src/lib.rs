//! jigo
pub mod board;
