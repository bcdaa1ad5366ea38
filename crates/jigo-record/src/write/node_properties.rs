//! The properties of one node, each once, in the order of the text.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::omissions::{Omissions, WriteOptions};
use super::unused_values::unused_values;
use super::value::{escape_value, normalize_pair, normalize_points};
use crate::Header;
use crate::conformance::value_form::is_real;
use crate::record::nodes::{RawProperty, properties};
use crate::sgf::tokens::ff4::{PropertyRole, ValueForm, role};
use crate::sgf::tokens::lexer::{Lexer, capitals};
use jigo_rules::board::BoardSize;

/// The maximum length of an identifier. FF\[4\] uses at most two letters, and programs use more.
const MAX_NAME: usize = 64;
/// The number of properties up to which a linear search is as fast as a search in a map.
const LINEAR_SEARCH_LIMIT: usize = 16;

/// A property of KGS that belongs to a turn.
const KGS_TURN_PROPERTY: &str = "KGSDE";

/// Properties in the form in which they are written.
#[derive(Debug, Default)]
pub(super) struct NodeProperties {
    /// Identifiers with their values.
    entries: Vec<(String, Vec<String>)>,
    /// The properties that the normal form omits.
    pub omissions: Omissions,
}

/// The place of properties.
#[derive(Clone, Copy)]
pub(super) struct NodeContext<'a> {
    /// The text of the game.
    pub bytes: &'a [u8],
    /// The header, if the node is the root.
    pub root: Option<&'a Header>,
    /// The board size.
    pub size: BoardSize,
    /// The maximum length in bytes of a property that the reader interprets.
    pub max_property: u64,
    /// The options of the normal form.
    pub options: WriteOptions,
}

impl NodeContext<'_> {
    /// Returns true if the program that wrote the record usually repeats this root property.
    fn may_repeat(&self, name: &str) -> bool {
        let dialect = self.root.and_then(|header| header.dialect);
        dialect.is_some_and(|dialect| dialect.repeated.contains(&name))
    }
}

impl NodeProperties {
    /// Returns the properties of a node that [`Reader`](crate::record::reader::Reader) has read,
    /// except for those that the reader interprets itself.
    ///
    /// If `is_closed` is false, the end of the last property is unknown, and it is omitted.
    pub(super) fn from_node(
        lexer: &Lexer,
        body: std::ops::Range<usize>,
        is_closed: bool,
        context: NodeContext,
    ) -> NodeProperties {
        let mut result = NodeProperties { omissions: context.options.empty_omissions(), ..NodeProperties::default() };
        let (mut raw, _) = properties(lexer, body);
        if !is_closed && let Some(last) = raw.pop() {
            let name = identifier_letters(lexer.bytes, &last);
            result.omissions.add_text(&String::from_utf8_lossy(&name), || property_text(lexer.bytes, &last));
        }
        let mut indexes = HashMap::new();
        for property in &raw {
            result.add(property, context, &mut indexes);
        }
        if result.omissions.keeps_texts() {
            for text in unused_values(lexer.bytes, &raw, context.root.is_some(), context.size) {
                result.omissions.keep_text(|| text);
            }
        }
        result
    }

    /// Returns the index of a property. If there are many, `indexes` maps names to indexes.
    fn find(&self, name: &str, indexes: &mut HashMap<String, usize>) -> Option<usize> {
        if self.entries.len() <= LINEAR_SEARCH_LIMIT {
            return self.entries.iter().position(|(existing, _)| existing == name);
        }
        for (index, (existing, _)) in self.entries.iter().enumerate().skip(indexes.len()) {
            indexes.insert(existing.clone(), index);
        }
        indexes.get(name).copied()
    }

    /// Adds a property of the text, or counts it as omitted.
    fn add(&mut self, property: &RawProperty, context: NodeContext, indexes: &mut HashMap<String, usize>) {
        let bytes = context.bytes;
        let letters = identifier_letters(bytes, property);
        let name = String::from_utf8_lossy(&capitals(&letters)).into_owned();
        // The header contains the values of these names.
        let dialect = context.root.and_then(|header| header.dialect);
        let name = dialect.map_or(name.as_str(), |dialect| dialect.meaning(&name)).to_owned();
        let role = role(name.as_bytes());
        let is_name =
            (role.is_some() || letters.iter().all(u8::is_ascii_alphabetic)) && (1..=MAX_NAME).contains(&name.len());
        if !is_name || property.values.is_empty() {
            let mut written = bytes[property.identifier.clone()].to_vec();
            written.retain(|byte| !byte.is_ascii_whitespace());
            self.omissions.add_text(&String::from_utf8_lossy(&written), || property_text(bytes, property));
            return;
        }
        if let Some(role) = role
            && self.omits_role(role, &name, property, context)
        {
            return;
        }
        if context.options.omits_comments && matches!(name.as_str(), "C" | "GC") {
            return;
        }
        let form = ValueForm::for_property(name.as_bytes());
        let values = property.values.iter().filter_map(|value| self.value(&name, form, &bytes[value.clone()], context));
        let values: Vec<String> = values.collect();
        if values.is_empty() {
            return;
        }
        match self.find(&name, indexes) {
            None => self.entries.push((name, if form.is_list() { without_duplicates(values) } else { values })),
            Some(index) => self.add_again(index, values, context),
        }
    }

