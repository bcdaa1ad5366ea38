//! The page of `jigo find --out`: the pattern with letters on its next turns, their results, and
//! the first matches.

mod pattern_board;

use maud::{Markup, html};

use super::links::{Links, shorten_note};
use super::page_data::{document, number, percent, plural};
use jigo_archive::summary::{ShareEstimate, Summary};
use jigo_archive::tables::ContinuationRow;
use jigo_archive::visit::MatchExample;
use jigo_core::pattern::{BoardPattern, PatternPoint};
use pattern_board::pattern_board;

/// The maximum number of next turns in the table.
const MAX_ROWS: usize = 60;

/// The data of the page.
pub struct PatternPage<'a> {
    /// The pattern.
    pub pattern: &'a BoardPattern,
    /// The next turns, the most frequent first.
    pub continuations: &'a [ContinuationRow<'a>],
    /// The first matches.
    pub examples: &'a [MatchExample],
    /// The counts of the run.
    pub summary: &'a Summary,
    /// The links to tables and games.
    pub links: &'a Links,
}

impl PatternPage<'_> {
    /// Returns the page.
    pub fn html(&self) -> String {
        let body = html! {
            header { p.kicker { "Pattern search" } h1 { (self.headline()) } }
            main {
                section id="pattern" {
                    h2 { "Next turns" }
                    div.continuations { div { (self.board()) } div { (self.next_turns()) } }
                }
                @if !self.examples.is_empty() { section id="matches" { h2 { "Matches" } (self.matches()) } }
            }
            footer {
                p {
                    "Written by jigo " (env!("CARGO_PKG_VERSION")) ". The tables of this page: " (self.links.table("matches")) ", "
                    (self.links.table("continuations")) ". Commands work in the folder in which the page was made."
                }
            }
        };
        document("jigo find", &body)
    }

    /// Returns the number of matches.
    fn total(&self) -> u64 {
        self.continuations.first().map_or(0, |row| row.total)
    }

    fn headline(&self) -> Markup {
        let (matches, games) = (self.total(), self.summary.found);
        html! {
            (number("matches", matches)) " " (plural(matches, "match", "matches")) " in "
            (number("games.found", games)) " " (plural(games, "game", "games")) "."
        }
    }

    fn board(&self) -> Markup {
        let has = |sought: PatternPoint| self.pattern.iter().any(|(_, condition)| condition == sought);
        html! {
            (pattern_board(self.pattern, self.continuations))
            @if has(PatternPoint::Any) { p.dim { "A shaded point may have any content." } }
            @if has(PatternPoint::NextTurn) { p.dim { "The next turn is on a point with a letter or an asterisk." } }
        }
    }

    fn next_turns(&self) -> Markup {
        html! {
            @if self.continuations.is_empty() { p { "The pattern does not occur." } } @else {
                div.wide {
                    table.list {
                        thead { tr {
                            th { "next turn" } th.num { "matches" } th.num { "Black won" } th.num { "years" }
                        } }
                        tbody { @for row in self.continuations.iter().take(MAX_ROWS) { (continuation(row)) } }
                    }
                }
                @if self.continuations.len() > MAX_ROWS {
                    p { (self.links.table("continuations")) " has " (self.continuations.len() - MAX_ROWS) " more." }
                }
                p.dim {
                    "Black is the player with the black stones of the pattern. The share of Black's wins counts only games with a winner; its 95% confidence interval follows."
                }
            }
        }
    }

    fn matches(&self) -> Markup {
        let total = self.total();
        html! {
            @if total > self.examples.len() as u64 {
                p { "The first " (self.examples.len()) " of " (number("matches", total)) ". " (self.links.table("matches")) " has all." }
            }
            ul { @for found in self.examples { li { (self.example(found)) } } }
        }
    }

    /// Returns a match with its next turn, and the command that shows it.
    fn example(&self, MatchExample { example, next }: &MatchExample) -> Markup {
        let row = self.continuations.iter().find(|row| row.next == *next);
        html! {
            @if let Some(row) = row { b { @if let Some(letter) = row.letter { (letter) " " } (row.words()) } " · " }
            (example.players) ", " (shorten_note(&example.note)) br;
            (self.links.game(example))
            @if let Some(command) = self.links.show(example, "") { (command) }
        }
    }
}

/// Returns a next turn as a row of the table.
fn continuation(row: &ContinuationRow<'_>) -> Markup {
    let words = row.words();
    let rounded = |share: f32| format!("{:.0}", 100.0 * share);
    let years = row.counts.years.map_or(String::new(), |(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    });
    html! {
        tr {
            td.turn { @if let Some(letter) = row.letter { b { (letter) } " " } (words) }
            td.num { (number(&format!("next:{words}"), row.counts.matches)) " " small { (percent(row.counts.matches, row.total)) } }
            td.num {
                @if let Some(ShareEstimate { share, low, high }) = row.counts.black_share() {
                    (rounded(share)) "% " small { (rounded(low)) "–" (rounded(high)) "%" }
                }
            }
            td.num { (years) }
        }
    }
}
