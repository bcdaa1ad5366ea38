//! What a record's root says of the game, for another record of the same game that does not say it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};

use super::nodes::name;
use super::proof::{self, is_same_record};
use super::{Page, Wanted};
use crate::record::kinds::decoded;
use crate::record::nodes::{MainLine, Node, RawProperty, properties};
use crate::record::root_property::{Kept, RootProperty};
use crate::record::{GameRecord, Header};
use crate::sgf::charset::{Basis, encoding_named, label};
use crate::sgf::decode::Decoded;
use crate::sgf::ff4::ValueKind;
use crate::sgf::lexis::Lexis;
use crate::sgf::resync::Patience;
use crate::sgf::split::Close;
use crate::sgf::{Charset, GameText, RecordKind};
use crate::write::Edit;
use crate::write::value::escaped;

/// The properties of FF\[4\]'s game info that one record can take from another. GC is not among them: it is what somebody said about a record, not about
/// the game.
pub const GAME_INFO: [&str; 22] = [
    "PB", "BR", "BT", "PW", "WR", "WT", "EV", "RO", "DT", "PC", "RU", "KM", "HA", "RE", "TM", "OT", "ON", "GN", "SO",
    "US", "AN", "CP",
];

/// What the root of a record says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stated {
    /// The byte of the recorded text behind its last property.
    pub at: usize,
    /// Properties of [`GAME_INFO`] by their place there, with their values as they stand between brackets in UTF-8.
    pub values: Vec<(u8, String)>,
}

/// What the root of a record says of the game. Komi and handicap are as they are understood: servers write them in their own ways; a result that needs
/// knowledge of a server is left out.
pub fn stated(text: &GameText, header: &Header) -> Stated {
    if text.close == Close::Oversized {
        return Stated::default();
    }
    let decoded = decoded(text);
    let bytes = &*decoded.text;
    let Some(root) = Root::of(bytes) else { return Stated::default() };
    let mut values: Vec<(u8, String)> = Vec::new();
    for property in &root.properties {
        let Some((place, identifier)) = game_info(&name(bytes, property)) else { continue };
        let [value] = property.values.as_slice() else { continue };
        let value = match identifier {
            "KM" => header.komi.map(|komi| komi.to_string()),
            "HA" => header.handicap.map(|stones| stones.to_string()),
            "RE" if header.result.oddity.is_some() => None,
            _ => Some(escaped(&bytes[value.clone()], ValueKind::of(identifier)).trim().to_owned()),
        };
        let value = value.filter(|value| !value.is_empty() && !value.contains(char::REPLACEMENT_CHARACTER));
        // Of a property that stands there twice, nobody knows which is meant.
        match values.iter().position(|(other, _)| *other == place) {
            Some(other) => values[other].1.clear(),
            None => values.extend(value.map(|value| (place, value))),
        }
    }
    values.retain(|(_, value)| !value.is_empty());
    Stated { at: decoded.source(root.end), values }
}

/// A game with properties that another record of it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Its text.
    pub bytes: Vec<u8>,
    /// What its bytes mean.
    pub charset: Charset,
    /// Of each property whether it is there.
    pub made: Vec<bool>,
}

/// Adds properties to the root of a game, as far as they can be said in it. One that changes anything else of what the record says is left out, and so is
/// one that the record's charset has no characters for, or that stands there already.
///
/// `None` where the text is no SGF.
pub fn merge(text: &GameText, added: &[(&str, &str)], wanted: &Wanted) -> Option<Merged> {
    if text.kind != RecordKind::default() || text.close == Close::Oversized {
        return None;
    }
    let mut page = Page::new(text, wanted);
    let made = added.iter().map(|added| page.add(*added).is_some()).collect();
    let Page { bytes, charset, .. } = page;
    Some(Merged { bytes, charset, made })
}

/// What a property says where the colours are exchanged; `None` where that is not known: komi and handicap are for one colour.
pub fn with_colors_exchanged(place: u8, value: &str) -> Option<(u8, String)> {
    let identifier = *GAME_INFO.get(usize::from(place))?;
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
            return Some((place, exchanged));
        }
        same => same,
    };
    Some((game_info(other.as_bytes())?.0, value.to_owned()))
}

/// The place of a property in [`GAME_INFO`], and its name there.
fn game_info(name: &[u8]) -> Option<(u8, &'static str)> {
    let place = GAME_INFO.iter().position(|known| known.as_bytes() == name)?;
    Some((u8::try_from(place).ok()?, GAME_INFO[place]))
}

