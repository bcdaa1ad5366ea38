//! The properties of a node as byte ranges.

use std::borrow::Cow;
use std::ops::Range;

use crate::finding::Code;
use crate::sgf::tokens::ff4::definition;
use crate::sgf::tokens::lexer::{Lexer, Oddity, ValueEnd, capitals, is_small, owner, value_end, written_capitals};
use crate::sgf::tokens::long_names::short_form;

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

/// The damage of a value, as its finding states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The offset of the damage.
    pub offset: usize,
    /// The kind of finding.
    pub code: Code,
    /// The detail of the finding.
    pub detail: &'static str,
}

/// Returns the properties of a node, and the damage of their values.
///
/// Stray text before an identifier or after the last value is returned as a property without
/// values.
pub fn properties(lexer: &Lexer, body: Range<usize>) -> (Vec<RawProperty>, Vec<Damage>) {
    let bytes = lexer.bytes;
    let (mut properties, mut damage) = (Vec::new(), Vec::new());
    let mut offset = body.start;
    while offset < body.end {
        let bracket = memchr::memchr(b'[', &bytes[offset..body.end]).map_or(body.end, |length| offset + length);
        let text = trim(bytes, offset..bracket);
        let identifier = if bracket < body.end { identifier_in(bytes, text.clone()) } else { text.clone() };
        let stray_text = trim(bytes, text.start..identifier.start);
        if !stray_text.is_empty() {
            properties.push(RawProperty { range: stray_text.clone(), identifier: stray_text, values: Vec::new() });
        }
        let mut values: Vec<Range<usize>> = Vec::new();
        let mut is_closed = true;
        offset = bracket;
        while offset < body.end && bytes[offset] == b'[' {
            let value_end = lexer.value_end(offset + 1, owner(bytes, bracket));
            add_damage(bytes, offset, value_end, body.end, &mut damage);
            let (end, next) = match value_end {
                ValueEnd::Closed(close, _) => (close, close + 1),
                ValueEnd::Unclosed(next) => (next, next),
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

/// Adds the damage of the value whose `[` is at `bracket`.
fn add_damage(bytes: &[u8], bracket: usize, value_end: ValueEnd, node_end: usize, damage: &mut Vec<Damage>) {
    let mut add = |offset, code, detail| damage.push(Damage { offset, code, detail });
    match value_end {
        ValueEnd::Closed(close, Oddity::UnescapedBracket) => {
            add(bracket, Code::UnescapedBracket, "this value has a ] in its text");
            if may_hide_node(&bytes[bracket + 1..close.min(node_end)]) {
                add(bracket, Code::UnreadableNode, "this value may end at a ] in its text, before a ;");
            }
        }
        ValueEnd::Closed(close, Oddity::Backslash) => {
            add(close, Code::BackslashAtEnd, "the bracket closes the value, although a backslash precedes it");
        }
        ValueEnd::Unclosed(_) => {
            add(bracket, Code::UnclosedValue, "this value ends where the next property or node begins");
        }
        ValueEnd::Closed(_, Oddity::None | Oddity::HiddenProperty) | ValueEnd::Game(_) | ValueEnd::Open => {}
    }
}

/// Returns the part of the text before a value that names the property: its last letters and
/// digits.
///
/// The whole text is the name if it has no letters, or if its blanks divide a known name.
fn identifier_in(bytes: &[u8], text: Range<usize>) -> Range<usize> {
    let letters = &bytes[text.clone()];
    if letters.iter().all(u8::is_ascii_alphabetic) {
        return text;
    }
    let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric();
    let end = letters.iter().rposition(is_in_name).map_or(0, |last| last + 1);
    let start = letters[..end].iter().rposition(|byte| !is_in_name(byte)).map_or(0, |last| last + 1);
    let Some(leading_digits) = letters[start..end].iter().position(u8::is_ascii_alphabetic) else { return text };
    let joined: Vec<u8> = letters.iter().copied().filter(|byte| !is_blank(*byte)).collect();
    if start + leading_digits == 0 || definition(&joined).is_some() || short_form(&joined).is_some() {
        return text;
    }
    text.start + start + leading_digits..text.end
}

/// Returns true if the name of a property begins with a letter, contains only letters and digits,
/// and has significant letters.
pub(crate) fn is_plain_name(name: &[u8]) -> bool {
    match name {
        [first] => first.is_ascii_uppercase() || is_small(name),
        [first, second] if first.is_ascii_uppercase() && second.is_ascii_uppercase() => true,
        _ => {
            name.first().is_some_and(u8::is_ascii_alphabetic)
                && name.iter().all(u8::is_ascii_alphanumeric)
                && !capitals(name).is_empty()
        }
    }
}

/// Returns true if all properties of a sound node have names that sgf-parse reads as jigo does.
pub(crate) fn has_usual_names(bytes: &[u8], body: Range<usize>) -> bool {
    let is_unusual = |name: &[u8]| match name {
        [first] => !first.is_ascii_uppercase(),
        [first, second] if first.is_ascii_uppercase() && second.is_ascii_uppercase() => false,
        _ => !is_plain_name(name) || *capitals(name) != written_capitals(name),
    };
    find_name(bytes, body, is_unusual).is_none()
}

/// A value in a sound part of a node.
struct ValueSpan {
    /// The text before the value; empty between the values of a property.
    name: Range<usize>,
    /// The offset of its `[`.
    bracket: usize,
    /// The offset of its `]`; `None` if the node ends before it.
    end: Option<usize>,
}

/// Returns the values of a node up to the first one without an end.
fn value_spans(bytes: &[u8], body: Range<usize>) -> impl Iterator<Item = ValueSpan> {
    let bytes = &bytes[..body.end];
    let mut start = Some(body.start);
    std::iter::from_fn(move || {
        let offset = start?;
        let bracket = offset + memchr::memchr(b'[', &bytes[offset..])?;
        let end = value_end(bytes, bracket + 1);
        start = end.map(|end| end + 1);
        Some(ValueSpan { name: trim(bytes, offset..bracket), bracket, end })
    })
}

/// Returns the properties of a sound node: the name of each, and the text between the brackets of
/// its values.
pub(crate) fn sound_properties(
    bytes: &[u8],
    body: Range<usize>,
) -> impl Iterator<Item = (Range<usize>, Vec<Range<usize>>)> {
    let values = value_spans(bytes, body).map_while(|value| Some((value.name, value.bracket + 1..value.end?)));
    let mut values = values.peekable();
    std::iter::from_fn(move || {
        let (name, first) = values.next()?;
        let mut property = (name, vec![first]);
        while let Some((_, value)) = values.next_if(|(name, _)| name.is_empty()) {
            property.1.push(value);
        }
        Some(property)
    })
}

/// Returns the first identifier in a sound part of the node that satisfies the predicate.
pub(crate) fn find_name(bytes: &[u8], body: Range<usize>, is_wanted: impl Fn(&[u8]) -> bool) -> Option<Range<usize>> {
    value_spans(bytes, body).map(|value| value.name).find(|name| is_wanted(&bytes[name.clone()]))
}

/// Returns the first value of the first property with this name in capitals.
pub(crate) fn first_value(bytes: &[u8], body: Range<usize>, name: &[u8]) -> Option<Range<usize>> {
    let value = value_spans(bytes, body).find(|value| *capitals(&bytes[value.name.clone()]) == *name)?;
    Some(value.bracket + 1..value.end?)
}

/// Returns true if a sound node may have text that is not a property, or a value without one.
pub(crate) fn has_stray_text(bytes: &[u8], body: Range<usize>) -> bool {
    let mut offset = body.start;
    for ValueSpan { name, end, .. } in value_spans(bytes, body.clone()) {
        let is_value = name.is_empty() && offset > body.start;
        let is_stray = !is_value && (name.is_empty() || !bytes[name].iter().all(u8::is_ascii_alphanumeric));
        match end.filter(|_| !is_stray) {
            Some(end) => offset = end + 1,
            None => return true,
        }
    }
    !trim(bytes, offset..body.end).is_empty()
}

/// Returns repeated identifiers of a sound node, each once, in capitals and with their offsets.
pub(crate) fn repeated_names(bytes: &[u8], body: Range<usize>) -> Vec<(Cow<'_, [u8]>, usize)> {
    let names = value_spans(bytes, body).map(|value| identifier_in(bytes, value.name));
    let names = names.filter(|name| !name.is_empty());
    let mut names: Vec<_> = names.map(|name| (capitals(&bytes[name.clone()]), name.start)).collect();
    names.sort();
    let mut repeated: Vec<_> =
        names.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].clone()).collect();
    repeated.dedup_by(|next, previous| next.0 == previous.0);
    repeated
}

/// Returns true if an identifier has small letters, is a long name in capitals, or is a name with a
/// number.
pub fn is_long_name(name: &[u8]) -> bool {
    let is_capital = name.iter().all(u8::is_ascii_uppercase);
    match name.len() {
        ..=2 if is_capital => false,
        _ if is_capital => short_form(name).is_some(),
        _ => {
            is_plain_name(name)
                && (name.iter().any(u8::is_ascii_lowercase) || definition(&written_capitals(name)).is_some())
        }
    }
}

/// Returns true if a semicolon follows an unescaped `]` without its `[` in a value. The value may
/// end there.
fn may_hide_node(value: &[u8]) -> bool {
    let (mut depth, mut offset) = (0_usize, 0);
    while let Some(&byte) = value.get(offset) {
        match byte {
            b'\\' => offset += 1,
            b'[' => depth += 1,
            b']' if depth == 0 && value[offset + 1..].trim_ascii_start().first() == Some(&b';') => return true,
            b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        offset += 1;
    }
    false
}

/// Returns the property as sound text: brackets in values are escaped, and the identifier has only
/// its significant letters, in capitals.
pub fn rebuild_property(bytes: &[u8], property: &RawProperty) -> Vec<u8> {
    let mut text: Vec<u8> = Vec::with_capacity(property.range.len() + 2);
    let identifier = bytes[property.identifier.clone()].iter().copied();
    let letters: Vec<u8> = identifier.filter(u8::is_ascii_alphanumeric).collect();
    text.extend_from_slice(&capitals(&letters));
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

/// Returns a range without white space and NUL at both ends.
fn trim(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let text = &bytes[range.clone()];
    let Some(first) = text.iter().position(|byte| !is_blank(*byte)) else { return range.start..range.start };
    let end = text.iter().rposition(|byte| !is_blank(*byte)).map_or(first, |last| last + 1);
    range.start + first..range.start + end
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0
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
    fn stray_text_is_separated_from_the_next_name() {
        let parts = |text: &str| -> Vec<String> {
            let text = format!("{text}[x]");
            let (properties, _) = properties(&Lexer::utf8(text.as_bytes()), 0..text.len());
            properties.iter().map(|property| text[property.identifier.clone()].to_owned()).collect()
        };
        for (text, stray, name) in [
            ("P]B", "P]", "B"),
            ("x: White", "x:", "White"),
            ("1AB", "1", "AB"),
            ("GN PB", "GN", "PB"),
            ("2. B", "2.", "B"),
            ("\u{3000}B", "\u{3000}", "B"),
            (", PW", ",", "PW"),
        ] {
            assert_eq!(parts(text), [stray, name], "{text:?}");
        }
        for name in ["PB", "P]", "K_", "B1", "GAMEBLACK", "P\nB", "Player Black", ",", "8", "B:", "b1"] {
            assert_eq!(parts(name), [name], "{name:?}");
        }
    }

    #[test]
    fn names_have_only_letters_and_digits() {
        for name in ["B", "PB", "b", "b1", "White", "white", "BLACK", "KGSDE", "B1", "sz", "PlayerBlack"] {
            assert!(is_plain_name(name.as_bytes()), "{name:?}");
        }
        for name in ["", "x", "foo", "8", "1B", "P\nB", "B:", ",", "\u{FF22}", "_B"] {
            assert!(!is_plain_name(name.as_bytes()), "{name:?}");
        }
        let rebuilt = |text: &str| {
            let (properties, _) = properties(&Lexer::utf8(text.as_bytes()), 0..text.len());
            String::from_utf8(rebuild_property(text.as_bytes(), properties.last().unwrap())).unwrap()
        };
        for (text, sound) in [
            ("b1[aa]", "B[aa]"),
            ("black[aa]", "B[aa]"),
            ("x WHITE [aa]", "W[aa]"),
            ("A\nB[aa][bb]", "AB[aa][bb]"),
            ("B:[aa]", "B[aa]"),
            ("Player Black[x\\]]", "PB[x\\]]"),
        ] {
            assert_eq!(rebuilt(text), sound, "{text}");
        }
    }
}
