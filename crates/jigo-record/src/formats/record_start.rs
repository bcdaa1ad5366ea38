//! Starts of records of another format within a source.
//!
//! Files of several formats are sometimes appended to each other. Prose, mail and web pages may
//! look a bit like a record, so a change of the format needs positive signs: the first lines of a
//! header, or several turns.

use super::ROWS;
use crate::sgf::tokens::lexer::{self, Lexer};
use crate::splitter::{RECORD_START_WINDOW as WINDOW, RecordKind};

impl RecordKind {
    /// Returns the format of the record that begins at the start of a text, if it is not `current`.
    /// The text begins with a line of stray text, without blanks before it.
    pub(crate) fn at_start(text: &[u8], current: RecordKind) -> Option<RecordKind> {
        let text = &text[..text.len().min(WINDOW)];
        let mut others = RecordKind::all().filter(|kind| *kind != current);
        others.find(|kind| (ROWS[usize::from(kind.0)].begins_record)(text))
    }

    /// Returns true if a line within a record may begin a record of another format. This is a quick
    /// test that nearly no line of a sound record passes.
    pub(crate) fn may_interrupt(line: &[u8], next: &[u8]) -> bool {
        let is_size = || matches!(next.len(), 1 | 2) && next.iter().all(u8::is_ascii_digit);
        match line[0] {
            b'(' => true,
            b'\\' => line == b"\\HS",
            b'[' => line.eq_ignore_ascii_case(b"[Header]"),
            b'P' if line.starts_with(b"PM") => true,
            _ => is_size(),
        }
    }

    /// Returns the format of the record that begins at the start of a text, if it is not `current`.
    /// The text begins with a line that `current` accepts, within a record if `is_within_record` is
    /// true.
    ///
    /// Only headers end a record, since comments may contain anything else.
    pub(crate) fn interrupting(text: &[u8], current: RecordKind, is_within_record: bool) -> Option<RecordKind> {
        let kind = RecordKind::at_start(text, current)?;
        let lexer = Lexer::utf8(&text[..text.len().min(WINDOW)]);
        let has_header = match kind.name() {
            "sgf" => lexer.begins_node(1).is_some_and(lexer::is_header),
            "moves" => false,
            _ => true,
        };
        (!is_within_record || has_header).then_some(kind)
    }
}
