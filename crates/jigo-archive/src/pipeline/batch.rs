//! One batch: analysis of its games, and its rows in memory.

use std::cell::{LazyCell, RefCell};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::baseline::{FileRead, FindingKey};
use super::combined_findings::combine;
use super::job::Job;
use super::selection::{RejectedGame, Rejection};
use super::visitor::{BatchOutput, NonGameBytes, NonGameKind, SourceFinding, VisitedGame, Visitor};
use crate::records::chunk::{Chunk, ChunkItem};
use crate::records::{Origin, ReadSettings, RowFinding, WorkItem, WorkItemContent};
use crate::source::rows::file_part::SourceFault;
use crate::source::signatures::replaced_content_message;
use crate::source::{ContentKind, Source, SourceKind};
use crate::summary::Summary;
use jigo_core::analysis::{Analyzer, GameReport, Settings};
use jigo_record::finding::{Code, Finding, Place};
use jigo_record::formats::stray_finding;
use jigo_record::record::position_json::PositionRecord;
use jigo_record::splitter::{Close, GameText, Piece};

/// Inputs that one thread works on together.
pub(super) struct Batch {
    pub items: Vec<WorkItem>,
}

thread_local! {
    /// Boards and histories are large, so each thread reuses one analyzer.
    static ANALYZER: RefCell<Analyzer> = RefCell::new(Analyzer::default());
}

impl Batch {
    /// Analyses the games of the batch within `bounds`, until there are enough rows.
    ///
    /// A few bytes of input can contain many games with long names and many findings.
    pub(super) fn process<T: Send>(
        &self,
        read_settings: ReadSettings<'_>,
        job: &Job,
        visitor: &dyn Visitor<Accumulator = T>,
        bounds: BatchLimits<'_>,
    ) -> BatchOutput<T> {
        let mut output = BatchOutput {
            product: visitor.start_batch(),
            next_step: None,
            is_interrupted: false,
            messages: Vec::new(),
            summary: Summary::default(),
            rejected: 0,
        };
        ANALYZER.with_borrow_mut(|analyzer| {
            analyzer.stop_on(bounds.interrupt);
            let mut worker = Worker { analyzer, job, bounds, visitor, output: &mut output, step: 0, bytes: 0 };
            for item in &self.items {
                let flow = item.open(read_settings, &mut |origin, content| match worker.is_finished() {
                    true => ControlFlow::Break(()),
                    false => {
                        worker.visit_content(origin, content);
                        ControlFlow::Continue(())
                    }
                });
                if flow.is_break() {
                    break;
                }
            }
        });
        output
    }
}

/// The limits at which the work on a batch ends early.
#[derive(Clone, Copy)]
pub(super) struct BatchLimits<'a> {
    /// The number of completed steps to skip.
    pub first_step: u64,
    /// The maximum number of games.
    pub games: u64,
    /// The approximate size of the rows, in bytes, after which the work ends.
    pub bytes: usize,
    /// The signal that interrupts the run, or 0.
    pub interrupt: &'a Arc<AtomicUsize>,
}

/// The detail of the finding on a text of an unknown format.
const NO_GAME_DETAIL: &str = "neither a record, which begins with (;, nor rows of a board such as . X O, \
                              nor turns such as Q16 D4: jigo explain I002 names the formats";
/// The approximate size of the rows, in bytes, after which the rest of a batch becomes another
/// output.
pub(super) const OUTPUT_BYTES: usize = 4 << 20;
/// The maximum of this size for the following outputs.
///
/// Each output has twice the size of the previous one, because each one opens and splits the work
/// items again.
pub(super) const MAX_OUTPUT_BYTES: usize = 64 << 20;
/// The approximate size of a row in bytes, without the name of its source.
const ROW_BYTES: usize = 200;

/// Adds the contents of the work items to the output.
struct Worker<'a, T> {
    analyzer: &'a mut Analyzer,
    job: &'a Job,
    bounds: BatchLimits<'a>,
    visitor: &'a dyn Visitor<Accumulator = T>,
    output: &'a mut BatchOutput<T>,
    /// The number of games and of findings outside games, including those of earlier outputs.
    step: u64,
    /// The approximate size of the rows, in bytes.
    bytes: usize,
}

