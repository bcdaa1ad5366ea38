//! The identity of this build.

/// The version and, if known, the commit.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("JIGO_COMMIT"));
/// The program with its version and, if known, its commit.
pub const BUILD: &str = concat!("jigo ", env!("CARGO_PKG_VERSION"), env!("JIGO_COMMIT"));
