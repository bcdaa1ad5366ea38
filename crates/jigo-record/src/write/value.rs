//! Property values: the text between the brackets.

use std::borrow::Cow;

use crate::record::property::{point, rectangle_text};
use crate::sgf::tokens::escape::needs_escape;
use crate::sgf::tokens::ff4::ValueForm;
use crate::with_small_letters;
use jigo_rules::board::{BoardSize, Point};

/// Returns a value in the form of FF\[4\].
///
/// `value` is the text between the brackets, including escapes. The result is escaped only if
/// necessary. Line breaks become `\n`, and other white space becomes blanks. Soft line breaks and
/// other control characters are removed. An unescaped `]` gets its escape, and so does text that
/// resembles a property or a node.
pub fn escape_value(value: &[u8], form: ValueForm) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(value);
    let text = if form.is_text() { text } else { trimmed(text) };
    let is_plain = |byte: u8| byte >= b' ' && !matches!(byte, b'[' | b'\\' | b']' | 0x7F);
    if text.bytes().all(is_plain) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let (c, is_escaped) = match c {
            '\\' => match chars.next() {
                Some(c) => (c, true),
                // It would escape the bracket that closes the value.
                None => ('\\', true),
            },
            c => (c, false),
        };
        match c {
            '\r' | '\n' => {
                // A line break of two characters, in either order.
                let other = if c == '\r' { '\n' } else { '\r' };
                chars.next_if_eq(&other);
                match form {
                    _ if is_escaped => {}
                    ValueForm::Text => escaped.push('\n'),
                    _ => escaped.push(' '),
                }
            }
            c if needs_escape(escaped.as_bytes(), c) || (c == '[' && is_escaped) => escaped.extend(['\\', c]),
            // An unescaped colon would split the value into two parts.
            ':' if is_escaped => escaped.push_str("\\:"),
            c if c.is_whitespace() && c.is_ascii() => escaped.push(' '),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

fn trimmed(text: Cow<str>) -> Cow<str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// Converts unescaped text to a value.
pub fn value_from_text(text: &str, form: ValueForm) -> String {
    let mut escaped_text = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | ']') {
            escaped_text.push('\\');
        }
        escaped_text.push(c);
    }
    escape_value(escaped_text.as_bytes(), form).into_owned()
}

/// Returns a point or a rectangle of points such as `aa:cc`; `None` if the value is neither.
///
/// Capitals become small letters if they can't be points of the board.
pub fn normalize_points(value: &str, size: BoardSize) -> Option<String> {
    let (first, last) = value.split_once(':').unwrap_or((value, value));
    Some(rectangle_text(parse_point(first, size)?, parse_point(last, size)?))
}

/// Returns a value of two parts whose first part is a point; `None` if it has another form.
pub fn normalize_pair(value: &str, size: BoardSize) -> Option<String> {
    let (first, second) = value.split_once(':')?;
    Some(format!("{}:{second}", parse_point(first, size)?))
}

/// Parses a point of two letters and moves it onto the board if small letters allow it.
fn parse_point(text: &str, size: BoardSize) -> Option<Point> {
    let point = point(text.trim().as_bytes())?;
    let small = if size.contains(point) { None } else { with_small_letters(point, size) };
    Some(small.unwrap_or(point))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped_only_if_necessary() {
        for (form, value, expected) in [
            (ValueForm::Text, "plain (text); [bracket", "plain (text); [bracket"),
            (ValueForm::Text, r"a \] b ] c \\ d \e", r"a \] b \] c \\ d e"),
            (ValueForm::Text, r"see [1\], C[x\] and \[y\]", r"see [1\], C\[x\] and \[y\]"),
            (ValueForm::Text, "ends with \\", r"ends with \\"),
            (ValueForm::Text, "one\r\ntwo\n\rthree\rfour\n\nsix", "one\ntwo\nthree\nfour\n\nsix"),
            (ValueForm::Text, "soft\\\r\nend", "softend"),
            (ValueForm::Text, "tab\tand\u{7}bell", "tab andbell"),
            (ValueForm::SimpleText, "two\r\nlines ", "two lines "),
            (ValueForm::SimpleText, r"CGoban\:3:1", r"CGoban\:3:1"),
            (ValueForm::Turn, " 6.5\n", "6.5"),
        ] {
            assert_eq!(escape_value(value.as_bytes(), form), expected, "{value:?}");
            assert_eq!(escape_value(expected.as_bytes(), form), expected, "{value:?} again");
        }
        assert_eq!(value_from_text(r"C:\x[1]", ValueForm::SimpleText), r"C:\\x\[1\]");
    }

    #[test]
    fn capitals_off_the_board_become_small_letters() {
        let normalized = |value: &str, side: u8| normalize_points(value, BoardSize::square(side).unwrap());
        assert_eq!(normalized(" DD", 19).as_deref(), Some("dd"));
        assert_eq!(normalized("dd:ff", 19).as_deref(), Some("dd:ff"));
        assert_eq!(normalized("fd:df", 19).as_deref(), Some("dd:ff"));
        assert_eq!(normalized("DD", 52).as_deref(), Some("DD"));
        assert_eq!(normalized("d4", 19), None);
        assert_eq!(normalize_pair("DD:a:b", BoardSize::standard()).as_deref(), Some("dd:a:b"));
    }
}
