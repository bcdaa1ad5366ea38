//! Escapes for SGF values.
//!
//! FF\[4\] requires escapes for `]` and `\` and allows them for any character. Readers that repair
//! damage, like the lexer, interpret more: a property within a value suggests a lost
//! bracket, and a node after `\]` suggests that the backslash was text. Text that resembles these
//! is escaped as well.

use memchr::memchr3;

/// Returns true if `next` needs an escape after the part of the value written so far.
pub(crate) fn needs_escape(output: &[u8], next: char) -> bool {
    match next {
        ']' | '\\' => true,
        '[' => {
            let preceding = without_blanks(output);
            let letters = preceding.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
            let is_near = letters > 0 && preceding.len() == output.len();
            is_near || follows_bracket(&preceding[..preceding.len() - letters])
        }
        ';' | ')' | '(' => follows_bracket(output),
        _ => false,
    }
}

/// Returns true if a text ends with `]`, ignoring white space.
fn follows_bracket(output: &[u8]) -> bool {
    without_blanks(output).ends_with(b"]")
}

/// Returns a text without trailing white space and NULs.
fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().rev().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count();
    &text[..text.len() - blanks]
}

/// Writes a property with one value unless the value is blank.
pub(crate) fn push_property(text: &mut Vec<u8>, name: &str, value: &str) {
    let value = value.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    if !value.is_empty() {
        text.extend_from_slice(name.as_bytes());
        push_value(text, value);
    }
}

/// Writes a value in its brackets.
pub(crate) fn push_value(text: &mut Vec<u8>, value: &str) {
    text.push(b'[');
    if memchr3(b'[', b']', b'\\', value.as_bytes()).is_none() {
        // No other character is escaped unless one of these comes before it.
        text.extend_from_slice(value.as_bytes());
        text.push(b']');
        return;
    }
    let start = text.len();
    for byte in value.bytes() {
        if needs_escape(&text[start..], char::from(byte)) {
            text.push(b'\\');
        }
        text.push(byte);
    }
    text.push(b']');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::push_value;
    use crate::splitter::{Piece, split};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]
        /// Any text must result in one value, and the next game must be found.
        #[test]
        fn text_made_of_sgf_is_a_value(
            tokens in prop::collection::vec(
                prop::sample::select(vec![
                    "(", ")", ";", "[", "]", "\\", "B", "GM", "C", "PB", "aa", "x", "1", " ", "\n", "\0", "(;GM[1]", ";B[aa]", "];W[", "(;FF[4", "SZ[",
                ]),
                0..24,
            ),
        ) {
            let mut text = b"(;GM[1]C".to_vec();
            push_value(&mut text, &tokens.concat());
            text.extend_from_slice(b";B[aa])");
            let first = text.len();
            text.extend_from_slice(b"\n(;GM[1]SZ[9];W[bb])");
            let mut games = Vec::new();
            split(&text, true, |piece| games.push(match piece { Piece::Game(range, ..) | Piece::StrayText(range) => range }));
            prop_assert_eq!(games, vec![0..first, first + 1..text.len()], "{}", String::from_utf8_lossy(&text));
        }
    }
}
