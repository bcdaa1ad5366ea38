//! The section on the archive: years, lengths, komi, rulesets, board sizes and handicaps.

use maud::{Markup, html};

use super::charts::{ChartItem, bars, columns, largest_items};
use super::page_data::Page;
use jigo_archive::visit::figures::TURNS_STEP;

/// The maximum number of bars of a chart.
const MAX_ITEMS: usize = 8;
/// The maximum number of columns of a chart over years or lengths.
const MAX_CHART_COLUMNS: u64 = 60;

impl Page<'_> {
    pub(super) fn archive(&self) -> Markup {
        let figures = self.figures;
        let games = self.summary.found;
        let unknown = |text: String| if text.is_empty() { "unknown".to_owned() } else { text };
        let komi = figures.komi.iter().map(|(komi, games)| {
            let komi = komi.map_or("unknown".into(), |komi| komi.to_string());
            ChartItem::new(komi.clone(), format!("komi.{komi}"), *games)
        });
        let rulesets = figures.rulesets.iter().map(|(name, games)| {
            let name = unknown(name.clone());
            ChartItem::new(name.clone(), format!("ruleset.{name}"), *games)
        });
        let sizes = figures.sizes.iter().map(|((width, height), games)| {
            let size = format!("{width}x{height}");
            ChartItem::new(size.clone(), format!("size.{size}"), *games)
        });
        let handicaps = figures.handicaps.iter().map(|(stones, games)| {
            let label = if *stones == 0 { "none".into() } else { format!("{stones} stones") };
            ChartItem::new(label, format!("handicap.{stones}"), *games)
        });
        html! {
            h3 { "Years" }
            (self.years())
            div.grid {
                div { h3 { "Turns" } (self.turns()) }
                div { h3 { "Komi" } (bars(&largest_items(komi.collect(), MAX_ITEMS, "komi"), games)) }
                div { h3 { "Rulesets" } (bars(&largest_items(rulesets.collect(), MAX_ITEMS, "ruleset"), games)) }
                div { h3 { "Boards" } (bars(&largest_items(sizes.collect(), MAX_ITEMS, "size"), games)) }
                div { h3 { "Handicap" } (bars(&largest_items(handicaps.collect(), MAX_ITEMS, "handicap"), games)) }
            }
        }
    }

    /// Returns a chart of games by year, or by decade or century if the range of years is long.
    fn years(&self) -> Markup {
        let years = &self.figures.years;
        let known: Vec<u16> = years.keys().copied().flatten().collect();
        let unknown = years.get(&None).copied().unwrap_or(0);
        let (Some(&first), Some(&last)) = (known.first(), known.last()) else {
            return html! { p { "No record has a date." } };
        };
        let step = match u64::from(last - first) {
            ..MAX_CHART_COLUMNS => 1,
            span if span / 10 < MAX_CHART_COLUMNS => 10,
            _ => 100,
        };
        let items: Vec<ChartItem> = (first / step..=last / step)
            .map(|class| {
                let from = class * step;
                let games = years.range(Some(from)..Some(from + step)).map(|(_, games)| games).sum();
                let label = if step == 1 { from.to_string() } else { format!("{from}s") };
                let figure = if step == 1 { format!("year.{from}") } else { format!("years.{step}.{from}") };
                ChartItem::new(label, figure, games)
            })
            .collect();
        html! {
            (columns(&items, "games by year"))
            @if unknown > 0 { p.dim { (super::page_data::number("year.unknown", unknown)) " have no date." } }
        }
    }

    /// Returns a chart of games by number of turns. All games of 450 turns or more share a column.
    fn turns(&self) -> Markup {
        const LAST: u32 = 450;
        let turns = &self.figures.turns;
        let longest = turns.keys().copied().max().unwrap_or(0).min(LAST);
        let items: Vec<ChartItem> = (0..=longest / TURNS_STEP)
            .map(|class| {
                let from = class * TURNS_STEP;
                let (label, games) = if from == LAST {
                    (format!("{from}+"), turns.range(from..).map(|(_, games)| games).sum())
                } else {
                    (from.to_string(), turns.get(&from).copied().unwrap_or(0))
                };
                ChartItem::new(label, format!("turns.{from}"), games)
            })
            .collect();
        columns(&items, "games by their number of turns")
    }
}
