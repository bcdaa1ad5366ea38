//! The beginning and the end of a game in a text.

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::turns::{RUN_BYTES, Runs, TURN};
use crate::sgf::lexer::{self, Lexer, ROOT, ValueEnd, ends_line, has_line_end};

/// The way in which a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// With its closing parenthesis.
    Parenthesis,
    /// Unclosed, at the end of the input or before a game on the next line.
    Missing,
    /// Unclosed, before a game in the middle of a line.
    Fused,
    /// The game is larger than [`Limits::game`](super::Limits::game).
    Oversized,
}

/// The maximum part of a line outside games that waits for more bytes. A `;` at its beginning may
/// be a root without its `(`.
pub(crate) const MAX_HELD_BACK: usize = 4 << 10;

/// The maximum length of a strange character in place of another one.
const MAX_CHARACTER: usize = 3;
/// The maximum distance between the `(` of a game and its `;` if strange bytes separate them.
/// Leading blanks don't count.
const STRAYS: usize = 64;
/// The maximum distance within which the properties of such a root are searched. The search for a
/// game waits for this number of bytes.
const NEAR: usize = 256;

/// The result of a search for the next game.
pub(crate) enum Start {
    /// The next game begins here.
    At(usize),
    /// No game begins before this offset.
    NotBefore(usize),
}

/// Finds the start of the next game at or after `from`: its `(`, or the `;` of a root without one.
///
/// Before `decided`, the search does not wait for more bytes. With `root_only`, the game must begin
/// with a property that FF[4] requires in roots.
pub(crate) fn find_start(bytes: &[u8], from: usize, decided: usize, root_only: bool) -> Start {
    let lexer = Lexer::utf8(bytes);
    let mut at = from;
    while let Some(found) = memchr2(b'(', b';', &bytes[at..]) {
        at += found;
        let begins = match bytes[at] {
            b'(' if root_only => root_name(&lexer, at).is_some_and(lexer::is_root),
            b'(' => opens_game(&lexer, at),
            _ => !root_only && is_bare_root(&lexer, from, at),
        };
        if begins {
            return Start::At(at);
        }
        if at >= decided && lexer.skip_space(at + 1) + NEAR >= bytes.len() {
            // The text before a `;` on its line also determines its meaning.
            let rest = if bytes[at] == b'(' { at } else { from + held_back(&bytes[from..at]) };
            if rest >= decided {
                return Start::NotBefore(rest);
            }
        }
        at += 1;
    }
    Start::NotBefore(if decided == bytes.len() { decided } else { from + held_back(&bytes[from..]) })
}

/// Returns the start of the text outside games that must be examined again together with later
/// bytes.
///
/// Only the whole line shows whether a `;` begins it. The last characters of a long line suffice:
/// they show that the line has begun, and that no strange character replaces a `(`.
fn held_back(text: &[u8]) -> usize {
    let near = text.len().saturating_sub(MAX_HELD_BACK);
    let line = text[near..].iter().rposition(|byte| ends_line(*byte));
    let latest = || (near..text.len()).rev().filter(|at| !is_blank_in_line(text[*at])).take(MAX_CHARACTER + 1).last();
    line.map(|length| near + length).or_else(latest).unwrap_or(text.len())
}

fn is_blank_in_line(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0 | 0x1A)
}

/// Returns true if a byte outside games has no meaning.
pub(crate) fn is_blank(byte: u8) -> bool {
    is_blank_in_line(byte) || ends_line(byte) || byte == b'\x0C'
}

/// Returns the length of a strange character, at the start or the end of a text, that may replace
/// another one: an ASCII character, or a character outside ASCII in any charset. Brackets are not
/// strange, since they begin or end other elements.
pub(crate) fn strange_character_length<'a>(text: impl Iterator<Item = &'a u8> + Clone) -> usize {
    match text.clone().take(MAX_CHARACTER).take_while(|byte| !byte.is_ascii()).count() {
        0 => text.take(1).filter(|byte| !matches!(byte, b'(' | b')' | b'[' | b']') && !is_blank(**byte)).count(),
        bytes => bytes,
    }
}

