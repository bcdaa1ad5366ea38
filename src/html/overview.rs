//! The overview: the totals, and how many games have errors, warnings or neither.

use std::borrow::Cow;

use maud::{Markup, html};

use super::charts::{ChartItem, bars, minor};
use super::page_data::{Page, number, plural};
use jigo_archive::visit::figures::Counter;
use jigo_core::audit::Verdict;
use jigo_record::finding::Severity;

impl Page<'_> {
    /// Returns the totals and their parts.
    pub(super) fn overview(&self) -> Markup {
        let summary = self.summary;
        let [infos, warnings, errors] = self.figures.worst;
        html! {
            h1.verdict { (self.verdict()) }
            (self.strip())
            dl.tiles {
                div.error { dt { "games with errors" } dd { (number("worst.error", errors)) } }
                div.warning { dt { "with warnings, no errors" } dd { (number("worst.warning", warnings)) } }
                div.info { dt { "with infos only" } dd { (number("worst.info", infos)) } }
                div.clean { dt { "without a finding" } dd { (number("clean", self.figures.clean)) } }
            }
            p.sum {
                (number("games.found", summary.found)) " games found = "
                (number("games.replayed", summary.replayed)) " replayed + "
                (number("games.stopped", summary.stopped)) " stopped + "
                (number("games.unreadable", summary.unreadable)) " unreadable; "
                (number("turns", summary.turns)) " turns in "
                (number("sources", summary.sources)) " " (plural(summary.sources, "source", "sources"))
                @if summary.failed_sources > 0 { ", of which " (number("failed_sources", summary.failed_sources)) " could not be read" }
                ". "
                (number("findings", summary.all_findings())) " " (plural(summary.all_findings(), "finding", "findings")) " = "
                (number("findings.error", summary.errors())) " errors + "
                (number("findings.warning", summary.severities()[Severity::Warning as usize])) " warnings + "
                (number("findings.info", summary.severities()[Severity::Info as usize])) " infos."
            }
        }
    }

    pub(super) fn verdict(&self) -> Markup {
        let (games, errors) = (self.summary.found, self.figures.worst[Severity::Error as usize]);
        let contradicted = self.figures.verdicts[Verdict::Contradicted as usize];
        html! {
            @match (games, errors) {
                (0, _) => "No games were found.",
                (_, 0) => { "None of " (number("games.found", games)) " games has an error." },
                _ => {
                    (number("worst.error", errors)) " of " (number("games.found", games)) " games "
                    (plural(errors, "has", "have")) " errors."
                },
            }
            @if contradicted > 0 {
                " The board contradicts " (number("verdict.contradicted", contradicted)) " recorded "
                (plural(contradicted, "result", "results")) "."
            }
        }
    }

    /// Returns one bar that divides the games by their worst finding.
    fn strip(&self) -> Markup {
        let [infos, warnings, errors] = self.figures.worst;
        let parts = [("error", errors), ("warning", warnings), ("info", infos), ("clean", self.figures.clean)];
        html! {
            div.strip role="img" aria-label="games by their worst finding" {
                @for (class, games) in parts.iter().filter(|(_, games)| *games > 0) {
                    i class=(class) style=(format!("flex-grow:{games}")) title=(format!("{class}: {games} games")) {}
                }
            }
        }
    }

    /// Returns how the endings were counted.
    pub(super) fn endings(&self) -> Markup {
        let figures = self.figures;
        let items = |counter: &Counter<Cow<'static, str>>, figure: &str| -> Vec<ChartItem> {
            let item = |(name, games): (&Cow<'static, str>, &u64)| {
                ChartItem::new(name.replace('_', " "), format!("{figure}.{name}"), *games)
            };
            super::charts::largest_items(counter.iter().map(item).collect(), 12, figure)
        };
        let classes = ["below 0.5", "0.5 to 0.7", "0.7 to 0.9", "0.9 to 0.97", "0.97 and more"];
        let confidence: Vec<ChartItem> = classes
            .iter()
            .zip(jigo_archive::visit::figures::CONFIDENCE_FROM)
            .zip(figures.confidences)
            .map(|((label, from), games)| ChartItem::new(*label, format!("confidence.{from}"), games))
            .collect();
        let estimated: u64 = figures.confidences.iter().sum();
        let decided: u64 = figures.dead_sources.values().sum();
        html! {
            p { "A game that ended by resignation or on time is not counted. If neither marks nor the position determine the dead stones, a quick estimate or playouts do so, with a confidence." }
            div.grid {
                div { h3 { "Counted endings" } (bars(&items(&figures.statuses, "status"), self.summary.found)) }
                (minor("Source of the dead stones", &bars(&items(&figures.dead_sources, "dead"), decided)))
                (minor("Confidence of the estimates", &bars(&confidence, estimated)))
                (minor("Ends of play", &bars(&items(&figures.ends_of_play, "end"), self.summary.found)))
            }
        }
    }

    pub(super) fn footer(&self, with_duplicates: bool) -> Markup {
        html! {
            p {
                "Written by jigo " (env!("CARGO_PKG_VERSION")) ". The tables of this page: "
                (self.links.table("games")) ", " (self.links.table("findings")) ", " (self.links.table("scores"))
                ", " (self.links.table("results"))
                @if with_duplicates { ", " (self.links.table("duplicates")) }
                ", " a href="summary.json" { "summary.json" } ". Commands work in the folder in which the report was made."
                @if let Some(folder) = self.links.folder() { " Files are in " (folder) "." }
            }
        }
    }
}
