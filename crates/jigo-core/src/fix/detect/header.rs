//! Fixes of the header: unusual forms, missing values and repeated properties.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::root_edits::{has_size, is_plain_node, may_hide_game, name, place_in_root};
use crate::fix::{Edit, Fix};
use jigo_record::finding::Code;
use jigo_record::header::dialect::KomiUnit;
use jigo_record::header::komi::KomiText;
use jigo_record::header::root_property::RootProperty;
use jigo_record::record::nodes::RawProperty;
use jigo_record::sgf::double_encoding::doubly_encoded;
use jigo_record::sgf::tokens::ff4::{PropertyRole, role};
use jigo_record::sgf::tokens::lexer::capitals;
use jigo_record::{Reading, ResultOddity, StepKind, has_remark, size_text};
use jigo_rules::format_margin;

/// Returns fixes of the root at `at` with this body and these properties.
pub(in crate::fix) fn fixes(
    bytes: &[u8],
    (at, body, properties): (usize, &Range<usize>, &[RawProperty]),
    reading: &Reading,
) -> Vec<Fix> {
    let codes = reading.findings.iter().map(|finding| finding.code).collect();
    let mut header = ReadRoot { bytes, body, properties, reading, codes, firsts: HashMap::new() };
    for property in properties {
        header.firsts.entry(header.name(property)).or_insert(property);
    }
    let mut fixes = header.repeated();
    fixes.extend(header.double_encoding());
    fixes.extend(header.missing(at, (Code::MissingGame, "GM", "1")));
    fixes.extend(header.missing(at, (Code::MissingBoardSize, "SZ", "19")));
    fixes.extend(header.unreadable_game());
    for property in properties {
        fixes.extend(header.standard_form(property));
    }
    fixes
}

/// Returns true if a root whose properties have these names has a header.
///
/// A root without one may be a variation that damage separated from its game. Some programs write
/// root properties such as AP and ST into variations, so GM, RE and KM count only beside another
/// property of a header. TE and KO are facts about a turn, although some servers use these names in
/// headers.
pub(super) fn is_header(names: &[Vec<u8>]) -> bool {
    let is_of_root = |name: &&Vec<u8>| role(name) == Some(PropertyRole::Root);
    let is_of_game = |name: &&Vec<u8>| {
        RootProperty::find(name).is_some() && matches!(role(name), None | Some(PropertyRole::GameInfo))
    };
    let may_be_in_variations = |name: &&Vec<u8>| matches!(name.as_slice(), b"GM" | b"RE" | b"KM");
    let of_header = names.iter().filter(|name| is_of_root(name) || is_of_game(name));
    names.iter().any(|name| is_of_game(&name) && !may_be_in_variations(&name))
        || names.iter().any(|name| may_be_in_variations(&name)) && of_header.count() > 1
}

struct ReadRoot<'a> {
    bytes: &'a [u8],
    body: &'a Range<usize>,
    properties: &'a [RawProperty],
    reading: &'a Reading,
    /// The codes of the findings.
    codes: BTreeSet<Code>,
    /// The first property of each name.
    firsts: HashMap<String, &'a RawProperty>,
}

