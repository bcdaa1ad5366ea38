//! Fixes of the structure: parentheses, semicolons, brackets and backslashes.

use std::ops::Range;

use super::charset_doubt::CharsetDoubt;
use super::hidden_game::may_hide_game;
use crate::fix::{Edit, Fix};
use jigo_record::Reading;
use jigo_record::finding::Code;
use jigo_record::formats::decode::Decoded;
use jigo_record::record::nodes::{bytes_before_root, lost_semicolon};
use jigo_record::sgf::ff4::{PropertyRole, role};
use jigo_record::sgf::lexer::{Lexer, Oddity, ValueEnd, is_header, owner};
use jigo_record::sgf::scan_budget::ScanBudget;
use jigo_record::splitter::stray_text::is_padding;
use jigo_record::splitter::{Close, GameText};

/// The number of bytes to search for another semicolon in a root that lacks its own.
const ROOT_BYTES: usize = 4 << 10;

/// The maximum number of semicolons of the root that are examined.
const ROOT_SEMICOLONS: usize = 16;

/// Returns fixes of the text's structure.
pub(in crate::fix) fn fixes(text: &GameText, decoded: &Decoded, _: &Reading) -> Vec<Fix> {
    let bytes = &*decoded.text;
    let scan_budget = ScanBudget::for_text(bytes.len());
    let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
    let mut walk =
        Walk { lexer, doubt: CharsetDoubt::assess(text, decoded), may_hide_game: None, fixes: Vec::new(), depth: 0 };
    if bytes.first() == Some(&b';') {
        walk.fixes.push(Fix::one(Code::MissingOpening, Edit::insert(0, "(")));
        walk.depth = 1;
    } else if let Some(instead) = lost_semicolon(bytes) {
        let mut edits = vec![Edit::replace(instead.clone(), ";")];
        // A semicolon within the root returns to its place.
        let misplaced = memchr::memchr_iter(b';', &bytes[..bytes.len().min(ROOT_BYTES)]);
        edits.extend(
            misplaced
                .take(ROOT_SEMICOLONS)
                .filter(|at| lexer.completes_root(*at))
                .take(1)
                .map(|at| Edit::delete(at..at + 1)),
        );
        let fix = without_text(&bytes[instead.clone()], Fix::safe(Code::MissingSemicolon, edits));
        walk.fixes.push(fix);
    } else if let Some(strays) = bytes_before_root(bytes) {
        let fix =
            Fix::one(Code::BytesBeforeRoot, Edit::delete(strays.clone())).with_texts(shown(&bytes[strays.clone()]), "");
        walk.fixes.push(without_text(&bytes[strays], fix));
    }
    let open = walk.walk();
    let code = if text.close == Close::Fused { Code::FusedGames } else { Code::UnclosedGame };
    let end = bytes.trim_ascii_end().len();
    let closing = ")".repeat(walk.depth);
    match open {
        Some(open) => {
            // The record is known to be truncated. After a fix of its end nothing would show this,
            // and jigo would count its board.
            walk.fixes.push(ended(bytes, open, &closing).into_unsafe());
        }
        None if walk.depth > 0 => {
            let fix = Fix::one(code, Edit::insert(end, closing));
            // A begun node shows that the record is truncated, and a parenthesis would hide this.
            let is_truncated = matches!(bytes[..end].last(), Some(b';' | b'('));
            // Another game that begins here may be a variation of this one.
            let is_in_doubt = is_truncated || code == Code::FusedGames || walk.may_hide_game();
            walk.fixes.push(if is_in_doubt { fix.into_unsafe() } else { fix });
        }
        None => {}
    }
    walk.fixes
}

/// The state of a pass over a game, which follows the rules of the reader.
struct Walk<'a> {
    lexer: Lexer<'a>,
    doubt: CharsetDoubt,
    /// True if the text may contain a second game; `None` until a fix depends on it.
    may_hide_game: Option<bool>,
    fixes: Vec<Fix>,
    /// The number of open trees.
    depth: usize,
}

