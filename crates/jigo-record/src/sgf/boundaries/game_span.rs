//! The beginning and the end of a game in a text.

use std::ops::ControlFlow;

use memchr::memchr2;

use super::root_start::{MAX_CHARACTER, WINDOW, root_name, stray_bytes, stray_character_length};
use super::tree_balance::Balance;
use crate::sgf::tokens::lexer::{self, Lexer, ValueEnd, ends_line, has_line_end, is_blank_in_line};
use crate::sgf::tokens::turns::{RUN_BYTES, Runs, TURN};

/// The way in which a game ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Close {
    /// With its closing parenthesis.
    #[default]
    Parenthesis,
    /// Unclosed, at the end of the input or before a game on the next line.
    Missing,
    /// Unclosed, before a game in the middle of a line.
    Fused,
    /// The game is larger than [`Limits::game`](crate::sgf::Limits::game).
    Oversized,
}

/// The maximum part of a line outside games that waits for more bytes. A `;` at its beginning may
/// be a root without its `(`.
pub(crate) const MAX_UNDECIDED: usize = 4 << 10;

/// The result of a search for the next game.
pub(crate) enum GameStart {
    /// The next game begins here.
    Found(usize),
    /// No game begins before this offset.
    NotBefore(usize),
}

/// Finds the start of the next game at or after `start`: its `(`, or the `;` of a root without one.
///
/// Before `decided_end`, the search does not wait for more bytes. With `is_root_only`, the game
/// must begin with a property that FF\[4\] requires in roots.
pub(crate) fn find_start(bytes: &[u8], start: usize, decided_end: usize, is_root_only: bool) -> GameStart {
    let lexer = Lexer::utf8(bytes);
    let mut offset = start;
    while let Some(candidate) = memchr2(b'(', b';', &bytes[offset..]) {
        offset += candidate;
        let is_start = match bytes[offset] {
            b'(' if is_root_only => root_name(&lexer, offset).is_some_and(lexer::is_root),
            b'(' => opens_game(&lexer, offset),
            _ => !is_root_only && is_bare_root(&lexer, start, offset),
        };
        if is_start {
            return GameStart::Found(offset);
        }
        if offset >= decided_end && lexer.skip_space(offset + 1) + WINDOW >= bytes.len() {
            // The text before a `;` on its line also determines its meaning.
            let stray_end = if bytes[offset] == b'(' { offset } else { start + decided_length(&bytes[start..offset]) };
            if stray_end >= decided_end {
                return GameStart::NotBefore(stray_end);
            }
        }
        offset += 1;
    }
    GameStart::NotBefore(if decided_end == bytes.len() { decided_end } else { start + decided_length(&bytes[start..]) })
}

/// Returns the length of the stray text that later bytes can't change. The rest must be examined
/// again together with them.
///
/// Only the whole line shows whether a `;` begins it. The last characters of a long line suffice:
/// they show that the line has begun, and that no strange character replaces a `(`.
fn decided_length(text: &[u8]) -> usize {
    let window = text.len().saturating_sub(MAX_UNDECIDED);
    let line = text[window..].iter().rposition(|byte| ends_line(*byte));
    let latest =
        || (window..text.len()).rev().filter(|offset| !is_blank_in_line(text[*offset])).take(MAX_CHARACTER + 1).last();
    line.map(|length| window + length).or_else(latest).unwrap_or(text.len())
}

/// Returns true if the `(` at `offset`, outside games, begins a game.
///
/// A node must follow, perhaps after a few strange bytes. A header property may also follow without
/// its `;`, or with a strange character in place of it.
pub(crate) fn opens_game(lexer: &Lexer, offset: usize) -> bool {
    let next = lexer.skip_space(offset + 1);
    if lexer.bytes.get(next) != Some(&b';') {
        let is_root_name = |name: &[u8]| lexer::is_header(name) || lexer::is_short_name(name);
        let after_stray_character = offset + 1 + stray_character_length(lexer.bytes[offset + 1..].iter());
        return lexer.identifier(next).is_some_and(is_root_name)
            || lexer.identifier(after_stray_character).is_some_and(lexer::is_header)
            || root_name(lexer, offset).is_some();
    }
    let node = lexer.skip_space(next + 1);
    // In prose `(;` is a smiley, and words follow it. In a damaged root the next bracket is near.
    let identifier = &lexer.bytes[node..lexer.bytes.len().min(node + 64)];
    matches!(identifier.first(), None | Some(b';' | b'(' | b')' | b'[' | b'\x1A'))
        || lexer.identifier(node).is_some()
        || identifier.iter().take_while(|byte| !byte.is_ascii_whitespace()).any(|byte| *byte == b'[')
}

