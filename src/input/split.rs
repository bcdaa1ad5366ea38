//! Cuts a stream of bytes into games.
//!
//! A game begins at a `(` that a `;` follows and ends at the `)` that closes it; brackets hide everything up to the next `]` that
//! no backslash escapes. Nothing is decoded here. A damaged game costs itself: the search goes on behind it.

use std::ops::Range;

use memchr::{memchr, memchr2, memmem};

/// The largest game that is kept whole; more is a missing bracket, not a game.
pub const MAX_GAME_BYTES: usize = 16 << 20;

/// A piece of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A game's bytes.
    Game(Range<usize>, Close),
    /// Text that is neither game nor white space.
    Outside(Range<usize>),
}

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// With its closing parenthesis.
    Parenthesis,
    /// The input ends, or the next game begins, before it is closed.
    Missing,
    /// Nothing closed it within [`MAX_GAME_BYTES`].
    Oversized,
}

/// Finds the games in `bytes` and hands every piece to `sink`, in order and without overlap.
///
/// Returns how many bytes were consumed. Without `end` the input goes on behind `bytes`, and a piece that could go on is left for
/// the next call, which has to begin with the bytes left over; with `end` everything is consumed.
pub fn split(bytes: &[u8], end: bool, mut sink: impl FnMut(Piece)) -> usize {
    let mut at = 0;
    while at < bytes.len() {
        let Some(start) = find_start(bytes, at) else {
            let rest = if end { bytes.len() } else { undecided_tail(bytes, at) };
            outside(bytes, at..rest, &mut sink);
            return rest;
        };
        outside(bytes, at..start, &mut sink);
        at = match find_end(&bytes[start..], end) {
            Some((length, close)) => {
                sink(Piece::Game(start..start + length, close));
                start + length
            }
            None => return start,
        };
    }
    at
}

/// Hands every line that is not blank to `sink`, as [`split`] does games.
pub fn lines(bytes: &[u8], end: bool, mut sink: impl FnMut(Piece)) -> usize {
    let mut at = 0;
    while at < bytes.len() {
        let length = match memchr(b'\n', &bytes[at..]) {
            Some(length) => length,
            None if end || bytes.len() - at > MAX_GAME_BYTES => bytes.len() - at,
            None => return at,
        };
        if !bytes[at..at + length].trim_ascii().is_empty() {
            sink(Piece::Game(at..at + length, Close::Parenthesis));
        }
        at = (at + length + 1).min(bytes.len());
    }
    at
}

fn outside(bytes: &[u8], range: Range<usize>, sink: &mut impl FnMut(Piece)) {
    let text = &bytes[range.clone()];
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let Some(first) = text.iter().position(|byte| !is_blank(byte)) else { return };
    let last = text.iter().rposition(|byte| !is_blank(byte)).unwrap_or(first);
    let text = &text[first..=last];
    if text != b"\xEF\xBB\xBF" && text != b"\x1A" {
        sink(Piece::Outside(range.start + first..range.start + last + 1));
    }
}

/// The `(` of the next game at or after `at`.
fn find_start(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(found) = memchr(b'(', &bytes[at..]) {
        let open = at + found;
        match skip_space(bytes, open + 1).and_then(|next| bytes.get(next)) {
            Some(b';') => return Some(open),
            _ => at = open + 1,
        }
    }
    None
}

/// Where the text that can still become the start of a game begins.
fn undecided_tail(bytes: &[u8], at: usize) -> usize {
    let blank = bytes[at..].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    let end = bytes.len() - blank;
    if end > at && bytes[end - 1] == b'(' { end - 1 } else { bytes.len() }
}

fn skip_space(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.iter().position(|byte| !byte.is_ascii_whitespace()).map(|length| at + length)
}

/// How long the game at the start of `bytes` is; `None` when that can't be known before there are more bytes.
fn find_end(bytes: &[u8], end: bool) -> Option<(usize, Close)> {
    let mut depth = 0_usize;
    let mut at = 0;
    let oversized = || (bytes.len() > MAX_GAME_BYTES).then_some((MAX_GAME_BYTES, Close::Oversized));
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'[' => match end_of_value(&bytes[at + 1..]) {
                Value::Ends(length) => at += 1 + length,
                Value::HidesGame(length) => return Some((at + 1 + length, Close::Missing)),
                Value::Open => break,
            },
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some((at + 1, Close::Parenthesis));
                }
            }
            // A root property in a child node at the start of a line: the game before was not closed.
            b'\n' if depth > 0 && begins_game(&bytes[at + 1..]) => return Some((at, Close::Missing)),
            _ => {}
        }
        at += 1;
    }
    oversized().or_else(|| end.then_some((bytes.len(), Close::Missing)))
}

enum Value {
    /// At its `]`, this many bytes on.
    Ends(usize),
    /// It has no `]` of its own: a game begins inside it, this many bytes on.
    HidesGame(usize),
    /// Not within the bytes there are.
    Open,
}

