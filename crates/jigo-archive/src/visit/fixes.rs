//! Sources with their mends: every byte that goes out again, and a row for each change.

use std::cell::RefCell;

use jigo_core::analyze::{Analyzer, GameReport, Settings};
use jigo_core::finding::{Code, MendKind, Severity};
use jigo_core::sgf::GameText;
use jigo_core::sgf::charset::Basis;
use jigo_core::write::{Edit, Mend, Mended, Offered, Wanted, mend_judged};

use crate::pipeline::{Outside, Rest, RestKind, Visited, Visitor};
use crate::tables::formats::{Format, Rows};
use crate::tables::{FixRow, Row};

thread_local! {
    /// For games with judgements: those that the run analyses games with are in use.
    static ANALYZER: RefCell<Analyzer> = RefCell::new(Analyzer::default());
}

/// Mends games, and what stands between them.
pub struct Fixes {
    /// How games are analysed, the rulesets among it that turns are judged by.
    pub settings: Settings,
    /// Which mends are made.
    pub wanted: Wanted,
    /// How rows are written.
    pub format: Format,
}

/// What becomes of the sources of a batch.
pub struct Fixed {
    /// Their texts, one after the other.
    pub stretches: Vec<Stretch>,
    /// What was counted.
    pub count: FixCount,
    format: Format,
}

/// A part of a source on its way out.
pub struct Stretch {
    /// The source.
    pub file: String,
    /// The bytes as they are recorded.
    pub recorded: Vec<u8>,
    /// How they change, in order.
    pub changes: Vec<Edit>,
    /// Their mends, where there are any.
    pub rows: Option<Rows>,
    /// It has a game.
    pub has_game: bool,
    /// The source ends with it.
    pub end: Option<SourceEnd>,
}

/// How a source ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceEnd {
    /// All of it could be read.
    pub is_whole: bool,
    /// It is UTF-16, and its bytes here are UTF-8.
    pub is_utf16: bool,
    /// It is a file of its own: neither in an archive nor a row.
    pub is_file: bool,
}

/// What was done, and what is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixCount {
    /// Mends that keep what records say.
    pub safe: u64,
    /// Mends that rest on a judgement.
    pub judged: u64,
    /// Mends that would have changed what a record says, and were not made.
    pub refused: u64,
    /// Games with a mend.
    pub games: u64,
    /// Games with readings of a typing error of which none was taken.
    pub proposed: u64,
    /// Findings of severity error that no mend took away.
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

    /// Mends that were made.
    pub fn made(&self) -> u64 {
        self.safe + self.judged
    }
}

/// Bytes of text that go out as they are and are kept together.
const TOGETHER: usize = 64 << 10;

impl Fixed {
    /// Adds bytes of a source.
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

    /// Adds a row to the bytes that were added last.
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

    /// A row of a game's mend.
    fn row(&mut self, game: &Visited<'_>, mend: &Mend, is_made: bool, reason: &str) {
        let Mend { code, is_safe, at, before, after } = mend;
        self.tell(&FixRow {
            file: game.text.file,
            game: Some(game.text.game),
            offset: game.text.offset,
            code: *code,
            before,
            after,
            is_safe: *is_safe,
            byte: game.text.source_byte(*at),
            is_made,
            reason,
        });
    }

    /// Readings of a typing error, one row each.
    fn offered(&mut self, game: &Visited<'_>, mended: &Mended) {
        let count = mended.offered.len();
        self.count.proposed += u64::from(count > 0 && !mended.is_taken);
        for (index, Offered { mend, proposal }) in mended.offered.iter().enumerate() {
            let (slip, turn) = (proposal.slip.name(), proposal.slip.turn());
            let because = if proposal.evidence.is_empty() { "" } else { "; " };
            let reason = format!(
                "reading {} of {count}: {slip} at turn {turn}{because}{}",
                index + 1,
                proposal.evidence.join("; ")
            );
            self.row(game, mend, mended.is_taken, &reason);
        }
    }

    fn mended(&mut self, game: &Visited<'_>, mended: &Mended) {
        self.count.games += u64::from(!mended.mends.is_empty());
        let all = mended.mends.iter().map(|mend| (mend, true)).chain(mended.refused.iter().map(|mend| (mend, false)));
        for (mend, is_made) in all {
            match (is_made, mend.is_safe) {
                (false, _) => self.count.refused += 1,
                (true, true) => self.count.safe += 1,
                (true, false) => self.count.judged += 1,
            }
            // A reading that was taken is among those that were offered.
            if !is_made || !mended.offered.iter().any(|offered| offered.mend == *mend) {
                self.row(game, mend, is_made, if is_made { "" } else { NOT_PROVED });
            }
        }
        self.offered(game, mended);
    }
}

