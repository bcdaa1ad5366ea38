//! The lexer: identifiers, and values as sound text has them. A value ends at the first `]` that no backslash escapes; where what stands
//! behind it does not bear that out, [`resync`](super::resync) looks for its end.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memchr3};

use super::charset::Lead;
use super::ff4::definition;
use super::resync::Patience;

/// Longest identifier that is looked for; FF[1] wrote names such as `GameComment`.
pub(super) const MAX_IDENTIFIER: usize = 32;

/// Properties whose values are text, which people type brackets into.
const TEXT: [&[u8]; 24] = [
    b"C", b"N", b"GC", b"GN", b"PB", b"PW", b"EV", b"RO", b"PC", b"SO", b"AN", b"US", b"CP", b"ON", b"OT", b"RU",
    b"RE", b"DT", b"BT", b"WT", b"AP", b"BR", b"WR", b"TM",
];
/// Whether [`TEXT`] has this name of two letters; asked for every value.
#[inline]
fn is_short_text(name: &[u8]) -> bool {
    let of = |index: usize| TEXT[index].first_chunk::<2>();
    let name = name.first_chunk::<2>();
    (2..TEXT.len()).fold(false, |is, index| is | (of(index) == name))
}

/// Properties that FF[4] allows in roots only.
pub(super) const ROOT: [&[u8]; 6] = [b"FF", b"GM", b"SZ", b"CA", b"AP", b"ST"];

/// How far behind a name in small letters is looked for what bears it out.
const SMALL_REACH: usize = 256;

/// How a value ends. All numbers are bytes of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueEnd {
    /// At this `]`.
    Closed(usize, Oddity),
    /// Its `]` is missing, and a property or node begins here.
    Unclosed(usize),
    /// Its `]` is missing, and another game begins here.
    Game(usize),
    /// Not within the text there is.
    Open,
}

/// What is odd about a closed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// Nothing.
    None,
    /// It has a `]` in its text that no backslash escapes.
    UnescapedBracket,
    /// A backslash stands before its closing bracket and was meant as text.
    Backslash,
}

/// Text with what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Lexis<'a> {
    /// The text.
    pub bytes: &'a [u8],
    /// Nothing follows the text.
    pub end: bool,
    /// Which bytes are half a character.
    pub lead: Lead,
    /// The first identifier of the game's root, which roots of the same collection begin with too.
    pub signature: &'a [u8],
    /// The first identifier of the root of the sound game before; empty where there is none.
    pub neighbour: &'a [u8],
    /// The game is damaged and all games before it have no variation, so any `(;` that begins as they do begins the next game.
    pub seams: bool,
    /// How long the `]` that closes a text may still be looked for in vain; without limit where there is none.
    pub patience: Option<&'a Patience>,
}

impl<'a> Lexis<'a> {
    /// Sound text in UTF-8 that nothing follows.
    pub fn utf8(bytes: &'a [u8]) -> Lexis<'a> {
        Lexis { bytes, end: true, lead: Lead::None, signature: b"", neighbour: b"", seams: false, patience: None }
    }

    /// The end of the value whose `[` is at `open`, behind its property's identifier.
    #[inline]
    pub fn first_value_end(&self, open: usize) -> ValueEnd {
        match self.short_end(open + 1) {
            Some((close, true)) => ValueEnd::Closed(close, Oddity::None),
            _ => self.value_end(open + 1, owner(self.bytes, open)),
        }
    }

    /// The end of the value that begins at `from`, behind its `[`; `owner` is its property's identifier.
    pub fn value_end(&self, from: usize, owner: &[u8]) -> ValueEnd {
        match self.short_end(from) {
            Some((close, is_followed)) if is_followed || !is_text(owner) => ValueEnd::Closed(close, Oddity::None),
            _ => self.careful_end(from, owner),
        }
    }

    /// The end of the value that begins at `from` if it is a `]` before any other bracket and backslash, as that of almost every
    /// value is, and whether the letter of a property stands behind it.
    #[inline]
    fn short_end(&self, from: usize) -> Option<(usize, bool)> {
        let close = from + memchr3(b']', b'\\', b'[', &self.bytes[from..])?;
        let is_short = self.bytes[close] == b']' && self.lead == Lead::None;
        is_short.then(|| (close, self.bytes.get(close + 1).is_some_and(u8::is_ascii_uppercase)))
    }

    /// The first identifier of the node whose `;` stands at `at` or behind blanks.
    pub fn begins_node(&self, at: usize) -> Option<&'a [u8]> {
        let at = self.skip_space(at);
        (self.bytes.get(at) == Some(&b';')).then(|| self.identifier(self.skip_space(at + 1)))?
    }

