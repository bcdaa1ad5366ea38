//! Resynchronisation: the ends of values, trees and games in damaged text.
//!
//! Real archives have comments with unescaped brackets, values without closing bracket, and
//! backslashes that were meant as text. The text after a bracket distinguishes these cases, because
//! only few elements may follow a value: another value, a property, a node, or a parenthesis. These
//! elements, and the properties that only roots have, are the resynchronisation points.

use std::ops::{ControlFlow, Range};

use memchr::{memchr3, memrchr};

use super::property_chain::PropertyChain;
use super::root_start::root_name;
use super::soundness::Soundness;
use crate::sgf::encoding::utf16::LOST_HALF_UNIT;
use crate::sgf::tokens::ff4::definition;
use crate::sgf::tokens::lexer::{
    Lexer, MAX_IDENTIFIER, Oddity, ROOT, ValueEnd, ends_line, has_line_end, is_header, is_small, is_text, owner,
    skip_space_back,
};
use crate::sgf::tokens::long_names::short_form;

/// The number of bytes after a piece that must be known before its end is certain: the maximum
/// lookahead of all rules.
pub(crate) const LOOKAHEAD: usize = 512;
/// The maximum distance within which the rest of a comment with a stray `)` is searched.
const MAX_TAIL: usize = 400;
/// The number of consecutive `)` that prose never has.
const MAX_PARENTHESES: usize = 32;
/// The maximum distance from the first `]` in a text to the one that closes it. Without a limit, a
/// text full of stray brackets would be scanned once for each of them.
const MAX_TEXT: usize = 8 << 10;
/// The maximum number of `]` in a text that do not close it, for the same reason.
const MAX_STRAY_BRACKETS: usize = 128;

/// The maximum length of stray text between a `(` and its node.
const MAX_STRAY_TEXT: usize = 64;

/// Properties that show a missing bracket.
const COMMON_NAMES: [&[u8]; 16] =
    [b"B", b"W", b"C", b"N", b"AB", b"AW", b"AE", b"PL", b"BL", b"WL", b"OB", b"OW", b"TB", b"TW", b"CR", b"LB"];

/// Properties that show the header of a game.
pub(super) const GAME_HEADER: [&[u8]; 9] = [b"PB", b"PW", b"EV", b"RO", b"DT", b"PC", b"RE", b"KM", b"HA"];

