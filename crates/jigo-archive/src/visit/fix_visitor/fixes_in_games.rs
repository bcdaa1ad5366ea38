//! The number of fixes that games offer, for a run that makes none.

use serde::{Deserialize, Serialize};

use crate::partial_result::merge_fields;

/// The fixes inside games.
///
/// The removal of text between games is not counted, and the verification of whole sources may
/// reject a few of these fixes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixesInGames {
    /// The number of safe fixes.
    pub safe: u64,
    /// The number of further fixes with `--unsafe`.
    pub unsafe_fixes: u64,
    /// The number of games with a fix.
    pub games: u64,
}

merge_fields!(FixesInGames { safe, unsafe_fixes, games });
