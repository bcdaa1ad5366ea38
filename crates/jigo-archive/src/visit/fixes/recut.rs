//! Checks that a fixed text splits into games at the same places as the original.
//!
//! A fix is verified within its game. But the end of a game also depends on its surroundings: on
//! the following bytes, and on the first bytes of earlier games. This module therefore splits the
//! complete fixed text again. Fixes that move a boundary, or that change the guessed charset of
//! another game, are withheld.

use std::ops::{ControlFlow, Range};

use super::shown::{Shown, ShownKind};
use crate::pipeline::Cut;
use jigo_core::sgf::charset::Basis;
use jigo_core::sgf::split::Learned;
use jigo_core::sgf::{Charset, Piece, Splitter};

/// The size of the blocks in which the search for bad fixes proceeds: parts, and bytes of text. As
/// many bytes after a block are also considered.
const BLOCK_PARTS: usize = 64;
const BLOCK: usize = 16 << 10;
/// The budget for repeated splits, in bytes: a constant plus a multiple of the text's length. Fixes
/// that are not verified within the budget are withheld.
const RECUT: usize = 256 << 10;
const RECUTS: usize = 32;

/// Returns one flag per part: true if its fixes are applied.
pub(super) fn proved(cut: &Cut<'_>, shown: &[Shown]) -> Vec<bool> {
    let changes = |part: &Shown| part.fix.as_ref().is_some_and(|fix| !fix.changes.is_empty());
    let mut is_made: Vec<bool> = shown.iter().map(changes).collect();
    if !is_made.contains(&true) {
        return is_made;
    }
    let length = shown.iter().map(|part| part.length).sum::<usize>();
    let (before, recorded) = cut.bytes.split_at(cut.bytes.len() - length);
    let learned = learned_behind(cut, before);
    let whole = Block { cut, recorded, ahead: cut.ahead, shown, learned };
    if whole.misplaced(&is_made).is_some() {
        whole.settle_blocks(&mut is_made);
        whole.settle(&mut is_made);
    }
    is_made
}

/// Returns the splitter's state after the first `bytes` of a text, which end at a game boundary.
fn learned_behind(cut: &Cut<'_>, bytes: &[u8]) -> Learned {
    let mut splitter = Splitter::new(cut.unit, cut.limits);
    splitter.learned.clone_from(cut.learned);
    splitter.split(bytes, true, |_| {});
    splitter.learned
}

/// A block of a text with its parts.
struct Block<'a> {
    cut: &'a Cut<'a>,
    recorded: &'a [u8],
    /// Some of the following bytes.
    ahead: &'a [u8],
    shown: &'a [Shown],
    /// The splitter's state before the block.
    learned: Learned,
}

/// The result of splitting a text again.
struct Recut {
    /// The index of the first part with a wrong boundary.
    wrong: Option<usize>,
    /// True if the end of a part is undecided without more bytes.
    is_open: bool,
    /// The splitter's state after the last part.
    learned: Learned,
}

/// The expected position of a game, or of stray text (which has no charset), in a fixed text.
struct Expected {
    place: usize,
    range: Range<usize>,
    charset: Option<Charset>,
}

