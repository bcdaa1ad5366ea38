//! The extracted games of a batch in the form of their destination.

use super::Pattern;
use super::training::TrainingGames;
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
    /// Rows of the parts table, one game each. As text, each game starts on a new line.
    Rows(Format),
    /// Files, one game each.
    Files(Pattern),
    /// Files with rows for a network.
    Training,
}

/// Games of a batch with the same destination.
#[derive(Serialize, Deserialize)]
pub enum ExtractedGames {
    /// The rows of the games, or their text.
    Rows(Box<Rows>),
    /// The files.
    Files(Vec<ExtractedFile>),
    /// The rows for a network. No part of a run contains them, because they are large.
    #[serde(skip)]
    Training(Box<TrainingGames>),
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
    pub(super) fn new(destination: &Destination) -> ExtractedGames {
        match destination {
            Destination::Rows(format) => ExtractedGames::Rows(Box::new(Rows::new(*format, PartRow::TABLE))),
            Destination::Files(_) => ExtractedGames::Files(Vec::new()),
            Destination::Training => ExtractedGames::Training(Box::default()),
        }
    }

    /// Adds a game in its recorded form, or in the form `form`, to the file of each name. Returns its
    /// length in bytes.
    pub(super) fn add(&mut self, text: &GameText, form: Option<&str>, names: impl FnOnce() -> Vec<String>) -> usize {
        let bytes = form.map_or(text.bytes, str::as_bytes);
        match self {
            ExtractedGames::Files(files) => {
                files.extend(names().into_iter().map(|name| ExtractedFile { name, text: [bytes, b"\n"].concat() }));
            }
            ExtractedGames::Rows(rows) if rows.is_text() => rows.push_line(bytes),
            ExtractedGames::Rows(rows) => add_row(rows, text, form),
            // The visitor adds the rows of a game, and not its text.
            ExtractedGames::Training(_) => {}
        }
        bytes.len()
    }
}

/// Adds a row with one game. If the text is the recorded one, the row also contains the state of
/// the file at this game.
fn add_row(rows: &mut Rows, text: &GameText, form: Option<&str>) {
    let GameText { kind, file, game, offset, line, charset, .. } = *text;
    let decoded;
    let is_utf8 = matches!(charset.basis, CharsetBasis::Utf8 | CharsetBasis::Utf8WithNuls);
    let (bytes, is_recorded) = match form {
        Some(form) => (form.as_bytes(), false),
        // JSON must be UTF-8.
        None if rows.is_json() && !is_utf8 => {
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
