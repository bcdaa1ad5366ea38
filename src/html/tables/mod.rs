//! Tables that sort without scripts, and the folding of long ones.

mod sortable;

use maud::{Markup, html};

pub(super) use sortable::{SortableCell, SortableRow, sortable};

/// The largest number of rows of a table that is not folded.
const MAX_OPEN_ROWS: usize = 8;

/// Returns a table whose first rows are visible, with a switch that shows all of them.
///
/// The style sheet limits the height of the table while the `details` element after it is closed.
/// A browser that can't do this shows the whole table.
pub(super) fn folded(table: &Markup, rows: usize) -> Markup {
    html! {
        @if rows <= MAX_OPEN_ROWS { (table) } @else {
            div.fold { (table) }
            details.unfold { summary { "All " (rows) " rows" } }
        }
    }
}
