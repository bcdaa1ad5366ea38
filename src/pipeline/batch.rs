//! One batch: its games analysed, its rows written to memory.

use std::cell::RefCell;
use std::fs;

use crate::analyze::{Analyzer, GameReport, Settings};
use crate::finding::{Code, Finding, Place};
use crate::input::{GameText, InputFormat, Piece, Source};
use crate::record::bare::BarePosition;
use crate::report::rows::{FindingRow, GameRow, ScoreRow};
use crate::report::{Format, Row, Summary};

/// What to do with every game and which rows to write.
#[derive(Clone, Debug)]
pub struct Job {
    /// What the inputs hold.
    pub input: InputFormat,
    /// How games are judged and counted.
    pub settings: Settings,
    /// The codes whose findings are reported, by the table's order.
    pub reported: Vec<bool>,
    /// How rows are written.
    pub format: Format,
    /// Which tables are written.
    pub tables: Tables,
    /// This part of so many, both from 1: games of the others are passed over.
    pub shard: (u64, u64),
}

/// Which tables a command writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// One row for each finding.
    pub findings: bool,
    /// One row for each game and ruleset.
    pub scores: bool,
    /// One row for each game.
    pub games: bool,
}

/// The rows of a batch and its part of the summary.
#[derive(Debug, Default)]
pub struct BatchOutput {
    /// Rows of the findings table.
    pub findings: Vec<u8>,
    /// Rows of the scores table.
    pub scores: Vec<u8>,
    /// Rows of the games table.
    pub games: Vec<u8>,
    /// What to tell the user at once: inputs named outright that hold no game or can't be read.
    pub messages: Vec<String>,
    /// Counts of the batch.
    pub summary: Summary,
}

/// Inputs to work on together.
pub struct Batch {
    pub(super) parts: Vec<Part>,
}

pub(super) enum Part {
    /// A small file, to be read by whoever works on it.
    File(usize),
    /// A piece of a large source, cut between games.
    Chunk(Chunk),
    /// A folder without games.
    EmptyFolder(usize),
    /// A source that can't be read, and why.
    Failed(usize, String),
}

/// A piece of a source with the games in it.
pub(super) struct Chunk {
    pub source: usize,
    pub bytes: Vec<u8>,
    pub pieces: Vec<Piece>,
    /// Where `bytes` begins in the source: its byte and line.
    pub offset: u64,
    pub line: u64,
    /// Number of the first game in it.
    pub first_game: u64,
    /// Nothing follows it.
    pub is_last: bool,
    /// Why reading ended, when it was not the end of the source.
    pub error: Option<String>,
}

impl Chunk {
    /// Whether the whole source has been seen and holds no game.
    fn is_without_games(&self) -> bool {
        let is_game = |piece: &Piece| matches!(piece, Piece::Game(..));
        self.is_last && self.first_game == 1 && !self.pieces.iter().any(is_game)
    }
}

thread_local! {
    /// Boards and histories are large: each thread keeps its own.
    static ANALYZER: RefCell<Analyzer> = RefCell::new(Analyzer::default());
}

impl Batch {
    /// Analyses all games of the batch.
    pub(super) fn process(&self, sources: &[Source], job: &Job) -> BatchOutput {
        let mut output = BatchOutput::default();
        ANALYZER.with_borrow_mut(|analyzer| {
            for part in &self.parts {
                match part {
                    Part::File(index) => Worker::new(analyzer, sources, *index, job, &mut output).file(),
                    Part::Chunk(chunk) => Worker::new(analyzer, sources, chunk.source, job, &mut output).chunk(chunk),
                    Part::EmptyFolder(index) => {
                        let detail = "no *.sgf, *.sgfs or *.mgt file in this folder";
                        Worker::new(analyzer, sources, *index, job, &mut output).whole_source(Code::NoGame, detail);
                    }
                    Part::Failed(index, reason) => {
                        Worker::new(analyzer, sources, *index, job, &mut output).failed(reason);
                    }
                }
            }
        });
        output
    }
}

/// Works on one source or a piece of one.
struct Worker<'a> {
    analyzer: &'a mut Analyzer,
    source: &'a Source,
    index: usize,
    job: &'a Job,
    output: &'a mut BatchOutput,
}

