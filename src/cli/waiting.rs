//! A folder in which work waits until it is whole, so that another run can go on with it.
//!
//! It may come from a stranger: nothing in it is followed to another place.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use tempfile::TempPath;

use super::access;
use super::exclusive::{self, Lock};
use super::plain::{is_in_both, is_plain};
use super::sealed;

/// Held by the run that is at work.
const LOCK: &str = "lock";
/// The checkpoint's name, and that of the last one that is known to be on the disk.
pub const CHECKPOINTS: [&str; 2] = ["checkpoint", "checkpoint-synced"];

/// The file in which stands what run it is.
pub const IDENTITY: &str = "run.json";

/// Time between two checkpoints: they cost next to nothing, so a kill loses next to nothing.
const CHECKPOINT_EVERY: Duration = Duration::from_millis(100);
/// Time between two checkpoints that wait for the disk, for the day that the machine goes down.
const SYNC_EVERY: Duration = Duration::from_secs(30);

/// Whether there is such a folder.
///
/// # Errors
/// When something else stands in its place, or nobody may look.
pub fn is_there(folder: &Path) -> Result<bool> {
    match fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() => Ok(true),
        Ok(_) => bail!("{} is no folder: no jigo made it, remove it", folder.display()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", folder.display())),
    }
}

/// Makes sure that no other run is at work in the folder, for `target`, as long as the file is open.
///
/// # Errors
/// When there is one, or nothing can be written there.
pub fn lock(folder: &Path, target: &Path) -> Result<File> {
    let shown = target.display();
    let path = folder.join(LOCK);
    let is_there = is_plain(&path).with_context(|| format!("cannot write to {shown}"))?;
    let file = File::options().write(true).create_new(!is_there).open(&path);
    let file = file.with_context(|| format!("cannot write to {shown}"))?;
    match exclusive::lock(&file, &path) {
        Lock::Taken => Ok(file),
        Lock::Held | Lock::Replaced => bail!("another jigo is writing to {shown}"),
    }
}

/// Gives a whole file its name. One that is in place already is no more in the folder.
///
/// # Errors
/// When something stands there that may not be replaced, or it can't be moved.
pub fn put_in_place(from: &Path, to: &Path, force: bool) -> Result<()> {
    let failure = || format!("cannot write {}", to.display());
    if is_in_both(from, to) {
        // Where a file system has no rename that replaces nothing, a file gets its name before it loses the old one; a kill left it both.
        return fs::remove_file(from).with_context(failure);
    }
    if !is_plain(from).with_context(failure)? {
        return Ok(());
    }
    place(from, to, force).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => anyhow!("{} is there already; --force replaces it", to.display()),
        _ => anyhow!(error).context(failure()),
    })
}

fn place(from: &Path, to: &Path, force: bool) -> io::Result<()> {
    if force {
        access::take_over(from, to, None)?;
        return fs::rename(from, to);
    }
    TempPath::try_from_path(from)?.persist_noclobber(to).map_err(|error| {
        // It stays where it was.
        let _ = error.path.keep();
        error.error
    })
}

/// Writes a checkpoint, which is whole at any moment; with `is_synced` it is on the disk behind this.
///
/// # Errors
/// When it can't be written.
pub fn write_checkpoint(folder: &Path, bytes: &[u8], is_synced: bool) -> io::Result<()> {
    for name in if is_synced { CHECKPOINTS.as_slice() } else { &CHECKPOINTS[..1] } {
        sealed::write(&folder.join(name), bytes, is_synced)?;
        if is_synced {
            sync_folder(folder)?;
        }
    }
    Ok(())
}

/// Takes such a folder away, its checkpoints last: whoever is killed at it leaves one that says how far the work is.
///
/// # Errors
/// When something of it can't be removed.
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
/// When the file system can't do that.
#[cfg(unix)]
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Nothing to wait for.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// When checkpoints are due.
pub struct Rhythm {
    last: Instant,
    last_synced: Instant,
}

impl Rhythm {
    /// From now on.
    pub fn new() -> Rhythm {
        Rhythm { last: Instant::now(), last_synced: Instant::now() }
    }

    /// Whether one is due, and if so, whether it waits for the disk.
    pub fn due(&self) -> Option<bool> {
        (self.last.elapsed() >= CHECKPOINT_EVERY).then(|| self.last_synced.elapsed() >= SYNC_EVERY)
    }

    /// One was written.
    pub fn written(&mut self, is_synced: bool) {
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
    fn a_file_that_has_both_names_loses_the_first_and_one_that_has_others_is_left_alone() {
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
        // Another file of the same content is another file.
        fs::write(&from, "rows").unwrap();
        assert!(put_in_place(&from, &to, false).is_err());
        assert!(from.exists());
    }
}
