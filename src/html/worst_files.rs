//! The section on files: those with the most games that have errors.

use maud::{Markup, html};

use super::page_data::{Page, number};
use super::tables::folded;
use jigo_archive::visit::figures::FileFigures;
use jigo_record::finding::Severity;

impl Page<'_> {
    /// Returns the files with errors or warnings, the worst first. `None` without one.
    pub(super) fn files(&self, worst: &[FileFigures]) -> Option<Markup> {
        let count = self.figures.files.count;
        (!worst.is_empty()).then(|| {
            html! {
                p {
                    "The files with the most games that have errors"
                    @if count > worst.len() as u64 { ", of " (number("files", count)) }
                    ". Byte offsets and all other files are in " (self.links.table("findings")) "."
                }
                (folded(&self.files_table(worst), worst.len()))
            }
        })
    }

    fn files_table(&self, worst: &[FileFigures]) -> Markup {
        let columns = ["file", "games", "games with errors", "unreadable", "errors", "warnings", "infos"];
        html! {
            div.wide {
                table.list.files {
                    thead { tr { @for (index, column) in columns.iter().enumerate() { th class=[(index > 0).then_some("num")] { (column) } } } }
                    tbody { @for file in worst { (self.file_row(file)) } }
                }
            }
        }
    }

    fn file_row(&self, file: &FileFigures) -> Markup {
        let cell = |label: &str, class: &str, figure: &str, value: u64| {
            html! { td class=(format!("num{class}")) data-label=(label) { (number(&format!("file.{figure}:{}", file.name), value)) } }
        };
        let findings = |severity: Severity| file.findings[severity as usize];
        html! {
            tr {
                td { (self.links.file(&file.name)) }
                (cell("games", "", "games", file.games))
                (cell("games with errors", " error", "games_with_errors", file.games_with_errors))
                (cell("unreadable", "", "unreadable", file.unreadable))
                (cell("errors", " error", "error", findings(Severity::Error)))
                (cell("warnings", " warning", "warning", findings(Severity::Warning)))
                (cell("infos", "", "info", findings(Severity::Info)))
            }
        }
    }
}
