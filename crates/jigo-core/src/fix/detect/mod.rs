//! Detection of fixes in a text. Each module returns the fixes of one layer.

pub(super) mod board;
pub(super) mod characters;
pub(super) mod charset_doubt;
mod header;
pub(super) mod nodes;
mod repeated;
pub(super) mod root_edits;
pub(super) mod structure;
mod truncated_value;
mod turn_properties;
pub(super) mod violations;
