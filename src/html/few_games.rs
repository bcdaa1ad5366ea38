//! The page of few games: a card for each.

use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::page_data::Page;
use jigo_archive::duplicates::DuplicateSet;
use jigo_archive::visit::figures::Example;
use jigo_diagrams::boards::definitions;
use jigo_diagrams::card::{Card, CardFinding, MAX_CARDS};
use jigo_record::finding::Severity;

/// The cards of the games of a run.
#[derive(Default, Serialize, Deserialize)]
pub struct GameCards {
    /// The first games of the run, each with the turn of its worst finding, and their cards.
    pub games: Vec<(Example, Card)>,
    /// The first findings outside games, with their files.
    pub outside: Vec<(String, CardFinding)>,
    /// The first games with errors, each with its verdict as its note.
    pub with_errors: Vec<Example>,
}

impl GameCards {
    /// Adds the cards of the next games.
    pub fn add(&mut self, next: GameCards) {
        self.games.extend(next.games);
        self.outside.extend(next.outside);
        self.outside.truncate(MAX_CARDS);
        self.with_errors.extend(next.with_errors);
        self.with_errors.truncate(MAX_CARDS);
    }

    /// Moves the findings outside games to the card of a game of their file, if there is one.
    pub(super) fn with_outside_findings(mut self) -> GameCards {
        for (file, finding) in std::mem::take(&mut self.outside) {
            match self.games.iter_mut().find(|(example, _)| example.file == file) {
                Some((_, card)) => card.add_outside_finding(finding),
                None => self.outside.push((file, finding)),
            }
        }
        self
    }
}

impl Page<'_> {
    /// Returns the page of few games. Sections that would be empty are omitted.
    pub(super) fn few_games(&self, cards: &GameCards, duplicates: Option<&DuplicateSet>) -> Markup {
        let GameCards { games, outside, .. } = cards;
        let boards = games.iter().filter_map(|(_, card)| card.board.as_ref());
        html! {
            header {
                p.kicker { "Game records, audited" }
                @if let [(_, only)] = &games[..] { h1 { (only.verdict()) } } @else {
                    h1 { (self.verdict()) }
                    nav { @for (index, (example, _)) in games.iter().enumerate() { a href=(format!("#g{index}")) { (example.players) } } }
                }
            }
            (definitions(boards.map(|(_, picture)| picture)))
            main {
                @for (index, (example, card)) in games.iter().enumerate() {
                    section id=(format!("g{index}")) {
                        @if games.len() > 1 { h2 { (card.verdict()) } }
                        (card.html(&format!("d{index}"), &self.card_links(example, card)))
                    }
                }
                @if !outside.is_empty() {
                    section {
                        h2 { "Outside games" }
                        ul { @for (file, finding) in outside { li { (self.links.file(file)) ": " (finding.severity) ", " (finding.text) } } }
                        @if outside.len() == MAX_CARDS { p { (self.links.table("findings")) " has all." } }
                    }
                }
                @if self.figures.fixes.games > 0 { section { h2 { "Repairs" } (self.fixes()) } }
                @if let Some(players) = self.players() { section { h2 { "Players" } (players) } }
                @if let Some(found) = duplicates.filter(|set| !set.members.is_empty()) {
                    section { h2 { "Duplicates" } (self.duplicates(found)) }
                }
            }
            footer { (self.footer(duplicates.is_some())) }
        }
    }

    /// Returns the first games with errors of a page of more games. `None` without one.
    pub(super) fn games_with_errors(&self, games: &[Example]) -> Option<Markup> {
        let hidden = self.figures.worst[Severity::Error as usize].saturating_sub(games.len() as u64);
        (!games.is_empty()).then(|| {
            html! {
                details open[hidden == 0] {
                    summary { "The first " (games.len()) }
                    ul { @for example in games { li { (self.links.example(example, "")) } } }
                    @if hidden > 0 { p.dim { "And " (hidden) " more: " (self.links.table("games")) " has all." } }
                }
            }
        })
    }

    /// Returns the file of a game, and the command that shows its worst finding or its count.
    fn card_links(&self, example: &Example, card: &Card) -> Markup {
        let flags = if example.turn.is_none() && !card.scores.is_empty() { " --ending" } else { "" };
        html! {
            p.dim { (self.links.game(example)) }
            @if let Some(command) = self.links.show(example, flags) { (command) }
        }
    }
}
