//! Kinds of records: one table of their names, the suffixes of their files, the signs in their texts, how a file is cut into games, and how a game is read.
//!
//! A kind is a row of `ROWS` and a file in the folder `kinds` that makes SGF of a record, with the way back to its bytes; from there on all kinds are read as SGF is, by everything that reads SGF.

mod gib;
mod moves;
mod ngf;
mod stray;
mod ugf;

use std::io::Read;

pub(super) use stray::has_record;

use super::rewrite::Rewritten;
use crate::sgf::decode::Decoded;
use crate::sgf::extent::opens_game;
use crate::sgf::lexis::Lexis;
use crate::sgf::split::Close;
use crate::sgf::utf16::{Transcoder, utf16};
use crate::sgf::{GameText, Index, RecordKind, Unit};

/// Makes SGF of the text of one game in UTF-8; the header comes from the index where the record has none. Whatever the text is, it ends, in time that grows as the text does, and says
/// by findings what it could not read.
pub type RecordReader = fn(&str, Option<&Index>) -> Rewritten;

/// What there is to know of a kind of record.
struct Row {
    /// What it is called, as for `--input-format`.
    name: &'static str,
    /// The suffixes of its files' names, in small letters, without the dot.
    suffixes: &'static [&'static str],
    /// Whether the first bytes of a file show it, whatever its name. What it says no to may still be read as this kind, where its name says so.
    is_start: fn(&[u8]) -> bool,
    /// What a file is cut into.
    unit: Unit,
    /// How one game is made SGF; SGF is.
    reader: Option<RecordReader>,
}

/// All kinds. What shows no other kind is read as the first.
const ROWS: &[Row] = &[
    Row { name: "sgf", suffixes: &["sgf", "sgfs", "mgt"], is_start: begins_with_game, unit: Unit::Game, reader: None },
    Row {
        name: "gib",
        suffixes: &["gib"],
        is_start: gib::is_start,
        unit: Unit::Lines(&gib::FORMAT),
        reader: Some(|text, _| gib::rewrite(text)),
    },
    Row {
        name: "ngf",
        suffixes: &["ngf"],
        is_start: ngf::is_start,
        unit: Unit::Lines(&ngf::FORMAT),
        reader: Some(|text, _| ngf::rewrite(text)),
    },
    Row {
        name: "ugf",
        suffixes: &["ugf", "ugi"],
        is_start: ugf::is_start,
        unit: Unit::Lines(&ugf::FORMAT),
        reader: Some(|text, _| ugf::rewrite(text)),
    },
    Row {
        name: "moves",
        suffixes: &[],
        is_start: moves::is_start,
        unit: Unit::Lines(&moves::FORMAT),
        reader: Some(moves::rewrite),
    },
];

/// The text of a game as SGF in UTF-8, whatever kind and charset it is in, with the way back to its bytes.
pub fn decoded<'a>(text: &GameText<'a>) -> Decoded<'a> {
    let decoded = Decoded::new(text.bytes, text.charset);
    let Some(reader) = text.kind.row().reader else { return decoded };
    // Of what is too large nothing is read.
    let Rewritten { text: sgf, places, mut findings, is_encrypted } = match text.close {
        Close::Oversized => Rewritten::default(),
        _ => match std::str::from_utf8(&decoded.text) {
            Ok(text_in_utf8) => reader(text_in_utf8, text.index),
            // Much slower.
            Err(_) => reader(&String::from_utf8_lossy(&decoded.text), text.index),
        },
    };
    for finding in &mut findings {
        finding.place.at = decoded.source(finding.place.at);
    }
    let mut rewritten = decoded.rewritten(sgf, places);
    (rewritten.findings, rewritten.is_encrypted) = (findings, is_encrypted);
    rewritten
}

/// Whether a text begins with the `(` of a game.
fn begins_with_game(start: &[u8]) -> bool {
    let lexis = Lexis::utf8(start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start));
    let at = lexis.skip_space(0);
    lexis.bytes.get(at) == Some(&b'(') && opens_game(&lexis, at)
}

impl RecordKind {
    /// All kinds.
    pub fn all() -> impl Iterator<Item = RecordKind> {
        (0..ROWS.len() as u8).map(RecordKind)
    }

    fn row(self) -> &'static Row {
        // Only the table makes kinds.
        &ROWS[usize::from(self.0)]
    }

    /// The kind that a file's name shows by its suffix.
    pub fn of_name(name: &str) -> Option<RecordKind> {
        let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let (_, suffix) = last.rsplit_once('.')?;
        RecordKind::all().find(|kind| kind.suffixes().iter().any(|known| suffix.eq_ignore_ascii_case(known)))
    }

    /// The kind that the first bytes of a file show.
    pub fn of_start(start: &[u8]) -> Option<RecordKind> {
        let mut text = Vec::new();
        let start = match utf16(start) {
            // Reading from memory does not fail.
            Some(encoding) => {
                let _ = Transcoder::new(start, encoding).read_to_end(&mut text);
                &text
            }
            None => start,
        };
        RecordKind::all().find(|kind| (kind.row().is_start)(start))
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The suffixes of its files' names, in small letters, without the dot.
    pub fn suffixes(self) -> &'static [&'static str] {
        self.row().suffixes
    }

    /// How the names of records of all kinds end, as patterns: `*.sgf`.
    pub fn patterns() -> Vec<String> {
        RecordKind::all().flat_map(RecordKind::suffixes).map(|suffix| format!("*.{suffix}")).collect()
    }

    /// What a file of it is cut into.
    pub fn unit(self) -> Unit {
        self.row().unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_known_by_its_name_and_by_its_text() {
        let sgf = Some(RecordKind::default());
        let gib = RecordKind::of_start(b"\\HS\n\\[GIBOKIND=Global\\]\n");
        assert_eq!(gib.map(RecordKind::name), Some("gib"));
        for (name, kind) in [
            ("a/b.SGF", sgf),
            ("c:\\b.sgfs", sgf),
            ("x.zip!inner/b.mgt", sgf),
            ("a.GIB", gib),
            ("a.ugi", RecordKind::of_start(b"[Header]\nSize=19\n")),
            ("a.sgf/b", None),
            ("sgf", None),
            ("-", None),
        ] {
            assert_eq!(RecordKind::of_name(name), kind, "{name}");
        }
        for (start, kind) in [
            ("(;GM[1]", sgf),
            ("\u{FEFF} \n( ;FF[4]", sgf),
            ("(PB[x]", sgf),
            ("(see below)", None),
            ("dear all (;GM[1])", None),
            ("", None),
        ] {
            assert_eq!(RecordKind::of_start(start.as_bytes()), kind, "{start}");
        }
    }

    #[test]
    fn no_name_and_no_suffix_stands_twice() {
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
