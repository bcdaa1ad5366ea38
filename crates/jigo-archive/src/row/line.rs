//! Lines for people, in which hostile characters are visible.

use std::fmt::{self, Write};

use anstyle::{AnsiColor, Style};

use jigo_record::finding::Severity;

/// Returns a text in which confusing characters are replaced; see [`Line`].
pub fn visible(text: &str) -> String {
    text.chars().map(visible_char).collect()
}

/// Returns a document of lines in which confusing characters are replaced. Line ends and tabs stay.
pub fn visible_lines(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\t') { c } else { visible_char(c) }).collect()
}

fn visible_char(c: char) -> char {
    if is_confusing(c) { '·' } else { c }
}

/// Returns a text in which no line is a command for a CI service that runs jigo: one that begins
/// with `::`, or contains `##[`.
pub fn without_commands(text: &str) -> String {
    text.split_inclusive('\n').map(|line| without_command(line.to_owned())).collect()
}

/// Disarms the commands in one line.
fn without_command(mut line: String) -> String {
    let start = line.len() - line.trim_start().len();
    if line[start..].starts_with("::") {
        line.replace_range(start..=start, "·");
    }
    line.replace("##[", "·#[")
}

/// The style of positions.
pub const LOCATION: Style = Style::new().bold();
/// The style of secondary information.
pub const SECONDARY: Style = Style::new().dimmed();
/// The style of certain results.
pub const POSITIVE: Style = AnsiColor::Green.on_default();
/// The style of doubtful results.
pub const DOUBTFUL: Style = AnsiColor::Yellow.on_default();

/// Returns the style of a severity.
pub const fn severity_style(severity: Severity) -> Style {
    match severity {
        Severity::Error => AnsiColor::Red.on_default().bold(),
        Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        Severity::Info => AnsiColor::Cyan.on_default(),
    }
}

/// A line that is being written.
///
/// Control characters appear as `·`, because a hostile record may contain some to manipulate the
/// terminal.
pub struct Line<'a> {
    out: &'a mut Vec<u8>,
    /// The start of the line in `out`.
    start: usize,
    color: bool,
}

impl Line<'_> {
    /// Returns an empty line at the end of `out`, which is coloured if `color` is true.
    pub(crate) fn new(out: &mut Vec<u8>, color: bool) -> Line<'_> {
        Line { start: out.len(), out, color }
    }

    /// Ends the line: removes trailing spaces, and disarms a command for a CI service.
    pub(crate) fn end(self) {
        let Line { out, start, .. } = self;
        let length = out[start..].trim_ascii_end().len();
        out.truncate(start + length);
        let line = &out[start..];
        if line.trim_ascii_start().starts_with(b"::") || memchr::memmem::find(line, b"##[").is_some() {
            let line = without_command(String::from_utf8_lossy(line).into_owned());
            out.truncate(start);
            out.extend_from_slice(line.as_bytes());
        }
        out.push(b'\n');
    }

    /// Writes the end of a row on a count: its reason, and the recorded result.
    pub(crate) fn end_of_count(&mut self, reason: &str, recorded: &str) -> fmt::Result {
        if !reason.is_empty() {
            write!(self, " ({reason})")?;
        }
        match recorded {
            "" => Ok(()),
            recorded => self.styled(SECONDARY, format_args!(", stated {recorded}")),
        }
    }

    /// Writes a text in a style, if the output is coloured.
    ///
    /// # Errors
    /// Never fails; the type is that of the `write!` macro.
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
        // Most texts are plain ASCII, which this test checks 16 bytes at a time.
        if text.bytes().fold(true, |is_printable, byte| is_printable & (0x20..0x7F).contains(&byte)) {
            self.out.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        let mut bytes = [0; 4];
        for c in text.chars() {
            self.out.extend_from_slice(visible_char(c).encode_utf8(&mut bytes).as_bytes());
        }
        Ok(())
    }
}

/// Returns true if a character of a record or a file name may control a terminal or hide its
/// neighbours.
///
/// These are control characters (they also begin escape sequences), overrides of the writing
/// direction, line separators (Unicode 16, UAX #9), characters without width, and those that XML
/// does not allow.
pub fn is_confusing(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{AD}'
                | '\u{61C}'
                | '\u{180E}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{FFFE}'..='\u{FFFF}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_a_command_of_a_ci_service() {
        for (text, expected) in [
            ("::error::x.sgf:1 ", "·:error::x.sgf:1\n"),
            ("  ::add-mask::x", "  ·:add-mask::x\n"),
            ("a.sgf ##[error]x", "a.sgf ·#[error]x\n"),
            ("a::b.sgf ## :: ", "a::b.sgf ## ::\n"),
        ] {
            let mut out = b"before\n".to_vec();
            let mut line = Line::new(&mut out, false);
            line.write_str(text).unwrap();
            line.end();
            assert_eq!(String::from_utf8(out).unwrap(), format!("before\n{expected}"));
            assert_eq!(
                without_commands(&format!("{text}\n{text}")).replace(' ', ""),
                expected.repeat(2).replace(' ', "").trim_end()
            );
        }
    }

    #[test]
    fn control_characters_are_replaced_but_styles_are_kept() {
        let mut out = Vec::new();
        let mut line = Line::new(&mut out, true);
        line.styled(LOCATION, format_args!("a\x1b[31m\n")).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "\x1b[1ma·[31m·\x1b[0m");
        assert_eq!(visible("\u{202E}fgs.a\u{2066}\u{200B}\u{9B}2J\u{FFFF}"), "·fgs.a···2J·");
        // Names in any script stay unchanged.
        assert_eq!(visible("許家元 조훈현 Шикшин אב"), "許家元 조훈현 Шикшин אב");
    }
}