impl Block<'_> {
    /// Withholds fixes that move a boundary, block by block, so that the search reads little of a
    /// long text.
    fn settle_blocks(&self, is_made: &mut [bool]) {
        let (mut from, mut at, mut learned) = (0, 0, self.learned.clone());
        while from < self.shown.len() {
            let (mut to, mut end) = (from, at);
            while to < self.shown.len() && to - from < BLOCK_PARTS && end - at < BLOCK {
                end += self.shown[to].length;
                to += 1;
            }
            let (recorded, behind) = (&self.recorded[at..end], &self.recorded[end..]);
            let ahead = if behind.is_empty() { self.ahead } else { &behind[..behind.len().min(BLOCK)] };
            let block = Block { recorded, ahead, shown: &self.shown[from..to], learned, ..*self };
            let is_made = &mut is_made[from..to];
            block.settle(is_made);
            learned = block.cut_again(is_made, ahead.is_empty()).learned;
            (from, at) = (to, end);
        }
    }

    /// Withholds fixes until the text splits at the expected places.
    ///
    /// Each step withholds the fix nearest to the first wrong boundary. Afterwards, each withheld
    /// fix is tried again, since it may be correct without the others.
    fn settle(&self, is_made: &mut [bool]) {
        let mut left = RECUT + RECUTS * self.recorded.len();
        let mut withheld = Vec::new();
        while let Some(wrong) = self.misplaced(is_made) {
            let made = (0..is_made.len()).filter(|place| is_made[*place]);
            let Some(nearest) = made.min_by_key(|place| (place.abs_diff(wrong), *place < wrong)) else { return };
            is_made[nearest] = false;
            withheld.push(nearest);
            left = left.saturating_sub(self.recorded.len());
            if left == 0 {
                is_made.fill(false);
                return;
            }
        }
        let mut before = usize::MAX;
        while withheld.len() < before {
            before = withheld.len();
            withheld.retain(|place| {
                left = left.saturating_sub(self.recorded.len());
                is_made[*place] = true;
                is_made[*place] = left > 0 && self.misplaced(is_made).is_none();
                !is_made[*place]
            });
        }
    }

    /// Returns the first part with a wrong boundary if these fixes are applied.
    fn misplaced(&self, is_made: &[bool]) -> Option<usize> {
        let Recut { wrong, is_open, .. } = self.cut_again(is_made, self.ahead.is_empty());
        if wrong.is_some() || !is_open {
            return wrong;
        }
        // Decide with the available bytes. If the recorded text also needs more bytes here, nothing
        // has changed.
        let wrong = self.cut_again(is_made, true).wrong?;
        let recorded = || self.cut_again(&vec![false; is_made.len()], true).wrong;
        (is_made[wrong..].contains(&true) || recorded().is_none_or(|recorded| wrong < recorded)).then_some(wrong)
    }

    /// Splits the text with these fixes, followed by `ahead`. If `end` is true, the text is treated
    /// as complete.
    fn cut_again(&self, is_made: &[bool], end: bool) -> Recut {
        let (mut text, expected) = self.mended(is_made);
        let length = text.len();
        text.extend_from_slice(self.ahead);
        let mut splitter = Splitter::new(self.cut.unit, self.cut.limits);
        splitter.learned.clone_from(&self.learned);
        let (mut found, mut wrong) = (0, None);
        splitter.split_until(&text, end, |piece| {
            let (Piece::Game(range, ..) | Piece::Outside(range)) = &piece;
            match expected.get(found) {
                Some(expected) if is_same(&text, &piece, expected) => found += 1,
                expected if range.start < length => wrong = Some(expected.map_or(self.shown.len() - 1, |it| it.place)),
                _ => {}
            }
            let is_over = range.start >= length || wrong.is_some() || found == expected.len();
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let missing = expected.get(found).map(|expected| expected.place);
        Recut { wrong: wrong.or(missing.filter(|_| end)), is_open: missing.is_some(), learned: splitter.learned }
    }

    /// Returns the text with these fixes, and the expected pieces.
    fn mended(&self, is_made: &[bool]) -> (Vec<u8>, Vec<Expected>) {
        let (mut text, mut expected) = (Vec::with_capacity(self.recorded.len() + self.ahead.len()), Vec::new());
        let mut at = 0;
        for (place, part) in self.shown.iter().enumerate() {
            let bytes = &self.recorded[at..at + part.length];
            at += part.length;
            let start = text.len();
            let fix = part.fix.as_ref().filter(|_| is_made[place]);
            let mut copied = 0;
            for change in fix.map_or(&[][..], |fix| &fix.changes) {
                text.extend_from_slice(&bytes[copied..change.range.start]);
                text.extend_from_slice(&change.text);
                copied = change.range.end;
            }
            text.extend_from_slice(&bytes[copied..]);
            let range = start..text.len();
            match fix.map_or(part.what, |fix| fix.becomes) {
                ShownKind::Game(charset) => expected.push(Expected { place, range, charset: Some(charset) }),
                ShownKind::Outside => expected.push(Expected { place, range, charset: None }),
                ShownKind::Between => {}
            }
        }
        (text, expected)
    }
}

/// Returns true if a piece is the expected one. White space at the end of a game does not matter.
fn is_same(text: &[u8], found: &Piece, expected: &Expected) -> bool {
    let (Piece::Game(range, ..) | Piece::Outside(range)) = found;
    let meaning = |charset: &Charset| (charset.encoding, charset.basis.is_guess());
    let is_same_charset = match (found, &expected.charset) {
        (Piece::Game(_, _, found), Some(charset)) => {
            charset.basis == Basis::Transcoded || meaning(found) == meaning(charset)
        }
        (Piece::Outside(_), None) => true,
        _ => false,
    };
    let end = |range: &Range<usize>| range.start + text[range.clone()].trim_ascii_end().len();
    is_same_charset && range.start == expected.range.start && end(range) == end(&expected.range)
}
