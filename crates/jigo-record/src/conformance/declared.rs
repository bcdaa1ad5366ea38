//! Facts about the record that all checks need, and the checks of single values in the light of these
//! facts and of the other findings about the node.

use super::node_place::NodePlace;
use super::value_form;
use super::violation::Fault;
use crate::Dialect;
use crate::finding::Code;
use crate::sgf::tokens::ff4::{Definition, LATEST, ValueForm};
use jigo_rules::board::BoardSize;

/// The findings about KM in the root.
const KOMI: [Code; 5] = [Code::UnreadableKomi, Code::KomiHundredths, Code::KomiZi, Code::KomiComma, Code::KomiForm];

/// The findings about HA in the root.
const HANDICAP: [Code; 2] = [Code::UnreadableHandicap, Code::HandicapIsKomi];

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
#[derive(Clone, Copy, Debug, Default)]
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

    /// Returns the fault of a single value, unless a note of the node reports it.
    pub(super) fn value_fault(self, definition: &Definition, value: &[u8], place: NodePlace) -> Option<Fault> {
        if matches!(definition.form, ValueForm::SimpleText | ValueForm::Text) {
            return None;
        }
        let is_before_ff4 = self.is_before_ff4();
        let is_of_latest = definition.until == LATEST || is_before_ff4;
        match definition.name.as_bytes() {
            b"FF" => {
                let fault = value_form::fault(definition.form, value, self.size);
                fault.map(|_| (Code::UnknownFormat, "is not one of FF[1] to FF[4]"))
            }
            b"GM" => None,
            // Known servers write their name only, and no program trips over it.
            b"AP" if self.dialect.is_some() && !value.contains(&b':') => None,
            b"AP" if value.is_empty() => None,
            b"SZ" if is_before_ff4 && value.contains(&b':') => {
                Some((Code::NewerProperty, "has two sides, which only FF[4] defines"))
            }
            b"KM" if place.has_note(&KOMI) => None,
            // H009 reports a missing komi.
            b"KM" if value.is_empty() && place.is_root => None,
            b"HA" if place.has_note(&HANDICAP) => None,
            b"HA" if value == b"1" => Some((Code::ValueRange, "is not a handicap: FF[4] demands 2 or more")),
            b"PL" if place.has_note(&[Code::UnreadableProperty]) => None,
            // Other findings are about RE in the root.
            b"RE" if place.is_root => None,
            b"DT" | b"FG" | b"TM" if is_before_ff4 => None,
            _ if !is_of_latest => None,
            _ => value_form::fault(definition.form, value, self.size),
        }
    }
}

/// Returns true if another finding reports several values of this property.
pub(super) fn is_reported_list(definition: &Definition, place: NodePlace) -> bool {
    match definition.name.as_bytes() {
        b"B" | b"W" => place.is_read,
        b"SZ" => place.has_note(&[Code::RepeatedProperty]),
        b"KM" => place.has_note(&KOMI),
        b"HA" => place.has_note(&HANDICAP),
        b"RE" => place.has_note(&[Code::UnreadableResult]),
        b"PL" => place.has_note(&[Code::UnreadableProperty]),
        _ => false,
    }
}
