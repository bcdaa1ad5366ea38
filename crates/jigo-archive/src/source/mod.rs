//! Sources of games: files, folders, archives and rows of tables, and the readers that open and
//! unpack them.

pub mod archive;
pub(crate) mod budget;
pub(crate) mod catch_panic;
pub mod compression;
pub mod content;
pub mod files;
pub mod header_index;
pub mod players_file;
pub mod rows;
pub mod signatures;
pub(crate) mod watched_reader;

pub use content::{ContentKind, InputFormat};
pub use files::discover::{Source, SourceKind, open_file};
pub use files::in_memory::InMemorySource;
pub use files::skipped_files::SkippedFiles;
pub use rows::row::RecordRow;
pub use rows::row_columns::{ID_COLUMN, RECORD_COLUMN, RowColumns};
