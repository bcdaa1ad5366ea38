//! Mended sources as files: in their place, below another folder, or to standard output.

use std::fs;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::cli::output::{PendingFile, close_all};
use crate::cli::split::below;
use jigo_archive::source::{Source, SourceKind};
use jigo_archive::tables::formats::text::visible;
use jigo_archive::visit::{SourceEnd, Stretch};

/// Bytes of a source that are held before a file is begun: of most files, that is all.
const HELD: usize = 4 << 20;

/// Where mended sources go.
pub enum Goal {
    /// Below a folder, under their names.
    Folder(PathBuf),
    /// A single one into a file.
    File(PathBuf),
    /// A single one to standard output.
    Output,
    /// Where they came from, kept under another name if there is a suffix.
    Replaced(Option<String>),
}

/// What becomes of the records of a table instead.
pub const AS_FILES: &str =
    "--out DIR writes its records as files, which jigo extract --out FILE.jsonl makes a table again";

/// Files that are written and wait for the disk together: it takes hardly longer for many than for one.
const CLOSED_AT_ONCE: usize = 64;

/// A file that is written, and what is left to be done with it.
struct Written {
    file: PendingFile,
    /// The file that it is to replace, with what was read of it, or that it is a copy of.
    place: Place,
}

/// How a written file gets its name.
enum Place {
    /// In the place of a file of which so much was read.
    Of(PathBuf, u64, SourceEnd),
    /// As a copy of a file, with its time.
    Copy(PathBuf, PathBuf),
    New,
}

/// Writes sources, one after the other.
pub struct MendedFiles {
    goal: Goal,
    /// Files that were named or found, in order, with their names in the tables.
    originals: Vec<(String, PathBuf)>,
    /// How many of them are behind.
    behind: usize,
    force: bool,
    /// Sources in UTF-16 are written as UTF-8.
    converts: bool,
    current: Option<Current>,
    written: Vec<Written>,
    changed: u64,
}

/// A source on its way out.
#[derive(Default)]
struct Current {
    name: String,
    held: Vec<u8>,
    file: Option<PendingFile>,
    /// Bytes that it has as it is recorded.
    recorded: u64,
    is_changed: bool,
    has_game: bool,
}

impl MendedFiles {
    /// No source yet.
    ///
    /// # Errors
    /// When the sources can't go there.
    pub fn new(goal: Goal, sources: &[Source], force: bool, converts: bool) -> Result<MendedFiles> {
        let mut originals: Vec<(String, PathBuf)> = Vec::new();
        for source in sources {
            match (&source.kind, &goal) {
                (SourceKind::File(path, _), _) => originals.push((source.name.clone(), path.clone())),
                (SourceKind::Table(..), Goal::Replaced(_)) => {
                    bail!("{}: a table can't be changed in place: {AS_FILES}", source.name)
                }
                (SourceKind::Archive(..) | SourceKind::Stream(_), Goal::Replaced(_)) => {
                    bail!(
                        "{}: only files can be changed in place; --out DIR takes the games of archives and streams",
                        source.name
                    )
                }
                _ => {}
            }
        }
        let is_single = matches!(goal, Goal::File(_) | Goal::Output);
        let one = matches!(sources, [Source { kind: SourceKind::File(..) | SourceKind::Stream(_), .. }]);
        ensure!(!is_single || one, "--out FILE and --out - take a single input that is no archive: name a folder");
        let (behind, changed) = (0, 0);
        Ok(MendedFiles { goal, originals, behind, force, converts, current: None, written: Vec::new(), changed })
    }

    /// Adds the next part of a source.
    ///
    /// # Errors
    /// When a file can't be written; no other is touched then.
    pub fn add(&mut self, stretch: Stretch) -> Result<()> {
        let Stretch { file, recorded, changes, has_game, end } = stretch;
        let mut current = self.current.take().unwrap_or_else(|| Current { name: file, ..Current::default() });
        current.recorded += recorded.len() as u64;
        current.is_changed |= !changes.is_empty();
        current.has_game |= has_game;
        let mut at = 0;
        for change in changes {
            current.held.extend_from_slice(&recorded[at..change.range.start]);
            current.held.extend_from_slice(&change.text);
            at = change.range.end;
        }
        current.held.extend_from_slice(&recorded[at..]);
        if let Some(end) = end {
            return self.end(current, end);
        }
        if current.held.len() > HELD {
            self.write(&mut current)?;
        }
        self.current = Some(current);
        Ok(())
    }

