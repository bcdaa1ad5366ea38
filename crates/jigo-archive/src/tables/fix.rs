//! The fixes table.

use std::fmt;

use super::finding::IDS;
use super::{FILE, GAME, column};
use crate::tables::formats::text::{Line, PLACE};
use crate::tables::table::{Cells, Kind, Row, Table, table};
use jigo_core::finding::Code;

/// The maximum number of characters of the text before and after a fix that a row contains.
const MOST_SHOWN: usize = 400;

/// One fix with its position in the input.
pub struct FixRow<'a> {
    /// The source's name.
    pub file: &'a str,
    /// The number of the game in the source, from 1; `None` outside games.
    pub game: Option<u64>,
    /// The byte in the source of the game's `(`, or of the stray text.
    pub offset: u64,
    /// The code of the finding that the fix addresses.
    pub code: Code,
    /// The text before the fix.
    pub before: &'a str,
    /// The text after the fix.
    pub after: &'a str,
    /// True if the fix keeps the meaning of the record.
    pub is_safe: bool,
    /// The first changed byte in the source.
    pub byte: u64,
    /// True if the fix was applied.
    pub is_made: bool,
    /// The reason why it was not applied, or the evidence for it.
    pub reason: &'a str,
}

/// Shortens a text for the table.
fn short(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

impl Row for FixRow<'_> {
    table! {
        "fixes", "one row for each fix, made or not, and each suggested correction of a typing error, written by jigo fix", |row|
        FILE => row.file,
        GAME => row.game,
        column("offset", Kind::Integer, "byte of the game's ( in the file, from 0; outside games, the byte of the text").always() => row.offset,
        column("code", Kind::Word(&IDS), "code of the finding; see jigo explain CODE").always() => row.code.id(),
        column("before", Kind::Text, "text in the record") => short(row.before).as_str(),
        column("after", Kind::Text, "text after the fix; empty if the fix removes text") => short(row.after).as_str(),
        column("safe", Kind::Flag, "whether the fix is safe: turns, setup and the meaning of the header stay the same").always() => row.is_safe,
        column("byte", Kind::Integer, "byte of the file where the change begins, from 0; of its UTF-8 text if the file is UTF-16").always() => row.byte,
        column("made", Kind::Flag, "whether the fix was made").always() => row.is_made,
        column("reason", Kind::Text, "why the fix was not made; for a correction, its rank and the evidence for it") => row.reason,
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        use fmt::Write as _;
        line.styled(PLACE, format_args!("{}", self.file))?;
        self.game.map_or(Ok(()), |game| write!(line, "#{game}"))?;
        let made = if self.is_made { "" } else { " (not made)" };
        write!(line, " {} {:?} -> {:?}{made} {}", self.code.id(), short(self.before), short(self.after), self.reason)
    }
}
