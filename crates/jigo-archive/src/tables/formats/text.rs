//! Rows as lines for people.

use std::fmt::{self, Write};

use anstyle::{AnsiColor, Style};

use super::{Format, NamedFormat, Shape, nothing};
use crate::tables::table::Row;
use jigo_core::finding::Severity;

/// Lines for people.
pub const FORMAT: NamedFormat = NamedFormat {
    name: "text",
    what: "One line a row, for people",
    details: "one line per row, for people; coloured on a terminal (`--color`, `NO_COLOR`)",
    endings: &["txt"],
    format: Format::Text { color: false },
    shape: Shape::Lines(nothing),
    for_findings: false,
};

/// A text as far as a terminal may see it, see [`Line`].
pub fn visible(text: &str) -> String {
    text.chars().map(shown).collect()
}

fn shown(c: char) -> char {
    if is_confusing(c) { '·' } else { c }
}

/// Where something is.
pub const PLACE: Style = Style::new().bold();
/// What is less important than what is beside it.
pub const ASIDE: Style = Style::new().dimmed();
/// What is known.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What is doubtful.
pub const DOUBTFUL: Style = AnsiColor::Yellow.on_default();

/// The style of a severity.
pub const fn of_severity(severity: Severity) -> Style {
    match severity {
        Severity::Error => AnsiColor::Red.on_default().bold(),
        Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        Severity::Info => AnsiColor::Cyan.on_default(),
    }
}

/// A line that is being written. Control characters, which a record may hold to confuse a terminal, are shown as `·`.
pub struct Line<'a> {
    out: &'a mut Vec<u8>,
    color: bool,
}

impl Line<'_> {
    /// Writes in a style, where styles are shown.
    ///
    /// # Errors
    /// Never; this is what writing gives.
    pub fn styled(&mut self, style: Style, text: fmt::Arguments<'_>) -> fmt::Result {
        if self.color {
            self.out.extend_from_slice(style.render().to_string().as_bytes());
        }
        self.write_fmt(text)?;
        if self.color {
            self.out.extend_from_slice(style.render_reset().to_string().as_bytes());
        }
        Ok(())
    }
}

impl fmt::Write for Line<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // All of most texts, at sixteen bytes at once.
        if text.bytes().fold(true, |plain, byte| plain & (0x20..0x7F).contains(&byte)) {
            self.out.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        let mut bytes = [0; 4];
        for c in text.chars() {
            self.out.extend_from_slice(shown(c).encode_utf8(&mut bytes).as_bytes());
        }
        Ok(())
    }
}

/// Whether a character of a record or a file name may do something to a terminal or hide what stands beside it: control characters, of which
/// escape sequences are made, overrides of the direction of writing, and separators of lines (Unicode 16, UAX #9).
fn is_confusing(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

/// Appends a row's line.
pub fn push(row: &impl Row, color: bool, out: &mut Vec<u8>) {
    // A line does not refuse to be written to.
    let _ = row.line(&mut Line { out, color });
    while out.last() == Some(&b' ') {
        out.pop();
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_styles_are_not_taken_for_them() {
        let mut out = Vec::new();
        let mut line = Line { out: &mut out, color: true };
        line.styled(PLACE, format_args!("a\x1b[31m\n")).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "\x1b[1ma·[31m·\x1b[0m");
        assert_eq!(visible("\u{202E}fgs.a\u{2066}\u{200B}\u{9B}2J"), "·fgs.a···2J");
        // Names in any script are none of that.
        assert_eq!(visible("許家元 조훈현 Шикшин אב"), "許家元 조훈현 Шикшин אב");
    }
}
