//! One batch: its games analysed, its rows written to memory.

use std::cell::{LazyCell, RefCell};
use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::baseline::Known;
use super::chunk::Chunk;
use super::job::Job;
use super::move_list::no_game;
use super::visitor::{BatchOutput, Gather, Gathering, Outside, Visited, Visitor};
#[cfg(feature = "columnar")]
use crate::source::arrow::RowSlice;
use crate::source::name::shortened;
use crate::source::row::Fault;
use crate::source::{InputFormat, RecordRow, Source, SourceKind};
use crate::summary::Summary;
use jigo_core::analyze::{Analyzer, GameReport, Settings};
use jigo_core::finding::{Code, Finding, Place};
use jigo_core::record::bare::BarePosition;
use jigo_core::sgf::charset::{Basis, Charset};
use jigo_core::sgf::split::Close;
use jigo_core::sgf::utf16::utf16_length;
use jigo_core::sgf::{GameText, Piece};

/// Inputs to work on together.
pub struct Batch {
    pub(super) parts: Vec<Part>,
}

pub(super) enum Part {
    /// A small file, to be read by whoever works on it.
    File(usize),
    /// A piece of a large source, cut between games.
    Chunk(Chunk),
    /// A small member of an archive.
    Member(MemberPart),
    /// A file in an archive, or the archive, that can't be read; its place among the sources.
    Fault(Source, u64, Fault),
    /// Rows of a source.
    #[cfg(feature = "columnar")]
    Rows(usize, RowSlice),
    /// Rows of a source that can't be read, and why.
    #[cfg(feature = "columnar")]
    FailedRows(usize, String),
    /// A folder without games.
    EmptyFolder(usize),
    /// An archive without games.
    EmptyArchive(usize),
    /// A source that can't be read, and why.
    Failed(usize, String),
}

impl Part {
    /// The memory of a piece of a large source.
    pub(super) fn into_memory(self) -> Option<Vec<u8>> {
        match self {
            Part::Chunk(chunk) => Some(chunk.bytes),
            _ => None,
        }
    }
}

/// A member of an archive with its bytes.
pub(super) struct MemberPart {
    pub source: Source,
    /// Its place among the sources, for sharding.
    pub index: u64,
    pub bytes: Vec<u8>,
    /// What ended it before its end.
    pub fault: Option<Fault>,
}

thread_local! {
    /// Boards and histories are large: each thread keeps its own.
    static ANALYZER: RefCell<Analyzer> = RefCell::new(Analyzer::default());
}

impl Batch {
    /// Analyses the games of the batch, within `bounds`, until there are rows enough: a few bytes can be many games with long names and many findings.
    pub(super) fn process<V: Visitor>(
        &self,
        sources: &[Source],
        (job, visitor): (&Job, &V),
        bounds: Bounds<'_>,
    ) -> BatchOutput<V::Part> {
        let mut gathering = Gathering { visitor, part: visitor.part() };
        let BatchOutput { rest_from, is_cut, messages, summary, .. } = self.work(sources, job, bounds, &mut gathering);
        BatchOutput { part: gathering.part, rest_from, is_cut, messages, summary }
    }

