//! What a turn's node says of the clock.

use std::ops::Range;

use super::nodes::MainLine;
use crate::board::Color;
use crate::sgf::lexis::{Lexis, ValueEnd, owner};

/// What is left to a player after a turn, as far as the record says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// BL or WL, in thousandths of a second.
    pub milliseconds: Option<i64>,
    /// OB or OW: turns to take in the overtime that is running.
    pub turns: Option<u32>,
}

impl Clock {
    /// The clock of the player of `color` in the node whose `;` is at a byte of a game's text.
    pub fn of(text: &[u8], at: usize, color: Color) -> Clock {
        let mut nodes = MainLine::from(text, at);
        if nodes.next().is_none() {
            return Clock::default();
        }
        let (left, turns): (&[u8], &[u8]) = match color {
            Color::Black => (b"BL", b"OB"),
            Color::White => (b"WL", b"OW"),
        };
        let mut clock = Clock::default();
        for (name, value) in properties(text, at..nodes.position()) {
            let value = std::str::from_utf8(value).unwrap_or_default().trim();
            if name == left {
                clock.milliseconds = milliseconds(value);
            } else if name == turns {
                clock.turns = value.parse().ok();
            }
        }
        clock
    }
}

/// The properties of a node with their first values.
fn properties(text: &[u8], node: Range<usize>) -> impl Iterator<Item = (&[u8], &[u8])> {
    let lexis = Lexis::utf8(&text[..node.end]);
    let mut at = node.start;
    std::iter::from_fn(move || {
        let open = at + memchr::memchr(b'[', &lexis.bytes[at..])?;
        let name = owner(lexis.bytes, open);
        let ValueEnd::Closed(close, _) = lexis.value_end(open + 1, name) else { return None };
        at = close + 1;
        Some((name, &lexis.bytes[open + 1..close]))
    })
}

/// A number of seconds; digits beyond the third behind the point are left out.
fn milliseconds(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 12 || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some(sign * (whole.parse::<i64>().ok()? * 1000 + thousandths.parse::<i64>().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_the_player_who_took_the_turn_is_read() {
        let text = b"(;SZ[9];B[aa]BL[1195.87]OB[3]WL[7]C[BL[2\\]];W[bb];B[cc]BL[x])";
        let second = text.windows(4).position(|part| part == b";B[a").unwrap();
        let third = text.windows(4).position(|part| part == b";W[b").unwrap();
        let fourth = text.windows(4).position(|part| part == b";B[c").unwrap();
        let black = Clock::of(text, second, Color::Black);
        assert_eq!(black, Clock { milliseconds: Some(1_195_870), turns: Some(3) });
        assert_eq!(Clock::of(text, second, Color::White).milliseconds, Some(7000));
        assert_eq!(Clock::of(text, third, Color::White), Clock::default());
        assert_eq!(Clock::of(text, fourth, Color::Black), Clock::default());
        for (text, expected) in [("12", Some(12_000)), ("-0.5", Some(-500)), ("0.1239", Some(123)), ("1e3", None)] {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }
}
