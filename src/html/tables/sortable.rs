//! Tables that sort on a click without scripts. Each row stores its rank by each column, and the
//! style sheet orders the rows by the column of the checked radio button.

use maud::{Markup, html};

/// The number of columns for which the style sheet defines an order.
const MAX_COLUMNS: usize = 12;

/// The value by which a cell is sorted: a number or a text. A missing value sorts before all others.
type SortKey = (Option<i64>, String);

/// A cell of a table.
pub(in crate::html) struct SortableCell {
    key: SortKey,
    class: &'static str,
    content: Markup,
}

impl SortableCell {
    /// Creates a cell that is sorted by the text `key` and displays `content`.
    pub(in crate::html) fn text(key: impl Into<String>, content: Markup) -> SortableCell {
        SortableCell { key: (None, key.into()), class: "", content }
    }

    /// Creates a cell that is sorted by a number, or by its absence.
    pub(in crate::html) fn number(key: Option<i64>, content: Markup) -> SortableCell {
        SortableCell { key: (key, String::new()), class: "num", content }
    }

    /// Sets the CSS class of the cell.
    pub(in crate::html) fn with_class(self, class: &'static str) -> SortableCell {
        SortableCell { class, ..self }
    }
}

/// A row of a table.
pub(in crate::html) struct SortableRow {
    cells: Vec<SortableCell>,
    detail: Option<Markup>,
}

impl SortableRow {
    /// Creates a row with content below its cells, which does not affect the order.
    pub(in crate::html) fn with_detail(cells: Vec<SortableCell>, detail: Markup) -> SortableRow {
        SortableRow { cells, detail: Some(detail) }
    }
}

impl From<Vec<SortableCell>> for SortableRow {
    fn from(cells: Vec<SortableCell>) -> SortableRow {
        SortableRow { cells, detail: None }
    }
}

/// Returns a table with these columns. `name` must be unique on the page.
pub(in crate::html) fn sortable(name: &str, columns: &[&str], rows: &[SortableRow]) -> Markup {
    debug_assert!(columns.len() <= MAX_COLUMNS);
    let ranks: Vec<Vec<usize>> = (0..columns.len()).map(|column| ranks(rows, column)).collect();
    let is_number =
        |column: usize| rows.first().and_then(|row| row.cells.get(column)).is_some_and(|cell| !cell.class.is_empty());
    html! {
        div.wide {
            table.list.sortable role="table" style=(format!("--columns:{}", columns.len())) {
                thead role="rowgroup" {
                    tr role="row" {
                        @for (index, column) in columns.iter().enumerate() {
                            th role="columnheader" class=[is_number(index).then_some("num")] { (column) (buttons(name, column, index)) }
                        }
                    }
                }
                tbody role="rowgroup" {
                    @for (row_index, row) in rows.iter().enumerate() {
                        tr role="row" style=(rank_properties(&ranks, row_index)) {
                            @for (cell, column) in row.cells.iter().zip(columns) {
                                td role="cell" class=[(!cell.class.is_empty()).then_some(cell.class)] data-label=(column) { (cell.content) }
                            }
                            @if let Some(detail) = &row.detail { td.detail role="cell" { (detail) } }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the buttons that sort by a column, upwards and downwards.
fn buttons(table: &str, column: &str, index: usize) -> Markup {
    html! {
        span.by {
            @for (class, order) in [("up", "the smallest first"), ("down", "the largest first")] {
                input type="radio" name=(table) class=(format!("{class} {class}{index}")) title=(order) aria-label=(format!("sort by {column}, {order}"));
            }
        }
    }
}

/// Returns the rank of each row by a column, from 0. Equal rows have the same rank and keep their
/// order.
fn ranks(rows: &[SortableRow], column: usize) -> Vec<usize> {
    let key = |row: &SortableRow| row.cells.get(column).map(|cell| cell.key.clone()).unwrap_or_default();
    let mut keys: Vec<SortKey> = rows.iter().map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    rows.iter().map(|row| keys.binary_search(&key(row)).unwrap_or_else(|rank| rank)).collect()
}

/// Returns the ranks of a row as custom properties for the style sheet.
fn rank_properties(ranks: &[Vec<usize>], row: usize) -> String {
    ranks.iter().enumerate().map(|(column, ranks)| format!("--c{column}:{};", ranks[row])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_dense_and_missing_values_come_first() {
        let cell = |key: Option<i64>| SortableRow::from(vec![SortableCell::number(key, html! {})]);
        let rows: Vec<SortableRow> = [Some(7), None, Some(-3), Some(7)].into_iter().map(cell).collect();
        assert_eq!(ranks(&rows, 0), [2, 0, 1, 2]);
        assert_eq!(rank_properties(&[vec![2, 0], vec![1, 5]], 1), "--c0:0;--c1:5;");
    }

    #[test]
    fn style_sheet_orders_every_possible_column() {
        let style = include_str!("../style.css");
        for column in 0..MAX_COLUMNS {
            assert!(
                style.contains(&format!(".up{column}:checked) tbody tr {{ order: var(--c{column}); }}")),
                "{column}"
            );
            let down = format!(".down{column}:checked) tbody tr {{ order: calc(-1 * var(--c{column})); }}");
            assert!(style.contains(&down), "{column}");
        }
    }
}