impl Lexer<'_> {
    /// Returns the end of a value. In a damaged text, the text after each `]` and `[` in it decides.
    pub(super) fn recover_value_end(&self, start: usize, owner: &[u8]) -> ValueEnd {
        let end = self.recovered_value_end(start, owner);
        let oddity = match end {
            ValueEnd::Closed(_, Oddity::None) => return end,
            ValueEnd::Open if !self.end => return end,
            ValueEnd::Closed(..) | ValueEnd::Open => Oddity::None,
            ValueEnd::Unclosed(_) | ValueEnd::Game(_) => Oddity::HiddenProperty,
        };
        match self.soundness() {
            Soundness::Sound => self.plain_value_end(start).map_or(end, |close| ValueEnd::Closed(close, oddity)),
            Soundness::Damaged => end,
            Soundness::Unknown => ValueEnd::Open,
        }
    }

    /// Returns true if a value ends with the first property of another game's root, which begins a
    /// line or is complete. Hardly any text does, so the value lacks its bracket, and the grammar
    /// would make one game of two.
    pub(super) fn hides_game(&self, value: &Range<usize>) -> bool {
        let Some(length) = memrchr(b'[', &self.bytes[value.clone()]) else { return false };
        let mut line = ValueLine { searched_end: value.start, has_ended: false };
        match self.begins_in_value(value.start + length, value.start, &mut line) {
            Some(ValueEnd::Game(next)) => self.begins_at_line(next) || self.has_usual_root(self.root_node(next)),
            _ => false,
        }
    }

    fn recovered_value_end(&self, start: usize, owner: &[u8]) -> ValueEnd {
        let scan = ValueScan {
            lexer: self,
            start,
            is_text: is_text(owner),
            is_patient: self.scan_budget.is_none_or(|scan_budget| scan_budget.remaining() > 0),
            nesting: 0,
            first_bracket: None,
            stray_brackets: 0,
            chain: PropertyChain::default(),
            line: ValueLine { searched_end: start, has_ended: false },
        };
        scan.run()
    }

    /// Returns true if the element at `offset` can follow the `]` of a value: a value, property,
    /// node, parenthesis, or the end of the text.
    pub(crate) fn follows(&self, offset: usize, start: usize) -> bool {
        let offset = self.skip_space(offset);
        match self.bytes.get(offset) {
            None | Some(b'[' | b'\x1A') => true,
            Some(b';') => self.node_follows(offset + 1),
            Some(b'(') => self.tree_follows(offset + 1),
            Some(b')') => self.parenthesis_follows(offset + 1, start),
            Some(_) => self.has_name(offset),
        }
    }

    /// Returns true if a property begins at `offset`, with its name in capitals or in small
    /// letters.
    pub fn has_name(&self, offset: usize) -> bool {
        self.identifier(offset).is_some() || self.small_identifier(offset).is_some()
    }

    /// Returns true if the name of an FF\[4\] property precedes the `[` at `bracket`.
    fn ends_with_ff4_name(&self, bracket: usize) -> bool {
        let digits = self.bytes[..bracket].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let name = owner(self.bytes, bracket - digits);
        definition(name).is_some()
            || (short_form(name).is_some() || is_small(name))
                && (name.iter().any(u8::is_ascii_uppercase) || self.is_confirmed(name, bracket + 1))
    }

    /// Returns true if a property or node with a name in small letters begins at `offset`. Within
    /// brackets of a text, prose and program code look like that.
    fn small_name_follows(&self, offset: usize) -> bool {
        let offset = self.skip_space(offset);
        let offset = if self.bytes.get(offset) == Some(&b';') { self.skip_space(offset + 1) } else { offset };
        self.small_identifier(offset).is_some()
    }

    /// Returns true if a sound or damaged tree, not prose, follows the `(` before `offset`.
    fn tree_follows(&self, offset: usize) -> bool {
        let next = self.skip_space(offset);
        match self.bytes.get(next) {
            None | Some(b'(') => true,
            Some(b';') => {
                let is_prose = self.bytes.get(next + 1).is_some_and(|byte| matches!(byte, b' ' | b')' | b']'));
                !is_prose || self.node_follows(next + 1)
            }
            Some(_) => self.has_name(next),
        }
    }

    fn node_follows(&self, offset: usize) -> bool {
        let next = self.skip_space(offset);
        matches!(self.bytes.get(next), None | Some(b';' | b'(' | b')' | b'\x1A')) || self.has_name(next)
    }

    /// Returns true if the `)` before `offset` closes a tree. It may instead belong to a text with
    /// its `]` on the same line.
    fn parenthesis_follows(&self, offset: usize, start: usize) -> bool {
        let parentheses = self.bytes[offset..].iter().take(MAX_PARENTHESES).take_while(|byte| **byte == b')').count();
        if parentheses == MAX_PARENTHESES {
            return true;
        }
        let is_skipped = |byte: &&u8| matches!(**byte, b')' | b' ' | b'\t' | b'\0');
        let blanks = self.bytes[offset..].iter().take(MAX_TAIL).take_while(is_skipped).count();
        if blanks == MAX_TAIL {
            return true;
        }
        let offset = offset + blanks;
        let tail = &self.bytes[offset..self.bytes.len().min(offset + MAX_TAIL)];
        match tail.first() {
            None | Some(b'\r' | b'\n' | b'\x1A') => return true,
            Some(b'(') if self.tree_follows(offset + 1) => return true,
            Some(b';') => return self.node_follows(offset + 1),
            _ => {}
        }
        let stop = tail.iter().position(|byte| matches!(byte, b']' | b'[') || ends_line(*byte));
        match stop {
            Some(stop) if tail[stop] == b']' && offset + stop > start => {
                let next = self.skip_space(offset + stop + 1);
                let is_valid = match self.bytes.get(next) {
                    Some(b';') => self.node_follows(next + 1),
                    Some(b'(' | b')' | b'[' | b']') => true,
                    Some(_) => self.identifier(next).is_some(),
                    None => false,
                };
                !is_valid
            }
            _ => true,
        }
    }

    /// Returns true if the backslash before a `]` was meant as text, because a known property, a
    /// node or a game follows the bracket.
    fn backslash_is_text(&self, offset: usize) -> bool {
        let offset = self.skip_space(offset);
        match self.bytes.get(offset) {
            None => true,
            Some(b')') => {
                let next = self.skip_space(offset + 1);
                let line_ends = has_line_end(&self.bytes[offset + 1..next]);
                next >= self.bytes.len()
                    || (line_ends && self.bytes[next] == b'(' && self.begins_node(next + 1).is_some())
            }
            Some(_) => {
                let offset = if self.bytes[offset] == b';' { self.skip_space(offset + 1) } else { offset };
                self.identifier(offset)
                    .is_some_and(|name| is_text(name) || COMMON_NAMES.contains(&name) || ROOT.contains(&name))
            }
        }
    }

    /// Returns the element that the `[` at `bracket` within a value reveals if the value's own
    /// bracket is missing.
    fn begins_in_value(&self, bracket: usize, start: usize, line: &mut ValueLine) -> Option<ValueEnd> {
        let letters =
            self.bytes[start..bracket].iter().rev().take(MAX_IDENTIFIER).take_while(|byte| byte.is_ascii_alphabetic());
        let name_start = bracket - letters.count();
        let name = &self.bytes[name_start..bracket];
        // An escaped bracket belongs to a text that quotes a record.
        let close = bracket + 1 + memchr3(b']', b'\\', b'[', &self.bytes[bracket + 1..])?;
        if self.bytes[close] != b']' || name.is_empty() {
            return None;
        }
        let preceding = skip_space_back(self.bytes, start, name_start);
        if preceding > start && self.bytes[preceding - 1] == b';' {
            let node = preceding - 1;
            let tree = skip_space_back(self.bytes, start, node);
            if tree > start && self.bytes[tree - 1] == b'(' && self.is_root(tree - 1, name, start) {
                return Some(ValueEnd::Game(tree - 1));
            }
            let is_turn = matches!(name, b"B" | b"W") && close - bracket - 1 <= 2;
            let is_node = is_turn || (COMMON_NAMES[2..].contains(&name)) || ROOT.contains(&name);
            return (is_node && self.follows(close + 1, start)).then_some(ValueEnd::Unclosed(node));
        }
        let last_letters = &name[name.len().saturating_sub(2)..];
        let is_header = last_letters.len() == 2
            && (ROOT.contains(&last_letters) || is_text(last_letters) || matches!(last_letters, b"KM" | b"HA"));
        let is_header = is_header && line.reaches(close, self.bytes) && self.follows(close + 1, start);
        is_header.then_some(ValueEnd::Unclosed(bracket - last_letters.len()))
    }

    /// Returns true if the `(;` at `offset`, with `name` after it, begins a game instead of a
    /// variation.
    fn is_root(&self, offset: usize, name: &[u8], start: usize) -> bool {
        if ROOT[..2].contains(&name) {
            return true;
        }
        let preceding = self.last_byte_before(start, offset);
        let may_begin_game = self.games_begin_alike || preceding == Some(b')') || begins_line(preceding);
        (may_begin_game && (ROOT.contains(&name) || self.is_first_name_of_roots(name)))
            || (begins_line(preceding) && self.begins_header(offset, name))
    }

    /// Returns the last byte before `offset` that is not blank, in the text from `start` on.
    fn last_byte_before(&self, start: usize, offset: usize) -> Option<u8> {
        let is_blank = |byte: &&u8| matches!(**byte, b' ' | b'\t' | b'\0');
        self.bytes[start..offset].iter().rev().find(|byte| !is_blank(byte)).copied()
    }

    /// Returns true if the `(;` at `offset`, with `name` after it, begins with the properties of a
    /// whole game, including one that only roots have.
    ///
    /// Variations rarely have such properties, so at the start of a line no two games need the same
    /// beginning. If the first property is not a header property, the root property must be one
    /// that no program uses with another meaning.
    fn begins_header(&self, offset: usize, name: &[u8]) -> bool {
        let names = if is_header(name) { &ROOT[..] } else { &ROOT[..3] };
        self.has_any_name(self.skip_space(offset + 1), names)
    }

    /// Returns true if other roots of the collection begin with `name`.
    pub(super) fn is_first_name_of_roots(&self, name: &[u8]) -> bool {
        name == self.signature || name == self.neighbour
    }

    /// Returns true if the `(` at `offset`, within a game, begins another game.
    ///
    /// This is the case for a root property. At the start of a line, three other beginnings also
    /// count: a header with a root property; the same property as at the start of this or the
    /// previous game; any header if `lines_begin_games` is true.
    pub fn begins_game(&self, offset: usize, lines_begin_games: bool) -> bool {
        let Some(name) = root_name(self, offset) else { return false };
        if ROOT.contains(&name) || (self.games_begin_alike && self.is_first_name_of_roots(name)) {
            return true;
        }
        if !self.begins_at_line(offset) {
            return false;
        }
        let is_alike = self.is_first_name_of_roots(name) && (lines_begin_games || is_header(name));
        is_alike || (lines_begin_games && is_header(name)) || self.begins_header(offset, name)
    }

    /// Returns true if the element at `offset` begins a line.
    pub(super) fn begins_at_line(&self, offset: usize) -> bool {
        begins_line(self.last_byte_before(0, offset))
    }

    /// Returns true if the `(` at `offset`, outside values, begins a tree. A `(` in the rest of a
    /// broken value does not.
    pub fn opens_tree(&self, offset: usize) -> bool {
        let next = self.skip_space(offset + 1);
        // The `(` of the game itself always begins a tree, even without its `;`.
        offset == 0
            || matches!(self.bytes.get(next), None | Some(b';' | b'(' | b')'))
            || self.has_name(next)
            || self.node_follows_stray_text(next)
    }

    /// Returns true if a short stray text at `offset` precedes a node.
    fn node_follows_stray_text(&self, offset: usize) -> bool {
        let window = &self.bytes[offset..self.bytes.len().min(offset + MAX_STRAY_TEXT)];
        let sign = window.iter().position(|byte| matches!(byte, b';' | b'(' | b')' | b'[' | b']'));
        sign.is_some_and(|sign| window[sign] == b';' && self.has_name(self.skip_space(offset + sign + 1)))
    }

    /// Returns true if the `)` at `offset`, outside values, closes a tree when `depth` trees are
    /// open.
    ///
    /// The outermost tree continues if a node follows. In inner trees a following node probably
    /// lacks its `(`. In a sound game, no `)` belongs to a broken value.
    pub fn closes_tree(&self, offset: usize, depth: usize) -> bool {
        let next = self.skip_space(offset + 1);
        if depth <= 1 && self.bytes.get(next) == Some(&b';') {
            // The next game may lack its `(`. A stray `)` at the end of a line before a node like
            // the root is rarer.
            let line_ends = has_line_end(&self.bytes[offset..next]);
            let has_root_name = |name: &[u8]| name == self.signature && (line_ends || is_header(name));
            return self.begins_node(next).is_none_or(has_root_name)
                || self.has_root_property(next)
                || self.has_game_header(next);
        }
        !self.is_in_text(offset) || self.soundness() == Soundness::Sound
    }

    /// Returns true if one of the first properties of the node whose `;` is at `offset` is a root
    /// property.
    pub fn has_root_property(&self, offset: usize) -> bool {
        self.has_any_name(offset, &ROOT)
    }

    /// Returns true if the node whose `;` is at `offset` begins with a property of headers, and has
    /// a player or another such property.
    fn has_game_header(&self, offset: usize) -> bool {
        let Some(first) = self.begins_node(offset).filter(|name| is_header(name)) else { return false };
        let others = GAME_HEADER.into_iter().filter(|name| *name != first);
        matches!(first, b"PB" | b"PW") || self.has_any_name(offset, &others.collect::<Vec<_>>())
    }

    /// Returns true if the `)` at `offset`, outside values, belongs to the rest of a broken value.
    pub fn is_in_text(&self, offset: usize) -> bool {
        let is_text = !self.parenthesis_follows(offset + 1, offset);
        // Directly after a value it does not: the `]` after it is a stray bracket.
        is_text && !(self.bytes.get(offset + 1) == Some(&b']') && offset > 0 && self.bytes[offset - 1] == b']')
    }
}

