//! A run: its configuration, execution, outputs and interruption.

pub mod stderr;
pub mod interrupt;
pub mod exit;
pub mod output;
pub mod path_conflicts;
pub mod format;
pub mod analysis_settings;
pub mod repro_command;
pub mod plan;
pub mod baseline;
pub mod duplicate_rows;
pub mod run_fingerprint;
pub mod progress;
pub mod execute;
pub mod run_table;
