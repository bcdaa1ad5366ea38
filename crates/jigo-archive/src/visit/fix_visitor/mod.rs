//! Sources with their fixes: every byte of the output, and one row per change.

mod fix_settings;
mod fresh_reader;
mod game_fixes;
mod segment;
mod text_part;
mod utf16_source;
mod verifier;

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use crate::partial_result::PartialResult as _;
use crate::pipeline::{NonGameBytes, NonGameKind, RejectedGame, SourceFinding, VisitedGame, Visitor};
use crate::summary::CodeCounts;
use jigo_core::analysis::{Analyzer, GameReport, Settings};
use jigo_core::fix::{Assessment, Edit, Fix, FixOptions, FixedGame, Suggestions, fix_assessed_game};
use jigo_record::finding::{Code, Severity};
use jigo_record::sgf::charset::CharsetBasis;
use jigo_record::splitter::{Close, GameText, stray_text};

pub use fix_settings::FixSettings;
use segment::PendingSource;
pub use segment::{FixFault, Segment, SourceEnd};
pub use text_part::FixCount;
use text_part::{PartFixes, PartKind, TextPart};
use verifier::SourceVerifier;

thread_local! {
    /// The analyzer that verifies unsafe fixes. The run's own analyzer is in use at that time.
    static ANALYZER: RefCell<Analyzer> = RefCell::new(Analyzer::default());
}

/// The visitor that fixes games and the text between them.
pub struct FixVisitor {
    /// The settings of the analysis.
    pub settings: Settings,
    /// The settings of the fixes.
    pub fixes: FixSettings,
    /// The number of the signal that ends the run, or 0.
    pub interrupt: Arc<AtomicUsize>,
}

/// The fixed sources of a batch.
#[derive(Default)]
pub struct FixBatch {
    /// Unverified and verified parts of sources, in order.
    outputs: Vec<FixOutput>,
    /// The last part, which may still grow.
    open: Option<PendingSource>,
    /// The counts of the verified parts.
    pub count: FixCount,
    /// The unsafe fixes that the run omits.
    unsafe_fixes: CodeCounts,
}

/// A segment of a source in the output.
enum FixOutput {
    Verified(Segment),
    Pending(PendingSource),
}

impl FixBatch {
    /// Returns the pending part of a source, or starts one.
    fn last_source(&mut self, file: &str) -> &mut PendingSource {
        let other = self.open.take_if(|open| open.file != file || open.end.is_some());
        self.outputs.extend(other.map(FixOutput::Pending));
        self.open.get_or_insert_with(|| PendingSource { file: file.to_owned(), ..PendingSource::default() })
    }

    /// Appends bytes of a source.
    fn push(&mut self, file: &str, bytes: &[u8], part: TextPart) {
        let source = self.last_source(file);
        source.recorded.extend_from_slice(bytes);
        source.parts.push(part);
    }

    /// Adds unchanged bytes of a source.
    fn push_unchanged(&mut self, file: &str, bytes: &[u8], is_utf16: bool, kind: PartKind) {
        self.push(file, bytes, TextPart { length: bytes.len(), is_utf16, kind, ..TextPart::default() });
    }

    /// Verifies the last source if it is complete.
    fn verify(&mut self, fixes: &FixSettings) {
        if let Some(source) = self.open.take_if(|source| source.unit.is_some()) {
            let verified = SourceVerifier::new(fixes, &source).add(source, &mut self.count, &mut self.unsafe_fixes);
            self.outputs.extend(verified.map(FixOutput::Verified));
        }
    }
}

/// The verification of fixes in sources that arrive in several batches.
pub struct FixVerifier<'a> {
    fixes: &'a FixSettings,
    /// The unsafe fixes that the run omits.
    pub unsafe_fixes: CodeCounts,
    open: Option<SourceVerifier<'a>>,
}

