//! Sets of points, regions and eyes of a position.

pub(crate) mod cell_set;
pub(crate) mod eye;
pub(crate) mod false_eye;
pub(crate) mod gap;
pub(crate) mod grid;
pub(crate) mod region;
pub mod territory;
pub(crate) mod union_find;
