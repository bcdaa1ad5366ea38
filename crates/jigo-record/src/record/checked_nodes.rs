//! The nodes of the main line that the check of conformance examines.

use std::ops::Range;

use crate::sgf::tokens::ff4::Definition;

/// The places of nodes that may violate the standard, collected while the main line is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct CheckedNodes {
    /// The sound nodes with more than a turn, a sound clock and a comment, in order. The root is
    /// always one of them if it is sound.
    spans: Vec<NodeSpan>,
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
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainProperty {
    /// Its row in the table of properties.
    pub definition: &'static Definition,
    start: u32,
    end: u32,
}

impl PlainProperty {
    /// Returns a property with these bytes between its brackets.
    pub(crate) fn new(definition: &'static Definition, value: Range<usize>) -> PlainProperty {
        PlainProperty { definition, start: value.start as u32, end: value.end as u32 }
    }

    /// Returns the bytes between the brackets.
    pub(crate) fn value(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A sound node. Offsets in a game have 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeSpan {
    offset: u32,
    start: u32,
    end: u32,
    /// True for the root.
    pub is_root: bool,
}

impl NodeSpan {
    /// Returns the offset of the node's `;`.
    pub(crate) fn offset(self) -> usize {
        self.offset as usize
    }

    /// Returns the text after the `;`.
    pub(crate) fn body(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
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

    /// Adds a node.
    pub(crate) fn push(&mut self, offset: usize, body: Range<usize>, is_root: bool) {
        self.spans.push(NodeSpan { offset: offset as u32, start: body.start as u32, end: body.end as u32, is_root });
    }

    /// Returns true if the main line has one node to check and no variation begins on it.
    pub(crate) fn is_only_root(&self) -> bool {
        self.spans.len() == 1 && self.branches.is_empty()
    }

    /// Returns the nodes in the order of the text.
    pub(crate) fn spans(&self) -> impl Iterator<Item = NodeSpan> + '_ {
        self.spans.iter().copied()
    }
}
