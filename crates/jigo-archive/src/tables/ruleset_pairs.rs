//! The pairs table: the results of all games under each pair of rulesets.

use std::fmt::{self, Write as _};

use crate::partial_result::merge_fields;
use crate::row::line::{LOCATION, Line};
use crate::row::shared_columns::{column, table};
use crate::row::{Cells, ColumnType, PROBABILITY, Row, Table, Value};
use crate::summary::ShareEstimate;
use jigo_core::analysis::comparison::{Change, RulesetComparison, WinnerCause};
use jigo_rules::HalfPoints;
use serde::{Deserialize, Serialize};

/// The results of games under one pair of rulesets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// Games with the same winner and margin.
    pub same: u64,
    /// Games with the same winner and margins that differ by 1, 2, 3 or more points.
    pub margin: [u64; 3],
    /// Games with different winners.
    pub winner: u64,
    /// Games with different winners if each ruleset's own komi replaces that of the record.
    pub own_komi_winner: u64,
    /// Games without a certain count under at least one of the rulesets.
    pub unsettled: u64,
    /// Games with a difference from each cause, in the order of
    /// [`DifferenceCause::NAMES`](jigo_core::analysis::comparison::DifferenceCause::NAMES).
    pub causes: [u64; 9],
    /// Games with different winners by the cause that decides. The last place is for several.
    pub winner_causes: [u64; 10],
}

impl Pair {
    /// Returns the number of games counted under both rulesets.
    pub fn counted_games(&self) -> u64 {
        self.same + self.margin.iter().sum::<u64>() + self.winner
    }

    /// Returns the share of games with different winners among those counted under both rulesets.
    pub fn winner_share(&self) -> Option<ShareEstimate> {
        ShareEstimate::new(self.winner, self.counted_games())
    }

    /// Returns the share of games with different winners at each ruleset's own komi.
    pub fn own_komi_share(&self) -> Option<ShareEstimate> {
        ShareEstimate::new(self.own_komi_winner, self.counted_games())
    }

    /// Counts a game.
    pub fn add_game(&mut self, comparison: &RulesetComparison<'_>) {
        match comparison.change() {
            Change::Same => self.same += 1,
            Change::Margin(points) => self.margin[usize::from(points) - 1] += 1,
            Change::Winner => self.winner += 1,
            Change::Unsettled => self.unsettled += 1,
        }
        self.own_komi_winner += u64::from(comparison.changes_winner_at_own_komi());
        for (game_count, cause) in self.causes.iter_mut().zip(comparison.causes) {
            *game_count += u64::from(cause != HalfPoints::ZERO);
        }
        match comparison.winner_cause() {
            Some(WinnerCause::One(cause)) => self.winner_causes[cause as usize] += 1,
            Some(WinnerCause::Several) => self.winner_causes[9] += 1,
            None => {}
        }
    }
}

merge_fields!(Pair { same, margin, winner, own_komi_winner, unsettled, causes, winner_causes });

/// The results under one pair of rulesets, for the games of one group.
pub struct PairRow<'a> {
    /// The values that the games share. `None` for all games.
    pub group: Option<&'a str>,
    /// The names of the rulesets.
    pub rulesets: [&'a str; 2],
    /// The counts.
    pub pair: &'a Pair,
}

