//! The properties of one node, each once, in the order of the text.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::Form;
use super::left_out::LeftOut;
use super::value::{escaped, of_text, pair, points};
use crate::board::BoardSize;
use crate::record::Header;
use crate::record::nodes::{RawProperty, properties};
use crate::sgf::ff4::{PropertyRole, ValueKind, role};
use crate::sgf::lexis::{Lexis, capitals};

/// Longest identifier that is kept; the longest of FF\[4\] has two letters, programs have more.
const LONGEST: usize = 64;
/// As many are looked through as fast as they would be found by their names.
const FEW: usize = 16;

/// A property of KGS's own that belongs to a turn.
const KGS_OF_TURN: &str = "KGSDE";

/// Properties as they will be written.
#[derive(Debug, Default)]
pub(super) struct Properties {
    /// Identifiers with their values.
    found: Vec<(String, Vec<String>)>,
    /// The properties that the normal form leaves out.
    pub left_out: LeftOut,
}

/// Where properties stand.
#[derive(Clone, Copy)]
pub(super) struct NodePlace<'a> {
    /// The header where it is the root's.
    pub root: Option<&'a Header>,
    /// The board.
    pub size: BoardSize,
    /// How they are to be written.
    pub form: Form,
}

impl NodePlace<'_> {
    /// Whether whoever wrote the record writes this property of the root more than once as a matter of course.
    fn is_usual_twice(&self, name: &str) -> bool {
        let dialect = self.root.and_then(|header| header.dialect);
        dialect.is_some_and(|dialect| dialect.repeated.contains(&name))
    }
}

impl Properties {
    /// The properties of a node that [`Reader`](crate::record::read::Reader) has read, those left out that it understands itself. Without
    /// `is_closed` the last one is, since nobody knows where it ends.
    pub(super) fn of(lexis: &Lexis, body: std::ops::Range<usize>, is_closed: bool, place: NodePlace) -> Properties {
        let mut kept = Properties::default();
        let (mut found, _) = properties(lexis, body);
        if !is_closed {
            if let Some(last) = found.pop() {
                kept.left_out.add(&String::from_utf8_lossy(&letters(lexis.bytes, &last)));
            }
        }
        let mut places = HashMap::new();
        for property in &found {
            kept.add(lexis.bytes, property, place, &mut places);
        }
        kept
    }

    /// Where a property stands among those found. `places` has them by their names where they are many.
    fn find(&self, name: &str, places: &mut HashMap<String, usize>) -> Option<usize> {
        if self.found.len() <= FEW {
            return self.found.iter().position(|(known, _)| known == name);
        }
        for (at, (known, _)) in self.found.iter().enumerate().skip(places.len()) {
            places.insert(known.clone(), at);
        }
        places.get(name).copied()
    }

    fn add(&mut self, bytes: &[u8], property: &RawProperty, place: NodePlace, places: &mut HashMap<String, usize>) {
        let letters = letters(bytes, property);
        let name = String::from_utf8_lossy(&capitals(&letters)).into_owned();
        let is_name = letters.iter().all(u8::is_ascii_alphabetic) && (1..=LONGEST).contains(&name.len());
        if !is_name || property.values.is_empty() {
            self.left_out.add(&String::from_utf8_lossy(&letters));
            return;
        }
        let role = role(name.as_bytes());
        // What is of the board is read elsewhere.
        if let Some(role) = role.filter(|role| role.is_of_board()) {
            self.left_out.add_if(matches!(role, PropertyRole::Turn(_)) && property.values.len() > 1, &name);
            return;
        }
        if (place.form.without_comments && matches!(name.as_str(), "C" | "GC"))
            || (role == Some(PropertyRole::Root) && self.is_of_header(&name, place))
        {
            return;
        }
        let kind = ValueKind::of(&name);
        let values: Vec<String> =
            property.values.iter().filter_map(|value| self.value(&name, kind, &bytes[value.clone()], place)).collect();
        if values.is_empty() {
            return;
        }
        match self.find(&name, places).map(|at| &mut self.found[at]) {
            None => self.found.push((name, if kind.is_list() { each_once(values) } else { values })),
            Some((_, known)) if kind.is_list() => {
                known.extend(values);
                *known = each_once(std::mem::take(known));
            }
            Some((_, known)) if *known == values => {}
            // What the server is known by comes behind the program that it uses.
            Some((_, known)) if place.is_usual_twice(&name) => *known = values,
            Some((_, known)) if name == "C" => {
                let text = std::iter::once(&known[0]).chain(&values).map(String::as_str).collect::<Vec<_>>().join("\n");
                *known = vec![text];
            }
            Some(_) => self.left_out.add(&name),
        }
    }

