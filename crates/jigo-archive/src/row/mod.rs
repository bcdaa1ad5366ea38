//! Rows of tables: columns, cells, and their form for people.

pub mod shared_columns;
pub mod line;
pub mod located_finding;
pub mod schema;
mod table;
mod column_choice;
mod value;
mod joined_columns;

pub use column_choice::{ColumnChoice, UnknownColumn};
pub(crate) use joined_columns::{JoinedColumns, add_joined, joined};
pub use located_finding::{LineCounter, LocatedFinding};
pub use table::{Cells, Column, ColumnSet, ColumnType, POINTS, PROBABILITY, Row, SECONDS, Table, ZI};
pub use value::Value;
