//! Sources with their mends: every byte that goes out again, and a row for each change.

mod mended_game;
mod recut;
mod shown;

use std::cell::RefCell;

use crate::pipeline::{Cut, Outside, Rest, RestKind, Visited, Visitor};
use crate::tables::formats::{Format, Rows};
use crate::tables::{FixRow, Row};
use jigo_core::analyze::{Analyzer, GameReport, Settings};
use jigo_core::finding::{Code, Severity};
use jigo_core::sgf::charset::Basis;
use jigo_core::sgf::{GameText, outside};
use jigo_core::write::{Edit, Mended, Wanted, mend_judged};

use shown::{MendRow, PartFix, Shown, ShownKind};

thread_local! {
    /// For games with judgements: those that the run analyses games with are in use.
    static ANALYZER: RefCell<Analyzer> = RefCell::new(Analyzer::default());
}

/// Mends games, and what stands between them.
pub struct Fixes {
    /// How games are analysed.
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
    /// What was shown of a text, until it is known which of its mends are made.
    shown: Vec<Shown>,
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

    /// Writes out what was shown of a text, with the mends that hold in it.
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

    /// Adds a part of a text that is left as it is.
    fn leave(&mut self, bytes: &[u8], what: ShownKind) {
        self.shown.push(Shown { length: bytes.len(), what, fix: None });
    }
}

impl Fixes {
    /// Whether a game is left as it is: one of a source in UTF-16, where that is to stay.
    fn leaves(&self, game: &Visited<'_>) -> bool {
        is_transcoded(game) && !self.wanted.wants(Code::NotUtf8, true)
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
}

impl Visitor for Fixes {
    type Part = Fixed;

    fn part(&self) -> Fixed {
        let (stretches, shown) = (Vec::new(), Vec::new());
        Fixed { stretches, count: FixCount::default(), format: self.format, shown }
    }

    fn game(&self, game: &Visited<'_>, part: &mut Fixed) {
        let mended = if self.leaves(game) { None } else { self.mended(game) };
        let mut fix = mended_game::fix(game, mended);
        // A source that was UTF-16 is UTF-8 when it goes out, whatever else is mended.
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
                // A lone parenthesis says nothing. Any other text may matter to someone, and a part of a game always does.
                let is_safe = code == Code::ExtraParenthesis || outside::is_padding(bytes);
                let is_wanted = code != Code::TurnsOutsideGames && self.wanted.wants(code, is_safe);
                let fix = is_wanted.then(|| removal(bytes, code, byte, is_safe));
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

/// Whether a game's source is UTF-16.
fn is_transcoded(game: &Visited<'_>) -> bool {
    game.text.charset.basis == Basis::Transcoded
}

/// Takes a text outside games out.
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
