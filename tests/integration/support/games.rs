//! Reads the games of files.

use std::path::Path;

use jigo_record::Reading;
use jigo_record::splitter::{GameText, Piece, split};

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
