//! Parts of records within stray text, in formats other than SGF.

use super::stray_turns::{has_turns, is_a1_turn, is_color, is_number_list};
use super::{gib, moves, ngf, ugf};
use crate::sgf::encoding::byte_order_mark::without_mark;

/// The number of bytes of a line that show whether it belongs to a move list.
const EXAMINED_BYTES: usize = 400;

/// Returns true if a line of the text belongs to a record in another format, or the text contains
/// several turns.
pub(crate) fn has_record(text: &[u8]) -> bool {
    let signs = [gib::is_sign, ngf::is_turn_line, ugf::is_sign, moves::is_list_line, is_a1_list, is_number_list];
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let has_line = lines.any(|line| {
        let line = without_mark(line);
        !line.is_empty() && signs.iter().any(|is_sign| is_sign(line))
    });
    has_line || has_turns(text)
}

/// Returns true if the line consists only of turns in players' notation: `1. Q16 D4`, `Black Q16`,
/// `q16 d4`.
fn is_a1_list(line: &[u8]) -> bool {
    let (mut turns, mut labels) = (0, 0);
    for word in line[..line.len().min(EXAMINED_BYTES)].split(|byte| b" \t,;:.()-".contains(byte)) {
        let is_label = word.iter().all(u8::is_ascii_digit) || is_color(word) || word.eq_ignore_ascii_case(b"play");
        match word {
            [] => {}
            _ if is_a1_turn(word) => turns += 1,
            _ if is_label => labels += 1,
            // The last word may be incomplete.
            _ if line.len() > EXAMINED_BYTES && turns > 1 => {}
            _ => return false,
        }
    }
    turns > 1 || (turns == 1 && labels > 0)
}
