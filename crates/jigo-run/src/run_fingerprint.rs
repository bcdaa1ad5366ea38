//! The identity of an unfinished run: jigo's version, options and inputs. Only a run with the same
//! identity can resume it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::config::RunConfig;
use crate::config::file_path::{FileStamp, nanoseconds};
use crate::config::options::{CountOptions, InputOptions, JudgingOptions, RunOptions, SelectionOptions};
use crate::output::regular_file::{self, is_regular_file};
use jigo_archive::source::{Source, SourceKind};

/// The file in a staging directory that contains the identity of its run, except the inputs.
pub const FINGERPRINT_FILE: &str = "run.json";
/// The file that lists the inputs, next to the file with all other values.
pub const INPUTS_FILE: &str = "inputs.txt";

/// The build, options and inputs of a run.
pub struct RunFingerprint {
    build: &'static str,
    options: Value,
    /// One line per source, a [`RecordedSource`]. The error tells why no other run can resume this
    /// one.
    inputs: Result<String, String>,
}

/// The values that a run records for a later run.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedRun {
    build: String,
    /// `None` if the arguments are not Unicode. The same holds for the folder.
    arguments: Option<Vec<String>>,
    folder: Option<PathBuf>,
    options: Value,
}

/// A source at the start of a run.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedSource<'a> {
    name: Cow<'a, str>,
    state: SourceState<'a>,
}

/// The state of a source at the start of a run.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum SourceState<'a> {
    /// A file of this length. The time is the last modification in nanoseconds since 1970.
    File { length: u64, modified: u64 },
    /// A folder without sources.
    EmptyFolder,
    /// A source that can't be opened for this reason.
    Failed(Cow<'a, str>),
}

/// The options that affect the rows of a run. A run that resumes another one has the same.
#[derive(Serialize)]
struct RowOptions<'a, T> {
    input: &'a InputOptions,
    judging: &'a JudgingOptions,
    selection: &'a SelectionOptions,
    counting: Option<&'a CountOptions>,
    headers: Option<FileStamp>,
    /// A hash of the list of players.
    players: Option<u64>,
    configuration: Option<Value>,
    /// The options of the command.
    own: &'a T,
}

impl RunFingerprint {
    /// Returns the identity of a run before it starts. `build` identifies the program, `counting` is
    /// present if the run counts endings, and `own` contains every other option of the command that
    /// must be the same in a run that resumes this one.
    ///
    /// # Errors
    /// Fails if the options can't be represented in JSON.
    pub fn new(
        build: &'static str,
        config: &RunConfig,
        counting: Option<&CountOptions>,
        own: &impl Serialize,
    ) -> Result<RunFingerprint> {
        let (input, RunOptions { judging, selection, .. }) = (&config.request.input, &config.request.run);
        let headers = input.records.headers.as_deref().map(FileStamp::new);
        let players = config.job.settings.players.as_ref().map(|players| players.text_hash());
        let configuration = config.configuration();
        let options = RowOptions { input, judging, selection, counting, headers, players, configuration, own };
        let options = serde_json::to_value(options).context("the options can't be recorded")?;
        Ok(RunFingerprint { build, options, inputs: inputs(config) })
    }

    /// Returns the identity of a merge of reports with these options, which is not resumed.
    pub fn of_merge(build: &'static str, options: Value) -> RunFingerprint {
        RunFingerprint { build, options, inputs: Err("a merge starts again".into()) }
    }

    /// Returns the options that affect the rows.
    pub fn options(&self) -> &Value {
        &self.options
    }

    /// Returns the identity of a run whose outputs no later run can continue for this reason, if
    /// there is one.
    #[must_use]
    pub fn with_obstacle(self, obstacle: Option<String>) -> RunFingerprint {
        RunFingerprint { inputs: obstacle.map_or(self.inputs, Err), ..self }
    }

    /// Returns the reason why no later run can resume this one, if there is one.
    pub fn obstacle(&self) -> Option<&str> {
        self.inputs.as_ref().err().map(String::as_str)
    }

