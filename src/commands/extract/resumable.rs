//! Resumable outputs: each is in a staging directory until it is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use jigo_run::output::check_writable;
use jigo_run::output::path_conflicts::resolve_symlinks;
use jigo_run::output::staging_dir::{StagingDir, StagingPlace, put_in_place};

/// The part of a name that identifies a staging directory.
pub const STAGING_SUFFIX: &str = ".jigo-extract";
/// The incomplete file. Its extension shows that it is not a record yet.
pub const PART_FILE: &str = "games.part";

/// The message about resuming a run.
pub const ADVICE: &str = "progress is saved; repeat the command with --resume to continue";

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

/// The location of a staging directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StagingLocation {
    /// Next to the output, which is a file.
    NextToFile,
    /// Inside the output, which is a folder.
    InFolder,
}

/// Returns the path of the staging directory of an output.
pub fn staging_path(target: &Path, location: StagingLocation) -> PathBuf {
    let is_folder = location == StagingLocation::InFolder;
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

/// Returns the staging directory of an output.
pub fn staging_place(target: &Path, location: StagingLocation) -> StagingPlace<'_> {
    StagingPlace { folder: staging_path(target, location), target, advice: ADVICE.into() }
}

/// Creates the staging directory of an output, and removes the leftovers of a killed run. With
/// another start, opens the existing directory.
///
/// # Errors
/// Fails if that is impossible, if the output exists and may not be replaced, or if another run
/// writes there.
pub fn open_staging(target: &Path, location: StagingLocation, force: bool, start: OutputStart) -> Result<StagingDir> {
    let is_folder = location == StagingLocation::InFolder;
    if !is_folder && !matches!(start, OutputStart::Complete) {
        check_writable(target, force)?;
    }
    let creates_target = is_folder && !target.exists();
    if is_folder {
        fs::create_dir_all(target).with_context(|| format!("cannot make the folder {}", target.display()))?;
    }
    let place = || staging_place(target, location);
    match (StagingDir::open(place())?, start) {
        (Some(before), OutputStart::New) => before.remove()?,
        (Some(before), _) => return Ok(before),
        (None, OutputStart::Append(_)) => bail!(damaged(&place().folder)),
        (None, _) => {}
    }
    let mut staging = StagingDir::create(place())?;
    if creates_target {
        staging.set_created_target(target.to_owned());
    }
    Ok(staging)
}

/// Returns the message about a folder whose content differs from its checkpoint.
pub fn damaged(folder: &Path) -> String {
    format!("the unfinished output in {} is damaged; use --force without --resume to start again", folder.display())
}

/// A file in a staging directory.
pub struct ResumableFile {
    /// `None` if the file is complete.
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
    pub fn begin(target: &Path, force: bool, start: OutputStart, staging: &StagingDir) -> Result<ResumableFile> {
        let name = target.display();
        let target = resolve_symlinks(target);
        let open = |length: Option<u64>| {
            let file = staging.append_to(PART_FILE, &target, length);
            let file = file.with_context(|| format!("cannot write {name}"))?;
            file.ok_or_else(|| anyhow!(damaged(staging.path())))
        };
        let file = match start {
            OutputStart::New => Some(open(None)?),
            OutputStart::Append(length) => Some(open(Some(length))?),
            OutputStart::Complete => None,
        };
        Ok(ResumableFile { file, force, path: staging.path().join(PART_FILE), target })
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