/// Returns true if the last byte before an element, blanks ignored, ends a line or marks the
/// realignment of a damaged text.
fn begins_line(preceding: Option<u8>) -> bool {
    preceding.is_some_and(|byte| ends_line(byte) || byte == LOST_HALF_UNIT)
}

/// The search for the end of a value. Each bracket and backslash ends the value or continues it.
struct ValueScan<'l, 'a> {
    lexer: &'l Lexer<'a>,
    /// The start of the value.
    start: usize,
    /// True if the value may contain brackets.
    is_text: bool,
    /// True if the budget for fruitless scans is not spent.
    is_patient: bool,
    /// The number of brackets in the text that are open.
    nesting: usize,
    /// The first `]` that does not close the value. It is the end if no later bracket closes it.
    first_bracket: Option<usize>,
    /// The number of `]` that do not close the value.
    stray_brackets: usize,
    chain: PropertyChain,
    line: ValueLine,
}

impl ValueScan<'_, '_> {
    fn run(mut self) -> ValueEnd {
        let Lexer { bytes, lead, end: is_end, .. } = *self.lexer;
        let (lexer, start) = (self.lexer, self.start);
        let mut offset = start;
        while let Some(special) = lead.next_special(bytes, start, offset, |close| lexer.follows(close + 1, start)) {
            if self.is_exhausted(special) {
                return self.give_up(ValueEnd::Open, special);
            }
            let flow = match bytes[special] {
                b'\\' => self.skip_escaped(special),
                b'[' => self.open_bracket(special),
                _ => self.close_bracket(special),
            };
            match flow {
                ControlFlow::Continue(next) => offset = next,
                ControlFlow::Break(end) => return end,
            }
        }
        if is_end { self.give_up(ValueEnd::Open, bytes.len()) } else { ValueEnd::Open }
    }

