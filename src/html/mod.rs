//! The pages of reports: one HTML file next to the tables that works from the disk without other
//! files. It is complete without its only script, which adds conveniences.
//!
//! maud escapes the texts of records in content and attributes. Characters that hide text or change
//! its direction are made visible.

mod archive;
mod boards;
mod charts;
mod duplicate_games;
mod few_games;
mod findings;
mod links;
mod overview;
mod page_data;
pub mod pattern;
mod players;
mod results;
mod rulesets;
mod servers;
mod tables;
mod worst_files;

use maud::{Markup, html};

pub use few_games::GameCards;
pub use links::{Inputs, Links};

use jigo_archive::duplicates::DuplicateSet;
use jigo_archive::summary::Summary;
use jigo_archive::visit::Figures;
use jigo_diagrams::card::MAX_CARDS;
use page_data::{Page, document};

/// Returns the page of a run. The page has a section on duplicates if the run looked for them, and
/// if all games have a card, only their cards.
pub fn page(
    summary: &Summary,
    figures: &mut Figures,
    links: &Links,
    duplicates: Option<&DuplicateSet>,
    cards: GameCards,
) -> String {
    let worst_files = figures.files.worst().to_vec();
    let page = Page { summary, figures, links };
    if summary.found <= MAX_CARDS as u64 && cards.games.len() as u64 == summary.found {
        return document("jigo report", &page.few_games(&cards.with_outside_findings(), duplicates));
    }
    let sections = [
        ("games", "Games with errors", page.games_with_errors(&cards.with_errors)),
        ("findings", "Findings", Some(page.findings())),
        ("results", "Recorded and counted results", Some(page.results())),
        ("servers", "Servers and years", Some(page.servers())),
        ("players", "Players", page.players()),
        ("files", "Files", page.files(&worst_files)),
        ("boards", "Boards", page.boards()),
        ("rulesets", "Area and territory", Some(page.rulesets())),
        ("endings", "Endings", Some(page.endings())),
        ("copies", "Duplicates", duplicates.map(|found| page.duplicates(found))),
        ("archive", "Archive", Some(page.archive())),
    ];
    let sections: Vec<(&str, &str, Markup)> =
        sections.into_iter().filter_map(|(id, title, content)| Some((id, title, content?))).collect();
    let body = html! {
        header {
            p.kicker { "Game records, audited" }
            (page.overview())
            nav { @for (id, title, _) in &sections { a href=(format!("#{id}")) { (title) } } }
        }
        main { @for (id, title, content) in &sections { section id=(id) { h2 { (title) } (content) } } }
        footer { (page.footer(duplicates.is_some())) }
    };
    document("jigo report", &body)
}
