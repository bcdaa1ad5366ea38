//! The backups of `jigo fix --in-place --backup`: each replaced file, with a suffix after its name.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf, is_separator};

use anyhow::{Context, Result, bail, ensure};

use jigo_archive::source::Source;
use jigo_run::output::path_conflicts::{resolve, source_path};
use jigo_run::output::regular_file::is_same_file;
use jigo_run::output::{PendingFile, add_hard_link};

/// The backups of a run.
#[derive(Clone)]
pub struct Backup {
    suffix: String,
    force: bool,
}

/// Validates a suffix. It must give the backup another name in the same folder.
///
/// # Errors
/// Returns a sentence about the suffix.
pub fn suffix(text: &str) -> Result<String, String> {
    match text {
        "" => Err("it is empty, but a backup needs another name; use --backup .orig".into()),
        text if text.contains(is_separator) => {
            Err("backups are in the folders of their files; use a suffix without folders, such as .orig".into())
        }
        text => Ok(text.into()),
    }
}

impl Backup {
    /// Creates backups with this suffix. With `force`, they replace existing files.
    pub fn new(suffix: &str, force: bool) -> Backup {
        Backup { suffix: suffix.to_owned(), force }
    }

    /// Checks before the work begins that no backup would replace an input or the file of one of
    /// these flags.
    ///
    /// # Errors
    /// Returns a sentence with the path.
    pub fn check_inputs(&self, sources: &[Source], options: &[(&str, &Option<PathBuf>)]) -> Result<()> {
        let Backup { suffix, .. } = self;
        let inputs: Vec<PathBuf> = sources.iter().filter_map(|source| resolve(source_path(source)?)).collect();
        let places: HashSet<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        let options: Vec<(&str, PathBuf)> =
            options.iter().filter_map(|(flag, path)| Some((*flag, resolve(path.as_deref()?)?))).collect();
        for input in &inputs {
            let Some(backup_path) = self.backup_path(input).and_then(|backup_path| resolve(&backup_path)) else {
                continue;
            };
            let name = backup_path.display();
            if let Some((flag, _)) = options.iter().find(|(_, path)| *path == backup_path) {
                bail!("--backup {suffix} and {flag} are the same place: {name}");
            }
            ensure!(backup_path != *input, "--backup {suffix}: {name} would be its own backup; use another suffix");
            ensure!(
                !places.contains(backup_path.as_path()),
                "{name} is read as an input: --backup {suffix} can't replace it; name another suffix"
            );
        }
        Ok(())
    }

    /// Checks that the name of a backup is free, before any byte of the new file is written.
    ///
    /// # Errors
    /// Fails if it is not free.
    pub fn check_free(&self, path: &Path) -> Result<()> {
        let (_, backup_path) = self.resolved_paths(path)?;
        let exists = !self.force && fs::symlink_metadata(&backup_path).is_ok();
        ensure!(!exists, "{} is there already; --force replaces it", backup_path.display());
        Ok(())
    }

    /// Gives a file a backup name before it is replaced. If this fails, the file keeps its name.
    ///
    /// # Errors
    /// Fails if the backup name is not free, or can't be created.
    pub fn create(&self, path: &Path) -> Result<()> {
        self.check_free(path)?;
        let (path, backup_path) = self.resolved_paths(path)?;
        let failure = || format!("cannot keep {} as {}", path.display(), backup_path.display());
        ensure!(resolve(&backup_path).as_ref() != Some(&path), "{}: that is the same file", failure());
        match add_hard_link(&path, &backup_path, self.force) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error).with_context(failure),
            // Not every file system supports a second name for a file.
            Err(_) => self.copy(&path, &backup_path).with_context(failure),
            Ok(()) => Ok(()),
        }
    }

    /// Returns true if the file has its backup's name already, which happens after a killed run.
    pub fn is_backup_of(&self, path: &Path) -> bool {
        let is_own_backup = |(path, backup_path): (PathBuf, PathBuf)| is_same_file(&path, &backup_path);
        self.resolved_paths(path).is_ok_and(is_own_backup)
    }

    fn copy(&self, path: &Path, backup_path: &Path) -> Result<()> {
        let mut copy = PendingFile::create_copy(backup_path, path, self.force)?;
        io::copy(&mut File::open(path)?, &mut copy)?;
        copy.close()?.put_in_place_as(path)
    }

    /// Returns the path of a file after resolving links, and the path of its backup.
    fn resolved_paths(&self, path: &Path) -> Result<(PathBuf, PathBuf)> {
        let path = fs::canonicalize(path).with_context(|| path.display().to_string())?;
        let backup_path = self.backup_path(&path).with_context(|| format!("{} has no name", path.display()))?;
        Ok((path, backup_path))
    }

    /// Returns the path of the backup of a file.
    fn backup_path(&self, place: &Path) -> Option<PathBuf> {
        let mut name = place.file_name()?.to_owned();
        name.push(OsStr::new(&self.suffix));
        Some(place.with_file_name(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffix_gives_another_name_in_the_same_folder() {
        for refused in ["", "/", "x/../a.sgf", "../.orig", "/../a.sgf"] {
            assert!(suffix(refused).is_err(), "{refused}");
        }
        assert_eq!(suffix(".orig").as_deref(), Ok(".orig"));
    }

    /// An action of another program between the first check and the replacement.
    #[test]
    fn backup_never_loses_the_original() {
        let folder = tempfile::tempdir().unwrap();
        let [file, backup_path] = ["a.sgf", "a.sgf.orig"].map(|name| folder.path().join(name));
        let names = || fs::read_dir(folder.path()).unwrap().count();
        fs::write(&file, "a").unwrap();
        assert!(Backup::new("", true).create(&file).is_err());
        assert_eq!((fs::read_to_string(&file).unwrap(), names()), ("a".into(), 1));
        fs::write(&backup_path, "older").unwrap();
        assert!(Backup::new(".orig", false).create(&file).is_err());
        assert_eq!(fs::read_to_string(&backup_path).unwrap(), "older");
        // In the second round, both names refer to one file already.
        for _ in 0..2 {
            Backup::new(".orig", true).create(&file).unwrap();
            assert_eq!(
                (fs::read_to_string(&file).unwrap(), fs::read_to_string(&backup_path).unwrap()),
                ("a".into(), "a".into())
            );
            assert_eq!(names(), 2);
        }
    }

    #[test]
    fn backup_is_a_copy_without_hard_links() {
        let folder = tempfile::tempdir().unwrap();
        let [file, backup_path] = ["a.sgf", "a.sgf.orig"].map(|name| folder.path().join(name));
        fs::write(&file, "a").unwrap();
        fs::write(&backup_path, "older").unwrap();
        assert!(Backup::new(".orig", false).copy(&file, &backup_path).is_err());
        Backup::new(".orig", true).copy(&file, &backup_path).unwrap();
        assert_eq!(fs::read_to_string(&backup_path).unwrap(), "a");
    }
}
