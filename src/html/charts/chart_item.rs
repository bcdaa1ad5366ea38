//! The values of charts.

/// One value of a chart.
pub(in crate::html) struct ChartItem {
    /// The label.
    pub label: String,
    /// The name of its figure, for tests.
    pub figure: String,
    /// The number of games or findings.
    pub value: u64,
}

impl ChartItem {
    pub(in crate::html) fn new(label: impl Into<String>, figure: impl Into<String>, value: u64) -> ChartItem {
        ChartItem { label: label.into(), figure: figure.into(), value }
    }
}

/// Returns the largest items, and one item with the sum of all others. `figure` is the first part
/// of that item's figure name.
pub(in crate::html) fn largest_items(mut items: Vec<ChartItem>, max_items: usize, figure: &str) -> Vec<ChartItem> {
    items.sort_by_key(|item| std::cmp::Reverse(item.value));
    if items.len() > max_items {
        let others: u64 = items.drain(max_items - 1..).map(|item| item.value).sum();
        items.push(ChartItem::new("others", format!("{figure}.others"), others));
    }
    items
}
