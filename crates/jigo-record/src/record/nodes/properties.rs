//! The properties of a node as byte ranges.

use std::borrow::Cow;
use std::ops::Range;

use crate::sgf::ff4::{PropertyRole, role};
use crate::sgf::lexer::{Lexer, Oddity, ValueEnd, capitals, is_small, owner};

/// A property of a node: its identifier and values as bytes of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawProperty {
    /// The letters before the first `[`, without white space around them.
    pub identifier: Range<usize>,
    /// The bytes from the identifier to the last `]`, or to the end of an unclosed last value.
    pub range: Range<usize>,
    /// The text between the brackets of each value, including escapes.
    pub values: Vec<Range<usize>>,
}

/// Returns the properties of a node, and the damage of their values with its offsets.
///
/// Text after the last value is returned as a property without values, unless it is blank.
pub fn properties(lexer: &Lexer, body: Range<usize>) -> (Vec<RawProperty>, Vec<(usize, Damage)>) {
    let bytes = lexer.bytes;
    let (mut properties, mut damage) = (Vec::new(), Vec::new());
    let mut offset = body.start;
    while offset < body.end {
        let bracket = memchr::memchr(b'[', &bytes[offset..body.end]).map_or(body.end, |length| offset + length);
        let identifier = trim(bytes, offset..bracket);
        let mut values: Vec<Range<usize>> = Vec::new();
        let mut is_closed = true;
        offset = bracket;
        while offset < body.end && bytes[offset] == b'[' {
            let (end, next) = match lexer.value_end(offset + 1, owner(bytes, bracket)) {
                ValueEnd::Closed(close, oddity) => {
                    match oddity {
                        Oddity::None => {}
                        Oddity::UnescapedBracket => damage.push((offset, Damage::UnescapedBracket)),
                        Oddity::Backslash => damage.push((close, Damage::Backslash)),
                    }
                    (close, close + 1)
                }
                ValueEnd::Unclosed(next) => {
                    damage.push((offset, Damage::MissingBracket));
                    (next, next)
                }
                ValueEnd::Game(_) | ValueEnd::Open => (body.end, body.end),
            };
            values.push(offset + 1..end.min(body.end));
            offset = next.min(body.end);
            is_closed = end < next && end < body.end;
            if !is_closed {
                break;
            }
            offset = lexer.skip_space(offset).min(body.end);
        }
        if !values.is_empty() || !identifier.is_empty() {
            let end = values.last().map_or(identifier.end, |value| value.end + usize::from(is_closed));
            properties.push(RawProperty { range: identifier.start..end, identifier, values });
        }
    }
    (properties, damage)
}

/// Returns the first identifier in a sound part of the node that satisfies the predicate.
pub(crate) fn find_name(bytes: &[u8], body: Range<usize>, is_wanted: fn(&[u8]) -> bool) -> Option<Range<usize>> {
    let mut offset = body.start;
    loop {
        let bracket = offset + memchr::memchr(b'[', &bytes[offset..body.end])?;
        let name = trim(bytes, offset..bracket);
        if is_wanted(&bytes[name.clone()]) {
            return Some(name);
        }
        offset = value_end(&bytes[..body.end], bracket + 1)? + 1;
    }
}

/// Returns repeated identifiers of a sound node, each once, in capitals and with their offsets.
pub(crate) fn repeated_names(bytes: &[u8], body: Range<usize>) -> Vec<(Cow<'_, [u8]>, usize)> {
    let mut names = Vec::new();
    let mut offset = body.start;
    while let Some(bracket) = memchr::memchr(b'[', &bytes[offset..body.end]).map(|length| offset + length) {
        let name = trim(bytes, offset..bracket);
        if !name.is_empty() {
            names.push((capitals(&bytes[name.clone()]), name.start));
        }
        let Some(end) = value_end(&bytes[..body.end], bracket + 1) else { break };
        offset = end + 1;
    }
    names.sort();
    let mut repeated: Vec<_> =
        names.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].clone()).collect();
    repeated.dedup_by(|next, previous| next.0 == previous.0);
    repeated
}

