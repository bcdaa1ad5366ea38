//! The section that draws the worst findings on boards.

use maud::{Markup, html};

use super::links::flags;
use super::page_data::Page;
use jigo_archive::visit::figures::BoardExample;
use jigo_diagrams::boards::board;

/// The maximum number of findings that are drawn.
const MAX_BOARDS: usize = 12;
/// The number of findings whose boards are visible at first.
const MAX_OPEN_BOARDS: usize = 2;

impl Page<'_> {
    /// Returns the worst findings that can be shown on a board. `None` without one.
    pub(super) fn boards(&self) -> Option<Markup> {
        let worst = self.figures.examples.worst_boards();
        let worst = &worst[..worst.len().min(MAX_BOARDS)];
        let (open, more) = worst.split_at(worst.len().min(MAX_OPEN_BOARDS));
        (!worst.is_empty()).then(|| html! {
            p {
                "One board of each kind, the worst first. A red ring marks the point of the finding; numbers are the turns of a repetition in order, faint ones on stones that are no longer on the board."
            }
            div.pairs { @for board in open { (self.board(board)) } }
            @if !more.is_empty() {
                details {
                    summary { (more.len()) " more" }
                    div.pairs { @for board in more { (self.board(board)) } }
                }
            }
        })
    }

    fn board(&self, shown: &BoardExample) -> Markup {
        let example = &shown.example;
        html! {
            figure.board {
                figcaption {
                    span class={"code " (shown.severity.name())} { (shown.code.id()) " " (shown.code.name()) } " "
                    b { (example.players) } br;
                    (self.links.file(&example.file))
                    @if let Some(game) = example.game { ", game " (game) }
                    @if let Some(turn) = example.turn { ", turn " (turn) }
                    @if !example.note.is_empty() { span.note { (example.note) } }
                }
                div.two {
                    @for (caption, picture) in &shown.boards {
                        div { (board(picture, caption)) small { (caption) } }
                    }
                }
                @if !shown.legend.is_empty() { p.dim { "Not on the board: " (shown.legend) } }
                @if let Some(command) = self.links.show(example, flags(shown.code)) { (command) }
            }
        }
    }
}
