//! Records of another format within a record whose reader skips them or takes them for comments.

use super::rewrite::{ConvertedRecord, LineUse};
use super::stray_turns::{has_turns, is_a1_turn, is_color, is_number_list};
use super::{gib, moves, ngf, ugf};
use crate::finding::{Code, Finding, Place, excerpt};
use crate::sgf::encoding::byte_order_mark::without_mark;
use crate::splitter::stray_text;

/// Reports the first line of the text that the reader did not use as a turn although it looks like
/// a turn or a game. Otherwise a file that was appended without its own header would be lost.
pub(super) fn report(text: &str, record: &mut ConvertedRecord) {
    let lines = record.skipped_lines.iter().map(|line| (line, first_line(&text[line.offset..])));
    let mut of_records = lines.filter(|(line, text)| match line.line_use {
        LineUse::None => is_record(text.as_bytes()),
        LineUse::Comment => is_certain_record(text.as_bytes()),
    });
    let Some((line, text)) = of_records.next() else { return };
    let detail = format!("{:?}: a record of another format; move it to a file of its own", excerpt(text.as_bytes()));
    record.findings.push(Finding::new(Code::UnreadableLine, Place::byte(line.offset), detail));
}

fn first_line(text: &str) -> &str {
    text.split(['\n', '\r']).next().unwrap_or_default().trim()
}

fn is_record(line: &[u8]) -> bool {
    is_sgf(line) || has_record(line)
}

fn is_sgf(line: &[u8]) -> bool {
    stray_text::code(line) == Code::TurnsOutsideGames
}

/// Returns true if a line is hardly a comment on a turn. A comment may name several points.
fn is_certain_record(line: &[u8]) -> bool {
    match line.first() {
        Some(b'(' | b';') => is_sgf(line),
        Some(b'0'..=b'9') => moves::is_list_line(line),
        _ => false,
    }
}

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
