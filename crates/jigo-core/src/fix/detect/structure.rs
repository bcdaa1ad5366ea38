//! Fixes of the structure: parentheses, semicolons, brackets and backslashes.

use std::ops::Range;

use super::charset_doubt::CharsetDoubt;
use super::root_edits::{may_hide_game, name};
use super::truncated_value::{close_value, excerpt};
use crate::fix::fix_list::FixList;
use crate::fix::{Edit, Fix};
use jigo_record::Reading;
use jigo_record::finding::Code;
use jigo_record::formats::decode::Decoded;
use jigo_record::record::nodes::{MainLine, Node, RawProperty, bytes_before_root, missing_semicolon, properties};
use jigo_record::sgf::grammar::is_well_formed;
use jigo_record::sgf::tokens::ff4::ValueForm;
use jigo_record::sgf::tokens::lexer::{Lexer, Oddity, ScanBudget, ValueEnd};
use jigo_record::splitter::stray_text::is_padding;
use jigo_record::splitter::{Close, GameText};

/// The number of bytes to search for another semicolon in a root that lacks its own.
const ROOT_BYTES: usize = 4 << 10;

/// The maximum number of semicolons of the root that are examined.
const ROOT_SEMICOLONS: usize = 16;

/// Returns fixes of the text's structure. A text that follows the grammar of FF\[4\] has no other
/// structure.
pub(in crate::fix) fn fixes(text: &GameText, decoded: &Decoded, reading: &Reading, fixes: &mut FixList) {
    let bytes = &*decoded.text;
    if is_well_formed(bytes) {
        return;
    }
    let scan_budget = ScanBudget::for_text(bytes.len());
    let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
    let mut walk = StructureSearch {
        lexer,
        may_hide_game: None,
        fixes,
        depth: 0,
        has_variations: false,
        has_unread_opening: false,
        has_unclosed_value: false,
    };
    walk.fix_beginning(text);
    let open = walk.examine_text();
    walk.fix_end(text, reading, open);
}

/// The state of a pass over a game, which follows the rules of the reader.
struct StructureSearch<'a, 'l, 'o> {
    lexer: Lexer<'a>,
    /// True if the text may contain a second game; `None` until a fix depends on it.
    may_hide_game: Option<bool>,
    fixes: &'l mut FixList<'o>,
    /// The number of open trees.
    depth: usize,
    /// True if the game has variations so far.
    has_variations: bool,
    /// True if the end of a value is in doubt.
    has_unclosed_value: bool,
    /// True if a parenthesis before this place opens no tree. A later one may belong to it.
    has_unread_opening: bool,
}

