//! The manifest of [`corpus`](super::corpus), which another program wrote.
//!
//! `manifest.csv` has a row for each game, counted from 0 in its file, and a row without a game index
//! for each file without games.

use std::collections::BTreeMap;
use std::path::Path;

use super::has_real_games;

/// A row of a table, by column.
pub type Row = BTreeMap<String, String>;

/// Reads a table.
pub fn rows(path: &Path) -> Vec<Row> {
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

/// Reads the manifest of a folder.
pub fn manifest(folder: &Path) -> Vec<Row> {
    let rows = rows(&folder.join("manifest.csv"));
    assert_eq!(rows.len() == 11_010, has_real_games());
    rows
}

/// Returns the manifest's rows of games by file, in the order of the games.
pub fn games_by_file(manifest: &[Row]) -> BTreeMap<&str, Vec<&Row>> {
    let mut files: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in manifest {
        let games = files.entry(&row["file"]).or_default();
        if !row["game_index"].is_empty() {
            assert_eq!(row["game_index"], games.len().to_string(), "{}", row["file"]);
            games.push(row);
        }
    }
    files
}

/// Returns true for the files that the program that wrote the manifest can't read.
pub fn is_utf16(file: &str) -> bool {
    file.contains("encoding-utf16")
}
