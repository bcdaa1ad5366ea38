//! `jigo explain`: what findings mean.

use std::io::{self, Write};

use anyhow::{Result, bail};

use super::Exit;
use crate::finding::Code;

/// Explains the codes that `text` selects, or lists all of them.
///
/// # Errors
/// When no code is selected, or standard output fails.
pub fn explain(text: Option<&str>) -> Result<Exit> {
    let mut out = io::stdout().lock();
    let Some(text) = text else {
        for row in Code::TABLE {
            writeln!(out, "{}  {:<8} {:<24} {}", row.id, row.severity.name(), row.name, row.what)?;
        }
        return Ok(Exit::Clean);
    };
    let codes = Code::select(text);
    if codes.is_empty() {
        bail!("there is no finding '{text}'; jigo explain lists them all");
    }
    for (index, row) in codes.iter().map(|code| code.description()).enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{} {} ({})", row.id, row.name, row.severity.name())?;
        writeln!(out, "\n  What      {}\n  Why       {}\n  What now  {}", row.what, row.why, row.remedy)?;
    }
    Ok(Exit::Clean)
}
