//! Staging directories, which hold the work of a run until it is complete, so that another run can
//! resume it.
//!
//! Such a directory may come from a stranger, so no link inside it is followed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::TempPath;

use crate::output::checksummed_json::{self, Durability};
use crate::output::cleanup::{self, CleanupGuard};
use crate::output::file_lock::{self, Lock};
use crate::output::permissions;
use crate::output::regular_file::{is_regular_file, is_same_file};

/// The lock file of the run that is writing.
const LOCK: &str = "lock";
/// The checkpoint, and the last checkpoint that was synchronised to the disk.
const CHECKPOINTS: [&str; 2] = ["checkpoint", "checkpoint-synced"];
/// The names of the files in every staging directory. A checkpoint has another name until it is
/// complete. The command adds its own files.
pub const STAGING_FILES: [&str; 5] = [LOCK, CHECKPOINTS[0], CHECKPOINTS[1], "checkpoint.new", "checkpoint-synced.new"];

/// The time between two checkpoints. They are cheap, so they can be frequent, and a kill loses
/// little work.
const CHECKPOINT_INTERVAL: Duration = Duration::from_millis(100);
/// The time between two checkpoints that are synchronised to the disk, in case the machine crashes.
const SYNC_INTERVAL: Duration = Duration::from_secs(30);

/// The location of a staging directory.
pub struct StagingPlace<'a> {
    /// The path of the directory.
    pub folder: PathBuf,
    /// The file or folder that the run writes.
    pub target: &'a Path,
    /// The message about resuming after a failure.
    pub advice: String,
}

/// A locked staging directory. Dropping it removes it, until there is a checkpoint from which a run
/// can be resumed.
pub struct StagingDir {
    folder: PathBuf,
    advice: String,
    schedule: CheckpointSchedule,
    /// Present if the directory is removed in the end.
    guard: Option<CleanupGuard>,
    /// The folder of the outputs if this run created it. It is removed with the directory.
    created_target: Option<PathBuf>,
    _lock: File,
}

impl StagingDir {
    /// Opens the directory of an earlier run. Returns `None` if there is none.
    ///
    /// # Errors
    /// Fails if the path is not a directory, or if another run has locked it.
    pub fn open(StagingPlace { folder, target, advice }: StagingPlace) -> Result<Option<StagingDir>> {
        if !exists(&folder)? {
            return Ok(None);
        }
        let lock = lock(&folder, target)?;
        Ok(Some(StagingDir::new(folder, advice, None, lock)))
    }

    /// Creates the directory.
    ///
    /// # Errors
    /// Fails if that is impossible, or if another run has locked the directory meanwhile.
    pub fn create(StagingPlace { folder, target, advice }: StagingPlace) -> Result<StagingDir> {
        fs::create_dir(&folder).with_context(|| format!("cannot write to {}", target.display()))?;
        let guard = CleanupGuard::new(&folder);
        let lock = lock(&folder, target)?;
        Ok(StagingDir::new(folder, advice, Some(guard), lock))
    }

