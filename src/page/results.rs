//! What records state against what is counted.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::charts::{Item, bars, largest};
use super::{Page, number, percent};

impl Page<'_> {
    pub(super) fn results(&self) -> Markup {
        let figures = self.figures;
        let labels = [
            ("exact", "exactly a ruleset's count"),
            ("one_chain", "one doubtful chain apart"),
            ("margin", "another margin"),
            ("winner", "another winner"),
        ];
        let items: Vec<Item> = labels
            .iter()
            .zip(figures.stated)
            .map(|((name, label), games)| Item::new(*label, format!("stated.{name}"), games))
            .collect();
        let whole: u64 = figures.stated.iter().sum();
        let kinds =
            figures.results.iter().map(|(name, games)| Item::new(name.as_ref(), format!("result.{name}"), *games));
        html! {
            p {
                (number("stated", whole)) " games state a margin and have a sure count; "
                (percent(figures.stated[0], whole)) " of the margins are exactly what one of the known rulesets counts."
            }
            div.grid {
                div { h3 { "Stated margins" } (bars(&items, whole)) }
                div { h3 { "What results say" } (bars(&largest(kinds.collect(), 12, "result"), self.summary.found)) }
                div { h3 { "By ruleset" } (self.agreement()) }
            }
            @if !figures.examples.contradicted.is_empty() {
                h3 { "Results that no count confirms" }
                ul { @for example in &figures.examples.contradicted { li { (self.links.example(example, " --ending")) } } }
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