impl<'a, T: Send> Worker<'a, T> {
    fn visit_content(&mut self, origin: Origin<'_>, content: WorkItemContent<'_>) {
        match content {
            WorkItemContent::Text(chunk) => self.visit_chunk(origin, chunk),
            WorkItemContent::Empty(reason) => self.report_source(origin, Code::NoGame, &reason),
            WorkItemContent::Failed(fault) => self.report_failed_source(origin, &fault),
            WorkItemContent::Row(RowFinding { code, detail, position }) => {
                // A readable row counts as a source when its games arrive.
                self.output.summary.sources += u64::from(code == Code::UnreadableRow && self.is_new());
                let finding = Finding::new(code, Place::default(), detail);
                let (byte, line) = position.map_or((0, None), |position| (position.byte, Some(position.line)));
                self.report_finding(origin, &finding, byte, line);
            }
        }
    }

    fn visit_chunk(&mut self, origin: Origin<'_>, chunk: &Chunk) {
        if self.is_new() {
            self.output.summary.sources += u64::from(origin.is_row && chunk.is_last);
            self.output.summary.bytes += chunk.bytes.len() as u64;
        }
        if chunk.offset == 0 {
            self.visit_non_game(origin, chunk, b"", NonGameKind::Start(chunk.content_kind.unit()));
        }
        self.visit_pieces(origin, chunk);
        if self.is_finished() {
            return;
        }
        if chunk.is_last {
            let is_file = matches!(origin.source.kind, SourceKind::File(..));
            let is_whole = chunk.fault.as_ref().is_none_or(|fault| is_file && fault.code == Code::NoGame);
            let end = NonGameKind::End { is_whole, is_file };
            self.visit_non_game(origin, chunk, b"", end);
        }
        if let Some(fault) = &chunk.fault {
            self.report_failed_source(origin, fault);
        } else if chunk.is_without_games() && !chunk.is_empty_source() {
            let is_start = chunk.offset == 0;
            let replaced_content = is_start.then(|| replaced_content_message(&chunk.bytes)).flatten();
            self.report_source(origin, Code::NoGame, replaced_content.unwrap_or(NO_GAME_DETAIL));
        }
    }

    /// Visits the pieces of a chunk and the text between them.
    fn visit_pieces(&mut self, origin: Origin<'_>, chunk: &Chunk) {
        let mut visited_to = 0;
        for (item, piece) in chunk.items(&origin.source.name).zip(&chunk.pieces) {
            if self.is_finished() {
                return;
            }
            let (Piece::Game(range, ..) | Piece::StrayText(range)) = piece;
            self.visit_non_game(origin, chunk, &chunk.bytes[visited_to..range.start], NonGameKind::Gap);
            visited_to = range.end;
            match item {
                ChunkItem::Game(text) => {
                    let text = GameText { index: self.job.settings.index.as_deref(), ..text };
                    match self.rejection(origin, &text) {
                        None => self.analyze_game(chunk.content_kind, &text),
                        Some(rejection) => self.reject(&text, rejection),
                    }
                }
                // A source without games has one finding for the whole source instead.
                ChunkItem::StrayText { bytes, .. } if chunk.is_without_games() => {
                    self.visit_non_game(origin, chunk, bytes, NonGameKind::Gap)
                }
                ChunkItem::StrayText { bytes, offset, line } => {
                    let text = String::from_utf8_lossy(bytes);
                    let excerpt: String = text.chars().take(40).collect();
                    let code = stray_finding::code(bytes);
                    let finding = Finding::new(code, Place::default(), format!("{excerpt:?}"));
                    self.report_finding(origin, &finding, offset, Some(line));
                    self.visit_non_game(origin, chunk, bytes, NonGameKind::StrayText { code, byte: offset });
                }
            }
        }
        if !self.is_finished() {
            self.visit_non_game(origin, chunk, &chunk.bytes[visited_to..], NonGameKind::Gap);
        }
    }

