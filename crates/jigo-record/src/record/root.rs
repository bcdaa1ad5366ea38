//! Fast decoder for the usual root: each property has one plain value, without setup or turns.
//!
//! Any other content goes to sgf-parse instead: several values, escapes, brackets in text, setup,
//! or old names. Both decoders give the same values;
//! `tests/records/sgf_parse_comparison.rs` compares them.

use std::borrow::Cow;
use std::ops::Range;

use super::checked_nodes::{NodeSpan, PlainProperty};
use super::evaluation::is_evaluation;
use super::reader::Reader;
use crate::header::root_property::RootProperty;
use crate::sgf::tokens::ff4::{ValueForm, definition_in_any_version};
use crate::sgf::tokens::lexer::{Lexer, Oddity, ValueEnd};
use crate::sgf::tokens::long_names::short_form;
use jigo_rules::board::BoardSize;

/// The maximum number of properties in a root that is decoded here.
const MAX_PROPERTIES: usize = 64;

/// A header value with its property name.
type RootText<'a> = (&'static str, Cow<'a, str>);

/// The properties of a plain root so far.
struct PlainRoot<'a, 'p> {
    bytes: &'a [u8],
    /// The start of the bytes as text.
    text: &'a str,
    /// The values that the header needs.
    values: Vec<RootText<'a>>,
    /// The names that are not stored.
    unstored_names: Vec<&'a [u8]>,
    /// All properties that a version of FF defines.
    properties: &'p mut Vec<PlainProperty>,
}

/// Returns the header values of a plain root and the offset of the `;` after it; `None` for other
/// roots. Adds all properties that a version of FF defines to `properties`.
fn standard_root<'a>(bytes: &'a [u8], properties: &mut Vec<PlainProperty>) -> Option<(Vec<RootText<'a>>, usize)> {
    let lexer = Lexer::utf8(bytes);
    let mut root = PlainRoot {
        bytes,
        text: leading_text(bytes),
        values: Vec::with_capacity(20),
        unstored_names: Vec::with_capacity(16),
        properties,
    };
    let mut offset = 2;
    if !bytes.starts_with(b"(;") {
        return None;
    }
    for _ in 0..MAX_PROPERTIES {
        let (name, value) = plain_property(&lexer, offset)?;
        let close = value.end;
        root.add(name, value)?;
        offset = close + 1 + bytes[close + 1..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        if bytes[offset] == b';' {
            // sgf-parse handles repeated GM.
            let games = root.values.iter().filter(|(name, _)| *name == "GM").count();
            return (games <= 1).then_some((root.values, offset));
        }
    }
    None
}

/// Returns the name in capitals and the value of the property at `offset`, as ranges; `None` if the
/// value has a bracket or backslash, or if its end is in doubt.
#[inline]
fn plain_property(lexer: &Lexer, offset: usize) -> Option<(Range<usize>, Range<usize>)> {
    let bytes = lexer.bytes;
    let bracket = offset + bytes[offset..].iter().position(|byte| !byte.is_ascii_uppercase())?;
    if bracket == offset || bytes[bracket] != b'[' {
        return None;
    }
    let (close, is_followed) = lexer.short_end(bracket + 1)?;
    let is_value_end =
        is_followed || lexer.value_end(bracket + 1, &bytes[offset..bracket]) == ValueEnd::Closed(close, Oddity::None);
    is_value_end.then_some((offset..bracket, bracket + 1..close))
}

impl PlainRoot<'_, '_> {
    /// Adds a property; `None` if sgf-parse must read the root.
    #[inline]
    fn add(&mut self, name: Range<usize>, value: Range<usize>) -> Option<()> {
        let bytes = self.bytes;
        let letters = &bytes[name];
        let definition = if let Some(property) = RootProperty::find(letters) {
            let text = standard_value(property, &bytes[value.clone()], self.text.get(value.clone()))?;
            self.values.push((property.name, text));
            property.definition
        } else {
            let definition = definition_in_any_version(letters);
            if definition.is_some_and(|definition| definition.role.affects_board())
                || (letters.len() > 2 && short_form(letters).is_some())
                || self.unstored_names.contains(&letters)
                || is_evaluation(letters)
            {
                return None;
            }
            self.unstored_names.push(letters);
            definition
        };
        self.properties.extend(definition.map(|definition| PlainProperty { definition, value }));
        Some(())
    }
}

/// Returns the start of a game as text, as far as it is valid UTF-8 and long enough for most roots.
/// One check is faster than a check for each value.
fn leading_text(bytes: &[u8]) -> &str {
    let start = &bytes[..bytes.len().min(512)];
    std::str::from_utf8(start).or_else(|error| std::str::from_utf8(&start[..error.valid_up_to()])).unwrap_or_default()
}

/// Returns a value as sgf-parse would return it; `None` if sgf-parse must decide. `text` is the
/// value if it is already checked.
fn standard_value<'a>(property: &RootProperty, value: &'a [u8], text: Option<&'a str>) -> Option<Cow<'a, str>> {
    let text = text.map_or_else(|| String::from_utf8_lossy(value), Cow::Borrowed);
    let form = property.definition.map(|definition| definition.form);
    let is_plain = match form {
        // sgf-parse handles other games.
        Some(ValueForm::Number(..)) if property.name == "GM" => value == b"1",
        Some(ValueForm::Number(..)) => is_decimal(value),
        Some(ValueForm::Size) => is_decimal(value) && text.parse().is_ok_and(|size| BoardSize::square(size).is_some()),
        _ => true,
    };
    is_plain.then(|| if form == Some(ValueForm::Real) { shortest(text) } else { text })
}

/// Returns true if the value is a whole number without sign and leading zeros.
fn is_decimal(value: &[u8]) -> bool {
    value.iter().all(u8::is_ascii_digit) && (value == b"0" || !matches!(value.first(), None | Some(b'0')))
}

/// Returns the shortest form of a number, like sgf-parse.
fn shortest(text: Cow<str>) -> Cow<str> {
    let is_shortest = match text.split_once('.') {
        None => is_decimal(text.as_bytes()),
        Some((integer, fraction)) => {
            is_decimal(integer.as_bytes())
                && fraction.bytes().all(|byte| byte.is_ascii_digit())
                && !matches!(fraction.as_bytes().last(), None | Some(b'0'))
        }
    };
    if is_shortest && text.len() <= 15 {
        return text;
    }
    match text.parse::<f64>() {
        Ok(number) => Cow::Owned(number.to_string()),
        Err(_) => text,
    }
}

impl Reader<'_> {
    /// Decodes a plain root and returns the offset of the next node.
    pub(crate) fn read_standard_root(&mut self) -> Option<usize> {
        let properties = &mut self.reading.nodes.root_properties;
        let Some((values, end)) = standard_root(self.bytes, properties) else {
            properties.clear();
            return None;
        };
        self.header(&values, 1);
        self.reading.nodes.spans.push(NodeSpan { offset: 1, body: 2..end, is_root: true });
        self.in_root = false;
        Some(end)
    }
}
