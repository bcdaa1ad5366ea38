//! Inputs: discovery of files, their names, and how they are opened.

pub mod discover;
pub mod display_name;
pub(crate) mod in_memory;
pub mod separators;
pub mod skipped_files;
