//! The process of a run: standard error, its exit code, and command lines for a shell.

pub mod stderr;
pub mod shell;
pub mod exit;

pub use exit::{Exit, is_broken_pipe};
pub use shell::{quoted, shell_word};
pub use stderr::{note, print, print_styled, shows_color};
