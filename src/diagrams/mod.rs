//! Pictures of boards.

mod glyphs;
#[cfg(feature = "png")]
pub mod png;
pub mod svg;
pub mod text;
