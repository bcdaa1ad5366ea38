//! Staging directories, which hold the work of a run until it is complete, so that another run can
//! resume it.
//!
//! Such a directory may come from a stranger, so no link inside it is followed.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use tempfile::TempPath;

use crate::output::file_lock::{self, Lock};
use crate::output::regular_file::{is_regular_file, is_same_file};
use crate::output::{checksummed_json, permissions};

/// The lock file of the run that is writing.
const LOCK: &str = "lock";
/// The checkpoint, and the last checkpoint that was synchronised to the disk.
pub const CHECKPOINTS: [&str; 2] = ["checkpoint", "checkpoint-synced"];

/// The file with the identity of the run.
pub const FINGERPRINT_FILE: &str = "run.json";

/// The time between two checkpoints. They are cheap, so they can be frequent, and a kill loses
/// little work.
const CHECKPOINT_INTERVAL: Duration = Duration::from_millis(100);
/// The time between two checkpoints that are synchronised to the disk, in case the machine crashes.
const SYNC_INTERVAL: Duration = Duration::from_secs(30);

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
///
/// # Errors
/// Fails if another run has the lock, or if the lock file can't be written.
pub fn lock(folder: &Path, target: &Path) -> Result<File> {
    let name = target.display();
    let path = folder.join(LOCK);
    let exists = is_regular_file(&path).with_context(|| format!("cannot write to {name}"))?;
    let file = File::options().write(true).create_new(!exists).open(&path);
    let file = file.with_context(|| format!("cannot write to {name}"))?;
    match file_lock::lock(&file, &path) {
        Lock::Taken => Ok(file),
        Lock::HeldElsewhere | Lock::Replaced => bail!("another jigo is writing to {name}"),
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

/// Writes a checkpoint, which is complete at any moment. If `is_synced` is true, waits until it is
/// on the disk.
///
/// # Errors
/// Fails if it can't be written.
pub fn write_checkpoint(folder: &Path, bytes: &[u8], is_synced: bool) -> io::Result<()> {
    for name in if is_synced { CHECKPOINTS.as_slice() } else { &CHECKPOINTS[..1] } {
        checksummed_json::write(&folder.join(name), bytes, is_synced)?;
        if is_synced {
            sync_folder(folder)?;
        }
    }
    Ok(())
}

/// Removes the directory, its checkpoints last. If the run is killed meanwhile, a checkpoint still
/// records the progress.
///
/// # Errors
/// Fails if a file can't be removed.
pub fn remove(folder: &Path) -> io::Result<()> {
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
pub struct CheckpointSchedule {
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
    /// Returns `None` if no checkpoint is due, and otherwise whether it must wait for the disk.
    pub fn next_checkpoint(&self) -> Option<bool> {
        (self.last.elapsed() >= CHECKPOINT_INTERVAL).then(|| self.last_synced.elapsed() >= SYNC_INTERVAL)
    }

    /// Records that a checkpoint was written.
    pub fn record(&mut self, is_synced: bool) {
        self.last = Instant::now();
        if is_synced {
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