impl StructureSearch<'_, '_, '_> {
    /// Fixes a game without its `(` or the `;` of its root, or with other bytes before its root.
    fn fix_beginning(&mut self, text: &GameText) {
        let Lexer { bytes, .. } = self.lexer;
        if bytes.first() == Some(&b';') {
            let fix = Fix::with_edit(Code::MissingOpening, Edit::insert(0, "("));
            // Without a property of roots, or with a turn or the rest of one, the node may continue
            // the game before it.
            let is_root = text.game == 1
                || self.lexer.has_root_property(0) && !self.lexer.has_turn(0) && has_single_values(&self.lexer);
            self.fixes.push(fix.unsafe_if(!is_root));
            self.depth = 1;
        } else if let Some(instead) = missing_semicolon(bytes) {
            let mut edits = vec![Edit::replace(instead.clone(), ";")];
            edits.extend(misplaced_semicolon(&self.lexer).map(|offset| Edit::delete(offset..offset + 1)));
            self.fixes.push(without_text(&bytes[instead], Fix::safe(Code::MissingSemicolon, edits)));
        } else if let Some(strays) = bytes_before_root(bytes) {
            let fix = Fix::with_edit(Code::BytesBeforeRoot, Edit::delete(strays.clone()))
                .with_texts(excerpt(&bytes[strays.clone()]), "");
            self.fixes.push(without_text(&bytes[strays], fix));
        }
    }

    /// Closes a game that is still open after its text. `open` is the `[` of a value without an
    /// end, if there is one.
    fn fix_end(&mut self, text: &GameText, reading: &Reading, open: Option<usize>) {
        let Lexer { bytes, .. } = self.lexer;
        let closing = ")".repeat(self.depth);
        if let Some(open) = open {
            // The record is known to be truncated. After a fix of its end nothing would show this,
            // and jigo would count its board.
            self.fixes.push(close_value(bytes, open, &closing).into_unsafe());
            return;
        }
        if self.depth == 0 {
            return;
        }
        let code = if text.close == Close::Fused { Code::FusedGames } else { Code::UnclosedGame };
        let end = bytes.trim_ascii_end().len();
        let fix = Fix::with_edit(code, Edit::insert(end, closing));
        // A begun node shows that the record is truncated, and a parenthesis would hide this.
        let is_truncated = matches!(bytes[..end].last(), Some(b';' | b'('));
        // Another game that begins here may be a variation of this one.
        let is_in_doubt = is_truncated
            || code == Code::FusedGames
            || self.has_unclosed_value
            || is_unread(reading)
            || self.may_hide_game();
        self.fixes.push(fix.unsafe_if(is_in_doubt));
    }

    /// Returns true if the text may contain a second game. A fix of brackets or parentheses would
    /// make it certainly a part of the first.
    fn may_hide_game(&mut self) -> bool {
        let bytes = self.lexer.bytes;
        self.fixes.doubt == CharsetDoubt::SecondGame || *self.may_hide_game.get_or_insert_with(|| may_hide_game(bytes))
    }

    /// Collects the fixes of a game. Returns the `[` of a value without an end, if there is one.
    fn examine_text(&mut self) -> Option<usize> {
        let mut offset = 0;
        while let Some(&byte) = self.lexer.bytes.get(offset) {
            match byte {
                b'[' => match self.lexer.first_value_end(offset) {
                    ValueEnd::Closed(close, oddity) => {
                        self.escapes(offset + 1..close, oddity);
                        offset = close;
                    }
                    ValueEnd::Unclosed(next) => {
                        self.close_value_before(offset, next);
                        offset = next;
                        continue;
                    }
                    ValueEnd::Game(_) | ValueEnd::Open => return Some(offset),
                },
                b'(' => self.opening(offset),
                b')' => self.closing(offset),
                _ => {}
            }
            offset += 1;
        }
        None
    }

    /// Closes the value whose `[` is at `open` before the property or node at `next`.
    fn close_value_before(&mut self, open: usize, next: usize) {
        let Lexer { bytes, .. } = self.lexer;
        let end = open + 1 + bytes[open + 1..next].trim_ascii_end().len();
        // A backslash at the end would escape the bracket.
        let backslashes = bytes[open..end].iter().rev().take_while(|byte| **byte == b'\\').count();
        let close = if backslashes % 2 == 1 { "\\]" } else { "]" };
        let fix = Fix::with_edit(Code::UnclosedValue, Edit::insert(end, close))
            .with_texts(excerpt(&bytes[open..end]), excerpt(&bytes[open..end]) + close);
        // A parenthesis at the end of the value may open or close a variation.
        let is_in_doubt =
            matches!(bytes[end - 1], b'(' | b')') || bytes.get(next) == Some(&b'(') || self.may_hide_game();
        self.has_unclosed_value |= is_in_doubt;
        self.fixes.push(fix.unsafe_if(is_in_doubt));
    }

    /// Enters the tree at a `(`, and inserts the `;` of its first node if it is missing.
    fn opening(&mut self, offset: usize) {
        if !self.lexer.opens_tree(offset) {
            self.has_unread_opening = true;
            return;
        }
        self.depth += 1;
        self.has_variations |= offset > 0;
        let next = self.lexer.skip_space(offset + 1);
        if offset > 0 && self.lexer.has_name(next) {
            self.fixes.push(Fix::with_edit(Code::MissingSemicolon, Edit::insert(next, ";")));
        }
    }

    /// Leaves the tree at a `)`, or removes a parenthesis that closes nothing.
    fn closing(&mut self, offset: usize) {
        if self.lexer.closes_tree(offset, self.depth) {
            self.depth = self.depth.saturating_sub(1);
        } else if !self.lexer.is_in_text(offset) || self.depth <= 1 {
            let fix = Fix::with_edit(Code::ExtraParenthesis, Edit::delete(offset..offset + 1));
            // In a game with variations it may be the `(` of another one.
            let is_in_doubt = self.has_unread_opening
                || self.has_variations
                || !self.continues_with_turn(offset + 1)
                || self.may_hide_game();
            self.fixes.push(fix.unsafe_if(is_in_doubt));
        }
    }

    /// Returns true if the main line continues at `offset` with a node that begins with a turn,
    /// after any other parentheses.
    fn continues_with_turn(&self, offset: usize) -> bool {
        let is_gap = |byte: &u8| byte.is_ascii_whitespace() || *byte == b')';
        let next = offset + self.lexer.bytes[offset..].iter().take_while(|byte| is_gap(byte)).count();
        self.lexer.bytes.get(next) == Some(&b';')
            && matches!(self.lexer.identifier(self.lexer.skip_space(next + 1)), Some(b"B" | b"W"))
    }

    /// Inserts backslashes before brackets in a text, and before a backslash at its end.
    fn escapes(&mut self, value: Range<usize>, oddity: Oddity) {
        if matches!(oddity, Oddity::None | Oddity::HiddenProperty) {
            return;
        }
        let bytes = self.lexer.bytes;
        let (mut edits, mut escaped, mut is_escaped) = (Vec::new(), Vec::new(), false);
        let (mut inner, mut is_in_doubt) = (0_usize, false);
        for offset in value.clone() {
            match bytes[offset] {
                b'[' if !is_escaped => inner += 1,
                b']' if !is_escaped => {
                    edits.push(Edit::insert(offset, "\\"));
                    escaped.push(b'\\');
                    // A later bracket may belong to a property after the end of this value.
                    let rest = &bytes[offset + 1..value.end];
                    is_in_doubt |=
                        inner == 0 && (rest.contains(&b'[') || rest.trim_ascii_start().first() == Some(&b';'));
                    inner = inner.saturating_sub(1);
                }
                _ => {}
            }
            is_escaped = bytes[offset] == b'\\' && !is_escaped;
            escaped.push(bytes[offset]);
        }
        if is_escaped {
            edits.push(Edit::insert(value.end, "\\"));
            escaped.push(b'\\');
        }
        let code = if oddity == Oddity::Backslash { Code::BackslashAtEnd } else { Code::UnescapedBracket };
        let fix = Fix::safe(code, edits).with_texts(excerpt(&bytes[value]), excerpt(&escaped));
        self.fixes.push(fix.unsafe_if(is_in_doubt));
    }
}

