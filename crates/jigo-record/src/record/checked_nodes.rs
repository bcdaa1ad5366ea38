//! The nodes of the main line that the check of conformance examines.

use std::ops::Range;

use crate::sgf::tokens::ff4::Definition;

/// The places of nodes that may violate the standard, collected while the main line is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct CheckedNodes {
    /// The sound nodes with more than a turn, a sound clock and a comment, in order. The root is
    /// always one of them if it is sound.
    pub spans: Vec<NodeSpan>,
    /// The properties of a root that the reader decoded in place, in order; otherwise empty.
    /// Properties that no version of FF defines are left out.
    pub root_properties: Vec<PlainProperty>,
    /// The offsets of the parentheses on the main line that open a variation.
    pub branches: Vec<usize>,
    /// The offsets of the nodes after the root whose header a finding reports.
    pub second_headers: Vec<usize>,
    /// The offset after the main line.
    pub end: usize,
}

/// A property with one value without escapes.
#[derive(Clone, Debug)]
pub(crate) struct PlainProperty {
    /// Its row in the table of properties.
    pub definition: &'static Definition,
    /// The bytes between the brackets.
    pub value: Range<usize>,
}

/// A sound node.
#[derive(Clone, Debug)]
pub(crate) struct NodeSpan {
    /// The offset of its `;`.
    pub offset: usize,
    /// The text after the `;`.
    pub body: Range<usize>,
    /// True for the root.
    pub is_root: bool,
}

impl CheckedNodes {
    /// Empties the lists and keeps their memory.
    pub(crate) fn clear(&mut self) {
        self.spans.clear();
        self.root_properties.clear();
        self.branches.clear();
        self.second_headers.clear();
        self.end = 0;
    }

    /// Returns true if the main line has one node to check and no variation begins on it.
    pub(crate) fn is_only_root(&self) -> bool {
        self.spans.len() == 1 && self.branches.is_empty()
    }
}
