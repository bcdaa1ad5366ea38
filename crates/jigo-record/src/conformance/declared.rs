//! Facts about the record that all checks need.

use crate::Dialect;
use jigo_rules::board::BoardSize;

/// The nodes to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The root.
    Root,
    /// All nodes. Nothing else reads the variations.
    Tree,
    /// All nodes. The replay of all variations reports unreadable turns and setup in them.
    ReplayedTree,
}

/// Facts about the record that all checks need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared {
    pub size: BoardSize,
    /// The version of FF, if the record declares a known one.
    pub version: Option<u8>,
    /// The server or program that wrote the record, if known.
    pub dialect: Option<&'static Dialect>,
}

impl Declared {
    /// Returns true if the record declares an earlier version than FF\[4\].
    pub(super) fn is_before_ff4(self) -> bool {
        self.version.is_some_and(|version| version < 4)
    }
}
