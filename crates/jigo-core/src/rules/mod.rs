//! Rulesets (axes and presets), the history of positions, and the referee that judges turns.

pub mod cycle;
pub(crate) mod half_points;
pub(crate) mod history;
pub mod presets;
mod recurrence;
pub(crate) mod referee;
pub mod ruleset;
pub mod select;
pub mod stated;

pub use half_points::{HalfPoints, NotHalfPoints};
pub use history::{Entry, History, Repetition};
pub use presets::Preset;
pub use referee::{Fault, Illegal, Referee, TurnFacts};
pub use ruleset::{Axes, RepetitionRule, RulesBasis, Ruleset, Suicide, TerritoryReading};