/// Why a mend is not made.
const NOT_PROVED: &str = "it could not be shown that the record says the same then";

impl Fixes {
    /// Whether a game is left as it is: one of a source in UTF-16, where that is to stay.
    fn leaves(&self, game: &Visited<'_>) -> bool {
        game.text.charset.basis == Basis::Transcoded && !self.wanted.wants(Code::NotUtf8, true)
    }

    /// A game with its mends.
    fn mended(&self, game: &Visited<'_>) -> Option<Mended> {
        let GameReport { findings, audit, .. } = game.report;
        mend_judged(game.text, (findings, audit.as_ref()), &self.wanted, |text| {
            ANALYZER.with_borrow_mut(|analyzer| {
                let GameReport { findings, audit, .. } = analyzer.analyze(text, &self.settings);
                (findings.clone(), audit.clone())
            })
        })
    }

    /// A source that was UTF-16 is UTF-8 when it goes out, whatever else is mended.
    fn transcoded(&self, game: &Visited<'_>, part: &mut Fixed) {
        part.count.safe += 1;
        part.tell(&FixRow {
            file: game.text.file,
            game: Some(game.text.game),
            offset: game.text.offset,
            code: Code::NotUtf8,
            before: game.text.charset.encoding.name(),
            after: "UTF-8",
            is_safe: true,
            byte: game.text.offset,
            is_made: true,
            reason: "",
        });
    }
}

impl Visitor for Fixes {
    type Part = Fixed;

    fn ask(&self, settings: &mut Settings) {
        settings.judges.clone_from(&self.settings.judges);
    }

    fn part(&self) -> Fixed {
        Fixed { stretches: Vec::new(), count: FixCount::default(), format: self.format }
    }

    fn game(&self, game: &Visited<'_>, part: &mut Fixed) {
        let is_error = |finding: &&&jigo_core::Finding| finding.severity == Severity::Error;
        let errors = game.reported.iter().filter(is_error);
        let mut mended = if self.leaves(game) { None } else { self.mended(game) };
        let changes = mended.as_mut().map_or_else(Vec::new, |mended| std::mem::take(&mut mended.changes));
        part.push(game.text.file, game.text.bytes, changes, true);
        if game.text.charset.basis == Basis::Transcoded && !self.leaves(game) {
            self.transcoded(game, part);
        }
        let Some(mended) = mended else {
            part.count.errors_left += errors.count() as u64;
            return;
        };
        let is_taken = |code: Code| {
            mended.is_taken && code.description().mending.is_some_and(|mending| mending.kind == MendKind::Proposed)
        };
        // With the pass written, nobody took a turn out of order.
        let is_by_pass = |made: Code, code: Code| (made, code) == (Code::ImpliedPass, Code::WrongColor);
        let mut made: Vec<Code> = mended.mends.iter().map(|mend| mend.code).collect();
        made.sort_unstable_by_key(|code| *code as usize);
        made.dedup();
        let is_left = |finding: &&&jigo_core::Finding| {
            !is_taken(finding.code) && !made.iter().any(|code| *code == finding.code || is_by_pass(*code, finding.code))
        };
        part.count.errors_left += errors.filter(is_left).count() as u64;
        part.mended(game, &mended);
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
                let is_made = self.wanted.wants(code, is_safe);
                let changes = if is_made { vec![Edit::delete(0..bytes.len())] } else { Vec::new() };
                part.push(file, bytes, changes, false);
                if is_made {
                    *(if is_safe { &mut part.count.safe } else { &mut part.count.judged }) += 1;
                    let before = String::from_utf8_lossy(bytes);
                    let (before, after, offset) = (&*before, "", byte);
                    let reason = "";
                    part.tell(&FixRow {
                        file,
                        game: None,
                        offset,
                        code,
                        before,
                        after,
                        is_safe,
                        byte,
                        is_made,
                        reason,
                    });
                }
            }
            RestKind::Between => part.push(file, bytes, Vec::new(), false),
        }
    }

    fn passed(&self, text: &GameText<'_>, _is_in_shard: bool, part: &mut Fixed) {
        part.push(text.file, text.bytes, Vec::new(), true);
    }
}

/// Whether a text outside games has something that looks like a property with its value, as the rest of a broken game has.
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
