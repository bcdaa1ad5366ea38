//! Sources with their fixes: every byte of the output, and one row per change.

mod fresh_reader;
mod game_fixes;
mod text_part;
mod unsafe_fixes;
mod utf16_source;
mod verifier;

use std::borrow::Cow;
use std::cell::RefCell;

use crate::formats::{Format, Rows};
use crate::pipeline::{NonGameBytes, NonGameKind, Shard, SourceFinding, VisitedGame, Visitor};
use crate::source::InputFormat;
use jigo_core::analysis::{Analyzer, GameReport, Settings};
use jigo_core::fix::{Assessment, Edit, Fix, FixOptions, FixedGame, fix_assessed_game};
use jigo_record::finding::{Code, Severity};
use jigo_record::sgf::charset::CharsetBasis;
use jigo_record::splitter::{GameText, Unit, stray_text};

use text_part::{PartFixes, PartKind, TextPart};
pub use unsafe_fixes::UnsafeFixes;
use verifier::SourceVerifier;

thread_local! {
    /// The analyzer that verifies unsafe fixes. The run's own analyzer is in use at that time.
    static ANALYZER: RefCell<Analyzer> = RefCell::new(Analyzer::default());
}

/// The visitor that fixes games and the text between them.
pub struct FixVisitor {
    /// The settings of the analysis.
    pub settings: Settings,
    /// The selection of fixes.
    pub options: FixOptions,
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
pub struct FixBatch {
    /// Unverified and verified parts of sources, in order.
    outputs: Vec<FixOutput>,
    /// The last part, which may still grow.
    open: Option<PendingSource>,
    /// The counts of the verified parts.
    pub count: FixCount,
    /// The unsafe fixes that the run omits.
    pub unsafe_fixes: UnsafeFixes,
}

/// A segment of a source in the output.
enum FixOutput {
    Verified(Segment),
    Pending(PendingSource),
}

/// A part of a source with unverified fixes.
struct PendingSource {
    file: String,
    /// The unit into which the source is divided, if the part is the start of the source.
    unit: Option<Unit>,
    recorded: Vec<u8>,
    parts: Vec<TextPart>,
    end: Option<SourceEnd>,
}

/// A part of a source with verified fixes.
pub struct Segment {
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
    /// The source is too large for one verification, and the verification of a part failed.
    Unverified,
}

/// The counts of fixes and of remaining errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixCount {
    /// Safe fixes: they keep the meaning of the record.
    pub safe: u64,
    /// Unsafe fixes: they depend on a judgement.
    pub unsafe_fixes: u64,
    /// Rejected fixes: they would have changed the meaning of the record.
    pub rejected: u64,
    /// Games with a fix.
    pub games: u64,
    /// Games with suggested corrections, none of which was applied.
    pub suggested: u64,
    /// Findings of severity error that no fix removed.
    pub errors_left: u64,
}

impl FixCount {
    /// Adds the counts of another part.
    pub fn add(&mut self, other: &FixCount) {
        self.safe += other.safe;
        self.unsafe_fixes += other.unsafe_fixes;
        self.rejected += other.rejected;
        self.games += other.games;
        self.suggested += other.suggested;
        self.errors_left += other.errors_left;
    }

    /// Returns the number of applied fixes.
    pub fn applied(&self) -> u64 {
        self.safe + self.unsafe_fixes
    }
}

impl FixBatch {
    /// Returns the pending part of a source, or starts one.
    fn last_source(&mut self, file: &str) -> &mut PendingSource {
        let other = self.open.take_if(|open| open.file != file || open.end.is_some());
        self.outputs.extend(other.map(FixOutput::Pending));
        self.open.get_or_insert_with(|| PendingSource {
            file: file.to_owned(),
            unit: None,
            recorded: Vec::new(),
            parts: Vec::new(),
            end: None,
        })
    }

    /// Appends bytes of a source.
    fn push(&mut self, file: &str, bytes: &[u8], part: TextPart) {
        let source = self.last_source(file);
        source.recorded.extend_from_slice(bytes);
        source.parts.push(part);
    }

    /// Adds unchanged bytes of a source.
    fn push_unchanged(&mut self, file: &str, bytes: &[u8], (is_utf16, kind): (bool, PartKind)) {
        let (length, offset) = (bytes.len(), 0);
        self.push(file, bytes, TextPart { length, is_utf16, kind, game: None, offset, fixes: None, conversion: None });
    }

    /// Verifies the last source if it is complete.
    fn verify(&mut self, fixes: &FixVisitor) {
        if let Some(source) = self.open.take_if(|source| source.unit.is_some()) {
            let verified = SourceVerifier::new(fixes, &source).add(source, &mut self.count);
            self.outputs.extend(verified.map(FixOutput::Verified));
        }
    }
}

/// The verification of fixes in sources that arrive in several batches.
pub struct FixVerifier<'a> {
    fixes: &'a FixVisitor,
    open: Option<SourceVerifier<'a>>,
}