/// Returns the bytes between the `(` at `at` and the next `;`, without blanks around them, if they
/// are not text: control characters, a UTF-8 byte order mark, or characters outside ASCII.
pub(crate) fn stray_bytes(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let start = Lexer::utf8(bytes).skip_space(at + 1);
    let near = bytes.get(start..bytes.len().min(start + STRAYS))?;
    let strays = near[..memchr(b';', near)?].trim_ascii_end();
    let is_strange = |byte: &u8| !byte.is_ascii() || byte.is_ascii_control() || *byte == b' ';
    (!strays.is_empty() && strays.iter().all(is_strange)).then(|| start..start + strays.len())
}

/// Returns the first identifier of the root of the game that begins with the `(` at `at`.
///
/// The `;` follows, perhaps after strange bytes. Prose has no control characters, so after these
/// any header property suffices. Other strange bytes may have at most the length of one
/// character, and the root after them must have GM or FF.
pub(crate) fn root_name<'a>(lexer: &Lexer<'a>, at: usize) -> Option<&'a [u8]> {
    lexer.begins_node(at + 1).or_else(|| {
        let strays = stray_bytes(lexer.bytes, at)?;
        let near = lexer.bytes.len().min(strays.start + NEAR);
        let near = Lexer { bytes: &lexer.bytes[..near], ..*lexer };
        let text = &lexer.bytes[strays.clone()];
        let others = match std::str::from_utf8(text) {
            Ok(text) => text.chars().filter(|letter| !letter.is_ascii()).count(),
            Err(_) => text.iter().filter(|byte| !byte.is_ascii()).count(),
        };
        let name = near.begins_node(strays.end)?;
        let is_header = match others {
            0 => lexer::is_header(name),
            others => others <= MAX_CHARACTER && near.has_one_of(near.skip_space(strays.end), &ROOT[..2]),
        };
        is_header.then_some(name)
    })
}

/// Returns true if the `(` at `at`, outside games, begins a game.
///
/// A node must follow, perhaps after a few strange bytes. A header property may also follow without
/// its `;`, or with a strange character in place of it.
pub(crate) fn opens_game(lexer: &Lexer, at: usize) -> bool {
    let next = lexer.skip_space(at + 1);
    if lexer.bytes.get(next) != Some(&b';') {
        let begins = |name: &[u8]| lexer::is_header(name) || lexer::is_short_name(name);
        let behind = at + 1 + strange_character_length(lexer.bytes[at + 1..].iter());
        return lexer.identifier(next).is_some_and(begins)
            || lexer.identifier(behind).is_some_and(lexer::is_header)
            || root_name(lexer, at).is_some();
    }
    let node = lexer.skip_space(next + 1);
    // In prose `(;` is a smiley, and words follow it. In a damaged root the next bracket is near.
    let word = &lexer.bytes[node..lexer.bytes.len().min(node + 64)];
    matches!(word.first(), None | Some(b';' | b'(' | b')' | b'[' | b'\x1A'))
        || lexer.identifier(node).is_some()
        || word.iter().take_while(|byte| !byte.is_ascii_whitespace()).any(|byte| *byte == b'[')
}

/// Returns true if the `;` at `at` belongs to a root without `(`. The text outside games begins at
/// `from`.
///
/// The `;`, or one strange character before it, must begin a line or follow a game.
fn is_bare_root(lexer: &Lexer, from: usize, at: usize) -> bool {
    let before = &lexer.bytes[from..at];
    let is_apart = |before: &[u8]| {
        let last = before.iter().rev().find(|byte| !is_blank_in_line(**byte));
        last.is_none_or(|byte| *byte == b')' || ends_line(*byte))
    };
    let strange = strange_character_length(before.iter().rev());
    (is_apart(before) || is_apart(&before[..before.len() - strange]))
        && lexer.begins_node(at).is_some_and(lexer::is_header)
}

