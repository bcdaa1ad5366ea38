//! Exclusive locks on files, so that one run at a time writes to a place.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

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
