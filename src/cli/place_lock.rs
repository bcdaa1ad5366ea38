//! One run at a time: a place whose file a run reads first and replaces at its end.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::abandon::Unwhole;
use super::exclusive::{self, Lock};
use super::places::behind_links;

/// What a lock is called, behind the name of the file that it is for.
const ENDING: &str = ".jigo-lock";

/// Held as long as no other run may read what this one is about to replace: a file of its own, as the other one gets another in its place.
pub struct PlaceLock {
    path: PathBuf,
    file: File,
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
            match exclusive::lock(&file, &path) {
                Lock::Held => bail!("another jigo is writing to {shown}"),
                // The run before this one removed the file at its end; another run may have made a new one by now.
                Lock::Replaced => {}
                Lock::Taken => {
                    let unwhole = Unwhole::new(&path);
                    return Ok(PlaceLock { path, file, _unwhole: unwhole });
                }
            }
        }
    }
}

impl Drop for PlaceLock {
    fn drop(&mut self) {
        take_away(&self.path);
        // A process that was started meanwhile may have the file open as well.
        let _ = self.file.unlock();
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

#[cfg(unix)]
fn take_away(path: &Path) {
    // One that stays is locked by nobody.
    let _ = fs::remove_file(path);
}

/// There, a name that is taken away stays for a while, and who comes then can't open it.
#[cfg(not(unix))]
fn take_away(_: &Path) {}
