//! The lexer: its text and context, identifiers, and white space.
//!
//! [`value_end`](crate::sgf::boundaries::value_end) searches the ends of values.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2};

use super::ff4::definition;
use super::long_names::{mixed_form, short_form};
pub use super::scan_budget::ScanBudget;
use crate::sgf::encoding::lead::Lead;

/// The maximum length of identifiers. FF[1] used names such as `GameComment`.
pub(crate) const MAX_IDENTIFIER: usize = 32;

/// Properties with text values, which may contain typed brackets.
const TEXT: [&[u8]; 24] = [
    b"C", b"N", b"GC", b"GN", b"PB", b"PW", b"EV", b"RO", b"PC", b"SO", b"AN", b"US", b"CP", b"ON", b"OT", b"RU",
    b"RE", b"DT", b"BT", b"WT", b"AP", b"BR", b"WR", b"TM",
];

/// Returns true if [`TEXT`] has this name of two letters. The lexer calls this for every value.
#[inline]
fn is_short_text(name: &[u8]) -> bool {
    let entry = |index: usize| TEXT[index].first_chunk::<2>();
    let name = name.first_chunk::<2>();
    (2..TEXT.len()).fold(false, |is_found, index| is_found | (entry(index) == name))
}

/// Properties that FF\[4\] allows only in roots.
pub(crate) const ROOT: [&[u8]; 6] = [b"FF", b"GM", b"SZ", b"CA", b"AP", b"ST"];

/// The maximum distance within which the text must confirm a name in small letters.
const SMALL_REACH: usize = 256;

/// The end of a value. All numbers are offsets in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueEnd {
    /// The value ends at this `]`.
    Closed(usize, Oddity),
    /// The value has no `]`, and a property or node begins here.
    Unclosed(usize),
    /// The value has no `]`, and another game begins here.
    Game(usize),
    /// The value does not end within the available text.
    Open,
}

/// The oddity of a closed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// No oddity.
    None,
    /// An unescaped `]` in its text.
    UnescapedBracket,
    /// A backslash before its closing bracket that was meant as text.
    Backslash,
    /// A property or a node in the text of a sound value. Its bracket may be missing.
    HiddenProperty,
}

/// A text with the context that the lexer needs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lexer<'a> {
    /// The text.
    pub bytes: &'a [u8],
    /// True if nothing follows the text.
    pub end: bool,
    /// The rule for bytes that are half a character.
    pub lead: Lead,
    /// The first identifier of the game's root. Other roots of the collection begin with it as
    /// well.
    pub signature: &'a [u8],
    /// The first identifier of the root of the previous sound game; empty without one.
    pub neighbour: &'a [u8],
    /// True if the game is damaged and no earlier game has variations. Any `(;` with the same
    /// beginning as their roots then begins the next game.
    pub games_begin_alike: bool,
    /// The budget for fruitless searches of a closing `]`; `None` means no limit.
    pub scan_budget: Option<&'a ScanBudget>,
}

impl<'a> Lexer<'a> {
    /// Returns a lexer for a complete sound text in UTF-8.
    pub fn utf8(bytes: &'a [u8]) -> Lexer<'a> {
        Lexer { bytes, end: true, ..Lexer::default() }
    }

    /// Returns the first identifier of the node whose `;` is at `offset` or after blanks.
    pub fn begins_node(&self, offset: usize) -> Option<&'a [u8]> {
        let offset = self.skip_space(offset);
        (self.bytes.get(offset) == Some(&b';')).then(|| self.identifier(self.skip_space(offset + 1)))?
    }

