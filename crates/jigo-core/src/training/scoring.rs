//! Rulesets as KataGo counts them.

use jigo_rules::{Axes, Scoring, TerritoryReading};

/// Returns true if KataGo counts a ruleset by territory. Pass stones give the area.
pub(super) fn is_territory(axes: &Axes) -> bool {
    matches!(axes.scoring, Scoring::Territory | Scoring::TerritoryTax)
}

/// Returns true if a ruleset has a tax on groups.
pub(super) fn has_group_tax(axes: &Axes) -> bool {
    matches!(axes.scoring, Scoring::GroupTax | Scoring::TerritoryTax)
}

/// Returns true if eyes in seki do not count.
pub(super) fn has_seki_tax(axes: &Axes) -> bool {
    has_group_tax(axes) || axes.territory != TerritoryReading::EveryRegion
}
