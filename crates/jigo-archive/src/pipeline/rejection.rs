//! The reasons why a run does not select a game.

use jigo_record::finding::Finding;
use jigo_record::splitter::GameText;

/// A game that the run does not select.
#[derive(Clone, Copy)]
pub struct RejectedGame<'a> {
    /// The game's text and its position in the source.
    pub text: &'a GameText<'a>,
    /// The reason.
    pub rejection: Rejection<'a>,
}

/// The reason why a game is not selected: the first one in the order of the variants.
#[derive(Clone, Copy, Debug)]
pub enum Rejection<'a> {
    /// Another run analyses the game's shard.
    OtherShard,
    /// The run already has its maximum number of games.
    Limit,
    /// The list of games does not contain the game.
    Unlisted,
    /// The game is excluded by file and number.
    Excluded,
    /// The game is not in the sample.
    Unsampled,
    /// The game does not meet this condition of the filter, whose text is as the user typed it.
    Condition(&'a str),
    /// The game has errors among these reported findings, and only games without are selected.
    Errors(&'a [&'a Finding]),
    /// The game has no error, and only games with one are selected.
    NoError,
}

/// The selection of games by their reported findings of severity error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorFilter {
    /// Selects games without an error.
    Clean,
    /// Selects games with an error.
    Broken,
}
