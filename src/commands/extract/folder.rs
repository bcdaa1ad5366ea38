//! A folder of games that appears complete or not at all. Files are written into a staging
//! directory inside it, and get their places when all are there.
//!
//! A list of names next to the files records their order and lengths. A resumed run therefore
//! continues with the same names. It also detects files that a kill cut short, because the list
//! does not contain them.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use rayon::prelude::*;

use crate::commands::extract::resumable::{OutputStart, damaged};
use jigo_run::output::path_conflicts::ReservedPaths;
use jigo_run::output::permissions;
use jigo_run::output::regular_file::is_regular_file;
use jigo_run::output::staging_dir::StagingDir;
use jigo_run::output::unique_names::{UniqueNames, hash};

/// The subfolder of the staging directory with the written files under their final names.
const GAMES: &str = "games";
/// The list of requested names, each with the length of its file, as lines of JSON.
pub const NAMES: &str = "names";
/// The number of files that are synchronised to the disk together.
const BATCH_FILES: usize = 256;

/// A folder that is being filled.
pub struct GameFolder {
    target: PathBuf,
    reserved: Arc<ReservedPaths>,
    staging: PathBuf,
    force: bool,
    names: UniqueNames,
    list: File,
    /// The folder of the last file.
    last_folder: PathBuf,
    /// True if this run created the target.
    is_new: bool,
}

impl GameFolder {
    /// Begins to fill a folder, or resumes that.
    ///
    /// # Errors
    /// Fails if the folder can't be written, or if its staging directory does not contain the files
    /// of its list.
    pub fn begin(
        target: &Path,
        reserved: &Arc<ReservedPaths>,
        force: bool,
        start: OutputStart,
        staging: &StagingDir,
    ) -> Result<GameFolder> {
        let failure = || format!("cannot write to {}", target.display());
        let list = staging.path().join(NAMES);
        let has_list = is_regular_file(&list).with_context(failure)?;
        let list = File::options().read(true).append(true).create_new(!has_list).open(list).with_context(failure)?;
        match fs::create_dir(staging.path().join(GAMES)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => result.with_context(failure)?,
        }
        let (target, names, last_folder, is_new) =
            (target.to_owned(), UniqueNames::default(), PathBuf::new(), staging.has_new_target());
        let (reserved, staging) = (Arc::clone(reserved), staging.path().to_owned());
        let mut folder = GameFolder { target, reserved, staging, force, names, list, last_folder, is_new };
        match start {
            OutputStart::New => {}
            OutputStart::Append(length) => folder.resume(Some(length))?,
            OutputStart::Complete => folder.resume(None)?,
        }
        Ok(folder)
    }

    /// Reads the first `length` bytes of the list of an earlier run, and removes the files that
    /// these do not contain. `None` means the whole list, whose files may be in their places.
    fn resume(&mut self, length: Option<u64>) -> Result<()> {
        let failure = || format!("cannot read the unfinished output in {}", self.staging.display());
        let mut lines = String::new();
        (&self.list).take(length.unwrap_or(u64::MAX)).read_to_string(&mut lines).with_context(failure)?;
        let is_short = length.is_some_and(|length| (lines.len() as u64) < length);
        let mut lengths = HashMap::new();
        for line in lines.lines() {
            let (name, length): (String, u64) = serde_json::from_str(line).with_context(|| damaged(&self.staging))?;
            lengths.insert(hash(&self.names.make_unique(&name)), length);
        }
        if let Some(length) = length {
            self.list.set_len(length).with_context(failure)?;
        }
        let staged = remove_unlisted(&self.staging.join(GAMES), &lengths)
            .and_then(|staged| staged.ok_or_else(|| anyhow!(damaged(&self.staging))))
            .with_context(failure)?;
        let has_every_file =
            staged.len() == lengths.len() || length.is_none() && self.are_in_target(&lines, &staged)?;
        ensure!(!is_short && has_every_file, damaged(&self.staging));
        Ok(())
    }

