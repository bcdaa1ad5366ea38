//! The table of results that the board contradicts, with a board for each.

use maud::{Markup, html};

use crate::html::page_data::{Page, number};
use crate::html::tables::{SortableCell, SortableRow, folded, sortable};
use jigo_archive::visit::figures::ContradictedResult;
use jigo_diagrams::boards::{definitions, page_board};
use jigo_diagrams::card::ruleset_title;
use jigo_rules::board::Mark;
use jigo_rules::format_margin;

const COLUMNS: [&str; 7] = ["players", "recorded", "counted", "recorded − counted", "ruleset", "cause", "confidence"];

impl Page<'_> {
    /// Returns the results that the board contradicts. `all` is their total number.
    pub(super) fn disputes(&self, all: u64) -> Markup {
        let games = self.figures.examples.contradicted.games();
        let rows: Vec<SortableRow> =
            games.iter().enumerate().map(|(index, game)| self.dispute_row(index, game)).collect();
        html! {
            @if !rows.is_empty() {
                h3.below { "Results that the board contradicts" }
                p {
                    "Another winner and the widest difference first. "
                    @if all > rows.len() as u64 { "The first " (rows.len()) " of " (number("verdict.contradicted", all)) "; all" } @else { "All" }
                    " are in " (self.links.table("results")) ". The arrows sort. The difference is in points for Black. On a board, crosses mark dead stones, squares territory, and red rings the group that explains the difference, if jigo found one."
                }
                (definitions(games.iter().filter_map(|game| game.board.as_ref())))
                div.results { (folded(&sortable("contradicted", &COLUMNS, &rows), rows.len())) }
            }
        }
    }

    fn dispute_row(&self, index: usize, game: &ContradictedResult) -> SortableRow {
        let ContradictedResult { example, stated, counted, difference, ruleset, cause, confidence, .. } = game;
        let difference_key = difference.map(|difference| i64::from(difference.0));
        let of_confidence = |thousandths: &u32| format!("{:.3}", f64::from(*thousandths) / 1000.0);
        let cells = vec![
            SortableCell::text(example.players.to_lowercase(), html! { b { (example.players) } }),
            SortableCell::text(stated.as_str(), html! { (stated) }),
            SortableCell::number(Some(i64::from(counted.0)), html! { (format_margin(*counted)) }),
            SortableCell::number(difference_key, html! { @if let Some(difference) = difference { (difference) } }),
            SortableCell::text(ruleset.as_str(), ruleset_title(ruleset)),
            SortableCell::text(cause.as_str(), html! { (cause) }),
            // A result without a confidence is certain, so it sorts above every number.
            SortableCell::number(
                Some(confidence.map_or(1001, i64::from)),
                html! { (confidence.as_ref().map_or_else(|| "no doubt".to_owned(), of_confidence)) },
            ),
        ];
        SortableRow::with_detail(cells, self.dispute(index, game))
    }

    /// Returns the board of a game with its facts and its command. Of all boards only the last
    /// opened one is open.
    fn dispute(&self, index: usize, game: &ContradictedResult) -> Markup {
        let example = &game.example;
        html! {
            details.dispute name="dispute" {
                summary {
                    "Board " span.dim { (self.links.shown(&example.file)) @if let Some(number) = example.game { ", game " (number) } }
                }
                figure {
                    @if let Some(board) = &game.board {
                        (page_board(board, &format!("the last position of {}", example.players), &format!("d{index}")))
                    }
                    figcaption {
                        b { (example.players) } br;
                        (self.links.file(&example.file)) @if let Some(number) = example.game { ", game " (number) }
                        p { "Recorded " b { (game.stated) } ", counted " b { (format_margin(game.counted)) } @if !game.ruleset.is_empty() { " (" (ruleset_title(&game.ruleset)) ")" } "." }
                        p { (dispute_note(game)) }
                        @if let Some(command) = self.links.show(example, " --ending") { (command) }
                    }
                }
            }
        }
    }
}

/// Returns the cause of a difference as a sentence, and whether the board shows it.
fn dispute_note(game: &ContradictedResult) -> Markup {
    let is_ringed = game
        .board
        .as_ref()
        .is_some_and(|board| board.size().iter().any(|point| board.point(point).mark == Some(Mark::Finding)));
    html! {
        @match (game.cause.as_str(), is_ringed) {
            ("" | "none found", _) => "No group and no way of counting explains the difference, so none is marked.",
            (cause, true) => { "Likely cause: " (cause) ". Red rings mark the group." },
            (cause, false) => { "Likely cause: " (cause) "." },
        }
    }
}
