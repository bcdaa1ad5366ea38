//! The identity of an unfinished run: jigo's version, options and inputs. Only a run with the same
//! identity can resume it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use std::{env, fs, io};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::config::RunConfig;
use crate::output::regular_file::{self, is_regular_file};
use jigo_archive::pipeline::{Job, Selection, hash};
use jigo_archive::source::{Source, SourceKind};

/// The file that lists the inputs, next to the file with all other values.
const INPUTS_FILE: &str = "inputs.txt";

/// The version, options and inputs of a run.
pub struct RunFingerprint {
    jigo: String,
    options: String,
    /// One line per source, with its name, length and modification time. The error tells why no
    /// other run can resume this one.
    inputs: Result<String, &'static str>,
}

/// The values that a run records for a later run.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedRun {
    jigo: String,
    options: String,
    /// `None` if the arguments are not Unicode. The same holds for the folder.
    arguments: Option<Vec<String>>,
    folder: Option<PathBuf>,
}

impl RunFingerprint {
    /// Returns the identity of a run before it starts.
    pub fn new(config: &RunConfig) -> RunFingerprint {
        // Two builds may share a version, but hardly a file length.
        let length = env::current_exe().and_then(fs::metadata).map_or(0, |metadata| metadata.len());
        RunFingerprint {
            jigo: format!("jigo {} ({length} bytes)", env!("CARGO_PKG_VERSION")),
            options: format!("{:?} {:?}", job(config), config.format()),
            inputs: inputs(config),
        }
    }

    /// Returns the identity of a run that may also look for duplicates.
    pub fn with_duplicates(self, with_duplicates: bool) -> RunFingerprint {
        let options = if with_duplicates { self.options + " with copies" } else { self.options };
        RunFingerprint { options, ..self }
    }

    /// Returns the identity of a run that records only the games read. `options` contains the other
    /// options that must be the same.
    pub fn from_inputs(config: &RunConfig, options: &str) -> RunFingerprint {
        let options = format!("{:?} {options}", job(config));
        RunFingerprint { options, inputs: sources(config), ..RunFingerprint::new(config) }
    }

    /// Returns a hash of the identity.
    ///
    /// # Errors
    /// Returns a sentence that tells why no later run can resume this one.
    pub fn sum(&self) -> Result<u64, &'static str> {
        let RunFingerprint { jigo, options, inputs } = self;
        Ok(hash(format!("{jigo}\n{options}\n{}", inputs.as_ref().map_err(|reason| *reason)?).as_bytes(), 0))
    }

    /// Returns the reason why no later run can resume this one, if there is one.
    pub fn obstacle(&self) -> Option<&'static str> {
        self.inputs.as_ref().err().copied()
    }

    /// Writes the identity with the arguments and the working folder of this run.
    ///
    /// # Errors
    /// Fails if a file can't be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let arguments: Option<Vec<String>> = env::args_os().skip(1).map(|word| word.into_string().ok()).collect();
        let folder = env::current_dir().ok().and_then(|folder| folder.into_os_string().into_string().ok());
        let recorded = RecordedRun {
            jigo: self.jigo.clone(),
            options: self.options.clone(),
            arguments,
            folder: folder.map(PathBuf::from),
        };
        regular_file::write(path, &serde_json::to_vec(&recorded)?)?;
        let write_inputs =
            |inputs: &String| regular_file::write(&path.with_file_name(INPUTS_FILE), inputs.as_bytes()).map(drop);
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
        let RecordedRun { jigo, options, arguments, .. } = read(path)?;
        ensure!(jigo == self.jigo, "it was begun by {jigo}, and this is {}", self.jigo);
        let words = arguments.unwrap_or_default().join(" ");
        ensure!(options == self.options, "the options are not those that it was begun with: jigo {words}");
        let inputs = self.inputs.as_ref().map_err(|obstacle| anyhow!(*obstacle))?;
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
                    let line_name = |line: Option<&str>| line.map_or(String::new(), |line| name(line).to_owned());
                    bail!("the inputs have changed: {} was replaced by {}", line_name(before), line_name(after))
                }
            }
        }
    }
}

/// Returns the job without the list of games, which may be long. The caller represents it by its
/// file.
fn job(config: &RunConfig) -> Job {
    let selection = Selection { games: None, ..config.job().selection.clone() };
    Job { selection, ..config.job().clone() }
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
/// Returns a sentence that tells why the run can't be resumed, and which runs can be.
fn inputs(config: &RunConfig) -> Result<String, &'static str> {
    if !config.format().is_lines() {
        return Err("a run that writes Parquet or Arrow can't be resumed; use --format csv or jsonl");
    }
    sources(config)
}

/// Returns the lines of all sources.
///
/// # Errors
/// Returns a sentence that tells why they can't be read again.
fn sources(config: &RunConfig) -> Result<String, &'static str> {
    let lines: Option<String> = config.sources().iter().map(line).collect();
    lines.ok_or("standard input and pipes can't be read twice; write their content to a file and report that")
}

fn name(line: &str) -> &str {
    line.rsplit_once('\t').map_or(line, |(name, _)| name)
}

/// Returns the line of a source, or `None` if it can be read only once. The time is the last
/// modification in nanoseconds since 1970.
fn line(source: &Source) -> Option<String> {
    let mut line = format!("{:?}\t", source.name);
    // Writing to a String can't fail.
    let _ = match &source.kind {
        SourceKind::File(path, length) | SourceKind::Archive(path, length, _) | SourceKind::Table(path, length, _) => {
            let metadata = fs::metadata(path).ok();
            let modified = metadata.filter(fs::Metadata::is_file)?.modified().ok()?;
            let time = modified.duration_since(UNIX_EPOCH).map_or(0, |duration| duration.as_nanos());
            writeln!(line, "{length} {time}")
        }
        SourceKind::EmptyFolder => writeln!(line, "empty"),
        SourceKind::Failed(reason) => writeln!(line, "{reason:?}"),
        SourceKind::Stream(_) | SourceKind::InMemory(_) | SourceKind::Member => return None,
    };
    Some(line)
}
