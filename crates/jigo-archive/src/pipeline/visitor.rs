//! What is made of the games of a run: whoever wants something of them is a visitor.

use jigo_core::analyze::{GameReport, Settings};
use jigo_core::finding::{Code, Finding};
use jigo_core::sgf::{GameText, Unit};

use crate::summary::Summary;

/// A game as a visitor sees it.
#[derive(Clone, Copy)]
pub struct Visited<'a> {
    /// Its text, and where it stands.
    pub text: &'a GameText<'a>,
    /// What came out of it.
    pub report: &'a GameReport,
    /// Those of its findings that are reported, in the record's order.
    pub reported: &'a [&'a Finding],
}

/// A reported finding outside games.
#[derive(Clone, Copy)]
pub struct Outside<'a> {
    /// The input that it is in.
    pub file: &'a str,
    /// The byte of the input, from 0.
    pub byte: u64,
    /// The line of the input, from 1; `None` where it is on the whole input.
    pub line: Option<u64>,
    /// What was found.
    pub finding: &'a Finding,
    /// It is told on standard error, as the input was named outright.
    pub is_told: bool,
}

/// What a source has beside games. Put together with the games, selected or not, in order, it is the whole source, as UTF-8 where it is UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest<'a> {
    /// The source.
    pub file: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// What it is.
    pub kind: RestKind,
}

/// What a part of a source is that is no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestKind {
    /// Blanks between games, or the text of a source without games.
    Between,
    /// The start of the source, which is cut into units of this kind.
    Start(Unit),
    /// Text outside games.
    Outside {
        /// Its finding.
        code: Code,
        /// The byte of the source where it begins, from 0.
        byte: u64,
    },
    /// The end of the source.
    End {
        /// All of it could be read.
        is_whole: bool,
        /// It is a file of its own: neither in an archive nor a row.
        is_file: bool,
    },
}

/// Makes something of the games of a run: rows, counts, bytes.
///
/// Every batch of games gets a [`Part`](Visitor::Part) of its own, to which one thread adds game after game in the order of the input. The parts come out of
/// [`run`](super::run) in the order of the input, too, so that whoever puts them together gets the same for any number of threads.
///
/// Two or more visitors side by side are one: a tuple of visitors has a tuple of their parts.
pub trait Visitor: Sync {
    /// What is made of the games of a batch.
    type Part: Send;

    /// Asks for what it needs of the analysis beyond the usual.
    fn ask(&self, _settings: &mut Settings) {}

    /// What is made of no game yet.
    fn part(&self) -> Self::Part;

    /// Adds a game.
    fn game(&self, game: &Visited<'_>, part: &mut Self::Part);

    /// Adds a finding outside games.
    fn outside(&self, _found: &Outside<'_>, _part: &mut Self::Part) {}

    /// Whether it wants to see all of a source: what is beside games, and the games of other shards.
    fn sees_rest(&self) -> bool {
        false
    }

    /// Adds what is beside games; only if it [`sees_rest`](Visitor::sees_rest).
    fn rest(&self, _rest: &Rest<'_>, _part: &mut Self::Part) {}

    /// Adds a game that is not selected; one of another shard only if it [`sees_rest`](Visitor::sees_rest).
    fn passed(&self, _text: &GameText<'_>, _is_in_shard: bool, _part: &mut Self::Part) {}

    /// Bytes that the part holds beside rows, so that it is handed on before it holds too many.
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

/// A visitor that may not be there.
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

/// Nobody looks: the run is counted, and that is all.
impl Visitor for () {
    type Part = ();

    fn part(&self) {}

    fn game(&self, _: &Visited<'_>, (): &mut ()) {}
}

/// What came of a batch, or of as many of its games as have rows for one output.
pub struct BatchOutput<P> {
    /// What the visitor made of its games.
    pub part: P,
    /// Steps of the batch that are done, games and findings outside games, where others are left; `None` at its end.
    pub rest_from: Option<u64>,
    /// The run was interrupted before all of the batch was done.
    pub(super) is_cut: bool,
    /// What to tell the user at once: inputs named outright that hold no game or can't be read.
    pub messages: Vec<String>,
    /// Counts of the batch.
    pub summary: Summary,
    /// Games that were passed over: not selected, though in this shard.
    pub passed: u64,
}

/// A visitor with the part that it is adding to; the work on a batch need not know which.
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

/// See [`Gather`].
pub(super) struct Gathering<'a, V: Visitor> {
    /// The visitor.
    pub visitor: &'a V,
    /// What it made up to here.
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
