//! Clock values in the node of a turn.

use super::nodes::MainLine;
use crate::header::time_control::thousandths;
use crate::sgf::tokens::lexer::{Lexer, ValueEnd, capitals, owner};

/// The time left to a player after a turn, if recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// BL or WL, in thousandths of a second.
    pub milliseconds: Option<i64>,
    /// OB or OW: the number of turns left in the current overtime period.
    pub turns: Option<u32>,
}

impl Clock {
    /// Returns the clocks of both players, Black's first, from the node whose `;` is at `offset`.
    pub fn from_node(lexer: Lexer, offset: usize) -> [Clock; 2] {
        let mut clocks = [Clock::default(); 2];
        let mut nodes = MainLine::from(lexer, offset);
        if nodes.next().is_none() {
            return clocks;
        }
        let [black, white] = &mut clocks;
        let node = Lexer { bytes: &lexer.bytes[..nodes.position()], ..lexer };
        for (name, value) in properties(node, offset) {
            let value = std::str::from_utf8(value).unwrap_or_default().trim();
            match &*capitals(name) {
                b"BL" => black.milliseconds = black.milliseconds.or(milliseconds(value)),
                b"WL" => white.milliseconds = white.milliseconds.or(milliseconds(value)),
                b"OB" => black.turns = black.turns.or(value.parse().ok()),
                b"OW" => white.turns = white.turns.or(value.parse().ok()),
                _ => {}
            }
        }
        clocks
    }
}

/// Returns the properties of the node that begins at `offset` and ends with the text, each with its
/// first value.
fn properties(lexer: Lexer<'_>, mut offset: usize) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let bracket = offset + memchr::memchr(b'[', &lexer.bytes[offset..])?;
        let name = owner(lexer.bytes, bracket);
        let ValueEnd::Closed(close, _) = lexer.value_end(bracket + 1, name) else { return None };
        offset = close + 1;
        Some((name, &lexer.bytes[bracket + 1..close]))
    })
}

/// Parses a number of seconds and drops digits after the third decimal.
fn milliseconds(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    Some(sign * thousandths(digits)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_of_the_player_who_moved_is_read() {
        let text: &[u8] = b"(;SZ[9];B[aa]BL[1195.87]OB[3]WL[7]C[BL[2\\]];W[bb];B[cc]BL[x])";
        let second = text.windows(4).position(|part| part == b";B[a").unwrap();
        let third = text.windows(4).position(|part| part == b";W[b").unwrap();
        let fourth = text.windows(4).position(|part| part == b";B[c").unwrap();
        let [black, white] = Clock::from_node(Lexer::utf8(text), second);
        assert_eq!(black, Clock { milliseconds: Some(1_195_870), turns: Some(3) });
        assert_eq!(white.milliseconds, Some(7000));
        assert_eq!(Clock::from_node(Lexer::utf8(text), third), [Clock::default(); 2]);
        assert_eq!(Clock::from_node(Lexer::utf8(text), fourth), [Clock::default(); 2]);
        for text in ["(;Black[aa]BlackLeft[30]WhiteLeft[x])", "(;b[aa]bl[30])", "(;B[aa]BL[30]BL[20])"] {
            let [black, white] = Clock::from_node(Lexer::utf8(text.as_bytes()), 1);
            assert_eq!((black.milliseconds, white.milliseconds), (Some(30_000), None), "{text}");
        }
        for (text, expected) in [("12", Some(12_000)), ("-0.5", Some(-500)), ("0.1239", Some(123)), ("1e3", None)] {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }
}
