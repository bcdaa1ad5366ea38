//! The tables, one file each: the columns, the row, and the visitor that fills the table.

mod aggregate;
mod comparisons;
mod diversity;
mod duplicates;
mod endings;
mod findings;
mod fixes;
mod games;
mod index;
mod keys;
mod parts;
mod results;
mod scores;
mod table_visitor;
mod turns;

pub use aggregate::Aggregate;
pub use comparisons::{ComparisonRow, Comparisons, ListedPairs};
pub use diversity::{Diversity, DiversityRow};
pub use duplicates::DuplicateRow;
pub use endings::{EndingRow, Endings};
pub use findings::{FindingRow, Findings, Folded, folded};
pub use fixes::FixRow;
pub use games::{GameRow, GameRows};
pub use index::IndexRow;
pub(crate) use keys::request_keys;
pub use keys::{KeyRow, KeyRows};
pub use parts::PartRow;
pub use results::{ResultRow, Results};
pub use scores::{ScoreRow, Scores};
pub use table_visitor::{GameTable, TableVisitor};
pub use turns::{TurnRow, Turns};

use crate::row::{Row, Table};

/// Every table, for [`schema`](crate::row::schema) and the documentation.
pub const TABLES: [&Table; 13] = [
    FindingRow::TABLE,
    ScoreRow::TABLE,
    GameRow::TABLE,
    ResultRow::TABLE,
    EndingRow::TABLE,
    ComparisonRow::TABLE,
    TurnRow::TABLE,
    PartRow::TABLE,
    DuplicateRow::TABLE,
    DiversityRow::TABLE,
    KeyRow::TABLE,
    FixRow::TABLE,
    IndexRow::TABLE,
];
