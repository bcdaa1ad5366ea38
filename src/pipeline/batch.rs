//! One batch: its games analysed, its rows written to memory.

use std::cell::RefCell;
use std::fs;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use encoding_rs::Encoding;

use super::selection::Selection;
use crate::analyze::{Analyzer, GameReport, Settings};
use crate::finding::{Code, Finding, Place};
use crate::input::archive::Limits;
use crate::input::charset::{Basis, Charset};
use crate::input::utf16::{Transcoder, utf16, utf16_length};
use crate::input::{GameText, InputFormat, Piece, Source, Splitter};
use crate::record::bare::BarePosition;
use crate::report::baseline::{Baseline, Known};
use crate::report::rows::{FindingRow, GameRow, ScoreRow, TurnRow};
use crate::report::{Format, Row, Rows, Summary};

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
    /// Which games of those.
    pub selection: Selection,
    /// Findings that are known are not reported.
    pub baseline: Option<Arc<Baseline>>,
    /// How far archives are unpacked.
    pub limits: Limits,
}

impl Job {
    /// Whether a finding is reported: its code is asked for, and the baseline does not know it.
    fn reports(&self, finding: &Finding, known: impl FnOnce() -> Known) -> bool {
        let is_known = |baseline: &Arc<Baseline>| baseline.knows(known());
        self.reported[finding.code as usize] && !self.baseline.as_ref().is_some_and(is_known)
    }
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
    /// One row for each turn.
    pub turns: bool,
}

/// The rows of a batch, of the tables that are asked for, and its part of the summary.
pub struct BatchOutput {
    /// Rows of the findings table.
    pub findings: Option<Rows>,
    /// Rows of the scores table.
    pub scores: Option<Rows>,
    /// Rows of the games table.
    pub games: Option<Rows>,
    /// Rows of the turns table.
    pub turns: Option<Rows>,
    /// The run was interrupted before all of the batch was done.
    pub is_cut: bool,
    /// What to tell the user at once: inputs named outright that hold no game or can't be read.
    pub messages: Vec<String>,
    /// Counts of the batch.
    pub summary: Summary,
}

impl BatchOutput {
    /// Nothing yet.
    fn new(job: &Job) -> BatchOutput {
        let rows = |asked: bool, table| asked.then(|| Rows::new(job.format, table));
        BatchOutput {
            findings: rows(job.tables.findings, FindingRow::TABLE),
            scores: rows(job.tables.scores, ScoreRow::TABLE),
            games: rows(job.tables.games, GameRow::TABLE),
            turns: rows(job.tables.turns, TurnRow::TABLE),
            is_cut: false,
            messages: Vec::new(),
            summary: Summary::default(),
        }
    }
}

impl BatchOutput {
    /// Adds the rows of a game.
    fn game(&mut self, text: &GameText, report: &GameReport, job: &Job) {
        self.summary.found += 1;
        self.summary.game(report.outcome, report.tally.turns);
        let mut reported = 0;
        for finding in &report.findings {
            if job.reports(finding, || Known::in_game(text, report, finding)) {
                reported += 1;
                self.summary.finding(finding);
                if let Some(rows) = &mut self.findings {
                    rows.push(&FindingRow::in_game(text, finding));
                }
            }
        }
        if let Some(rows) = &mut self.scores {
            scores(text, report, rows);
        }
        if let Some(rows) = &mut self.games {
            rows.push(&GameRow::new(*text, report, reported));
        }
        if let Some(rows) = &mut self.turns {
            report.turns.iter().for_each(|turn| rows.push(&TurnRow { text: *text, turn }));
        }
    }
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
    /// A small member of an archive.
    Member(MemberPart),
    /// A file in an archive, or the archive, that can't be read; its place among the sources.
    Fault(Source, u64, Fault),
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

/// Why a source is not read to its end.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{detail}")]
pub(super) struct Fault {
    pub code: Code,
    pub detail: String,
}

/// A piece of a source with the games in it.
pub(super) struct Chunk {
    pub source: usize,
    /// The member of an archive that it is a piece of, and its place among the sources.
    pub member: Option<(Arc<Source>, u64)>,
    /// The form of UTF-16 that the source is in; `bytes` are UTF-8 then.
    pub utf16: Option<&'static Encoding>,
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
    pub error: Option<Fault>,
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
    /// Up to `bounds`.
    pub(super) fn process(&self, sources: &[Source], job: &Job, bounds: Bounds<'_>) -> BatchOutput {
        let mut output = BatchOutput::new(job);
        ANALYZER.with_borrow_mut(|analyzer| {
            for part in &self.parts {
                let (source, index) = match part {
                    Part::File(index) | Part::EmptyFolder(index) | Part::EmptyArchive(index) => {
                        (&sources[*index], *index as u64)
                    }
                    Part::Failed(index, _) => (&sources[*index], *index as u64),
                    Part::Chunk(Chunk { member: Some((source, index)), .. }) => (&**source, *index),
                    Part::Chunk(chunk) => (&sources[chunk.source], chunk.source as u64),
                    Part::Member(member) => (&member.source, member.index),
                    Part::Fault(source, index, _) => (source, *index),
                };
                Worker { analyzer, source, index, job, bounds, output: &mut output }.part(part);
            }
        });
        output
    }
}

/// Where the work on a batch ends early.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'a> {
    /// Games to work on, at most.
    pub games: u64,
    /// The signal that interrupts the run, 0 until there is one.
    pub interrupt: &'a AtomicUsize,
}

