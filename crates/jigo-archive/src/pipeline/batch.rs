//! One batch: its games analysed, its rows written to memory.

use std::cell::{LazyCell, RefCell};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::baseline::Known;
use super::job::Job;
use super::visitor::{BatchOutput, Cut, Gather, Gathering, Outside, Rest, RestKind, Visited, Visitor};
use crate::records::chunk::{Chunk, Item};
use crate::records::part::Part;
use crate::records::{Found, Opening, Origin};
use crate::source::row::SourceFault;
use crate::source::{Holds, Source, SourceKind};
use crate::summary::Summary;
use jigo_core::analyze::{Analyzer, GameReport, Settings};
use jigo_core::finding::{Code, Finding, Place};
use jigo_core::record::bare::BarePosition;
use jigo_core::record::stray_text;
use jigo_core::sgf::split::Close;
use jigo_core::sgf::{GameText, Piece};

/// Inputs to work on together.
pub(super) struct Batch {
    pub parts: Vec<Part>,
}

thread_local! {
    /// Boards and histories are large: each thread keeps its own.
    static ANALYZER: RefCell<Analyzer> = RefCell::new(Analyzer::default());
}

impl Batch {
    /// Analyses the games of the batch, within `bounds`, until there are rows enough: a few bytes can be many games with long names and many findings.
    pub(super) fn process<V: Visitor>(
        &self,
        opening: Opening<'_>,
        (job, visitor): (&Job, &V),
        bounds: Bounds<'_>,
    ) -> BatchOutput<V::Part> {
        let mut gathering = Gathering { visitor, part: visitor.part() };
        let output = self.work(opening, job, bounds, &mut gathering);
        let BatchOutput { part: (), rest_from, is_cut, messages, summary, passed } = output;
        BatchOutput { part: gathering.part, rest_from, is_cut, messages, summary, passed }
    }

    fn work(&self, opening: Opening<'_>, job: &Job, bounds: Bounds<'_>, gather: &mut dyn Gather) -> BatchOutput<()> {
        let mut output = BatchOutput {
            part: (),
            rest_from: None,
            is_cut: false,
            messages: Vec::new(),
            summary: Summary::default(),
            passed: 0,
        };
        let mut progress = Progress { step: 0, bytes: 0 };
        ANALYZER.with_borrow_mut(|analyzer| {
            analyzer.stop_on(bounds.interrupt);
            let mut worker = Worker { analyzer, job, bounds, gather, output: &mut output, progress: &mut progress };
            for part in &self.parts {
                let taken = part.open(opening, &mut |origin, found| match worker.is_over() {
                    true => ControlFlow::Break(()),
                    false => {
                        worker.found(origin, found);
                        ControlFlow::Continue(())
                    }
                });
                if taken.is_break() {
                    break;
                }
            }
        });
        output
    }
}

/// Where the work on a batch ends early.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'a> {
    /// Steps that are done already.
    pub from: u64,
    /// Games to work on, at most.
    pub games: u64,
    /// Bytes of rows, about, behind which it ends.
    pub bytes: usize,
    /// The signal that interrupts the run, 0 until there is one.
    pub interrupt: &'a Arc<AtomicUsize>,
}

/// What is wrong with a text that shows no kind of record.
const NO_GAME: &str =
    "there is no (; that begins a game, and no record of another kind: convert it to what jigo explain I002 names";
/// Bytes of rows, about, behind which the rest of a batch is another output.
pub(super) const OUTPUT_BYTES: usize = 4 << 20;
/// As many for the rest: each output has twice as many as the one before, up to this, since the parts are opened and cut once more for each.
pub(super) const REST_BYTES: usize = 64 << 20;
/// Bytes of a row beside the name of its source, about.
const ROW_BYTES: usize = 200;

/// How far the work on a batch is.
struct Progress {
    /// Games and findings outside games, with those that an output before this one has.
    step: u64,
    /// Bytes of rows, about.
    bytes: usize,
}

/// Works on what comes out of the parts.
struct Worker<'a> {
    analyzer: &'a mut Analyzer,
    job: &'a Job,
    bounds: Bounds<'a>,
    gather: &'a mut dyn Gather,
    output: &'a mut BatchOutput<()>,
    progress: &'a mut Progress,
}