    /// Returns true if the text has too many brackets or bytes after the first bracket.
    fn is_exhausted(&self, special: usize) -> bool {
        self.stray_brackets > MAX_STRAY_BRACKETS || self.first_bracket.is_some_and(|first| special - first > MAX_TEXT)
    }

    /// Returns the first bracket as the end of a value that ends nowhere else, or `fallback` if
    /// there is none. The bytes up to `seen` were scanned in vain.
    fn give_up(&self, fallback: ValueEnd, seen: usize) -> ValueEnd {
        let Some(close) = self.first_bracket else { return fallback };
        self.lexer.scan_budget.inspect(|scan_budget| scan_budget.spend(seen - close));
        ValueEnd::Closed(close, Oddity::None)
    }

    /// Skips the character after a backslash, unless the backslash is text before the `]` that
    /// closes the value.
    fn skip_escaped(&mut self, backslash: usize) -> ControlFlow<ValueEnd, usize> {
        let next = self.lexer.bytes.get(backslash + 1);
        if next == Some(&b']') {
            if self.nesting == 0 && self.lexer.backslash_is_text(backslash + 2) {
                return ControlFlow::Break(ValueEnd::Closed(backslash + 1, Oddity::Backslash));
            }
            self.nesting = self.nesting.saturating_sub(1);
        }
        // A backslash does not escape an escape sequence.
        ControlFlow::Continue(backslash + if next == Some(&0x1B) { 1 } else { 2 })
    }

