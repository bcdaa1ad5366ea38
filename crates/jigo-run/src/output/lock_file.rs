//! Lock files for files that a run first reads and later replaces, so that no two runs do so at
//! once.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::output::cleanup::CleanupGuard;
use crate::output::file_lock::{self, Lock};
use crate::output::path_conflicts::resolve_symlinks;

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
            match file_lock::lock(&file, &path) {
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
