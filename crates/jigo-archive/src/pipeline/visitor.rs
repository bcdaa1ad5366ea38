//! Visitors: the products of a run.
//!
//! The pipeline analyses games in parallel and knows nothing about tables, pages or extracted
//! files. Each product implements [`Visitor`]. A visitor adds the games of one batch to an
//! accumulator, and the pipeline returns the accumulators in input order.

use jigo_core::analysis::{GameReport, Settings};
use jigo_record::finding::{Code, Finding};
use jigo_record::splitter::{GameText, Unit};

use crate::summary::Summary;

/// A game as a visitor receives it.
#[derive(Clone, Copy)]
pub struct Visited<'a> {
    /// The game's text and its position in the source.
    pub text: &'a GameText<'a>,
    /// The report of the analysis.
    pub report: &'a GameReport,
    /// The findings to report, in the order of the record.
    pub reported: &'a [&'a Finding],
}

/// A reported finding outside games.
#[derive(Clone, Copy)]
pub struct Outside<'a> {
    /// The input of the finding.
    pub file: &'a str,
    /// The byte of the input, from 0.
    pub byte: u64,
    /// The line of the input, from 1; `None` for a finding on the whole input.
    pub line: Option<u64>,
    /// The finding.
    pub finding: &'a Finding,
    /// True if standard error also shows the finding, because the user named the input.
    pub is_told: bool,
}

/// The text of a source that belongs to no game.
///
/// Together with all games, selected or not, these texts are the whole source in order. A UTF-16
/// source is converted to UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest<'a> {
    /// The source.
    pub file: &'a str,
    /// The bytes of the text.
    pub bytes: &'a [u8],
    /// True if the text is UTF-16 in the source.
    pub is_utf16: bool,
    /// The kind of the text.
    pub kind: RestKind,
}

/// The kind of a text that belongs to no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestKind {
    /// White space between games, or the text of a source without games.
    Between,
    /// The start of the source, which is divided into units of this kind.
    Start(Unit),
    /// Stray text.
    Outside {
        /// The code of its finding.
        code: Code,
        /// The first byte of the text in the source, from 0.
        byte: u64,
    },
    /// The end of the source.
    End {
        /// True if all of the source could be read.
        is_whole: bool,
        /// True if the source is a file on disk, not a member of an archive or a row.
        is_file: bool,
    },
}

/// A product computed from the games of a run, such as rows, counts or bytes.
///
/// Games arrive in batches. One thread adds the games of a batch to its [`Part`](Visitor::Part) in
/// input order. [`run`](super::run) also returns the parts in input order, so the result does not
/// depend on the number of threads.
///
/// A tuple of visitors is also a visitor, with a tuple of their parts.
pub trait Visitor: Sync {
    /// The result for one batch.
    type Part: Send;

    /// Enables the optional analysis steps that this visitor needs.
    fn ask(&self, _settings: &mut Settings) {}

    /// Returns an empty part.
    fn part(&self) -> Self::Part;