    /// Adds a `[` to the text, unless it reveals that the value's own bracket is missing.
    fn open_bracket(&mut self, bracket: usize) -> ControlFlow<ValueEnd, usize> {
        if let Some(end) = self.lexer.begins_in_value(bracket, self.start, &mut self.line) {
            return ControlFlow::Break(self.give_up(end, bracket));
        }
        self.chain.open(|| self.lexer.ends_with_ff4_name(bracket));
        self.nesting += 1;
        ControlFlow::Continue(bracket + 1)
    }

    /// Adds a `]` to the text, unless it closes the value.
    fn close_bracket(&mut self, bracket: usize) -> ControlFlow<ValueEnd, usize> {
        if !self.is_text || self.is_followed(bracket) {
            let end = self.chain.text_end().unwrap_or(bracket);
            let has_bracket = self.first_bracket.is_some_and(|first| first < end);
            let oddity = if has_bracket { Oddity::UnescapedBracket } else { Oddity::None };
            return ControlFlow::Break(ValueEnd::Closed(end, oddity));
        }
        if !self.is_patient {
            // Even the search for the next bracket may be long, because escape sequences hide
            // brackets.
            return ControlFlow::Break(ValueEnd::Closed(bracket, Oddity::None));
        }
        self.nesting = self.nesting.saturating_sub(1);
        self.chain.close(bracket);
        self.first_bracket.get_or_insert(bracket);
        self.stray_brackets += 1;
        ControlFlow::Continue(bracket + 1)
    }