    /// Writes the identity with the arguments and the working folder of this run.
    ///
    /// # Errors
    /// Fails if a file can't be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let arguments: Option<Vec<String>> = env::args_os().skip(1).map(|word| word.into_string().ok()).collect();
        let folder = env::current_dir().ok().and_then(|folder| folder.into_os_string().into_string().ok());
        let recorded = RecordedRun {
            build: self.build.to_owned(),
            arguments,
            folder: folder.map(PathBuf::from),
            options: self.options.clone(),
        };
        regular_file::write(path, &serde_json::to_vec(&recorded)?)?;
        let write_inputs = |inputs: &String| regular_file::write(&path.with_file_name(INPUTS_FILE), inputs.as_bytes());
        self.inputs.as_ref().map_or(Ok(()), write_inputs)
    }

    /// Returns the working folder and the arguments of the recorded run.
    ///
    /// # Errors
    /// Fails if the file can't be read, or the values were not Unicode.
    pub fn arguments(path: &Path) -> Result<(PathBuf, Vec<String>)> {
        let RecordedRun { arguments, folder, .. } = read(path)?;
        folder.zip(arguments).ok_or_else(|| anyhow!("its arguments are not Unicode; give the paths and options again"))
    }

    /// Compares the identity with the recorded one.
    ///
    /// # Errors
    /// Returns a sentence on the difference.
    pub fn compare(&self, path: &Path) -> Result<()> {
        let RecordedRun { build, options, arguments, .. } = read(path)?;
        ensure!(build == self.build, "it was begun by {build}, and this is {}", self.build);
        let words = arguments.unwrap_or_default().join(" ");
        ensure!(options == self.options, "the options are not those that it was begun with: jigo {words}");
        let inputs = self.inputs.as_ref().map_err(|obstacle| anyhow!(obstacle.clone()))?;
        let path = path.with_file_name(INPUTS_FILE);
        let before = String::from_utf8(read_bytes(&path)?).with_context(|| format!("{} is damaged", path.display()))?;
        if before == *inputs {
            return Ok(());
        }
        let (mut before, mut after) = (before.lines(), inputs.lines());
        loop {
            match (before.next(), after.next()) {
                (Some(before), Some(after)) if before == after => {}
                (Some(before), Some(after)) if name(before) == name(after) => {
                    bail!("{} has changed since", name(after))
                }
                (Some(before), None) => bail!("{} is no longer among the inputs", name(before)),
                (None, Some(after)) => bail!("{} was not among the inputs", name(after)),
                (before, after) => {
                    let line_name = |line: Option<&str>| line.map_or(String::new(), name);
                    bail!("the inputs have changed: {} was replaced by {}", line_name(before), line_name(after))
                }
            }
        }
    }
}

fn read(path: &Path) -> Result<RecordedRun> {
    serde_json::from_slice(&read_bytes(path)?).with_context(|| format!("{} is damaged", path.display()))
}

fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let read = is_regular_file(path).and_then(|_| fs::read(path));
    read.with_context(|| format!("cannot read {}", path.display()))
}

/// Returns the lines of all sources.
///
/// # Errors
/// Returns a sentence that tells why they can't be read again.
fn inputs(config: &RunConfig) -> Result<String, String> {
    let lines: Option<String> = config.sources.iter().map(line).collect();
    lines.ok_or("standard input and pipes can't be read twice; write their content to a file and report that".into())
}

/// Returns the quoted name of a recorded source.
fn name(line: &str) -> String {
    let recorded: Option<RecordedSource> = serde_json::from_str(line).ok();
    recorded.map_or_else(|| line.to_owned(), |source| format!("{:?}", source.name))
}

/// Returns the line of a source, or `None` if it can be read only once.
fn line(source: &Source) -> Option<String> {
    let state = match &source.kind {
        SourceKind::File(path, length) | SourceKind::Archive(path, length, _) | SourceKind::Table(path, length, _) => {
            let metadata = fs::metadata(path).ok();
            let modified = metadata.filter(fs::Metadata::is_file)?.modified().ok()?;
            SourceState::File { length: *length, modified: nanoseconds(modified) }
        }
        SourceKind::EmptyFolder => SourceState::EmptyFolder,
        SourceKind::Failed(reason) => SourceState::Failed(reason.into()),
        SourceKind::Stream(_) | SourceKind::InMemory(_) | SourceKind::Member => return None,
    };
    Some(serde_json::to_string(&RecordedSource { name: Cow::Borrowed(&source.name), state }).ok()? + "\n")
}
