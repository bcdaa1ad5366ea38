//! Exclusive locks on files, so that one run at a time writes to a place.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::output::cleanup::CleanupGuard;
use crate::output::path_conflicts::resolve_symlinks;
use anyhow::{Context, Result, bail};

/// Time that a run waits for another one to release a lock.
///
/// A process that has just been started keeps all open files of its parent, with their locks, until
/// it executes its program. The lock of a run that has ended may therefore survive it for some
/// milliseconds.
const MAX_WAIT: Duration = Duration::from_millis(500);
/// Time between two attempts.
const INTERVAL: Duration = Duration::from_millis(10);

/// The outcome of an attempt to lock a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// This run has the lock, or the file system has no locks.
    Taken,
    /// Another run has the lock.
    HeldElsewhere,
    /// The file was removed or replaced before this run got its lock, which is therefore worthless.
    Replaced,
}

/// Locks the open `file` named `path`, and waits a fraction of a second for another run to release
/// it.
pub fn lock(file: &File, path: &Path) -> Lock {
    let started = Instant::now();
    lock_while(file, path, || {
        sleep(INTERVAL);
        started.elapsed() < MAX_WAIT
    })
}

/// Locks a file. While another run has the lock, `waits` pauses and returns whether to try again.
fn lock_while(file: &File, path: &Path, mut waits: impl FnMut() -> bool) -> Lock {
    while let Err(TryLockError::WouldBlock) = file.try_lock() {
        if !waits() {
            return Lock::HeldElsewhere;
        }
    }
    if is_named(file, path) { Lock::Taken } else { Lock::Replaced }
}

/// Returns true if `path` still leads to the open file.
#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let metadata_pair = file.metadata().and_then(|open| Ok((open, std::fs::symlink_metadata(path)?)));
    metadata_pair
        .is_ok_and(|(open, path_metadata)| (open.dev(), open.ino()) == (path_metadata.dev(), path_metadata.ino()))
}

/// Returns true, because lock files are never removed on these systems.
#[cfg(not(unix))]
fn is_named(_: &File, _: &Path) -> bool {
    true
}

/// The extension that a lock file adds to the name of its target.
const ENDING: &str = ".jigo-lock";

/// A lock on a file that this run reads and replaces. The lock is a separate file, because the
/// replacement is a new file.
pub struct LockFile {
    path: PathBuf,
    file: File,
    _guard: CleanupGuard,
}

impl LockFile {
    /// Locks the file that `target` resolves to.
    ///
    /// # Errors
    /// Fails if another run has the lock, or if the lock file can't be written.
    pub fn acquire(target: &Path) -> Result<LockFile> {
        let name = target.display();
        let path = lock_path(target);
        loop {
            let file = open(&path).with_context(|| format!("cannot write {}", path.display()))?;
            match lock(&file, &path) {
                Lock::HeldElsewhere => bail!("another jigo is writing to {name}"),
                // The previous run removed the file when it ended, and another run may have created
                // a new one. Try again with that file.
                Lock::Replaced => {}
                Lock::Taken => {
                    let guard = CleanupGuard::new(&path);
                    return Ok(LockFile { path, file, _guard: guard });
                }
            }
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        remove(&self.path);
        // A process that was started meanwhile may have the file open as well.
        let _ = self.file.unlock();
    }
}

/// Returns the path of the lock file, such as `.seen.parquet.jigo-lock` next to the target.
fn lock_path(target: &Path) -> PathBuf {
    let target = resolve_symlinks(target);
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(ENDING);
    target.with_file_name(name)
}

/// Opens or creates a lock file. Fails if the path is a link.
fn open(path: &Path) -> io::Result<File> {
    loop {
        match File::options().write(true).create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            result => return result,
        }
        match fs::symlink_metadata(path) {
            Ok(metadata) if !metadata.is_file() => {
                return Err(io::Error::other(format!("{} is not a file of jigo; remove it", path.display())));
            }
            _ => {}
        }
        match File::options().write(true).open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            opened => return opened,
        }
    }
}

#[cfg(unix)]
fn remove(path: &Path) {
    // A lock file that remains is not locked, so a failure is ignored.
    let _ = fs::remove_file(path);
}

/// Keeps the lock file. On this system a removed name remains for a while, and other runs could not
/// open it.
#[cfg(not(unix))]
fn remove(_: &Path) {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a folder and a file in it, opened twice: the first one has the lock.
    fn locked() -> (tempfile::TempDir, std::path::PathBuf, [File; 2]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let files = [File::create(&path).unwrap(), File::options().write(true).open(&path).unwrap()];
        files[0].try_lock().unwrap();
        (folder, path, files)
    }

    #[test]
    fn lock_released_while_waiting_is_taken() {
        let (_folder, path, [other_file, file]) = locked();
        let mut attempts = 0;
        let outcome = lock_while(&file, &path, || {
            attempts += 1;
            if attempts == 3 {
                other_file.unlock().unwrap();
            }
            true
        });
        assert_eq!((outcome, attempts), (Lock::Taken, 3));
    }

    #[test]
    fn unreleased_lock_stays_locked() {
        let (_folder, path, [_other, file]) = locked();
        assert_eq!(lock(&file, &path), Lock::HeldElsewhere);
    }

    #[test]
    #[cfg(unix)]
    fn lock_of_a_removed_or_replaced_file_is_worthless() {
        let (_folder, path, [other_file, file]) = locked();
        let outcome = lock_while(&file, &path, || {
            std::fs::remove_file(&path).unwrap();
            other_file.unlock().unwrap();
            true
        });
        assert_eq!(outcome, Lock::Replaced);
        File::create(&path).unwrap();
        assert_eq!(lock(&file, &path), Lock::Replaced);
    }
}
