//! The units into which sources are divided: games of SGF, lines, rows, files, and games that
//! consist of lines.

use encoding_rs::Encoding;

use super::RecordKind;

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
    /// back with the next line.
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
