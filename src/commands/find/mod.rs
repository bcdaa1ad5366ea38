//! `jigo find`: a position or a pattern in games, and the turns that follow it.

mod find_args;
mod pattern_report;
mod pattern_source;

use std::ffi::OsString;
use std::sync::Arc;

pub use find_args::FindArgs;

use anyhow::Result;

use crate::args::format::row_format;
use crate::args::repro_command::{self, inputs};
use crate::args::{RunArgs, run_request};
use jigo_archive::formats::Format;
use jigo_archive::tables::{Continuations, MatchRows};
use jigo_core::pattern::PatternSearch;
use jigo_run::config::command_tables::FindTable;
use jigo_run::config::run_request::FindingsUse;
use jigo_run::execution::run_table::{aggregate_table, table, table_with_aggregate};
use jigo_run::process::{Exit, quoted};
use jigo_run::{RunConfig, RunRequest};
use pattern_report::{report_paths, write_report};
use pattern_source::PatternSource;

/// Writes one row for each match, or for each next turn.
///
/// # Errors
/// Fails if the pattern is faulty, the options contradict each other or the output fails.
pub fn find(args: &FindArgs) -> Result<Exit> {
    let run = run_args(args);
    let format_option = args.format.map(|format| format.0);
    let format = match &args.out {
        Some(_) => format_option.unwrap_or(Format::Csv),
        None => row_format(format_option, args.run.options.process.safe_text, &args.output)?,
    };
    let source = PatternSource::new(args)?;
    source.check_streams(&run.input)?;
    let search = Arc::new(PatternSearch::new(source.pattern(args)?, args.options.search()));
    let request = RunRequest {
        findings: FindingsUse::Ignored,
        color: args.output.color.choice(),
        ..run_request(&run, None, format, own_words(args))
    };
    let config = RunConfig::new(request, || run.sources())?;
    let (files, pattern_file) = (&args.output.files, source.file());
    let paths = run.read_files().reads("PATTERN", pattern_file.as_deref()).table(files);
    if let Some(folder) = &args.out {
        let report = report_paths(folder, &config);
        report.iter().fold(paths, |paths, path| paths.writes("--out", Some(path))).check(&config.sources)?;
        let inputs = inputs(&run, None, &config.sources);
        return write_report(&config, (&report, files), inputs, &search);
    }
    paths.check(&config.sources)?;
    let rows = MatchRows { search: Arc::clone(&search) };
    let continuations = Continuations { search, follows_matches: *args.options.table == FindTable::Matches };
    match *args.options.table {
        FindTable::Continuations => aggregate_table(&config, files, &continuations, "the next turns are not counted"),
        FindTable::Matches if matches!(format, Format::Text { .. }) => {
            table_with_aggregate(&config, files, rows, &continuations)
        }
        FindTable::Matches => table(&config, files, rows),
    }
}

/// Returns the words of a command line such that a diagram whose first line is a top edge is not an
/// option. A blank before it, which diagrams ignore, tells the difference.
pub(super) fn with_hyphens_protected(mut words: Vec<OsString>) -> Vec<OsString> {
    let begins_with_edge = |word: &str| {
        let (line, _) = word.split_once([',', '\n']).unwrap_or_default();
        line.starts_with('-') && line.chars().all(|symbol| "-+ \t\r".contains(symbol))
    };
    if words.get(1).is_some_and(|command| command == "find") {
        for word in words.iter_mut().skip(2) {
            if let Some(diagram) = word.to_str().filter(|word| begins_with_edge(word)) {
                *word = format!(" {diagram}").into();
            }
        }
    }
    words
}

/// Returns the name, the pattern and the own options of the command. `None` if a pattern is not
/// Unicode.
fn own_words(args: &FindArgs) -> Option<Vec<String>> {
    let mut words = repro_command::own_words("find", &args.options)?;
    if let Some(game) = &args.position {
        words.push(format!("--position {}", quoted(game.to_str()?)?));
        words.extend(args.turn.map(|turn| format!("--turn {turn}")));
    } else if let (Some(pattern), None) = (&args.pattern, &args.options.points) {
        words.insert(1, quoted(pattern.to_str()?)?);
    }
    Some(words)
}

/// Returns the options for inputs and the run. If another option gives the pattern, the first word
/// is a path.
fn run_args(args: &FindArgs) -> RunArgs {
    let mut run = args.run.clone();
    if let (Some(path), true) = (&args.pattern, args.position.is_some() || args.options.points.is_some()) {
        run.input.paths.insert(0, path.into());
    }
    run
}