/// Returns true if the `;` at `offset` belongs to a root without `(`. The text outside games begins
/// at `start`.
///
/// The `;`, or one strange character before it, must begin a line or follow a game.
fn is_bare_root(lexer: &Lexer, start: usize, offset: usize) -> bool {
    let preceding = &lexer.bytes[start..offset];
    let is_separated = |preceding: &[u8]| {
        let last = preceding.iter().rev().find(|byte| !is_blank_in_line(**byte));
        last.is_none_or(|byte| *byte == b')' || ends_line(*byte))
    };
    let stray_length = stray_character_length(preceding.iter().rev());
    (is_separated(preceding) || is_separated(&preceding[..preceding.len() - stray_length]))
        && lexer.begins_node(offset).is_some_and(lexer::is_header)
}

/// Returns the first identifier of a game's root.
pub(crate) fn signature(bytes: &[u8]) -> &[u8] {
    let lexer = Lexer::utf8(bytes);
    let offset = match bytes.first() {
        Some(b'(') => stray_bytes(bytes, 0).map_or(1, |stray_bytes| stray_bytes.end),
        _ => 0,
    };
    let offset = lexer.skip_space(offset);
    let offset = lexer.skip_space(offset + usize::from(bytes.get(offset) == Some(&b';')));
    lexer.identifier(offset).unwrap_or_default()
}

/// The facts about a game that the search for its end finds.
#[derive(Clone, Copy)]
pub(crate) struct GameSpan {
    /// The length of the game and the way in which it ends; `None` if its end is not in the text.
    pub end: Option<(usize, Close)>,
    /// The end of the game if no more bytes can arrive; `None` if they don't matter.
    pub provisional_end: Option<(usize, Close)>,
    /// The start and the end of its longest run of bare turns.
    pub turns: (usize, usize),
    /// True if it contains a tree.
    pub has_variations: bool,
    /// True if a value has no closing bracket.
    pub is_damaged: bool,
}

/// Finds the end of the game at the start of the text.
pub(crate) fn find_end(lexer: &Lexer, lines_begin_games: bool) -> GameSpan {
    let mut search = EndSearch {
        lexer,
        lines_begin_games,
        span: GameSpan { end: None, provisional_end: None, turns: (0, 0), has_variations: false, is_damaged: false },
        is_balanced: false,
        depth: usize::from(lexer.bytes.first() != Some(&b'(')),
        has_value: false,
    };
    let mut offset = 0;
    while let Some(&byte) = lexer.bytes.get(offset) {
        let next = match byte {
            b';' => search.node(offset),
            b'[' => search.value(offset),
            b'(' => search.opening(offset),
            b')' => search.closing(offset),
            _ => ControlFlow::Continue(offset + 1),
        };
        match next {
            ControlFlow::Continue(next) => offset = next,
            ControlFlow::Break(()) => return search.span,
        }
    }
    search.span.end = search.end_of_text();
    search.span
}

/// The state of a search for the end of a game. Each method examines the sign at an offset. It
/// returns the offset to continue at, or sets the end of the game and stops.
struct EndSearch<'l, 'a> {
    lexer: &'l Lexer<'a>,
    /// True if a `(;` at the beginning of a line begins a game.
    lines_begin_games: bool,
    span: GameSpan,
    /// True if all trees are closed, so that no other game begins in them.
    is_balanced: bool,
    /// The number of open trees.
    depth: usize,
    /// True after the first value.
    has_value: bool,
}