/// Returns the offset of a semicolon within a root that lacks its own. It returns to its place.
fn misplaced_semicolon(lexer: &Lexer) -> Option<usize> {
    let start = &lexer.bytes[..lexer.bytes.len().min(ROOT_BYTES)];
    memchr::memchr_iter(b';', start).take(ROOT_SEMICOLONS).find(|offset| lexer.completes_root(*offset))
}

/// Returns true if each property of the root that is no list has one value. Another value may be
/// the rest of a property into which the root was written.
fn has_single_values(lexer: &Lexer) -> bool {
    let root = MainLine::from(*lexer, 0).next();
    let Some(Node::Other { body, .. }) = root else { return false };
    let is_list = |name: &[u8]| ValueForm::for_property(name).is_list();
    let is_single = |property: &RawProperty| property.values.len() == 1 || is_list(&name(lexer.bytes, property));
    properties(lexer, body).0.iter().all(is_single)
}

/// Returns true if a part of the record was not read, so that it may hide parentheses.
fn is_unread(reading: &Reading) -> bool {
    reading.findings.iter().any(|finding| matches!(finding.code, Code::UnreadableNode | Code::MisplacedNode))
}

/// Returns the fix that removes `text`. It is safe only if the text is padding, since no other text
/// may be lost.
fn without_text(text: &[u8], fix: Fix) -> Fix {
    fix.unsafe_if(!is_padding(text))
}
