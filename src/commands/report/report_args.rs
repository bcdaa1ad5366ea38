//! The options of `jigo report`.

use std::path::PathBuf;

use clap::Args;

use crate::args::examples::examples;
use crate::args::{CountingArgs, TableFormatArg};

/// Write all tables, summary.json and the page index.html into a folder, in one pass
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo report --out audit games/" "all tables and a summary in one pass; then open audit/index.html"
    "jigo report --out half --limit 100 --exit-zero games/" "the first hundred games, as a preview"
))]
pub struct ReportArgs {
    /// Also find duplicate games
    ///
    /// Write duplicates.csv and a section of the page. jigo duplicates explains the method.
    #[arg(long)]
    pub duplicates: bool,
    /// The options for inputs, run and counting.
    #[command(flatten)]
    pub counting: CountingArgs,
    /// Write the tables into DIR; create it if it is missing
    #[arg(long, value_name = "DIR", help_heading = "Output", required_unless_present = "resume")]
    pub out: Option<PathBuf>,
    /// Resume the unfinished run in DIR, with its inputs and options
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub resume: Option<PathBuf>,
    /// Set the format of the tables
    #[arg(long, value_name = "FORMAT", default_value = "csv", help_heading = "Output")]
    pub format: TableFormatArg,
    /// Replace existing tables
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}
