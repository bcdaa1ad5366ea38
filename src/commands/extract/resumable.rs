//! Resumable outputs: each is in a staging directory until it is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use jigo_run::output::cleanup::CleanupGuard;
use jigo_run::output::regular_file::{is_regular_file, is_same_file};
use jigo_run::output::staging_dir::{self, exists, lock, put_in_place};
use jigo_run::output::{check_writable, permissions};
use jigo_run::path_conflicts::resolve_symlinks;

/// The part of a name that identifies a staging directory.
pub const STAGING_SUFFIX: &str = ".jigo-extract";
/// The incomplete file. Its extension shows that it is not a record yet.
pub const PART_FILE: &str = "games.part";

/// The start of an output.
#[derive(Clone, Copy, Debug)]
pub enum OutputStart {
    /// A new output.
    New,
    /// An output with this many bytes of games or names from an earlier run.
    Append(u64),
    /// An output that an earlier run completed. It may have its final name already.
    Complete,
}

/// The staging directory of an output.
pub struct StagedOutput {
    folder: PathBuf,
    /// Removes the directory on exit, until there is a checkpoint from which a run can be resumed.
    guard: Option<CleanupGuard>,
    /// The folder of the games if this run created it. It is removed with the staging directory.
    created_folder: Option<PathBuf>,
    _lock: File,
}

impl StagedOutput {
    /// Returns the path of a staging directory: next to a file, or inside a folder.
    pub fn staging_path(target: &Path, is_folder: bool) -> PathBuf {
        let target = if is_folder { target.to_owned() } else { resolve_symlinks(target) };
        match target.file_name().filter(|_| !is_folder) {
            Some(name) => {
                let mut waiting = std::ffi::OsString::from(".");
                waiting.push(name);
                waiting.push(STAGING_SUFFIX);
                target.with_file_name(waiting)
            }
            None => target.join(STAGING_SUFFIX),
        }
    }

    /// Creates the directory, and removes the leftovers of a killed run. With another start, opens
    /// the existing directory.
    ///
    /// # Errors
    /// Fails if that is impossible, if the output exists and may not be replaced, or if another run
    /// writes there.
    pub fn begin(target: &Path, is_folder: bool, force: bool, begin: OutputStart) -> Result<StagedOutput> {
        if !is_folder && !matches!(begin, OutputStart::Complete) {
            check_writable(target, force)?;
        }
        let folder = StagedOutput::staging_path(target, is_folder);
        let failure = || format!("cannot write to {}", target.display());
        let created_folder = (is_folder && !target.exists()).then(|| target.to_owned());
        if is_folder {
            fs::create_dir_all(target).with_context(|| format!("cannot make the folder {}", target.display()))?;
        }
        let mut folder_exists = exists(&folder)?;
        if folder_exists && matches!(begin, OutputStart::New) {
            drop(lock(&folder, target)?);
            staging_dir::remove(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
            folder_exists = false;
        }
        if !folder_exists {
            ensure!(!matches!(begin, OutputStart::Append(_)), damaged(&folder));
            fs::create_dir(&folder).with_context(failure)?;
        }
        let guard = (!folder_exists).then(|| CleanupGuard::new(&folder));
        let lock = lock(&folder, target)?;
        Ok(StagedOutput { folder, guard, created_folder, _lock: lock })
    }

    /// Returns the path of the directory.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps the directory from now on, because a run can be resumed from it.
    pub fn keep(&mut self) {
        (self.guard, self.created_folder) = (None, None);
    }

    /// Returns true if this run created the folder of the games.
    pub fn is_new(&self) -> bool {
        self.created_folder.is_some()
    }

    /// Removes the directory after its content was moved to the final place.
    pub fn remove(mut self) {
        (self.guard, self.created_folder) = (Some(CleanupGuard::new(&self.folder)), None);
    }
}

impl Drop for StagedOutput {
    fn drop(&mut self) {
        if self.guard.is_some() {
            // If this fails, the next run tries again.
            let _ = staging_dir::remove(&self.folder);
            let _ = self.created_folder.as_ref().map(fs::remove_dir);
        }
    }
}

/// Returns the message about a folder whose content differs from its checkpoint.
pub fn damaged(folder: &Path) -> String {
    format!("the unfinished output in {} is damaged; use --force without --resume to start again", folder.display())
}

/// A file in a staging directory.
pub struct ResumableFile {
    /// `None` if the file has its final name already.
    file: Option<File>,
    target: PathBuf,
    force: bool,
    path: PathBuf,
}

impl ResumableFile {
    /// Creates the file, or resumes it.
    ///
    /// # Errors
    /// Fails if the final path exists and may not be replaced, or if the file can't be written.
    pub fn begin(target: &Path, force: bool, (begin, waiting): (OutputStart, &StagedOutput)) -> Result<ResumableFile> {
        let path = waiting.folder.join(PART_FILE);
        let failure = || format!("cannot write {}", target.display());
        let target = resolve_symlinks(target);
        let has_part = !is_same_file(&path, &target) && is_regular_file(&path).with_context(failure)?;
        let mut options = File::options();
        let file = match begin {
            OutputStart::New => {
                Some(permissions::creation_options(&target, None).append(true).open(&path).with_context(failure)?)
            }
            OutputStart::Append(_) | OutputStart::Complete if has_part => {
                Some(options.append(true).open(&path).with_context(failure)?)
            }
            OutputStart::Append(_) => anyhow::bail!(damaged(&waiting.folder)),
            OutputStart::Complete => None,
        };
        if let (OutputStart::Append(length), Some(file)) = (begin, &file) {
            ensure!(file.metadata().with_context(failure)?.len() >= length, damaged(&waiting.folder));
            file.set_len(length).with_context(failure)?;
        }
        Ok(ResumableFile { file, target, force, path })
    }

    /// Returns the message for a failed write.
    pub fn failure(&self) -> String {
        format!("cannot write {}", self.target.display())
    }

    /// Returns another handle of the file, so that the caller can measure its length.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn handle(&self) -> io::Result<Option<File>> {
        self.file.as_ref().map(File::try_clone).transpose()
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// Fails if the file can't be completed, or if the final path exists and may not be replaced.
    pub fn finish(self) -> Result<()> {
        if let Some(file) = self.file.as_ref() {
            file.sync_all().with_context(|| self.failure())?;
        }
        put_in_place(&self.path, &self.target, self.force)
    }
}

impl Write for ResumableFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A complete output ignores further bytes.
        self.file.as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
