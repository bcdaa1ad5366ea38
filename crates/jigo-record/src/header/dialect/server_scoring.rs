//! Server scoring: how servers count territory, and since when.
//!
//! A recorded result is the count of the server, even if it differs from the text of the rules.

use super::super::date::Date;
use jigo_rules::ruleset::Scoring;
use jigo_rules::{RulesBasis, Ruleset, TerritoryReading};

/// The way in which a server counts territory from a certain day on.
#[derive(Debug)]
pub struct ServerScoring {
    /// The first day, as in `2024-07-01`; empty if the start is unknown or this is the server's
    /// first way of counting.
    pub from: &'static str,
    /// The reading of territory that the server uses; `None` for a period in which both readings
    /// occur.
    pub reading: Option<TerritoryReading>,
    /// The number of measured games whose margin fits this reading, and the number of measured
    /// games in which the readings differ. Boards below 19x19 are excluded; dead stones are
    /// estimates.
    pub measured: (u32, u32),
    /// The source of these facts.
    pub source: &'static str,
}

impl ServerScoring {
    /// Returns the server scoring on the day of a DT; `all` is sorted by day.
    ///
    /// Returns `None` if there is none, or if the date does not determine it.
    pub fn at_date<'p>(all: &'p [ServerScoring], date: &str) -> Option<&'p ServerScoring> {
        let first_day = |scoring: &ServerScoring| Date::find(scoring.from).map_or(0, |date| date.days().0);
        let index_at = |day: u32| all.iter().rposition(|scoring| first_day(scoring) <= day);
        // An incomplete date covers a whole month or year, and an empty one all years.
        let (first, last) = Date::find(date).map_or((0, u32::MAX), |date| date.days());
        (index_at(first) == index_at(last)).then(|| index_at(first)).flatten().map(|index| &all[index])
    }

    /// Returns `ruleset` as the server counts it. Rulesets that don't count territory, or that name
    /// their reading, stay the same.
    pub fn apply(&self, ruleset: Ruleset) -> Ruleset {
        let (matching, measured) = self.measured;
        let is_open = ruleset.axes.scoring == Scoring::Territory && ruleset.basis == RulesBasis::Text;
        match self.reading {
            Some(reading) if is_open => {
                ruleset.with_territory_reading(reading, RulesBasis::ServerScoring { matching, measured })
            }
            _ => ruleset,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn server_scoring(from: &'static str, reading: TerritoryReading) -> ServerScoring {
        ServerScoring { from, reading: Some(reading), measured: (3, 4), source: "" }
    }

    const CHANGED: [ServerScoring; 2] =
        [server_scoring("", TerritoryReading::EveryRegion), server_scoring("2024-06-15", TerritoryReading::Goscorer)];

    #[test]
    fn game_date_determines_the_server_scoring() {
        for (date, reading) in [
            ("2013-05-06", Some(TerritoryReading::EveryRegion)),
            ("1998", Some(TerritoryReading::EveryRegion)),
            ("2024-05", Some(TerritoryReading::EveryRegion)),
            ("2024-06-14,15", Some(TerritoryReading::EveryRegion)),
            ("2024-06-15", Some(TerritoryReading::Goscorer)),
            ("Published on 2025-01-01", Some(TerritoryReading::Goscorer)),
            ("2024-07", Some(TerritoryReading::Goscorer)),
            ("2024-06", None),
            ("2024", None),
            ("", None),
            ("20250101", Some(TerritoryReading::Goscorer)),
            ("20240614", Some(TerritoryReading::EveryRegion)),
            ("2024-6-20", Some(TerritoryReading::Goscorer)),
            ("0000-00-00", None),
        ] {
            assert_eq!(ServerScoring::at_date(&CHANGED, date).and_then(|scoring| scoring.reading), reading, "{date}");
        }
        assert!(ServerScoring::at_date(&CHANGED[..1], "").is_some(), "without a change the date does not matter");
        assert!(ServerScoring::at_date(&[], "2020-01-01").is_none());
    }

    #[test]
    fn ruleset_name_differs_if_server_scoring_differs() {
        let japanese = || jigo_rules::Preset::find("japanese").unwrap().ruleset();
        let earlier = CHANGED[0].apply(japanese());
        assert_eq!(
            (earlier.name.as_ref(), earlier.axes.territory),
            ("japanese territory=every-region", TerritoryReading::EveryRegion)
        );
        assert_eq!(earlier.basis.reading_probability(), 0.75);
        assert_eq!(CHANGED[1].apply(japanese()).name, "japanese");
        for other in ["chinese", "aga", "quick-reference"] {
            let ruleset = jigo_rules::Preset::find(other).unwrap().ruleset();
            assert_eq!(CHANGED[1].apply(ruleset.clone()), ruleset, "{other}");
        }
    }
}
