//! Boards of Go games as text for terminals, and as SVG and PNG pictures.
//!
//! A [`Picture`](jigo_rules::board::Picture) contains stones, marks, numbers and territory. These
//! modules draw it:
//!
//! ```
//! use jigo_diagrams::boards::board;
//! use jigo_rules::board::{BoardSize, Picture, Position};
//!
//! let position = Position::new(BoardSize::new(9, 9).unwrap());
//! let picture = board(&Picture::from_position(&position), "an empty board").into_string();
//! assert!(picture.starts_with("<svg ") && picture.contains("an empty board"));
//! ```
//!
//! - [`text`]: characters, with colours or in ASCII.
//! - [`boards`]: boards as elements of a page. Many whole boards share their lines.
//! - [`svg`]: files with boards and text that need no font, style sheet or script.
//! - [`card`]: the card of a game, as text, as a picture and as a part of a page.
//! - `png`: the same pictures as pixels, with the feature `png`.

#![warn(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types)]
// Outside tests, a comment must prove that an unwrap or expect can't fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod glyphs;
pub mod text;
pub mod boards;
pub mod svg;
pub mod card;
#[cfg(feature = "png")]
pub mod png;
