//! A record as text again, in one normal form or with what is wrong with it mended.
//!
//! The normal form says what the record says as FF\[4\] wants it said, in UTF-8, so that any program reads it: whoever writes records, from whatever they
//! were read, writes them so. Turns, setup and territory are those that [`Reading`](crate::record::Reading) reads; texts stay as they are written.
//!
//! A mend changes what a finding says is wrong, and leaves every other byte where it is.

pub mod edit;
mod game;
mod left_out;
pub(crate) mod marks;
pub mod mend;
mod properties;
pub mod proposal;
mod record;
mod tree;
pub mod value;

pub use edit::{Draft, Edit};
pub use game::{Written, normal};
pub use left_out::LeftOut;
pub use marks::Marks;
pub use mend::{
    GAME_INFO, Judged, Mend, Mended, Merged, Offered, Proposing, Stated, Wanted, mend, mend_judged, merge, stated,
    with_colors_exchanged,
};
pub use proposal::{Proposal, Slip, propose};
pub use record::of_record;

/// How a record is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// On lines that people read; else a game is one line, the ends of lines in its texts left alone.
    pub is_pretty: bool,
    /// Without variations.
    pub main_line: bool,
    /// Without C and GC.
    pub without_comments: bool,
}
