//! Transfer of properties to another record of the same game that lacks them: of the root, comments,
//! and territory.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

use super::acceptance::lost_value;
use super::detect::root_edits::name;
use super::fix_options::{FixOptions, Normalization};
use super::line_position::{LinePosition, node_at};
use super::mergeable_values::{MERGEABLE, RecordedValue, TW_START, index};
use super::normalize::listed_name;
use super::session::FixSession;
use super::verify::{self, has_no_new_findings, is_same_record};
use crate::fix::Edit;
use jigo_record::formats::decode::Decoded;
use jigo_record::header::root_property::{RootProperty, Storage};
use jigo_record::record::nodes::RawProperty;
use jigo_record::sgf::Charset;
use jigo_record::sgf::charset::{CharsetBasis, contradicts_utf8, find_encoding, label};
use jigo_record::splitter::{Close, GameText, RecordKind};
use jigo_record::{GameRecord, Header, PlayerList, RecordedResult};

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

/// A property for a node.
pub(super) struct Addition<'a> {
    identifier: &'a str,
    /// The value between brackets; of several values, the text from the first to the last.
    value: &'a str,
    /// The position of the node in the main line; `None` for the root.
    position: Option<(u64, u32)>,
}

impl<'a> Addition<'a> {
    pub(super) fn to_root(identifier: &'a str, value: &'a str) -> Addition<'a> {
        Addition { identifier, value, position: None }
    }

    /// Returns the properties of a value, which are two for territory.
    fn of(recorded: &'a RecordedValue) -> Vec<Addition<'a>> {
        let RecordedValue { position, value, .. } = recorded;
        let addition = |identifier, value| Addition { identifier, value, position: *position };
        match value.split_once(TW_START).filter(|_| recorded.identifier() == "TB") {
            Some((black, white)) => vec![addition("TB", black), addition("TW", white)],
            None => vec![addition(recorded.identifier(), value)],
        }
    }

    fn is_of_territory(&self) -> bool {
        matches!(self.identifier, "TB" | "TW")
    }
}

/// Adds properties to a game.
///
/// A property is skipped if it changes other content, if the record's charset lacks its characters,
/// if the record lacks its position, or if it is already present. Returns `None` if the text is not
/// SGF.
pub fn merge(text: &GameText, added: &[&RecordedValue], options: &FixOptions) -> Option<MergedGame> {
    if text.kind != RecordKind::default() || text.close == Close::Oversized {
        return None;
    }
    let mut session = FixSession::new(text, options);
    let mut set = |recorded: &[&RecordedValue]| {
        let additions: Vec<Addition> = recorded.iter().flat_map(|recorded| Addition::of(recorded)).collect();
        session.set(&additions, false).is_some()
    };
    let mut is_added: Vec<bool> =
        added.iter().map(|recorded| recorded.position.is_none() && set(&[*recorded])).collect();
    let notes: Vec<_> = added.iter().copied().filter(|recorded| recorded.position.is_some()).collect();
    // A game may have hundreds of comments, so all of them are tried at once first.
    let are_added = !notes.is_empty() && set(&notes);
    for (is_added, recorded) in is_added.iter_mut().zip(added).filter(|(_, recorded)| recorded.position.is_some()) {
        *is_added = are_added || set(&[*recorded]);
    }
    let FixSession { bytes, charset, .. } = session;
    Some(MergedGame { bytes, charset, is_added })
}

/// Returns true if two values of a property mean the same.
pub fn is_same_value(identifier: &str, values: [&str; 2], players: Option<&Arc<PlayerList>>) -> bool {
    let normalization = Normalization { players: players.cloned(), ..Normalization::default() };
    let [first, second] = values.map(|text| {
        let header = Header { result: RecordedResult::parse(text), ..Header::default() };
        let standard = normalization.standard_value(identifier, text, &header).map(|(value, _)| value);
        standard.or_else(|| listed_name(None, text)).map(|text| text.to_lowercase())
    });
    first == second
}

