//! The section of general statistics: one row per server, and one per server and year.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::page_data::{Page, number, percent};
use super::tables::{SortableCell, SortableRow, folded, sortable};
use jigo_archive::partial_result::PartialResult;
use jigo_archive::visit::figures::{Group, GroupKey};

/// The maximum number of rows of the table by year. If there are more years, decades or centuries
/// share a row.
const MAX_ROWS_BY_YEAR: usize = 150;
/// The table by year is open at first if it has at most this many rows.
const MAX_OPEN_ROWS: usize = 12;
/// The columns of both tables after the names.
const MEASURES: [&str; 8] = [
    "games",
    "turns a game",
    "with errors",
    "warnings, no errors",
    "not replayed",
    "counted",
    "recorded results",
    "contradicted",
];

impl Page<'_> {
    pub(super) fn servers(&self) -> Markup {
        let groups = &self.figures.groups;
        let mut servers: BTreeMap<&str, Group> = BTreeMap::new();
        groups.iter().for_each(|((server, _), group)| servers.entry(server).or_default().add_part(*group));
        let (step, years) = group_by_period(groups);
        let mut servers: Vec<(&str, Group)> = servers.into_iter().collect();
        servers.sort_by_key(|(_, group)| std::cmp::Reverse(group.games));
        let server_rows: Vec<SortableRow> = servers
            .iter()
            .map(|(server, group)| row(server, None, &format!("server.{}", display_name(server)), group).into())
            .collect();
        let year_rows: Vec<SortableRow> = years
            .iter()
            .map(|((server, from), group)| {
                let year = from.map_or("unknown".to_owned(), |from| from.to_string());
                let label = from.map_or_else(|| "no date".into(), |from| period_label(from, step));
                row(server, Some((*from, label)), &format!("group.{step}.{year}.{}", display_name(server)), group)
                    .into()
            })
            .collect();
        html! {
            p { "Games by the dialect of their records, if recognised (" code { "jigo dialects" } "), and by their first year. All values of a game are in " (self.links.table("games")) "." }
            (folded(&sortable("servers", &[&["server"][..], &MEASURES].concat(), &server_rows), server_rows.len()))
            // Servers with one year each have the same rows.
            @if year_rows.len() > server_rows.len() {
                details open[year_rows.len() <= MAX_OPEN_ROWS] {
                    summary { h3 { "By year" } span.dim { ", " (year_rows.len()) " rows" } }
                    (sortable("years", &[&["server", "year"][..], &MEASURES].concat(), &year_rows))
                }
            }
        }
    }
}

/// Returns the display name of a server.
fn display_name(server: &str) -> &str {
    if server.is_empty() { "unknown" } else { server }
}

/// Returns the label of a range of years, such as `2003` or `1990s`.
fn period_label(from: u16, step: u16) -> String {
    match step {
        1 => from.to_string(),
        10 | 100 => format!("{from}s"),
        _ => "any".into(),
    }
}

/// Groups the games by year, or by the shortest longer period whose rows fit into the table.
fn group_by_period(groups: &BTreeMap<GroupKey, Group>) -> (u16, BTreeMap<(&str, Option<u16>), Group>) {
    let by = |step: u16| {
        let mut years: BTreeMap<(&str, Option<u16>), Group> = BTreeMap::new();
        for ((server, year), group) in groups {
            years.entry((server, year.map(|year| year / step * step))).or_default().add_part(*group);
        }
        (step, years)
    };
    let few = [1, 10, 100].into_iter().map(by).find(|(_, years)| years.len() <= MAX_ROWS_BY_YEAR);
    few.unwrap_or_else(|| by(10_000))
}

fn row(server: &str, year: Option<(Option<u16>, String)>, figure: &str, group: &Group) -> Vec<SortableCell> {
    let figure_number = |measure: &str, value: u64| number(&format!("{figure}.{measure}"), value);
    let cell = |measure: &str, value: u64| SortableCell::number(Some(value as i64), figure_number(measure, value));
    let share = |measure: &str, value: u64, whole: u64| {
        let per_mille = (value * 1000).checked_div(whole).unwrap_or(0);
        SortableCell::number(
            Some(per_mille as i64),
            html! { (figure_number(measure, value)) " " small { (percent(value, whole)) } },
        )
    };
    let turns = group.turns / group.games.max(1);
    let year = year.map(|(from, label)| SortableCell::number(from.map(i64::from), html! { (label) }));
    let measured = [
        cell("games", group.games),
        SortableCell::number(Some(turns as i64), html! { (turns) }),
        share("errors", group.errors, group.games).with_class("num error"),
        share("warnings", group.warnings, group.games).with_class("num warning"),
        cell("not_replayed", group.not_replayed),
        share("counted", group.counted, group.games),
        share("stated", group.stated, group.games),
        share("contradicted", group.contradicted, group.stated).with_class("num error"),
    ];
    [SortableCell::text(server, html! { (display_name(server)) })].into_iter().chain(year).chain(measured).collect()
}