impl EndSearch<'_, '_> {
    /// Skips the bare turns at a `;`, and stops if the node is the root of the next game.
    #[inline]
    fn node(&mut self, offset: usize) -> ControlFlow<(), usize> {
        let turns = skip_turns(self.lexer.bytes, offset);
        if turns > offset {
            if turns - offset > self.span.turns.1 - self.span.turns.0 {
                self.span.turns = (offset, turns);
            }
            return ControlFlow::Continue(turns);
        }
        let is_root = self.has_value && !self.is_balanced && self.lexer.begins_node(offset).is_some_and(lexer::is_root);
        if is_root && !self.lexer.completes_root(offset) {
            let balance = self.lexer.balance(offset, self.depth);
            if !balance.is_closed() {
                return self.end_before(offset, balance);
            }
            self.is_balanced = true;
        }
        ControlFlow::Continue(offset + 1)
    }

    /// Skips the value at a `[`, and stops if it does not end before the next game.
    #[inline]
    fn value(&mut self, offset: usize) -> ControlFlow<(), usize> {
        self.has_value = true;
        match self.lexer.first_value_end(offset) {
            ValueEnd::Closed(close, _) => return ControlFlow::Continue(close + 1),
            ValueEnd::Unclosed(next) => {
                self.span.is_damaged = true;
                return ControlFlow::Continue(next);
            }
            ValueEnd::Game(next) => self.span.end = Some(cut(self.lexer.bytes, next)),
            ValueEnd::Open => self.span.end = self.end_of_text(),
        }
        self.span.is_damaged = true;
        ControlFlow::Break(())
    }

    /// Enters the tree at a `(`, and stops if the next game begins there.
    fn opening(&mut self, offset: usize) -> ControlFlow<(), usize> {
        let lexer = self.lexer;
        if self.depth > 0 && !self.is_balanced && lexer.begins_game(offset, self.lines_begin_games) {
            let balance = if lexer.opens_tree(offset) { lexer.balance(offset, self.depth) } else { Balance::Unclosed };
            if !balance.is_closed() || balance == Balance::Closed && lexer.begins_complete_game(offset) {
                return self.end_before(offset, balance);
            }
            (self.is_balanced, self.span.has_variations) = (true, true);
            self.depth += 1;
        } else if lexer.opens_tree(offset) {
            self.span.has_variations |= self.depth > 0;
            self.depth += 1;
        }
        ControlFlow::Continue(offset + 1)
    }

    /// Leaves the tree at a `)`, and stops after the outermost one.
    fn closing(&mut self, offset: usize) -> ControlFlow<(), usize> {
        if self.lexer.closes_tree(offset, self.depth) {
            self.depth = self.depth.saturating_sub(1);
            if self.depth == 0 {
                self.span.end = Some((offset + 1, Close::Parenthesis));
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(offset + 1)
    }

    /// Ends the unclosed game before the next game at `next`.
    fn end_before(&mut self, next: usize, balance: Balance) -> ControlFlow<(), usize> {
        let end = cut(self.lexer.bytes, next);
        match balance {
            Balance::Unknown => self.span.provisional_end = Some(end),
            // The next game may be a variation.
            _ if balance == Balance::Closed || !self.lexer.is_certain_root(next) => {
                self.span.end = Some((end.0, Close::Fused));
            }
            _ => self.span.end = Some(end),
        }
        ControlFlow::Break(())
    }

    /// Returns the end of a game that nothing closes, if no more bytes can arrive.
    fn end_of_text(&self) -> Option<(usize, Close)> {
        self.lexer.end.then_some((self.lexer.bytes.len(), Close::Missing))
    }
}

/// Returns the end of an unclosed game before the next game at `next`.
fn cut(bytes: &[u8], next: usize) -> (usize, Close) {
    let length = bytes[..next].trim_ascii_end().len();
    let close = if has_line_end(&bytes[length..next]) { Close::Missing } else { Close::Fused };
    (length, close)
}

/// Returns the end of the run of bare turns `;B[dd]` that begins at `offset`. They make up most of
/// an archive.
#[inline]
fn skip_turns(bytes: &[u8], mut offset: usize) -> usize {
    static RUNS: Runs = Runs::on_board(26, 26);
    while RUNS.first(&bytes[offset..]).is_some() {
        offset += RUN_BYTES;
    }
    while let Some(&[b';', b'B' | b'W', b'[', column, row, b']']) = bytes[offset..].first_chunk() {
        if !(column.is_ascii_alphabetic() && row.is_ascii_alphabetic()) {
            break;
        }
        offset += TURN;
    }
    offset
}