    fn new(folder: PathBuf, advice: String, guard: Option<CleanupGuard>, lock: File) -> StagingDir {
        let schedule = CheckpointSchedule::default();
        StagingDir { folder, advice, schedule, guard, created_target: None, _lock: lock }
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Records that this run created the folder of the outputs.
    pub fn set_created_target(&mut self, target: PathBuf) {
        self.created_target = Some(target);
    }

    /// Returns true if this run created the folder of the outputs.
    pub fn has_new_target(&self) -> bool {
        self.created_target.is_some()
    }

    /// Returns the newest usable checkpoint whose first line begins with `head`.
    ///
    /// # Errors
    /// Fails if a checkpoint can't be read.
    pub fn checkpoint<C: DeserializeOwned>(&self, head: &str, is_usable: impl Fn(&C) -> bool) -> Result<Option<C>> {
        for name in CHECKPOINTS {
            let path = self.folder.join(name);
            let found = checksummed_json::read(head, &path);
            let found: Option<C> = found.with_context(|| format!("cannot read {}", path.display()))?;
            if let Some(found) = found.filter(&is_usable) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns the durability of the checkpoint that is due, if any.
    pub fn next_checkpoint(&self) -> Option<Durability> {
        self.schedule.next_checkpoint()
    }

    /// Writes a checkpoint, which is complete at any moment, and keeps the directory from now on.
    ///
    /// # Errors
    /// Fails if it can't be written.
    pub fn save(&mut self, head: &str, checkpoint: &impl Serialize, durability: Durability) -> Result<()> {
        let written = checksummed_json::to_bytes(head, checkpoint).and_then(|bytes| self.write(&bytes, durability));
        written.with_context(|| format!("cannot write to {}", self.folder.display()))?;
        self.schedule.record(durability);
        self.keep();
        Ok(())
    }

    fn write(&self, bytes: &[u8], durability: Durability) -> io::Result<()> {
        let is_synced = durability == Durability::Synced;
        for name in if is_synced { CHECKPOINTS.as_slice() } else { &CHECKPOINTS[..1] } {
            checksummed_json::write(&self.folder.join(name), bytes, durability)?;
            if is_synced {
                sync_folder(&self.folder)?;
            }
        }
        Ok(())
    }

    /// Keeps the directory from now on, because a run can be resumed from it.
    pub fn keep(&mut self) {
        (self.guard, self.created_target) = (None, None);
        cleanup::set_remaining_message(self.advice.clone());
    }

    /// Returns the message about resuming after a failure, if a run can be resumed.
    pub fn advice(&self) -> Option<&str> {
        self.guard.is_none().then_some(&self.advice)
    }

    /// Opens a file to append to, which will become `target`. It is new, or has the first `length`
    /// bytes that an earlier run wrote. Returns `None` if it has fewer.
    ///
    /// # Errors
    /// Fails if the file can't be opened or cut.
    pub fn append_to(&self, name: &str, target: &Path, length: Option<u64>) -> io::Result<Option<File>> {
        let path = self.folder.join(name);
        let exists = is_regular_file(&path)?;
        let Some(length) = length else {
            return permissions::creation_options(target, None).append(true).open(&path).map(Some);
        };
        if !exists {
            return Ok(None);
        }
        let file = File::options().append(true).open(&path)?;
        if file.metadata()?.len() < length {
            return Ok(None);
        }
        file.set_len(length)?;
        Ok(Some(file))
    }

    /// Moves a complete file to its final place. Does nothing if the file has been moved already.
    ///
    /// # Errors
    /// Fails if a path exists that may not be replaced, or if the file can't be moved.
    pub fn publish(&self, name: &str, target: &Path, force: bool) -> Result<()> {
        put_in_place(&self.folder.join(name), target, force)
    }

    /// Removes the directory when it is dropped, because its content has been moved.
    pub fn complete(&mut self) {
        (self.guard, self.created_target) = (Some(CleanupGuard::new(&self.folder)), None);
    }

    /// Removes the directory of an earlier run.
    ///
    /// # Errors
    /// Fails if a file can't be removed.
    pub fn remove(self) -> Result<()> {
        remove(&self.folder).with_context(|| format!("cannot remove {}", self.folder.display()))
    }
}

impl Drop for StagingDir {
    fn drop(&mut self) {
        if self.guard.is_some() {
            // If this fails, the next run tries again.
            let _ = remove(&self.folder);
            let _ = self.created_target.as_ref().map(fs::remove_dir);
        }
    }
}

/// Returns true if the directory exists.
///
/// # Errors
/// Fails if the path is anything else, or if it can't be examined.
pub fn exists(folder: &Path) -> Result<bool> {
    match fs::symlink_metadata(folder) {
        Ok(metadata) if metadata.is_dir() => Ok(true),
        Ok(_) => bail!("{} is not a folder, and not from jigo; remove it", folder.display()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", folder.display())),
    }
}

/// Locks the directory for work on `target`, as long as the returned file is open.
fn lock(folder: &Path, target: &Path) -> Result<File> {
    let name = target.display();
    let path = folder.join(LOCK);
    let exists = is_regular_file(&path).with_context(|| format!("cannot write to {name}"))?;
    let file = File::options().write(true).create_new(!exists).open(&path);
    let file = file.with_context(|| format!("cannot write to {name}"))?;
    match file_lock::lock(&file, &path) {
        Lock::Taken => Ok(file),
        Lock::Replaced => {
            // Without the file, a user has removed the directory, and no other run has replaced it.
            fs::symlink_metadata(&path).with_context(|| format!("cannot write to {name}"))?;
            bail!("another jigo is writing to {name}")
        }
        Lock::HeldElsewhere => bail!("another jigo is writing to {name}"),
    }
}

/// Moves a complete file to its final place. Does nothing if the file has been moved already.
///
/// # Errors
/// Fails if a path exists that may not be replaced, or if the file can't be moved.
pub fn put_in_place(source: &Path, target: &Path, force: bool) -> Result<()> {
    let failure = || format!("cannot write {}", target.display());
    if is_same_file(source, target) {
        // On file systems without a rename that refuses to replace, the file gets its new name
        // before it loses the old one. A killed run left both names.
        return fs::remove_file(source).with_context(failure);
    }
    if !is_regular_file(source).with_context(failure)? {
        return Ok(());
    }
    move_file(source, target, force).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => anyhow!("{} is there already; --force replaces it", target.display()),
        _ => anyhow!(error).context(failure()),
    })
}

fn move_file(source: &Path, target: &Path, force: bool) -> io::Result<()> {
    if force {
        permissions::copy_permissions(source, target, None)?;
        return fs::rename(source, target);
    }
    TempPath::try_from_path(source)?.persist_noclobber(target).map_err(|error| {
        // The file remains at its old path.
        let _ = error.path.keep();
        error.error
    })
}

/// Removes a directory, its checkpoints last. If the run is killed meanwhile, a checkpoint still
/// records the progress.
fn remove(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false if CHECKPOINTS.iter().any(|name| entry.file_name() == *name) => {}
            false => fs::remove_file(entry.path())?,
        }
    }
    fs::remove_dir_all(folder)
}

