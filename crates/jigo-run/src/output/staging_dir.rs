//! Staging directories, which hold the work of a run until it is complete, so that another run can
//! resume it.
//!
//! Such a directory may come from a stranger, so no link inside it is followed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::output::cleanup::{self, CleanupGuard};
use crate::output::file_lock::{self, Lock};
use crate::output::regular_file::is_regular_file;

/// The lock file of the run that is writing.
pub const LOCK: &str = "lock";

/// The location of a staging directory.
pub struct StagingPlace<'a> {
    /// The path of the directory.
    pub folder: PathBuf,
    /// The file or folder that the run writes.
    pub target: &'a Path,
    /// The message about resuming after a failure.
    pub advice: String,
}

/// A locked staging directory. Dropping it removes it, until there is progress from which a run can
/// be resumed.
pub struct StagingDir {
    folder: PathBuf,
    advice: String,
    /// Present if the directory is removed in the end.
    guard: Option<CleanupGuard>,
    /// The folder of the outputs if this run created it. It is removed with the directory.
    created_target: Option<PathBuf>,
    _lock: File,
}

impl StagingDir {
    /// Opens the directory of an earlier run. Returns `None` if there is none.
    ///
    /// # Errors
    /// Fails if the path is not a directory, or if another run has locked it.
    pub fn open(StagingPlace { folder, target, advice }: &StagingPlace) -> Result<Option<StagingDir>> {
        if !exists(folder)? {
            return Ok(None);
        }
        let lock = lock(folder, target)?;
        Ok(Some(StagingDir::new(folder, advice, None, lock)))
    }

    /// Creates the directory, and the folder of the outputs if it is missing and contains the
    /// directory.
    ///
    /// # Errors
    /// Fails if that is impossible, or if another run has locked the directory meanwhile.
    pub fn create(StagingPlace { folder, target, advice }: &StagingPlace) -> Result<StagingDir> {
        let creates_target = folder.parent() == Some(target) && !target.is_dir();
        if creates_target {
            fs::create_dir_all(target).with_context(|| format!("cannot make the folder {}", target.display()))?;
        }
        match fs::create_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => bail!(busy(target)),
            created => created.with_context(|| format!("cannot write to {}", target.display()))?,
        }
        let guard = CleanupGuard::new(folder);
        let lock = lock(folder, target)?;
        let mut staging = StagingDir::new(folder, advice, Some(guard), lock);
        staging.created_target = creates_target.then(|| target.to_path_buf());
        Ok(staging)
    }

    fn new(folder: &Path, advice: &str, guard: Option<CleanupGuard>, lock: File) -> StagingDir {
        StagingDir { folder: folder.to_owned(), advice: advice.to_owned(), guard, created_target: None, _lock: lock }
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Returns true if this run created the folder of the outputs.
    pub fn has_new_target(&self) -> bool {
        self.created_target.is_some()
    }

    /// Keeps the directory from now on, because a run can be resumed from it.
    pub fn keep(&mut self) {
        (self.guard, self.created_target) = (None, None);
        cleanup::set_remaining_message(self.advice.clone());
    }

    /// Returns the message about resuming after a failure, if a run can be resumed.
    pub fn advice(&self) -> Option<&str> {
        self.guard.is_none().then_some(&self.advice)
    }

    /// Removes the directory when it is dropped, because its content has been moved.
    pub fn complete(&mut self) {
        (self.guard, self.created_target) = (Some(CleanupGuard::new(&self.folder)), None);
    }

    /// Removes the directory of an earlier run.
    ///
    /// # Errors
    /// Fails if a file can't be removed.
    pub fn remove(self) -> Result<()> {
        fs::remove_dir_all(&self.folder).with_context(|| format!("cannot remove {}", self.folder.display()))
    }
}

impl Drop for StagingDir {
    fn drop(&mut self) {
        if self.guard.is_some() {
            // If this fails, the next run tries again.
            let _ = fs::remove_dir_all(&self.folder);
            let _ = self.created_target.as_ref().map(fs::remove_dir);
        }
    }
}

/// Returns true if the directory exists.
///
/// # Errors
/// Fails if the path is anything else, or if it can't be examined.
pub fn exists(folder: &Path) -> Result<bool> {
    match fs::symlink_metadata(folder) {
        Ok(metadata) if metadata.is_dir() => Ok(true),
        Ok(_) => bail!("{} is not a folder, and not from jigo; remove it", folder.display()),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", folder.display())),
    }
}

/// Locks the directory for work on `target`, as long as the returned file is open.
fn lock(folder: &Path, target: &Path) -> Result<File> {
    let name = target.display();
    let path = folder.join(LOCK);
    let exists = is_regular_file(&path).with_context(|| format!("cannot write to {name}"))?;
    let file = File::options().write(true).create_new(!exists).open(&path);
    let file = match file {
        Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => {
            return lost(target);
        }
        file => file.with_context(|| format!("cannot write to {name}"))?,
    };
    match file_lock::lock(&file, &path) {
        Lock::Taken => Ok(file),
        Lock::Replaced => lost(target),
        Lock::HeldElsewhere => bail!(busy(target)),
    }
}

/// Fails because the lock is another one or gone: a user has removed the directory with the folder of
/// the outputs, or else another run has begun meanwhile or has just ended.
fn lost(target: &Path) -> Result<File> {
    fs::symlink_metadata(target).with_context(|| format!("cannot write to {}", target.display()))?;
    bail!(busy(target))
}

fn busy(target: &Path) -> String {
    format!("another jigo is writing to {}", target.display())
}

/// Waits until the names in a folder are on the disk.
///
/// # Errors
/// Fails if the file system does not support this.
#[cfg(unix)]
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Does nothing, because this system can't wait for a folder.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
