//! The pieces of a source, and the state that the splitters of all units share.

use std::ops::Range;

use encoding_rs::Encoding;

use super::{Close, RecordKind};
use crate::sgf::charset::Charset;
use crate::sgf::encoding::byte_order_mark::without_mark;
use crate::sgf::tokens::lexer::is_blank;

/// The number of bytes that the splitter may scan repeatedly for a source; see
/// `Splitter::has_scan_budget`.
pub(super) const MAX_SCANNED: u64 = 4 << 20;

/// The average number of additional scans for each byte.
pub(super) const SCANS_PER_BYTE: u64 = 8;

/// The number of bytes from the start of a line that show whether a record begins there.
pub(crate) const RECORD_START_WINDOW: usize = 1 << 10;

/// A piece of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// The bytes of a game.
    Game(Range<usize>, Close, Charset),
    /// Stray text: neither a game nor white space.
    StrayText(Range<usize>),
}

/// The result of [`Splitter::split_until_change`](super::Splitter::split_until_change).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The number of consumed bytes.
    pub consumed: usize,
    /// The format of the record that begins after the consumed bytes, if it is another format. The
    /// splitter reads the rest of the source after
    /// [`Splitter::change_to`](super::Splitter::change_to).
    pub change: Option<RecordKind>,
}

impl Split {
    /// Returns a result without a change of the format.
    pub(super) fn to(consumed: usize) -> Split {
        Split { consumed, change: None }
    }
}

/// Facts from the games of a source that apply to later games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitState {
    /// The charset detected for the source.
    pub detected_charset: Option<&'static Encoding>,
    /// True if a game was unclosed. A root at the start of a line then begins a game if its first
    /// property is one of headers, or the same as in this or the previous game.
    pub lines_begin_games: bool,
    /// The first identifier of the root of the last sound game; empty before the first.
    pub neighbour: Vec<u8>,
    /// True if a game had variations.
    pub has_variations: bool,
    /// True if the limit truncated a game. The text up to a root with GM or FF is then the
    /// rest of it. For lines, the text up to the line's end is.
    pub in_oversized: bool,
    /// True if a game has no header because its format has none.
    pub has_headerless_game: bool,
}

/// Returns the offset of the first byte at or after `offset` that is neither blank nor part of a
/// byte order mark.
pub(super) fn skip_blanks(bytes: &[u8], mut offset: usize) -> usize {
    loop {
        offset += bytes[offset..].iter().take_while(|byte| is_blank(**byte)).count();
        let mark_length = bytes.len() - offset - without_mark(&bytes[offset..]).len();
        if mark_length == 0 {
            return offset;
        }
        offset += mark_length;
    }
}

impl SplitState {
    /// Passes stray text to `sink` without blanks around it, unless only a byte order mark is left.
    /// After an oversized game, the text is the rest of that game and is ignored.
    pub(super) fn report_stray_text(&self, bytes: &[u8], range: Range<usize>, sink: &mut impl FnMut(Piece)) {
        let text = &bytes[range.clone()];
        let Some(first) = text.iter().position(|byte| !is_blank(*byte)).filter(|_| !self.in_oversized) else { return };
        let last = text.iter().rposition(|byte| !is_blank(*byte)).unwrap_or(first);
        if &text[first..=last] != b"\xEF\xBB\xBF" {
            sink(Piece::StrayText(range.start + first..range.start + last + 1));
        }
    }
}
