//! Findings as annotations of GitHub Actions: one workflow command per line.

use super::named_format::{NamedFormat, Shape, empty_head};
use crate::row::LocatedFinding;
use crate::row::line::visible;
use jigo_record::finding::Severity;

/// Annotations of GitHub Actions.
pub const FORMAT: NamedFormat = NamedFormat {
    name: "github",
    summary: "Annotations of GitHub Actions",
    details: "annotations for GitHub Actions; findings of `check` only",
    suffixes: &["txt"],
    shape: Shape::Lines(empty_head),
    findings_only: true,
};

/// Appends a finding.
pub fn push(row: &LocatedFinding<'_>, out: &mut Vec<u8>) {
    let finding = row.finding;
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let line = row.line.map_or(String::new(), |line| format!(",line={line}"));
    let game = row.game.map_or(String::new(), |(game, _)| format!("game {game}"));
    let turn = finding.place.turn.map_or(String::new(), |turn| format!(" turn {turn}"));
    let file = escape(row.file).replace(':', "%3A").replace(',', "%2C");
    let (id, name) = (finding.code.id(), escape(finding.name()).replace(':', "%3A").replace(',', "%2C"));
    let message = escape(&row.message());
    let place = if game.is_empty() { game } else { format!("{game}{turn}: ") };
    out.extend_from_slice(format!("::{command} file={file}{line},title={id} {name}::{place}{message}\n").as_bytes());
}

/// Makes confusing characters visible, and escapes the percent sign, which begins an escape.
fn escape(text: &str) -> String {
    visible(text).replace('%', "%25")
}
