//! Where games are: files, folders, archives, rows of tables, opened and unpacked.

pub mod archive;
#[cfg(feature = "columnar")]
pub mod arrow;
pub mod discover;
pub mod name;
pub mod one_game;
pub mod pack;
pub mod row;

pub use discover::{Source, SourceKind};
pub use one_game::OneGame;
pub use row::RecordRow;

use jigo_core::sgf::Unit;

/// What the bytes of an input are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputFormat {
    /// Game records.
    #[default]
    Sgf,
    /// Bare positions, a JSON object a line.
    Positions,
    /// Rows of records, a JSON object a line.
    Jsonl,
    /// Rows of records in an Arrow IPC stream.
    #[cfg(feature = "columnar")]
    Arrow,
}

impl InputFormat {
    /// What the splitter cuts it into.
    pub fn unit(self) -> Unit {
        match self {
            InputFormat::Sgf => Unit::Game,
            InputFormat::Positions => Unit::Line,
            _ => Unit::Row,
        }
    }

    /// Whether every row stands for a file of its own.
    pub fn is_rows(self) -> bool {
        !matches!(self, InputFormat::Sgf | InputFormat::Positions)
    }
}