    /// Returns true if all files of a list are in their places, except those in the staging
    /// directory.
    fn are_in_target(&self, lines: &str, staged: &HashSet<u64>) -> Result<bool> {
        let mut names = UniqueNames::default();
        for line in lines.lines() {
            let (name, length): (String, u64) = serde_json::from_str(line).with_context(|| damaged(&self.staging))?;
            let name = names.make_unique(&name);
            let is_placed =
                || fs::symlink_metadata(self.target.join(&name)).is_ok_and(|metadata| metadata.len() == length);
            if !staged.contains(&hash(&name)) && !is_placed() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds files. Their names have `/` between folders and stay below the folder.
    ///
    /// # Errors
    /// Fails if a file of this name exists and may not be replaced, or if the files can't be
    /// written.
    pub fn add(&mut self, files: &[(String, Vec<u8>)]) -> Result<()> {
        let mut lines = Vec::new();
        for (name, bytes) in files {
            self.add_one(name, bytes)?;
            serde_json::to_writer(&mut lines, &(name, bytes.len()))?;
            lines.push(b'\n');
        }
        self.list.write_all(&lines).with_context(|| format!("cannot write to {}", self.target.display()))
    }

    fn add_one(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let name = self.names.make_unique(name);
        let final_path = self.target.join(&name);
        self.reserved.check_free(&final_path, "name another folder, or files by --pattern")?;
        if !self.is_new {
            check_free(&final_path, self.force)?;
        }
        let path = self.staging.join(GAMES).join(&name);
        let failure = || format!("cannot write {}", final_path.display());
        let folder = path.parent().unwrap_or(&self.staging);
        if folder != self.last_folder {
            fs::create_dir_all(folder).with_context(failure)?;
            self.last_folder = folder.to_owned();
        }
        let file = File::options().write(true).create_new(true).open(&path);
        file.and_then(|mut file| file.write_all(bytes)).with_context(failure)
    }

    /// Returns the file with the list of names, so that the caller can measure its length.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn handle(&self) -> io::Result<File> {
        self.list.try_clone()
    }

    /// Gives all files their places.
    ///
    /// # Errors
    /// Fails if a file can't be completed, or if a path exists that may not be replaced.
    pub fn finish(self) -> Result<()> {
        self.move_into(&self.staging.join(GAMES), &self.target)
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
                check_free(&place, self.force)?;
                let synced = File::open(&path).and_then(|file| file.sync_all());
                let copied = synced.and_then(|()| permissions::copy_permissions(&path, &place, None));
                let placed = copied.and_then(|()| fs::rename(&path, &place));
                placed.with_context(|| format!("cannot write {}", place.display()))
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

/// Removes the files that are not in the list, which has the length of each file by the hash of its
/// name. Returns the hashes of the remaining names, or `None` if a file has another length.
fn remove_unlisted(games: &Path, lengths: &HashMap<u64, u64>) -> Result<Option<HashSet<u64>>> {
    let mut folders = vec![(games.to_owned(), String::new())];
    let mut names = HashSet::new();
    while let Some((folder, prefix)) = folders.pop() {
        // A link may lead anywhere.
        ensure!(fs::symlink_metadata(&folder)?.is_dir(), "{} is a link, and not from jigo", folder.display());
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                folders.push((entry.path(), name + "/"));
                continue;
            }
            is_regular_file(&entry.path())?;
            let hash = hash(&name);
            match lengths.get(&hash) {
                Some(length) if entry.metadata()?.len() == *length => {
                    names.insert(hash);
                }
                Some(_) => return Ok(None),
                None => fs::remove_file(entry.path())?,
            }
        }
    }
    Ok(Some(names))
}

/// Checks that a file can be created at `path`.
fn check_free(path: &Path, force: bool) -> Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => bail!("{} is a folder", path.display()),
        Ok(_) if !force => bail!("{} is there already; --force replaces it", path.display()),
        _ => Ok(()),
    }
}
