//! Outputs: files that appear complete or not at all, staging directories and locks.

pub mod path_conflicts;
pub mod cleanup;
pub mod permissions;
pub mod regular_file;
pub mod file_lock;
pub mod staging_dir;
pub mod unique_names;
pub mod table_checksum;
mod atomic_file;

pub use atomic_file::{ClosedFile, Output, PendingFile, add_hard_link, check_writable, close_all, put_in_place};