    /// Returns true if the role of a property omits it: the reader interprets properties of the
    /// board and of the root.
    fn omits_role(&mut self, role: PropertyRole, name: &str, property: &RawProperty, context: NodeContext) -> bool {
        let text = || property_text(context.bytes, property);
        if role.affects_board() {
            self.omissions.add_if(matches!(role, PropertyRole::Turn(_)) && property.values.len() > 1, name);
            if property.range.len() as u64 > context.max_property {
                self.omissions.keep_text(text);
            }
            return true;
        }
        if role != PropertyRole::Root {
            return false;
        }
        // In the root, most root properties come from the header; elsewhere they have no meaning.
        if context.root.is_none() {
            self.omissions.add_text(name, text);
        }
        context.root.is_none() || !matches!(name, "AP" | "ST")
    }

    /// Adds values to the entry at `index`, which has the same name.
    fn add_again(&mut self, index: usize, values: Vec<String>, context: NodeContext) {
        let (name, existing) = &mut self.entries[index];
        if ValueForm::for_property(name.as_bytes()).is_list() {
            existing.extend(values);
            *existing = without_duplicates(std::mem::take(existing));
            return;
        }
        if *existing == values {
            return;
        }
        if context.may_repeat(name) {
            // The server writes its own value after the value of the program that it uses.
            let replaced = std::mem::replace(existing, values);
            self.omissions.keep_text(|| format!("{name}[{}]", replaced.join("][")));
        } else if *name == "C" {
            let text = std::iter::once(&existing[0]).chain(&values).map(String::as_str).collect::<Vec<_>>().join("\n");
            *existing = vec![text];
        } else if role(name.as_bytes()) == Some(PropertyRole::Clock) && context.options.keeps_omitted_texts {
            // Clocks of several turns in one node.
            self.omissions.add(name);
            let name = name.clone();
            self.entries.push((name, values));
        } else {
            self.omissions.add_text(name, || format!("{name}[{}]", values.join("][")));
        }
    }

    /// Returns a value in the form in which it is written.
    fn value(&mut self, name: &str, form: ValueForm, value: &[u8], context: NodeContext) -> Option<String> {
        let text = escape_value(value, form);
        if let Some(header) = context.root {
            match name {
                "KM" => return Some(number_text(&text, header.komi)),
                "HA" => return Some(number_text(&text, header.handicap)),
                _ => {}
            }
        }
        let normalized = match form {
            // An empty value removes all marks.
            ValueForm::PointsOrEmpty if text.is_empty() && matches!(name, "DD" | "VW") => Some(String::new()),
            ValueForm::Points | ValueForm::PointsOrEmpty => normalize_points(&text, context.size),
            ValueForm::Labels | ValueForm::Lines => normalize_pair(&text, context.size),
            _ => return Some(text.into_owned()),
        };
        if normalized.is_none() && !text.is_empty() {
            self.omissions.add_text(name, || format!("{name}[{text}]"));
        }
        normalized
    }

    /// Moves the properties that belong to a turn into a separate list.
    pub(super) fn take_turn_properties(&mut self) -> NodeProperties {
        let is_of_turn = |(name, _): &mut (String, Vec<String>)| {
            matches!(role(name.as_bytes()), Some(PropertyRole::Clock | PropertyRole::TurnAnnotation))
                || name == KGS_TURN_PROPERTY
        };
        NodeProperties { entries: self.entries.extract_if(.., is_of_turn).collect(), omissions: Omissions::default() }
    }

    /// Returns true if the property is present.
    pub(super) fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(existing, _)| existing == name)
    }

    /// Returns true if the predicate holds for the identifier and first value of every property.
    pub(super) fn all(&self, predicate: impl Fn(&str, &str) -> bool) -> bool {
        self.entries.iter().all(|(name, values)| predicate(name, values.first().map_or("", String::as_str)))
    }

    /// Returns true if the node has no properties.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Writes the properties, each after `separator`.
    pub(super) fn write(&self, separator: &str, output: &mut String) {
        for (name, values) in &self.entries {
            output.push_str(separator);
            output.push_str(name);
            for value in values {
                // Writing to a String can't fail.
                let _ = write!(output, "[{value}]");
            }
        }
    }
}

/// Returns the text of a property.
fn property_text(bytes: &[u8], property: &RawProperty) -> String {
    String::from_utf8_lossy(&bytes[property.range.clone()]).into_owned()
}

/// Returns the letters and digits of a property's identifier.
fn identifier_letters(bytes: &[u8], property: &RawProperty) -> Vec<u8> {
    bytes[property.identifier.clone()].iter().copied().filter(u8::is_ascii_alphanumeric).collect()
}

/// Removes repeated values and keeps the order.
fn without_duplicates(mut values: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    values.retain(|value| seen.insert(value.clone()));
    values
}

/// Returns a number in the form of FF\[4\]: the original text if it is valid, else the parsed
/// value.
fn number_text(text: &str, parsed: Option<impl ToString>) -> String {
    match parsed {
        Some(parsed) if !is_real(text.as_bytes()) => parsed.to_string(),
        _ => text.to_owned(),
    }
}
