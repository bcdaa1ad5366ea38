//! Bytes as characters: UTF-16, double-byte characters, and text in the wrong charset.

pub mod byte_order_mark;
pub mod utf16;
pub mod byte_order;
pub(crate) mod legibility;
pub mod lead;
