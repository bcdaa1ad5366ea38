//! Formats of records, in one table: names, file suffixes, recognition, division into games, and
//! reader.
//!
//! A format is a `ROW` in a file of this folder. The file converts a record to SGF and maps SGF
//! bytes to the original bytes. All later code reads only SGF.

mod board;
pub mod decode;
mod gib;
mod moves;
mod ngf;
mod rewrite;
mod sgf;
mod skipped_record;
pub mod stray_finding;
mod stray_turns;
mod ugf;

use std::borrow::Cow;
use std::io::Read;

pub(super) use skipped_record::has_record;

use crate::formats::decode::Decoded;
use crate::formats::rewrite::ConvertedRecord;
use crate::sgf::encoding::utf16::{Transcoder, utf16};
use crate::sgf::tokens::lexer::{Lexer, is_header};
use crate::splitter::{Close, GameText, LineFormat, RECORD_START_WINDOW, RecordKind, Unit};
pub use rewrite::BareBoard;

/// Converts the UTF-8 text of one game to SGF. The game gives the place of the text, and the index
/// that has the headers of records without one.
///
/// For any text it terminates in time proportional to the text, and it reports unreadable parts as
/// findings.
pub type RecordReader = fn(&str, &GameText) -> ConvertedRecord;

/// The description of a format.
struct Row {
    /// The name, as for `--input-format`.
    name: &'static str,
    /// The suffixes of file names, in small letters and without the dot.
    suffixes: &'static [&'static str],
    /// Returns true if the first bytes of a file show this format. A file that is not recognised
    /// may still have this format by its name.
    is_start: fn(&[u8]) -> bool,
    /// Returns true if a line within a source of another format begins a record of this format.
    /// The text begins with that line, without blanks before it.
    begins_record: fn(&[u8]) -> bool,
    /// The division of a file into games. Unused for SGF, which is not divided by lines.
    lines: LineFormat,
    /// The reader of one game; `None` for SGF.
    reader: Option<RecordReader>,
}

/// All formats. Files without signs of a format are read as the first one.
const ROWS: [Row; 6] = [sgf::ROW, gib::ROW, ngf::ROW, ugf::ROW, moves::ROW, board::ROW];

/// Returns the text of a game as SGF in UTF-8 with a map to its original bytes, for any format and
/// charset.
pub fn decoded<'a>(text: &GameText<'a>) -> Decoded<'a> {
    let decoded = Decoded::new(text.bytes, text.charset);
    let Some(reader) = text.kind.row().reader else { return decoded };
    // An oversized game is not read.
    let convert = |text_in_utf8: &str| {
        let mut record = reader(text_in_utf8, text);
        skipped_record::report(text_in_utf8, &mut record);
        record
    };
    let ConvertedRecord { text: sgf, source_map, mut findings, unreadable, bare_board, .. } = match text.close {
        Close::Oversized => ConvertedRecord::default(),
        _ => match std::str::from_utf8(&decoded.text) {
            Ok(text_in_utf8) => convert(text_in_utf8),
            // The lossy conversion is much slower.
            Err(_) => convert(&String::from_utf8_lossy(&decoded.text)),
        },
    };
    for finding in &mut findings {
        finding.place.offset = decoded.source(finding.place.offset);
    }
    Decoded { text: Cow::Owned(sgf), source_map: Some(source_map), findings, unreadable, bare_board, ..decoded }
}

/// Returns true for a game without a header in a list of moves, except the first such game of its
/// file.
///
/// A list has no headers, so only its first game has findings about this.
pub fn is_later_game_without_header(text: &GameText<'_>) -> bool {
    text.follows_headerless_game
        && text.kind.is_headerless(text.bytes)
        && !text.index.is_some_and(|index| moves::is_in_index(text.bytes, index))
}

impl RecordKind {
    /// Returns all formats.
    pub fn all() -> impl Iterator<Item = RecordKind> {
        (0..ROWS.len() as u8).map(RecordKind)
    }