/// Returns a property, as [`RecordedValue`] names it, for a game with exchanged colours; `None` for
/// komi and handicap, which belong to one colour.
pub fn exchange_colors(property: u8, value: &str) -> Option<(u8, String)> {
    let identifier = *MERGEABLE.get(usize::from(property))?;
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
            return Some((property, exchanged));
        }
        unchanged => unchanged,
    };
    Some((index(other.as_bytes())?, value.to_owned()))
}

impl FixSession<'_> {
    /// Adds properties to nodes, or values to empty properties: all of them or none. Replaces
    /// another value only if `replaces` is true, and a komi or a result only by another form of it.
    pub(super) fn set(&mut self, added: &[Addition], replaces: bool) -> Option<()> {
        let (reading, decoded) = verify::read(&self.text(&self.bytes), self.options);
        let count = if added.iter().any(|addition| addition.position.is_some()) { usize::MAX } else { 1 };
        let line = LinePosition::of_line(&decoded.text, count);
        let (mut edits, mut decoded_edits) = (Vec::new(), Vec::new());
        for addition @ Addition { identifier, value, position } in added {
            let encoded = self.encoded(value)?;
            let node = node_at(&line, *position)?;
            // Territory belongs to the end of a game, and is not mixed from two records.
            let is_last = position.map(|at| at.0) == line.last().map(|last| last.position.0);
            if addition.is_of_territory() && !(is_last && line.iter().all(|at| !at.has_territory(&decoded.text))) {
                return None;
            }
            let has_identifier = |property: &&RawProperty| name(&decoded.text, property) == identifier.as_bytes();
            let property = node.properties.iter().find(has_identifier);
            let (range, start, end) = match property.map(|property| property.values.as_slice()) {
                None => (node.end..node.end, [identifier.as_bytes(), b"["].concat(), "]"),
                Some([old]) if replaces || decoded.text[old.clone()].trim_ascii().is_empty() => {
                    (old.clone(), Vec::new(), "")
                }
                Some(_) => return None,
            };
            // Two comments may have one place, if the record lacks the passes between them.
            let is_same_place = |edit: &Edit| edit.range.start == range.start && edit.text.starts_with(&start);
            if !start.is_empty() && decoded_edits.iter().any(is_same_place) {
                return None;
            }
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
            let line = LinePosition::of_line(&decoded.text, count);
            let keeps_values = lost_value(&before, &decoded.text, &decoded_edits).is_none();
            let is_present = |Addition { identifier, value, position }: &Addition| {
                let has_value = |property: &RawProperty| {
                    let ends = property.values.first().zip(property.values.last());
                    name(&decoded.text, property) == identifier.as_bytes()
                        && ends.is_some_and(|(first, last)| decoded.text[first.start..last.end] == *value.as_bytes())
                };
                node_at(&line, *position).is_some_and(|node| node.properties.iter().any(has_value))
            };
            keeps_values && added.iter().all(is_present)
        };
        let is_same = match added {
            [Addition { identifier: "KM" | "RE", .. }] if replaces => {
                is_same_record(&reading.record, &verified.reading.record)
            }
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
fn differs_only_in(added: &[Addition], original: &GameRecord, fixed: &GameRecord) -> bool {
    let mut expected = original.clone();
    let (header, new) = (&mut expected.header, &fixed.header);
    let mut has_values = true;
    for Addition { identifier, value, .. } in added {
        has_values &= match *identifier {
            "KM" => new.komi.is_some_and(|komi| komi.to_string() == *value),
            "HA" => new.handicap.is_some_and(|stones| stones.to_string() == *value),
            "RE" => new.result.oddity.is_none(),
            _ => true,
        };
        if matches!(*identifier, "TB" | "TW") {
            expected.territory.clone_from(&fixed.territory);
        }
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
