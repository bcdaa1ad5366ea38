//! Helpers that the tests of the command use too.

#![allow(dead_code, unused_imports, reason = "each package needs some of them")]

#[path = "../../../../tests/integration/support/agreement.rs"]
pub mod agreement;
#[path = "../../../../tests/integration/support/folders.rs"]
mod folders;
#[path = "../../../../tests/integration/support/games.rs"]
mod games;
#[path = "../../../../tests/integration/support/generated.rs"]
pub mod generated;
#[path = "../../../../tests/integration/support/manifest.rs"]
pub mod manifest;
#[path = "../../../../tests/integration/support/reference.rs"]
pub mod reference;
#[path = "../../../../fit/src/corpus.rs"]
pub mod corpus;

pub use folders::*;
pub use games::*;
