//! The keys by which records of one game find each other, with what is needed to tell whether they are.

use std::sync::Arc;

use jigo_core::analyze::Settings;
use jigo_core::compare::{Keys, POSITIONS};
use jigo_core::finding::Severity;
use jigo_core::write::stated;

use super::in_table::ToRows;
use super::offers::pack_stated;
use crate::pipeline::{Visited, Visitor, hash};
use crate::tables::formats::Rows;
use crate::tables::{KeyRow, Row, Table};

/// A game with its keys, where it stands, and what speaks for keeping it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedGame {
    /// The source's name.
    pub file: Arc<str>,
    /// Which game of the source, from 1.
    pub game: u64,
    /// Byte of its `(` in the source, from 0.
    pub offset: u64,
    /// Line of its `(` in the source, from 1.
    pub line: u64,
    /// A hash of its text.
    pub text: u64,
    /// B and W properties of its main line.
    pub turns: u32,
    /// The same without passes at the end.
    pub played: u32,
    /// Findings of severity error.
    pub errors: u32,
    /// Fields of the header that say something.
    pub filled: u8,
    /// The keys.
    pub keys: Keys,
    /// What takes part in comparisons, packed.
    pub sketch: Vec<u8>,
    /// What its root says, with the byte of the source behind it, packed; empty where nobody asked.
    pub stated: Vec<u8>,
}

/// Keeps every game that can be read, with its keys.
pub struct OfKeys {
    /// Keep what roots say, too.
    pub keeps_headers: bool,
}

fn ask(settings: &mut Settings) {
    settings.sketch = true;
    settings.positions = &POSITIONS;
}

impl Visitor for OfKeys {
    type Part = Vec<KeyedGame>;

    fn ask(&self, settings: &mut Settings) {
        ask(settings);
    }

    fn part(&self) -> Vec<KeyedGame> {
        Vec::new()
    }

    fn game(&self, &Visited { text, report, reported }: &Visited<'_>, part: &mut Vec<KeyedGame>) {
        let Some(sketch) = &report.sketch else { return };
        let file = match part.last() {
            Some(last) if *last.file == *text.file => Arc::clone(&last.file),
            _ => text.file.into(),
        };
        part.push(KeyedGame {
            file,
            game: text.game,
            offset: text.offset,
            line: text.line,
            text: hash(text.bytes, 0),
            turns: report.tally.turns,
            played: sketch.played().len() as u32,
            errors: reported.iter().filter(|finding| finding.severity == Severity::Error).count() as u32,
            filled: sketch.header.filled,
            keys: Keys::of(sketch, &report.positions),
            sketch: sketch.pack(),
            stated: if self.keeps_headers { pack_stated(text, stated(text, &report.header)) } else { Vec::new() },
        });
    }
}

/// Writes the keys of games.
pub struct KeyRows;

impl ToRows for KeyRows {
    const TABLE: &'static Table = KeyRow::TABLE;

    fn ask(&self, settings: &mut Settings) {
        ask(settings);
    }

    fn game(&self, &Visited { text, report, .. }: &Visited<'_>, rows: &mut Rows) {
        if let Some(sketch) = &report.sketch {
            let keys = Keys::of(sketch, &report.positions);
            rows.push(&KeyRow { text, turns: report.tally.turns, text_hash: hash(text.bytes, 0), keys: &keys });
        }
    }
}
