//! The execution of a run: its analysis, its tables, and its end.

pub mod execute;
pub mod conclude;
pub mod duplicate_rows;
pub mod table_file;
pub mod run_table;
#[cfg(feature = "columnar")]
pub mod stream;
