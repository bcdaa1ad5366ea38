//! The values of a record that other records of the game can take over.

use super::detect::root_edits::name;
use super::line_position::LinePosition;
use jigo_record::Header;
use jigo_record::formats::decoded;
use jigo_record::sgf::tokens::ff4::PropertyRole::GameInfo;
use jigo_record::sgf::tokens::ff4::{ValueForm, role};
use jigo_record::splitter::{Close, GameText};
use jigo_record::write::value::escape_value;

/// The properties that one record can take over from another: the game info of FF\[4\], and of the
/// main line the comments and the territory. GC is excluded, because it comments on a record and not
/// on the game.
pub(super) const MERGEABLE: [&str; 25] = [
    "PB", "BR", "BT", "PW", "WR", "WT", "EV", "RO", "DT", "PC", "RU", "KM", "HA", "RE", "TM", "OT", "ON", "GN", "SO",
    "US", "AN", "CP", "C", "TB", "TW",
];

/// A property that another record of the game may lack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedValue {
    /// The index of the property among those that can be taken over.
    pub property: u8,
    /// For a comment or territory: the number of turns up to its node.
    pub turn: u32,
    /// For a comment or territory: a hash of the stones that were placed up to its node, in any
    /// order, and of the last turn; and the number of nodes since the last stone.
    pub position: Option<(u64, u32)>,
    /// The value as written between brackets, in UTF-8. Territory is one value, from the first
    /// point of TB to the last one of TW.
    pub value: String,
}

impl RecordedValue {
    /// Returns the name of the property.
    pub fn identifier(&self) -> &'static str {
        MERGEABLE.get(usize::from(self.property)).copied().unwrap_or_default()
    }
}

/// The values of a record that other records of the game can take over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeableValues {
    /// The offset in the recorded text after the last root property.
    pub offset: usize,
    /// The values.
    pub values: Vec<RecordedValue>,
}

/// Returns the values of a record that others can take over. Komi and handicap are parsed values,
/// since servers write them in different forms. A result that requires knowledge of the server is
/// omitted.
pub fn mergeable_values(text: &GameText, header: &Header) -> MergeableValues {
    if text.close == Close::Oversized {
        return MergeableValues::default();
    }
    let decoded = decoded(text);
    let bytes = &*decoded.text;
    let line = LinePosition::of_line(bytes, usize::MAX);
    let Some(LinePosition { node: root, .. }) = line.first() else { return MergeableValues::default() };
    let mut values: Vec<RecordedValue> = Vec::new();
    for property in &root.properties {
        let Some(index) = index(&name(bytes, property)) else { continue };
        let identifier = MERGEABLE[usize::from(index)];
        let ([value], true) = (property.values.as_slice(), role(identifier.as_bytes()) == Some(GameInfo)) else {
            continue;
        };
        let value = match identifier {
            "KM" => header.komi.map(|komi| komi.to_string()),
            "HA" => header.handicap.map(|stones| stones.to_string()),
            "RE" if header.result.oddity.is_some() => None,
            _ => Some(
                escape_value(&bytes[value.clone()], ValueForm::for_property(identifier.as_bytes())).trim().to_owned(),
            ),
        };
        let value = value.filter(|value| !value.is_empty() && !value.contains(char::REPLACEMENT_CHARACTER));
        // If a property is repeated, the intended value is unknown.
        match values.iter_mut().find(|existing| existing.property == index) {
            Some(existing) => existing.value.clear(),
            None => values.extend(value.map(|value| RecordedValue { property: index, turn: 0, position: None, value })),
        }
    }
    values.retain(|recorded| !recorded.value.is_empty());
    values.extend(notes(bytes, &line));
    MergeableValues { offset: decoded.source(root.end), values }
}

/// Returns the index of a property in [`MERGEABLE`].
pub(super) fn index(name: &[u8]) -> Option<u8> {
    MERGEABLE.iter().position(|identifier| identifier.as_bytes() == name)?.try_into().ok()
}

/// The text between the last point of TB and the first one of TW.
pub(super) const TW_START: &str = "]TW[";

/// Returns the comments of a main line, and the territory at its end.
pub(super) fn notes(bytes: &[u8], line: &[LinePosition]) -> Vec<RecordedValue> {
    let (mut notes, mut territory) = (Vec::<RecordedValue>::new(), [Vec::new(), Vec::new()]);
    let end = line.last().map_or((0, (0, 0)), |last| (last.turn, (last.position.0, u32::MAX)));
    let note = |identifier: &[u8], (turn, position), value| {
        index(identifier).map(|property| RecordedValue { property, turn, position: Some(position), value })
    };
    for LinePosition { node, turn, position } in line {
        for property in &node.properties {
            let identifier = name(bytes, property);
            let values = property.values.iter().map(|value| &bytes[value.clone()]);
            match &*identifier {
                b"C" => {
                    for value in values {
                        let text = escape_value(value, ValueForm::for_property(b"C"));
                        match notes.last_mut().filter(|last| last.position == Some(*position)) {
                            _ if text.trim().is_empty() || text.contains(char::REPLACEMENT_CHARACTER) => {}
                            Some(last) => last.value += &format!("\n{text}"),
                            None => notes.extend(note(b"C", (*turn, *position), text.into_owned())),
                        }
                    }
                }
                b"TB" if position.0 == end.1.0 => territory[0].extend(values),
                b"TW" if position.0 == end.1.0 => territory[1].extend(values),
                _ => {}
            }
        }
    }
    let is_point = |point: &&[u8]| point.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b':');
    territory.iter_mut().for_each(|points| points.retain(|point| !point.is_empty()));
    if territory.iter().flatten().all(is_point) {
        territory.iter_mut().for_each(|points| points.sort_unstable());
        let [black, white] = territory.map(|points| String::from_utf8_lossy(&points.join(&b"]["[..])).into_owned());
        notes.extend(match (black.is_empty(), white.is_empty()) {
            (true, true) => None,
            (true, false) => note(b"TW", end, white),
            (false, true) => note(b"TB", end, black),
            (false, false) => note(b"TB", end, format!("{black}{TW_START}{white}")),
        });
    }
    notes
}