fn end_of_value(bytes: &[u8]) -> Value {
    let mut at = 0;
    while let Some(found) = memchr2(b']', b'\\', &bytes[at..]) {
        at += found;
        if bytes[at] == b'\\' {
            at += 2;
            if at > bytes.len() {
                break;
            }
            continue;
        }
        return match hidden_game(&bytes[..at]) {
            Some(start) => Value::HidesGame(start),
            None => Value::Ends(at),
        };
    }
    hidden_game(bytes).map_or(Value::Open, Value::HidesGame)
}

/// The start of a game inside a value: a closing parenthesis or a line end, then `(;` and a root property.
fn hidden_game(value: &[u8]) -> Option<usize> {
    if value.len() < 5 {
        return None;
    }
    memmem::find_iter(value, b"(;").find(|&start| {
        let before = value[..start].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        matches!(before, Some(b')' | b'\n')) && begins_game(&value[start..])
    })
}

/// Whether a game's root begins here: `(;` and one of the properties that FF[4] allows in roots only.
fn begins_game(bytes: &[u8]) -> bool {
    const ROOT: [&[u8]; 5] = [b"FF[", b"GM[", b"SZ[", b"CA[", b"AP["];
    let Some(root) = bytes.strip_prefix(b"(;") else { return false };
    let root = root.trim_ascii_start();
    ROOT.iter().any(|property| root.starts_with(property))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<(&str, Option<Close>)> {
        let mut found = Vec::new();
        let consumed = split(text.as_bytes(), true, |piece| match piece {
            Piece::Game(range, close) => found.push((&text[range], Some(close))),
            Piece::Outside(range) => found.push((&text[range], None)),
        });
        assert_eq!(consumed, text.len());
        found
    }

    const CLOSED: Option<Close> = Some(Close::Parenthesis);
    const CUT: Option<Close> = Some(Close::Missing);

    #[test]
    fn games_are_cut_apart_and_text_between_them_is_kept() {
        assert_eq!(
            pieces("mail (yes)\n(;B[aa](;W[bb])(;W[cc]))\n ( ;B[])tail "),
            [("mail (yes)", None), ("(;B[aa](;W[bb])(;W[cc]))", CLOSED), ("( ;B[])", CLOSED), ("tail", None)]
        );
    }

    #[test]
    fn brackets_hide_parentheses_and_backslashes_hide_brackets() {
        assert_eq!(pieces(r"(;C[a\]) (;B[aa] ]))"), [(r"(;C[a\]) (;B[aa] ])", CLOSED), (")", None)]);
        assert_eq!(pieces("(;C[(;x])"), [("(;C[(;x])", CLOSED)]);
    }

    #[test]
    fn a_game_that_is_not_closed_does_not_swallow_the_next() {
        let next = "(;FF[4];B[aa])";
        for cut in ["(;FF[4];B[aa]", "(;FF[4];B[aa", "(;FF[4]C[long comment", "(;FF[4](;B[aa]"] {
            assert_eq!(pieces(&format!("{cut}\n{next}")).last(), Some(&(next, CLOSED)), "{cut}");
            assert_eq!(pieces(&format!("{cut}\n{next}"))[0].1, CUT, "{cut}");
        }
        assert_eq!(pieces("(;FF[4];B[aa)\n(;FF[4];B[aa])").len(), 2);
    }

    #[test]
    fn an_input_of_blanks_has_no_pieces_and_one_of_words_has_no_game() {
        assert_eq!(pieces(" \r\n\u{feff}\n\0"), []);
        assert_eq!(pieces("hello (world"), [("hello (world", None)]);
        assert_eq!(pieces("(;"), [("(;", CUT)]);
    }

    /// Wherever a stream is cut, the pieces come out the same as from the whole.
    #[test]
    fn cutting_the_stream_anywhere_changes_nothing() {
        let text = "x\n(;FF[4]C[a\\]b];B[aa])  ( ;B[bb](;W[cc])) y (;GM[1]";
        let whole = pieces(text);
        for cut in 0..text.len() {
            let bytes = text.as_bytes();
            let mut found = Vec::new();
            let mut name = |base: usize, piece: Piece| match piece {
                Piece::Game(range, close) => found.push((&text[base + range.start..base + range.end], Some(close))),
                Piece::Outside(range) => found.push((&text[base + range.start..base + range.end], None)),
            };
            let consumed = split(&bytes[..cut], false, |piece| name(0, piece));
            split(&bytes[consumed..], true, |piece| name(consumed, piece));
            let joined = |list: &[(&str, Option<Close>)]| -> Vec<(String, Option<Close>)> {
                list.iter()
                    .filter(|(_, close)| close.is_some())
                    .map(|(text, close)| (text.to_string(), *close))
                    .collect()
            };
            assert_eq!(joined(&found), joined(&whole), "cut at {cut}");
        }
    }
}
