//! Sources with their fixes: every byte of the output, and one row per change.

mod mended_game;
mod recut;
mod shown;
mod unsafe_fixes;

use std::cell::RefCell;

use crate::pipeline::{Cut, Outside, Rest, RestKind, Visited, Visitor};
use crate::tables::formats::{Format, Rows};
use crate::tables::{FixRow, Row};
use jigo_core::analyze::{Analyzer, GameReport, Settings};
use jigo_core::finding::{Code, Severity};
use jigo_core::sgf::GameText;
use jigo_core::sgf::charset::Basis;
use jigo_core::write::{Edit, Mended, Wanted, mend_judged};

use shown::{MendRow, PartFix, Shown, ShownKind};
pub use unsafe_fixes::UnsafeFixes;

thread_local! {
    /// The analyzer that verifies unsafe fixes. The run's own analyzer is in use at that time.
    static ANALYZER: RefCell<Analyzer> = RefCell::new(Analyzer::default());
}

/// The visitor that fixes games and the text between them.
pub struct Fixes {
    /// The settings of the analysis.
    pub settings: Settings,
    /// The selection of fixes.
    pub wanted: Wanted,
    /// The format of the rows.
    pub format: Format,
}

/// The fixed sources of a batch.
pub struct Fixed {
    /// The texts of the sources in order.
    pub stretches: Vec<Stretch>,
    /// The counts.
    pub count: FixCount,
    /// What `--unsafe` would do more.
    pub unsafe_fixes: UnsafeFixes,
    format: Format,
    /// The parts of the current text, until it is decided which of its fixes are applied.
    shown: Vec<Shown>,
}

/// A segment of a source in the output.
pub struct Stretch {
    /// The source.
    pub file: String,
    /// The recorded bytes.
    pub recorded: Vec<u8>,
    /// The changes to these bytes, in order.
    pub changes: Vec<Edit>,
    /// The rows of the fixes, if there are any.
    pub rows: Option<Rows>,
    /// True if the segment contains a game.
    pub has_game: bool,
    /// The end of the source, if the segment is the last one.
    pub end: Option<SourceEnd>,
}

/// The properties of a source that are known at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceEnd {
    /// True if all of the source could be read.
    pub is_whole: bool,
    /// True if the source is UTF-16. Its bytes in the segments are UTF-8.
    pub is_utf16: bool,
    /// True if the source is a file on disk, not a member of an archive or a row.
    pub is_file: bool,
}

/// The counts of fixes and of remaining errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixCount {
    /// Safe fixes: they keep the meaning of the record.
    pub safe: u64,
    /// Unsafe fixes: they depend on a judgement.
    pub judged: u64,
    /// Rejected fixes: they would have changed the meaning of the record.
    pub refused: u64,
    /// Games with a fix.
    pub games: u64,
    /// Games with suggested corrections, none of which was applied.
    pub proposed: u64,
    /// Findings of severity error that no fix removed.
    pub errors_left: u64,
}

impl FixCount {
    /// Adds the counts of another part.
    pub fn add(&mut self, other: &FixCount) {
        self.safe += other.safe;
        self.judged += other.judged;
        self.refused += other.refused;
        self.games += other.games;
        self.proposed += other.proposed;
        self.errors_left += other.errors_left;
    }

    /// Returns the number of applied fixes.
    pub fn made(&self) -> u64 {
        self.safe + self.judged
    }
}

/// The number of bytes from which the next text starts a new segment.
const TOGETHER: usize = 64 << 10;

impl Fixed {
    /// Appends bytes of a source.
    fn push(&mut self, file: &str, bytes: &[u8], changes: Vec<Edit>, has_game: bool) {
        match self.stretches.last_mut() {
            Some(last) if last.file == file && last.end.is_none() && last.recorded.len() < TOGETHER => {
                let from = last.recorded.len();
                let moved = changes
                    .into_iter()
                    .map(|Edit { range, text }| Edit { range: range.start + from..range.end + from, text });
                last.changes.extend(moved);
                last.recorded.extend_from_slice(bytes);
                last.has_game |= has_game;
            }
            _ => {
                let (file, recorded) = (file.to_owned(), bytes.to_vec());
                self.stretches.push(Stretch { file, recorded, changes, rows: None, has_game, end: None });
            }
        }
    }

    /// Adds a row to the latest segment.
    fn tell(&mut self, row: &FixRow<'_>) {
        if let Some(last) = self.stretches.last_mut() {
            last.rows.get_or_insert_with(|| Rows::new(self.format, FixRow::TABLE)).push(row);
        }
    }

    fn end(&mut self, file: &str, end: SourceEnd) {
        let is_open = |last: &&mut Stretch| last.file == file && last.end.is_none();
        if self.stretches.last_mut().filter(is_open).is_none() {
            self.push(file, b"", Vec::new(), false);
        }
        if let Some(last) = self.stretches.last_mut() {
            last.end = Some(end);
        }
    }

    /// Appends the parts of a text, with the fixes that keep its split.
    fn write(&mut self, cut: &Cut<'_>) {
        let shown = std::mem::take(&mut self.shown);
        let is_made = recut::proved(cut, &shown);
        let mut at = cut.bytes.len() - shown.iter().map(|part| part.length).sum::<usize>();
        for (Shown { length, what, fix }, is_made) in shown.into_iter().zip(is_made) {
            let bytes = &cut.bytes[at..at + length];
            at += length;
            let withheld = |fix: PartFix| if is_made || fix.changes.is_empty() { fix } else { fix.withheld() };
            let (changes, rows) = match fix.map(withheld) {
                Some(PartFix { changes, rows, count, .. }) => {
                    self.count.add(&count);
                    (changes, rows)
                }
                None => (Vec::new(), Vec::new()),
            };
            self.push(cut.file, bytes, changes, matches!(what, ShownKind::Game(_)));
            rows.iter().for_each(|row| self.tell(&row.of(cut.file)));
        }
    }

