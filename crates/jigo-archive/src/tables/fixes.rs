//! The fixes table: one row per fix.

use std::fmt;

use super::findings::CODE_IDS;
use crate::row::line::{LOCATION, Line, severity_style};
use crate::row::shared_columns::{FILE, GAME, column, table};
use crate::row::{Cells, ColumnType, Row, Table};
use jigo_core::fix::Fix;

/// The maximum number of characters of the text before and after a fix that a row contains.
const MAX_CHARACTERS: usize = 400;
/// The same in a line for people.
const MAX_LINE_CHARACTERS: usize = 60;

/// One fix with its position in the input.
pub struct FixRow<'a> {
    /// The source's name.
    pub file: &'a str,
    /// The number of the game in the source, from 1; `None` outside games.
    pub game: Option<u64>,
    /// The byte in the source of the game's `(`, or of the stray text.
    pub offset: u64,
    /// The fix, with the offset of its first change in the source.
    pub fix: &'a Fix,
}

/// Shortens a text.
fn shorten(text: &str, max_characters: usize) -> String {
    match text.char_indices().nth(max_characters) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

impl Row for FixRow<'_> {
    table! {
        "fixes", "one row for each fix, made or not, and each suggested correction of a typing error, written by jigo fix", |row|
        FILE => row.file,
        GAME => row.game,
        column("offset", ColumnType::Integer, "byte of the game's ( in the file, from 0; outside games, the byte of the text").not_null() => row.offset,
        column("code", ColumnType::Word(&CODE_IDS), "code of the finding; see jigo explain CODE").not_null() => row.fix.code.id(),
        column("before", ColumnType::Text, "text in the record") => shorten(&row.fix.before, MAX_CHARACTERS).as_str(),
        column("after", ColumnType::Text, "text after the fix; empty if the fix removes text") => shorten(&row.fix.after, MAX_CHARACTERS).as_str(),
        column("safe", ColumnType::Flag, "whether the fix is safe: turns, setup and the meaning of the header stay the same").not_null() => row.fix.is_safe,
        column("byte", ColumnType::Integer, "byte of the file where the change begins, from 0; of its UTF-8 text if the file is UTF-16").not_null() => row.fix.at,
        column("made", ColumnType::Flag, "whether the fix was made").not_null() => row.fix.is_made,
        column("reason", ColumnType::Text, "why the fix was not made; for a correction, its rank and the evidence for it") => row.fix.reason.as_str(),
        column("line", ColumnType::Integer, "line of the file where the change begins, from 1; empty outside games") => row.fix.line,
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        use fmt::Write as _;
        let Fix { code, before, after, is_safe, is_made, reason, picture, .. } = self.fix;
        line.styled(LOCATION, format_args!("{}", self.file))?;
        self.fix.line.map_or(Ok(()), |number| line.styled(LOCATION, format_args!(":{number}")))?;
        self.game.map_or(Ok(()), |game| line.styled(LOCATION, format_args!(":{game}")))?;
        line.write_str(" ")?;
        line.styled(severity_style(code.severity()), format_args!("{}", code.id()))?;
        let [before, after] = [before, after].map(|text| shorten(text, MAX_LINE_CHARACTERS));
        match (before.as_str(), after.as_str()) {
            ("", _) => write!(line, " {}: adds {after:?}", code.name())?,
            (_, "") => write!(line, " {}: removes {before:?}", code.name())?,
            _ => write!(line, " {}: {before:?} -> {after:?}", code.name())?,
        }
        match (*is_made || picture.is_some(), reason.as_str()) {
            (true, "") if *is_safe => Ok(()),
            (true, "") => line.write_str(" (unsafe)"),
            (true, reason) => write!(line, "; {reason}"),
            (false, reason) => write!(line, " (not made: {reason})"),
        }
    }
}
