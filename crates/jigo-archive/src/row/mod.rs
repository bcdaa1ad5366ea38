//! Rows of tables: columns, cells, and their form for people.

pub mod shared_columns;
pub mod line;
pub mod located_finding;
pub mod schema;
mod table;
mod column_choice;
mod value;

pub use column_choice::{ColumnChoice, UnknownColumn};
pub use located_finding::{LineCounter, LocatedFinding};
pub use table::{Cells, Column, ColumnSet, ColumnType, POINTS, PROBABILITY, Row, SECONDS, Table, ZI};
pub use value::Value;
