//! The frame of every page: head, style and body.

use jigo_archive::row::line::visible_lines;
use maud::{DOCTYPE, Markup, PreEscaped, html};

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
