//! Sources with their mends: every byte that goes out again, and a row for each change.

mod fresh_reader;
mod mended_game;
mod proof;
mod shown;

use std::cell::RefCell;

use crate::pipeline::{Outside, Rest, RestKind, Visited, Visitor};
use crate::source::InputFormat;
use crate::tables::formats::{Format, Rows};
use jigo_core::analyze::{Analyzer, GameReport, Settings};
use jigo_core::finding::{Code, Severity};
use jigo_core::sgf::charset::Basis;
use jigo_core::sgf::{GameText, Unit};
use jigo_core::write::{Edit, Mended, Wanted, mend_judged};

use proof::SourceProof;
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
    /// What the inputs hold.
    pub input: InputFormat,
    /// The column of tables that has the texts.
    pub column: String,
}

/// What becomes of the sources of a batch.
pub struct Fixed {
    /// Parts of sources that are not proved yet, and proved ones, in order.
    outputs: Vec<Output>,
    /// The last part, which is added to.
    open: Option<SourcePart>,
    /// The counts of what is proved.
    pub count: FixCount,
}

/// A part of a source on its way out.
enum Output {
    Proved(Stretch),
    Unproved(SourcePart),
}

/// A part of a source, with fixes that are not proved yet.
struct SourcePart {
    file: String,
    /// How the source is cut, if this is its start.
    unit: Option<Unit>,
    recorded: Vec<u8>,
    shown: Vec<Shown>,
    end: Option<SourceEnd>,
}

/// A part of a source whose fixes are proved.
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
    /// It has games in UTF-16, and is UTF-8 when it goes out.
    pub is_converted: bool,
    /// Why it is not written.
    pub fault: Option<FixFault>,
    /// It is a file of its own: neither in an archive nor a row.
    pub is_file: bool,
}

/// Why a source is left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixFault {
    /// It is UTF-16 with units that are no characters.
    Lossy,
    /// It is too large to be proved at once, and a part of it could not be proved.
    Unproved,
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

impl Fixed {
    /// The part of a source that is added to.
    fn part(&mut self, file: &str) -> &mut SourcePart {
        let other = self.open.take_if(|open| open.file != file || open.end.is_some());
        self.outputs.extend(other.map(Output::Unproved));
        self.open.get_or_insert_with(|| SourcePart {
            file: file.to_owned(),
            unit: None,
            recorded: Vec::new(),
            shown: Vec::new(),
            end: None,
        })
    }

    /// Adds bytes of a source.
    fn push(&mut self, file: &str, bytes: &[u8], shown: Shown) {
        let part = self.part(file);
        part.recorded.extend_from_slice(bytes);
        part.shown.push(shown);
    }

    /// Adds bytes of a source that are left as they are.
    fn leave(&mut self, file: &str, bytes: &[u8], what: ShownKind) {
        self.push(file, bytes, Shown { length: bytes.len(), what, fix: None, conversion: None });
    }

    /// Proves the last source if all of it is here.
    fn prove(&mut self, fixes: &Fixes) {
        if let Some(part) = self.open.take_if(|part| part.unit.is_some()) {
            let proved = SourceProof::new(fixes, &part).add(part, &mut self.count);
            self.outputs.extend(proved.map(Output::Proved));
        }
    }
}

/// Proves the fixes of sources that come in several batches.
pub struct Proof<'a> {
    fixes: &'a Fixes,
    open: Option<SourceProof<'a>>,
}

impl<'a> Proof<'a> {
    /// Returns a proof for the parts that these fixes make.
    pub fn new(fixes: &'a Fixes) -> Proof<'a> {
        Proof { fixes, open: None }
    }

    /// Adds the next batch, and hands on each stretch that is proved. Returns the counts of these.
    ///
    /// # Errors
    /// The first error of `sink`.
    pub fn add<E>(&mut self, fixed: Fixed, mut sink: impl FnMut(Stretch) -> Result<(), E>) -> Result<FixCount, E> {
        let mut count = fixed.count;
        for output in fixed.outputs.into_iter().chain(fixed.open.map(Output::Unproved)) {
            match output {
                Output::Proved(stretch) => sink(stretch)?,
                Output::Unproved(part) => {
                    let is_end = part.end.is_some();
                    let open = self.open.take().filter(|open| open.is_of(&part));
                    let mut open = open.unwrap_or_else(|| SourceProof::new(self.fixes, &part));
                    open.add(part, &mut count).map_or(Ok(()), &mut sink)?;
                    self.open = (!is_end).then_some(open);
                }
            }
        }
        Ok(count)
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
        Fixed { outputs: Vec::new(), open: None, count: FixCount::default() }
    }

    fn game(&self, game: &Visited<'_>, part: &mut Fixed) {
        let mended = if self.leaves(game) { None } else { self.mended(game) };
        // A source that was UTF-16 is UTF-8 when it goes out, whatever else is mended.
        let is_converted = is_transcoded(game) && !self.leaves(game);
        let shown = Shown {
            length: game.text.bytes.len(),
            what: ShownKind::Game(game.text.charset),
            fix: Some(mended_game::fix(game, mended)),
            conversion: is_converted.then(|| mended_game::transcoded(game)),
        };
        part.push(game.text.file, game.text.bytes, shown);
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
            RestKind::Start(unit) => part.part(file).unit = Some(unit),
            RestKind::End { is_whole, is_file } => {
                part.part(file).end = Some(SourceEnd { is_whole, is_converted: false, fault: None, is_file });
                part.prove(self);
            }
            RestKind::Outside { code, byte } => {
                let is_safe = !has_property(bytes);
                let fix = self.wanted.wants(code, is_safe).then(|| removal(bytes, code, byte, is_safe));
                let shown = Shown { length: bytes.len(), what: ShownKind::Outside, fix, conversion: None };
                part.push(file, bytes, shown);
            }
            RestKind::Between => part.leave(file, bytes, ShownKind::Between),
        }
    }

    fn passed(&self, text: &GameText<'_>, _is_in_shard: bool, part: &mut Fixed) {
        part.leave(text.file, text.bytes, ShownKind::Game(text.charset));
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