impl Row for PairRow<'_> {
    table! {
        "pairs", "one row for each pair of rulesets, and with --by for each group of games, written by jigo compare", |row|
        let pair = row.pair;
        let shares = [pair.winner_share(), pair.own_komi_share()];
        let value = |limit: Option<f32>| limit.map_or(Value::Empty, Value::Probability);
        column("group", ColumnType::Text, "values of the columns of --by, separated by semicolons, each unknown if the record does not tell; empty without --by") => row.group.unwrap_or_default(),
        column("ruleset", ColumnType::Text, "first ruleset of the pair").not_null() => row.rulesets[0],
        column("other", ColumnType::Text, "second ruleset, in the order of names").not_null() => row.rulesets[1],
        column("games", ColumnType::Integer, "games counted under both rulesets").not_null() => pair.counted_games(),
        column("same", ColumnType::Integer, "games with the same margin").not_null() => pair.same,
        column("margin_1", ColumnType::Integer, "games with the same winner and margins that differ by 1 point (halves rounded up)").not_null() => pair.margin[0],
        column("margin_2", ColumnType::Integer, "the same for 2 points").not_null() => pair.margin[1],
        column("margin_3", ColumnType::Integer, "the same for at least 3 points").not_null() => pair.margin[2],
        column("winner", ColumnType::Integer, "games with another winner, at the komi of the record").not_null() => pair.winner,
        column("winner_share", PROBABILITY, "winner as a share of games, from 0 to 1") => value(shares[0].map(|share| share.share)),
        column("winner_low", PROBABILITY, "lower limit of its 95 % interval (Wilson)") => value(shares[0].map(|share| share.low)),
        column("winner_high", PROBABILITY, "upper limit of its 95 % interval") => value(shares[0].map(|share| share.high)),
        column("own_komi_winner", ColumnType::Integer, "games with another winner if each ruleset's own komi replaces that of the record").not_null() => pair.own_komi_winner,
        column("own_komi_share", PROBABILITY, "own_komi_winner as a share of games, from 0 to 1") => value(shares[1].map(|share| share.share)),
        column("own_komi_low", PROBABILITY, "lower limit of its 95 % interval (Wilson)") => value(shares[1].map(|share| share.low)),
        column("own_komi_high", PROBABILITY, "upper limit of its 95 % interval") => value(shares[1].map(|share| share.high)),
        column("unsettled", ColumnType::Integer, "games without a certain count under at least one of the rulesets").not_null() => pair.unsettled,
        column("parity", ColumnType::Integer, "games whose margins differ by the player of the last turn, maybe among other causes").not_null() => pair.causes[0],
        column("passes", ColumnType::Integer, "the same for passes").not_null() => pair.causes[1],
        column("handicap_stones", ColumnType::Integer, "the same for handicap stones on the board").not_null() => pair.causes[2],
        column("setup", ColumnType::Integer, "the same for other setup stones").not_null() => pair.causes[3],
        column("seki", ColumnType::Integer, "the same for eyes in seki").not_null() => pair.causes[4],
        column("dame", ColumnType::Integer, "the same for points to fill").not_null() => pair.causes[5],
        column("komi", ColumnType::Integer, "the same for the rulesets' komi, if the record has none").not_null() => pair.causes[6],
        column("bonus", ColumnType::Integer, "the same for compensation for handicap stones").not_null() => pair.causes[7],
        column("rest", ColumnType::Integer, "the same for pass stones, group tax and the button").not_null() => pair.causes[8],
        column("winner_parity", ColumnType::Integer, "games with another winner, at the komi of the record, which would have the same winner without the difference from the last turn, and without no other difference").not_null() => pair.winner_causes[0],
        column("winner_passes", ColumnType::Integer, "the same for passes").not_null() => pair.winner_causes[1],
        column("winner_handicap_stones", ColumnType::Integer, "the same for handicap stones on the board").not_null() => pair.winner_causes[2],
        column("winner_setup", ColumnType::Integer, "the same for other setup stones").not_null() => pair.winner_causes[3],
        column("winner_seki", ColumnType::Integer, "the same for eyes in seki").not_null() => pair.winner_causes[4],
        column("winner_dame", ColumnType::Integer, "the same for points to fill").not_null() => pair.winner_causes[5],
        column("winner_komi", ColumnType::Integer, "the same for the rulesets' komi, if the record has none").not_null() => pair.winner_causes[6],
        column("winner_bonus", ColumnType::Integer, "the same for compensation for handicap stones").not_null() => pair.winner_causes[7],
        column("winner_rest", ColumnType::Integer, "the same for pass stones, group tax and the button").not_null() => pair.winner_causes[8],
        column("winner_several", ColumnType::Integer, "games with another winner for several causes together, or for any of several").not_null() => pair.winner_causes[9],
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let [first, second] = self.rulesets;
        if let Some(group) = self.group {
            line.styled(LOCATION, format_args!("{group} "))?;
        }
        write!(
            line,
            "{first} - {second}: {} games, {} with another winner",
            self.pair.counted_games(),
            self.pair.winner
        )
    }
}