impl Worker<'_> {
    fn found(&mut self, origin: Origin<'_>, found: Found<'_>) {
        match found {
            Found::Text(chunk) => self.chunk(origin, chunk),
            Found::Nothing(reason) => self.whole_source(origin, Code::NoGame, &reason),
            Found::Failed(fault) => self.failed(origin, &fault),
            Found::Unreadable { reason, at } => {
                self.output.summary.sources += u64::from(self.is_new());
                let finding = Finding::new(Code::UnreadableRow, Place::default(), reason);
                let (byte, line) = at.map_or((0, None), |(byte, line)| (byte, Some(line)));
                self.outside(origin, &finding, byte, line);
            }
        }
    }

    fn chunk(&mut self, origin: Origin<'_>, chunk: &Chunk) {
        if self.is_new() {
            self.output.summary.sources += u64::from(origin.is_row && chunk.is_last);
            self.output.summary.bytes += chunk.bytes.len() as u64;
        }
        self.pieces(origin, chunk);
        if self.is_over() {
            return;
        }
        if chunk.is_last {
            let is_file = matches!(origin.source.kind, SourceKind::File(..));
            let end = RestKind::End { is_whole: chunk.fault.is_none(), is_utf16: chunk.utf16.is_some(), is_file };
            self.rest(origin, b"", end);
        }
        if let Some(fault) = &chunk.fault {
            self.failed(origin, fault);
        } else if chunk.is_without_games() {
            let is_empty = chunk.bytes.is_empty();
            self.whole_source(origin, Code::NoGame, if is_empty { "the file is empty" } else { NO_GAME });
        }
    }

    /// Goes through what a chunk was cut into, and what stands between.
    fn pieces(&mut self, origin: Origin<'_>, chunk: &Chunk) {
        let mut seen_to = 0;
        for (item, piece) in chunk.items(&origin.source.name).zip(&chunk.pieces) {
            if self.is_over() {
                return self.cut(origin, chunk, seen_to);
            }
            let (Piece::Game(range, ..) | Piece::Outside(range)) = piece;
            self.rest(origin, &chunk.bytes[seen_to..range.start], RestKind::Between);
            seen_to = range.end;
            match item {
                Item::Game(text) => {
                    let Settings { dialect, limits, ref index, .. } = self.job.settings;
                    let text = GameText { index: index.as_deref(), ..text };
                    let is_in_shard = self.is_in_shard(origin, text.game);
                    if is_in_shard && !self.is_full() && self.job.selection.takes(&text, dialect, limits) {
                        self.game(chunk.holds, &text);
                    } else {
                        self.pass(&text, is_in_shard);
                    }
                }
                // Of a source without any game, this is said as a whole.
                Item::Outside { bytes, .. } if chunk.is_without_games() => self.rest(origin, bytes, RestKind::Between),
                Item::Outside { bytes, offset, line } => {
                    let text = String::from_utf8_lossy(bytes);
                    let shown: String = text.chars().take(40).collect();
                    let code = stray_text::code(bytes);
                    let finding = Finding::new(code, Place::default(), format!("{shown:?}"));
                    self.outside(origin, &finding, offset, Some(line));
                    self.rest(origin, bytes, RestKind::Outside { code, byte: offset });
                }
            }
        }
        if !self.is_over() {
            self.rest(origin, &chunk.bytes[seen_to..], RestKind::Between);
            seen_to = chunk.bytes.len();
        }
        self.cut(origin, chunk, seen_to);
    }

    /// Tells the visitor how what it was shown of a chunk, up to the byte `to`, was cut.
    fn cut(&mut self, origin: Origin<'_>, chunk: &Chunk, to: usize) {
        if !self.gather.sees_rest() {
            return;
        }
        let (bytes, behind) = chunk.bytes.split_at(to);
        self.gather.cut(&Cut {
            file: &origin.source.name,
            bytes,
            ahead: if behind.is_empty() { &chunk.ahead } else { behind },
            unit: chunk.holds.unit(),
            limits: self.job.settings.limits,
            learned: &chunk.learned,
        });
    }

    fn game(&mut self, holds: Holds, text: &GameText) {
        if !self.step() {
            return;
        }
        match holds {
            Holds::Positions if text.close == Close::Oversized => {
                self.visit(text, &GameReport::long_line(self.job.settings.limits.line));
            }
            Holds::Positions => match BarePosition::parse(text.bytes) {
                Ok(bare) => {
                    let report = self.analyzer.analyze_position(&bare, &self.job.settings);
                    self.visit(&GameText { file: &bare.id, ..*text }, &report);
                }
                Err(reason) => self.visit(text, &GameReport::unreadable_position(&reason)),
            },
            // Rows come as the texts that stand in them.
            Holds::Records(_) | Holds::JsonRows | Holds::CsvRows(_) | Holds::OtherColumns | Holds::Foreign(_) => {
                let report = self.analyzer.analyze(text, &self.job.settings);
                self.progress.bytes += visit(text, report, self.job, self.gather, self.output);
            }
        }
    }

    fn visit(&mut self, text: &GameText, report: &GameReport) {
        self.progress.bytes += visit(text, report, self.job, self.gather, self.output);
    }

    /// Passes over a game that is not selected.
    fn pass(&mut self, text: &GameText, is_in_shard: bool) {
        if (is_in_shard || self.gather.sees_rest()) && self.step() {
            self.progress.bytes += pass(text, is_in_shard, self.gather, self.output);
        }
    }

    /// Shows the visitor what is beside games, if it wants to see it.
    fn rest(&mut self, origin: Origin<'_>, bytes: &[u8], kind: RestKind) {
        let is_something = !bytes.is_empty() || matches!(kind, RestKind::End { .. });
        if is_something && self.gather.sees_rest() && self.step() {
            self.progress.bytes += bytes.len();
            self.gather.rest(&Rest { file: &origin.source.name, bytes, kind });
        }
    }

    /// Begins the next step, unless it is one that is done already.
    fn step(&mut self) -> bool {
        let is_new = self.is_new();
        self.progress.step += 1;
        is_new
    }

    /// Whether the next step is not done yet.
    fn is_new(&self) -> bool {
        self.progress.step >= self.bounds.from
    }

    fn failed(&mut self, origin: Origin<'_>, fault: &SourceFault) {
        self.output.summary.failed_sources += u64::from(origin.source.named && self.is_new());
        self.job.meet(&origin.source.name, false);
        self.whole_source(origin, fault.code, &fault.detail);
    }

    fn whole_source(&mut self, origin: Origin<'_>, code: Code, detail: &str) {
        if origin.source.named && self.is_in_shard(origin, 1) && self.is_new() {
            self.output.messages.push(format!("{}: {}: {detail}", origin.source.name, code.name()));
        }
        self.outside(origin, &Finding::new(code, Place::default(), detail), 0, None);
    }

    /// Reports a finding outside games, in the shard that the source's first game would be in.
    fn outside(&mut self, origin: Origin<'_>, finding: &Finding, byte: u64, line: Option<u64>) {
        let Source { name, named, .. } = origin.source;
        if !self.step() {
            return;
        }
        self.job.meet(name, true);
        let known = || Known::outside(name, finding, line.map(|_| finding.detail.as_str()));
        if !self.is_in_shard(origin, 1) || !self.job.reports(finding, known) {
            return;
        }
        self.output.summary.findings([finding]);
        self.progress.bytes += ROW_BYTES + name.len();
        self.gather.outside(&Outside { file: name, byte, line, finding, is_told: *named && line.is_none() });
    }

    /// Whether the work ends here.
    fn is_over(&mut self) -> bool {
        self.output.is_cut |= self.bounds.interrupt.load(Ordering::Relaxed) != 0;
        if self.progress.bytes + self.gather.held() >= self.bounds.bytes {
            self.output.rest_from = Some(self.progress.step);
        }
        self.output.is_cut || self.output.rest_from.is_some() || (self.is_full() && !self.job.shows_rest)
    }

    /// Whether no more games are worked on.
    fn is_full(&self) -> bool {
        self.output.summary.found >= self.bounds.games
    }

    fn is_in_shard(&self, origin: Origin<'_>, game: u64) -> bool {
        let (shard, shards) = self.job.shard;
        (origin.index + game - 1) % shards == shard - 1
    }
}

