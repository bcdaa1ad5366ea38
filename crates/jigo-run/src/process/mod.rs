//! The process of a run: standard error, its exit code, and command lines for a shell.

pub mod stderr;
pub mod shell;
pub mod exit;
