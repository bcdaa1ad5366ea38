//! The checkpoint of a report: a record of its progress, which is used only if it is intact.
//!
//! A report's folder may come from a stranger. Therefore a checkpoint contains only numbers, texts
//! for the page, and a selection from the fixed file names of reports. It contains no path, starts
//! no program and replaces no file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use jigo_archive::formats::{FORMATS, Format};
use jigo_archive::row::{Row, Table};
use jigo_archive::summary::Summary;
use jigo_archive::tables::{DuplicateRow, FindingRows, GameRows, GameTable, ResultRows, ScoreRows};
use jigo_archive::visit::Figures;

/// The beginning of the first line. The number changes with the format.
pub const HEAD: &str = "jigo checkpoint 4 ";

/// The progress of a report.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint<'a> {
    /// The counts so far.
    pub summary: Cow<'a, Summary>,
    /// The files so far.
    pub stage: WritingStage<'a>,
}

/// The stage of writing.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum WritingStage<'a> {
    /// Some batches are written.
    #[serde(rename = "begun")]
    InProgress {
        /// The number of batches.
        batches: u64,
        /// The figures for the page.
        figures: Cow<'a, Figures>,
        /// The number of rows of each table, in the order of [`TABLES`].
        rows: [u64; TABLES.len()],
        /// The lengths of the tables in bytes.
        lengths: BTreeMap<ReportFile, u64>,
    },
    /// All files are written. These are not in their final places yet.
    #[serde(rename = "whole")]
    Complete(Vec<ReportFile>),
}

/// The name of a report's file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Cow<str>", into = "Cow<str>")]
pub struct ReportFile(Cow<'static, str>);

/// The tables of every report.
pub const TABLES: [&Table; 4] = [GameRows::TABLE, FindingRows::TABLE, ScoreRows::TABLE, ResultRows::TABLE];
/// The table of duplicates, which is written last and only on request.
pub const DUPLICATES: &Table = DuplicateRow::TABLE;
/// Extensions of tables that a build without these formats can't write, but may find in a
/// checkpoint.
const COLUMNAR_EXTENSIONS: [&str; 2] = ["arrows", "parquet"];

impl ReportFile {
    /// The name of the page.
    pub const PAGE: ReportFile = ReportFile(Cow::Borrowed("index.html"));
    /// The summary, which is the last file of a report to get its name.
    pub const SUMMARY: ReportFile = ReportFile(Cow::Borrowed("summary.json"));

    /// Returns the file name of a table in a format.
    pub fn of_table(table: &Table, format: Format) -> ReportFile {
        ReportFile(format!("{}.{}", table.name, format.extension()).into())
    }

    /// Returns the name, which contains no folder.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl TryFrom<Cow<'_, str>> for ReportFile {
    type Error = String;

    fn try_from(name: Cow<'_, str>) -> Result<ReportFile, String> {
        let is_end =
            |end: &str| FORMATS.iter().any(|format| format.extension() == end) || COLUMNAR_EXTENSIONS.contains(&end);
        let of_table = |name: &str| {
            let parts = name.split_once('.');
            let is_table = |name: &str| TABLES.iter().chain([&DUPLICATES]).any(|known_file| known_file.name == name);
            parts.is_some_and(|(table, end)| is_table(table) && is_end(end))
        };
        let is_known =
            of_table(&name) || [ReportFile::PAGE, ReportFile::SUMMARY].iter().any(|known_file| known_file.0 == name);
        is_known.then(|| ReportFile(name.clone().into_owned().into())).ok_or_else(|| format!("no report has {name:?}"))
    }
}

impl From<ReportFile> for Cow<'_, str> {
    fn from(file: ReportFile) -> Self {
        file.0
    }
}

impl Checkpoint<'_> {
    /// Returns true if the counts are consistent.
    pub fn is_consistent(&self) -> bool {
        let has_figures = match &self.stage {
            WritingStage::InProgress { figures, .. } => figures.is_consistent(),
            WritingStage::Complete(_) => true,
        };
        has_figures && self.summary.is_balanced()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_archive::pipeline::hash;
    use jigo_run::output::checksummed_json;

    fn begun() -> Checkpoint<'static> {
        let file = ReportFile::of_table(GameRows::TABLE, Format::Csv);
        let stage = WritingStage::InProgress {
            batches: 3,
            figures: Cow::default(),
            rows: [2, 9, 0, 0],
            lengths: BTreeMap::from([(file, 77)]),
        };
        let mut summary = Summary { found: 2, replayed: 2, ..Summary::default() };
        summary.findings[0] = 9;
        Checkpoint { summary: Cow::Owned(summary), stage }
    }

    fn parsed(bytes: &[u8]) -> Option<Checkpoint<'static>> {
        checksummed_json::from_bytes(HEAD, bytes).filter(Checkpoint::is_consistent)
    }

    /// Returns a checkpoint with one text replaced by another, and a correct hash.
    fn forged(original: &str, replacement: &str) -> Option<Checkpoint<'static>> {
        let bytes = checksummed_json::to_bytes(HEAD, &begun()).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (_, body) = text.split_once('\n').unwrap();
        assert!(body.contains(original), "{body}");
        let body = body.replacen(original, replacement, 1);
        parsed(format!("{HEAD}{:016x}\n{body}", hash(body.as_bytes(), 0)).as_bytes())
    }

    #[test]
    fn only_an_intact_checkpoint_is_read() {
        let whole =
            Checkpoint { stage: WritingStage::Complete(vec![ReportFile::PAGE, ReportFile::SUMMARY]), ..begun() };
        for checkpoint in [begun(), whole] {
            let bytes = checksummed_json::to_bytes(HEAD, &checkpoint).unwrap();
            assert_eq!(parsed(&bytes), Some(checkpoint));
            for offset in 0..bytes.len() {
                assert_eq!(parsed(&bytes[..offset]), None);
                let mut damaged = bytes.clone();
                damaged[offset] ^= 1;
                assert_eq!(parsed(&damaged), None, "byte {offset}");
            }
        }
    }

    #[test]
    fn forged_checkpoint_with_bad_files_or_sums_is_rejected() {
        assert_eq!(forged("77", "77"), Some(begun()));
        for (original, replacement) in [
            ("games.csv", "../games.csv"),
            ("games.csv", "/etc/passwd"),
            ("games.csv", "games.csv/../x"),
            ("games.csv", "games.exe"),
            ("\"batches\":3", "\"batches\":18446744073709551615"),
            ("\"batches\":3", "\"batches\":-3"),
            ("\"batches\":3", "\"batches\":3,\"force\":true"),
            ("\"found\":2", "\"found\":3"),
            ("\"with_finding\":[]", "\"with_finding\":[1]"),
        ] {
            assert_eq!(forged(original, replacement), None, "{replacement}");
        }
    }

    #[test]
    fn file_names_of_every_format_are_known() {
        for format in FORMATS.iter().copied().chain([Format::SafeCsv]) {
            for table in TABLES.into_iter().chain([DUPLICATES]) {
                let file = ReportFile::of_table(table, format);
                assert_eq!(ReportFile::try_from(Cow::from(file.name())), Ok(file.clone()));
            }
        }
    }
}