/// Returns the names of a sound node that line ends or brackets part; see [`is_split_name`].
pub(crate) fn split_names(bytes: &[u8], body: Range<usize>) -> Vec<Range<usize>> {
    let (mut names, mut offset) = (Vec::new(), body.start);
    while let Some(bracket) = memchr::memchr(b'[', &bytes[offset..body.end]).map(|length| offset + length) {
        let name = trim(bytes, offset..bracket);
        if is_split_name(&bytes[name.clone()]) {
            names.push(name);
        }
        let Some(end) = value_end(&bytes[..body.end], bracket + 1) else { break };
        offset = end + 1;
    }
    names
}

/// Returns true if a name ends with the name of a turn, stones or territory after bytes other than
/// letters, as in `P]B`. It may be one name or two.
pub(crate) fn is_split_name(name: &[u8]) -> bool {
    let Some(separator) = name.iter().rposition(|byte| !byte.is_ascii_alphabetic()) else { return false };
    let last = &name[separator + 1..];
    !last.is_empty() && role(&capitals(last)).is_some_and(PropertyRole::affects_board)
}

/// Returns true if an identifier has small letters. With capitals they are ignored; alone they mean
/// capitals.
pub fn is_long_name(name: &[u8]) -> bool {
    let has_any = |predicate: fn(&u8) -> bool| name.iter().any(predicate);
    let is_mixed = has_any(u8::is_ascii_lowercase) && has_any(u8::is_ascii_uppercase);
    (is_mixed && name.iter().all(u8::is_ascii_alphabetic)) || is_small(name)
}

/// The damage of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// An unescaped `]` in its text.
    UnescapedBracket,
    /// A missing `]`.
    MissingBracket,
    /// A backslash before its `]` that was meant as text.
    Backslash,
}

/// Returns the property as sound text: brackets in values are escaped, blanks in the identifier are
/// removed, and a name in small letters is in capitals.
pub fn rebuild_property(bytes: &[u8], property: &RawProperty) -> Vec<u8> {
    let mut text: Vec<u8> = Vec::with_capacity(property.range.len() + 2);
    text.extend(bytes[property.identifier.clone()].iter().filter(|byte| !byte.is_ascii_whitespace() && **byte != 0));
    if is_small(&text) {
        text.make_ascii_uppercase();
    }
    for value in &property.values {
        text.push(b'[');
        let mut escaped = false;
        for &byte in &bytes[value.clone()] {
            if byte == b']' && !escaped {
                text.push(b'\\');
            }
            escaped = byte == b'\\' && !escaped;
            text.push(byte);
        }
        // A backslash at the end would escape the bracket that closes the value.
        text.extend_from_slice(if escaped { b"\\]" } else { b"]" });
    }
    text
}

fn trim(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let text = &bytes[range.clone()];
    let start = range.start + (text.len() - text.trim_ascii_start().len());
    start..start + text.trim_ascii().len()
}

/// Returns the first unescaped `]` from `offset` on.
pub(crate) fn value_end(bytes: &[u8], mut offset: usize) -> Option<usize> {
    loop {
        offset += memchr::memchr2(b']', b'\\', bytes.get(offset..)?)?;
        if bytes[offset] == b']' {
            return Some(offset);
        }
        offset += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_have_identifiers_values_and_leftovers() {
        let text = b" AB[aa] [b\\]b]\nC[x]y";
        let (properties, _) = properties(&Lexer::utf8(text), 0..text.len());
        let names: Vec<_> = properties.iter().map(|p| (&text[p.identifier.clone()], p.values.len())).collect();
        assert_eq!(names, [(&b"AB"[..], 2), (b"C", 1), (b"y", 0)]);
        assert_eq!(&text[properties[0].range.clone()], b"AB[aa] [b\\]b]");
    }

    #[test]
    fn names_with_other_bytes_before_a_turn_are_parted() {
        for name in ["P]B", "P\nB", "x: White", "1AB", "P W"] {
            assert!(is_split_name(name.as_bytes()), "{name:?}");
        }
        for name in ["PB", "B", "KM", "P]KM", "B1", "GAMEBLACK", "", "K_M"] {
            assert!(!is_split_name(name.as_bytes()), "{name:?}");
        }
    }
}
