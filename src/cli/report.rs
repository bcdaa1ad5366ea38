//! `jigo report`: all tables and the summary, in one pass.

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result};

use super::Exit;
use super::args::{FormatArg, ReportArgs};
use super::output::PendingFile;
use super::plan::Plan;
use super::run::{conclude, run};
use crate::pipeline::Tables;
use crate::report::rows::{FindingRow, GameRow, ScoreRow};
use crate::report::{Row, Rows};

/// Writes games.csv, findings.csv, scores.csv and summary.json into a folder. They get their names when all are whole.
///
/// # Errors
/// When the flags make no sense, tables are there already, or writing fails.
pub fn report(args: &ReportArgs) -> Result<Exit> {
    let started = Instant::now();
    let tables = Tables { findings: true, scores: true, games: true };
    let plan = Plan::new(&args.input, &args.run, Some(&args.count), FormatArg::Csv, tables)?;
    let folder = args.out.display();
    fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {folder}"))?;
    let create = |name: &str| PendingFile::create(&args.out.join(name), args.force);
    let mut games = create("games.csv")?;
    let mut findings = create("findings.csv")?;
    let mut scores = create("scores.csv")?;
    let mut totals = create("summary.json")?;
    let format = plan.job.format;
    games.write(&format.header(GameRow::TABLE))?;
    findings.write(&format.header(FindingRow::TABLE))?;
    scores.write(&format.header(ScoreRow::TABLE))?;
    let summary = run(&plan, |output| {
        let bytes = |rows: Option<Rows>| rows.map_or(Vec::new(), Rows::into_bytes);
        games.write(&bytes(output.games))?;
        findings.write(&bytes(output.findings))?;
        scores.write(&bytes(output.scores))
    })?;
    totals.write(summary.json().as_bytes())?;
    for file in [games.close()?, findings.close()?, scores.close()?, totals.close()?] {
        file.put_in_place()?;
    }
    Ok(conclude(&plan, &summary, started))
}
