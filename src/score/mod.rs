//! What a final position is worth.

pub mod playout;
