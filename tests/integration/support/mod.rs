//! Helpers for several test files.

#[allow(dead_code, reason = "other crates include it too")]
pub mod agreement;
pub mod cli;
pub mod damaged_games;
pub mod divided_node;
mod folders;
pub mod game_damage;
#[allow(dead_code, reason = "other crates include it too")]
mod games;
pub mod generated_duplicates;
pub mod generated;
pub mod invariants;
pub mod manifest;
pub mod parts;
pub mod plain_property;
pub mod plain_value;
pub mod python;
#[allow(dead_code, reason = "other crates include it too")]
pub mod reference;
pub mod second_reader;

use std::path::PathBuf;

pub use folders::*;
pub use games::*;

/// Reports why a test is skipped. Panics if JIGO_REQUIRE_ALL=1 requires all tests to run.
pub fn report_skipped(reason: &str) {
    let is_required = std::env::var("JIGO_REQUIRE_ALL").is_ok_and(|value| value == "1");
    assert!(!is_required, "skipped, and JIGO_REQUIRE_ALL=1 requires every test: {reason}");
    eprintln!("skipped: {reason}");
}

/// Returns the path in an environment variable. Reports a skipped test if the variable is not set.
pub fn path_in(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    if path.is_none() {
        report_skipped(&format!("{variable} is not set"));
    }
    path
}
