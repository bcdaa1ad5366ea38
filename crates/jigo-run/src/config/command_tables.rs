//! The tables of commands, by the names in `--table`.

use crate::config::option_value::NamedValues;
use jigo_archive::named_value::NamedValue;

/// The tables of `jigo check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckTable {
    /// One row for each finding.
    Findings,
    /// One row for each turn of the main line.
    Turns,
    /// One row for each game with the keys that its duplicates share.
    Keys,
}

impl NamedValues for CheckTable {
    const NAMES: &'static [NamedValue<CheckTable>] = &[
        NamedValue { name: "findings", about: "One row for each finding", value: CheckTable::Findings },
        NamedValue { name: "turns", about: "One row for each turn of the main line", value: CheckTable::Turns },
        NamedValue {
            name: "keys",
            about: "One row for each game, with the keys that its duplicates share",
            value: CheckTable::Keys,
        },
    ];
}

/// The tables of `jigo score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreTable {
    /// One row for each game and ruleset.
    Scores,
    /// One row for each game with a recorded result.
    Results,
    /// One row for each final position.
    Endings,
}

impl NamedValues for ScoreTable {
    const NAMES: &'static [NamedValue<ScoreTable>] = &[
        NamedValue { name: "scores", about: "One row for each game and ruleset", value: ScoreTable::Scores },
        NamedValue {
            name: "results",
            about: "One row for each game with a recorded result, compared with the result counted by its server's rules",
            value: ScoreTable::Results,
        },
        NamedValue {
            name: "endings",
            about: "One row for each game: its last position, the dead stones, the owner of each point, area and territory",
            value: ScoreTable::Endings,
        },
    ];
}

/// The tables of `jigo duplicates`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuplicatesTable {
    /// One row for each game that belongs to a cluster.
    Duplicates,
    /// One row for each of some turns.
    Diversity,
}

impl NamedValues for DuplicatesTable {
    const NAMES: &'static [NamedValue<DuplicatesTable>] = &[
        NamedValue {
            name: "duplicates",
            about: "One row for each game that belongs to a cluster",
            value: DuplicatesTable::Duplicates,
        },
        NamedValue {
            name: "diversity",
            about: "One row for each of some turns, with the number of different positions after it",
            value: DuplicatesTable::Diversity,
        },
    ];
}

/// The table of `jigo find`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindTable {
    /// One row for each match.
    Matches,
    /// One row for each next turn.
    Continuations,
}

impl NamedValues for FindTable {
    const NAMES: &'static [NamedValue<FindTable>] = &[
        NamedValue {
            name: "matches",
            about: "One row for each game with the pattern, or for each match",
            value: FindTable::Matches,
        },
        NamedValue {
            name: "continuations",
            about: "One row for each next turn, with the number of games and their results",
            value: FindTable::Continuations,
        },
    ];
}
