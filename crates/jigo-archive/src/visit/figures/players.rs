//! Counts of the players that the user lists.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::partial_result::merge_fields;
use crate::visit::serde_map;
use jigo_core::analysis::GameReport;
use jigo_rules::board::Color;

/// The games of a player, by recorded result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerFigures {
    /// The number of games.
    pub games: u64,
    /// Games with Black.
    pub black: u64,
    /// Games with White.
    pub white: u64,
    /// Games that the player won.
    pub won: u64,
    /// Games that the player lost.
    pub lost: u64,
}

/// Listed players by identifier. The user's list bounds their number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Players {
    #[serde(with = "serde_map")]
    by_id: BTreeMap<String, PlayerFigures>,
}

merge_fields!(PlayerFigures { games, black, white, won, lost });
merge_fields!(Players { by_id });

impl Players {
    /// Counts a game for its listed players.
    pub(super) fn add_game(&mut self, report: &GameReport) {
        let Some(details) = &report.details else { return };
        let winner = report.header.result.winner;
        let [black, white] = &details.player_ids;
        for (color, player) in [(Color::Black, black), (Color::White, white)] {
            if !player.is_listed {
                continue;
            }
            let figures = self.by_id.entry(player.id.clone()).or_default();
            // A player, such as a program, may have both colours.
            figures.games += u64::from(color == Color::Black || black.id != white.id);
            figures.black += u64::from(color == Color::Black);
            figures.white += u64::from(color == Color::White);
            figures.won += u64::from(winner == Some(color));
            figures.lost += u64::from(winner == Some(color.opponent()));
        }
    }

    /// Returns the players with their identifiers, the most games first.
    pub fn by_games(&self) -> Vec<(&str, &PlayerFigures)> {
        let mut players: Vec<_> = self.by_id.iter().map(|(id, figures)| (id.as_str(), figures)).collect();
        players.sort_by_key(|(_, figures)| std::cmp::Reverse(figures.games));
        players
    }
}
