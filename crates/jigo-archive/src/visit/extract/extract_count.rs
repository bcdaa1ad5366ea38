//! The number of games by destination.

use serde::{Deserialize, Serialize};

use crate::partial_result::merge_fields;

/// The number of games by destination. Each game is either extracted or rejected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractCount {
    /// Selected games that were written.
    pub extracted: u64,
    /// All other games.
    pub rejected: u64,
    /// Rejected games that were selected but have no normal form, because they contain no game of
    /// Go.
    pub without_form: u64,
    /// Extracted games of which some data could not be written.
    pub cut: u64,
    /// Extracted games with a marked ending.
    pub marked: u64,
    /// Games of another format that were written as SGF.
    pub converted: u64,
    /// Extracted games that took over values from their duplicates.
    pub merged: u64,
    /// Rejected games that exceed the limit on the size of a game. Their text is incomplete, so it
    /// is not written.
    pub oversized: u64,
    /// Inputs that could not be read to their end.
    pub unread: u64,
}

merge_fields!(ExtractCount { extracted, rejected, without_form, cut, marked, converted, merged, oversized, unread });
