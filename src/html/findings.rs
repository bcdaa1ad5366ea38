//! The section on findings: by severity and code, with an explanation and example games.

use maud::{Markup, html};

use super::links::flags;
use super::page_data::{Page, number, plural};
use jigo_record::finding::code::Description;
use jigo_record::finding::{Code, Severity};

impl Page<'_> {
    pub(super) fn findings(&self) -> Markup {
        html! {
            (self.fixes())
            @for severity in [Severity::Error, Severity::Warning] {
                @let rows = self.found_codes(severity);
                @if !rows.is_empty() {
                    h3 class=(severity.name()) { (heading(severity)) }
                    (self.finding_rows(&rows, severity))
                }
            }
            @let infos = self.found_codes(Severity::Info);
            @if !infos.is_empty() {
                details.infos {
                    summary { h3.info { (heading(Severity::Info)) } span.dim { ", of " (infos.len()) " " (plural(infos.len() as u64, "kind", "kinds")) } }
                    (self.finding_rows(&infos, Severity::Info))
                }
            }
            @if self.summary.all_findings() == 0 { p { "No findings." } }
        }
    }

    /// Returns the number of fixes that the games offer, and the command that lists them.
    pub(super) fn fixes(&self) -> Markup {
        let fixes = self.figures.fixes;
        html! {
            @if fixes.games > 0 {
                p {
                    (number("fixes.games", fixes.games)) " " (plural(fixes.games, "game has", "games have")) " faults that "
                    code { "jigo fix" } " can fix. " (number("fixes.safe", fixes.safe)) " fixes are safe, "
                    (number("fixes.unsafe", fixes.unsafe_fixes)) " more need " code { "--unsafe" }
                    ". Before it writes a file, it verifies the whole file, and may leave some fixes out."
                }
                @if let Some(command) = self.links.fix_command().filter(|_| fixes.safe > 0) { p.dim { "List the safe ones:" } (command) }
            }
        }
    }

    /// Returns the codes of a severity that were found, those of the most games first.
    fn found_codes(&self, severity: Severity) -> Vec<&'static Description> {
        let count = |row: &Description| self.summary.count(row.code);
        let is_found = |row: &&Description| self.summary.severity(row.code) == Some(severity);
        let mut rows: Vec<&Description> = Code::TABLE.iter().filter(is_found).collect();
        rows.sort_by_key(|row| std::cmp::Reverse((self.figures.with_finding[row.code], count(row))));
        rows
    }

    fn finding_rows(&self, rows: &[&Description], severity: Severity) -> Markup {
        let max_games = rows.iter().map(|row| self.figures.with_finding[row.code]).max().unwrap_or(1);
        html! { @for row in rows { (self.finding(row, severity, max_games)) } }
    }

    fn finding(&self, row: &Description, severity: Severity, max_games: u64) -> Markup {
        let (findings, games) = (self.summary.count(row.code), self.figures.with_finding[row.code]);
        let examples = self.figures.examples.for_code(row.code);
        html! {
            details.finding name="finding" id=(row.id) {
                summary class=(severity.name()) {
                    span.code { (row.id) }
                    span.what { b { (row.name.replace('-', " ")) } " " span.dim { (row.what) } }
                    span.bar { i style=(format!("width:{:.2}%", games as f64 / max_games as f64 * 100.0)) {} }
                    span.count {
                        (number(&format!("code.{}.games", row.id), games)) " " (plural(games, "game", "games"))
                        small { ", " (number(&format!("code.{}.findings", row.id), findings)) " " (plural(findings, "time", "times")) }
                    }
                }
                div.more {
                    p { (row.why) " " b { "What to do: " } (row.remedy) }
                    @if !examples.is_empty() {
                        p.dim { @if games > examples.len() as u64 { "The first of them:" } @else { "They are:" } }
                        ul { @for example in examples { li { (self.links.example(example, flags(row.code))) } } }
                    }
                }
            }
        }
    }
}

fn heading(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "Errors: damaged, or against the rules",
        Severity::Warning => "Warnings: odd, or had to be interpreted",
        Severity::Info => "Infos: worth knowing",
    }
}
