//! Visitors: the products of a run.
//!
//! The pipeline analyses games in parallel and knows nothing about tables, pages or extracted
//! files. Each product implements [`Visitor`]. A visitor adds the games of one batch to an
//! accumulator, and the pipeline returns the accumulators in input order.
//!
//! The trait is object-safe for a given accumulator, so [`run`](super::run) takes
//! `&dyn Visitor<Accumulator = T>`. The type of the accumulator stays part of the visitor's type:
//! the caller receives a `T` without a cast that could fail. Two visitors form a pair.

use jigo_core::analysis::{GameReport, Settings};
use jigo_record::finding::{Code, Finding};
use jigo_record::splitter::{GameText, Unit};

use super::selection::RejectedGame;
use crate::summary::Summary;

/// A game as a visitor receives it.
#[derive(Clone, Copy)]
pub struct VisitedGame<'a> {
    /// The game's text and its position in the source.
    pub text: &'a GameText<'a>,
    /// The report of the analysis.
    pub report: &'a GameReport,
    /// The findings to report, in the order of the record.
    pub reported: &'a [&'a Finding],
}

/// A reported finding outside games.
#[derive(Clone, Copy)]
pub struct SourceFinding<'a> {
    /// The input of the finding.
    pub file: &'a str,
    /// The byte of the input, from 0.
    pub byte: u64,
    /// The line of the input, from 1; `None` for a finding on the whole input.
    pub line: Option<u64>,
    /// The finding.
    pub finding: &'a Finding,
    /// True if standard error also shows the finding, because the user named the input.
    pub is_on_stderr: bool,
}

/// The text of a source that belongs to no game.
///
/// Together with all games, selected or not, these texts are the whole source in order. A UTF-16
/// source is converted to UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NonGameBytes<'a> {
    /// The source.
    pub file: &'a str,
    /// The bytes of the text.
    pub bytes: &'a [u8],
    /// True if the text is UTF-16 in the source.
    pub is_utf16: bool,
    /// The kind of the text.
    pub kind: NonGameKind,
}

/// The kind of a text that belongs to no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonGameKind {
    /// White space between games, or the text of a source without games.
    Gap,
    /// The start of the source, which is divided into units of this kind.
    Start(Unit),
    /// Stray text.
    StrayText {
        /// The code of its finding.
        code: Code,
        /// The first byte of the text in the source, from 0.
        byte: u64,
    },
    /// The end of the source.
    End {
        /// True if all of the source could be read, or if it is a file of another kind, such as a
        /// picture, which has no games.
        is_whole: bool,
        /// True if the source is a file on disk, not a member of an archive or a row.
        is_file: bool,
    },
}

/// A product computed from the games of a run, such as rows, counts or bytes.
///
/// Games arrive in batches. One thread adds the games of a batch to one accumulator in input order.
/// [`run`](super::run) returns the accumulators in input order as well, so the result does not
/// depend on the number of threads.
pub trait Visitor: Sync {
    /// The result for one batch.
    type Accumulator: Send;

    /// Enables the optional analysis steps that this visitor needs.
    fn configure(&self, _settings: &mut Settings) {}

    /// Returns an empty accumulator.
    fn start_batch(&self) -> Self::Accumulator;

    /// Adds a selected game.
    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut Self::Accumulator);

    /// Adds a finding outside games.
    fn visit_finding(&self, _finding: &SourceFinding<'_>, _batch: &mut Self::Accumulator) {}

    /// Returns true if this visitor needs the whole source, including the text between games and
    /// the games of other shards. `fix` does, because it reproduces its input.
    fn needs_whole_source(&self) -> bool {
        false
    }

    /// Adds text that belongs to no game. The pipeline calls this only if
    /// [`needs_whole_source`](Visitor::needs_whole_source) is true.
    fn visit_non_game(&self, _text: &NonGameBytes<'_>, _batch: &mut Self::Accumulator) {}

    /// Adds a game that is not selected. Games of other shards appear only if
    /// [`needs_whole_source`](Visitor::needs_whole_source) is true.
    fn visit_rejected(&self, _game: &RejectedGame<'_>, _batch: &mut Self::Accumulator) {}

    /// Returns the size of the accumulator in bytes, without rows.
    ///
    /// The pipeline ends a batch early when its accumulator is large. It asks after every piece of
    /// the input, so keep a running total.
    fn buffered_bytes(&self, _batch: &Self::Accumulator) -> usize {
        0
    }
}

/// Ignores every game, for runs that only need the summary.
impl Visitor for () {
    type Accumulator = ();

    fn start_batch(&self) {}

    fn visit_game(&self, _: &VisitedGame<'_>, (): &mut ()) {}
}

/// Two visitors of the same run.
impl<A: Visitor + ?Sized, B: Visitor + ?Sized> Visitor for (&A, &B) {
    type Accumulator = (A::Accumulator, B::Accumulator);

    fn configure(&self, settings: &mut Settings) {
        self.0.configure(settings);
        self.1.configure(settings);
    }

    fn start_batch(&self) -> Self::Accumulator {
        (self.0.start_batch(), self.1.start_batch())
    }

    fn visit_game(&self, game: &VisitedGame<'_>, (first, second): &mut Self::Accumulator) {
        self.0.visit_game(game, first);
        self.1.visit_game(game, second);
    }

    fn visit_finding(&self, finding: &SourceFinding<'_>, (first, second): &mut Self::Accumulator) {
        self.0.visit_finding(finding, first);
        self.1.visit_finding(finding, second);
    }

    fn needs_whole_source(&self) -> bool {
        self.0.needs_whole_source() || self.1.needs_whole_source()
    }

    fn visit_non_game(&self, text: &NonGameBytes<'_>, (first, second): &mut Self::Accumulator) {
        self.0.visit_non_game(text, first);
        self.1.visit_non_game(text, second);
    }

    fn visit_rejected(&self, game: &RejectedGame<'_>, (first, second): &mut Self::Accumulator) {
        self.0.visit_rejected(game, first);
        self.1.visit_rejected(game, second);
    }

    fn buffered_bytes(&self, (first, second): &Self::Accumulator) -> usize {
        self.0.buffered_bytes(first) + self.1.buffered_bytes(second)
    }
}

/// The output of a batch, or of as many of its games as fill one output.
pub struct BatchOutput<T> {
    /// The visitor's accumulator.
    pub product: T,
    /// The next step (game or finding outside games) of the batch, from 0; `None` at the end of the
    /// batch.
    pub next_step: Option<u64>,
    /// True if an interruption ended the batch early.
    pub(super) is_interrupted: bool,
    /// Messages for the user: named inputs that contain no game or can't be read.
    pub messages: Vec<String>,
    /// The counts of the batch.
    pub summary: Summary,
    /// The number of games of this shard that were not selected.
    pub rejected: u64,
}

impl<T> BatchOutput<T> {
    /// Returns the output of an earlier run, from one of its parts.
    pub fn from_part(product: T, summary: Summary, rejected: u64, ends_batch: bool) -> BatchOutput<T> {
        let next_step = (!ends_batch).then_some(0);
        BatchOutput { product, next_step, is_interrupted: false, messages: Vec::new(), summary, rejected }
    }
}
