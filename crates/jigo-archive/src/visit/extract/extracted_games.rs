//! The extracted games of a batch in the form of their destination.

use super::Pattern;
use crate::formats::{Format, Rows};
use crate::row::Row as _;
use crate::source::rows::file_part::{FilePart, PartState};
use crate::stored_bytes;
use crate::tables::PartRow;
use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::charset::CharsetBasis;
use jigo_record::splitter::{GameText, SplitState};
use serde::{Deserialize, Serialize};

/// The destination of games.
#[derive(Clone, Debug)]
pub enum Destination {
    /// One text. Each game starts on a new line.
    Text,
    /// Rows of the parts table, one game each.
    Rows(Format),
    /// Files, one game each.
    Files(Pattern),
}

/// Games of a batch with the same destination.
#[derive(Serialize, Deserialize)]
pub enum ExtractedGames {
    /// No destination; games are dropped.
    Discarded,
    /// The text of the games.
    Text(#[serde(with = "stored_bytes")] Vec<u8>),
    /// The rows of the games, their format, and the number of bytes in their texts.
    Rows(Box<Rows>, #[serde(skip, default = "stored_format")] Format, usize),
    /// The files, and the number of bytes in their texts.
    Files(Vec<ExtractedFile>, usize),
}

/// Returns the only format of rows in parts.
fn stored_format() -> Format {
    Format::Jsonl
}

/// A file with one game.
#[derive(Serialize, Deserialize)]
pub struct ExtractedFile {
    /// The name, with `/` between folders.
    pub name: String,
    /// The text.
    #[serde(with = "stored_bytes")]
    pub text: Vec<u8>,
}

impl ExtractedGames {
    pub(super) fn new(destination: Option<&Destination>) -> ExtractedGames {
        match destination {
            None => ExtractedGames::Discarded,
            Some(Destination::Text) => ExtractedGames::Text(Vec::new()),
            Some(Destination::Rows(format)) => {
                ExtractedGames::Rows(Box::new(Rows::new(*format, PartRow::TABLE)), *format, 0)
            }
            Some(Destination::Files(_)) => ExtractedGames::Files(Vec::new(), 0),
        }
    }

    pub(super) fn buffered_bytes(&self) -> usize {
        match self {
            ExtractedGames::Discarded => 0,
            ExtractedGames::Text(text) => text.len(),
            ExtractedGames::Rows(_, _, buffered) | ExtractedGames::Files(_, buffered) => *buffered,
        }
    }

    /// Adds a game in its recorded form, or in the form `form`.
    pub(super) fn add(&mut self, text: &GameText, form: Option<&str>, name: impl FnOnce() -> String) {
        let bytes = form.map_or(text.bytes, str::as_bytes);
        match self {
            ExtractedGames::Discarded => {}
            ExtractedGames::Text(out) => {
                out.extend_from_slice(bytes);
                out.push(b'\n');
            }
            ExtractedGames::Files(files, buffered) => {
                *buffered += bytes.len();
                files.push(ExtractedFile { name: name(), text: [bytes, b"\n"].concat() });
            }
            ExtractedGames::Rows(rows, format, buffered) => {
                *buffered += bytes.len();
                add_row(rows, *format, text, form);
            }
        }
    }
}

/// Adds a row with one game. If the text is the recorded one, the row also contains the state of
/// the file at this game.
fn add_row(rows: &mut Rows, format: Format, text: &GameText, form: Option<&str>) {
    let GameText { kind, file, game, offset, line, charset, .. } = *text;
    let decoded;
    let is_utf8 = matches!(charset.basis, CharsetBasis::Utf8 | CharsetBasis::Utf8WithNuls);
    let (bytes, is_recorded) = match form {
        Some(form) => (form.as_bytes(), false),
        // JSON must be UTF-8.
        None if format == Format::Jsonl && !is_utf8 => {
            decoded = Decoded::new(text.bytes, charset);
            (&*decoded.text, false)
        }
        None => (text.bytes, true),
    };
    let is_detected = matches!(charset.basis, CharsetBasis::Detected | CharsetBasis::DetectedInFile);
    let state = is_recorded.then(|| PartState {
        utf16: (charset.basis == CharsetBasis::Transcoded).then_some(charset.encoding),
        split_state: SplitState { detected_charset: is_detected.then_some(charset.encoding), ..SplitState::default() },
        kind,
    });
    let part = FilePart { game, offset, line, state, is_last: true, fault: None };
    rows.push(&PartRow { file, text: bytes, games: 1, part: &part });
}
