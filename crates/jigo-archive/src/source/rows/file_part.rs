//! Parts of a file: the position of a row's text in its file, and the state of the file there.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use jigo_record::finding::Code;
use jigo_record::splitter::{RecordKind, SplitState};

/// The position of a row's text in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePart {
    /// The number of the first game, from 1.
    pub game: u64,
    /// The first byte in the file, from 0.
    pub offset: u64,
    /// The first line in the file, from 1.
    pub line: u64,
    /// The state that the preceding parts of the file determine; `None` if it is unknown.
    pub state: Option<PartState>,
    /// True for the last part of the file.
    pub is_last: bool,
    /// The reason why the file ends here before its real end.
    pub fault: Option<SourceFault>,
}

/// The reason why a source is not read to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct SourceFault {
    /// The finding code of the fault.
    pub code: Code,
    /// The description of the fault.
    pub detail: String,
}

/// The properties of a file that its beginning determines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartState {
    /// The UTF-16 encoding of the file. The text of the row is already UTF-8.
    pub utf16: Option<&'static Encoding>,
    /// The splitter's state.
    pub split_state: SplitState,
    /// The format of the file's records, which may not be evident from a part alone.
    pub kind: RecordKind,
}

impl Default for FilePart {
    /// Returns the position of a whole file.
    fn default() -> FilePart {
        FilePart { game: 1, offset: 0, line: 1, state: None, is_last: true, fault: None }
    }
}

/// The maximum value of a position in a row. Sums with it can't overflow, and every JSON reader
/// represents it exactly.
const MAX_POSITION: u64 = 1 << 53;

impl FilePart {
    /// Returns the part if its numbers are valid.
    ///
    /// # Errors
    /// Returns a message with the name of the invalid number.
    pub(crate) fn validate(self) -> Result<FilePart, String> {
        for (name, number, minimum) in [("game", self.game, 1), ("offset", self.offset, 0), ("line", self.line, 1)] {
            if !(minimum..=MAX_POSITION).contains(&number) {
                return Err(format!("{name} is {number}; it is a number from {minimum} to {MAX_POSITION}"));
            }
        }
        Ok(self)
    }
}

impl SourceFault {
    /// Returns the fault of a source that can't be read.
    pub(crate) fn unreadable(reason: impl ToString) -> SourceFault {
        SourceFault { code: Code::UnreadableSource, detail: reason.to_string() }
    }

    /// Returns the fault of an input with other content than records.
    pub(crate) fn foreign_content(sentence: &str) -> SourceFault {
        SourceFault { code: Code::NoGame, detail: sentence.into() }
    }

    /// Returns the fault as text for a cell: the code and the description.
    pub fn text(&self) -> String {
        format!("{} {}", self.code.id(), self.detail)
    }

    /// Parses a text written by [`text`](SourceFault::text).
    ///
    /// # Errors
    /// Fails if the text does not start with a finding code.
    pub fn parse(text: &str) -> Result<SourceFault, String> {
        let (id, detail) = text.split_once(' ').unwrap_or((text, ""));
        match Code::select(id).as_slice() {
            [code] => Ok(SourceFault { code: *code, detail: detail.into() }),
            _ => Err(format!("fault begins with {id:?}, which is no code of a finding")),
        }
    }
}

impl PartState {
    const LINES: &str = "lines";
    const VARIATIONS: &str = "variations";
    const OVERSIZED: &str = "oversized";
    const HEADERLESS: &str = "headerless";
    const FIRST: &str = "first=";
    const CHARSET: &str = "charset=";
    const KIND: &str = "kind=";

    /// Returns the state as text for a cell: words separated by spaces, empty for an unknown state.
    pub fn text(&self) -> String {
        let utf16 = self.utf16.map(|encoding| encoding.name().to_owned());
        let kind = (self.kind != RecordKind::default()).then(|| format!("{}{}", PartState::KIND, self.kind.name()));
        let charset =
            self.split_state.detected_charset.map(|encoding| format!("{}{}", PartState::CHARSET, encoding.name()));
        let lines = self.split_state.lines_begin_games.then(|| PartState::LINES.to_owned());
        let variations = self.split_state.has_variations.then(|| PartState::VARIATIONS.to_owned());
        let oversized = self.split_state.in_oversized.then(|| PartState::OVERSIZED.to_owned());
        let headerless = self.split_state.has_headerless_game.then(|| PartState::HEADERLESS.to_owned());
        let neighbour = String::from_utf8_lossy(&self.split_state.neighbour);
        let first = (!neighbour.is_empty()).then(|| format!("{}{neighbour}", PartState::FIRST));
        let words = [utf16, kind, charset, lines, variations, oversized, headerless, first];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// Parses a text written by [`text`](PartState::text).
    ///
    /// # Errors
    /// Fails if a word is unknown.
    pub fn parse(text: &str) -> Result<PartState, String> {
        let mut state = PartState::default();
        for word in text.split_whitespace() {
            let charset = word.strip_prefix(PartState::CHARSET).and_then(|name| Encoding::for_label(name.as_bytes()));
            let kind = word.strip_prefix(PartState::KIND);
            let kind = kind.and_then(|name| RecordKind::all().find(|kind| kind.name() == name));
            match word {
                PartState::LINES => state.split_state.lines_begin_games = true,
                PartState::VARIATIONS => state.split_state.has_variations = true,
                PartState::HEADERLESS => state.split_state.has_headerless_game = true,
                PartState::OVERSIZED => state.split_state.in_oversized = true,
                _ if word == UTF_16LE.name() => state.utf16 = Some(UTF_16LE),
                _ if word == UTF_16BE.name() => state.utf16 = Some(UTF_16BE),
                _ if charset.is_some() => state.split_state.detected_charset = charset,
                _ if kind.is_some() => state.kind = kind.unwrap_or_default(),
                _ if word.starts_with(PartState::FIRST) => {
                    state.split_state.neighbour = word.as_bytes()[PartState::FIRST.len()..].to_vec();
                }
                _ => return Err(format!("state has the word {word:?}, which jigo split does not write")),
            }
        }
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, EUC_KR, GBK, SHIFT_JIS, WINDOWS_1252};

    #[test]
    fn states_and_faults_round_trip_as_text() {
        for detected_charset in [None, Some(GBK), Some(BIG5), Some(SHIFT_JIS), Some(EUC_KR), Some(WINDOWS_1252)] {
            for utf16 in [None, Some(UTF_16LE), Some(UTF_16BE)] {
                for lines_begin_games in [false, true] {
                    let neighbour = if lines_begin_games { b"GM".to_vec() } else { Vec::new() };
                    let (has_variations, in_oversized) = (utf16.is_some(), detected_charset.is_some());
                    let has_headerless_game = has_variations != in_oversized;
                    let split_state = SplitState {
                        detected_charset,
                        lines_begin_games,
                        neighbour,
                        has_variations,
                        in_oversized,
                        has_headerless_game,
                    };
                    let kind = RecordKind::all().nth(usize::from(lines_begin_games)).unwrap();
                    let state = PartState { utf16, split_state, kind };
                    assert_eq!(PartState::parse(&state.text()), Ok(state));
                }
            }
        }
        let fault = SourceFault { code: Code::ArchiveLimit, detail: "more than 7 files".into() };
        assert_eq!(SourceFault::parse(&fault.text()), Ok(fault));
        assert!(SourceFault::parse("no code").is_err());
    }
}