    fn analyze_game(&mut self, content_kind: ContentKind, text: &GameText) {
        if !self.start_step() {
            return;
        }
        match content_kind {
            ContentKind::Positions if text.close == Close::Oversized => {
                self.visit(text, &GameReport::long_line(self.job.settings.limits.line));
            }
            ContentKind::Positions => match PositionRecord::parse(text.bytes) {
                Ok(position) => {
                    let report = self.analyzer.analyze_position(&position, &self.job.settings);
                    self.visit(&GameText { file: &position.id, ..*text }, &report);
                }
                Err(reason) => self.visit(text, &GameReport::unreadable_position(&reason)),
            },
            // A row's text arrives unpacked from its row.
            ContentKind::Records(_)
            | ContentKind::JsonRows
            | ContentKind::CsvRows(_)
            | ContentKind::MissingColumn
            | ContentKind::Foreign(_) => {
                let given_stones = self.job.selection.given_stones(text);
                let own_settings =
                    given_stones.map(|stones| Settings { given_stones: Some(stones), ..self.job.settings.clone() });
                let report = self.analyzer.analyze(text, own_settings.as_ref().unwrap_or(&self.job.settings));
                self.bytes += visit(text, report, self.job, self.visitor, self.output);
            }
        }
    }

    fn visit(&mut self, text: &GameText, report: &GameReport) {
        self.bytes += visit(text, report, self.job, self.visitor, self.output);
    }

