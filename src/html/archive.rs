//! The section on the archive: years, lengths, komi, ranks, rulesets, board sizes and handicaps.

use maud::{Markup, html};

use super::charts::{ChartItem, bars, histogram, largest_items, minor};
use super::page_data::{Page, number};
use jigo_archive::visit::figures::TURNS_STEP;
use jigo_record::Rank;
use jigo_rules::{HalfPoints, Preset};

/// The maximum number of bars of a chart.
const MAX_ITEMS: usize = 8;
/// The maximum number of komi with a column of their own.
const MAX_KOMI: usize = 10;
/// The maximum number of columns of a chart over years or lengths.
const MAX_CHART_COLUMNS: u64 = 60;

impl Page<'_> {
    pub(super) fn archive(&self) -> Markup {
        let figures = self.figures;
        let games = self.summary.found;
        let unknown = |text: String| if text.is_empty() { "unknown".to_owned() } else { text };
        let rulesets = figures.rulesets.iter().map(|(name, games)| {
            let name = unknown(name.clone());
            let title = Preset::find(&name).map_or(name.as_str(), |preset| preset.title);
            ChartItem::new(title, format!("ruleset.{name}"), *games)
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
            div.plots {
                div { h3 { "Years" } (self.years()) }
                div { h3 { "Turns" } (self.turns()) }
                div { h3 { "Komi" } (self.komi()) }
                div { h3 { "Ranks of players" } (self.ranks()) }
            }
            div.grid {
                (minor("Rulesets", &bars(&largest_items(rulesets.collect(), MAX_ITEMS, "ruleset"), games)))
                (minor("Boards", &bars(&largest_items(sizes.collect(), MAX_ITEMS, "size"), games)))
                (minor("Handicap", &bars(&largest_items(handicaps.collect(), MAX_ITEMS, "handicap"), games)))
            }
        }
    }

    /// Returns a plot of the most frequent komi, sorted by points.
    fn komi(&self) -> Markup {
        let mut komi: Vec<(HalfPoints, u64)> =
            self.figures.komi.iter().filter_map(|(komi, games)| Some(((*komi)?, *games))).collect();
        komi.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
        let others: u64 = komi.drain(komi.len().min(MAX_KOMI)..).map(|(_, games)| games).sum();
        komi.sort_unstable();
        let items = komi.iter().map(|(komi, games)| ChartItem::new(komi.to_string(), format!("komi.{komi}"), *games));
        let items: Vec<ChartItem> =
            items.chain((others > 0).then(|| ChartItem::new("others", "komi.others", others))).collect();
        let unknown = self.figures.komi.get(&None).copied().unwrap_or(0);
        html! {
            @if items.is_empty() { p { "No record has a komi." } } @else { (histogram(&items, "games by komi")) }
            @if unknown > 0 { p.dim { (number("komi.unknown", unknown)) " have no komi." } }
        }
    }

    /// Returns a plot of the ranks of players, from the lowest to the highest.
    fn ranks(&self) -> Markup {
        let ranks = &self.figures.ranks;
        let mut sorted: Vec<(Rank, u64)> =
            ranks.iter().filter_map(|(rank, players)| Some((Rank::parse(rank)?, *players))).collect();
        sorted.sort_unstable();
        let item = |(rank, players): &(Rank, u64)| ChartItem::new(rank.to_string(), format!("rank.{rank}"), *players);
        let items: Vec<ChartItem> = sorted.iter().map(item).collect();
        let unknown = ranks.get("").copied().unwrap_or(0);
        html! {
            @if items.is_empty() { p { "No record has a rank." } } @else { (histogram(&items, "players by rank")) }
            @if unknown > 0 && !items.is_empty() { p.dim { (number("rank.unknown", unknown)) " players have no rank." } }
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
            (histogram(&items, "games by year"))
            @if unknown > 0 { p.dim { (number("year.unknown", unknown)) " have no date." } }
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
        histogram(&items, "games by their number of turns")
    }
}
