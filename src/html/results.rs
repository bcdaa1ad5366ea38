//! The section that compares recorded results with counted results.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::charts::{ChartItem, bars, largest_items};
use super::page_data::{Page, number, percent};
use super::sortable::{SortableCell, sortable};
use jigo_archive::visit::figures::ContradictedResult;
use jigo_core::audit::Verdict;
use jigo_diagrams::svg::svg;
use jigo_rules::format_margin;

impl Page<'_> {
    pub(super) fn results(&self) -> Markup {
        let figures = self.figures;
        let labels = ["agrees", "explained", "contradicted", "doubtful count", "not counted"];
        let items: Vec<ChartItem> = (labels.iter().zip(Verdict::NAMES).zip(figures.verdicts))
            .map(|((label, (name, _)), games)| ChartItem::new(*label, format!("verdict.{name}"), games))
            .collect();
        let whole: u64 = figures.verdicts.iter().sum();
        let [same, explained, contradicted, ..] = figures.verdicts;
        let kinds =
            figures.results.iter().map(|(name, games)| ChartItem::new(name.as_ref(), format!("result.{name}"), *games));
        html! {
            p {
                (number("stated", whole)) " games have a recorded result. Of those that were counted, the count agrees in "
                (percent(same, same + explained + contradicted)) ", a rule or the end of the record explains "
                (percent(explained, same + explained + contradicted)) ", and the board contradicts "
                (percent(contradicted, same + explained + contradicted)) ". One row for each is in "
                (self.links.table("results")) "."
            }
            div.grid {
                div { h3 { "Recorded results" } (bars(&items, whole)) }
                div { h3 { "Kinds of results" } (bars(&largest_items(kinds.collect(), 12, "result"), self.summary.found)) }
                div { h3 { "By ruleset" } (self.agreement()) }
            }
            (self.contradicted(contradicted))
        }
    }

    /// Returns the results that the board contradicts. `all` is their total number.
    fn contradicted(&self, all: u64) -> Markup {
        let games = &self.figures.examples.contradicted;
        let columns = ["game", "recorded", "counted", "recorded less counted", "ruleset", "cause", "confidence"];
        let rows: Vec<Vec<SortableCell>> = games.iter().map(|game| self.contradiction_row(game)).collect();
        html! {
            @if !rows.is_empty() {
                h3.below { "Results that the board contradicts, another winner and the widest difference first" }
                p.dim {
                    @if all > rows.len() as u64 { "The first " (rows.len()) " of " (number("verdict.contradicted", all)) "; all" } @else { "They" }
                    " are in " (self.links.table("results")) ". The arrows sort."
                }
                div.results { (sortable("contradicted", &columns, &rows)) }
                (self.disputed_boards())
            }
        }
    }

    /// Returns the boards of the first contradicted results.
    fn disputed_boards(&self) -> Markup {
        let games = &self.figures.examples.contradicted;
        html! {
            details {
                summary { "Boards of the first of them" }
                p.dim { "The last position. Crosses mark dead stones, squares territory, and red rings the group in dispute." }
                div.pairs.disputed {
                    @for (game, board) in games.iter().filter_map(|game| Some((game, game.board.as_ref()?))) {
                        figure.board {
                            figcaption {
                                b { (game.players) } ", "
                                (self.links.file(&game.example.file))
                                @if let Some(number) = game.example.game { ", game " (number) }
                                span.note {
                                    "recorded " (game.stated) ", counted " (format_margin(game.counted)) ": " (game.cause)
                                }
                            }
                            (svg(board, &format!("the last position of {}", game.players)))
                        }
                    }
                }
            }
        }
    }

    fn contradiction_row(&self, game: &ContradictedResult) -> Vec<SortableCell> {
        let ContradictedResult { example, stated, counted, difference, ruleset, cause, confidence, .. } = game;
        let place = html! {
            (self.links.file(&example.file)) @if let Some(number) = example.game { ", game " (number) }
            @if let Some(command) = self.links.show(example, " --ending") { (command) }
        };
        let difference_key = difference.map(|difference| i64::from(difference.0));
        let of_confidence = |thousandths: &u32| format!("{:.3}", f64::from(*thousandths) / 1000.0);
        vec![
            SortableCell::text(format!("{}\0{:020}", example.file, example.game.unwrap_or(0)), place),
            SortableCell::text(stated.as_str(), html! { (stated) }),
            SortableCell::number(Some(i64::from(counted.0)), html! { (format_margin(*counted)) }),
            SortableCell::number(difference_key, html! { @if let Some(difference) = difference { (difference) } }),
            SortableCell::text(ruleset.as_str(), html! { (ruleset) }),
            SortableCell::text(cause.as_str(), html! { (cause) }),
            // A result without a confidence is certain, so it sorts above every number.
            SortableCell::number(
                Some(confidence.map_or(1001, i64::from)),
                html! { (confidence.as_ref().map_or_else(|| "no doubt".to_owned(), of_confidence)) },
            ),
        ]
    }

    /// Returns, for each ruleset, how many recorded results equal its count.
    fn agreement(&self) -> Markup {
        let agreement = &self.figures.agreement;
        let names: BTreeSet<&String> = agreement.keys().map(|(name, _)| name).collect();
        let game_count = |name: &str, agrees: bool| agreement.get(&(name.to_owned(), agrees)).copied().unwrap_or(0);
        let mut rows: Vec<(&str, u64, u64)> =
            names.iter().map(|name| (name.as_str(), game_count(name, true), game_count(name, false))).collect();
        rows.sort_by_key(|(_, same, other)| std::cmp::Reverse(same + other));
        html! {
            div.wide {
                table.list {
                    thead { tr { th { "ruleset" } th.num { "the same" } th.num { "another" } th.num { "" } } }
                    @for (name, same, other) in rows.into_iter().take(12) {
                        tr {
                            td { (name) }
                            td.num { (number(&format!("agrees.{name}.yes"), same)) }
                            td.num { (number(&format!("agrees.{name}.no"), other)) }
                            td.num.dim { (percent(same, same + other)) }
                        }
                    }
                }
            }
        }
    }
}