/// Waits until the names in a folder are on the disk.
///
/// # Errors
/// Fails if the file system does not support this.
#[cfg(unix)]
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Does nothing, because this system can't wait for a folder.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The schedule of checkpoints.
struct CheckpointSchedule {
    last: Instant,
    last_synced: Instant,
}

/// A schedule that starts now.
impl Default for CheckpointSchedule {
    fn default() -> CheckpointSchedule {
        CheckpointSchedule { last: Instant::now(), last_synced: Instant::now() }
    }
}

impl CheckpointSchedule {
    fn next_checkpoint(&self) -> Option<Durability> {
        let is_sync_due = self.last_synced.elapsed() >= SYNC_INTERVAL;
        let durability = if is_sync_due { Durability::Synced } else { Durability::Written };
        (self.last.elapsed() >= CHECKPOINT_INTERVAL).then_some(durability)
    }

    /// Records that a checkpoint was written.
    fn record(&mut self, durability: Durability) {
        self.last = Instant::now();
        if durability == Durability::Synced {
            self.last_synced = self.last;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_with_both_names_loses_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to, third] = ["from", "to", "third"].map(|name| folder.path().join(name));
        fs::write(&from, "rows").unwrap();
        fs::hard_link(&from, &third).unwrap();
        assert!(put_in_place(&from, &to, true).is_err(), "a file elsewhere is taken");
        fs::hard_link(&from, &to).unwrap();
        assert!(put_in_place(&from, &to, true).is_err(), "a file elsewhere is taken");
        fs::remove_file(&third).unwrap();
        put_in_place(&from, &to, false).unwrap();
        assert!(!from.exists());
        assert_eq!(fs::read_to_string(&to).unwrap(), "rows");
        // A new file with the same content is a different file.
        fs::write(&from, "rows").unwrap();
        assert!(put_in_place(&from, &to, false).is_err());
        assert!(from.exists());
    }
}
