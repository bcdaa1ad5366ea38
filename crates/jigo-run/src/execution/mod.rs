//! The execution of a run: its analysis, its tables, and its end.

pub mod execute;
pub mod conclude;
pub mod duplicate_rows;
pub mod table_file;
pub mod run_table;
#[cfg(feature = "columnar")]
pub mod stream;

pub use conclude::{closed_pipe, conclude, conclude_resumed, exit_code, fail_if, interrupted, print_configuration};
pub use duplicate_rows::{SPILL_FAILED, count_duplicates, find_preferred, log_table, write_in_batches};
pub use execute::{check_run, check_searched_codes, run, run_in_parts, run_sum};
