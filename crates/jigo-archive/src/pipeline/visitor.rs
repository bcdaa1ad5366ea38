//! What is made of the games of a run: whoever wants something of them is a visitor.

use jigo_core::analyze::{GameReport, Settings};
use jigo_core::finding::Finding;
use jigo_core::sgf::GameText;

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
        }
    };
}

side_by_side!(A 0, B 1);
side_by_side!(A 0, B 1, C 2);
side_by_side!(A 0, B 1, C 2, D 3);
side_by_side!(A 0, B 1, C 2, D 3, E 4);

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
    pub is_cut: bool,
    /// What to tell the user at once: inputs named outright that hold no game or can't be read.
    pub messages: Vec<String>,
    /// Counts of the batch.
    pub summary: Summary,
}

/// A visitor with the part that it is adding to; the work on a batch need not know which.
pub(super) trait Gather {
    /// See [`Visitor::game`].
    fn game(&mut self, game: &Visited<'_>);
    /// See [`Visitor::outside`].
    fn outside(&mut self, found: &Outside<'_>);
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
}