impl<'a> FixVerifier<'a> {
    /// Returns a verification for parts with these fixes.
    pub fn new(fixes: &'a FixVisitor) -> FixVerifier<'a> {
        FixVerifier { fixes, open: None }
    }

    /// Adds the next batch and passes each verified segment to `sink`. Returns their counts.
    ///
    /// # Errors
    /// Returns the first error of `sink`.
    pub fn add<E>(&mut self, fixed: FixBatch, mut sink: impl FnMut(Segment) -> Result<(), E>) -> Result<FixCount, E> {
        let mut count = fixed.count;
        for output in fixed.outputs.into_iter().chain(fixed.open.map(FixOutput::Pending)) {
            match output {
                FixOutput::Verified(segment) => sink(segment)?,
                FixOutput::Pending(source) => {
                    let is_end = source.end.is_some();
                    let open = self.open.take().filter(|open| open.is_continued_by(&source));
                    let mut open = open.unwrap_or_else(|| SourceVerifier::new(self.fixes, &source));
                    open.add(source, &mut count).map_or(Ok(()), &mut sink)?;
                    self.open = (!is_end).then_some(open);
                }
            }
        }
        Ok(count)
    }
}

impl FixVisitor {
    /// Returns true if a game stays unchanged because its source is UTF-16 and must remain so.
    fn keeps_utf16(&self, game: &VisitedGame<'_>) -> bool {
        is_transcoded(game) && !self.options.includes(Code::NotUtf8, true)
    }

    /// Returns a game with its fixes.
    fn fixed_game(&self, game: &VisitedGame<'_>, options: &FixOptions) -> Option<FixedGame> {
        let GameReport { findings, audit, .. } = game.report;
        let assessment = Assessment { findings: findings.into(), audit: audit.as_ref().map(Cow::Borrowed) };
        fix_assessed_game(game.text, &assessment, options, |text| {
            ANALYZER.with_borrow_mut(|analyzer| {
                let GameReport { findings, audit, .. } = analyzer.analyze(text, &self.settings);
                Assessment { findings: findings.clone().into(), audit: audit.clone().map(Cow::Owned) }
            })
        })
    }
}

impl Visitor for FixVisitor {
    type Accumulator = FixBatch;

    fn start_batch(&self) -> FixBatch {
        FixBatch { outputs: Vec::new(), open: None, count: FixCount::default(), unsafe_fixes: UnsafeFixes::default() }
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut FixBatch) {
        let fixed = if self.keeps_utf16(game) { None } else { self.fixed_game(game, &self.options) };
        if !self.keeps_utf16(game) {
            self.count_unsafe(game, &mut batch.unsafe_fixes);
        }
        // The output is UTF-8 even if the source is UTF-16, regardless of other fixes.
        let is_converted = is_transcoded(game) && !self.keeps_utf16(game);
        let text = game.text;
        let text_part = TextPart {
            length: text.bytes.len(),
            is_utf16: is_transcoded(game),
            kind: PartKind::Game(text.charset),
            game: Some(text.game),
            offset: text.offset,
            fixes: Some(game_fixes::part_fixes(game, fixed)),
            conversion: is_converted.then(|| game_fixes::conversion(game)),
        };
        batch.push(text.file, text.bytes, text_part);
    }

    fn visit_finding(&self, finding: &SourceFinding<'_>, batch: &mut FixBatch) {
        batch.count.errors_left += u64::from(finding.finding.severity == Severity::Error);
    }

    fn needs_whole_source(&self) -> bool {
        true
    }

    fn visit_non_game(&self, rest: &NonGameBytes<'_>, batch: &mut FixBatch) {
        let &NonGameBytes { file, bytes, is_utf16, kind } = rest;
        match kind {
            NonGameKind::Start(unit) => batch.last_source(file).unit = Some(unit),
            NonGameKind::End { is_whole, is_file } => {
                batch.last_source(file).end = Some(SourceEnd { is_whole, is_converted: false, fault: None, is_file });
                batch.verify(self);
            }
            NonGameKind::StrayText { code, byte } => {
                // A lone parenthesis carries no information. Other text may matter, and a part of a
                // game always does.
                let is_line_end = || is_utf16 && stray_text::is_narrow_line_end(bytes);
                let is_safe = code == Code::ExtraParenthesis || stray_text::is_padding(bytes) || is_line_end();
                let can_fix = code != Code::TurnsOutsideGames;
                if can_fix && self.options.includes(code, true) && !self.options.includes(code, is_safe) {
                    batch.unsafe_fixes.count(code);
                }
                let is_selected = can_fix && self.options.includes(code, is_safe);
                let fixes = is_selected.then(|| remove_stray_text(bytes, code, byte, is_safe));
                let (length, kind, game, offset) = (bytes.len(), PartKind::StrayText, None, byte);
                batch.push(file, bytes, TextPart { length, is_utf16, kind, game, offset, fixes, conversion: None });
            }
            NonGameKind::Gap => batch.push_unchanged(file, bytes, (is_utf16, PartKind::Gap)),
        }
    }

    fn visit_rejected(&self, text: &GameText<'_>, _shard: Shard, batch: &mut FixBatch) {
        let is_utf16 = text.charset.basis == CharsetBasis::Transcoded;
        batch.push_unchanged(text.file, text.bytes, (is_utf16, PartKind::Game(text.charset)));
    }
}

/// Returns true if the game's source is UTF-16.
fn is_transcoded(game: &VisitedGame<'_>) -> bool {
    game.text.charset.basis == CharsetBasis::Transcoded
}

/// Returns the fix that removes stray text.
fn remove_stray_text(text: &[u8], code: Code, byte: u64, is_safe: bool) -> PartFixes {
    let texts = (String::from_utf8_lossy(text).into_owned(), String::new());
    PartFixes {
        changes: vec![Edit::delete(0..text.len())],
        expected_kind: PartKind::Gap,
        fixes: vec![Fix::applied(code, is_safe, byte, texts)],
        count: FixCount { safe: u64::from(is_safe), unsafe_fixes: u64::from(!is_safe), ..FixCount::default() },
        errors: 0,
        has_suggestions: false,
    }
}
