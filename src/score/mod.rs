//! What an ending is worth: which stones are dead beyond doubt, and whose the points are.

mod eye;
pub mod seki;
pub mod settled;
pub mod territory;