/// The first node of a text.
struct Root {
    properties: Vec<RawProperty>,
    /// Byte behind the last of them.
    end: usize,
}

impl Root {
    fn of(bytes: &[u8]) -> Option<Root> {
        let patience = Patience::with(bytes.len());
        let lexis = Lexis { patience: Some(&patience), ..Lexis::utf8(bytes) };
        let mut line = MainLine::from(lexis, 0);
        let body: Range<usize> = match line.next()? {
            Node::Turn { at, .. } => at + 1..line.position(),
            Node::Other { body, .. } => body,
        };
        let (properties, _) = properties(&lexis, body.clone());
        let end = properties.last().map_or(body.start, |last| last.whole.end);
        Some(Root { properties, end })
    }
}

impl Page<'_> {
    /// Adds a property to the root, or a value to one that has none.
    fn add(&mut self, (identifier, value): (&str, &str)) -> Option<()> {
        let (reading, decoded) = proof::read(&self.text(&self.bytes), self.wanted);
        let root = Root::of(&decoded.text)?;
        let is_it = |property: &&RawProperty| name(&decoded.text, property) == identifier.as_bytes();
        let encoded = self.encoded(value)?;
        let edit = match root.properties.iter().find(is_it).map(|property| property.values.as_slice()) {
            None => {
                let at = decoded.source(root.end);
                Edit::insert(at, [identifier.as_bytes(), b"[", &encoded, b"]"].concat())
            }
            Some([blank]) if decoded.text[blank.clone()].trim_ascii().is_empty() => {
                Edit::replace(decoded.source(blank.start)..decoded.source(blank.end), encoded)
            }
            Some(_) => return None,
        };
        drop(decoded);
        let mut draft = self.draft.clone();
        draft.apply(std::slice::from_ref(&edit));
        let bytes = draft.text(self.recorded.bytes);
        let proved = proof::proved(self, &bytes, false)?;
        let is_there = {
            let decoded = Decoded::new(&bytes, proved.charset);
            let root = Root::of(&decoded.text)?;
            root.properties.iter().any(|property| {
                name(&decoded.text, property) == identifier.as_bytes()
                    && matches!(property.values.as_slice(), [it] if decoded.text[it.clone()] == *value.as_bytes())
            })
        };
        if !is_there || !is_same_but(identifier, value, &reading.record, &proved.reading.record) {
            return None;
        }
        (self.close, self.charset) = (proved.close, proved.charset);
        (self.reading, self.content) = (proved.reading, OnceCell::new());
        (self.draft, self.bytes) = (draft, bytes);
        Some(())
    }

    /// A value in the charset of the text.
    fn encoded<'v>(&self, value: &'v str) -> Option<Cow<'v, [u8]>> {
        let encoding: &'static Encoding = match self.charset.basis {
            // CA of a text that is ASCII says how others will read it.
            Basis::Utf8 | Basis::Utf8WithNuls if self.bytes.is_ascii() => {
                label(&self.bytes).and_then(encoding_named).unwrap_or(UTF_8)
            }
            Basis::Transcoded => UTF_8,
            _ => self.charset.encoding,
        };
        let (encoded, _, is_unsayable) = encoding.encode(value);
        (!is_unsayable).then_some(encoded)
    }
}

/// Whether a record with a property more says that, and else what it said.
fn is_same_but(identifier: &str, value: &str, before: &GameRecord, after: &GameRecord) -> bool {
    let mut expected = before.clone();
    let (header, new) = (&mut expected.header, &after.header);
    let is_right = match identifier {
        "KM" => new.komi.is_some_and(|komi| komi.to_string() == value),
        "HA" => new.handicap.is_some_and(|stones| stones.to_string() == value),
        "RE" => new.result.oddity.is_none(),
        _ => true,
    };
    match RootProperty::named(identifier.as_bytes()).map(|property| property.kept) {
        Some(Kept::Komi) => (header.komi, header.komi_is_chinese) = (new.komi, new.komi_is_chinese),
        Some(Kept::Handicap) => header.handicap = new.handicap,
        Some(Kept::Result) => header.result = new.result,
        Some(Kept::Text(text)) => (text.of)(new).clone_into((text.to)(header)),
        Some(Kept::Size | Kept::Nowhere) | None => {}
    }
    is_right && is_same_record(&expected, after)
}
