//! Archives of Go game records: found, unpacked, cut into games, analysed on every core, written as tables.
//!
//! [`source`] finds inputs and opens what they are packed in; [`tables`] are the rows that go out, and the formats that they go out in;
//! [`visit`] says what is made of every game; [`pipeline`] runs it; [`engine`] asks a GTP engine which stones are dead.

// Outside tests a comment has to show why an unwrap or expect can't fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod engine;
pub mod pipeline;
pub mod source;
pub mod summary;
pub mod tables;
pub mod visit;
