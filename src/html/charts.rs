//! Bar and column charts made of HTML boxes, which remain readable at any width.

use maud::{Markup, html};

use super::page_data::{grouped, number, percent};

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

/// Returns a chart with one row per item: label, bar, number, and share of `whole`.
pub(super) fn bars(items: &[ChartItem], whole: u64) -> Markup {
    let max_value = items.iter().map(|item| item.value).max().unwrap_or(0).max(1);
    html! {
        div.bars role="list" {
            @for item in items {
                div.item role="listitem" {
                    span { (item.label) }
                    span.bar { i style=(format!("width:{:.2}%", item.value as f64 / max_value as f64 * 100.0)) {} }
                    span.num { (number(&item.figure, item.value)) }
                    span.num.dim { (percent(item.value, whole)) }
                }
            }
        }
    }
}

/// Returns a chart with one column per item, in order, with its number above. The style sheet turns
/// the numbers of many columns upright. At most ten columns have a label.
pub(super) fn columns(items: &[ChartItem], title: &str) -> Markup {
    const LABELS: usize = 10;
    const NUMBERS: usize = 20;
    let max_value = items.iter().map(|item| item.value).max().unwrap_or(0).max(1);
    let label_interval = items.len().div_ceil(LABELS).max(1);
    html! {
        div.wide[items.len() > NUMBERS] { div.columns.many[items.len() > NUMBERS] role="img" aria-label=(title) {
            @for (index, item) in items.iter().enumerate() {
                div.column title=(format!("{}: {}", item.label, grouped(item.value))) data-figure=(item.figure) data-value=(item.value) {
                    div.space {
                        @if item.value > 0 || items.len() <= NUMBERS { small { (short_number(item.value)) } }
                        i style=(format!("--high:{:.4}", item.value as f64 / max_value as f64)) {}
                    }
                    b { @if index % label_interval == 0 { (item.label) } }
                }
            }
        } }
    }
}

/// Returns a number short enough for the space above a narrow column.
fn short_number(value: u64) -> String {
    match value {
        0..10_000 => value.to_string(),
        10_000..10_000_000 => format!("{}k", value / 1000),
        _ => format!("{}M", value / 1_000_000),
    }
}
