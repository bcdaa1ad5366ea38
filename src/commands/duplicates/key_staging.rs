//! `--checkpoint`: the staging directory of `jigo duplicates`, from which a killed run can be
//! resumed.
//!
//! It contains the games read so far with their keys, the run's
//! [`identity`](jigo_run::run_fingerprint), and a [`KeyCheckpoint`]. If the games differ from the
//! checkpoint, the run starts again.
//!
//! The directory may come from a stranger. It contains no paths to write to, and invented games
//! only add rows about invented games.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use jigo_archive::duplicates::KeyedGames;
use jigo_archive::pipeline::{ResumePoint, hash};
use jigo_archive::summary::Summary;
use jigo_archive::visit::KeyedGame;
use jigo_core::similarity::{KEYS, SimilarityKeys};
use jigo_run::execution::duplicate_rows::SPILL_FAILED;
use jigo_run::output::checksummed_json::Durability;
use jigo_run::output::regular_file::is_regular_file;
use jigo_run::output::staging_dir::{STAGING_FILES, StagingDir, StagingPlace};
use jigo_run::run_fingerprint::{FINGERPRINT_FILE, INPUTS_FILE, RunFingerprint};

/// The beginning of a checkpoint. The number changes with the format.
const HEAD: &str = "jigo duplicates checkpoint 3 ";
/// The file of the games. Its extension shows that it is not a record.
const GAMES_FILE: &str = "games.part";
/// The maximum length of a [`GameLine`].
const MAX_LINE: u64 = 1 << 20;

/// The progress of a run after some complete batches.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyCheckpoint {
    batches: u64,
    /// The sum of the counts of these batches.
    summary: Summary,
    /// The number of games in the file.
    games: u64,
    /// The length of the file in bytes.
    length: u64,
    /// The checksum of the games in hexadecimal digits.
    checksum: String,
}

/// A game as file name, numbers, keys, and the lengths of the sketch and the header values, whose
/// bytes follow the line.
#[derive(Serialize, Deserialize)]
struct GameLine<'a>(Cow<'a, str>, [u64; 8], [Option<u64>; KEYS.len()], [usize; 2]);

/// The games of a run that are being collected.
pub struct StagedKeys {
    staging: StagingDir,
    path: PathBuf,
    file: File,
    done: KeyCheckpoint,
    checksum: u64,
    is_within_batch: bool,
}

impl StagedKeys {
    /// Creates the directory, or opens that of the same run and adds its games to `games`.
    ///
    /// # Errors
    /// Fails if the directory can't be read or written, another run uses it, it belongs to a
    /// different run, or the inputs can't be read twice.
    pub fn open(path: &Path, fingerprint: &RunFingerprint, games: &mut KeyedGames) -> Result<StagedKeys> {
        let name = path.display();
        if let Some(reason) = fingerprint.obstacle() {
            bail!("--checkpoint: {reason}");
        }
        let is_of_jigo = is_absent_or_of_jigo(path).with_context(|| format!("--checkpoint {name}"))?;
        ensure!(is_of_jigo, "{name} is not a checkpoint of this version of jigo");
        if let Some(mut staging) = StagingDir::open(place(path))? {
            let is_usable = |checkpoint: &KeyCheckpoint| checkpoint.summary.is_balanced();
            let is_partly_removed = is_partly_removed(&staging).with_context(|| format!("--checkpoint {name}"))?;
            if let Some(done) = staging.checkpoint(HEAD, is_usable)?.filter(|_| !is_partly_removed) {
                fingerprint.compare(&staging.path().join(FINGERPRINT_FILE)).with_context(|| {
                    format!(
                        "{name} belongs to other inputs or options, or inputs have changed since; remove it to start again"
                    )
                })?;
                if let Some(file) = resume(&staging, &done, games).with_context(|| format!("--checkpoint {name}"))? {
                    staging.keep();
                    return Ok(StagedKeys::new(staging, path, file, done));
                }
            }
            staging.remove()?;
        }
        let staging = StagingDir::create(place(path))?;
        let written = fingerprint.write(&staging.path().join(FINGERPRINT_FILE));
        let file = written.and_then(|()| staging.append_to(GAMES_FILE, &path.join(GAMES_FILE), None));
        let file = file.with_context(|| format!("cannot write to {name}"))?;
        let file = file.with_context(|| format!("cannot write to {name}"))?;
        Ok(StagedKeys::new(staging, path, file, KeyCheckpoint::default()))
    }

    fn new(staging: StagingDir, path: &Path, file: File, done: KeyCheckpoint) -> StagedKeys {
        let checksum = u64::from_str_radix(&done.checksum, 16).unwrap_or(0);
        StagedKeys { staging, path: path.to_owned(), file, done, checksum, is_within_batch: false }
    }

    /// Returns the progress of the run.
    pub fn resume_point(&self) -> ResumePoint {
        ResumePoint { batches: self.done.batches, summary: self.done.summary.clone() }
    }

    /// Adds games of a batch with their counts. `ends_batch` completes the batch.
    ///
    /// # Errors
    /// Fails if the directory can't be written.
    pub fn add(&mut self, games: &[KeyedGame], summary: &Summary, ends_batch: bool) -> Result<()> {
        let mut bytes = Vec::new();
        for game in games {
            let start = bytes.len();
            let written = write_game(&mut bytes, game);
            written.with_context(|| self.failure())?;
            self.checksum = hash(&bytes[start..], self.checksum);
        }
        self.file.write_all(&bytes).with_context(|| self.failure())?;
        self.done.games += games.len() as u64;
        self.done.length += bytes.len() as u64;
        self.done.summary.add(summary);
        self.done.batches += u64::from(ends_batch);
        self.is_within_batch = !ends_batch;
        let due = self.staging.next_checkpoint().filter(|_| ends_batch);
        due.map_or(Ok(()), |durability| self.save(durability))
    }

