//! Bars and columns out of boxes, which stay readable at any width.

use maud::{Markup, html};

use super::{grouped, number, percent};

/// One value of a chart.
pub(super) struct Item {
    /// What it is called.
    pub label: String,
    /// The name of its figure.
    pub figure: String,
    /// How many.
    pub value: u64,
}

impl Item {
    pub(super) fn new(label: impl Into<String>, figure: impl Into<String>, value: u64) -> Item {
        Item { label: label.into(), figure: figure.into(), value }
    }
}

/// The largest items, and all others as one; `figure` names the others.
pub(super) fn largest(mut items: Vec<Item>, most: usize, figure: &str) -> Vec<Item> {
    items.sort_by_key(|item| std::cmp::Reverse(item.value));
    if items.len() > most {
        let others: u64 = items.drain(most - 1..).map(|item| item.value).sum();
        items.push(Item::new("others", format!("{figure}.others"), others));
    }
    items
}

/// A row for each item: label, bar, number, share of `whole`.
pub(super) fn bars(items: &[Item], whole: u64) -> Markup {
    let most = items.iter().map(|item| item.value).max().unwrap_or(0).max(1);
    html! {
        div.bars role="list" {
            @for item in items {
                div.item role="listitem" {
                    span { (item.label) }
                    span.bar { i style=(format!("width:{:.2}%", item.value as f64 / most as f64 * 100.0)) {} }
                    span.num { (number(&item.figure, item.value)) }
                    span.num.dim { (percent(item.value, whole)) }
                }
            }
        }
    }
}

/// A column for each item in order, with its number, upright where they are many; labels stand where there is room for them.
pub(super) fn columns(items: &[Item], title: &str) -> Markup {
    const LABELS: usize = 10;
    const NUMBERS: usize = 20;
    let most = items.iter().map(|item| item.value).max().unwrap_or(0).max(1);
    let every = items.len().div_ceil(LABELS).max(1);
    html! {
        div.wide[items.len() > NUMBERS] { div.columns.many[items.len() > NUMBERS] role="img" aria-label=(title) {
            @for (index, item) in items.iter().enumerate() {
                div.column title=(format!("{}: {}", item.label, grouped(item.value))) data-figure=(item.figure) data-value=(item.value) {
                    div.space {
                        @if item.value > 0 || items.len() <= NUMBERS { small { (short(item.value)) } }
                        i style=(format!("--high:{:.4}", item.value as f64 / most as f64)) {}
                    }
                    b { @if index % every == 0 { (item.label) } }
                }
            }
        } }
    }
}

/// A number above a narrow column.
fn short(value: u64) -> String {
    match value {
        0..10_000 => value.to_string(),
        10_000..10_000_000 => format!("{}k", value / 1000),
        _ => format!("{}M", value / 1_000_000),
    }
}
