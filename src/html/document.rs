//! The frame of every page: head, style and body.

use jigo_archive::row::line::visible_lines;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Returns a page as text.
pub(super) fn document(title: &str, body: &Markup) -> String {
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
