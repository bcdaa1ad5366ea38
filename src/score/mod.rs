//! What an ending is worth: which stones are dead beyond doubt, and whose the points are.

pub mod settled;