    /// Adds a selected game.
    fn game(&self, game: &Visited<'_>, part: &mut Self::Part);

    /// Adds a finding outside games.
    fn outside(&self, _found: &Outside<'_>, _part: &mut Self::Part) {}

    /// Returns true if this visitor needs the whole source, including the text between games and
    /// the games of other shards. `extract` and `fix` do, because they reproduce their input.
    fn sees_rest(&self) -> bool {
        false
    }

    /// Adds text that belongs to no game. The pipeline calls this only if
    /// [`sees_rest`](Visitor::sees_rest) is true.
    fn rest(&self, _rest: &Rest<'_>, _part: &mut Self::Part) {}

    /// Adds a game that is not selected. Games of other shards appear only if
    /// [`sees_rest`](Visitor::sees_rest) is true.
    fn passed(&self, _text: &GameText<'_>, _is_in_shard: bool, _part: &mut Self::Part) {}

    /// Returns the size of the part in bytes, without rows.
    ///
    /// The pipeline ends a batch early when its part is large. It asks after every piece of the
    /// input, so keep a running total.
    fn held(&self, _part: &Self::Part) -> usize {
        0
    }
}

macro_rules! side_by_side {
    ($($visitor:ident $at:tt),*) => {
        impl<$($visitor: Visitor),*> Visitor for ($($visitor,)*) {
            type Part = ($($visitor::Part,)*);

            fn ask(&self, settings: &mut Settings) {
                $(self.$at.ask(settings);)*
            }

            fn part(&self) -> Self::Part {
                ($(self.$at.part(),)*)
            }

            fn game(&self, game: &Visited<'_>, part: &mut Self::Part) {
                $(self.$at.game(game, &mut part.$at);)*
            }

            fn outside(&self, found: &Outside<'_>, part: &mut Self::Part) {
                $(self.$at.outside(found, &mut part.$at);)*
            }

            fn sees_rest(&self) -> bool {
                $(self.$at.sees_rest())||*
            }

            fn rest(&self, rest: &Rest<'_>, part: &mut Self::Part) {
                $(self.$at.rest(rest, &mut part.$at);)*
            }

            fn passed(&self, text: &GameText<'_>, is_in_shard: bool, part: &mut Self::Part) {
                $(self.$at.passed(text, is_in_shard, &mut part.$at);)*
            }

            fn held(&self, part: &Self::Part) -> usize {
                [$(self.$at.held(&part.$at)),*].iter().sum()
            }
        }
    };
}

side_by_side!(A 0, B 1);
side_by_side!(A 0, B 1, C 2);
side_by_side!(A 0, B 1, C 2, D 3);
side_by_side!(A 0, B 1, C 2, D 3, E 4);
side_by_side!(A 0, B 1, C 2, D 3, E 4, F 5);

/// An optional visitor.
impl<V: Visitor> Visitor for Option<V> {
    type Part = Option<V::Part>;

    fn ask(&self, settings: &mut Settings) {
        self.iter().for_each(|visitor| visitor.ask(settings));
    }

    fn part(&self) -> Self::Part {
        self.as_ref().map(V::part)
    }

    fn game(&self, game: &Visited<'_>, part: &mut Self::Part) {
        self.iter().zip(part).for_each(|(visitor, part)| visitor.game(game, part));
    }

    fn outside(&self, found: &Outside<'_>, part: &mut Self::Part) {
        self.iter().zip(part).for_each(|(visitor, part)| visitor.outside(found, part));
    }

    fn sees_rest(&self) -> bool {
        self.as_ref().is_some_and(V::sees_rest)
    }

    fn rest(&self, rest: &Rest<'_>, part: &mut Self::Part) {
        self.iter().zip(part).for_each(|(visitor, part)| visitor.rest(rest, part));
    }

    fn passed(&self, text: &GameText<'_>, is_in_shard: bool, part: &mut Self::Part) {
        self.iter().zip(part).for_each(|(visitor, part)| visitor.passed(text, is_in_shard, part));
    }

    fn held(&self, part: &Self::Part) -> usize {
        self.iter().zip(part).map(|(visitor, part)| visitor.held(part)).sum()
    }
}

/// A visitor that ignores every game, for runs that only need the summary.
impl Visitor for () {
    type Part = ();

    fn part(&self) {}

    fn game(&self, _: &Visited<'_>, (): &mut ()) {}
}

/// The output of a batch, or of as many of its games as fill one output.
pub struct BatchOutput<P> {
    /// The visitor's result.
    pub part: P,
    /// The number of completed steps (games and findings outside games) if some are left; `None` at
    /// the end of the batch.
    pub rest_from: Option<u64>,
    /// True if an interruption ended the batch early.
    pub(super) is_cut: bool,
    /// Messages for the user: named inputs that contain no game or can't be read.
    pub messages: Vec<String>,
    /// The counts of the batch.
    pub summary: Summary,
    /// The number of games of this shard that were not selected.
    pub passed: u64,
}

/// A visitor with its current part, without its type, so that the code for batches is not generic.
pub(super) trait Gather {
    /// See [`Visitor::game`].
    fn game(&mut self, game: &Visited<'_>);
    /// See [`Visitor::outside`].
    fn outside(&mut self, found: &Outside<'_>);
    /// See [`Visitor::sees_rest`].
    fn sees_rest(&self) -> bool;
    /// See [`Visitor::rest`].
    fn rest(&mut self, rest: &Rest<'_>);
    /// See [`Visitor::passed`].
    fn passed(&mut self, text: &GameText<'_>, is_in_shard: bool);
    /// See [`Visitor::held`].
    fn held(&self) -> usize;
}

/// The implementation of [`Gather`] for any visitor.
pub(super) struct Gathering<'a, V: Visitor> {
    /// The visitor.
    pub visitor: &'a V,
    /// The part of the current batch.
    pub part: V::Part,
}

impl<V: Visitor> Gather for Gathering<'_, V> {
    fn game(&mut self, game: &Visited<'_>) {
        self.visitor.game(game, &mut self.part);
    }

    fn outside(&mut self, found: &Outside<'_>) {
        self.visitor.outside(found, &mut self.part);
    }

    fn sees_rest(&self) -> bool {
        self.visitor.sees_rest()
    }

    fn rest(&mut self, rest: &Rest<'_>) {
        self.visitor.rest(rest, &mut self.part);
    }

    fn passed(&mut self, text: &GameText<'_>, is_in_shard: bool) {
        self.visitor.passed(text, is_in_shard, &mut self.part);
    }

    fn held(&self) -> usize {
        self.visitor.held(&self.part)
    }
}
