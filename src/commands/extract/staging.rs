//! The staging directories of outputs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Result;

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

/// Creates the staging directory in a folder, and removes the leftovers of a killed run.
///
/// # Errors
/// Fails if that is impossible, or if another run writes there.
pub fn open_in_folder(target: &Path) -> Result<StagingDir> {
    let place = staging_place(target, true);
    StagingDir::open(&place)?.map_or(Ok(()), StagingDir::remove)?;
    StagingDir::create(&place)
}