    /// How many files were changed.
    ///
    /// # Errors
    /// When standard output or a file fails.
    pub fn finish(mut self) -> Result<u64> {
        self.put_in_place()?;
        io::stdout().flush().context("standard output")?;
        Ok(self.changed)
    }

    /// The file that a source was read from.
    fn original(&self, name: &str) -> Option<(usize, &Path)> {
        let rest = self.originals.iter().enumerate().skip(self.behind);
        rest.clone().find(|(_, (known, _))| known == name).map(|(index, (_, path))| (index, path.as_path()))
    }

    /// Where a source goes.
    fn target(&self, name: &str) -> Result<PathBuf> {
        Ok(match &self.goal {
            Goal::Folder(folder) => folder.join(below(name)),
            Goal::File(path) => path.clone(),
            // What a link points to is changed, not the link.
            Goal::Replaced(_) => {
                let (_, path) =
                    self.original(name).with_context(|| format!("{name}: nobody knows where it was read from"))?;
                fs::canonicalize(path).with_context(|| format!("cannot write {name}"))?
            }
            Goal::Output => PathBuf::new(),
        })
    }

    /// Writes what is held.
    fn write(&self, current: &mut Current) -> Result<()> {
        if let Goal::Output = self.goal {
            io::stdout().write_all(&current.held).context("standard output")?;
        } else {
            let file = match &mut current.file {
                Some(file) => file,
                none => {
                    let target = self.target(&current.name)?;
                    if let (Goal::Folder(_), Some(parent)) = (&self.goal, target.parent()) {
                        fs::create_dir_all(parent)
                            .with_context(|| format!("cannot make the folder {}", parent.display()))?;
                    }
                    none.insert(PendingFile::create(&target, self.force || matches!(self.goal, Goal::Replaced(_)))?)
                }
            };
            file.append(&current.held)?;
        }
        current.held.clear();
        Ok(())
    }

    fn end(&mut self, mut current: Current, end: SourceEnd) -> Result<()> {
        let original = self.original(&current.name).map(|(index, path)| (index, path.to_owned()));
        if end.is_whole {
            self.end_of_whole(&mut current, end, original.as_ref().map(|(_, path)| path.as_path()))?;
        } else {
            note(&format!("{} could not be read to its end and is not written", current.name));
        }
        self.behind = original.map_or(self.behind, |(index, _)| index + 1);
        Ok(())
    }

    fn end_of_whole(&mut self, current: &mut Current, end: SourceEnd, original: Option<&Path>) -> Result<()> {
        let is_kept = end.is_utf16 && !self.converts;
        let is_changed = (current.is_changed || end.is_utf16) && current.has_game && !is_kept;
        match (&self.goal, original) {
            (Goal::Replaced(_), _) if !is_changed => return Ok(()),
            (Goal::Replaced(backup), Some(path)) => {
                is_free(path, backup.as_deref(), self.force)?;
                self.write(current)?;
                self.later(current, Place::Of(path.to_owned(), current.recorded, end))?;
            }
            (Goal::Output, _) => self.write(current)?,
            (Goal::Folder(_) | Goal::File(_), Some(path)) if !is_changed => {
                // What is begun of it is dropped: its bytes here may not be those of the file.
                current.file = None;
                self.copy(&current.name, path)?;
            }
            _ => {
                self.write(current)?;
                self.later(current, Place::New)?;
            }
        }
        self.changed += u64::from(is_changed);
        Ok(())
    }

