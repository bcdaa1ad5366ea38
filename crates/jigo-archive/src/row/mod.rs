//! Rows of tables: columns, cells, and their form for people.

pub mod columns;
pub mod line;
pub mod located_finding;
pub mod schema;
mod table;
mod value;

pub use located_finding::{LineCounter, LocatedFinding};
pub(crate) use table::words_of;
pub use table::{Cells, Column, ColumnType, POINTS, PROBABILITY, Row, SECONDS, Table, ZI};
pub use value::Value;
