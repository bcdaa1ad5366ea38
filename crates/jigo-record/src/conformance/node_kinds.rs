//! The kinds of properties of a node, for those that exclude each other.

use std::ops::Range;

use crate::sgf::tokens::ff4::{Definition, PropertyKind, PropertyRole};

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
        self.has_move |= definition.kind() == PropertyKind::Move && !needs_turn;
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
