//! A folder of games, whole or not at all: files are written into a folder within it, and get their places when all are there.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;

use super::names::Names;
use crate::cli::abandon::Unwhole;

/// The folder that files wait in.
const WAITING: &str = ".jigo-extract";
/// Held by the run that is at work.
const LOCK: &str = "lock";
/// What has its name already.
const GAMES: &str = "games";
/// Files that wait for the disk together.
const TOGETHER: usize = 256;

/// A folder that is being filled.
pub struct Folder {
    target: PathBuf,
    waiting: PathBuf,
    force: bool,
    names: Names,
    /// The folder that the last file went to.
    last: PathBuf,
    /// The target was made by this run.
    is_new: bool,
    _lock: File,
    _unwhole: Unwhole,
}

impl Folder {
    /// Begins to fill a folder, which is made where it is missing. What a run that was killed left is taken away.
    ///
    /// # Errors
    /// When it can't be made or written to, or another run is filling it.
    pub fn begin(target: &Path, force: bool) -> Result<Folder> {
        let shown = target.display();
        let is_new = !target.exists();
        fs::create_dir_all(target).with_context(|| format!("cannot make the folder {shown}"))?;
        let waiting = target.join(WAITING);
        let failure = || format!("cannot write to {shown}");
        match fs::symlink_metadata(&waiting) {
            Ok(found) => {
                ensure!(found.is_dir(), "{} is no folder: no jigo made it, remove it", waiting.display());
                drop(lock(&waiting, target)?);
                fs::remove_dir_all(&waiting).with_context(|| format!("cannot remove {}", waiting.display()))?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(failure),
        }
        fs::create_dir(&waiting).with_context(failure)?;
        let unwhole = Unwhole::new(&waiting);
        let lock = lock(&waiting, target)?;
        fs::create_dir(waiting.join(GAMES)).with_context(failure)?;
        let (target, names, last) = (target.to_owned(), Names::default(), PathBuf::new());
        Ok(Folder { target, waiting, force, names, last, is_new, _lock: lock, _unwhole: unwhole })
    }

    /// Adds a file; `name` has `/` between folders, and leads to no other place.
    ///
    /// # Errors
    /// When one of this name stands in the folder and may not be replaced, or it can't be written.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let name = self.names.give(name);
        let place = self.target.join(&name);
        if !self.is_new {
            free(&place, self.force)?;
        }
        let path = self.waiting.join(GAMES).join(&name);
        let failure = || format!("cannot write {}", place.display());
        let folder = path.parent().unwrap_or(&self.waiting);
        if folder != self.last {
            fs::create_dir_all(folder).with_context(failure)?;
            self.last = folder.to_owned();
        }
        let file = File::options().write(true).create_new(true).open(&path);
        file.and_then(|mut file| file.write_all(bytes)).with_context(failure)
    }

    /// Gives all files their places.
    ///
    /// # Errors
    /// When they can't be written to the end, or something stands in a place that may not be replaced.
    pub fn finish(mut self) -> Result<()> {
        self.place(&self.waiting.join(GAMES), &self.target)?;
        self.is_new = false;
        Ok(())
    }

    /// Moves what a folder holds into another.
    fn place(&self, from: &Path, to: &Path) -> Result<()> {
        let failure = || format!("cannot write to {}", to.display());
        let mut folders = Vec::new();
        let mut entries = fs::read_dir(from).with_context(failure)?;
        loop {
            let some: Vec<fs::DirEntry> =
                entries.by_ref().take(TOGETHER).collect::<io::Result<_>>().with_context(failure)?;
            if some.is_empty() {
                break;
            }
            let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
            some.par_iter().filter(|entry| !is_folder(entry)).try_for_each(|entry| {
                let (path, place) = (entry.path(), to.join(entry.file_name()));
                free(&place, self.force)?;
                let synced = File::open(&path).and_then(|file| file.sync_all());
                let placed = synced.and_then(|()| fs::rename(&path, &place));
                placed.with_context(|| format!("cannot write {}", place.display()))
            })?;
            folders.extend(some.iter().filter(|entry| is_folder(entry)).map(fs::DirEntry::file_name));
        }
        for name in folders {
            let place = to.join(&name);
            match fs::symlink_metadata(&place) {
                Ok(found) => ensure!(found.is_dir(), "{} is there already, and no folder", place.display()),
                Err(_) => fs::create_dir(&place).with_context(failure)?,
            }
            self.place(&from.join(&name), &place)?;
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What can't be removed, the next run removes.
        let _ = fs::remove_dir_all(&self.waiting);
        if self.is_new {
            let _ = fs::remove_dir(&self.target);
        }
    }
}

/// Makes sure that a file can stand at this place.
fn free(place: &Path, force: bool) -> Result<()> {
    match fs::symlink_metadata(place) {
        Ok(found) if found.is_dir() => bail!("{} is a folder", place.display()),
        Ok(_) if !force => bail!("{} is there already; --force replaces it", place.display()),
        _ => Ok(()),
    }
}

/// Makes sure that no other run is filling the folder.
fn lock(waiting: &Path, target: &Path) -> Result<File> {
    let path = waiting.join(LOCK);
    let is_there = super::super::plain::is_plain(&path);
    let is_there = is_there.with_context(|| format!("cannot write to {}", target.display()))?;
    let file = File::options().write(true).create_new(!is_there).open(&path);
    let file = file.with_context(|| format!("cannot write to {}", target.display()))?;
    match file.try_lock() {
        // There are file systems without locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        Err(TryLockError::WouldBlock) => bail!("another jigo is writing to {}", target.display()),
    }
}
