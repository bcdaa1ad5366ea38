//! `--checkpoint`: a journal of the games read so far, so that a killed run can be resumed.
//!
//! The first line identifies the run. Each batch follows with its length and hash. A batch that a
//! kill cut short fails this check and is read again.
//!
//! The journal may come from a stranger. It contains no paths to write to, and invented games only
//! add rows about invented games.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};

use jigo_archive::duplicates::KeyedGames;
use jigo_archive::pipeline::{ResumePoint, hash};
use jigo_archive::summary::Summary;
use jigo_archive::visit::KeyedGame;
use jigo_core::similarity::{KEYS, SimilarityKeys};
use jigo_run::execution::duplicate_rows::SPILL_FAILED;
use jigo_run::output::file_lock::{self, Lock};
use jigo_run::output::regular_file::is_regular_file;
use jigo_run::run_fingerprint::RunFingerprint;

/// The beginning of the first line. The number changes with the format.
const HEAD: &str = "jigo duplicates checkpoint 1 ";

/// The journal of a run, to which each complete batch is appended.
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The games of the current batch, which is not complete yet.
    batch_games: Vec<KeyedGame>,
    resume_point: ResumePoint,
}

/// The line before the games of a batch.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BatchHead {
    /// The number of batches, including this one.
    batches: u64,
    /// The sum of the counts of these batches.
    summary: Summary,
    /// The number of games that follow.
    games: u64,
}

/// A game as file name, numbers, keys, and the lengths of the sketch and the header values, whose
/// bytes follow the line.
#[derive(Serialize, Deserialize)]
struct GameLine<'a>(Cow<'a, str>, [u64; 8], [Option<u64>; KEYS.len()], [usize; 2]);

impl Journal {
    /// Creates a journal, or opens an existing one of the same run and adds its games to `games`.
    ///
    /// # Errors
    /// Fails if the journal can't be read or written, another run uses it, it belongs to a
    /// different run, or the inputs can't be read twice.
    pub fn open(path: &Path, fingerprint: &RunFingerprint, games: &mut KeyedGames) -> Result<Journal> {
        let name = path.display();
        let failure = || format!("--checkpoint {name}");
        let fingerprint = fingerprint.sum().map_err(|reason| anyhow!("--checkpoint: {reason}"))?;
        let head = format!("{HEAD}{fingerprint:016x}\n");
        let exists = is_regular_file(path).with_context(failure)?;
        let mut options = File::options();
        let options = options.read(true).write(true);
        let mut file =
            if exists { options.open(path) } else { options.create_new(true).open(path) }.with_context(failure)?;
        ensure!(file_lock::lock(&file, path) == Lock::Taken, "another jigo is writing to {name}");
        let mut resume_point = ResumePoint::default();
        let length = file.metadata().with_context(failure)?.len();
        if length == 0 {
            file.write_all(head.as_bytes()).with_context(failure)?;
        } else {
            let mut reader = BufReader::new(&file);
            let mut first = Vec::new();
            reader.by_ref().take(head.len() as u64).read_until(b'\n', &mut first).with_context(failure)?;
            ensure!(first.starts_with(HEAD.as_bytes()), "{name} is not a checkpoint of this version of jigo");
            ensure!(
                first == head.as_bytes(),
                "{name} belongs to other inputs or options, or inputs have changed since; remove it to start again"
            );
            let mut end = head.len() as u64;
            while let Some((batch, length)) = batch(&mut reader, length - end).with_context(failure)? {
                games.add(batch.games).context(SPILL_FAILED)?;
                (resume_point, end) = (batch.done, end + length);
            }
            drop(reader);
            file.set_len(end).with_context(failure)?;
            file.seek(SeekFrom::Start(end)).with_context(failure)?;
        }
        Ok(Journal { path: path.to_owned(), file, batch_games: Vec::new(), resume_point })
    }

    /// Returns the progress of the run.
    pub fn resume_point(&self) -> ResumePoint {
        ResumePoint { batches: self.resume_point.batches, summary: self.resume_point.summary.clone() }
    }

    /// Adds games of a batch with their counts. `is_end` completes the batch.
    ///
    /// # Errors
    /// Fails if the journal can't be written.
    pub fn add(&mut self, games: &[KeyedGame], summary: &Summary, is_end: bool) -> Result<()> {
        self.batch_games.extend_from_slice(games);
        self.resume_point.summary.add(summary);
        if !is_end {
            return Ok(());
        }
        self.resume_point.batches += 1;
        let failure = || format!("cannot write {}", self.path.display());
        let bytes = self.batch().with_context(failure)?;
        self.file.write_all(&bytes).with_context(failure)?;
        self.batch_games.clear();
        Ok(())
    }

