//! The fixes table.

use std::fmt;

use super::finding::IDS;
use super::{FILE, GAME, column};
use crate::tables::formats::text::{Line, PLACE};
use crate::tables::table::{Cells, Kind, Row, Table, table};
use jigo_core::finding::Code;

/// Characters of a text before and after a mend that are kept.
const MOST_SHOWN: usize = 400;

/// One mend, with its place in the input.
pub struct FixRow<'a> {
    /// The source's name.
    pub file: &'a str,
    /// Which game of the source, from 1; `None` outside games.
    pub game: Option<u64>,
    /// Byte of the game's `(` in the source; of the text outside games.
    pub offset: u64,
    /// The finding that it is for.
    pub code: Code,
    /// What stands there.
    pub before: &'a str,
    /// What stands there then.
    pub after: &'a str,
    /// Whether it keeps what the record says.
    pub is_safe: bool,
    /// Byte in the source where the change begins.
    pub byte: u64,
    /// Whether it was made.
    pub is_made: bool,
    /// Why not, or what speaks for it.
    pub reason: &'a str,
}

/// A text that is not too long for a table.
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
