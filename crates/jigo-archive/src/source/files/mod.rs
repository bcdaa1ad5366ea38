//! Inputs: discovery of files, their names, and how they are opened.

pub mod discover;
pub mod display_name;
pub(crate) mod in_memory;
pub(crate) mod open;
pub mod separators;
pub mod skipped_files;
pub(crate) mod temp_copy;