impl Walk<'_> {
    /// Makes a fix of brackets and backslashes in a text unsafe if the charset is doubtful, because
    /// they may be halves of characters.
    fn of_text(&self, text: Range<usize>, fix: Fix) -> Fix {
        if self.doubt.exists() && !self.lexer.bytes[text].is_ascii() { fix.into_unsafe() } else { fix }
    }

    /// Returns true if the text may contain a second game. A fix of brackets or parentheses would
    /// make it certainly a part of the first.
    fn may_hide_game(&mut self) -> bool {
        let bytes = self.lexer.bytes;
        self.doubt == CharsetDoubt::SecondGame || *self.may_hide_game.get_or_insert_with(|| may_hide_game(bytes))
    }

    /// Collects the fixes of a game. Returns the `[` of a value without an end, if there is one.
    fn walk(&mut self) -> Option<usize> {
        let Lexer { bytes, .. } = self.lexer;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'[' => match self.lexer.first_value_end(at) {
                    ValueEnd::Closed(close, oddity) => {
                        self.escapes(at + 1..close, oddity);
                        at = close;
                    }
                    ValueEnd::Unclosed(next) => {
                        let end = at + 1 + bytes[at + 1..next].trim_ascii_end().len();
                        let fix = Fix::one(Code::UnclosedValue, Edit::insert(end, "]"))
                            .with_texts(shown(&bytes[at..end]), shown(&bytes[at..end]) + "]");
                        let fix = self.of_text(at..end, fix);
                        // A parenthesis at the end of the value may open or close a variation.
                        let is_in_doubt = matches!(bytes[end - 1], b'(' | b')') || self.may_hide_game();
                        self.fixes.push(if is_in_doubt { fix.into_unsafe() } else { fix });
                        at = next;
                        continue;
                    }
                    ValueEnd::Game(_) | ValueEnd::Open => return Some(at),
                },
                b'(' if self.lexer.opens_tree(at) => {
                    self.depth += 1;
                    let next = self.lexer.skip_space(at + 1);
                    if at > 0 && self.lexer.has_name(next) {
                        self.fixes.push(Fix::one(Code::MissingSemicolon, Edit::insert(next, ";")));
                    }
                }
                b')' if self.lexer.closes_tree(at, self.depth) => self.depth = self.depth.saturating_sub(1),
                b')' if !self.lexer.is_in_text(at) || self.depth <= 1 => {
                    let fix = Fix::one(Code::ExtraParenthesis, Edit::delete(at..at + 1));
                    let is_in_doubt = !self.continues_with_turn(at + 1) || self.may_hide_game();
                    self.fixes.push(if is_in_doubt { fix.into_unsafe() } else { fix });
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Returns true if the main line continues at `at` with a node that begins with a turn, after
    /// any other parentheses.
    fn continues_with_turn(&self, at: usize) -> bool {
        let is_gap = |byte: &u8| byte.is_ascii_whitespace() || *byte == b')';
        let next = at + self.lexer.bytes[at..].iter().take_while(|byte| is_gap(byte)).count();
        self.lexer.bytes.get(next) == Some(&b';')
            && matches!(self.lexer.identifier(self.lexer.skip_space(next + 1)), Some(b"B" | b"W"))
    }

    /// Inserts backslashes before brackets in a text, and before a backslash at its end.
    fn escapes(&mut self, value: Range<usize>, oddity: Oddity) {
        if oddity == Oddity::None {
            return;
        }
        let bytes = self.lexer.bytes;
        let (mut edits, mut is_escaped) = (Vec::new(), false);
        let (mut inner, mut is_in_doubt) = (0_usize, false);
        for at in value.clone() {
            match bytes[at] {
                b'[' if !is_escaped => inner += 1,
                b']' if !is_escaped => {
                    edits.push(Edit::insert(at, "\\"));
                    // A later bracket may belong to a property after the end of this value.
                    is_in_doubt |= inner == 0 && bytes[at + 1..value.end].contains(&b'[');
                    inner = inner.saturating_sub(1);
                }
                _ => {}
            }
            is_escaped = bytes[at] == b'\\' && !is_escaped;
        }
        if is_escaped {
            edits.push(Edit::insert(value.end, "\\"));
        }
        let code = if oddity == Oddity::Backslash { Code::BackslashAtEnd } else { Code::UnescapedBracket };
        let (before, mut after) = (shown(&bytes[value.clone()]), Vec::new());
        let mut from = value.start;
        for edit in &edits {
            after.extend_from_slice(&bytes[from..edit.range.start]);
            after.push(b'\\');
            from = edit.range.start;
        }
        after.extend_from_slice(&bytes[from..value.end]);
        let fix = Fix::safe(code, edits).with_texts(before, shown(&after));
        let fix = self.of_text(value, fix);
        self.fixes.push(if is_in_doubt { fix.into_unsafe() } else { fix });
    }
}

/// Returns the fix that removes `text`. It is safe only if the text is padding, since no other text
/// may be lost.
fn without_text(text: &[u8], fix: Fix) -> Fix {
    if is_padding(text) { fix } else { fix.into_unsafe() }
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Fixes a game that ends within the value whose `[` is at `open`.
///
/// A text is closed. A turn without all of its letters is unknown, so the rest of it is removed.
/// All other values are closed, although they may be incomplete.
fn ended(bytes: &[u8], open: usize, closing: &str) -> Fix {
    let end = bytes.trim_ascii_end().len();
    let name = owner(bytes, open);
    let begins = open - name.len();
    let rest = &bytes[open + 1..end];
    let is_turn = matches!(name, b"B" | b"W");
    let word = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let is_only_word = rest[word..].iter().all(|byte| *byte == b')' || byte.is_ascii_whitespace());
    if is_turn && word < 2 && is_only_word {
        let from = bytes[..begins].trim_ascii_end();
        let from = if from.ends_with(b";") { from.len() - 1 } else { begins };
        return Fix::one(Code::UnclosedValue, Edit::replace(from..end, closing));
    }
    let is_measured = role(name).is_some_and(|role| role.affects_board() || role == PropertyRole::Clock);
    let at = match is_measured || is_header(name) {
        true => open + 1 + rest.trim_ascii_end().strip_suffix(b")").map_or(rest.len(), <[u8]>::len),
        false => end,
    };
    let fix = Fix::one(Code::UnclosedValue, Edit::replace(at..end, format!("]{closing}")));
    fix.with_texts(shown(&bytes[begins..end]), format!("{}]{closing}", shown(&bytes[begins..at])))
}
