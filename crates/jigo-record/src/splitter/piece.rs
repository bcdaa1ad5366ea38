//! The units, games and other pieces of a source, and the state that the splitters of all units share.

use std::ops::Range;

use encoding_rs::Encoding;

use super::{Close, Index};
use crate::sgf::charset::{self, Charset};
use crate::sgf::encoding::byte_order_mark::without_mark;
use crate::sgf::encoding::utf16;
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
    /// rest of it. For lines, the text up to the end of the game or of the line is.
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

/// The unit into which a source is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Games of SGF collections.
    #[default]
    Game,
    /// Lines, each with a position.
    Line,
    /// Lines, each with a file or a part of one.
    Row,
    /// Rows of comma-separated values. The first row names the columns.
    CsvRow {
        /// The separator of cells.
        delimiter: u8,
        /// The number of cells in a row.
        columns: u16,
    },
    /// Whole files: a file is one game.
    File,
    /// Games of a format other than SGF, which consist of lines.
    Lines(RecordKind),
}

/// The rules by which lines form games in a format.
#[derive(Clone, Copy)]
pub(crate) struct LineFormat {
    /// Classifies a line, given with the next line; both lack line ends and blanks around them. The
    /// next line is empty at the end of the input.
    ///
    /// The state is 0 outside games. Within a game it belongs to this function, which receives it
    /// back with the next line. After the oversized part of a game it is [`LineFormat::IN_GAME`].
    pub line: fn(line: &[u8], next: &[u8], state: &mut u8) -> LineKind,
    /// Returns true if a line may be the last one of a game. An SGF game may follow it on the same
    /// line, if the last line end of a file was missing.
    pub is_last: fn(line: &[u8]) -> bool,
    /// Returns the charset that a game declares.
    pub label: fn(game: &[u8]) -> Option<&'static Encoding>,
    /// Returns true if a game of the format has no header, so that nothing names its rules or komi.
    pub is_headerless: fn(game: &[u8]) -> bool,
}

impl LineFormat {
    /// A state within a game. In it only the header of another game begins one.
    pub(crate) const IN_GAME: u8 = 1;

    /// The rules of a format without games. Its games declare no charset, and all have a header.
    pub(crate) const NONE: LineFormat =
        LineFormat { line: |_, _, _| LineKind::Outside, is_last: |_| false, label: |_| None, is_headerless: |_| false };
}

/// The relation of a line to the games around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// The line begins a game and ends an open one before it.
    Begins,
    /// The line belongs to the open game.
    Inside,
    /// The line is the last one of the open game.
    Ends,
    /// The line is a whole game.
    Game,
    /// The line belongs to no game.
    Outside,
}

/// The format of a record, as an index into the table of [`formats`](crate::formats). The default
/// is an SGF collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordKind(pub(crate) u8);

/// The text of one game, and its place in the source.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameText<'a> {
    /// The format.
    pub kind: RecordKind,
    /// The name of the source: its path as given or found, with forward slashes.
    pub file: &'a str,
    /// The number of the game in the source, from 1.
    pub game: u64,
    /// The offset of the game's `(` in the source, from 0.
    pub offset: u64,
    /// The line of the game's `(` in the source, from 1.
    pub line: u64,
    /// The bytes of the game, including its parentheses if present.
    pub bytes: &'a [u8],
    /// The way in which the game ends.
    pub close: Close,
    /// The charset of the bytes.
    pub charset: Charset,
    /// Headers for records that have none.
    pub index: Option<&'a Index>,
    /// True if an earlier game of the source has no header because its format has none.
    pub follows_headerless_game: bool,
    /// True if the source is known to contain no other game.
    pub is_only: bool,
}

impl<'a> GameText<'a> {
    /// Returns an SGF game as the only one of a source without a name. Callers change fields by a
    /// struct update.
    pub fn single(bytes: &'a [u8], close: Close, charset: Charset) -> GameText<'a> {
        GameText { file: "-", game: 1, line: 1, bytes, close, charset, is_only: true, ..GameText::default() }
    }

    /// Returns a complete SGF game as the only one of a source without a name.
    pub fn from_sgf(sgf: &'a str) -> GameText<'a> {
        GameText::single(sgf.as_bytes(), Close::Parenthesis, Charset::UTF8)
    }

    /// Returns the offset in the source of the byte `offset` of the game.
    pub fn source_byte(&self, offset: usize) -> u64 {
        self.offset + self.source_length(&self.bytes[..offset.min(self.bytes.len())])
    }

    /// Returns the length in the source of a part of the game.
    pub fn source_length(&self, part: &[u8]) -> u64 {
        let length = match self.charset.basis {
            charset::CharsetBasis::Transcoded => utf16::utf16_length(part),
            _ => part.len(),
        };
        length as u64
    }
}
