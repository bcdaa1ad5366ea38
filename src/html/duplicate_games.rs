//! The section on duplicates.

use maud::{Markup, html};

use super::charts::{ChartItem, bars};
use super::page_data::{Page, number, plural};
use super::tables::{SortableCell, SortableRow, folded, sortable};
use jigo_archive::duplicates::DuplicateSet;
use jigo_archive::tables::DuplicateRow;
use jigo_archive::visit::figures::Example;
use jigo_core::similarity::{Class, RecordComparison};

/// The maximum number of rows of the table.
const MAX_ROWS: usize = 100;
/// The description of each class, in the order of [`Class`].
const MEANINGS: [&str; Class::NAMES.len()] = [
    "identical: the same text",
    "same: the same turns, other text",
    "symmetric: turned, mirrored, or with colours exchanged",
    "prefix: cut short",
    "variant: a few typing errors, or other last turns",
    "collision: the same turns, by other players or clocks",
];

impl Page<'_> {
    pub(super) fn duplicates(&self, set: &DuplicateSet) -> Markup {
        let counts = set.counts();
        let duplicate_count = set.duplicate_count();
        let items: Vec<ChartItem> = (MEANINGS.iter().zip(Class::NAMES).zip(counts))
            .map(|((meaning, (name, _)), games)| ChartItem::new(*meaning, format!("copies.{name}"), games))
            .collect();
        html! {
            p {
                (number("copies.again", duplicate_count)) " " (plural(duplicate_count, "duplicate", "duplicates")) " of "
                (number("copies.clusters", set.cluster_count())) " " (plural(set.cluster_count(), "game", "games")) ". "
                (self.links.table("duplicates")) " names the game to keep of each cluster, and the reason. Collisions are not duplicates and are not counted."
            }
            div.grid { div { (bars(&items, self.summary.found)) } }
            @if let Some(command) = self.links.command_for_all("extract --dedupe --out once.sgf") {
                @if duplicate_count > 0 { p.dim { "Write each game once to a separate file:" } (command) }
            }
            (self.duplicates_table(set))
        }
    }

    /// Returns a table of the first duplicates, each with its representative.
    fn duplicates_table(&self, set: &DuplicateSet) -> Markup {
        let cells_of = |row: DuplicateRow| {
            row.compared_with.map(|((file, game), found)| self.duplicate_row(&row, file, game, found).into())
        };
        let cells: Vec<SortableRow> = set.rows().filter_map(cells_of).take(MAX_ROWS).collect();
        let all = set.rows().filter(|row| row.compared_with.is_some()).count();
        let columns = ["game", "is", "of", "turns", "in common", "edits", "agreeing", "conflicting"];
        html! {
            @if !cells.is_empty() {
                h3.below { "Duplicate games" }
                @if all > cells.len() { p.dim { "The first " (cells.len()) "; all are in " (self.links.table("duplicates")) "." } }
                div.copies { (folded(&sortable("copies", &columns, &cells), cells.len())) }
            }
        }
    }

    fn duplicate_row(
        &self,
        row: &DuplicateRow,
        of_file: &str,
        of_game: u64,
        found: &RecordComparison,
    ) -> Vec<SortableCell> {
        let (file, game, offset) = row.location;
        let example = Example { file: file.into(), game: Some(game), offset, ..Example::default() };
        let place = |file: &str, game: u64| html! { (self.links.file(file)) ", game " (game) };
        let key = |file: &str, game: u64| format!("{file}\0{game:020}");
        let class = found.class.name();
        let view = if found.view.is_identity() { String::new() } else { found.view.to_string() };
        let count = |value: u32| SortableCell::number(Some(i64::from(value)), html! { (value) });
        let names = |names: String| SortableCell::text(names.as_str(), html! { (names.replace(';', ", ")) });
        vec![
            SortableCell::text(
                key(file, game),
                html! { (place(file, game)) @if let Some(command) = self.links.show(&example, "") { (command) } },
            ),
            SortableCell::text(class, html! { (class) @if !view.is_empty() { span.note { (view) } } }),
            SortableCell::text(key(of_file, of_game), place(of_file, of_game)),
            count(row.turns),
            count(found.common_turns),
            count(found.edits),
            names(found.agreeing.names()),
            names(found.conflicting.names()),
        ]
    }
}
