//! `jigo dialects`: the dialects of servers and programs.

use std::io::{self, Write};

use anyhow::Result;

use clap::Args;
use jigo_record::ServerScoring;
use jigo_record::header::dialect::DIALECTS;
use jigo_rules::TerritoryReading;
use jigo_run::process::Exit;

use crate::args::examples;

/// List the dialects of servers and programs, with their effect on reading
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo dialects" "the dialects of servers and programs, and their effect on reading"
))]
pub struct DialectsArgs {}

/// Lists the dialects, with their signs, their effect on reading, and the sources of this
/// knowledge.
///
/// # Errors
/// Fails if standard output can't be written.
pub fn dialects(_: &DialectsArgs) -> Result<Exit> {
    let mut out = io::stdout().lock();
    for dialect in DIALECTS {
        writeln!(out, "{:<8} {}", dialect.name, dialect.title)?;
        writeln!(out, "{:<8}   known by  {}", "", dialect.describe_marks())?;
        let reading = dialect.describe_differences();
        let reading = if reading.is_empty() { "as FF[4] says" } else { &reading };
        writeln!(out, "{:<8}   read      {reading}", "")?;
        for scoring in dialect.server_scoring {
            writeln!(out, "{:<8}   territory {}", "", evidence_text(scoring))?;
        }
        writeln!(out, "{:<8}   source    {}", "", dialect.source)?;
    }
    writeln!(
        out,
        "\njigo uses the first dialect that a record matches. --dialect NAME sets another one, --dialect none sets none."
    )?;
    Ok(Exit::Clean)
}

/// Returns the territory rule of a server, its first date, and the evidence for it.
fn evidence_text(scoring: &ServerScoring) -> String {
    let start = if scoring.from.is_empty() { String::new() } else { format!("from {} ", scoring.from) };
    let reading = scoring.reading.map_or("one reading or the other", TerritoryReading::name);
    let measured = match scoring.measured {
        (_, 0) => String::new(),
        (matching, compared) => format!(", right in {matching} of the {compared} games in which readings differ"),
    };
    format!("{start}{reading}{measured} ({})", scoring.source)
}