    /// Returns the letters at `offset` if one is a capital and a `[` follows.
    pub fn identifier(&self, offset: usize) -> Option<&'a [u8]> {
        self.letters(offset).filter(|name| name.iter().any(u8::is_ascii_uppercase))
    }

    /// Returns a name in small letters at `offset` if its value confirms it.
    pub(crate) fn small_identifier(&self, offset: usize) -> Option<&'a [u8]> {
        let is_name =
            |name: &&[u8]| is_small(name) || name[..].iter().all(u8::is_ascii_lowercase) && short_form(name).is_some();
        let name = self.letters(offset).filter(is_name)?;
        self.is_confirmed(name, self.skip_space(offset + name.len()) + 1).then_some(name)
    }

    /// Returns the letters at `offset` if a `[` follows, perhaps after a number.
    fn letters(&self, offset: usize) -> Option<&'a [u8]> {
        let rest = self.bytes.get(offset..)?;
        let length = rest.iter().take(MAX_IDENTIFIER).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let digits = rest[length..].iter().take(MAX_IDENTIFIER).take_while(|byte| byte.is_ascii_digit()).count();
        let end = offset + length + if length > 0 { digits } else { 0 };
        (self.bytes.get(self.skip_space(end)) == Some(&b'[')).then_some(&rest[..length])
    }

    /// Returns true if the value at `start` can belong to a name in small letters.
    ///
    /// Prose also has words before brackets. So a turn must have a point or nothing, and the record
    /// must continue after the bracket.
    pub(crate) fn is_confirmed(&self, name: &[u8], start: usize) -> bool {
        let window = &self.bytes[..self.bytes.len().min(start + SMALL_REACH)];
        let Some(length) = memchr(b']', &window[start.min(window.len())..]) else { return false };
        let value = &window[start..start + length];
        let is_turn = matches!(name, b"b" | b"w" | b"black" | b"white");
        let is_valid = !is_turn || value.is_empty() || (value.len() == 2 && value.iter().all(u8::is_ascii_alphabetic));
        let next = self.skip_space(start + length + 1);
        let rest = &window[next.min(window.len())..];
        let letters = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let continues = match rest.first() {
            None | Some(b';' | b'(' | b')' | b'[' | b'\x1A') => true,
            Some(_) => letters > 0 && rest.get(letters) == Some(&b'['),
        };
        is_valid && continues
    }

    /// Returns the first offset from `offset` on that has neither white space nor NUL.
    pub fn skip_space(&self, offset: usize) -> usize {
        let rest = self.bytes.get(offset..).unwrap_or_default();
        offset + rest.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count()
    }
}

/// Returns true if a line ends with this byte: LF, CR LF, or CR alone as on old Macs.
pub(crate) fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns true if a byte within a line outside games has no meaning.
pub(crate) fn is_blank_in_line(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0 | 0x1A)
}

/// Returns true if a byte outside games has no meaning.
pub(crate) fn is_blank(byte: u8) -> bool {
    is_blank_in_line(byte) || ends_line(byte) || byte == b'\x0C'
}

/// Returns true if a line ends within the text.
pub(crate) fn has_line_end(text: &[u8]) -> bool {
    memchr2(b'\n', b'\r', text).is_some()
}

/// Returns true for a name of FF\[4\] in small letters, which some programs write.
pub fn is_small(name: &[u8]) -> bool {
    let is_small = name.first().is_some_and(u8::is_ascii_lowercase) && name.iter().all(u8::is_ascii_lowercase);
    is_small && name.len() <= 2 && definition(&name.to_ascii_uppercase()).is_some()
}

/// Returns the significant letters of a name in capitals.
///
/// The small letters of `White` are ignored; those of `sz` mean SZ. Long names mean the same in
/// every case, such as `BLACK` and `Komi`.
pub fn capitals(name: &[u8]) -> Cow<'_, [u8]> {
    let is_capital = name.iter().all(u8::is_ascii_uppercase);
    if is_capital && name.len() <= 2 {
        return Cow::Borrowed(name);
    }
    let letters = &name[..name.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1)];
    if let Some(short) = short_form(letters) {
        Cow::Borrowed(short)
    } else if is_capital {
        Cow::Borrowed(name)
    } else if is_small(letters) {
        Cow::Owned(letters.to_ascii_uppercase())
    } else {
        Cow::Owned(written_capitals(name))
    }
}

/// Returns true if an identifier certainly is a long or small form of the property `name`: its
/// capitals are that name, or it has one case only.
pub fn is_form_of(identifier: &[u8], name: &[u8]) -> bool {
    match mixed_form(identifier) {
        Some(short) => short == name && written_capitals(identifier) == name,
        None => short_form(identifier) == Some(name) || is_small(identifier),
    }
}

