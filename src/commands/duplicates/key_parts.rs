//! `--checkpoint`: the staging directory of `jigo duplicates`, with the keys of the games so far as
//! [`Parts`].
//!
//! The directory may come from a stranger. It contains no paths to write to, and invented games
//! only add rows about invented games.

use std::path::Path;
use std::{fs, io};

use anyhow::{Context, Result, bail, ensure};

use jigo_run::output::staging_dir::{LOCK, StagingPlace};
use jigo_run::parts::{COMPLETE_FILE, EarlierRun, PARTS_FILE, Parts};
use jigo_run::run_fingerprint::{FINGERPRINT_FILE, INPUTS_FILE, RunFingerprint};

/// Creates the directory, or opens that of the same run.
///
/// # Errors
/// Fails if the directory can't be read or written, another run uses it, it belongs to a different
/// run, or the inputs can't be read twice.
pub fn open_parts(path: &Path, fingerprint: &RunFingerprint) -> Result<Parts> {
    let name = path.display();
    if let Some(reason) = fingerprint.obstacle() {
        bail!("--checkpoint: {reason}");
    }
    let is_of_jigo = is_absent_or_of_jigo(path).with_context(|| format!("--checkpoint {name}"))?;
    ensure!(is_of_jigo, "{name} is not a checkpoint of this version of jigo");
    let advice = format!("progress is saved in {name}; repeat the command to resume");
    let place = StagingPlace { folder: path.to_owned(), target: path, advice };
    let refusal =
        format!("{name} belongs to other inputs or options, or inputs have changed since; remove it to start again");
    Parts::begin(&place, fingerprint, EarlierRun::Resume(&refusal), || Ok(()))
}

/// Returns true if nothing exists at the path, or a folder with files of a staging directory only.
fn is_absent_or_of_jigo(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    }
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        if ![LOCK, PARTS_FILE, COMPLETE_FILE, FINGERPRINT_FILE, INPUTS_FILE].iter().any(|known| name == **known) {
            return Ok(false);
        }
    }
    Ok(true)
}
