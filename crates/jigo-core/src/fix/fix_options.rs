//! The selection of fixes.

use std::sync::Arc;

use jigo_record::finding::{Code, CodeSet};
use jigo_record::sgf::Limits;
use jigo_record::{DialectChoice, PlayerList};

/// The requested fixes, and the settings for reading records.
#[derive(Clone, Debug)]
pub struct FixOptions {
    /// The codes whose fixes are requested.
    pub codes: CodeSet,
    /// True to also apply unsafe fixes, which depend on a judgement.
    pub is_unsafe: bool,
    /// The treatment of typing errors.
    pub suggestions: Suggestions,
    /// The header values that get one form.
    pub normalization: Normalization,
    /// The dialect of the records.
    pub dialect: DialectChoice,
    /// The limits on a game.
    pub limits: Limits,
}

jigo_rules::named! {
    /// Header values that `jigo fix --normalize` writes in one form.
    pub enum HeaderField {
        /// DT.
        Dates = "dates",
        /// PB and PW.
        Players = "players",
        /// BR and WR.
        Ranks = "ranks",
        /// EV.
        Events = "events",
        /// PC.
        Places = "places",
        /// RE.
        Results = "results",
        /// RU.
        Rules = "rules",
        /// KM.
        Komi = "komi",
        /// The charset of the text.
        Charset = "charset",
    }
}

/// The header values that get one form, and the names that replace others.
#[derive(Clone, Debug, Default)]
pub struct Normalization {
    /// The values. The charset is left to the fixes of its findings.
    pub fields: Vec<HeaderField>,
    /// The names of players.
    pub players: Option<Arc<PlayerList>>,
    /// The names of events.
    pub events: Option<Arc<PlayerList>>,
    /// The names of places.
    pub places: Option<Arc<PlayerList>>,
}

/// The treatment of typing errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Suggestions {
    /// Ignore them.
    #[default]
    Off,
    /// List the possible corrections.
    List,
    /// Apply a correction if it is the only one.
    Apply,
    /// Apply the correction with this number, from 1.
    Reading(u32),
}

impl FixOptions {
    /// Requests every safe fix.
    pub fn safe() -> FixOptions {
        let (dialect, limits) = (DialectChoice::Auto, Limits::default());
        let (suggestions, normalization) = (Suggestions::Off, Normalization::default());
        FixOptions { codes: CodeSet::all(), is_unsafe: false, suggestions, normalization, dialect, limits }
    }

    /// Returns true if safe fixes of this code are requested.
    pub fn includes_safe(&self, code: Code) -> bool {
        self.includes(code, true)
    }

    /// Returns true if fixes of this code and safety are requested.
    pub fn includes(&self, code: Code, is_safe: bool) -> bool {
        self.codes.contains(code) && (is_safe || self.is_unsafe)
    }
}
