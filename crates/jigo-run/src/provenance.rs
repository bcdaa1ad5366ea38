//! Provenance: the program, command and inputs of a run, and the time of a report, so that its
//! figures can be cited and computed again.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, SecondsFormat};
use jigo_archive::source::SourceKind;
use jigo_rules::select::Choice;
use serde::{Deserialize, Serialize};

use crate::config::RunConfig;
use crate::interrupt::Interrupt;
use crate::output::table_checksum::Checksum;

/// The number of bytes after which an interrupt ends the reading of an input.
const CHUNK_BYTES: u64 = 1 << 20;

/// The description of a run.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The program with its version and, if known, its commit.
    program: String,
    /// The command with the inputs and all options that affect its rows and differ from their
    /// defaults. `None` if the inputs can't be read again, or if it is too long.
    pub command: Option<String>,
    /// The SHA-256 of the configuration file, if there is one.
    configuration: Option<String>,
    /// The rulesets under which endings were counted; `recorded` is that of each record.
    rulesets: Vec<String>,
    /// The beginning of the run, in UTC. `None` before 1970, after the years that dates have, and in
    /// tables, so that equal runs make equal files.
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<String>,
    inputs: InputDigest,
}

/// The identity of the inputs.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InputDigest {
    files: u64,
    bytes: u64,
    /// The SHA-256 of the lines that `sha256sum` prints for the files in the order of the run.
    /// `None` if an input was not a file, or can't be read again, and with `--limit`, which does not
    /// read all of them.
    sha256: Option<String>,
}

impl Provenance {
    /// Describes a run without its time. Reads each input file once.
    pub(crate) fn of(config: &RunConfig) -> Provenance {
        let is_piped = config.sources.iter().any(|source| matches!(source.kind, SourceKind::Stream(_)));
        let file = config.config_file().map(|file| checksum(Path::new(file.name()), &config.interrupt));
        let rulesets = config.job.settings.scored_rulesets.iter().map(|choice| match choice {
            Choice::Recorded => "recorded".to_owned(),
            Choice::Fixed(ruleset) => ruleset.name.to_string(),
        });
        Provenance {
            program: config.request.program.to_owned(),
            command: config.request.command.clone().filter(|_| !is_piped),
            configuration: file.and_then(|checksum| Some(checksum.ok()?.digits())),
            rulesets: rulesets.collect(),
            started: None,
            inputs: InputDigest::of(config),
        }
    }

    /// Returns the description with the beginning of the run. It is the first one of a run that was
    /// resumed.
    #[must_use]
    pub fn with_start(self, started: SystemTime) -> Provenance {
        Provenance { started: utc(started), ..self }
    }

    /// Returns true if two runs certainly had the same inputs.
    pub fn has_inputs_of(&self, other: &Provenance) -> bool {
        self.inputs.sha256.is_some() && self.inputs == other.inputs
    }

    /// Adds the run of a report that is merged with this one. Inputs that differ add up.
    pub fn add(&mut self, other: &Provenance) {
        // An unknown time is earlier than any other.
        self.started = self.started.take().min(other.started.clone());
        if !self.has_inputs_of(other) {
            let InputDigest { files, bytes, .. } = other.inputs;
            let sum = |one: u64, other: u64| one.saturating_add(other);
            self.inputs = InputDigest {
                files: sum(self.inputs.files, files),
                bytes: sum(self.inputs.bytes, bytes),
                sha256: None,
            };
        }
    }

    /// Returns the description as one line of JSON.
    pub fn text(&self) -> String {
        // A struct of texts and numbers is always JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the description as lines of JSON.
    pub fn json(&self) -> String {
        // A struct of texts and numbers is always JSON.
        serde_json::to_string_pretty(self).map_or(String::new(), |text| text + "\n")
    }
}

impl InputDigest {
    fn of(config: &RunConfig) -> InputDigest {
        let mut digest = InputDigest::default();
        let mut lines = config.job.selection.limit.is_none().then(Checksum::default);
        for source in &config.sources {
            let (SourceKind::File(path, _) | SourceKind::Archive(path, ..) | SourceKind::Table(path, ..)) =
                &source.kind
            else {
                lines = lines.filter(|_| matches!(source.kind, SourceKind::EmptyFolder));
                continue;
            };
            digest.files += 1;
            if lines.is_none() {
                digest.bytes += source.length().unwrap_or(0);
                continue;
            }
            let checksum = checksum(path, &config.interrupt).ok();
            digest.bytes += checksum.as_ref().map_or(0, Checksum::bytes);
            lines = lines.zip(checksum).map(|(mut lines, checksum)| {
                // sha256sum marks a line whose name is escaped.
                let name = source.name.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
                let mark = if name == *source.name { "" } else { "\\" };
                lines.add(format!("{mark}{}  {name}\n", checksum.digits()).as_bytes());
                lines
            });
        }
        InputDigest { sha256: lines.map(Checksum::digits), ..digest }
    }
}

/// Returns a time in the form of RFC 3339.
fn utc(time: SystemTime) -> Option<String> {
    let seconds = i64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_secs()).ok()?;
    Some(DateTime::from_timestamp(seconds, 0)?.to_rfc3339_opts(SecondsFormat::Secs, true))
}

/// Returns the checksum of a file.
///
/// # Errors
/// Fails if the file can't be read, or if a signal ends the run.
fn checksum(path: &Path, interrupt: &Interrupt) -> io::Result<Checksum> {
    let mut file = File::open(path)?;
    let mut checksum = Checksum::default();
    while io::copy(&mut file.by_ref().take(CHUNK_BYTES), &mut checksum)? > 0 {
        if interrupt.received().is_some() {
            return Err(io::ErrorKind::Interrupted.into());
        }
    }
    Ok(checksum)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_without_a_date_are_unknown() {
        let after = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(after(86_400 * 365).as_deref(), Some("1971-01-01T00:00:00Z"));
        assert_eq!(after(i64::MAX as u64), None);
        assert_eq!(utc(UNIX_EPOCH - Duration::from_secs(1)), None);
    }
}