    /// Saves the progress for a later run, if there is any. Returns the message about it.
    ///
    /// # Errors
    /// Fails if a checkpoint can't be written.
    pub fn save_progress(&mut self) -> Result<Option<&str>> {
        if !self.is_within_batch && self.done.batches > 0 {
            self.save(Durability::Synced)?;
        }
        Ok(self.staging.advice())
    }

    fn save(&mut self, durability: Durability) -> Result<()> {
        if durability == Durability::Synced {
            self.file.sync_all().with_context(|| self.failure())?;
        }
        self.done.checksum = format!("{:016x}", self.checksum);
        self.staging.save(HEAD, &self.done, durability)
    }

    fn failure(&self) -> String {
        format!("cannot write to {}", self.path.display())
    }

    /// Removes the directory, because the rows are written.
    pub fn finish(mut self) {
        self.staging.complete();
    }
}

/// Returns true if a run was killed while it removed the directory. It removes the checkpoints
/// last.
fn is_partly_removed(staging: &StagingDir) -> io::Result<bool> {
    for name in [FINGERPRINT_FILE, INPUTS_FILE, GAMES_FILE] {
        if !is_regular_file(&staging.path().join(name))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the staging directory of a run.
fn place(path: &Path) -> StagingPlace<'_> {
    let advice = format!("progress is saved in {}; repeat the command to resume", path.display());
    StagingPlace { folder: path.to_owned(), target: path, advice }
}

/// Returns true if nothing exists at the path, or a folder with files of a staging directory only.
fn is_absent_or_of_jigo(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    }
    let names = || STAGING_FILES.iter().chain(&[FINGERPRINT_FILE, INPUTS_FILE, GAMES_FILE]);
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        if !names().any(|known_name| name == **known_name) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Opens the file of games to append to, and adds its games to `games`. Returns `None` if the file
/// differs from the checkpoint.
fn resume(staging: &StagingDir, done: &KeyCheckpoint, games: &mut KeyedGames) -> Result<Option<File>> {
    let path = staging.path().join(GAMES_FILE);
    let Some(file) = staging.append_to(GAMES_FILE, &path, Some(done.length))? else { return Ok(None) };
    // Damage must be found before the first game is added.
    if !read_games(&path, done, |_| Ok(()))? {
        return Ok(None);
    }
    read_games(&path, done, |game| games.add([game]).context(SPILL_FAILED))?;
    Ok(Some(file))
}

/// Passes on the games of a file. Returns false if the file differs from the checkpoint.
fn read_games(path: &Path, done: &KeyCheckpoint, mut pass_on: impl FnMut(KeyedGame) -> Result<()>) -> Result<bool> {
    let mut reader = BufReader::new(File::open(path)?).take(done.length);
    let (mut checksum, mut bytes, mut last_file) = (0, Vec::new(), Arc::from(""));
    for _ in 0..done.games {
        let Some(game) = read_game(&mut reader, &mut bytes, &last_file)? else { return Ok(false) };
        checksum = hash(&bytes, checksum);
        last_file = Arc::clone(&game.file);
        pass_on(game)?;
    }
    Ok(reader.limit() == 0 && done.checksum == format!("{checksum:016x}"))
}

fn write_game(bytes: &mut Vec<u8>, game: &KeyedGame) -> io::Result<()> {
    let counts = [game.turns, game.played_turns, game.errors, u32::from(game.header_values)].map(u64::from);
    let numbers = [game.game, game.offset, game.line, game.text_hash, counts[0], counts[1], counts[2], counts[3]];
    let lengths = [game.sketch.len(), game.root_values.len()];
    serde_json::to_writer(&mut *bytes, &GameLine(Cow::Borrowed(&game.file), numbers, game.keys.0, lengths))?;
    bytes.push(b'\n');
    bytes.extend_from_slice(&game.sketch);
    bytes.extend_from_slice(&game.root_values);
    Ok(())
}

/// Reads the next game, and its bytes into `bytes`. Returns `None` if they are not a game.
fn read_game(reader: &mut impl BufRead, bytes: &mut Vec<u8>, last_file: &Arc<str>) -> io::Result<Option<KeyedGame>> {
    bytes.clear();
    let end = reader.by_ref().take(MAX_LINE).read_until(b'\n', bytes)?;
    let Ok(GameLine(file, numbers, keys, [sketch, root_values])) = serde_json::from_slice(bytes) else {
        return Ok(None);
    };
    let file = if *file == **last_file { Arc::clone(last_file) } else { Arc::from(&*file) };
    let Some(length) = sketch.checked_add(root_values) else { return Ok(None) };
    reader.by_ref().take(length as u64).read_to_end(bytes)?;
    let Some((sketch, root_values)) = bytes[end..].split_at_checked(sketch) else { return Ok(None) };
    let [game, offset, line, text_hash, turns, played_turns, errors, header_values] = numbers;
    let counts = [turns, played_turns, errors].map(u32::try_from);
    let ([Ok(turns), Ok(played_turns), Ok(errors)], Ok(header_values)) = (counts, header_values.try_into()) else {
        return Ok(None);
    };
    let (sketch, root_values) = (sketch.to_vec(), root_values.to_vec());
    let keys = SimilarityKeys(keys);
    Ok(Some(KeyedGame {
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
    }))
}