    /// Appends a part of a text without changes.
    fn leave(&mut self, bytes: &[u8], what: ShownKind) {
        self.shown.push(Shown { length: bytes.len(), what, fix: None });
    }
}

impl Fixes {
    /// Returns true if a game stays unchanged because its source is UTF-16 and must remain so.
    fn leaves(&self, game: &Visited<'_>) -> bool {
        is_transcoded(game) && !self.wanted.wants(Code::NotUtf8, true)
    }

    /// Returns a game with its fixes.
    fn mended(&self, game: &Visited<'_>, wanted: &Wanted) -> Option<Mended> {
        let GameReport { findings, audit, .. } = game.report;
        mend_judged(game.text, (findings, audit.as_ref()), wanted, |text| {
            ANALYZER.with_borrow_mut(|analyzer| {
                let GameReport { findings, audit, .. } = analyzer.analyze(text, &self.settings);
                (findings.clone(), audit.clone())
            })
        })
    }
}

impl Visitor for Fixes {
    type Part = Fixed;

    fn part(&self) -> Fixed {
        let (stretches, shown) = (Vec::new(), Vec::new());
        let unsafe_fixes = UnsafeFixes::default();
        Fixed { stretches, count: FixCount::default(), unsafe_fixes, format: self.format, shown }
    }

    fn game(&self, game: &Visited<'_>, part: &mut Fixed) {
        let mended = if self.leaves(game) { None } else { self.mended(game, &self.wanted) };
        if !self.leaves(game) {
            self.count_unsafe(game, &mut part.unsafe_fixes);
        }
        let mut fix = mended_game::fix(game, mended);
        // The output is UTF-8 even if the source is UTF-16, whatever else is fixed.
        if is_transcoded(game) && !self.leaves(game) {
            part.count.safe += 1;
            fix.rows.insert(0, mended_game::transcoded(game));
        }
        part.shown.push(Shown {
            length: game.text.bytes.len(),
            what: ShownKind::Game(game.text.charset),
            fix: Some(fix),
        });
    }

    fn outside(&self, found: &Outside<'_>, part: &mut Fixed) {
        part.count.errors_left += u64::from(found.finding.severity == Severity::Error);
    }

    fn sees_rest(&self) -> bool {
        true
    }

    fn rest(&self, rest: &Rest<'_>, part: &mut Fixed) {
        let &Rest { file, bytes, kind } = rest;
        match kind {
            RestKind::End { is_whole, is_utf16, is_file } => {
                part.end(file, SourceEnd { is_whole, is_utf16, is_file });
            }
            RestKind::Outside { code, byte } => {
                let is_safe = !has_property(bytes);
                if self.wanted.wants(code, true) && !self.wanted.wants(code, is_safe) {
                    part.unsafe_fixes.count(code);
                }
                let fix = self.wanted.wants(code, is_safe).then(|| removal(bytes, code, byte, is_safe));
                part.shown.push(Shown { length: bytes.len(), what: ShownKind::Outside, fix });
            }
            RestKind::Between => part.leave(bytes, ShownKind::Between),
        }
    }

    fn passed(&self, text: &GameText<'_>, _is_in_shard: bool, part: &mut Fixed) {
        part.leave(text.bytes, ShownKind::Game(text.charset));
    }

    fn cut(&self, cut: &Cut<'_>, part: &mut Fixed) {
        part.write(cut);
    }
}

/// Returns true if the game's source is UTF-16.
fn is_transcoded(game: &Visited<'_>) -> bool {
    game.text.charset.basis == Basis::Transcoded
}

/// Returns the fix that removes stray text.
fn removal(text: &[u8], code: Code, byte: u64, is_safe: bool) -> PartFix {
    let (before, after) = (String::from_utf8_lossy(text).into_owned(), String::new());
    let (offset, is_made, reason) = (byte, true, String::new());
    let row = MendRow { game: None, offset, code, is_safe, byte, before, after, is_made, reason };
    PartFix {
        changes: vec![Edit::delete(0..text.len())],
        becomes: ShownKind::Between,
        rows: vec![row],
        count: FixCount { safe: u64::from(is_safe), judged: u64::from(!is_safe), ..FixCount::default() },
        errors: 0,
        is_offered: false,
    }
}

/// Returns true if stray text contains something like a property with a value, as the rest of a
/// broken game does.
fn has_property(text: &[u8]) -> bool {
    memchr::memchr_iter(b'[', text).any(|open| {
        let letters = text[..open].iter().rev().take_while(|byte| byte.is_ascii_uppercase()).count();
        let before = text[..open - letters].last();
        let is_apart =
            before.is_none_or(|byte| matches!(byte, b';' | b']' | b'(' | b')') || byte.is_ascii_whitespace());
        (1..=2).contains(&letters) && is_apart && memchr::memchr(b']', &text[open..]).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_game_is_told_from_a_letter() {
        for rest in ["B[dd];W[pp])", "x ;C[good game] y", "(GM[1]", "AB[aa] "] {
            assert!(has_property(rest.as_bytes()), "{rest}");
        }
        for letter in [
            "From: someone (at) example [1]\nSubject: (; games",
            "see [2], and so on",
            "-- regards :) [x]",
            "arrayB[",
            "fooB[1]",
        ] {
            assert!(!has_property(letter.as_bytes()), "{letter}");
        }
    }
}