    /// The letters at `at`, if one is upper case and a `[` follows.
    pub fn identifier(&self, at: usize) -> Option<&'a [u8]> {
        self.letters(at).filter(|name| name.iter().any(u8::is_ascii_uppercase))
    }

    /// The letters of a name in small letters at `at`, if its value bears it out.
    pub(super) fn small_identifier(&self, at: usize) -> Option<&'a [u8]> {
        let name = self.letters(at).filter(|name| is_small(name))?;
        self.is_borne_out(name, self.skip_space(at + name.len()) + 1).then_some(name)
    }

    /// The letters at `at`, if a `[` follows.
    fn letters(&self, at: usize) -> Option<&'a [u8]> {
        let rest = self.bytes.get(at..)?;
        let length = rest.iter().take(MAX_IDENTIFIER).take_while(|byte| byte.is_ascii_alphabetic()).count();
        (self.bytes.get(self.skip_space(at + length)) == Some(&b'[')).then_some(&rest[..length])
    }

    /// Whether the value that begins at `from` may be that of a name in small letters, which prose has before brackets, too: a turn has
    /// a point or nothing, and behind the bracket the record goes on.
    fn is_borne_out(&self, name: &[u8], from: usize) -> bool {
        let near = &self.bytes[..self.bytes.len().min(from + SMALL_REACH)];
        let Some(length) = memchr(b']', &near[from.min(near.len())..]) else { return false };
        let value = &near[from..from + length];
        let is_turn = matches!(name, b"b" | b"w");
        let fits = !is_turn || value.is_empty() || (value.len() == 2 && value.iter().all(u8::is_ascii_alphabetic));
        let next = self.skip_space(from + length + 1);
        let rest = &near[next.min(near.len())..];
        let letters = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let goes_on = match rest.first() {
            None | Some(b';' | b'(' | b')' | b'[' | b'\x1A') => true,
            Some(_) => letters > 0 && rest.get(letters) == Some(&b'['),
        };
        fits && goes_on
    }

    /// The first byte from `at` on that is neither white space nor NUL.
    pub fn skip_space(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count()
    }
}

/// Whether a line ends with this byte: with LF, with CR LF, or with CR alone, as on old Macs.
pub(super) fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Whether a line ends within the text.
pub(super) fn has_line_end(text: &[u8]) -> bool {
    memchr2(b'\n', b'\r', text).is_some()
}

/// Whether these are a name of FF\[4\] in small letters, which some programs write.
pub fn is_small(name: &[u8]) -> bool {
    let is_small = name.first().is_some_and(u8::is_ascii_lowercase) && name.iter().all(u8::is_ascii_lowercase);
    is_small && name.len() <= 2 && definition(&name.to_ascii_uppercase()).is_some()
}

/// The letters of a name that count, in capitals: the small ones of `White` stand for nothing, those of `sz` for SZ.
pub fn capitals(name: &[u8]) -> Cow<'_, [u8]> {
    if name.iter().all(u8::is_ascii_uppercase) {
        Cow::Borrowed(name)
    } else if is_small(name) {
        Cow::Owned(name.to_ascii_uppercase())
    } else {
        Cow::Owned(name.iter().copied().filter(u8::is_ascii_uppercase).collect())
    }
}

/// Whether `name`, or what a long one stands for, is a property of roots or of game headers, which a game can begin with.
pub fn is_header(name: &[u8]) -> bool {
    short_name(name)
        .is_some_and(|name| ROOT.contains(&&name[..]) || is_short_text(&name) || matches!(&name, b"KM" | b"HA"))
}

/// The one or two letters of a name that count, in capitals and with 0 behind a single one; `None` where they are more.
pub(super) fn short_name(name: &[u8]) -> Option<[u8; 2]> {
    let is_small = is_small(name);
    let letters = name.iter().filter(|byte| is_small || byte.is_ascii_uppercase());
    let mut letters = letters.map(u8::to_ascii_uppercase);
    let short = [letters.next()?, letters.next().unwrap_or(0)];
    letters.next().is_none().then_some(short)
}

/// Returns true for names as programs write them: one capital that FF\[4\] knows, or any two.
pub fn is_short_name(name: &[u8]) -> bool {
    let is_known = || name.len() == 2 || definition(name).is_some();
    name.len() <= 2 && name.iter().all(u8::is_ascii_uppercase) && is_known()
}

/// Whether `name` is a property that FF\[4\] requires in roots.
pub fn is_root(name: &[u8]) -> bool {
    ROOT[..2].contains(&name)
}

/// Whether a property's value is text; lower case letters of old names do not count.
pub(super) fn is_text(owner: &[u8]) -> bool {
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

/// The identifier before the `[` at `open`, white space between them left out; no longer than identifiers are.
pub fn owner(bytes: &[u8], open: usize) -> &[u8] {
    let end = skip_space_back(bytes, 0, open);
    let letters = bytes[..end].iter().rev().take(MAX_IDENTIFIER).take_while(|byte| byte.is_ascii_alphabetic());
    &bytes[end - letters.count()..end]
}

/// The byte behind the last one before `at` that is neither white space nor NUL.
pub(super) fn skip_space_back(bytes: &[u8], from: usize, at: usize) -> usize {
    at - bytes[from..at].iter().rev().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count()
}