    /// Returns true if the text after a `]` confirms that it closes the value.
    fn is_followed(&self, bracket: usize) -> bool {
        self.lexer.follows(bracket + 1, self.start)
            && (self.nesting == 0 || !self.lexer.small_name_follows(bracket + 1))
    }
}

/// The line on which a value begins. Each byte is examined once, even if the value has many
/// brackets.
struct ValueLine {
    searched_end: usize,
    has_ended: bool,
}

impl ValueLine {
    /// Returns true if the line continues to `offset`, which must not be less than in earlier
    /// calls.
    fn reaches(&mut self, offset: usize, bytes: &[u8]) -> bool {
        self.has_ended |= has_line_end(&bytes[self.searched_end..offset]);
        self.searched_end = offset;
        !self.has_ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> ValueEnd {
        Lexer::utf8(text.as_bytes()).value_end(2, b"C")
    }

    #[test]
    fn brackets_in_text_neither_end_it_nor_hide_the_rest() {
        for text in
            ["C[see [1] :) ok];B[aa])", "C[see [1]) ok];B[aa])", "C[a [b] (c) d]\n;W[bb])", "C[arr[0] = b[1] done])"]
        {
            let close = text.rfind("];").or(text.rfind("]\n")).unwrap_or(text.len() - 2);
            assert_eq!(end(text), ValueEnd::Closed(close, Oddity::UnescapedBracket), "{text}");
        }
        for text in
            ["C[x])", "C[x];B[aa])", "C[x]\n(;B[aa])(;B[bb]))", "C[x](;B[aa])", "C[x]N[y]", "C[x] )\n mail [1] ends"]
        {
            assert_eq!(end(text), ValueEnd::Closed(3, Oddity::None), "{text}");
        }
    }

    #[test]
    fn lowercase_names_count_if_the_record_continues() {
        for text in
            ["C[x];b[aa];w[bb])", "C[x]b[aa])", "C[x](;w[](;b[aa]))", "C[x];n[y]B[aa])", "C[x]ab[aa][bb];B[cc])"]
        {
            assert_eq!(end(text), ValueEnd::Closed(3, Oddity::None), "{text}");
        }
        for text in
            ["C[x]; b[aa] is bad];B[aa])", "C[x];b[1];B[aa])", "C[x];foo[aa];B[aa])", "C[a[0]; b[aa]; c[1]];B[aa])"]
        {
            assert!(matches!(end(text), ValueEnd::Closed(_, Oddity::UnescapedBracket)), "{text}");
        }
    }

    #[test]
    fn stray_text_before_a_property_ends_the_value() {
        for stray in ["'", "X ", "1", "2. ", "- ", "\\", "/* x */", "\u{3000}", "\u{A0}", "\u{FEFF}", "and then "] {
            for next in ["B[dd];W[pp])", "b[dd];W[pp])", "AB[dd][pp];W[qq])", "Black[dd])", "B[dd]- W[pp];B[qq])"] {
                for sign in ["", ";", "\n"] {
                    let text = format!("C[x]{sign}{stray}{next}");
                    assert_eq!(end(&text), ValueEnd::Closed(3, Oddity::None), "{text}");
                }
            }
        }
        let text = "C[see [1]:], or x B[dd];W[pp])";
        assert_eq!(end(text), ValueEnd::Closed(10, Oddity::UnescapedBracket));
        for text in ["C[x] and B[dd] or W[pp] here];B[aa])", "C[[x], B[dd]];W[pp])", "C[x] see Book [3];B[aa])"] {
            let close = text.rfind("];").unwrap();
            assert_eq!(end(text), ValueEnd::Closed(close, Oddity::UnescapedBracket), "{text}");
        }
    }

    #[test]
    fn missing_bracket_is_found_at_next_property_or_game() {
        assert_eq!(end("C[text;B[dd];W[pp])"), ValueEnd::Unclosed(6));
        assert_eq!(end("C[AnnaBR[5d]PW[x])"), ValueEnd::Unclosed(6));
        assert_eq!(end("C[x)\n(;FF[4]GM[1])"), ValueEnd::Game(5));
        assert_eq!(end("C[I would play ;B[dd] here])"), ValueEnd::Closed(26, Oddity::UnescapedBracket));
        assert_eq!(end("C[never"), ValueEnd::Open);
    }

    #[test]
    fn backslash_before_bracket_is_text_if_record_continues() {
        assert_eq!(end("C[c:\\]PB[x])"), ValueEnd::Closed(5, Oddity::Backslash));
        assert_eq!(end("C[c:\\];B[dd])"), ValueEnd::Closed(5, Oddity::Backslash));
        assert_eq!(end("C[(;FF[4\\]GM[1\\];B[dd\\])];W[])"), ValueEnd::Closed(24, Oddity::None));
    }

    /// A text full of brackets must be scanned a few times, not once for each bracket.
    #[test]
    fn bracket_far_after_the_first_is_not_awaited() {
        let distant = |bytes: usize| format!("C[a] b{} [c] d", " .".repeat(bytes / 2));
        let end = |text: &str| Lexer { end: false, ..Lexer::utf8(text.as_bytes()) }.value_end(2, b"C");
        assert_eq!(end(&distant(MAX_TEXT / 2)), ValueEnd::Open);
        assert_eq!(end(&distant(MAX_TEXT)), ValueEnd::Closed(3, Oddity::None));
        let repeated = |brackets: usize| format!("C[a{} b];B[aa]", "] b".repeat(brackets));
        assert_eq!(end(&repeated(MAX_STRAY_BRACKETS + 1)), ValueEnd::Closed(3, Oddity::None));
        assert_ne!(end(&repeated(MAX_STRAY_BRACKETS)), ValueEnd::Closed(3, Oddity::None));
        let window = format!("C[a] b{} [c];B[aa]", " .".repeat(MAX_TEXT / 4));
        assert_eq!(end(&window), ValueEnd::Closed(window.rfind("];").unwrap(), Oddity::UnescapedBracket));
    }
}
