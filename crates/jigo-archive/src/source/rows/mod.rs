//! Tables of records: one file of game records, or a part of one, per row.

#[cfg(feature = "columnar")]
pub mod arrow;
pub mod csv_table;
pub mod file_part;
mod json_fields;
#[cfg(feature = "columnar")]
pub(crate) mod parquet;
pub mod row;
pub mod row_columns;
