//! Doubts about the charset of a game's text.

use super::root_edits::own_root;
use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::charset::{CharsetBasis, label};
use jigo_record::sgf::tokens::ff4::{PropertyRole, role};
use jigo_record::sgf::tokens::lexer::{Lexer, ScanBudget, ValueEnd, capitals, is_header, owner};
use jigo_record::sgf::trail_bytes::may_have_escaped_halves;
use jigo_record::splitter::{Close, GameText};

/// The reason why characters of a game may belong to another charset. Fixes that depend on them are
/// then unsafe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fix) enum CharsetDoubt {
    /// There is none.
    None,
    /// Nothing declares the charset.
    Guessed,
    /// The text may contain a second game, which a damaged end of the first hides. CA of one game
    /// says nothing about the characters of the other.
    SecondGame,
    /// The text may escape halves of characters, so that its backslashes are not those of SGF.
    EscapedHalves,
}

impl CharsetDoubt {
    /// Returns the doubt about the charset of a text.
    pub(in crate::fix) fn assess(text: &GameText, decoded: &Decoded) -> CharsetDoubt {
        match text.charset.basis {
            CharsetBasis::Detected | CharsetBasis::DetectedInFile => CharsetDoubt::Guessed,
            CharsetBasis::Utf8 | CharsetBasis::Utf8WithNuls | CharsetBasis::Transcoded => CharsetDoubt::None,
            CharsetBasis::Labelled if may_have_escaped_halves(text.bytes, text.charset.lead()) => {
                CharsetDoubt::EscapedHalves
            }
            CharsetBasis::Labelled | CharsetBasis::DamagedUtf8 => match possible_root(&decoded.text, text.close) {
                Some(offset) if has_unlabelled_text(decoded.text.split_at(offset)) => CharsetDoubt::SecondGame,
                _ => CharsetDoubt::None,
            },
        }
    }

    /// Returns true if there is a doubt.
    pub(in crate::fix) fn exists(self) -> bool {
        self != CharsetDoubt::None
    }
}

/// Returns true if a value has ^Z, or NUL before its end. NUL at the end is padding, and so is both
/// at the end of a truncated text.
pub(in crate::fix) fn has_nuls_in_values(bytes: &[u8], decoded: &Decoded) -> bool {
    let scan_budget = ScanBudget::for_text(decoded.text.len());
    let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(&decoded.text) };
    let mut offset = 0;
    while let Some(open) = memchr::memchr(b'[', &decoded.text[offset..]).map(|length| offset + length) {
        let end = lexer.first_value_end(open);
        offset = match end {
            ValueEnd::Closed(close, _) => close,
            ValueEnd::Unclosed(next) | ValueEnd::Game(next) => next.max(open + 1),
            ValueEnd::Open => decoded.text.len(),
        };
        let value = &bytes[decoded.source(open) + 1..];
        let value = &value[..(decoded.source(offset) - decoded.source(open)).saturating_sub(1).min(value.len())];
        let is_padding = |byte: &u8| match end {
            ValueEnd::Open => matches!(byte, 0 | 0x1A) || byte.is_ascii_whitespace(),
            _ => *byte == 0,
        };
        if let Some(nul) = memchr::memchr2(0, 0x1A, value)
            && !value[nul..].iter().all(is_padding)
        {
            return true;
        }
    }
    false
}

/// Returns the offset of a node after the root that may be the root of another game: it begins a
/// tree in a game with an unclosed tree, or it has properties of a root. It may lack its `;`.
///
/// Values are not skipped, because a value without its bracket may also hide a game.
fn possible_root(bytes: &[u8], close: Close) -> Option<usize> {
    let root = own_root(bytes)?;
    let begins_tree = |offset: usize| bytes[..offset].trim_ascii_end().ends_with(b"(");
    let nodes = || memchr::memchr_iter(b';', bytes);
    let is_unclosed = close != Close::Parenthesis
        || nodes().filter(|offset| begins_tree(*offset)).count() > memchr::memchr_iter(b')', bytes).count();
    memchr::memchr2_iter(b';', b'(', bytes).skip_while(|offset| *offset <= root).find(|&offset| {
        let end = offset + 1 + memchr::memchr2(b';', b'(', &bytes[offset + 1..]).unwrap_or(bytes.len() - offset - 1);
        let mut opens = memchr::memchr_iter(b'[', &bytes[offset..end]).map(|open| offset + open);
        let is_complete_tree = bytes[offset] == b';' && begins_tree(offset);
        let is_tree = is_complete_tree || bytes[offset] == b'(';
        is_complete_tree && is_unclosed || opens.any(|open| is_of_root(owner(bytes, open), is_tree))
    })
}

/// Returns true if characters of one of two games, which have one label, may have another charset.
fn has_unlabelled_text((first, second): (&[u8], &[u8])) -> bool {
    let is_label_of_second = label(first).is_none() && label(second).is_some();
    !second.is_ascii() || is_label_of_second && !first.is_ascii()
}

/// Returns true if a root usually has this property and other nodes don't. Some programs write
/// facts about the game into nodes within a tree.
fn is_of_root(name: &[u8], is_tree: bool) -> bool {
    let name = &*capitals(name);
    is_tree && is_header(name) || matches!(name, b"PB" | b"PW") || role(name) == Some(PropertyRole::Root)
}
