//! Records of another format within a record whose reader skips them or takes them for comments.

use super::moves;
use super::rewrite::{ConvertedRecord, LineUse};
use super::stray_record::has_record;
use crate::finding::{Code, Finding, Place, excerpt};
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