/// Counts a game and shows it to the visitor, unless what is known of it by now leaves it out; says how many bytes of rows it has, about.
fn visit(
    text: &GameText,
    report: &GameReport,
    job: &Job,
    gather: &mut dyn Gather,
    output: &mut BatchOutput<()>,
) -> usize {
    if let Some(baseline) = &job.baseline {
        baseline.meet_game(text.file, report);
    }
    let number = LazyCell::new(|| Known::game_number(text, report));
    let is_reported = |finding: &&Finding| job.reports(finding, || Known::in_game(text.file, *number, finding));
    let reported: Vec<&Finding> = report.findings.iter().filter(is_reported).collect();
    if job.selection.filter.as_ref().is_some_and(|filter| !filter.takes(report, &reported)) {
        return pass(text, true, gather, output);
    }
    let summary = &mut output.summary;
    summary.found += 1;
    summary.game(report.outcome, report.tally.turns);
    summary.findings(reported.iter().copied());
    gather.game(&Visited { text, report, reported: &reported });
    // Whatever rows are written: a game has one at least, and each of its findings and turns may have one.
    let rows = 1 + reported.len() + report.scores.len() + report.turns.len();
    seen(text, gather) + rows * (ROW_BYTES + text.file.len())
}

/// Counts a game that is not selected and shows it to the visitor; says how many bytes this one keeps of it, about.
fn pass(text: &GameText, is_in_shard: bool, gather: &mut dyn Gather, output: &mut BatchOutput<()>) -> usize {
    output.passed += u64::from(is_in_shard);
    gather.passed(text, is_in_shard);
    seen(text, gather)
}

/// Bytes of a game's text, if the visitor wants to see all of a source, and so may keep it.
fn seen(text: &GameText, gather: &dyn Gather) -> usize {
    if gather.sees_rest() { text.bytes.len() } else { 0 }
}
