//! The properties of an output format.

use crate::row::Table;

/// The name and properties of a format.
#[derive(Debug)]
pub struct NamedFormat {
    /// The name of the format on the command line.
    pub name: &'static str,
    /// The description for the help.
    pub summary: &'static str,
    /// The description for the documentation.
    pub details: &'static str,
    /// The suffixes of file names. jigo uses the first one for its own files.
    pub suffixes: &'static [&'static str],
    /// The structure of the output.
    pub shape: Shape,
    /// True if the format supports only findings.
    pub findings_only: bool,
}

/// The structure of a format's output.
#[derive(Debug)]
pub enum Shape {
    /// Independent lines after a head. An interrupted file can be continued.
    Lines(fn(&Table) -> Vec<u8>),
    /// A text that is complete only with its tail.
    Text {
        /// Returns the text before the first row.
        head: fn() -> String,
        /// The separator of rows. Each row is appended with the separator before it.
        separator: &'static str,
        /// The text after the last row.
        tail: &'static str,
    },
    /// Binary columns, which a terminal can't show.
    #[cfg(feature = "columnar")]
    Columns,
}

/// Returns the empty head of most line formats.
pub(super) fn empty_head(_: &Table) -> Vec<u8> {
    Vec::new()
}