    /// Serializes the current batch.
    fn batch(&self) -> io::Result<Vec<u8>> {
        let ResumePoint { batches, summary } = self.resume_point();
        let mut body = serde_json::to_vec(&BatchHead { batches, summary, games: self.batch_games.len() as u64 })?;
        body.push(b'\n');
        for game in &self.batch_games {
            let KeyedGame {
                file,
                game,
                offset,
                line,
                text_hash,
                turns,
                played_turns,
                errors,
                header_values,
                keys,
                sketch,
                root_values,
            } = game;
            let counts = [turns, played_turns, errors].map(|count| u64::from(*count));
            let numbers =
                [*game, *offset, *line, *text_hash, counts[0], counts[1], counts[2], u64::from(*header_values)];
            serde_json::to_writer(
                &mut body,
                &GameLine(Cow::Borrowed(file), numbers, keys.0, [sketch.len(), root_values.len()]),
            )?;
            body.push(b'\n');
            body.extend_from_slice(sketch);
            body.extend_from_slice(root_values);
        }
        let mut bytes = (body.len() as u64).to_le_bytes().to_vec();
        bytes.extend(hash(&body, 0).to_le_bytes());
        bytes.append(&mut body);
        Ok(bytes)
    }

    /// Returns the message about the journal if a run ends early.
    pub fn resume_message(&self) -> String {
        format!("progress is saved in {}; repeat the command to resume", self.path.display())
    }

    /// Removes the journal after the rows are written.
    ///
    /// # Errors
    /// Fails if the file can't be removed.
    pub fn finish(self) -> Result<()> {
        drop(self.file);
        std::fs::remove_file(&self.path).with_context(|| format!("cannot remove {}", self.path.display()))
    }
}

/// A batch read from a journal.
struct Batch {
    done: ResumePoint,
    games: Vec<KeyedGame>,
}

/// Reads the next batch. Returns it with its length in bytes, or `None` if no intact batch follows.
/// `remaining` is the number of bytes left in the file.
fn batch(reader: &mut impl Read, remaining: u64) -> io::Result<Option<(Batch, u64)>> {
    let Some(remaining) = remaining.checked_sub(16) else { return Ok(None) };
    let mut head = [0; 16];
    reader.read_exact(&mut head)?;
    let [length, checksum] =
        [0, 8].map(|offset| head[offset..].first_chunk().map_or(0, |number| u64::from_le_bytes(*number)));
    if length > remaining {
        return Ok(None);
    }
    let mut body = Vec::new();
    reader.by_ref().take(length).read_to_end(&mut body)?;
    let is_complete = body.len() as u64 == length && hash(&body, 0) == checksum;
    Ok(if is_complete { parse_batch(&body).map(|batch| (batch, length + 16)) } else { None })
}

/// Parses the body of a batch.
fn parse_batch(body: &[u8]) -> Option<Batch> {
    let end = body.iter().position(|byte| *byte == b'\n')?;
    let BatchHead { batches, summary, games: count } = serde_json::from_slice(&body[..end]).ok()?;
    let mut rest = &body[end + 1..];
    let mut games: Vec<KeyedGame> = Vec::new();
    for _ in 0..count {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let GameLine(file, numbers, keys, [sketch, root_values]) = serde_json::from_slice(&rest[..end]).ok()?;
        let (sketch, tail) = rest[end + 1..].split_at_checked(sketch)?;
        let (root_values, tail) = tail.split_at_checked(root_values)?;
        rest = tail;
        let [game, offset, line, text_hash, turns, played_turns, errors, header_values] = numbers;
        let shared_file = games.last().map(|last| Arc::clone(&last.file)).filter(|last| **last == *file);
        games.push(KeyedGame {
            file: shared_file.unwrap_or_else(|| (*file).into()),
            game,
            offset,
            line,
            text_hash,
            turns: turns.try_into().ok()?,
            played_turns: played_turns.try_into().ok()?,
            errors: errors.try_into().ok()?,
            header_values: header_values.try_into().ok()?,
            keys: SimilarityKeys(keys),
            sketch: sketch.to_vec(),
            root_values: root_values.to_vec(),
        });
    }
    summary.is_balanced().then_some(Batch { done: ResumePoint { batches, summary }, games })
}
