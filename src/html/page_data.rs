//! The document of the page, the data of its sections, and the numbers in them.
//!
//! [`number`] labels every number with the name of its figure, so that a test can compare it with
//! the tables.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::links::Links;
use jigo_archive::row::line::visible_lines;
use jigo_archive::summary::Summary;
use jigo_archive::visit::Figures;

/// The data of the page's sections.
pub(super) struct Page<'a> {
    pub(super) summary: &'a Summary,
    pub(super) figures: &'a Figures,
    pub(super) links: &'a Links,
}

/// Returns a number labelled with the name of its figure.
pub(super) fn number(figure: &str, value: u64) -> Markup {
    html! { span.n data-figure=(figure) data-value=(value) { (grouped(value)) } }
}

/// Returns the digits of a number in groups of three.
pub(super) fn grouped(value: u64) -> String {
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
pub(super) fn percent(part: u64, whole: u64) -> String {
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
pub(super) fn plural(value: u64, one: &'static str, many: &'static str) -> &'static str {
    if value == 1 { one } else { many }
}

/// Returns a page as text. No other script runs than the one whose checksum is in the policy.
pub(super) fn document(title: &str, body: &Markup) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-SbzS0UlHiCb3ChuDecMSoME79uYrReBKQlpgS4eJq4E='; style-src 'unsafe-inline'; img-src data:";
                meta name="color-scheme" content="light dark";
                // Without this link, browsers request /favicon.ico.
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body { (body) script { (PreEscaped(include_str!("script.js"))) } }
        }
    };
    visible_lines(&markup.into_string()) + "\n"
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
