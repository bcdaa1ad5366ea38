//! Fixes: changes of a record's text that correct a finding and leave every other byte in place.

pub mod edit;
pub mod mend;
pub mod proposal;

pub use edit::{Draft, Edit};
pub use mend::{
    GAME_INFO, Judged, Mend, Mended, Merged, Offered, Proposing, Stated, Wanted, mend, mend_judged, merge, stated,
    with_colors_exchanged,
};
pub use proposal::{Proposal, Slip, propose};