impl<'a> Worker<'a> {
    fn new(
        analyzer: &'a mut Analyzer,
        sources: &'a [Source],
        index: usize,
        job: &'a Job,
        output: &'a mut BatchOutput,
    ) -> Worker<'a> {
        Worker { analyzer, source: &sources[index], index, job, output }
    }

    fn file(&mut self) {
        let crate::input::SourceKind::File(path, _) = &self.source.kind else { return };
        match fs::read(path) {
            Ok(bytes) => {
                let mut pieces = Vec::new();
                self.job.input.cut(&bytes, true, |piece| pieces.push(piece));
                self.chunk(&Chunk {
                    source: self.index,
                    bytes,
                    pieces,
                    offset: 0,
                    line: 1,
                    first_game: 1,
                    is_last: true,
                    error: None,
                });
            }
            Err(error) => self.failed(&error.to_string()),
        }
    }

    fn chunk(&mut self, chunk: &Chunk) {
        self.output.summary.bytes += chunk.bytes.len() as u64;
        let mut game = chunk.first_game;
        let mut line = chunk.line;
        let mut counted_to = 0;
        for piece in &chunk.pieces {
            let (Piece::Game(range, _) | Piece::Outside(range)) = piece;
            line += memchr::memchr_iter(b'\n', &chunk.bytes[counted_to..range.start]).count() as u64;
            counted_to = range.start;
            let offset = chunk.offset + range.start as u64;
            match piece {
                Piece::Game(range, close) => {
                    let bytes = &chunk.bytes[range.clone()];
                    let text = GameText { file: &self.source.name, game, offset, line, bytes, close: *close };
                    game += 1;
                    if self.is_in_shard(text.game) {
                        self.game(&text);
                    }
                }
                // Of a source without any game, this is said as a whole.
                Piece::Outside(_) if chunk.is_without_games() => {}
                Piece::Outside(range) => {
                    let text = String::from_utf8_lossy(&chunk.bytes[range.clone()]);
                    let shown: String = text.chars().take(40).collect();
                    let finding = Finding::new(Code::TextOutsideGames, Place::default(), format!("{shown:?}"));
                    self.outside(&finding, offset, Some(line));
                }
            }
        }
        if let Some(error) = &chunk.error {
            self.failed(error);
        } else if chunk.is_without_games() {
            self.whole_source(Code::NoGame, no_game(&chunk.bytes));
        }
    }

    fn game(&mut self, text: &GameText) {
        match self.job.input {
            InputFormat::Sgf => {
                let report = self.analyzer.analyze(text, &self.job.settings);
                self.report(text, &report);
            }
            InputFormat::Positions => match BarePosition::parse(text.bytes) {
                Ok(bare) => {
                    let report = self.analyzer.analyze_position(&bare, &self.job.settings);
                    self.report(&GameText { file: &bare.id, ..*text }, &report);
                }
                Err(reason) => self.report(text, &GameReport::unreadable_position(&reason)),
            },
        }
    }

    fn report(&mut self, text: &GameText, report: &GameReport) {
        self.output.summary.found += 1;
        self.output.summary.game(report.outcome, report.tally.turns);
        let mut reported = 0;
        for finding in &report.findings {
            if self.job.reported[finding.code as usize] {
                reported += 1;
                self.output.summary.finding(finding);
                if self.job.tables.findings {
                    self.job.format.write(&FindingRow::in_game(text, finding), &mut self.output.findings);
                }
            }
        }
        if self.job.tables.scores {
            self.scores(text, report);
        }
        if self.job.tables.games {
            self.job.format.write(&GameRow::new(*text, report, reported), &mut self.output.games);
        }
    }

    fn scores(&mut self, text: &GameText, report: &GameReport) {
        if report.scores.is_empty() {
            self.write_score(&ScoreRow::new(*text, report, None));
        }
        for scored in &report.scores {
            self.write_score(&ScoreRow::new(*text, report, Some(scored)));
        }
    }

    fn write_score(&mut self, row: &impl Row) {
        self.job.format.write(row, &mut self.output.scores);
    }

    fn failed(&mut self, reason: &str) {
        self.output.summary.failed_sources += u64::from(self.source.named);
        self.whole_source(Code::UnreadableSource, reason);
    }

    fn whole_source(&mut self, code: Code, detail: &str) {
        if self.source.named && self.is_in_shard(1) {
            self.output.messages.push(format!("{}: {}: {detail}", self.source.name, code.name()));
        }
        self.outside(&Finding::new(code, Place::default(), detail), 0, None);
    }

    /// Reports a finding outside games, in the shard that the source's first game would be in.
    fn outside(&mut self, finding: &Finding, byte: u64, line: Option<u64>) {
        if !self.job.reported[finding.code as usize] || !self.is_in_shard(1) {
            return;
        }
        self.output.summary.finding(finding);
        if self.job.tables.findings {
            let row = FindingRow { file: &self.source.name, game: None, byte, line, finding };
            self.job.format.write(&row, &mut self.output.findings);
        }
    }

    fn is_in_shard(&self, game: u64) -> bool {
        let (shard, shards) = self.job.shard;
        (self.index as u64 + game - 1) % shards == shard - 1
    }
}

/// What an input without games looks like.
fn no_game(bytes: &[u8]) -> &'static str {
    match bytes {
        [] => "the file is empty",
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] => "the text is UTF-16, which is not read yet",
        [0, b'(' | b';', ..] | [b'(', 0, ..] => "the text looks like UTF-16, which is not read yet",
        [b'P', b'K', 3, 4, ..] => "this is a zip archive: unpack it first",
        [0x1F, 0x8B, ..] => "this is a gzip file: unpack it first",
        _ => "there is no (; that begins a game",
    }
}
