//! The section that compares recorded results with counted results.

mod disputes;

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::charts::{ChartItem, bars, histogram, largest_items, minor};
use super::page_data::{Page, number, percent};
use jigo_archive::visit::figures::{LAST_MARGIN_CLASS, MARGIN_STEP};
use jigo_core::audit::Verdict;
use jigo_diagrams::card::ruleset_title;

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
            (self.disputes(contradicted))
            div.grid {
                div { h3 { "Recorded results" } (bars(&items, whole)) }
                (minor("Kinds of results", &bars(&largest_items(kinds.collect(), 12, "result"), self.summary.found)))
                div { h3 { "Recorded margins in points" } (self.margins()) }
                (minor("By ruleset", &self.agreement()))
            }
        }
    }

    /// Returns a plot of the recorded margins, White's wins on the left and Black's on the right.
    fn margins(&self) -> Markup {
        let class = |class: i32| {
            let games = self.figures.margins.get(&class).copied().unwrap_or(0);
            let winner = if class < 0 { "W" } else { "B" };
            let points = MARGIN_STEP * class.abs();
            let label = match class.abs() {
                0 => "jigo".to_owned(),
                LAST_MARGIN_CLASS => format!("{winner}+{}…", points - MARGIN_STEP),
                _ => format!("{winner}+{}–{points}", points - MARGIN_STEP),
            };
            ChartItem::new(label, format!("margin.{class}"), games)
        };
        let items: Vec<ChartItem> = (-LAST_MARGIN_CLASS..=LAST_MARGIN_CLASS).map(class).collect();
        html! {
            (histogram(&items, "games by recorded margin, in steps of 5 points"))
            p.dim { "A margin on the border of two columns is in the one next to jigo." }
        }
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
                            td { (ruleset_title(name)) }
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