    fn row(self) -> &'static Row {
        // Only the table creates formats, so the index is valid.
        &ROWS[usize::from(self.0)]
    }

    /// Returns the format that the suffix of a file name shows.
    pub fn from_name(name: &str) -> Option<RecordKind> {
        let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let (_, suffix) = last.rsplit_once('.')?;
        RecordKind::all()
            .find(|kind| kind.suffixes().iter().any(|known_suffix| suffix.eq_ignore_ascii_case(known_suffix)))
    }

    /// Returns the format that the first bytes of a file show.
    pub fn from_start(start: &[u8]) -> Option<RecordKind> {
        let mut text = Vec::new();
        let start = match utf16(start) {
            // Reading from memory can't fail.
            Some(encoding) => {
                let _ = Transcoder::new(start, encoding).read_to_end(&mut text);
                &text
            }
            None => start,
        };
        RecordKind::all().find(|kind| (kind.row().is_start)(start))
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the suffixes of file names, in small letters and without the dot.
    pub fn suffixes(self) -> &'static [&'static str] {
        self.row().suffixes
    }

    /// Returns true if a game of this format has no header because the format has none.
    pub fn is_headerless(self, game: &[u8]) -> bool {
        (self.lines().is_headerless)(game)
    }

    /// Returns patterns such as `*.sgf` for the file names of all formats.
    pub fn patterns() -> Vec<String> {
        RecordKind::all().flat_map(RecordKind::suffixes).map(|suffix| format!("*.{suffix}")).collect()
    }

    /// Returns the unit into which a file is divided.
    pub fn unit(self) -> Unit {
        if self.row().reader.is_some() { Unit::Lines(self) } else { Unit::Game }
    }

    /// Returns the rules by which lines form games.
    pub(crate) fn lines(self) -> &'static LineFormat {
        &self.row().lines
    }

    // Files of several formats are sometimes appended to each other. Prose, mail and web pages may
    // look a bit like a record, so a change of the format needs positive signs: the first lines of a
    // header, or several turns.

    /// Returns the format of the record that begins at the start of a text, if it is not `current`.
    /// The text begins with a line of stray text, without blanks before it.
    pub(crate) fn at_start(text: &[u8], current: RecordKind) -> Option<RecordKind> {
        let text = &text[..text.len().min(RECORD_START_WINDOW)];
        let mut others = RecordKind::all().filter(|kind| *kind != current);
        others.find(|kind| (kind.row().begins_record)(text))
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
        let lexer = Lexer::utf8(&text[..text.len().min(RECORD_START_WINDOW)]);
        let has_header = match kind.name() {
            "sgf" => lexer.begins_node(1).is_some_and(is_header),
            "moves" => false,
            _ => true,
        };
        (!is_within_record || has_header).then_some(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_is_detected_by_name_and_by_text() {
        let sgf = Some(RecordKind::default());
        let gib = RecordKind::from_start(b"\\HS\n\\[GIBOKIND=Global\\]\n");
        assert_eq!(gib.map(RecordKind::name), Some("gib"));
        for (name, kind) in [
            ("a/b.SGF", sgf),
            ("c:\\b.sgfs", sgf),
            ("x.zip!inner/b.mgt", sgf),
            ("a.GIB", gib),
            ("a.ugi", RecordKind::from_start(b"[Header]\nSize=19\n")),
            ("a.sgf/b", None),
            ("sgf", None),
            ("-", None),
        ] {
            assert_eq!(RecordKind::from_name(name), kind, "{name}");
        }
        for (start, kind) in [
            ("(;GM[1]", sgf),
            ("\u{FEFF} \n( ;FF[4]", sgf),
            ("(PB[x]", sgf),
            ("(see below)", None),
            ("dear all (;GM[1])", None),
            ("", None),
        ] {
            assert_eq!(RecordKind::from_start(start.as_bytes()), kind, "{start}");
        }
    }

    #[test]
    fn names_and_suffixes_are_unique() {
        let names: Vec<&str> = RecordKind::all().map(RecordKind::name).collect();
        let suffixes: Vec<&str> = RecordKind::all().flat_map(RecordKind::suffixes).copied().collect();
        for list in [names, suffixes] {
            let mut once = list.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), list.len(), "{list:?}");
        }
    }
}
