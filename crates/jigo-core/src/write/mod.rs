//! Output of records: in normal form, or as the original text with fixes.
//!
//! The normal form expresses the record's content according to FF\[4\] and in UTF-8, so that any
//! program can read it. Records of every format are written in it. Turns, setup and territory come
//! from [`Reading`](crate::record::Reading); texts are preserved.
//!
//! A fix changes only the bytes that a finding reports, and preserves all others.

pub mod edit;
mod game;
pub(crate) mod marks;
pub mod mend;
mod properties;
pub mod proposal;
mod record;
mod tree;
pub mod value;

pub use edit::{Draft, Edit};
pub use game::{Written, normal};
pub use marks::Marks;
pub use mend::{
    GAME_INFO, Judged, Mend, Mended, Merged, Offered, Proposing, Stated, Wanted, mend, mend_judged, merge, stated,
    with_colors_exchanged,
};
pub use proposal::{Proposal, Slip, propose};
pub use record::of_record;

/// The form of a written record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// Break lines for human readers. Otherwise a game is one line, except for line breaks in its
    /// texts.
    pub is_pretty: bool,
    /// Omit variations.
    pub main_line: bool,
    /// Omit C and GC.
    pub without_comments: bool,
}