/// Works on one source or a piece of one.
struct Worker<'a> {
    analyzer: &'a mut Analyzer,
    source: &'a Source,
    /// Its place among the sources.
    index: u64,
    job: &'a Job,
    bounds: Bounds<'a>,
    output: &'a mut BatchOutput,
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
            Part::EmptyFolder(_) => {
                self.whole_source(Code::NoGame, "no *.sgf, *.sgfs, *.mgt or archive in this folder")
            }
            Part::EmptyArchive(_) => self.whole_source(Code::NoGame, "no *.sgf, *.sgfs or *.mgt in this archive"),
            Part::Failed(_, reason) => self.unreadable(reason),
        }
    }

    fn file(&mut self) {
        let crate::input::SourceKind::File(path, _) = &self.source.kind else { return };
        match fs::read(path) {
            Ok(bytes) => self.whole(bytes, None),
            Err(error) => self.unreadable(&error.to_string()),
        }
    }

    /// Works on a source that is there as a whole.
    fn whole(&mut self, bytes: Vec<u8>, error: Option<Fault>) {
        let utf16 = utf16(&bytes);
        let bytes = match utf16 {
            Some(encoding) => {
                let mut text = Vec::new();
                // Reading from memory does not fail.
                let _ = Transcoder::new(bytes.as_slice(), encoding).read_to_end(&mut text);
                text
            }
            None => bytes,
        };
        let mut pieces = Vec::new();
        Splitter::new(self.job.input).split(&bytes, true, |piece| pieces.push(piece));
        let (offset, line, first_game, is_last) = (0, 1, 1, true);
        self.chunk(&Chunk { source: 0, member: None, utf16, bytes, pieces, offset, line, first_game, is_last, error });
    }

    fn chunk(&mut self, chunk: &Chunk) {
        self.output.summary.bytes += chunk.bytes.len() as u64;
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
            match piece {
                Piece::Game(range, close, charset) => {
                    let bytes = &chunk.bytes[range.clone()];
                    let transcoded = chunk.utf16.map(|encoding| Charset { encoding, basis: Basis::Transcoded });
                    let (close, charset) = (*close, transcoded.unwrap_or(*charset));
                    let text = GameText { file: &self.source.name, game, offset, line, bytes, close, charset };
                    game += 1;
                    if self.is_in_shard(text.game) && self.job.selection.takes(&text, self.job.settings.dialect) {
                        self.game(&text);
                        if self.is_over() {
                            return;
                        }
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
                self.output.game(text, report, self.job);
            }
            InputFormat::Positions => match BarePosition::parse(text.bytes) {
                Ok(bare) => {
                    let report = self.analyzer.analyze_position(&bare, &self.job.settings);
                    self.output.game(&GameText { file: &bare.id, ..*text }, &report, self.job);
                }
                Err(reason) => self.output.game(text, &GameReport::unreadable_position(&reason), self.job),
            },
        }
    }

    fn unreadable(&mut self, reason: &str) {
        self.failed(&Fault { code: Code::UnreadableSource, detail: reason.into() });
    }

    fn failed(&mut self, fault: &Fault) {
        self.output.summary.failed_sources += u64::from(self.source.named);
        self.whole_source(fault.code, &fault.detail);
    }

    fn whole_source(&mut self, code: Code, detail: &str) {
        if self.source.named && self.is_in_shard(1) {
            self.output.messages.push(format!("{}: {}: {detail}", self.source.name, code.name()));
        }
        self.outside(&Finding::new(code, Place::default(), detail), 0, None);
    }

    /// Reports a finding outside games, in the shard that the source's first game would be in.
    fn outside(&mut self, finding: &Finding, byte: u64, line: Option<u64>) {
        let known = || Known::outside(&self.source.name, finding, line.map(|_| finding.detail.as_str()));
        if !self.is_in_shard(1) || !self.job.reports(finding, known) {
            return;
        }
        self.output.summary.finding(finding);
        if let Some(rows) = &mut self.output.findings {
            rows.push(&FindingRow { file: &self.source.name, game: None, byte, line, finding });
        }
    }

    /// Whether the work ends here.
    fn is_over(&mut self) -> bool {
        self.output.is_cut |= self.bounds.interrupt.load(Ordering::Relaxed) != 0;
        self.output.is_cut || self.output.summary.found >= self.bounds.games
    }

    fn is_in_shard(&self, game: u64) -> bool {
        let (shard, shards) = self.job.shard;
        (self.index + game - 1) % shards == shard - 1
    }
}

/// The rows of a game in the scores table.
fn scores(text: &GameText, report: &GameReport, rows: &mut Rows) {
    if report.scores.is_empty() {
        rows.push(&ScoreRow::new(*text, report, None));
    }
    for scored in &report.scores {
        rows.push(&ScoreRow::new(*text, report, Some(scored)));
    }
}

/// What an input without games looks like.
fn no_game(bytes: &[u8]) -> &'static str {
    match bytes {
        [] => "the file is empty",
        _ if is_move_list(bytes) => {
            "these look like lines of an identifier and moves, which are not supported: convert each line to (;B[dd];W[pp]...)"
        }
        _ => "there is no (; that begins a game",
    }
}

/// Whether lines begin with an identifier, a tab and coordinates, as some archives of moves do.
fn is_move_list(bytes: &[u8]) -> bool {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut fields = line.splitn(2, |byte| *byte == b'\t');
    let moves = fields.nth(1).unwrap_or_default().trim_ascii();
    moves.len() >= 8 && moves.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b',' | b';'))
}
