//! A folder of games that appears complete or not at all. Files are written into a staging
//! directory inside it, and get their places when all are there.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;

use jigo_run::output::path_conflicts::{ReservedPaths, resolve_symlinks};
use jigo_run::output::put_in_place;
use jigo_run::output::regular_file::has_same_content;
use jigo_run::output::staging_dir::{StagingDir, StagingPlace};
use jigo_run::output::unique_names::UniqueNames;

/// The subfolder of the staging directory with the written files under their final names.
const GAMES: &str = "games";
/// The number of files that are synchronised to the disk together.
const BATCH_FILES: usize = 256;

/// A folder that is being filled.
pub struct GameFolder {
    target: PathBuf,
    reserved: Arc<ReservedPaths>,
    /// The subfolder [`GAMES`].
    games: PathBuf,
    force: bool,
    /// True if an earlier run may have put files in their places.
    may_exist: bool,
    names: UniqueNames,
    /// The folder of the last file.
    last_folder: PathBuf,
    /// True if this run created the target.
    is_new: bool,
}

impl GameFolder {
    /// Begins to fill a folder. The files of an unfinished run are removed.
    ///
    /// # Errors
    /// Fails if the folder can't be written.
    pub fn begin(
        target: &Path,
        reserved: &Arc<ReservedPaths>,
        force: bool,
        may_exist: bool,
        staging: &StagingDir,
    ) -> Result<GameFolder> {
        let games = staging.path().join(GAMES);
        let removed = match fs::remove_dir_all(&games) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        };
        let created = removed.and_then(|()| fs::create_dir(&games));
        created.with_context(|| format!("cannot write to {}", target.display()))?;
        let (target, reserved, is_new) = (target.to_owned(), Arc::clone(reserved), staging.has_new_target());
        let (names, last_folder) = (UniqueNames::default(), PathBuf::new());
        Ok(GameFolder { target, reserved, games, force, may_exist, names, last_folder, is_new })
    }

    /// Adds a file. Its name has `/` between folders and stays below the folder.
    ///
    /// # Errors
    /// Fails if a file of this name exists and may not be replaced, or if the file can't be
    /// written.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let name = self.names.make_unique(name);
        let final_path = self.target.join(&name);
        self.reserved.check_free(&final_path, "name another folder, or files by --pattern")?;
        let path = self.games.join(&name);
        let failure = || format!("cannot write {}", final_path.display());
        let folder = path.parent().unwrap_or(&self.games);
        if folder != self.last_folder {
            fs::create_dir_all(folder).with_context(failure)?;
            self.last_folder = folder.to_owned();
        }
        let file = File::options().write(true).create_new(true).open(&path);
        file.and_then(|mut file| file.write_all(bytes)).with_context(failure)?;
        if self.is_new { Ok(()) } else { self.check_free(&path, &final_path) }
    }

    /// Checks that the file at `path` can be put in its place.
    fn check_free(&self, path: &Path, place: &Path) -> Result<()> {
        match fs::symlink_metadata(place) {
            Ok(metadata) if metadata.is_dir() => bail!("{} is a folder", place.display()),
            Ok(_) if self.force || self.may_exist && has_same_content(path, place).unwrap_or(false) => Ok(()),
            Ok(_) => bail!("{} is there already; --force replaces it", place.display()),
            _ => Ok(()),
        }
    }

    /// Gives all files their places.
    ///
    /// # Errors
    /// Fails if a file can't be completed, or if a path exists that may not be replaced.
    pub fn finish(self) -> Result<()> {
        self.move_into(&self.games, &self.target)
    }

    /// Moves the content of a folder into another folder.
    fn move_into(&self, source: &Path, destination: &Path) -> Result<()> {
        let failure = || format!("cannot write to {}", destination.display());
        let mut folders = Vec::new();
        let mut entries = fs::read_dir(source).with_context(failure)?;
        loop {
            let batch: Vec<fs::DirEntry> =
                entries.by_ref().take(BATCH_FILES).collect::<io::Result<_>>().with_context(failure)?;
            if batch.is_empty() {
                break;
            }
            let is_folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
            batch.par_iter().filter(|entry| !is_folder(entry)).try_for_each(|entry| {
                let (path, place) = (entry.path(), destination.join(entry.file_name()));
                let synced = File::open(&path).and_then(|file| file.sync_all());
                synced.with_context(|| format!("cannot write {}", place.display()))?;
                put_in_place(&path, &place, self.force)
            })?;
            folders.extend(batch.iter().filter(|entry| is_folder(entry)).map(fs::DirEntry::file_name));
        }
        for name in folders {
            let place = destination.join(&name);
            match fs::symlink_metadata(&place) {
                Ok(metadata) => ensure!(metadata.is_dir(), "{} exists and is not a folder", place.display()),
                Err(_) => fs::create_dir(&place).with_context(failure)?,
            }
            self.move_into(&source.join(&name), &place)?;
        }
        Ok(())
    }
}

/// The part of a name that identifies a staging directory.
pub const STAGING_SUFFIX: &str = ".jigo-extract";

/// Returns the staging directory of an output: inside a folder, or next to a file.
pub fn staging_place(target: &Path, is_folder: bool) -> StagingPlace<'_> {
    StagingPlace {
        folder: staging_path(target, is_folder),
        target,
        advice: "progress is saved; repeat the command with --resume to continue".into(),
    }
}

fn staging_path(target: &Path, is_folder: bool) -> PathBuf {
    let target = if is_folder { target.to_owned() } else { resolve_symlinks(target) };
    match target.file_name().filter(|_| !is_folder) {
        Some(name) => {
            let mut waiting = OsString::from(".");
            waiting.push(name);
            waiting.push(STAGING_SUFFIX);
            target.with_file_name(waiting)
        }
        None => target.join(STAGING_SUFFIX),
    }
}

/// Creates the staging directory in a folder, and removes the leftovers of a killed run.
///
/// # Errors
/// Fails if that is impossible, or if another run writes there.
pub fn open_in_folder(target: &Path) -> Result<StagingDir> {
    let place = staging_place(target, true);
    StagingDir::open(&place)?.map_or(Ok(()), StagingDir::remove)?;
    StagingDir::create(&place)
}
