//! Helpers for several test files.

pub mod agreement;
pub mod cli;
pub mod damaged_games;
pub mod divided_node;
pub mod game_damage;
pub mod generated_duplicates;
#[path = "../../../fit/src/corpus.rs"]
pub mod corpus;
pub mod generated;
pub mod invariants;
pub mod plain_property;
pub mod plain_value;
pub mod python;
pub mod random_games;
pub mod reference;
pub mod second_reader;

use std::path::{Path, PathBuf};

use jigo_record::Reading;
use jigo_record::splitter::{GameText, Piece, split};
use serde_json::Value;

/// Reports why a test is skipped. Panics if JIGO_REQUIRE_ALL=1 requires all tests to run.
pub fn report_skipped(reason: &str) {
    let is_required = std::env::var("JIGO_REQUIRE_ALL").is_ok_and(|value| value == "1");
    assert!(!is_required, "skipped, and JIGO_REQUIRE_ALL=1 requires every test: {reason}");
    eprintln!("skipped: {reason}");
}

/// Returns the path in an environment variable. Reports a skipped test if the variable is not set.
pub fn path_in(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    if path.is_none() {
        report_skipped(&format!("{variable} is not set"));
    }
    path
}

/// Returns the folder of test vectors.
pub fn vectors() -> Option<PathBuf> {
    path_in("JIGO_VECTORS")
}

/// Returns the folder of real games.
pub fn corpus() -> Option<PathBuf> {
    path_in("JIGO_CORPUS")
}

/// Returns the files below a folder, sorted by name, folder by folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    files.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}

/// Returns the files below a folder with the extension `ending`, in upper or lower case.
pub fn files_ending(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let has_extension = |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(ending));
    files_below(folder).into_iter().filter(has_extension).collect()
}

/// Returns the values of a file with one JSON value a line.
pub fn json_lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Reads all games of a file.
pub fn read_games(path: &Path) -> Vec<Reading> {
    read_bytes(&std::fs::read(path).unwrap())
}

/// Reads all games of a text.
pub fn read_bytes(bytes: &[u8]) -> Vec<Reading> {
    let mut readings = Vec::new();
    split(bytes, true, |piece| {
        if let Piece::Game(range, close, charset) = piece {
            let game = readings.len() as u64 + 1;
            let text = GameText {
                game,
                offset: range.start as u64,
                ..GameText::single(&bytes[range.clone()], close, charset)
            };
            readings.push(Reading::from_text(&text));
        }
    });
    readings
}

/// Converts KM to points: servers write hundredths, Chinese records quarters of a zi.
pub fn komi_in_points(text: &str) -> Option<f64> {
    let komi: f64 = text.trim_end_matches(" points").replace(',', ".").parse().ok()?;
    let komi = if komi.abs() >= 100.0 { komi / 100.0 } else { komi };
    let is_in_zi = (komi * 4.0) % 2.0 != 0.0;
    Some(if is_in_zi { komi * 2.0 } else { komi })
}