    /// Leaves a file that is written to be put in its place with others.
    fn later(&mut self, current: &mut Current, place: Place) -> Result<()> {
        self.written.extend(current.file.take().map(|file| Written { file, place }));
        if self.written.len() < CLOSED_AT_ONCE { Ok(()) } else { self.put_in_place() }
    }

    /// Puts all files that are written in their places, in order.
    fn put_in_place(&mut self) -> Result<()> {
        let (files, places): (Vec<_>, Vec<_>) =
            self.written.drain(..).map(|Written { file, place }| (file, place)).unzip();
        for (file, place) in close_all(files).into_iter().zip(places) {
            let file = file?;
            match (place, &self.goal) {
                (Place::Of(path, recorded, end), Goal::Replaced(backup)) => {
                    is_as_read(&path, recorded, end)?;
                    self.keep(&path, backup.as_deref())?;
                    file.put_in_place_as(&path)?;
                }
                (Place::Copy(from, to), _) => {
                    file.put_in_place()?;
                    let time = fs::metadata(from).and_then(|found| found.modified());
                    // A file system without times keeps the bytes all the same.
                    let _ = time.and_then(|time| fs::File::options().append(true).open(&to)?.set_modified(time));
                }
                _ => file.put_in_place()?,
            }
        }
        Ok(())
    }

    /// A file that is not changed, with its time.
    fn copy(&mut self, name: &str, path: &Path) -> Result<()> {
        let target = self.target(name)?;
        if let (Goal::Folder(_), Some(parent)) = (&self.goal, target.parent()) {
            fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
        }
        let mut out = PendingFile::create(&target, self.force)?;
        let failure = out.failure();
        let mut file = fs::File::open(path).with_context(|| path.display().to_string())?;
        match file.metadata() {
            Ok(found) if found.len() <= HELD as u64 => {
                let mut bytes = Vec::with_capacity(found.len() as usize);
                file.read_to_end(&mut bytes).with_context(|| path.display().to_string())?;
                out.append(&bytes)?;
            }
            _ => drop(io::copy(&mut file, &mut out).with_context(|| failure.clone())?),
        }
        let mut current = Current { file: Some(out), ..Current::default() };
        self.later(&mut current, Place::Copy(path.to_owned(), target))
    }

    /// Gives a file that is about to be replaced another name, too.
    fn keep(&self, path: &Path, backup: Option<&str>) -> Result<()> {
        let Some(suffix) = backup else { return Ok(()) };
        let path = fs::canonicalize(path).with_context(|| path.display().to_string())?;
        let mut kept = path.clone().into_os_string();
        kept.push(suffix);
        let kept = PathBuf::from(kept);
        let failure = || format!("cannot keep {} as {}", path.display(), kept.display());
        if fs::symlink_metadata(&kept).is_ok() {
            ensure!(self.force, "{} is there already; --force replaces it", kept.display());
            fs::remove_file(&kept).with_context(failure)?;
        }
        fs::hard_link(&path, &kept).or_else(|_| fs::copy(&path, &kept).map(drop)).with_context(failure)
    }
}

/// Makes sure, before anything of a file is written, that the name is free under which it is kept.
fn is_free(path: &Path, backup: Option<&str>, force: bool) -> Result<()> {
    let Some(suffix) = backup.filter(|_| !force) else { return Ok(()) };
    let mut kept = fs::canonicalize(path).with_context(|| path.display().to_string())?.into_os_string();
    kept.push(suffix);
    let kept = PathBuf::from(kept);
    ensure!(fs::symlink_metadata(&kept).is_err(), "{} is there already; --force replaces it", kept.display());
    Ok(())
}

/// Makes sure that nobody has written to a file since it was read.
fn is_as_read(path: &Path, recorded: u64, end: SourceEnd) -> Result<()> {
    let length = fs::metadata(path).with_context(|| path.display().to_string())?.len();
    ensure!(end.is_utf16 || length == recorded, "{} has changed while it was read; it is not touched", path.display());
    Ok(())
}

fn note(line: &str) {
    // Without standard error there is nobody left to tell.
    let _ = writeln!(io::stderr(), "jigo: {}", visible(line));
}
