//! Fast decoder for the usual root: each property has one plain value, without setup or turns.
//!
//! Any other content goes to sgf-parse instead: several values, escapes, brackets in text, setup,
//! or old names. Both decoders give the same values;
//! `tests/integration/sgf_parse_comparison.rs` compares them.

use std::borrow::Cow;

use super::reader::Reader;
use crate::header::root_property::RootProperty;
use crate::sgf::tokens::ff4::{PropertyRole, ValueKind, role};
use crate::sgf::tokens::lexer::{Lexer, Oddity, ValueEnd};
use crate::sgf::tokens::long_names::short_form;
use jigo_rules::board::BoardSize;

/// The maximum number of properties in a root that is decoded here.
const MAX_PROPERTIES: usize = 64;

/// A header value with its property name.
type RootText<'a> = (&'static str, Cow<'a, str>);

/// Returns the header values of a plain root and the offset of the `;` after it; `None` for other
/// roots.
fn standard_root(bytes: &[u8]) -> Option<(Vec<RootText<'_>>, usize)> {
    let lexer = Lexer::utf8(bytes);
    let text = leading_text(bytes);
    let mut values = Vec::with_capacity(20);
    // The offsets of the names that are not stored.
    let (mut unstored_names, mut count) = ([0_u32; MAX_PROPERTIES], 0);
    let mut offset = 2;
    if !bytes.starts_with(b"(;") {
        return None;
    }
    for _ in 0..MAX_PROPERTIES {
        let name = &bytes[offset..offset + bytes[offset..].iter().position(|byte| !byte.is_ascii_uppercase())?];
        let bracket = offset + name.len();
        if name.is_empty() || bytes[bracket] != b'[' {
            return None;
        }
        let length = memchr::memchr3(b']', b'[', b'\\', &bytes[bracket + 1..])?;
        let close = bracket + 1 + length;
        let is_value_end = bytes.get(close + 1).is_some_and(u8::is_ascii_uppercase)
            || lexer.value_end(bracket + 1, name) == ValueEnd::Closed(close, Oddity::None);
        if bytes[close] != b']' || !is_value_end {
            return None;
        }
        if let Some(property) = RootProperty::find(name) {
            values.push((
                property.name,
                standard_value(property, &bytes[bracket + 1..close], text.get(bracket + 1..close))?,
            ));
        } else if role(name).is_some_and(PropertyRole::affects_board)
            || (name.len() > 2 && short_form(name).is_some())
            || unstored_names[..count].iter().any(|other| is_name(&bytes[*other as usize..], name))
        {
            return None;
        } else {
            unstored_names[count] = offset as u32;
            count += 1;
        }
        offset = close + 1 + bytes[close + 1..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        if bytes[offset] == b';' {
            // sgf-parse handles repeated GM.
            let games = values.iter().filter(|(name, _)| *name == "GM").count();
            return (games <= 1).then_some((values, offset));
        }
    }
    None
}

/// Returns true if the bytes begin with a property of this name.
fn is_name(bytes: &[u8], name: &[u8]) -> bool {
    bytes.strip_prefix(name).and_then(<[u8]>::first) == Some(&b'[')
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
    let is_plain = match property.values {
        // sgf-parse handles other games.
        ValueKind::Number if property.name == "GM" => value == b"1",
        ValueKind::Number => is_decimal(value),
        ValueKind::Size => is_decimal(value) && text.parse().is_ok_and(|size| BoardSize::square(size).is_some()),
        _ => true,
    };
    is_plain.then(|| if property.values == ValueKind::Real { shortest(text) } else { text })
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
        let (values, end) = standard_root(self.bytes)?;
        self.header(&values, 1);
        self.reading.nodes.push(1, 2..end, true);
        self.in_root = false;
        Some(end)
    }
}