/// Returns the first identifier of a game's root.
pub(crate) fn signature(bytes: &[u8]) -> &[u8] {
    let lexer = Lexer::utf8(bytes);
    let at = match bytes.first() {
        Some(b'(') => stray_bytes(bytes, 0).map_or(1, |strays| strays.end),
        _ => 0,
    };
    let at = lexer.skip_space(at);
    let at = lexer.skip_space(at + usize::from(bytes.get(at) == Some(&b';')));
    lexer.identifier(at).unwrap_or_default()
}

/// The properties of a game that the search for its end finds.
#[derive(Clone, Copy)]
pub(crate) struct SpanEnd {
    /// The length of the game and the way in which it ends; `None` if its end is not in the text.
    pub end: Option<(usize, Close)>,
    /// The start and the end of its longest run of bare turns.
    pub turns: (usize, usize),
    /// True if it contains a tree.
    pub has_variations: bool,
    /// True if a value has no closing bracket.
    pub is_damaged: bool,
}

/// Finds the end of the game at the start of the text.
pub(crate) fn find_end(lexer: &Lexer, lines_begin_games: bool) -> SpanEnd {
    let bytes = lexer.bytes;
    let mut found = SpanEnd { end: None, turns: (0, 0), has_variations: false, is_damaged: false };
    let ends = |end: (usize, Close), found: SpanEnd| SpanEnd { end: Some(end), ..found };
    let mut depth = usize::from(bytes.first() != Some(&b'('));
    let mut has_value = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b';' => {
                let turns = skip_turns(bytes, at);
                if turns > at {
                    if turns - at > found.turns.1 - found.turns.0 {
                        found.turns = (at, turns);
                    }
                    at = turns;
                    continue;
                }
                if has_value && lexer.begins_node(at).is_some_and(lexer::is_root) && !lexer.completes_root(at) {
                    return ends(cut(bytes, at), found);
                }
            }
            b'[' => {
                has_value = true;
                match lexer.first_value_end(at) {
                    ValueEnd::Closed(close, _) => at = close,
                    ValueEnd::Unclosed(next) => {
                        at = next;
                        found.is_damaged = true;
                        continue;
                    }
                    ValueEnd::Game(next) => return ends(cut(bytes, next), SpanEnd { is_damaged: true, ..found }),
                    ValueEnd::Open => {
                        found.is_damaged = true;
                        break;
                    }
                }
            }
            b'(' if depth > 0 && lexer.begins_game(at, lines_begin_games) => {
                return ends(cut(bytes, at), found);
            }
            b'(' if lexer.opens_tree(at) => {
                found.has_variations |= depth > 0;
                depth += 1;
            }
            b')' if lexer.closes_tree(at, depth) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return ends((at + 1, Close::Parenthesis), found);
                }
            }
            _ => {}
        }
        at += 1;
    }
    SpanEnd { end: lexer.end.then_some((bytes.len(), Close::Missing)), ..found }
}

/// Returns the end of an unclosed game before the next game at `next`.
fn cut(bytes: &[u8], next: usize) -> (usize, Close) {
    let length = bytes[..next].trim_ascii_end().len();
    let close = if has_line_end(&bytes[length..next]) { Close::Missing } else { Close::Fused };
    (length, close)
}

/// Returns the end of the run of bare turns `;B[dd]` that begins at `at`. They make up most of an
/// archive.
#[inline]
fn skip_turns(bytes: &[u8], mut at: usize) -> usize {
    static RUNS: Runs = Runs::on_board(26, 26);
    while RUNS.first(&bytes[at..]).is_some() {
        at += RUN_BYTES;
    }
    while let Some(&[b';', b'B' | b'W', b'[', column, row, b']']) = bytes[at..].first_chunk() {
        if !(column.is_ascii_alphabetic() && row.is_ascii_alphabetic()) {
            break;
        }
        at += TURN;
    }
    at
}
