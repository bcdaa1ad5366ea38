//! What `jigo fix --in-place --backup` keeps: each file that is replaced, with a suffix behind its name.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf, is_separator};

use anyhow::{Context, Result, bail, ensure};

use crate::cli::output::{PendingFile, second_name};
use crate::cli::places::{path_of, place};
use crate::cli::plain::is_in_both;
use jigo_archive::source::Source;

/// `--backup`.
#[derive(Clone)]
pub struct Backup {
    suffix: String,
    force: bool,
}

/// A suffix as it is given: what is kept has another name than the file, in the same folder.
///
/// # Errors
/// A sentence.
pub fn suffix(text: &str) -> Result<String, String> {
    match text {
        "" => Err("it is empty, and what is kept needs a name of its own: --backup .orig".into()),
        text if text.contains(is_separator) => {
            Err("files are kept in their own folders: a suffix such as .orig, without folders in it".into())
        }
        text => Ok(text.into()),
    }
}

impl Backup {
    /// Keeps files with this suffix, and with `force` in the place of what is there.
    pub fn new(suffix: &str, force: bool) -> Backup {
        Backup { suffix: suffix.to_owned(), force }
    }

    /// Makes sure, before the work begins, that nothing is kept in the place of an input, or of the file of one of these flags.
    ///
    /// # Errors
    /// A sentence with that place.
    pub fn is_apart_from(&self, sources: &[Source], named: &[(&str, &Option<PathBuf>)]) -> Result<()> {
        let Backup { suffix, .. } = self;
        let inputs: Vec<PathBuf> = sources.iter().filter_map(|source| place(path_of(source)?)).collect();
        let places: HashSet<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        let named: Vec<(&str, PathBuf)> =
            named.iter().filter_map(|(flag, path)| Some((*flag, place(path.as_deref()?)?))).collect();
        for input in &inputs {
            let Some(kept) = self.kept(input).and_then(|kept| place(&kept)) else { continue };
            let shown = kept.display();
            if let Some((flag, _)) = named.iter().find(|(_, path)| *path == kept) {
                bail!("--backup {suffix} and {flag} are the same place: {shown}");
            }
            ensure!(kept != *input, "--backup {suffix}: {shown} would be kept as itself; name another suffix");
            ensure!(
                !places.contains(kept.as_path()),
                "{shown} is read as an input: --backup {suffix} can't replace it; name another suffix"
            );
        }
        Ok(())
    }

    /// Makes sure, before anything of a file is written, that the name is free under which it is kept.
    ///
    /// # Errors
    /// When it is not.
    pub fn is_free(&self, path: &Path) -> Result<()> {
        let (_, kept) = self.kept_as(path)?;
        let is_there = !self.force && fs::symlink_metadata(&kept).is_ok();
        ensure!(!is_there, "{} is there already; --force replaces it", kept.display());
        Ok(())
    }

    /// Gives a file that is about to be replaced another name, too. Whatever fails, it keeps the one that it has.
    ///
    /// # Errors
    /// When that name is not free, or can't be given.
    pub fn keep(&self, path: &Path) -> Result<()> {
        self.is_free(path)?;
        let (path, kept) = self.kept_as(path)?;
        let failure = || format!("cannot keep {} as {}", path.display(), kept.display());
        ensure!(place(&kept).as_ref() != Some(&path), "{}: that is the same file", failure());
        match second_name(&path, &kept, self.force) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error).with_context(failure),
            // Not every file system has second names.
            Err(_) => self.copy(&path, &kept).with_context(failure),
            Ok(()) => Ok(()),
        }
    }

    /// Returns true if the file has its backup's name already, as after a run that was killed.
    pub fn is_name_of(&self, path: &Path) -> bool {
        let is_same = |(path, kept): (PathBuf, PathBuf)| is_in_both(&path, &kept);
        self.kept_as(path).is_ok_and(is_same)
    }

    fn copy(&self, path: &Path, kept: &Path) -> Result<()> {
        let mut copy = PendingFile::create_copy(kept, path, self.force)?;
        io::copy(&mut File::open(path)?, &mut copy)?;
        copy.close()?.put_in_place_as(path)
    }

    /// Where a file is, whatever links lead there, and under which name it is kept.
    fn kept_as(&self, path: &Path) -> Result<(PathBuf, PathBuf)> {
        let path = fs::canonicalize(path).with_context(|| path.display().to_string())?;
        let kept = self.kept(&path).with_context(|| format!("{} has no name", path.display()))?;
        Ok((path, kept))
    }

    /// The name under which the file in a place is kept.
    fn kept(&self, place: &Path) -> Option<PathBuf> {
        let mut name = place.file_name()?.to_owned();
        name.push(OsStr::new(&self.suffix));
        Some(place.with_file_name(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_makes_another_name_in_the_same_folder() {
        for refused in ["", "/", "x/../a.sgf", "../.orig", "/../a.sgf"] {
            assert!(suffix(refused).is_err(), "{refused}");
        }
        assert_eq!(suffix(".orig").as_deref(), Ok(".orig"));
    }

    /// Whatever came in between the first look and the last.
    #[test]
    fn what_is_kept_is_never_less_than_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let [file, kept] = ["a.sgf", "a.sgf.orig"].map(|name| folder.path().join(name));
        let names = || fs::read_dir(folder.path()).unwrap().count();
        fs::write(&file, "a").unwrap();
        assert!(Backup::new("", true).keep(&file).is_err());
        assert_eq!((fs::read_to_string(&file).unwrap(), names()), ("a".into(), 1));
        fs::write(&kept, "older").unwrap();
        assert!(Backup::new(".orig", false).keep(&file).is_err());
        assert_eq!(fs::read_to_string(&kept).unwrap(), "older");
        // The second time, both names are of one file already.
        for _ in 0..2 {
            Backup::new(".orig", true).keep(&file).unwrap();
            assert_eq!(
                (fs::read_to_string(&file).unwrap(), fs::read_to_string(&kept).unwrap()),
                ("a".into(), "a".into())
            );
            assert_eq!(names(), 2);
        }
    }

    #[test]
    fn a_copy_is_kept_where_there_are_no_second_names() {
        let folder = tempfile::tempdir().unwrap();
        let [file, kept] = ["a.sgf", "a.sgf.orig"].map(|name| folder.path().join(name));
        fs::write(&file, "a").unwrap();
        fs::write(&kept, "older").unwrap();
        assert!(Backup::new(".orig", false).copy(&file, &kept).is_err());
        Backup::new(".orig", true).copy(&file, &kept).unwrap();
        assert_eq!(fs::read_to_string(&kept).unwrap(), "a");
    }
}