/// Returns the letters of a name that are written as capitals.
pub(crate) fn written_capitals(name: &[u8]) -> Vec<u8> {
    name.iter().copied().filter(u8::is_ascii_uppercase).collect()
}

/// Returns true if `name`, or the short form of a long name, is a property of roots or game
/// headers.
pub fn is_header(name: &[u8]) -> bool {
    short_name(name)
        .is_some_and(|name| ROOT.contains(&&name[..]) || is_short_text(&name) || matches!(&name, b"KM" | b"HA"))
}

/// Returns the one or two significant letters of a name in capitals, with 0 after a single one;
/// `None` if there are more.
pub(crate) fn short_name(name: &[u8]) -> Option<[u8; 2]> {
    let name = if name.len() > 2 { short_form(name).unwrap_or(name) } else { name };
    let is_small = is_small(name);
    let letters = name.iter().filter(|byte| is_small || byte.is_ascii_uppercase());
    let mut letters = letters.map(u8::to_ascii_uppercase);
    let letters_found = [letters.next()?, letters.next().unwrap_or(0)];
    letters.next().is_none().then_some(letters_found)
}

/// Returns true for names as programs write them: one capital that FF\[4\] knows, or any two.
pub fn is_short_name(name: &[u8]) -> bool {
    let is_identifier = || name.len() == 2 || definition(name).is_some();
    name.len() <= 2 && name.iter().all(u8::is_ascii_uppercase) && is_identifier()
}

/// Returns true if FF\[4\] requires the property `name` in roots.
pub fn is_root(name: &[u8]) -> bool {
    ROOT[..2].contains(&name)
}

/// Returns true if a property's value is text. Small letters of old names are ignored.
pub(crate) fn is_text(owner: &[u8]) -> bool {
    if is_small(owner) {
        return TEXT.contains(&owner.to_ascii_uppercase().as_slice());
    }
    if owner.len() <= 2 {
        return match owner {
            [letter] => matches!(letter, b'C' | b'N'),
            _ => is_short_text(owner),
        };
    }
    short_name(owner).is_some_and(|name| matches!(&name, b"C\0" | b"N\0") || is_short_text(&name))
}

/// Returns the identifier before the `[` at `bracket`, without white space between them, up to the
/// maximum length.
pub fn owner(bytes: &[u8], bracket: usize) -> &[u8] {
    let end = skip_space_back(bytes, 0, bracket);
    let letters = bytes[..end].iter().rev().take(MAX_IDENTIFIER).take_while(|byte| byte.is_ascii_alphabetic());
    &bytes[end - letters.count()..end]
}

/// Returns the offset after the last byte before `offset` that is neither white space nor NUL.
pub(crate) fn skip_space_back(bytes: &[u8], start: usize, offset: usize) -> usize {
    offset - bytes[start..offset].iter().rev().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count()
}

/// Returns the text between each `[` and the next unescaped `]`, without any other reading of the
/// text.
pub fn plain_values(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut offset = 0;
    std::iter::from_fn(move || {
        let start = offset + memchr(b'[', bytes.get(offset..)?)? + 1;
        let end = value_end(bytes, start)?;
        offset = end + 1;
        Some(start..end)
    })
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
    fn capitals_that_mean_another_property_are_no_form() {
        for (name, short) in
            [("Black", "B"), ("BLACK", "B"), ("black", "B"), ("KoMi", "KM"), ("PLayer", "PL"), ("sz", "SZ")]
        {
            assert!(is_form_of(name.as_bytes(), short.as_bytes()), "{name}");
        }
        for (name, short) in [
            ("Komi", "KM"),
            ("Komi", "K"),
            ("AppName", "AN"),
            ("PLAYER", "PL"),
            ("gobanVersion", "V"),
            ("BoardSize", "SZ"),
        ] {
            assert!(!is_form_of(name.as_bytes(), short.as_bytes()), "{name}");
        }
    }
}
