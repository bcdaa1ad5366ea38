//! jigo
pub mod board;
pub mod finding;
pub mod input;
pub mod record;
pub mod replay;
pub mod rules;
