//! The section that draws the worst findings on boards.

use maud::{Markup, html};

use super::links::flags;
use super::page_data::Page;
use jigo_diagrams::svg::svg;

/// The maximum number of findings that are drawn.
const MAX_BOARDS: usize = 12;

impl Page<'_> {
    pub(super) fn boards(&self) -> Markup {
        let worst = self.figures.examples.worst_boards();
        html! {
            @if worst.is_empty() { p { "No finding can be shown on a board." } } @else {
                p {
                    "One board of each kind, the worst first. A red ring marks the point of the finding; numbers are the turns of a repetition in order, faint ones on stones that are no longer on the board."
                }
                div.pairs {
                    @for board in worst.iter().take(MAX_BOARDS) {
                        figure.board {
                            figcaption {
                                span class={"code " (board.severity.name())} { (board.code.id()) " " (board.code.name()) } " "
                                b { (board.players) } ", "
                                (self.links.file(&board.example.file))
                                @if let Some(game) = board.example.game { ", game " (game) }
                                @if let Some(turn) = board.example.turn { ", turn " (turn) }
                                @if !board.example.note.is_empty() { span.note { (board.example.note) } }
                            }
                            div.two {
                                @for (caption, picture) in &board.boards {
                                    div { (svg(picture, caption)) small { (caption) } }
                                }
                            }
                            @if !board.legend.is_empty() { p.dim { "Not on the board: " (board.legend) } }
                            @if let Some(command) = self.links.show(&board.example, flags(board.code)) { (command) }
                        }
                    }
                }
            }
        }
    }
}
