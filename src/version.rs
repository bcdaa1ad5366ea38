//! The identity of this build.

/// The version and, if known, the commit.
pub const BUILD: &str = concat!("jigo ", env!("CARGO_PKG_VERSION"), env!("JIGO_COMMIT"));
