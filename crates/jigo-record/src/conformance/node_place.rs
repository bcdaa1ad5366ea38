//! The place of a node, and the content that later nodes depend on.

use crate::finding::Code;

/// The place of a node in its record.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodePlace<'a> {
    /// The offset of its `;`.
    pub offset: usize,
    /// True for the root.
    pub is_root: bool,
    /// True if the reader reports turns, setup and damage of the node.
    pub is_read: bool,
    /// True if an earlier node of the path has game info.
    pub has_earlier_info: bool,
    /// Other findings in the node, by offset.
    pub notes: &'a [(usize, Code)],
    /// The codes of these findings, each once. A node can have thousands of findings.
    pub codes: &'a [Code],
}

impl NodePlace<'_> {
    /// A root without other findings.
    pub(super) const ROOT: NodePlace<'static> =
        NodePlace { offset: 1, is_root: true, is_read: true, has_earlier_info: false, notes: &[], codes: &[] };

    pub(super) fn has_note(&self, codes: &[Code]) -> bool {
        self.codes.iter().any(|code| codes.contains(code))
    }

    /// Returns true if another finding has this code and this offset.
    pub(super) fn has_note_at(&self, sought_code: Code, offset: usize) -> bool {
        let first = self.notes.partition_point(|(note, _)| *note < offset);
        self.notes[first..].iter().take_while(|(note, _)| *note == offset).any(|(_, code)| *code == sought_code)
    }
}

/// The content of a node that later nodes depend on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeSummary {
    /// True if it has game info.
    pub has_game_info: bool,
    /// The number of turns.
    pub turns: u32,
}
