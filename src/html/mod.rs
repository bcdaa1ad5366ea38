//! The pages of reports: one HTML file next to the tables that works from the disk without scripts
//! or other files.
//!
//! maud escapes the texts of records in content and attributes. Characters that hide text or change
//! its direction are made visible. [`number`] labels every number with the name of its figure, so
//! that a test can compare it with the tables.

mod archive;
mod boards;
mod charts;
mod duplicate_games;
mod findings;
mod links;
mod overview;
mod pattern_board;
pub mod pattern_page;
mod results;
mod rulesets;
mod servers;
mod sortable;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use links::{Inputs, Links};

use jigo_archive::duplicates::DuplicateSet;
use jigo_archive::row::line::visible_lines;
use jigo_archive::summary::Summary;
use jigo_archive::visit::Figures;

/// The data of the page's sections.
struct Page<'a> {
    summary: &'a Summary,
    figures: &'a Figures,
    links: &'a Links,
}

/// Returns the page of a run. The page has a section on duplicates if the run looked for them.
pub fn page(summary: &Summary, figures: &mut Figures, links: &Links, duplicates: Option<&DuplicateSet>) -> String {
    let worst_files = figures.files.worst().to_vec();
    let page = Page { summary, figures, links };
    let mut sections = vec![
        ("servers", "Servers and years", page.servers()),
        ("findings", "Findings", page.findings()),
        ("files", "Files", page.files(&worst_files)),
        ("boards", "Boards", page.boards()),
        ("results", "Recorded and counted results", page.results()),
        ("rulesets", "Area and territory", page.rulesets()),
        ("endings", "Endings", page.endings()),
        ("archive", "Archive", page.archive()),
    ];
    if let Some(found) = duplicates {
        sections.insert(sections.len() - 1, ("copies", "Duplicates", page.duplicates(found)));
    }
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

/// Returns a page as text.
fn document(title: &str, body: &Markup) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:";
                meta name="color-scheme" content="light dark";
                // Without this link, browsers request /favicon.ico.
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body { (body) }
        }
    };
    visible_lines(&markup.into_string()) + "\n"
}

/// Returns a number labelled with the name of its figure.
fn number(figure: &str, value: u64) -> Markup {
    html! { span.n data-figure=(figure) data-value=(value) { (grouped(value)) } }
}

/// Returns the digits of a number in groups of three.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202F}');
        }
        text.push(digit);
    }
    text
}

/// Returns a share in per cent, with one decimal if it is near 0% or 100%.
fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".into();
    }
    let share = part as f64 / whole as f64 * 100.0;
    match part {
        0 => "0%".into(),
        _ if share < 0.1 => "<0.1%".into(),
        _ if share > 99.9 && part < whole => ">99.9%".into(),
        _ if share < 10.0 || (share > 99.0 && part < whole) => format!("{share:.1}%"),
        _ => format!("{share:.0}%"),
    }
}

/// Returns `one` for 1 and `many` for every other number, as in `1 game`, `2 games`.
fn plural(value: u64, one: &'static str, many: &'static str) -> &'static str {
    if value == 1 { one } else { many }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_shares_are_0_or_100_per_cent() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_234_567), "1\u{202F}234\u{202F}567");
        assert_eq!(
            [percent(0, 9), percent(1, 9000), percent(9999, 10_000), percent(5, 5)],
            ["0%", "<0.1%", ">99.9%", "100%"]
        );
    }
}
