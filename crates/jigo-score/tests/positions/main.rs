//! Final positions and their counts.

mod made_fights;
mod positions_by_hand;
mod support;
mod territory_cases;
mod territory_properties;
mod unsettled_fights;
