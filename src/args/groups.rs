//! The options that several commands share: those of [`jigo_run`], and those of files and terminals.

use std::path::PathBuf;

use clap::Args;

use jigo_record::splitter::RecordKind;
use jigo_run::config::option_value::integer_parser;
use jigo_run::config::options::{CountOptions, InputOptions, RunOptions};

use super::config_args::ConfigArgs;
use super::values::WhenArg;
use jigo_run::output::path_conflicts::TableFiles;

/// Returns the long help of PATH.
fn about_paths() -> String {
    format!(
        "{SHORT_ABOUT_PATHS}\n\nFolders are searched for {} and archives. Without a path, standard input is read unless it is a terminal.",
        RecordKind::patterns().join(", ")
    )
}

/// The short help of PATH.
const SHORT_ABOUT_PATHS: &str = "Files, archives, folders or - for standard input";

/// The options for inputs.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    /// The paths of the inputs.
    #[arg(value_name = "PATH", help_heading = None::<&str>, help = SHORT_ABOUT_PATHS, long_help = about_paths())]
    pub paths: Vec<PathBuf>,
    /// Also read the paths listed in FILE, one per line; - is standard input
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,
    /// Split the paths of --files-from at NUL, as find -print0 writes them
    #[arg(long, requires = "files_from")]
    pub null: bool,
    /// Set the name of standard input in the rows
    ///
    /// The extension of the name gives the format, as for files.
    #[arg(long, value_name = "NAME", default_value = "-")]
    pub stdin_name: String,
    /// The options for reading inputs.
    #[command(flatten)]
    pub options: InputOptions,
    /// List the skipped files of folders on standard error
    #[arg(long)]
    pub verbose: bool,
}

/// The options for the run.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// The options for inputs.
    #[command(flatten)]
    pub input: InputArgs,
    /// The options of every run.
    #[command(flatten)]
    pub options: RunOptions,
    /// Choose when to show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Run")]
    pub progress: WhenArg,
    /// The options for the configuration file.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// The options of each command that counts endings.
#[derive(Args, Debug)]
pub struct CountingArgs {
    /// The options for the run.
    #[command(flatten)]
    pub run: RunArgs,
    /// The options for counting.
    #[command(flatten)]
    pub count: CountOptions,
}

/// The options for the output.
#[derive(Args, Debug)]
#[command(mut_arg("part_rows", |argument| argument.value_parser(integer_parser::<u64>(1..=u64::MAX))))]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Choose when to colour text and the summary
    ///
    /// With auto, both are coloured on a terminal unless NO_COLOR is set.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: WhenArg,
    /// The files.
    #[command(flatten)]
    pub files: TableFiles,
}
