//! One run at a time: a place whose file a run reads first and replaces at its end.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::abandon::Unwhole;
use super::places::behind_links;

/// What a lock is called, behind the name of the file that it is for.
const ENDING: &str = ".jigo-lock";

/// Held as long as no other run may read what this one is about to replace: a file of its own, as the other one gets another in its place.
pub struct PlaceLock {
    path: PathBuf,
    _file: File,
    _unwhole: Unwhole,
}

impl PlaceLock {
    /// Takes it, for the file that `target` leads to.
    ///
    /// # Errors
    /// When another run has it, or it can't be written there.
    pub fn take(target: &Path) -> Result<PlaceLock> {
        let shown = target.display();
        let path = place(target);
        loop {
            let file = open(&path).with_context(|| format!("cannot write {}", path.display()))?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => bail!("another jigo is writing to {shown}"),
                // There are file systems without locks.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // Between the two, the run before this one may have taken the file away: then another one may have made a new one by now.
            if is_there(&file, &path) {
                let unwhole = Unwhole::new(&path);
                return Ok(PlaceLock { path, _file: file, _unwhole: unwhole });
            }
        }
    }
}

impl Drop for PlaceLock {
    fn drop(&mut self) {
        take_away(&self.path);
    }
}

/// Beside the file, `.seen.parquet.jigo-lock`.
fn place(target: &Path) -> PathBuf {
    let target = behind_links(target);
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(ENDING);
    target.with_file_name(name)
}

/// Opens the file of a lock, or makes it. What a link there leads to is none.
fn open(path: &Path) -> io::Result<File> {
    loop {
        match File::options().write(true).create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made,
        }
        match fs::symlink_metadata(path) {
            Ok(found) if !found.is_file() => {
                return Err(io::Error::other(format!("{} is no file of jigo's: remove it", path.display())));
            }
            _ => {}
        }
        match File::options().write(true).open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            opened => return opened,
        }
    }
}

/// Whether it is still this file that has the name.
#[cfg(unix)]
fn is_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let both = file.metadata().and_then(|open| Ok((open, fs::symlink_metadata(path)?)));
    both.is_ok_and(|(open, named)| (open.dev(), open.ino()) == (named.dev(), named.ino()))
}

/// It is never taken away.
#[cfg(not(unix))]
fn is_there(_: &File, _: &Path) -> bool {
    true
}

#[cfg(unix)]
fn take_away(path: &Path) {
    // One that stays is locked by nobody.
    let _ = fs::remove_file(path);
}

/// There, a name that is taken away stays for a while, and who comes then can't open it.
#[cfg(not(unix))]
fn take_away(_: &Path) {}
