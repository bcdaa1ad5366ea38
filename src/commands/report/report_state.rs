//! The state of a report: everything that its page and its summary show. `jigo merge` adds states.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::commands::report::report_staging::{
    PAGE, PROVENANCE, STATE, SUMMARY, StagedReport, is_mergeable, table_file,
};
use crate::html::{GameCards, Inputs, Links, page};
use crate::version::BUILD;
use jigo_archive::duplicates::DuplicateSet;
use jigo_archive::formats::Format;
use jigo_archive::row::Table;
use jigo_archive::summary::Summary;
use jigo_archive::visit::Figures;
use jigo_diagrams::card::MAX_CARDS;
use jigo_run::parts::has_small_counts;
use jigo_run::provenance::Provenance;

/// The state of a report.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportState {
    /// The program. Only the same program reads the state.
    pub build: String,
    /// The options that affect the rows.
    pub options: Value,
    /// The counts.
    pub summary: Summary,
    /// The figures and examples of the page.
    pub figures: Figures,
    /// The cards of few games.
    pub cards: GameCards,
    /// The inputs for commands to paste.
    pub inputs: Inputs,
    /// The description of the run.
    pub provenance: Provenance,
    /// The numbers of rows of the tables.
    pub rows: Vec<u64>,
}

impl ReportState {
    /// Reads the state of the report in a folder.
    ///
    /// # Errors
    /// Fails if the folder has no such report, or one of another version of jigo.
    pub fn read(folder: &Path) -> Result<ReportState> {
        let name = folder.display();
        let bytes = fs::read(folder.join(STATE)).with_context(|| {
            format!("{name} has no readable {STATE}: name the folder of a complete jigo report, with tables as CSV and without --duplicates")
        })?;
        let damaged = || format!("{name}/{STATE} is damaged; make the report again");
        let value: Value = serde_json::from_slice(&bytes).with_context(damaged)?;
        let build = value["build"].as_str().unwrap_or_default();
        ensure!(build == BUILD, "{name} was made by {build}, and this is {BUILD}; make the report again");
        let is_small = has_small_counts(&value["summary"]) && has_small_counts(&value["figures"]);
        let state: ReportState = serde_json::from_value(value).with_context(damaged)?;
        ensure!(is_small && state.options["selection"].is_object() && state.summary.is_balanced(), damaged());
        Ok(state)
    }

    /// Writes the page, the description of the run and the summary of a report in `folder`, whose
    /// tables are written in `format`. `tables` has their numbers of rows.
    ///
    /// # Errors
    /// Fails if a file can't be written.
    pub fn write(
        &mut self,
        staged: &mut StagedReport,
        (folder, format): (&Path, Format),
        tables: impl IntoIterator<Item = (&'static Table, u64)>,
        duplicates: Option<&DuplicateSet>,
    ) -> Result<()> {
        let links = Links::new(folder, format.extension(), self.inputs.clone());
        let tables: Vec<(&Table, u64)> = tables.into_iter().collect();
        self.rows = tables.iter().map(|(_, rows)| *rows).collect();
        if self.summary.found > MAX_CARDS as u64 {
            // The page has no cards, and the threads decide which games have one.
            self.cards.games.clear();
        }
        if is_mergeable(format, duplicates.is_some()) {
            staged.write_file(STATE, &serde_json::to_vec(self)?)?;
        }
        let page = page(&self.summary, &mut self.figures, &links, duplicates, std::mem::take(&mut self.cards));
        staged.write_file(PAGE, page.as_bytes())?;
        self.provenance.command = links.report_command(duplicates.is_some());
        staged.write_file(PROVENANCE, self.provenance.json().as_bytes())?;
        let mut files = Map::new();
        for (table, rows) in tables {
            let file = table_file(table, format);
            let checksum = staged.checksum(&file, rows)?;
            files.insert(file, checksum);
        }
        let configuration = Some(self.options["configuration"].take()).filter(|value| !value.is_null());
        let summary = self.summary.json_with(files, duplicates.map(DuplicateSet::json), configuration);
        staged.write_file(SUMMARY, summary.as_bytes())
    }
}
