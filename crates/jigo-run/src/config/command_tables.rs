//! The tables of commands, by the names in `--table`.

use crate::config::option_value::{NamedValue, NamedValues, named_values};

named_values! {
    /// The tables of `jigo check`.
    pub enum CheckTable {
        Findings "findings" "One row for each finding",
        Turns "turns" "One row for each turn of the main line",
        Keys "keys" "One row for each game, with the keys that its duplicates share",
        Games "games" "One row for each game: its header, the verdict on its result, and its counts",
        Evaluations "evaluations" "One row for each position that the record has an evaluation of",
    }
}

named_values! {
    /// The tables of `jigo score`.
    pub enum ScoreTable {
        Scores "scores" "One row for each game and ruleset",
        Results "results" "One row for each game with a recorded result, compared with the result counted by its server's rules",
        Endings "endings" "One row for each game: its last position, the dead stones, the owner of each point, area and territory",
    }
}

named_values! {
    /// The tables of `jigo duplicates`.
    pub enum DuplicatesTable {
        Duplicates "duplicates" "One row for each game that belongs to a cluster",
        Diversity "diversity" "One row for each of some turns, with the number of different positions after it",
        Aliases "aliases" "One row for each further name of a player, proved by a game that is recorded under two names",
    }
}

named_values! {
    /// The tables of `jigo find`.
    pub enum FindTable {
        Matches "matches" "One row for each game with the pattern, or for each match",
        Continuations "continuations" "One row for each next turn, with the number of games and their results",
    }
}
