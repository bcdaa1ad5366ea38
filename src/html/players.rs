//! The section of the players that the user lists.

use maud::{Markup, html};

use super::page_data::{Page, number};
use super::tables::{SortableCell, SortableRow, sortable};
use jigo_archive::visit::figures::PlayerFigures;

/// The maximum number of players on the page.
const MAX_PLAYERS: usize = 100;
/// The table is open at first if it has at most this many rows.
const MAX_OPEN_ROWS: usize = 12;

impl Page<'_> {
    /// Returns the section, or `None` if no listed player has a game.
    pub(super) fn players(&self) -> Option<Markup> {
        let players = self.figures.players.by_games();
        if players.is_empty() {
            return None;
        }
        let shown: Vec<SortableRow> =
            players.iter().take(MAX_PLAYERS).map(|(id, figures)| row(id, figures).into()).collect();
        Some(html! {
            p { "Games of the players listed in " code { "--players" } ", with wins and losses by the recorded results. All names of a player count as one." }
            details open[shown.len() <= MAX_OPEN_ROWS] {
                summary { h3 { "By player" } span.dim { ", " (number("players", players.len() as u64)) " players" } }
                (sortable("players", &["player", "games", "as Black", "as White", "won", "lost"], &shown))
            }
            @if players.len() > MAX_PLAYERS {
                p { "These are the " (MAX_PLAYERS) " players with the most games; " (self.links.table("games")) " has all (black_id and white_id)." }
            }
        })
    }
}

fn row(id: &str, figures: &PlayerFigures) -> Vec<SortableCell> {
    let cell = |measure: &str, value: u64| {
        SortableCell::number(Some(value as i64), number(&format!("player.{measure}.{id}"), value))
    };
    vec![
        SortableCell::text(id, html! { (id) }),
        cell("games", figures.games),
        cell("black", figures.black),
        cell("white", figures.white),
        cell("won", figures.won),
        cell("lost", figures.lost),
    ]
}
