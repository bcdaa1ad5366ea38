//! The place of a node, and the kinds of its properties, for those that exclude each other.

use std::ops::Range;

use crate::finding::{Code, CodeSet};
use crate::sgf::tokens::ff4::{Definition, PropertyRole};

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
    /// The codes of these findings. A node can have thousands of findings.
    pub codes: CodeSet,
}

impl NodePlace<'_> {
    /// A root without other findings.
    pub(super) const ROOT: NodePlace<'static> = NodePlace {
        offset: 1,
        is_root: true,
        is_read: true,
        has_earlier_info: false,
        notes: &[],
        codes: CodeSet::EMPTY,
    };

    pub(super) fn has_note(&self, codes: &[Code]) -> bool {
        codes.iter().any(|code| self.codes.contains(*code))
    }

    /// Returns true if another finding has this code and this offset.
    pub(super) fn has_note_at(&self, sought_code: Code, offset: usize) -> bool {
        let first = self.notes.partition_point(|(note, _)| *note < offset);
        self.notes[first..].iter().take_while(|(note, _)| *note == offset).any(|(_, code)| *code == sought_code)
    }
}

/// The kinds of properties of a node.
#[derive(Default)]
pub(super) struct Kinds {
    pub turns: u32,
    /// A turn, a clock, or a fact about a turn that does not require it.
    pub has_move: bool,
    pub has_stones: bool,
    pub has_to_play: bool,
    pub has_game_info: bool,
    /// Annotations of a move that exclude each other.
    pub move_opinions: u32,
    /// Annotations of a position that exclude each other.
    pub position_opinions: u32,
    /// The first annotation that requires a turn.
    pub needs_turn: Option<Range<usize>>,
}

impl Kinds {
    /// Adds a property with this name in the text.
    pub(super) fn add(&mut self, definition: &Definition, name: &Range<usize>) {
        if matches!(definition.role, PropertyRole::Root | PropertyRole::GameInfo) {
            self.has_game_info |= definition.role == PropertyRole::GameInfo;
            return;
        }
        let needs_turn = matches!(definition.name.as_bytes(), b"BM" | b"DO" | b"IT" | b"TE" | b"KO");
        // F009 is about an annotation without a turn.
        self.has_move |= definition.role.is_of_turn() && !needs_turn;
        match definition.role {
            PropertyRole::Turn(_) => self.turns += 1,
            PropertyRole::Stones(_) => self.has_stones = true,
            PropertyRole::ToPlay => self.has_to_play = true,
            _ => {}
        }
        match definition.name.as_bytes() {
            b"BM" | b"DO" | b"IT" | b"TE" => self.move_opinions += 1,
            b"DM" | b"GB" | b"GW" | b"UC" => self.position_opinions += 1,
            _ => {}
        }
        if needs_turn && self.needs_turn.is_none() {
            self.needs_turn = Some(name.clone());
        }
    }
}
