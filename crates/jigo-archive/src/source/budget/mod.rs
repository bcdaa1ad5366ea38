//! The limits of an archive: its memory, and the number of bytes and members that it may unpack to.

pub(crate) mod memory_budget;
pub(crate) mod quota;
