//! The files of a report.

use jigo_archive::formats::Format;
use jigo_archive::row::{Row, Table};
use jigo_archive::tables::{DuplicateRow, FindingRows, GameRows, GameTable, ResultRows, ScoreRows};

/// The page.
pub const PAGE: &str = "index.html";
/// The summary, which is the last file of a report to get its name.
pub const SUMMARY: &str = "summary.json";
/// The description of the run: program, command, inputs and time.
pub const PROVENANCE: &str = "provenance.json";
/// The tables of every report.
pub const TABLES: [&Table; 4] = [GameRows::TABLE, FindingRows::TABLE, ScoreRows::TABLE, ResultRows::TABLE];
/// The table of duplicates, which is written last and only on request.
pub const DUPLICATES: &Table = DuplicateRow::TABLE;

/// Returns the file name of a table.
pub fn table_file(table: &Table, format: Format) -> String {
    format!("{}.{}", table.name, format.extension())
}
