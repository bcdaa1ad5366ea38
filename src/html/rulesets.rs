//! The section that compares area with territory, and each pair of rulesets.

use maud::{Markup, html};

use super::charts::{ChartItem, bars, histogram, minor};
use super::page_data::{Page, number, percent};
use jigo_archive::visit::figures::CAUSES;
use jigo_archive::visit::pairs::Pair;
use jigo_diagrams::card::ruleset_title;
use jigo_rules::HalfPoints;

/// The maximum number of rulesets in the matrix.
const MAX_RULESETS: usize = 8;
/// The shade of the cell with the largest share, in per cent. Text is readable on it.
const MAX_SHADE: f64 = 50.0;
/// Differences of this many points or more share a column.
const MAX_DIFFERENCE: i32 = 7;

impl Page<'_> {
    pub(super) fn rulesets(&self) -> Markup {
        let figures = self.figures;
        let counted: u64 = figures.differences.values().sum();
        let same = figures.differences.get(&HalfPoints::ZERO).copied().unwrap_or(0);
        html! {
            p {
                "Of " (number("counted", counted)) " games with a sure count, area and territory come to the same margin in "
                (number("difference.zero", same)) " (" (percent(same, counted)) ")."
            }
            div.grid {
                div {
                    h3 { "Area less territory, in points for Black" }
                    (histogram(&self.differences(), "games by the difference of area and territory"))
                }
                div { h3 { "Why they differ" } (bars(&self.causes(), counted)) p.dim { "A game can have several causes. Parity: who took the last turn. Dame: points that have to be filled." } }
            }
            (self.matrix())
            @if !figures.examples.winner_changes.is_empty() {
                h3 { "Games whose winner depends on the ruleset" }
                @if let Some(command) = self.links.counting_command_for_all("compare --list") { p.dim { "All of them:" } (command) }
                details {
                    summary { "The first " (figures.examples.winner_changes.len()) }
                    ul { @for example in &figures.examples.winner_changes { li { (self.links.example(example, " --ending")) } } }
                }
            }
        }
    }

    fn differences(&self) -> Vec<ChartItem> {
        let mut items = Vec::new();
        for points in -MAX_DIFFERENCE..=MAX_DIFFERENCE {
            let is_in_column = |difference: &HalfPoints| {
                let whole = difference.0.div_euclid(2);
                whole.clamp(-MAX_DIFFERENCE, MAX_DIFFERENCE) == points
            };
            let games = self.figures.differences.iter().filter(|(difference, _)| is_in_column(difference));
            let label = match points {
                _ if points == -MAX_DIFFERENCE => format!("≤ −{MAX_DIFFERENCE}"),
                _ if points == MAX_DIFFERENCE => format!("≥ {MAX_DIFFERENCE}"),
                0.. => points.to_string(),
                _ => format!("−{}", -points),
            };
            items.push(ChartItem::new(label, format!("difference.{points}"), games.map(|(_, games)| games).sum()));
        }
        items
    }

    fn causes(&self) -> Vec<ChartItem> {
        let causes = CAUSES.iter().zip(self.figures.causes);
        causes.map(|(name, games)| ChartItem::new(name.replace('_', " "), format!("cause.{name}"), games)).collect()
    }

    /// Returns the rulesets with the most counted games, sorted by name.
    fn compared_rulesets(&self) -> Vec<&str> {
        let mut names: Vec<(&str, u64)> = Vec::new();
        for ((one, other), pair) in &self.figures.pairs.pairs {
            for name in [one, other] {
                match names.iter_mut().find(|(ruleset, _)| ruleset == name) {
                    Some((_, games)) => *games += pair.counted_games(),
                    None => names.push((name, pair.counted_games())),
                }
            }
        }
        names.sort_by_key(|(name, games)| (std::cmp::Reverse(*games), *name));
        // The share of a few games would mislead next to the share of thousands.
        let min_games = names.first().map_or(0, |(_, games)| games / 100);
        names.retain(|(_, games)| *games >= min_games);
        let mut names: Vec<&str> = names.into_iter().take(MAX_RULESETS).map(|(name, _)| name).collect();
        names.sort_unstable();
        names
    }

    fn pair(&self, one: &str, other: &str) -> Option<(String, &Pair)> {
        let names = if one < other { (one, other) } else { (other, one) };
        let pair = self.figures.pairs.pairs.get(&(names.0.to_owned(), names.1.to_owned()))?;
        Some((format!("pair.{}/{}", names.0, names.1), pair))
    }

    /// Returns how many winners change between each pair of rulesets.
    fn matrix(&self) -> Markup {
        let names = self.compared_rulesets();
        html! {
            @if names.len() > 1 {
                (minor("Winners that change from one ruleset to another", &self.matrix_table(&names)))
                details {
                    summary { "Margins of each pair" }
                    div.more.wide { (self.pair_margins(&names)) }
                }
            }
        }
    }

    fn matrix_table(&self, names: &[&str]) -> Markup {
        let share = |pair: &Pair| pair.winner as f64 / pair.counted_games().max(1) as f64;
        let pairs = names.iter().flat_map(|row| names.iter().filter_map(|column| self.pair(row, column)));
        let largest = pairs.map(|(_, pair)| share(pair)).fold(f64::MIN_POSITIVE, f64::max);
        let last = names.len() - 1;
        html! {
            div.wide {
                table.matrix {
                    thead { tr { td {} @for name in &names[..last] { th scope="col" { (ruleset_title(name)) } } } }
                    @for (index, row) in names.iter().enumerate().skip(1) {
                        tr {
                            th scope="row" { (ruleset_title(row)) }
                            @for column in &names[..index] {
                                @match self.pair(row, column) {
                                    Some((figure, pair)) => td style=(format!("--shade:{:.1}%", share(pair) / largest * MAX_SHADE)) {
                                        (number(&format!("{figure}.winner"), pair.winner)) small { (percent(pair.winner, pair.counted_games())) }
                                    },
                                    None => td.none { "–" },
                                }
                            }
                        }
                    }
                }
            }
            p.dim { "Each pair of rulesets has one cell. A dash: no game was counted under both. The axes of a ruleset are in the tooltip of its title." }
        }
    }

    fn pair_margins(&self, names: &[&str]) -> Markup {
        html! {
            table.list {
                thead { tr { th { "rulesets" } th.num { "same margin" } th.num { "1 apart" } th.num { "2" } th.num { "3 and more" } th.num { "another winner" } th.num { "unsettled" } } }
                @for (index, one) in names.iter().enumerate() {
                    @for other in &names[index + 1..] {
                        @if let Some((figure, pair)) = self.pair(one, other) {
                            tr {
                                td { (ruleset_title(one)) " – " (ruleset_title(other)) }
                                td.num { (number(&format!("{figure}.same"), pair.same)) }
                                @for (points, games) in (1..).zip(pair.margin) { td.num { (number(&format!("{figure}.margin_{points}"), games)) } }
                                td.num { (number(&format!("{figure}.winner"), pair.winner)) }
                                td.num { (number(&format!("{figure}.unsettled"), pair.unsettled)) }
                            }
                        }
                    }
                }
            }
        }
    }
}
