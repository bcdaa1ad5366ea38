//! Segments of sources: parts before and after the verification of their fixes.

use super::text_part::TextPart;
use crate::formats::Rows;
use crate::summary::CodeCounts;
use jigo_core::fix::Edit;
use jigo_record::splitter::Unit;

/// A part of a source with unverified fixes.
#[derive(Default)]
pub(super) struct PendingSource {
    pub file: String,
    /// The unit into which the source is divided, if the part is the start of the source.
    pub unit: Option<Unit>,
    pub recorded: Vec<u8>,
    pub parts: Vec<TextPart>,
    pub end: Option<SourceEnd>,
}

/// A part of a source with verified fixes.
pub struct Segment {
    /// The source.
    pub file: String,
    /// The recorded bytes.
    pub recorded: Vec<u8>,
    /// The changes to these bytes, in order.
    pub changes: Vec<Edit>,
    /// The rows of the fixes, if there are any.
    pub rows: Option<Rows>,
    /// The number of made fixes by code.
    pub made: Box<CodeCounts>,
    /// True if the segment contains a game.
    pub has_game: bool,
    /// The end of the source, if the segment is the last one.
    pub end: Option<SourceEnd>,
}

/// The properties of a source that are known at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceEnd {
    /// True if all of the source could be read.
    pub is_whole: bool,
    /// True if a part of the source is UTF-16. Its recorded bytes are UTF-8.
    pub is_utf16: bool,
    /// True if the source has games in UTF-16 and its output is UTF-8.
    pub is_converted: bool,
    /// The reason why the source is not written.
    pub fault: Option<FixFault>,
    /// True if the source is a file on disk, not a member of an archive or a row.
    pub is_file: bool,
}

/// The reason why a source stays unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixFault {
    /// The source is UTF-16 with units that are not characters.
    Lossy,
    /// The source is too large for one verification, and the verification of a part failed.
    Unverified,
}
