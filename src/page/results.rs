//! What records state against what is counted.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::charts::{Item, bars, largest};
use super::{Page, number, percent};
use jigo_core::audit::Verdict;

impl Page<'_> {
    pub(super) fn results(&self) -> Markup {
        let figures = self.figures;
        let labels = ["the count", "explained", "contradicted", "the count is in doubt", "not counted"];
        let items: Vec<Item> = (labels.iter().zip(Verdict::NAMED).zip(figures.verdicts))
            .map(|((label, (name, _)), games)| Item::new(*label, format!("verdict.{name}"), games))
            .collect();
        let whole: u64 = figures.verdicts.iter().sum();
        let [same, explained, contradicted, ..] = figures.verdicts;
        let kinds =
            figures.results.iter().map(|(name, games)| Item::new(name.as_ref(), format!("result.{name}"), *games));
        html! {
            p {
                (number("stated", whole)) " games state a result. Where it was counted, it is the count in "
                (percent(same, same + explained + contradicted)) ", a rule or the end of the record explains "
                (percent(explained, same + explained + contradicted)) ", and the board contradicts "
                (percent(contradicted, same + explained + contradicted)) ". One row for each is in "
                (self.links.table("results")) "."
            }
            div.grid {
                div { h3 { "Stated results" } (bars(&items, whole)) }
                div { h3 { "What results say" } (bars(&largest(kinds.collect(), 12, "result"), self.summary.found)) }
                div { h3 { "By ruleset" } (self.agreement()) }
            }
            @if !figures.examples.contradicted.is_empty() {
                h3 { "Results that the board contradicts, the worst first" }
                ul { @for game in &figures.examples.contradicted { li { (self.links.example(&game.example, " --ending")) } } }
            }
        }
    }

    /// For each ruleset how many stated results are its count.
    fn agreement(&self) -> Markup {
        let agreement = &self.figures.agreement;
        let names: BTreeSet<&String> = agreement.keys().map(|(name, _)| name).collect();
        let of = |name: &str, agrees: bool| agreement.get(&(name.to_owned(), agrees)).copied().unwrap_or(0);
        let mut rows: Vec<(&str, u64, u64)> =
            names.iter().map(|name| (name.as_str(), of(name, true), of(name, false))).collect();
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
