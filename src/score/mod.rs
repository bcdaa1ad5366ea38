//! What an ending is worth: which stones are dead beyond doubt, which are dead by playouts, and whose the points are.

mod eye;
pub mod playout;
pub mod seki;
pub mod settled;
pub mod territory;
