//! What several test files need.
#![allow(dead_code)] // every test file is a crate of its own and uses a part

use std::path::{Path, PathBuf};

use jigo::input::{GameText, Piece, split};
use jigo::record::Reading;
use serde_json::Value;

/// The folder that an environment variable names; says so when there is none.
fn folder(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: {variable} is not set");
    }
    folder
}

/// The folder of test vectors.
pub fn vectors() -> Option<PathBuf> {
    folder("JIGO_VECTORS")
}

/// The folder of real games.
pub fn corpus() -> Option<PathBuf> {
    folder("JIGO_CORPUS")
}

/// The values of a file with one JSON value a line.
pub fn json_lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// All games of a file, read.
pub fn read_games(path: &Path) -> Vec<Reading> {
    read_bytes(&std::fs::read(path).unwrap())
}

/// All games of a text, read.
pub fn read_bytes(bytes: &[u8]) -> Vec<Reading> {
    let mut readings = Vec::new();
    split(bytes, true, |piece| {
        if let Piece::Game(range, close, charset) = piece {
            let game = readings.len() as u64 + 1;
            let text =
                GameText { file: "-", game, offset: range.start as u64, line: 1, bytes: &bytes[range], close, charset };
            readings.push(Reading::of(&text));
        }
    });
    readings
}
