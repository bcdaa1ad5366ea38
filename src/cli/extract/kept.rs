//! Outputs from which an interrupted run goes on: each waits in a folder of its own until it is whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::cli::abandon::Unwhole;
use crate::cli::access;
use crate::cli::output::is_free;
use crate::cli::places::behind_links;
use crate::cli::plain::{is_in_both, is_plain};
use crate::cli::waiting::{self, is_there, lock, put_in_place};

/// What the name of such a folder has in it.
pub const WAITING: &str = ".jigo-extract";
/// The file that waits. Its ending says that it is no record yet.
pub const PART: &str = "games.part";

/// How an output is begun.
#[derive(Clone, Copy, Debug)]
pub enum Begin {
    /// From nothing.
    Anew,
    /// Behind so many bytes, of the games or of their names, that a run before this one has written.
    On(u64),
    /// A run before this one has written all of it, and may have given it its name.
    Whole,
}

/// A folder in which an output waits.
pub struct WaitingOutput {
    folder: PathBuf,
    /// It goes when this does, unless there is something to go on from.
    unwhole: Option<Unwhole>,
    /// The folder of the games, where this run has made it: it goes with the other one.
    made: Option<PathBuf>,
    _lock: File,
}

impl WaitingOutput {
    /// Where an output waits: beside a file, within a folder.
    pub fn place(target: &Path, is_folder: bool) -> PathBuf {
        let target = if is_folder { target.to_owned() } else { behind_links(target) };
        match target.file_name().filter(|_| !is_folder) {
            Some(name) => {
                let mut waiting = std::ffi::OsString::from(".");
                waiting.push(name);
                waiting.push(WAITING);
                target.with_file_name(waiting)
            }
            None => target.join(WAITING),
        }
    }

    /// Makes the folder, and takes away what a run that was killed left; or takes it as it is.
    ///
    /// # Errors
    /// When that fails, something stands in the output's place that may not be replaced, or another run is at work.
    pub fn begin(target: &Path, is_folder: bool, force: bool, begin: Begin) -> Result<WaitingOutput> {
        if !is_folder && !matches!(begin, Begin::Whole) {
            is_free(target, force)?;
        }
        let folder = WaitingOutput::place(target, is_folder);
        let failure = || format!("cannot write to {}", target.display());
        let made = (is_folder && !target.exists()).then(|| target.to_owned());
        if is_folder {
            fs::create_dir_all(target).with_context(|| format!("cannot make the folder {}", target.display()))?;
        }
        let mut is_there = is_there(&folder)?;
        if is_there && matches!(begin, Begin::Anew) {
            drop(lock(&folder, target)?);
            waiting::remove(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
            is_there = false;
        }
        if !is_there {
            ensure!(!matches!(begin, Begin::On(_)), damaged(&folder));
            fs::create_dir(&folder).with_context(failure)?;
        }
        let unwhole = (!is_there).then(|| Unwhole::new(&folder));
        let lock = lock(&folder, target)?;
        Ok(WaitingOutput { folder, unwhole, made, _lock: lock })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// From now on there is something to go on from.
    pub fn keep(&mut self) {
        (self.unwhole, self.made) = (None, None);
    }

    /// Whether the games have a folder that was not there before.
    pub fn is_new(&self) -> bool {
        self.made.is_some()
    }

    /// Takes the folder away: what waited in it is in its place.
    pub fn remove(mut self) {
        (self.unwhole, self.made) = (Some(Unwhole::new(&self.folder)), None);
    }
}

impl Drop for WaitingOutput {
    fn drop(&mut self) {
        if self.unwhole.is_some() {
            // What can't be removed, the next run removes.
            let _ = waiting::remove(&self.folder);
            let _ = self.made.as_ref().map(fs::remove_dir);
        }
    }
}

/// What to say of a folder that does not hold what its checkpoint says.
pub fn damaged(folder: &Path) -> String {
    format!("what waits in {} is damaged; --force without --resume begins anew", folder.display())
}

/// A file that waits.
pub struct KeptFile {
    /// `None` where it has its name already.
    file: Option<File>,
    target: PathBuf,
    force: bool,
    path: PathBuf,
}

impl KeptFile {
    /// Begins it, or goes on with it.
    ///
    /// # Errors
    /// When something stands in its place that may not be replaced, or it can't be written.
    pub fn begin(target: &Path, force: bool, (begin, waiting): (Begin, &WaitingOutput)) -> Result<KeptFile> {
        let path = waiting.folder.join(PART);
        let failure = || format!("cannot write {}", target.display());
        let target = behind_links(target);
        let has_part = !is_in_both(&path, &target) && is_plain(&path).with_context(failure)?;
        let mut options = File::options();
        let file = match begin {
            Begin::Anew => Some(access::new_file(&target, None).append(true).open(&path).with_context(failure)?),
            Begin::On(_) | Begin::Whole if has_part => Some(options.append(true).open(&path).with_context(failure)?),
            Begin::On(_) => anyhow::bail!(damaged(&waiting.folder)),
            Begin::Whole => None,
        };
        if let (Begin::On(length), Some(file)) = (begin, &file) {
            ensure!(file.metadata().with_context(failure)?.len() >= length, damaged(&waiting.folder));
            file.set_len(length).with_context(failure)?;
        }
        Ok(KeptFile { file, target, force, path })
    }

    /// What to say when it can't be written to.
    pub fn failure(&self) -> String {
        format!("cannot write {}", self.target.display())
    }

    /// The same file, for those who look how long it is.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn handle(&self) -> io::Result<Option<File>> {
        self.file.as_ref().map(File::try_clone).transpose()
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// When it can't be written to the end, or something stands in its place that may not be replaced.
    pub fn finish(self) -> Result<()> {
        if let Some(file) = self.file.as_ref() {
            file.sync_all().with_context(|| self.failure())?;
        }
        put_in_place(&self.path, &self.target, self.force)
    }
}

impl Write for KeptFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Of an output that is whole, no more is written.
        self.file.as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
