//! Checks of single values, in the light of the other findings about their node.

use super::declared::Declared;
use super::node_place::NodePlace;
use super::value_form;
use super::violation::Fault;
use crate::finding::Code;
use crate::sgf::tokens::ff4::{Definition, LATEST, ValueForm};

/// The findings about KM in the root.
const KOMI: [Code; 5] = [Code::UnreadableKomi, Code::KomiHundredths, Code::KomiZi, Code::KomiComma, Code::KomiForm];

/// The findings about HA in the root.
const HANDICAP: [Code; 2] = [Code::UnreadableHandicap, Code::HandicapIsKomi];

impl Declared {
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
