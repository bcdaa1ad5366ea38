//! Tables that are sorted by a click, without a script: each row knows its rank by each column, and a checked button puts the rows in that order.

use maud::{Markup, html};

/// Columns that the style sheet has an order for.
const MOST_COLUMNS: usize = 12;

/// What a cell is sorted by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// Nothing; before all else.
    Nothing,
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

/// A cell.
pub(super) struct Cell {
    key: Key,
    class: &'static str,
    content: Markup,
}

impl Cell {
    /// A cell with a text; `content` shows it.
    pub(super) fn text(key: impl Into<String>, content: Markup) -> Cell {
        Cell { key: Key::Text(key.into()), class: "", content }
    }

    /// A cell with a number, or without one.
    pub(super) fn number(key: Option<i64>, content: Markup) -> Cell {
        Cell { key: key.map_or(Key::Nothing, Key::Number), class: "num", content }
    }

    /// The same with a class.
    pub(super) fn of(self, class: &'static str) -> Cell {
        Cell { class, ..self }
    }
}

/// A table of these columns; `name` is that of no other table of the page.
pub(super) fn sortable(name: &str, columns: &[&str], rows: &[Vec<Cell>]) -> Markup {
    debug_assert!(columns.len() <= MOST_COLUMNS);
    let ranks: Vec<Vec<usize>> = (0..columns.len()).map(|column| ranks(rows, column)).collect();
    let is_number =
        |column: usize| rows.first().and_then(|row| row.get(column)).is_some_and(|cell| !cell.class.is_empty());
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
                    @for (at, row) in rows.iter().enumerate() {
                        tr role="row" style=(orders(&ranks, at)) {
                            @for cell in row { td role="cell" class=[(!cell.class.is_empty()).then_some(cell.class)] { (cell.content) } }
                        }
                    }
                }
            }
        }
    }
}

/// What sorts by a column, up and down.
fn buttons(table: &str, column: &str, index: usize) -> Markup {
    html! {
        span.by {
            @for (class, way) in [("up", "the smallest first"), ("down", "the largest first")] {
                input type="radio" name=(table) class=(format!("{class} {class}{index}")) title=(way) aria-label=(format!("sort by {column}, {way}"));
            }
        }
    }
}

/// The rank of each row by a column, from 0; what is equal has the same and stays in the order of the page.
fn ranks(rows: &[Vec<Cell>], column: usize) -> Vec<usize> {
    let key = |row: &Vec<Cell>| row.get(column).map_or(Key::Nothing, |cell| cell.key.clone());
    let mut keys: Vec<Key> = rows.iter().map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    rows.iter().map(|row| keys.binary_search(&key(row)).unwrap_or_else(|place| place)).collect()
}

/// The ranks of a row as the style sheet takes them.
fn orders(ranks: &[Vec<usize>], row: usize) -> String {
    ranks.iter().enumerate().map(|(column, ranks)| format!("--c{column}:{};", ranks[row])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_dense_and_nothing_comes_before_all_numbers() {
        let cell = |key: Option<i64>| vec![Cell::number(key, html! {})];
        let rows: Vec<Vec<Cell>> = [Some(7), None, Some(-3), Some(7)].into_iter().map(cell).collect();
        assert_eq!(ranks(&rows, 0), [2, 0, 1, 2]);
        assert_eq!(orders(&[vec![2, 0], vec![1, 5]], 1), "--c0:0;--c1:5;");
    }

    #[test]
    fn the_style_sheet_has_an_order_for_every_column_that_a_table_may_have() {
        let style = include_str!("style.css");
        for column in 0..MOST_COLUMNS {
            assert!(
                style.contains(&format!(".up{column}:checked) tbody tr {{ order: var(--c{column}); }}")),
                "{column}"
            );
            let down = format!(".down{column}:checked) tbody tr {{ order: calc(-1 * var(--c{column})); }}");
            assert!(style.contains(&down), "{column}");
        }
    }
}