    /// Whether one that only roots have is left out: in the root most come from the header, elsewhere they mean nothing.
    fn is_of_header(&mut self, name: &str, place: NodePlace) -> bool {
        self.left_out.add_if(place.root.is_none(), name);
        place.root.is_none() || !matches!(name, "AP" | "ST")
    }

    /// A value as it will be written.
    fn value(&mut self, name: &str, kind: ValueKind, value: &[u8], place: NodePlace) -> Option<String> {
        let text = escaped(value, kind);
        if let Some(header) = place.root {
            match name {
                "KM" => return Some(number(&text, header.komi)),
                "HA" => return Some(number(&text, header.handicap)),
                _ => {}
            }
        }
        let read = match kind {
            // To take all marks away.
            ValueKind::Points if text.is_empty() && matches!(name, "DD" | "VW") => Some(String::new()),
            ValueKind::Points => points(&text, place.size),
            ValueKind::PointPairs => pair(&text, place.size),
            _ => return Some(text.into_owned()),
        };
        self.left_out.add_if(read.is_none() && !text.is_empty(), name);
        read
    }

    /// Adds a property by its text; none where that is empty.
    pub(super) fn set(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.found.push((name.to_owned(), vec![of_text(text, ValueKind::of(name))]));
        }
    }

    /// Moves those that belong to a turn into properties of their own.
    pub(super) fn take_of_turn(&mut self) -> Properties {
        let is_of_turn = |(name, _): &mut (String, Vec<String>)| {
            matches!(role(name.as_bytes()), Some(PropertyRole::Clock | PropertyRole::OfTurn)) || name == KGS_OF_TURN
        };
        Properties { found: self.found.extract_if(.., is_of_turn).collect(), left_out: LeftOut::default() }
    }

    /// Whether this one is among them.
    pub(super) fn has(&self, name: &str) -> bool {
        self.found.iter().any(|(known, _)| known == name)
    }

    /// Whether something is true of each, by its identifier and its first value.
    pub(super) fn all(&self, is_so: impl Fn(&str, &str) -> bool) -> bool {
        self.found.iter().all(|(name, values)| is_so(name, values.first().map_or("", String::as_str)))
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Writes them, each behind `separator`.
    pub(super) fn write(&self, separator: &str, to: &mut String) {
        for (name, values) in &self.found {
            to.push_str(separator);
            to.push_str(name);
            for value in values {
                // A String does not refuse to be written to.
                let _ = write!(to, "[{value}]");
            }
        }
    }
}

/// Returns the identifier of a property without white space.
fn letters(bytes: &[u8], property: &RawProperty) -> Vec<u8> {
    let mut letters = bytes[property.identifier.clone()].to_vec();
    letters.retain(|byte| !byte.is_ascii_whitespace());
    letters
}

/// The values in their order, each once.
fn each_once(mut values: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    values.retain(|value| seen.insert(value.clone()));
    values
}

/// A number as FF\[4\] writes numbers: as it stands if it is one, else as it was understood.
fn number(text: &str, understood: Option<impl ToString>) -> String {
    let is_number = |text: &str| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        [whole, fraction].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    match understood {
        Some(understood) if !is_number(text) => understood.to_string(),
        _ => text.to_owned(),
    }
}
