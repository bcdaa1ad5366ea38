//! Helpers that the tests of the command use too.

#![allow(dead_code, unused_imports, reason = "each package needs some of them")]

#[path = "../../../../tests/integration/support/folders.rs"]
mod folders;
#[path = "../../../../tests/integration/support/games.rs"]
mod games;

pub use folders::*;
pub use games::*;
