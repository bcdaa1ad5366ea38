//! Text as a value of SGF that no reader takes for anything else.
//!
//! FF\[4\] wants `]` and `\` escaped and allows it of any character. Readers that mend what is damaged, as [`lexis`](crate::sgf::lexer) does, look further: at a property in a value,
//! which says that the bracket before it is lost, and at a node behind `\]`, which says that the backslash was text. So what would look like these is escaped, too.

use memchr::memchr3;

/// Whether `next` has to be escaped behind what is written of a value.
pub(crate) fn needs_escape(written: &[u8], next: char) -> bool {
    match next {
        ']' | '\\' => true,
        '[' => {
            let before = without_blanks(written);
            let letters = before.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
            let is_near = letters > 0 && before.len() == written.len();
            is_near || follows_bracket(&before[..before.len() - letters])
        }
        ';' | ')' | '(' => follows_bracket(written),
        _ => false,
    }
}

/// Whether a `]`, and white space at most, stands at the end of a text.
fn follows_bracket(written: &[u8]) -> bool {
    without_blanks(written).ends_with(b"]")
}

/// A text without the white space and NULs at its end.
fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().rev().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count();
    &text[..text.len() - blanks]
}

/// Writes a property with one value, unless that is blank.
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
        // Nothing else is escaped where none of these stands before it.
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
        /// Whatever a text says, it is one value, and the next game is one.
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
            split(&text, true, |piece| games.push(match piece { Piece::Game(range, ..) | Piece::Outside(range) => range }));
            prop_assert_eq!(games, vec![0..first, first + 1..text.len()], "{}", String::from_utf8_lossy(&text));
        }
    }
}
