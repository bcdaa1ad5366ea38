//! Backslashes and brackets that are the second half of a character.

use memchr::{memchr_iter, memmem};

use super::encoding::lead::{Lead, escaped_end};
use super::tokens::lexer::Lexer;

/// Returns true if the writer of a text may have escaped the second halves of characters.
///
/// SGF puts a backslash before `\` and `]`. A writer that ignores the charset also does so inside
/// characters of two bytes. The text then has another meaning than its characters.
pub fn may_have_escaped_halves(bytes: &[u8], lead: Lead) -> bool {
    if !lead.hides_brackets() {
        return false;
    }
    let lexer = Lexer { lead, ..Lexer::utf8(bytes) };
    let is_value_end = |offset: usize| lexer.follows(offset + 1, offset);
    if lead == Lead::Iso2022 {
        let mut starts = memmem::find_iter(bytes, b"\x1B$");
        return starts.any(|start| {
            let characters = &bytes[start..escaped_end(bytes, start, &is_value_end).0];
            characters.windows(2).any(|pair| matches!(pair, b"\\\\" | b"\\]"))
        });
    }
    memchr_iter(b'\\', bytes).any(|offset| {
        lead.is_trail(bytes, 0, offset)
            && match bytes.get(offset + 1) {
                Some(b'\\') => true,
                Some(b']') => !is_value_end(offset + 1),
                _ => false,
            }
    })
}
