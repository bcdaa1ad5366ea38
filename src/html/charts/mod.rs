//! Charts: bars made of HTML boxes, and histograms as small pictures.

mod histogram;

use maud::{Markup, html};

pub(super) use histogram::histogram;

use super::page_data::{number, percent};

/// One value of a chart.
pub(super) struct ChartItem {
    /// The label.
    pub label: String,
    /// The name of its figure, for tests.
    pub figure: String,
    /// The number of games or findings.
    pub value: u64,
}

impl ChartItem {
    pub(super) fn new(label: impl Into<String>, figure: impl Into<String>, value: u64) -> ChartItem {
        ChartItem { label: label.into(), figure: figure.into(), value }
    }
}

/// Returns the largest items, and one item with the sum of all others. `figure` is the first part
/// of that item's figure name.
pub(super) fn largest_items(mut items: Vec<ChartItem>, max_items: usize, figure: &str) -> Vec<ChartItem> {
    items.sort_by_key(|item| std::cmp::Reverse(item.value));
    if items.len() > max_items {
        let others: u64 = items.drain(max_items - 1..).map(|item| item.value).sum();
        items.push(ChartItem::new("others", format!("{figure}.others"), others));
    }
    items
}

/// Returns content with a heading. On a narrow screen it is folded, so that the page stays short.
pub(super) fn minor(title: &str, content: &Markup) -> Markup {
    html! { details.minor { summary { h3 { (title) } } (content) } }
}

/// Returns a chart with one row per item: label, bar, number, and share of `whole`. A
/// single bar would tell nothing, so it is not drawn.
pub(super) fn bars(items: &[ChartItem], whole: u64) -> Markup {
    let is_single = items.iter().filter(|item| item.value > 0).count() < 2;
    let max_value = items.iter().map(|item| item.value).max().unwrap_or(0).max(1);
    html! {
        div.bars role="list" {
            @for item in items {
                div.item role="listitem" {
                    span { (item.label) }
                    span.bar { @if !is_single { i style=(format!("width:{:.2}%", item.value as f64 / max_value as f64 * 100.0)) {} } }
                    span.num { (number(&item.figure, item.value)) }
                    span.num.dim { (percent(item.value, whole)) }
                }
            }
        }
    }
}
