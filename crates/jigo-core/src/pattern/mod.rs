//! Patterns: positions and parts of positions, and their matches in games.
//!
//! A [`BoardPattern`] is a rectangle of points with optional borders. A [`PatternSearch`] adds the
//! symmetries, colours and turns of a search. A [`PatternMatcher`] finds the matches in the replay
//! of one game.
//!
//! The matcher does not look at every position. It walks through the changes of points that the
//! replay has stored, and only tests placements whose points have changed.

mod diagram_parser;
mod match_collector;
mod named_points;
mod pattern_matcher;
mod pattern_search;
mod pattern_shape;
mod placements;
mod timeline;
#[cfg(test)]
mod tests;

pub use diagram_parser::DiagramError;
pub(crate) use match_collector::NewPart;
pub use pattern_matcher::PatternMatcher;
pub(crate) use pattern_matcher::ReplayedGame;
pub use pattern_search::{NextPlace, NextTurn, PatternMatch, PatternSearch, SearchOptions};
pub use pattern_shape::{BoardPattern, Borders, PatternPoint};
