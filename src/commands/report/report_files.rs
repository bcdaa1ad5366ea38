//! The files of a report.

use jigo_archive::formats::Format;
use jigo_archive::row::{Row, Table};
use jigo_archive::tables::{DuplicateRow, FindingRows, GameRows, GameTable, ResultRows, ScoreRows};

/// The page.
pub const PAGE: &str = "index.html";
/// The summary, which is the last file of a report to get its name.
pub const SUMMARY: &str = "summary.json";
/// The state of the report, from which it can be merged with others.
pub const STATE: &str = "merge.json";
/// The description of the run: program, command, inputs and time.
pub const PROVENANCE: &str = "provenance.json";
/// The tables of every report.
pub const TABLES: [&Table; 4] = [GameRows::TABLE, FindingRows::TABLE, ScoreRows::TABLE, ResultRows::TABLE];
/// The table of duplicates, which is written last and only on request.
pub const DUPLICATES: &Table = DuplicateRow::TABLE;

/// Returns true if a report can be merged with others.
pub fn is_mergeable(format: Format, finds_duplicates: bool) -> bool {
    matches!(format, Format::Csv | Format::SafeCsv) && !finds_duplicates
}

/// Returns the names of all files of a report.
pub fn files(format: Format, finds_duplicates: bool) -> Vec<String> {
    let tables = TABLES.into_iter().chain(finds_duplicates.then_some(DUPLICATES));
    let state = is_mergeable(format, finds_duplicates).then_some(STATE);
    let others = state.into_iter().chain([PAGE, PROVENANCE, SUMMARY]).map(str::to_owned);
    tables.map(|table| table_file(table, format)).chain(others).collect()
}

/// Returns the file name of a table.
pub fn table_file(table: &Table, format: Format) -> String {
    format!("{}.{}", table.name, format.extension())
}
