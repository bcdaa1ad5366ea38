//! Transfer of root properties to another record of the same game that lacks them.

use std::borrow::Cow;
use std::cell::OnceCell;

use encoding_rs::{Encoding, UTF_8};

use super::acceptance::lost_value;
use super::detect::root_edits::{Root, name};
use super::fix_options::FixOptions;
use super::session::FixSession;
use super::verify::{self, has_no_new_findings, is_same_record};
use crate::fix::Edit;
use jigo_record::formats::decode::Decoded;
use jigo_record::formats::decoded;
use jigo_record::header::root_property::{RootProperty, Storage};
use jigo_record::record::nodes::RawProperty;
use jigo_record::sgf::Charset;
use jigo_record::sgf::charset::{CharsetBasis, contradicts_utf8, find_encoding, label};
use jigo_record::sgf::tokens::ff4::ValueForm;
use jigo_record::splitter::{Close, GameText, RecordKind};
use jigo_record::write::value::escape_value;
use jigo_record::{GameRecord, Header};

/// The game info properties of FF\[4\] that one record can take over from another. GC is excluded,
/// because it comments on a record and not on the game.
pub const GAME_INFO: [&str; 22] = [
    "PB", "BR", "BT", "PW", "WR", "WT", "EV", "RO", "DT", "PC", "RU", "KM", "HA", "RE", "TM", "OT", "ON", "GN", "SO",
    "US", "AN", "CP",
];

/// The game info of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameInfo {
    /// The offset in the recorded text after the last root property.
    pub offset: usize,
    /// Properties by their index in [`GAME_INFO`], with their values as written between brackets in
    /// UTF-8.
    pub values: Vec<(u8, String)>,
}

/// Returns the game info of a record. Komi and handicap are parsed values, since servers write them
/// in different forms. A result that requires knowledge of the server is omitted.
pub fn game_info(text: &GameText, header: &Header) -> GameInfo {
    if text.close == Close::Oversized {
        return GameInfo::default();
    }
    let decoded = decoded(text);
    let bytes = &*decoded.text;
    let Some(root) = Root::from_text(bytes) else { return GameInfo::default() };
    let mut values: Vec<(u8, String)> = Vec::new();
    for property in &root.properties {
        let Some((index, identifier)) = info_index(&name(bytes, property)) else { continue };
        let [value] = property.values.as_slice() else { continue };
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
        match values.iter().position(|(existing, _)| *existing == index) {
            Some(existing) => values[existing].1.clear(),
            None => values.extend(value.map(|value| (index, value))),
        }
    }
    values.retain(|(_, value)| !value.is_empty());
    GameInfo { offset: decoded.source(root.end), values }
}

/// A game with properties from another record of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedGame {
    /// The text.
    pub bytes: Vec<u8>,
    /// The charset of the text.
    pub charset: Charset,
    /// For each property, whether it was added.
    pub is_added: Vec<bool>,
}

/// Adds properties to the root of a game.
///
/// A property is skipped if it changes other content, if the record's charset lacks its characters,
/// or if it is already present. Returns `None` if the text is not SGF.
pub fn merge(text: &GameText, added: &[(&str, &str)], options: &FixOptions) -> Option<MergedGame> {
    if text.kind != RecordKind::default() || text.close == Close::Oversized {
        return None;
    }
    let mut session = FixSession::new(text, options);
    let is_added = added.iter().map(|added| session.set(&[*added], false).is_some()).collect();
    let FixSession { bytes, charset, .. } = session;
    Some(MergedGame { bytes, charset, is_added })
}

/// Returns a property, by its index in [`GAME_INFO`], for a game with exchanged colours; `None` for
/// komi and handicap, which belong to one colour.
pub fn exchange_colors(index: u8, value: &str) -> Option<(u8, String)> {
    let identifier = *GAME_INFO.get(usize::from(index))?;
    let other = match identifier {
        "PB" => "PW",
        "PW" => "PB",
        "BR" => "WR",
        "WR" => "BR",
        "BT" => "WT",
        "WT" => "BT",
        "KM" | "HA" => return None,
        "RE" => {
            let exchanged = match value.split_at_checked(2)? {
                ("B+", rest) => format!("W+{rest}"),
                ("W+", rest) => format!("B+{rest}"),
                _ => return None,
            };
            return Some((index, exchanged));
        }
        unchanged => unchanged,
    };
    Some((info_index(other.as_bytes())?.0, value.to_owned()))
}

/// Returns the index of a property in [`GAME_INFO`] and its name there.
fn info_index(name: &[u8]) -> Option<(u8, &'static str)> {
    let index = GAME_INFO.iter().position(|identifier| identifier.as_bytes() == name)?;
    Some((u8::try_from(index).ok()?, GAME_INFO[index]))
}