impl ReadRoot<'_> {
    fn has(&self, code: Code) -> bool {
        self.codes.contains(&code)
    }

    /// Returns the significant letters of an identifier.
    fn name(&self, property: &RawProperty) -> String {
        String::from_utf8_lossy(&capitals(&self.bytes[property.identifier.clone()])).into_owned()
    }

    /// Inserts a missing property. If the property is present but unread, other text hides it, and
    /// would hide an inserted one as well.
    fn missing(&self, offset: usize, (code, name, value): (Code, &str, &str)) -> Option<Fix> {
        if !self.has(code) || self.properties.iter().any(|property| self.name(property) == name) {
            return None;
        }
        let fix = Fix::with_edit(code, Edit::insert(place_in_root(self.bytes, offset)?, format!("{name}[{value}]")));
        Some(fix.unsafe_if(!self.is_clear(name)))
    }

    /// Returns true if all text of the root was read, the root has its `(` and a property of a
    /// header, and no other part of the game may state the size of the board.
    fn is_clear(&self, missing: &str) -> bool {
        let may_be_size = |property: &RawProperty| has_size(&self.bytes[property.identifier.clone()]);
        let names: Vec<Vec<u8>> = self.properties.iter().map(|property| name(self.bytes, property)).collect();
        self.bytes.first() == Some(&b'(')
            && is_header(&names)
            && !self.properties.iter().any(may_be_size)
            && is_plain_node(self.bytes, self.body.clone())
            && (missing != "SZ" || memchr::memmem::find(self.bytes, b"SZ").is_none())
    }

    /// Fixes an unread GM if it means 1 in another form or the turns show that the game is Go.
    ///
    /// Another number or word may be right, so its fix is unsafe.
    fn unreadable_game(&self) -> Option<Fix> {
        let mut games = self.properties.iter().filter(|property| self.name(property) == "GM");
        let (game, None) = (games.next()?, games.next()) else { return None };
        let [value] = game.values.as_slice() else { return None };
        let value_text = &self.bytes[value.clone()];
        if !self.has(Code::MissingGame) || value_text == b"1" {
            return None;
        }
        let text = String::from_utf8_lossy(value_text).trim().to_ascii_lowercase();
        let is_one = text.parse() == Ok(1);
        let has_turns = self.reading.record.steps.iter().any(|step| matches!(step.kind, StepKind::Turn(..)));
        let fix = Fix::with_edit(Code::MissingGame, Edit::replace(value.clone(), "1"));
        match &*text {
            _ if is_one => Some(fix),
            "" | "go" if has_turns => Some(fix),
            _ => has_turns.then(|| fix.into_unsafe()),
        }
    }

    /// Decodes all doubly encoded text of the game once more.
    fn double_encoding(&self) -> Option<Fix> {
        let text = std::str::from_utf8(self.bytes).ok().filter(|_| self.has(Code::DoubleEncoding))?;
        let edits = doubly_encoded(text).map(|(range, decoded)| Edit::replace(range, decoded));
        Some(Fix::safe(Code::DoubleEncoding, edits.collect()).into_unsafe())
    }

    /// Removes repeated header properties. This is safe if they have the same values in a sound
    /// root, and unsafe otherwise: after damage they may belong to another game.
    fn repeated(&self) -> Vec<Fix> {
        if !self.has(Code::RepeatedProperty) {
            return Vec::new();
        }
        let repeated_by_server = self.reading.record.header.dialect.map_or(&[][..], |dialect| dialect.repeated);
        let is_sound = is_plain_node(self.bytes, self.body.clone());
        let mut fixes = Vec::new();
        for property in self.properties {
            let name = self.name(property);
            if RootProperty::find(name.as_bytes()).is_none() || repeated_by_server.contains(&&*name) {
                continue;
            }
            let Some(first) = self.firsts.get(&name).filter(|first| first.range != property.range) else { continue };
            let fix = Fix::with_edit(Code::RepeatedProperty, Edit::delete(property.range.clone()));
            let values = |repetition: &RawProperty| -> Vec<&[u8]> {
                repetition.values.iter().map(|value| self.bytes[value.clone()].trim_ascii()).collect()
            };
            let is_same = values(first) == values(property);
            // A long name may belong to a program.
            let is_plain = self.bytes[property.identifier.clone()] == *name.as_bytes();
            fixes.push(fix.unsafe_if(!is_sound || !is_same || !is_plain));
        }
        fixes
    }

    /// Returns the fix that gives a property the form of FF\[4\].
    fn standard_form(&self, property: &RawProperty) -> Option<Fix> {
        let [value] = property.values.as_slice() else { return None };
        let text = std::str::from_utf8(&self.bytes[value.clone()]).ok()?;
        let name = self.name(property);
        if self.firsts.get(&name).is_none_or(|first| first.range != property.range) {
            return None;
        }
        let header = &self.reading.record.header;
        let (code, new) = match &*name {
            "KM" => {
                let unit = header.dialect.map_or(KomiUnit::default(), |dialect| dialect.komi);
                let read = KomiText::parse(text.trim(), unit).ok()?;
                let fix = Fix::with_edit(*read.codes.first()?, Edit::replace(value.clone(), read.komi.to_string()));
                // The program may have written another game.
                let may_be_foreign = || {
                    unit != KomiUnit::default()
                        && !is_plain_node(self.bytes, self.body.clone())
                        && may_hide_game(&self.bytes[..self.body.end])
                };
                return Some(fix.unsafe_if(read.other_komi().is_some() || may_be_foreign()));
            }
            // The form of FF[4] has no place for remarks.
            "RE" if has_remark(text) => return None,
            "RE" if self.has(Code::ResultForm) => (Code::ResultForm, header.result.text()?),
            "RE" => match (header.result.oddity?, header.result.winner, header.result.black_minus_white) {
                (ResultOddity::Zi, _, Some(margin)) => (Code::ResultZi, format_margin(margin)),
                (ResultOddity::ZeroMargin, Some(winner), _) => (Code::ZeroMargin, format!("{}+", winner.letter())),
                _ => return None,
            },
            "SZ" if self.has(Code::BoardSizeForm) => (Code::BoardSizeForm, size_text(header.size)),
            _ if self.has(Code::ControlCharacters) && is_text(&name) => {
                let is_odd = |c: char| c.is_control() && !c.is_whitespace();
                if !text.contains(is_odd) {
                    return None;
                }
                let excerpt = text.replace(is_odd, "·");
                let cleaned = text.replace(is_odd, "");
                // Controls may be shift codes, or halves of characters.
                let fix = Fix::with_edit(Code::ControlCharacters, Edit::replace(value.clone(), cleaned.clone()));
                return Some(fix.with_texts(excerpt, cleaned).into_unsafe());
            }
            _ => return None,
        };
        Some(Fix::with_edit(code, Edit::replace(value.clone(), new)))
    }
}

/// Returns true if the reader reports control characters in this header property.
fn is_text(name: &str) -> bool {
    RootProperty::find(name.as_bytes()).is_some_and(|property| !matches!(property.name, "GM" | "SZ"))
}