    fn work(&self, sources: &[Source], job: &Job, bounds: Bounds<'_>, gather: &mut dyn Gather) -> BatchOutput<()> {
        let mut output =
            BatchOutput { part: (), rest_from: None, is_cut: false, messages: Vec::new(), summary: Summary::default() };
        let mut progress = Progress { step: 0, bytes: 0 };
        ANALYZER.with_borrow_mut(|analyzer| {
            analyzer.stop_on(bounds.interrupt);
            for part in &self.parts {
                let (source, index) = match part {
                    Part::File(index) | Part::EmptyFolder(index) | Part::EmptyArchive(index) => {
                        (&sources[*index], *index as u64)
                    }
                    Part::Failed(index, _) => (&sources[*index], *index as u64),
                    #[cfg(feature = "columnar")]
                    Part::Rows(index, _) | Part::FailedRows(index, _) => (&sources[*index], *index as u64),
                    Part::Chunk(Chunk { member: Some((source, index)), .. }) => (&**source, *index),
                    Part::Chunk(chunk) => (&sources[chunk.source], chunk.source as u64),
                    Part::Member(member) => (&member.source, member.index),
                    Part::Fault(source, index, _) => (source, *index),
                };
                let (input, output, progress) = (job.input, &mut output, &mut progress);
                Worker { analyzer, source, index, input, job, bounds, gather, output, progress }.part(part);
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
    /// The signal that interrupts the run, 0 until there is one.
    pub interrupt: &'a Arc<AtomicUsize>,
}

/// Bytes of rows, about, behind which the rest of a batch is another output.
const OUTPUT_BYTES: usize = 4 << 20;
/// Bytes of a row beside the name of its source, about.
const ROW_BYTES: usize = 200;

/// How far the work on a batch is.
struct Progress {
    /// Games and findings outside games, with those that an output before this one has.
    step: u64,
    /// Bytes of rows, about.
    bytes: usize,
}

/// Works on one source or a piece of one.
struct Worker<'a> {
    analyzer: &'a mut Analyzer,
    source: &'a Source,
    /// Its place among the sources.
    index: u64,
    /// What the source holds.
    input: InputFormat,
    job: &'a Job,
    bounds: Bounds<'a>,
    gather: &'a mut dyn Gather,
    output: &'a mut BatchOutput<()>,
    progress: &'a mut Progress,
}

impl Worker<'_> {
    fn part(&mut self, part: &Part) {
        if self.is_over() {
            return;
        }
        match part {
            Part::File(_) => self.file(),
            Part::Chunk(chunk) => self.chunk(chunk),
            Part::Member(member) => self.whole(member.bytes.clone(), member.fault.clone()),
            Part::Fault(_, _, fault) => self.failed(fault),
            Part::EmptyFolder(_) => self.whole_source(Code::NoGame, EMPTY_FOLDER),
            Part::EmptyArchive(_) => self.whole_source(Code::NoGame, EMPTY_ARCHIVE),
            Part::Failed(_, reason) => self.failed(&unreadable(reason)),
            #[cfg(feature = "columnar")]
            Part::Rows(_, slice) => self.slice(slice),
            #[cfg(feature = "columnar")]
            Part::FailedRows(_, reason) => self.unreadable_row(reason, 0, None),
        }
    }

    fn file(&mut self) {
        let crate::source::SourceKind::File(path, _) = &self.source.kind else { return };
        let mut bytes = Vec::new();
        // What stands before an error is worked on.
        let read = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
        self.whole(bytes, read.err().map(unreadable));
    }

    /// Works on a source that is there as a whole.
    fn whole(&mut self, bytes: Vec<u8>, error: Option<Fault>) {
        self.chunk(&Chunk::whole(bytes, error, self.input, self.job.settings.limits));
    }

    fn chunk(&mut self, chunk: &Chunk) {
        if !self.input.is_rows() && self.is_new() {
            self.output.summary.bytes += chunk.bytes.len() as u64;
        }
        let mut game = chunk.first_game;
        let mut line = chunk.line;
        let (mut offset, mut counted_to) = (chunk.offset, 0);
        for piece in &chunk.pieces {
            let (Piece::Game(range, ..) | Piece::Outside(range)) = piece;
            line += memchr::memchr_iter(b'\n', &chunk.bytes[counted_to..range.start]).count() as u64;
            offset += match chunk.utf16 {
                Some(_) => utf16_length(&chunk.bytes[counted_to..range.start]),
                None => range.start - counted_to,
            } as u64;
            counted_to = range.start;
            if self.is_over() {
                return;
            }
            match piece {
                Piece::Game(range, close, charset) => {
                    let bytes = &chunk.bytes[range.clone()];
                    let transcoded = chunk.utf16.map(|encoding| Charset { encoding, basis: Basis::Transcoded });
                    let (close, charset) = (*close, transcoded.unwrap_or(*charset));
                    let text = GameText { file: &self.source.name, game, offset, line, bytes, close, charset };
                    game += 1;
                    let Settings { dialect, limits, .. } = self.job.settings;
                    // What a row holds is chosen game by game.
                    if self.input.is_rows()
                        || (self.is_in_shard(text.game) && self.job.selection.takes(&text, dialect, limits))
                    {
                        self.game(&text);
                    }
                }
                // Of a source without any game, this is said as a whole.
                Piece::Outside(_) if chunk.is_without_games() => {}
                Piece::Outside(range) => {
                    let text = String::from_utf8_lossy(&chunk.bytes[range.clone()]);
                    let shown: String = text.chars().take(40).collect();
                    let is_extra = text.chars().all(|c| c == ')' || c.is_whitespace());
                    let code = if is_extra { Code::ExtraParenthesis } else { Code::TextOutsideGames };
                    let finding = Finding::new(code, Place::default(), format!("{shown:?}"));
                    self.outside(&finding, offset, Some(line));
                }
            }
        }
        if self.is_over() {
            return;
        }
        if let Some(error) = &chunk.error {
            self.failed(error);
        } else if chunk.is_without_games() && !self.input.is_rows() {
            self.whole_source(Code::NoGame, no_game(&chunk.bytes));
        }
    }

    fn game(&mut self, text: &GameText) {
        // A row is no step: what stands in it is.
        if self.input != InputFormat::Jsonl && !self.step() {
            return;
        }
        match self.input {
            InputFormat::Sgf => {
                let report = self.analyzer.analyze(text, &self.job.settings);
                self.progress.bytes += visit(text, report, self.job, self.gather, &mut self.output.summary);
            }
            InputFormat::Positions if text.close == Close::Oversized => {
                self.visit(text, &GameReport::long_line(self.job.settings.limits.line));
            }
            InputFormat::Positions => match BarePosition::parse(text.bytes) {
                Ok(bare) => {
                    let report = self.analyzer.analyze_position(&bare, &self.job.settings);
                    self.visit(&GameText { file: &bare.id, ..*text }, &report);
                }
                Err(reason) => self.visit(text, &GameReport::unreadable_position(&reason)),
            },
            InputFormat::Jsonl if text.close == Close::Oversized => {
                let reason = "the line is longer than four times --max-game";
                self.unreadable_row(reason, text.offset, Some(text.line));
            }
            InputFormat::Jsonl => match RecordRow::parse(text.bytes) {
                Ok(row) => self.row(row, text.game),
                Err(reason) => self.unreadable_row(&reason, text.offset, Some(text.line)),
            },
            // Such a source is never cut into lines or games.
            #[cfg(feature = "columnar")]
            InputFormat::Arrow => {}
        }
    }

    fn visit(&mut self, text: &GameText, report: &GameReport) {
        self.progress.bytes += visit(text, report, self.job, self.gather, &mut self.output.summary);
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

    /// Works on the row of this number, from 1, as on a file.
    fn row(&mut self, row: RecordRow, number: u64) {
        let source = Source { name: shortened(row.id), kind: SourceKind::Member, named: false };
        let index = self.index + number - 1;
        self.output.summary.sources += u64::from(row.part.is_last && self.is_new());
        let mut worker = Worker {
            analyzer: self.analyzer,
            source: &source,
            index,
            input: InputFormat::Sgf,
            job: self.job,
            bounds: self.bounds,
            gather: self.gather,
            output: self.output,
            progress: self.progress,
        };
        worker.chunk(&Chunk::of_part(row.sgf, row.part, InputFormat::Sgf, self.job.settings.limits));
    }

    #[cfg(feature = "columnar")]
    fn slice(&mut self, slice: &RowSlice) {
        for (number, row) in slice.rows() {
            if self.is_over() {
                return;
            }
            match row {
                Ok(row) => self.row(row, number),
                Err(reason) => self.unreadable_row(&reason, 0, None),
            }
        }
    }

    fn unreadable_row(&mut self, reason: &str, byte: u64, line: Option<u64>) {
        self.output.summary.sources += u64::from(self.is_new());
        self.outside(&Finding::new(Code::UnreadableRow, Place::default(), reason), byte, line);
    }

    fn failed(&mut self, fault: &Fault) {
        self.output.summary.failed_sources += u64::from(self.source.named && self.is_new());
        self.whole_source(fault.code, &fault.detail);
    }

    fn whole_source(&mut self, code: Code, detail: &str) {
        if self.source.named && self.is_in_shard(1) && self.is_new() {
            self.output.messages.push(format!("{}: {}: {detail}", self.source.name, code.name()));
        }
        self.outside(&Finding::new(code, Place::default(), detail), 0, None);
    }

    /// Reports a finding outside games, in the shard that the source's first game would be in.
    fn outside(&mut self, finding: &Finding, byte: u64, line: Option<u64>) {
        if !self.step() {
            return;
        }
        let known = || Known::outside(&self.source.name, finding, line.map(|_| finding.detail.as_str()));
        if !self.is_in_shard(1) || !self.job.reports(finding, known) {
            return;
        }
        self.output.summary.finding(finding);
        self.progress.bytes += ROW_BYTES + self.source.name.len();
        self.gather.outside(&Outside { file: &self.source.name, byte, line, finding });
    }

    /// Whether the work ends here.
    fn is_over(&mut self) -> bool {
        self.output.is_cut |= self.bounds.interrupt.load(Ordering::Relaxed) != 0;
        if self.progress.bytes >= OUTPUT_BYTES {
            self.output.rest_from = Some(self.progress.step);
        }
        self.output.is_cut || self.output.rest_from.is_some() || self.output.summary.found >= self.bounds.games
    }

    fn is_in_shard(&self, game: u64) -> bool {
        let (shard, shards) = self.job.shard;
        (self.index + game - 1) % shards == shard - 1
    }
}

/// Counts a game and shows it to the visitor, unless what is known of it by now leaves it out; says how many bytes of rows it has, about.
fn visit(text: &GameText, report: &GameReport, job: &Job, gather: &mut dyn Gather, summary: &mut Summary) -> usize {
    let number = LazyCell::new(|| Known::game_number(text, report));
    let is_reported = |finding: &&Finding| job.reports(finding, || Known::in_game(text.file, *number, finding));
    let reported: Vec<&Finding> = report.findings.iter().filter(is_reported).collect();
    if job.selection.filter.as_ref().is_some_and(|filter| !filter.takes(report, &reported)) {
        return 0;
    }
    summary.found += 1;
    summary.game(report.outcome, report.tally.turns);
    reported.iter().for_each(|finding| summary.finding(finding));
    gather.game(&Visited { text, report, reported: &reported });
    // Whatever rows are written: a game has one at least, and each of its findings and turns may have one.
    let rows = 1 + reported.len() + report.scores.len() + report.turns.len();
    rows * (ROW_BYTES + text.file.len())
}

fn unreadable(reason: impl ToString) -> Fault {
    Fault { code: Code::UnreadableSource, detail: reason.to_string() }
}

/// What is wrong with a folder of other files.
pub(super) const EMPTY_FOLDER: &str = "no *.sgf, *.sgfs, *.mgt or archive in this folder";
/// The same of an archive.
pub(super) const EMPTY_ARCHIVE: &str = "no *.sgf, *.sgfs or *.mgt in this archive";