    /// Returns the reason why a game is not selected, if it is known before the analysis.
    fn rejection(&self, origin: Origin<'_>, text: &GameText) -> Option<Rejection<'a>> {
        let job = self.job;
        match () {
            () if !self.owns_game(origin, text.game) => Some(Rejection::OtherShard),
            () if self.is_full() => Some(Rejection::Limit),
            () => job.selection.rejection(text, &job.settings),
        }
    }

    /// Skips a game that is not selected.
    fn reject(&mut self, text: &GameText, rejection: Rejection<'_>) {
        let is_own = !matches!(rejection, Rejection::OtherShard);
        if (is_own || self.visitor.needs_whole_source()) && self.start_step() {
            self.bytes += reject(text, rejection, self.visitor, self.output);
        }
    }

    /// Passes text that belongs to no game to the visitor, if the visitor needs the whole source.
    fn visit_non_game(&mut self, origin: Origin<'_>, chunk: &Chunk, bytes: &[u8], kind: NonGameKind) {
        let has_content = !bytes.is_empty() || matches!(kind, NonGameKind::Start(_) | NonGameKind::End { .. });
        if has_content && self.visitor.needs_whole_source() && self.start_step() {
            self.bytes += bytes.len();
            let text = NonGameBytes { file: &origin.source.name, bytes, is_utf16: chunk.utf16.is_some(), kind };
            self.visitor.visit_non_game(&text, &mut self.output.product);
        }
    }

    /// Starts the next step. Returns true unless an earlier output contains it.
    fn start_step(&mut self) -> bool {
        let is_new = self.is_new();
        self.step += 1;
        is_new
    }

    /// Returns true if no earlier output contains the next step.
    fn is_new(&self) -> bool {
        self.step >= self.bounds.first_step
    }

    fn report_failed_source(&mut self, origin: Origin<'_>, fault: &SourceFault) {
        self.output.summary.failed_sources += u64::from(origin.source.is_named && self.is_new());
        self.job.record_file(&origin.source.name, FileRead::Partial);
        self.report_source(origin, fault.code, &fault.detail);
    }

    fn report_source(&mut self, origin: Origin<'_>, code: Code, detail: &str) {
        if origin.source.is_named && self.owns_source(origin) && self.is_new() {
            self.output.messages.push(format!("{}: {}: {detail}", origin.source.name, code.name()));
        }
        self.report_finding(origin, &Finding::new(code, Place::default(), detail), 0, None);
    }

    /// Reports a finding outside games.
    fn report_finding(&mut self, origin: Origin<'_>, finding: &Finding, byte: u64, line: Option<u64>) {
        let Source { name, is_named, .. } = origin.source;
        if !self.start_step() {
            return;
        }
        self.job.record_file(name, FileRead::Whole);
        let key = || FindingKey::outside_games(name, finding, line.map(|_| finding.detail.as_str()));
        if !self.owns_source(origin) || !self.job.is_reported(finding, key) {
            return;
        }
        self.output.summary.add_findings([finding]);
        self.bytes += ROW_BYTES + name.len();
        let is_on_stderr = *is_named && line.is_none();
        let finding = SourceFinding { file: name, byte, line, finding, is_on_stderr };
        self.visitor.visit_finding(&finding, &mut self.output.product);
    }

    /// Returns true if the work ends here.
    fn is_finished(&mut self) -> bool {
        self.output.is_interrupted |= self.bounds.interrupt.load(Ordering::Relaxed) != 0;
        if self.bytes + self.visitor.buffered_bytes(&self.output.product) >= self.bounds.bytes {
            self.output.next_step = Some(self.step);
        }
        self.output.is_interrupted
            || self.output.next_step.is_some()
            || (self.is_full() && !self.job.continues_after_limit)
    }

    /// Returns true if the batch has its maximum number of games.
    fn is_full(&self) -> bool {
        self.output.summary.found >= self.bounds.games
    }

    /// Returns true if a game of a source belongs to this shard.
    fn owns_game(&self, origin: Origin<'_>, game: u64) -> bool {
        let (shard, shards) = self.job.shard;
        (origin.index + game - 1) % shards == shard - 1
    }

    /// Returns true if the findings on a source belong to this shard. They belong to the shard of
    /// the source's first game.
    fn owns_source(&self, origin: Origin<'_>) -> bool {
        self.owns_game(origin, 1)
    }
}

/// Counts a game and passes it to the visitor, unless its report rejects it.
///
/// Returns the approximate size of its rows in bytes.
fn visit<T: Send>(
    text: &GameText,
    report: &GameReport,
    job: &Job,
    visitor: &dyn Visitor<Accumulator = T>,
    output: &mut BatchOutput<T>,
) -> usize {
    if let Some(baseline) = &job.baseline {
        baseline.record_game(text.file, report);
    }
    let number = LazyCell::new(|| FindingKey::game_number(text, report));
    let is_reported =
        |finding: &&Finding| job.is_reported(finding, || FindingKey::in_game(text.file, *number, report, finding));
    let unmet = job.unmet_expectations(report);
    let combined = combine(&report.findings.iter().chain(&unmet).filter(is_reported).collect::<Vec<_>>());
    let reported: Vec<&Finding> = combined.iter().map(AsRef::as_ref).collect();
    if let Some(rejection) = job.selection.rejection_after_analysis(report, &reported) {
        return reject(text, rejection, visitor, output);
    }
    let summary = &mut output.summary;
    summary.found += 1;
    summary.add_game(report.outcome, report.tally.turns, &reported);
    visitor.visit_game(&VisitedGame { text, report, reported: &reported }, &mut output.product);
    // The products are unknown here. A game has at least one row, and each finding and turn may
    // have one.
    let rows = 1 + reported.len() + report.scores.len() + report.turns.len();
    retained_bytes(text, visitor) + rows * (ROW_BYTES + text.file.len())
}

/// Counts a game that is not selected and passes it to the visitor.
///
/// Returns the approximate number of bytes that the visitor keeps of it.
fn reject<T: Send>(
    text: &GameText,
    rejection: Rejection<'_>,
    visitor: &dyn Visitor<Accumulator = T>,
    output: &mut BatchOutput<T>,
) -> usize {
    output.rejected += u64::from(!matches!(rejection, Rejection::OtherShard));
    visitor.visit_rejected(&RejectedGame { text, rejection }, &mut output.product);
    retained_bytes(text, visitor)
}

/// Returns the size of a game's text if the visitor needs the whole source, since it may keep the
/// text.
fn retained_bytes<T: Send>(text: &GameText, visitor: &dyn Visitor<Accumulator = T>) -> usize {
    if visitor.needs_whole_source() { text.bytes.len() } else { 0 }
}
