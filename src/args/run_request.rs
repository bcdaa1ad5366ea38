//! The request of a run, made from the command line.

use std::io::IsTerminal;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};

use crate::args::repro_command::{command_line, error_listing};
use crate::args::{InputArgs, RunArgs, WhenArg};
use crate::progress::ProgressBar;
use crate::version::BUILD;
use jigo_archive::formats::Format;
use jigo_archive::source::files::discover;
use jigo_archive::source::{RowColumns, SkippedFiles, SourceKind};
use jigo_run::config::options::{CountOptions, RecordOptions};
use jigo_run::config::run_request::FindingsUse;
use jigo_run::output::path_conflicts::FlagPaths;
use jigo_run::process::note;
use jigo_run::progress::{Progress, StartProgress};
use jigo_run::{Counting, InputSources, RunRequest};

/// Returns the request of a run. `count` is present for commands that count, and `own` are the name
/// and the own options of a command whose tables describe their run.
pub fn run_request(
    run: &RunArgs,
    count: Option<&CountOptions>,
    format: Format,
    own: Option<Vec<String>>,
) -> RunRequest {
    RunRequest {
        input: run.input.options.clone(),
        run: run.options.clone(),
        counting: count.map(|count| Counting::new(&run.options.judging, count)),
        config_file: run.config.file(),
        findings: if count.is_none() { FindingsUse::Listed } else { FindingsUse::ExitCode },
        format,
        program: BUILD,
        command: command_line(own, run, count),
        error_listing: error_listing(run, count),
        progress: Some(progress(shows_progress(run))),
        ..RunRequest::default()
    }
}

/// Returns the display of messages, and of the progress if it is shown.
pub fn progress(is_shown: bool) -> Arc<StartProgress> {
    Arc::new(move |start| Box::new(ProgressBar::new(is_shown, &start)) as Box<dyn Progress>)
}

fn shows_progress(run: &RunArgs) -> bool {
    let terminal = std::io::stderr().is_terminal();
    !run.options.process.quiet && (run.progress == WhenArg::Always || (run.progress == WhenArg::Auto && terminal))
}

/// Returns the columns of tables with records.
pub fn columns(records: &RecordOptions) -> RowColumns<'_> {
    RowColumns { record: &records.column.0, id: &records.id_column.0 }
}

impl InputArgs {
    /// Returns the named sources, and the skipped files of folders, except for `read` files.
    ///
    /// # Errors
    /// Fails if no source is named, or if a list can't be read.
    pub fn sources(&self, read: &FlagPaths<'_>) -> Result<InputSources> {
        let mut paths = self.paths.clone();
        if let Some(list) = &self.files_from {
            let listed = discover::read_path_list(list, self.null);
            paths.extend(listed.with_context(|| format!("--files-from {}", list.display()))?);
            // An empty list is not an error, because a list of changed files may be empty.
            if paths.is_empty() {
                note(&format!("--files-from {} names no file: nothing is read", list.display()));
            }
        } else if paths.is_empty() {
            ensure!(!std::io::stdin().is_terminal(), "nothing to read: name files or folders, or - for standard input");
            paths.push("-".into());
        }
        let mut skipped = SkippedFiles::default();
        let columns = columns(&self.options.records);
        let mut sources = discover::discover_with(&paths, columns, &mut |path| {
            let is_skipped = !read.contains(path);
            if is_skipped {
                skipped.add(path);
            }
            if is_skipped && self.verbose {
                note(&format!("skipped {}", path.display()));
            }
        });
        let piped = sources.iter_mut().filter(|source| matches!(source.kind, SourceKind::Stream(None)));
        piped.for_each(|source| source.name.clone_from(&self.stdin_name));
        Ok(InputSources { sources, skipped })
    }

    /// Returns a list with the files that are read in addition to the games.
    pub fn read_files(&self) -> FlagPaths<'_> {
        FlagPaths::default()
            .reads("--files-from", self.files_from.as_deref())
            .reads("--headers", self.options.records.headers.as_deref())
    }
}

impl RunArgs {
    /// Returns the sources of a command that reads no other files than [`RunArgs::read_files`].
    ///
    /// # Errors
    /// Fails as [`InputArgs::sources`].
    pub fn sources(&self) -> Result<InputSources> {
        self.input.sources(&self.read_files())
    }

    /// Returns a list with the files that are read in addition to the games.
    pub fn read_files(&self) -> FlagPaths<'_> {
        let players = self.options.selection.players.as_deref();
        self.input.read_files().reads("--players", players).reads("--config", self.config.file_path())
    }
}
