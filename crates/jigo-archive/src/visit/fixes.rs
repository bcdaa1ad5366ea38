//! Sources with their fixes: every byte of the output, and one row per change.

mod fresh_reader;
mod mended_game;
mod proof;
mod shown;
mod unsafe_fixes;

use std::cell::RefCell;

use crate::pipeline::{NonGameBytes, NonGameKind, Shard, SourceFinding, Visited, Visitor};
use crate::source::InputFormat;
use crate::tables::formats::{Format, Rows};
use jigo_core::analysis::{Analyzer, GameReport, Settings};
use jigo_core::fix::Edit;
use jigo_core::fix::Mended;
use jigo_core::fix::Wanted;
use jigo_core::fix::mend_judged;
use jigo_record::finding::{Code, Severity};
use jigo_record::sgf::charset::Basis;
use jigo_record::splitter::stray_text;
use jigo_record::splitter::{GameText, Unit};

use proof::SourceProof;
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
    /// The format of the inputs.
    pub input: InputFormat,
    /// The column of tables that contains the game texts.
    pub column: String,
    /// The column of tables that contains the identifiers.
    pub id_column: String,
}

/// The fixed sources of a batch.
pub struct Fixed {
    /// Unproved and proved parts of sources, in order.
    outputs: Vec<Output>,
    /// The last part, which may still grow.
    open: Option<SourcePart>,
    /// The counts of the proved parts.
    pub count: FixCount,
    /// The unsafe fixes that the run omits.
    pub unsafe_fixes: UnsafeFixes,
}

/// A segment of a source in the output.
enum Output {
    Proved(Stretch),
    Unproved(SourcePart),
}

/// A part of a source with unproved fixes.
struct SourcePart {
    file: String,
    /// The unit into which the source is divided, if the part is the start of the source.
    unit: Option<Unit>,
    recorded: Vec<u8>,
    shown: Vec<Shown>,
    end: Option<SourceEnd>,
}

/// A part of a source with proved fixes.
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
    /// True if the source has games in UTF-16 and its output is UTF-8.
    pub is_converted: bool,
    /// The reason why the source is not written.
    pub fault: Option<FixFault>,
    /// True if the source is a file on disk, not a member of an archive or a row.
    pub is_file: bool,
}

/// The reason why a source stays unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixFault {
    /// The source is UTF-16 with units that are not characters.
    Lossy,
    /// The source is too large for one proof, and the proof of a part failed.
    Unproved,
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

impl Fixed {
    /// Returns the last part of a source, or adds one.
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

    /// Appends bytes of a source.
    fn push(&mut self, file: &str, bytes: &[u8], shown: Shown) {
        let part = self.part(file);
        part.recorded.extend_from_slice(bytes);
        part.shown.push(shown);
    }

    /// Adds unchanged bytes of a source.
    fn leave(&mut self, file: &str, bytes: &[u8], (is_utf16, what): (bool, ShownKind)) {
        self.push(file, bytes, Shown { length: bytes.len(), is_utf16, what, fix: None, conversion: None });
    }

    /// Proves the last source if it is complete.
    fn prove(&mut self, fixes: &Fixes) {
        if let Some(part) = self.open.take_if(|part| part.unit.is_some()) {
            let proved = SourceProof::new(fixes, &part).add(part, &mut self.count);
            self.outputs.extend(proved.map(Output::Proved));
        }
    }
}

/// The proof of fixes in sources that arrive in several batches.
pub struct Proof<'a> {
    fixes: &'a Fixes,
    open: Option<SourceProof<'a>>,
}

impl<'a> Proof<'a> {
    /// Returns a proof for parts with these fixes.
    pub fn new(fixes: &'a Fixes) -> Proof<'a> {
        Proof { fixes, open: None }
    }

    /// Adds the next batch and passes each proved segment to `sink`. Returns their counts.
    ///
    /// # Errors
    /// Returns the first error of `sink`.
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
    type Accumulator = Fixed;

    fn start_batch(&self) -> Fixed {
        Fixed { outputs: Vec::new(), open: None, count: FixCount::default(), unsafe_fixes: UnsafeFixes::default() }
    }

    fn visit_game(&self, game: &Visited<'_>, part: &mut Fixed) {
        let mended = if self.leaves(game) { None } else { self.mended(game, &self.wanted) };
        if !self.leaves(game) {
            self.count_unsafe(game, &mut part.unsafe_fixes);
        }
        // The output is UTF-8 even if the source is UTF-16, regardless of other fixes.
        let is_converted = is_transcoded(game) && !self.leaves(game);
        let shown = Shown {
            length: game.text.bytes.len(),
            is_utf16: is_transcoded(game),
            what: ShownKind::Game(game.text.charset),
            fix: Some(mended_game::fix(game, mended)),
            conversion: is_converted.then(|| mended_game::transcoded(game)),
        };
        part.push(game.text.file, game.text.bytes, shown);
    }

    fn visit_finding(&self, found: &SourceFinding<'_>, part: &mut Fixed) {
        part.count.errors_left += u64::from(found.finding.severity == Severity::Error);
    }

    fn needs_whole_source(&self) -> bool {
        true
    }

    fn visit_non_game(&self, rest: &NonGameBytes<'_>, part: &mut Fixed) {
        let &NonGameBytes { file, bytes, is_utf16, kind } = rest;
        match kind {
            NonGameKind::Start(unit) => part.part(file).unit = Some(unit),
            NonGameKind::End { is_whole, is_file } => {
                part.part(file).end = Some(SourceEnd { is_whole, is_converted: false, fault: None, is_file });
                part.prove(self);
            }
            NonGameKind::StrayText { code, byte } => {
                // A lone parenthesis carries no information. Other text may matter, and a part of a
                // game always does.
                let is_line_end = || is_utf16 && stray_text::is_narrow_line_end(bytes);
                let is_safe = code == Code::ExtraParenthesis || stray_text::is_padding(bytes) || is_line_end();
                let can_fix = code != Code::TurnsOutsideGames;
                if can_fix && self.wanted.wants(code, true) && !self.wanted.wants(code, is_safe) {
                    part.unsafe_fixes.count(code);
                }
                let is_wanted = can_fix && self.wanted.wants(code, is_safe);
                let fix = is_wanted.then(|| removal(bytes, code, byte, is_safe));
                let what = ShownKind::Outside;
                let shown = Shown { length: bytes.len(), is_utf16, what, fix, conversion: None };
                part.push(file, bytes, shown);
            }
            NonGameKind::Gap => part.leave(file, bytes, (is_utf16, ShownKind::Between)),
        }
    }

    fn visit_rejected(&self, text: &GameText<'_>, _shard: Shard, part: &mut Fixed) {
        let is_utf16 = text.charset.basis == Basis::Transcoded;
        part.leave(text.file, text.bytes, (is_utf16, ShownKind::Game(text.charset)));
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
