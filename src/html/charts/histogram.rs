//! Histograms as SVG, with a column for each class.

use maud::{Markup, html};

use super::ChartItem;
use crate::html::page_data::{grouped, number};

/// The size of a plot in its own units, without the labels below it.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 96.0;
/// The space for the numbers of the axis, left of the columns.
const AXIS: f64 = 30.0;
/// The space for the numbers above the columns, and for the labels below them.
const LINE: f64 = 13.0;
/// The largest number of columns with a number above each. Of more columns only the highest has
/// one.
const MAX_NUMBERS: usize = 16;
/// The width of a digit of the style sheet's font size.
const LETTER: f64 = 5.6;
/// The largest number of labels.
const MAX_LABELS: usize = 8;

/// Returns a plot with one column per item, in order. `title` says what it shows, such as `games by
/// year`; people who can't see the plot read it with the range and the highest column. A
/// single column is a line of text.
pub(in crate::html) fn histogram(items: &[ChartItem], title: &str) -> Markup {
    let highest = items.iter().enumerate().max_by_key(|(index, item)| (item.value, std::cmp::Reverse(*index)));
    let Some((highest, largest_item)) = highest else { return html! {} };
    if items.iter().filter(|item| item.value > 0).count() < 2 {
        return html! { p { (largest_item.label) ": " (number(&largest_item.figure, largest_item.value)) } };
    }
    let (step, max_value) = (WIDTH / items.len() as f64, largest_item.value.max(1));
    let height = |item: &ChartItem| HEIGHT * item.value as f64 / max_value as f64;
    let center = |index: usize| (index as f64 + 0.5) * step;
    let has_number = |index: usize| index == highest || items.len() <= MAX_NUMBERS && items[index].value > 0;
    let longest_label = items.iter().map(|item| item.label.chars().count()).max().unwrap_or(0);
    let columns_a_label = (LETTER * longest_label as f64 + 8.0) / step;
    let label_interval = items.len().div_ceil(MAX_LABELS).max(columns_a_label.ceil() as usize);
    // A column for zero has a label.
    let zero = items.iter().position(|item| matches!(item.label.as_str(), "0" | "jigo")).unwrap_or(0);
    let base = HEIGHT + LINE;
    let tick = axis_tick(max_value);
    let tick_y = base - HEIGHT * tick as f64 / max_value as f64;
    html! {
        svg.plot viewBox=(format!("-{AXIS} 0 {} {}", WIDTH + AXIS, base + LINE + 2.0)) role="img" aria-label=(description(items, title, largest_item)) {
            @for (index, item) in items.iter().enumerate() {
                @let column = height(item).max(if item.value > 0 { 0.7 } else { 0.0 });
                rect x=(format!("{:.1}", index as f64 * step + 0.08 * step)) y=(format!("{:.1}", base - column))
                    width=(format!("{:.1}", 0.84 * step)) height=(format!("{column:.1}"))
                    data-figure=(item.figure) data-value=(item.value) { title { (item.label) ": " (grouped(item.value)) } }
            }
            path d=(format!("M0 {base}H{WIDTH}M0 {tick_y:.1}H-4M0 {base}V{LINE}")) {}
            @for (value, y) in [(0, base), (tick, tick_y)] { text.axis x="-6" y=(format!("{:.1}", y + 3.0)) { (short_number(value)) } }
            @for (index, item) in items.iter().enumerate() {
                @if has_number(index) { (text("value", center(index), base - height(item) - 3.0, &short_number(item.value))) }
                @if index % label_interval == zero % label_interval { (text("", center(index), base + LINE - 2.0, &item.label)) }
            }
        }
    }
}

fn description(items: &[ChartItem], title: &str, highest: &ChartItem) -> String {
    let ends = items.first().zip(items.last());
    let range = ends.map_or(String::new(), |(first, last)| format!(", from {} to {}", first.label, last.label));
    format!("{title}{range}; most, {}, at {}", grouped(highest.value), highest.label)
}

/// Returns a text whose centre is at `x`, but which stays within the plot.
fn text(class: &str, x: f64, y: f64, text: &str) -> Markup {
    let half = LETTER / 2.0 * text.chars().count() as f64;
    let x = x.max(half).min(WIDTH - half);
    html! { text class=[(!class.is_empty()).then_some(class)] x=(format!("{x:.1}")) y=(format!("{y:.1}")) { (text) } }
}

/// Returns the largest of 1, 2, 5, 10, 20 and so on up to a number.
fn axis_tick(max_value: u64) -> u64 {
    let power = 10_u64.pow(max_value.max(1).ilog10());
    [5, 2].into_iter().map(|factor| factor * power).find(|tick| *tick <= max_value).unwrap_or(power)
}

/// Returns a number short enough for the space above a narrow column.
fn short_number(value: u64) -> String {
    match value {
        0..1_000 => value.to_string(),
        1_000..10_000 => format!("{:.1}k", value as f64 / 1000.0),
        10_000..1_000_000 => format!("{}k", value / 1000),
        _ => format!("{:.1}M", value as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(values: &[u64]) -> Vec<ChartItem> {
        values
            .iter()
            .enumerate()
            .map(|(index, value)| ChartItem::new(format!("c{index}"), format!("f.{index}"), *value))
            .collect()
    }

    #[test]
    fn every_column_has_its_figure_and_the_highest_fills_the_plot() {
        let plot = histogram(&items(&[2, 0, 1234, 1]), "games").into_string();
        assert_eq!(plot.matches("<rect").count(), 4);
        assert!(plot.contains("aria-label=\"games, from c0 to c3; most, 1\u{202F}234, at c2\""), "{plot}");
        assert!(plot.contains("height=\"96.0\" data-figure=\"f.2\" data-value=\"1234\""), "{plot}");
        assert!(plot.contains(">1.2k</text>"), "{plot}");
        assert_eq!(histogram(&[], "games").into_string(), "");
        assert_eq!([1, 9, 10, 1234, 60_000].map(axis_tick), [1, 5, 10, 1000, 50_000]);
        assert!(!histogram(&items(&[0, 7, 0]), "games").into_string().contains("<svg"));
    }

    #[test]
    fn many_columns_have_few_texts() {
        let plot = histogram(&items(&[5; 60]), "games").into_string();
        assert_eq!(plot.matches("<text").count(), 3 + 60usize.div_ceil(60usize.div_ceil(MAX_LABELS)));
    }
}