impl<'a> FixVerifier<'a> {
    /// Returns a verification for parts with these fixes.
    pub fn new(fixes: &'a FixSettings) -> FixVerifier<'a> {
        FixVerifier { fixes, unsafe_fixes: CodeCounts::default(), open: None }
    }

    /// Adds the next batch and passes each verified segment to `sink`. Returns their counts.
    ///
    /// # Errors
    /// Returns the first error of `sink`.
    pub fn add<E>(&mut self, fixed: FixBatch, mut sink: impl FnMut(Segment) -> Result<(), E>) -> Result<FixCount, E> {
        let mut count = fixed.count;
        self.unsafe_fixes.add_part(fixed.unsafe_fixes);
        for output in fixed.outputs.into_iter().chain(fixed.open.map(FixOutput::Pending)) {
            match output {
                FixOutput::Verified(segment) => sink(segment)?,
                FixOutput::Pending(source) => {
                    let is_end = source.end.is_some();
                    let open = self.open.take().filter(|open| open.is_continued_by(&source));
                    let mut open = open.unwrap_or_else(|| SourceVerifier::new(self.fixes, &source));
                    open.add(source, &mut count, &mut self.unsafe_fixes).map_or(Ok(()), &mut sink)?;
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
        is_transcoded(game) && !self.fixes.options.includes_safe(Code::NotUtf8)
    }

    /// Counts the unsafe fixes that `--unsafe` would make in a game after its safe ones.
    fn count_unsafe(&self, game: &VisitedGame<'_>, fixed: Option<&FixedGame>, counts: &mut CodeCounts) {
        let is_unsafe = |code: Code| code.description().fix.is_some_and(|fix| fix.safety.has_unsafe());
        let is_wanted = |code: Code| self.fixes.options.codes.contains(code) && is_unsafe(code);
        if self.fixes.options.is_unsafe || !game.report.findings.iter().any(|finding| is_wanted(finding.code)) {
            return;
        }
        let options = FixOptions { is_unsafe: true, suggestions: Suggestions::Off, ..self.fixes.options.clone() };
        let text = fixed.filter(|fixed| !fixed.changes.is_empty()).map_or(*game.text, |fixed| fixed.text(game.text));
        let fixes = self.fixed_game(game, &text, &options).map(|fixed| fixed.fixes);
        fixes.into_iter().flatten().filter(|fix| !fix.is_safe).for_each(|fix| counts[fix.code] += 1);
    }

    /// Returns the number of fixes inside a game, without making them.
    pub fn count_fixes(&self, game: &VisitedGame<'_>) -> FixCount {
        if self.keeps_utf16(game) {
            return FixCount::default();
        }
        let fixed = self.fixed_game(game, game.text, &self.fixes.options);
        let mut more = CodeCounts::default();
        self.count_unsafe(game, fixed.as_ref(), &mut more);
        let fixes = fixed.map_or(Vec::new(), |fixed| fixed.fixes);
        let conversion = is_transcoded(game).then(|| game_fixes::conversion(game));
        let (safe, others): (Vec<&Fix>, Vec<&Fix>) = fixes.iter().chain(&conversion).partition(|fix| fix.is_safe);
        let (safe, unsafe_fixes) = (safe.len() as u64, others.len() as u64 + more.total());
        FixCount { safe, unsafe_fixes, games: u64::from(safe + unsafe_fixes > 0), ..FixCount::default() }
    }

    /// Returns the fixes of a game with this text.
    fn fixed_game(&self, game: &VisitedGame<'_>, text: &GameText<'_>, options: &FixOptions) -> Option<FixedGame> {
        let GameReport { findings, audit, .. } = game.report;
        let assessment = Assessment { findings: findings.into(), audit: audit.as_ref().map(Cow::Borrowed) };
        fix_assessed_game(text, &assessment, options, |text| {
            ANALYZER.with_borrow_mut(|analyzer| {
                analyzer.stop_on(&self.interrupt);
                let GameReport { findings, audit, .. } = analyzer.analyze(text, &self.settings);
                Assessment { findings: findings.clone().into(), audit: audit.clone().map(Cow::Owned) }
            })
        })
    }
}

impl Visitor for FixVisitor {
    type Accumulator = FixBatch;

    fn start_batch(&self) -> FixBatch {
        FixBatch::default()
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut FixBatch) {
        let fixed = if self.keeps_utf16(game) { None } else { self.fixed_game(game, game.text, &self.fixes.options) };
        if !self.keeps_utf16(game) {
            self.count_unsafe(game, fixed.as_ref(), &mut batch.unsafe_fixes);
        }
        // The output is UTF-8 even if the source is UTF-16, regardless of other fixes.
        let is_converted = is_transcoded(game) && !self.keeps_utf16(game);
        let text = game.text;
        let text_part = TextPart {
            length: text.bytes.len(),
            is_utf16: is_transcoded(game),
            kind: PartKind::Game(text.charset),
            is_open: text.close != Close::Parenthesis,
            game: Some(text.game),
            is_damaged: game_fixes::stays_damaged(game, fixed.as_ref()),
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

    fn visit_non_game(&self, &NonGameBytes { file, bytes, is_utf16, kind }: &NonGameBytes<'_>, batch: &mut FixBatch) {
        match kind {
            NonGameKind::Start(unit) => batch.last_source(file).unit = Some(unit),
            NonGameKind::End { is_whole, is_file } => {
                let (is_utf16, is_converted, fault) = (false, false, None);
                batch.last_source(file).end = Some(SourceEnd { is_whole, is_utf16, is_converted, fault, is_file });
                batch.verify(&self.fixes);
            }
            NonGameKind::StrayText { code, byte } => {
                // A lone parenthesis carries no information, unless the verifier finds a damaged
                // game before it. Other text may matter, and a part of a game always does.
                let is_line_end = || is_utf16 && stray_text::is_narrow_line_end(bytes);
                let is_safe = code == Code::ExtraParenthesis || stray_text::is_padding(bytes) || is_line_end();
                let can_fix = code != Code::TurnsOutsideGames;
                if can_fix && self.fixes.options.includes_safe(code) && !self.fixes.options.includes(code, is_safe) {
                    batch.unsafe_fixes[code] += 1;
                }
                let is_selected = can_fix && self.fixes.options.includes(code, is_safe);
                let fixes = is_selected.then(|| remove_stray_text(bytes, code, byte, is_safe));
                // A lone `(` that stays may open a tree that the parenthesis closes.
                let count = |sign: u8| bytes.iter().filter(|byte| **byte == sign).count();
                let is_damaged = fixes.is_none() && count(b'(') > count(b')');
                let (length, kind) = (bytes.len(), PartKind::StrayText);
                let part = TextPart { length, is_utf16, kind, is_damaged, offset: byte, fixes, ..TextPart::default() };
                batch.push(file, bytes, part);
            }
            NonGameKind::Gap => batch.push_unchanged(file, bytes, is_utf16, PartKind::Gap),
        }
    }

    fn visit_rejected(&self, &RejectedGame { text, .. }: &RejectedGame<'_>, batch: &mut FixBatch) {
        let is_utf16 = text.charset.basis == CharsetBasis::Transcoded;
        batch.push_unchanged(text.file, text.bytes, is_utf16, PartKind::Game(text.charset));
        if let Some(part) = batch.last_source(text.file).parts.last_mut() {
            part.is_open = text.close != Close::Parenthesis;
            part.is_damaged = part.is_open;
        }
    }
}

/// Returns true if the game's source is UTF-16.
fn is_transcoded(game: &VisitedGame<'_>) -> bool {
    game.text.charset.basis == CharsetBasis::Transcoded
}

/// Returns the fix that removes stray text.
fn remove_stray_text(text: &[u8], code: Code, byte: u64, is_safe: bool) -> PartFixes {
    let before = String::from_utf8_lossy(text).into_owned();
    PartFixes {
        changes: vec![Edit::delete(0..text.len())],
        fixes: vec![Fix::applied(code, is_safe, byte, before, String::new())],
        count: FixCount { safe: u64::from(is_safe), unsafe_fixes: u64::from(!is_safe), ..FixCount::default() },
        ..PartFixes::default()
    }
}
