//! Doubts about the charset of a game's text.

use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::charset::Basis;
use jigo_record::sgf::lexer::{is_header, owner};
use jigo_record::splitter::{Close, GameText};

/// Returns true if some characters may belong to another charset, so that fixes that depend on them
/// are unsafe.
///
/// This is so if the charset is a guess. It is also so if the text may contain a second game, which
/// a damaged end of the first hides: CA of the first says nothing about the characters of the
/// second.
pub(in crate::fix) fn is_doubtful(text: &GameText, decoded: &Decoded) -> bool {
    match text.charset.basis {
        Basis::Detected | Basis::DetectedInFile => true,
        Basis::Utf8 | Basis::Utf8WithNuls | Basis::Transcoded => false,
        Basis::Label | Basis::DamagedUtf8 => {
            possible_root(&decoded.text, text.close).is_some_and(|at| !decoded.text[at..].is_ascii())
        }
    }
}

/// Returns the offset of a node after the root that may be the root of another game. Such a node
/// has header properties, or begins a tree in a game without a closing parenthesis.
///
/// Values are not skipped, because a value without its bracket may also hide a game.
fn possible_root(bytes: &[u8], close: Close) -> Option<usize> {
    let root = memchr::memchr(b';', bytes)?;
    let begins_tree = |at: usize| close != Close::Parenthesis && bytes[..at].trim_ascii_end().ends_with(b"(");
    let mut at = root + 1;
    while let Some(length) = memchr::memchr2(b';', b'(', &bytes[at..]) {
        at += length;
        let end = at + 1 + memchr::memchr2(b';', b'(', &bytes[at + 1..]).unwrap_or(bytes.len() - at - 1);
        let mut opens = memchr::memchr_iter(b'[', &bytes[at..end]).map(|open| at + open);
        if begins_tree(at) || opens.any(|open| is_header(owner(bytes, open))) {
            return Some(at);
        }
        at = end;
    }
    None
}
