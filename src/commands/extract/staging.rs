//! The staging directories of outputs.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use jigo_run::output::path_conflicts::resolve_symlinks;
use jigo_run::output::staging_dir::{StagingDir, StagingPlace};

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

/// Creates the folder of an output if it is missing, and its staging directory with `create`. If
/// the run fails, the folder is removed again. `staging` borrows the directory from the result of
/// `create`.
///
/// # Errors
/// Fails if that is impossible.
pub fn create_in_folder<S>(
    target: &Path,
    create: impl FnOnce() -> Result<S>,
    staging: impl FnOnce(&mut S) -> &mut StagingDir,
) -> Result<S> {
    let is_new = !target.exists();
    fs::create_dir_all(target).with_context(|| format!("cannot make the folder {}", target.display()))?;
    let mut created = create()?;
    if is_new {
        staging(&mut created).set_created_target(target.to_owned());
    }
    Ok(created)
}

/// Creates the staging directory in a folder, and removes the leftovers of a killed run.
///
/// # Errors
/// Fails if that is impossible, or if another run writes there.
pub fn open_in_folder(target: &Path) -> Result<StagingDir> {
    if let Some(leftovers) = StagingDir::open(staging_place(target, true))? {
        leftovers.remove()?;
    }
    create_in_folder(target, || StagingDir::create(staging_place(target, true)), |staging| staging)
}