impl FixSession<'_> {
    /// Adds properties to the root, or values to empty properties: all of them or none. Replaces
    /// another value only if `replaces` is true, and a komi or a result only by another form of it.
    pub(super) fn set(&mut self, added: &[(&str, &str)], replaces: bool) -> Option<()> {
        let (reading, decoded) = verify::read(&self.text(&self.bytes), self.options);
        let root = Root::from_text(&decoded.text)?;
        let (mut edits, mut decoded_edits) = (Vec::new(), Vec::new());
        for (identifier, value) in added {
            let encoded = self.encoded(value)?;
            let has_identifier = |property: &&RawProperty| name(&decoded.text, property) == identifier.as_bytes();
            let (range, start, end) =
                match root.properties.iter().find(has_identifier).map(|property| property.values.as_slice()) {
                    None => (root.end..root.end, [identifier.as_bytes(), b"["].concat(), "]"),
                    Some([old]) if replaces || decoded.text[old.clone()].trim_ascii().is_empty() => {
                        (old.clone(), Vec::new(), "")
                    }
                    Some(_) => return None,
                };
            let text = |value: &[u8]| [&*start, value, end.as_bytes()].concat();
            edits.push(Edit::replace(decoded.source(range.start)..decoded.source(range.end), text(&encoded)));
            decoded_edits.push(Edit::replace(range, text(value.as_bytes())));
        }
        // New properties come last, so the edits of other values are sorted before them.
        edits.sort_by_key(|edit| edit.range.start);
        decoded_edits.sort_by_key(|edit| edit.range.start);
        let before = decoded.text.into_owned();
        let mut draft = self.draft.clone();
        draft.apply(&edits);
        let bytes = draft.text(self.recorded.bytes);
        let verified = self.verify(&bytes)?;
        let is_present = {
            let decoded = Decoded::new(&bytes, verified.charset);
            let root = Root::from_text(&decoded.text)?;
            let keeps_values = lost_value(&before, &decoded.text, &decoded_edits).is_none();
            let has_value = |identifier: &str, value: &str| {
                root.properties.iter().any(|property| {
                    name(&decoded.text, property) == identifier.as_bytes()
                        && matches!(property.values.as_slice(), [it] if decoded.text[it.clone()] == *value.as_bytes())
                })
            };
            keeps_values && added.iter().all(|(identifier, value)| has_value(identifier, value))
        };
        let is_same = match added {
            [("KM" | "RE", _)] if replaces => is_same_record(&reading.record, &verified.reading.record),
            _ => differs_only_in(added, &reading.record, &verified.reading.record),
        };
        let keeps_form = has_no_new_findings(&reading.findings, &verified.reading.findings)
            && (verified.detected == self.detected || bytes.is_ascii());
        if !is_present || !is_same || replaces && !keeps_form {
            return None;
        }
        self.detected = verified.detected;
        (self.close, self.charset) = (verified.close, verified.charset);
        (self.reading, self.content) = (verified.reading, OnceCell::new());
        (self.draft, self.bytes, self.version) = (draft, bytes, self.version + 1);
        Some(())
    }

    /// Encodes a value in the charset of the text.
    fn encoded<'v>(&self, value: &'v str) -> Option<Cow<'v, [u8]>> {
        let encoding: &'static Encoding = match self.charset.basis {
            // CA of an ASCII text tells how other programs will read it.
            CharsetBasis::Utf8 | CharsetBasis::Utf8WithNuls if self.bytes.is_ascii() => {
                let label = label(&self.bytes);
                let encoding = label.and_then(find_encoding);
                if encoding.is_none() && label.is_some_and(contradicts_utf8) {
                    return value.is_ascii().then_some(Cow::Borrowed(value.as_bytes()));
                }
                encoding.unwrap_or(UTF_8)
            }
            CharsetBasis::Transcoded => UTF_8,
            _ => self.charset.encoding,
        };
        let (encoded, _, is_unmappable) = encoding.encode(value);
        (!is_unmappable).then_some(encoded)
    }
}

/// Returns true if a record differs from an earlier one only in the added properties.
fn differs_only_in(added: &[(&str, &str)], original: &GameRecord, fixed: &GameRecord) -> bool {
    let mut expected = original.clone();
    let (header, new) = (&mut expected.header, &fixed.header);
    let mut has_values = true;
    for (identifier, value) in added {
        has_values &= match *identifier {
            "KM" => new.komi.is_some_and(|komi| komi.to_string() == *value),
            "HA" => new.handicap.is_some_and(|stones| stones.to_string() == *value),
            "RE" => new.result.oddity.is_none(),
            _ => true,
        };
        match RootProperty::find(identifier.as_bytes()).map(|property| property.storage) {
            Some(Storage::Komi) => (header.komi, header.komi_is_chinese) = (new.komi, new.komi_is_chinese),
            Some(Storage::Handicap) => header.handicap = new.handicap,
            Some(Storage::Result) => header.result = new.result,
            Some(Storage::Text(text)) => (text.get)(new).clone_into((text.get_mut)(header)),
            Some(Storage::Size | Storage::Nowhere) | None => {}
        }
    }
    has_values && is_same_record(&expected, fixed)
}
