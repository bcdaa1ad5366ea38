//! The tables, one file each: the columns, the row, and the visitor that fills the table.

mod aliases;
mod comparisons;
mod matches;
mod continuations;
mod differences;
mod diversity;
mod duplicates;
mod endings;
mod evaluations;
mod findings;
mod fixes;
mod games;
mod store;
mod keys;
mod parts;
mod rejects;
mod results;
mod ruleset_pairs;
mod scores;
mod table_visitor;
mod training;
mod turns;

pub use aliases::AliasRow;
pub use comparisons::{ComparisonRow, ComparisonRows, PairSelection};
pub use continuations::{ContinuationCounts, ContinuationRow, ContinuationTotals, Continuations};
pub use differences::{DifferenceRow, ReportChange};
pub use diversity::{Diversity, DiversityRow};
pub use duplicates::DuplicateRow;
pub use endings::{EndingRow, EndingRows};
pub use evaluations::{EvaluationRow, EvaluationRows};
pub use findings::{FindingRow, FindingRows, FoldedFindings, fold_findings};
pub use fixes::FixRow;
pub use games::{GameRow, GameRows};
pub(crate) use keys::request_keys;
pub use keys::{KeyRow, KeyRows};
pub use matches::{MatchRow, MatchRows};
pub use parts::PartRow;
pub use rejects::{RejectKind, RejectReason, RejectRow};
pub use results::{ResultRow, ResultRows};
pub use ruleset_pairs::{Pair, PairRow};
pub use scores::{ScoreRow, ScoreRows};
pub use store::{GameFacts, StoreRow};
pub use table_visitor::{Aggregate, GameTable, TableVisitor};
pub use training::TrainingRow;
pub use turns::{TurnRow, TurnRows};

use crate::row::{Row, Table};

/// Every table, for [`schema`](crate::row::schema) and the documentation.
pub const TABLES: [&Table; 21] = [
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
    StoreRow::TABLE,
    MatchRow::TABLE,
    ContinuationRow::TABLE,
    PairRow::TABLE,
    RejectRow::TABLE,
    TrainingRow::TABLE,
    EvaluationRow::TABLE,
    DifferenceRow::TABLE,
    AliasRow::TABLE,
];
