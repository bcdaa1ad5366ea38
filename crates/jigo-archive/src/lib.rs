//! Archives of Go game records: found, unpacked, cut into games, analysed on every core, written as tables.
//!
//! [`source`] finds inputs and opens what they are packed in; [`records`] makes games of them; [`tables`] are the rows that go out, and the formats that they go out in;
//! [`visit`] says what is made of every game, [`duplicates`] which are there twice; [`pipeline`] runs it; [`engine`] asks a GTP engine which stones are dead.

// Outside tests a comment has to show why an unwrap or expect can't fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
// What says pub is for other crates: a search for who uses it has to go beyond this one.
#![warn(unreachable_pub)]

pub mod duplicates;
pub mod engine;
pub mod packed;
pub mod pipeline;
pub mod records;
pub mod source;
pub mod summary;
pub mod tables;
pub mod visit;
