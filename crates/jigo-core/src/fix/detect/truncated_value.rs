//! Fix of a game that ends within a value.

use crate::fix::{Edit, Fix};
use jigo_record::finding::Code;
use jigo_record::sgf::tokens::ff4::{PropertyRole, role};
use jigo_record::sgf::tokens::lexer::{is_header, owner};

/// Returns a part of a game as text.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Fixes a game that ends within the value whose `[` is at `open`.
///
/// A text is closed. A turn without all of its letters is unknown, so the rest of it is removed.
/// All other values are closed, although they may be incomplete.
pub(super) fn close_value(bytes: &[u8], open: usize, closing: &str) -> Fix {
    let end = bytes.trim_ascii_end().len();
    let name = owner(bytes, open);
    let begins = open - name.len();
    let rest = &bytes[open + 1..end];
    let is_turn = matches!(name, b"B" | b"W");
    let word = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let is_only_word = rest[word..].iter().all(|byte| *byte == b')' || byte.is_ascii_whitespace());
    if is_turn && word < 2 && is_only_word {
        let start = bytes[..begins].trim_ascii_end();
        let start = if start.ends_with(b";") { start.len() - 1 } else { begins };
        return Fix::with_edit(Code::UnclosedValue, Edit::replace(start..end, closing));
    }
    let is_measured = role(name).is_some_and(|role| role.affects_board() || role == PropertyRole::Clock);
    let offset = match is_measured || is_header(name) {
        true => open + 1 + rest.trim_ascii_end().strip_suffix(b")").map_or(rest.len(), <[u8]>::len),
        false => end,
    };
    let fix = Fix::with_edit(Code::UnclosedValue, Edit::replace(offset..end, format!("]{closing}")));
    fix.with_texts(excerpt(&bytes[begins..end]), format!("{}]{closing}", excerpt(&bytes[begins..offset])))
}
