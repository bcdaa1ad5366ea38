//! Fixed sources as files: in place, below another folder, or on standard output.

mod zips;

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};

use super::backup::Backup;
use jigo_archive::formats::Rows;
use jigo_archive::formats::writer::TableWriter;
use jigo_archive::source::files::separators::Separators;
use jigo_archive::source::{InputFormat, Source, SourceKind, open_file};
use jigo_archive::summary::with_noun;
use jigo_archive::visit::{FixFault, Segment, SourceEnd};
use jigo_core::fix::Edit;
use jigo_run::output::path_conflicts::ReservedPaths;
use jigo_run::output::table_checksum::Checksum;
use jigo_run::output::unique_names::{UniqueNames, fit_to_file_system, relative_path};
use jigo_run::output::{ClosedFile, Output, PendingFile, close_all, permissions};
use jigo_run::process::note;
use zips::ZipUpdate;

/// The number of bytes of a source that are buffered before its file is created. Most files are
/// shorter.
const MAX_BUFFER_BYTES: usize = 4 << 20;

/// The destination of fixed sources.
pub enum FixDestination {
    /// A folder in which the sources keep their names.
    Folder(PathBuf),
    /// A file for a single source.
    File(PathBuf),
    /// Standard output for a single source.
    Stdout,
    /// The original files, with optional backups.
    InPlace(Option<Backup>),
}

/// The advice for records in tables.
pub const TABLE_ADVICE: &str =
    "use --out DIR to write its records as files, and jigo extract --out FILE.jsonl to make a table of them";

/// The number of bytes of a complete source that wait in memory for other files.
const MAX_WAITING_BYTES: usize = 64 << 10;

/// The number of files that are synchronised to the disk together. This takes hardly longer than
/// for one file.
const BATCH_CLOSED_FILES: usize = 64;

/// The final place of a written file.
enum FinalPlace {
    /// It replaces this original.
    Original(Original),
    /// It is a copy of this file and gets its modification time.
    CopyOf(PathBuf),
    New,
}

/// An input file.
#[derive(Clone)]
struct Original {
    path: PathBuf,
    /// True if the user named it, false if it was found in a folder.
    is_named: bool,
    /// The length and the modification time at the start of the run. `None` if no file is replaced.
    state: Option<State>,
    /// The checksum of the bytes that were fixed. `None` if they were decoded from UTF-16.
    checksum: Option<Checksum>,
}

/// The length and modification time, which reveal changes to a file.
type State = (u64, Option<SystemTime>);

/// The advice for fixing a file into its own folder.
const OTHER_FOLDER_ADVICE: &str = "use --in-place to fix files in their folder, or name another folder";

/// Returns the paths that must not be replaced below a folder. Most inputs have predictable names
/// there, so most conflicts are found before the work begins.
fn reserved_paths(folder: &Path, sources: &[Source], log: Option<&Path>) -> Result<ReservedPaths> {
    let reserved = ReservedPaths::from_sources(sources, "--out", folder).with_file("--log", log);
    let files = sources.iter().filter(|source| matches!(source.kind, SourceKind::File(..)));
    files
        .map(|source| folder.join(relative_path(&source.name)))
        .try_for_each(|path| reserved.check_free(&path, OTHER_FOLDER_ADVICE))?;
    Ok(reserved)
}

/// Returns the number of changed files in words: `3 files are changed`.
fn changed_files(count: u64) -> String {
    format!("{} {} changed", with_noun(count, "file"), if count == 1 { "is" } else { "are" })
}

impl Original {
    fn new(path: &Path, is_named: bool, is_replaced: bool) -> Original {
        let state = is_replaced.then(|| state(path).ok()).flatten();
        Original { path: path.to_owned(), is_named, state, checksum: None }
    }

    /// Returns true if the file has no other name, which would keep the old text. Its backup may be
    /// one. A file with several names that was found in a folder is reported.
    ///
    /// # Errors
    /// Fails if the user named a file with several names.
    fn has_single_name(&self, backup: Option<&Backup>) -> Result<bool> {
        let of_backup = backup.is_some_and(|backup| backup.is_backup_of(&self.path));
        let names = hard_link_count(&self.path).saturating_sub(u64::from(of_backup));
        if names > 1 {
            let (name, skipped) = (self.path.display(), if self.is_named { "" } else { "is skipped: it " });
            let message = format!(
                "{name} {skipped}has {names} names (hard links), and --in-place would change only one of them; use --out DIR to write a copy"
            );
            ensure!(!self.is_named, message);
            note(&message);
        }
        Ok(names <= 1)
    }

    /// Checks that the file still has the bytes that were fixed.
    fn check_unchanged(&self) -> Result<()> {
        let is_same = || -> io::Result<bool> {
            let Some(checksum) = &self.checksum else { return Ok(true) };
            Ok(Checksum::of(&mut open_file(&self.path)?)?.digits() == checksum.clone().digits())
        };
        let name = || self.path.display().to_string();
        let is_unchanged = self.state == Some(state(&self.path).with_context(name)?) && is_same().with_context(name)?;
        ensure!(is_unchanged, "{} has changed while it was read; it is not touched", name());
        Ok(())
    }
}

/// Counts the names of a file, which are its hard links.
#[cfg(unix)]
fn hard_link_count(path: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).map_or(1, |metadata| metadata.nlink())
}

/// Returns 1, because Rust can't count the names of a file on this system.
#[cfg(not(unix))]
fn hard_link_count(_: &Path) -> u64 {
    1
}

fn state(path: &Path) -> io::Result<State> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.len(), metadata.modified().ok()))
}

/// A writer for sources, one after the other.
pub struct FixedFiles {
    destination: FixDestination,
    /// The input files that are still to come, and zips that are fixed in place, by their names in
    /// the tables. Names that are not UTF-8 may be equal in the tables. The run reads those files
    /// in this order.
    originals: HashMap<String, VecDeque<Original>>,
    force: bool,
    current: Option<FixedSource>,
    separators: Separators,
    /// For a folder: the names in use, because different sources may lead to the same name.
    names: UniqueNames,
    /// For a folder: the existing paths that must not be replaced.
    reserved: ReservedPaths,
    /// The processed sources that are not in their places.
    written: Vec<FixedSource>,
    /// The log, with a row for each fix.
    log: Option<TableWriter<Output>>,
    /// The files that are replaced, or will be when the pending files are closed. A link may lead
    /// to a file of this set.
    replaced: HashSet<PathBuf>,
    /// The zip whose files are fixed.
    zip: Option<ZipUpdate>,
    changed: u64,
}

/// A source that is being written, or waits for its place.
#[derive(Default)]
struct FixedSource {
    name: String,
    /// Its name below a folder.
    unique_name: String,
    /// The file from which it is read.
    original: Option<Original>,
    /// The checksum of the recorded bytes, if the file is replaced.
    recorded: Checksum,
    /// The text that is not written yet.
    buffer: Vec<u8>,
    file: Option<PendingFile>,
    /// The rows for the log, which are written when the file is in its place.
    rows: Vec<Rows>,
    is_changed: bool,
    has_game: bool,
    /// The final place of the file. `None` if no file is written.
    place: Option<FinalPlace>,
}

impl FixedFiles {
    /// Creates a writer.
    ///
    /// # Errors
    /// Fails if the sources can't be written to this destination.
    pub fn new(
        destination: FixDestination,
        sources: &[Source],
        format: InputFormat,
        log: Option<&Path>,
        force: bool,
    ) -> Result<FixedFiles> {
        let mut originals: HashMap<String, VecDeque<Original>> = HashMap::new();
        let is_replaced = matches!(destination, FixDestination::InPlace(_));
        for source in sources {
            match (&source.kind, &destination) {
                (SourceKind::File(path, _), _) | (SourceKind::Archive(path, ..), FixDestination::InPlace(_)) => {
                    originals.entry(source.name.clone()).or_default().push_back(Original::new(
                        path,
                        source.is_named,
                        is_replaced,
                    ));
                }
                (SourceKind::Table(..), FixDestination::InPlace(_)) => {
                    bail!("{}: a table can't be changed in place; {TABLE_ADVICE}", source.name)
                }
                (SourceKind::Stream(_), FixDestination::InPlace(_)) => {
                    bail!("{}: only files can be changed in place; use --out DIR for streams", source.name)
                }
                _ => {}
            }
        }
        let is_single = matches!(destination, FixDestination::File(_) | FixDestination::Stdout);
        let is_single_file = matches!(sources, [Source { kind: SourceKind::File(..) | SourceKind::Stream(_), .. }]);
        ensure!(
            !is_single || is_single_file,
            "--out FILE and --out - need a single input that is not an archive; name a folder"
        );
        let reserved = match &destination {
            FixDestination::Folder(folder) => reserved_paths(folder, sources, log)?,
            _ => ReservedPaths::default(),
        };
        Ok(FixedFiles {
            destination,
            originals,
            force,
            current: None,
            separators: Separators::new(sources, format),
            names: UniqueNames::default(),
            reserved,
            written: Vec::new(),
            log: None,
            replaced: HashSet::new(),
            zip: None,
            changed: 0,
        })
    }

    /// Sets the log for fixes of files that are in their places.
    pub fn set_log(&mut self, log: TableWriter<Output>) {
        self.log = Some(log);
    }

    /// Adds the next part of a source.
    ///
    /// # Errors
    /// Fails if a file can't be written. Other files are then unchanged.
    pub fn add(&mut self, segment: Segment) -> Result<()> {
        let Segment { file, recorded, changes, rows, has_game, end, made: _ } = segment;
        let mut current = self.current.take().unwrap_or_else(|| self.begin(file));
        current.rows.extend(rows);
        current.is_changed |= !changes.is_empty();
        if let FixDestination::InPlace(_) = self.destination {
            current.recorded.add(&recorded);
        }
        current.has_game |= has_game;
        Edit::append_edited(&recorded, &changes, &mut current.buffer);
        if let Some(end) = end {
            return self.end(current, end);
        }
        if current.buffer.len() > MAX_BUFFER_BYTES && self.zip_of(&current.name).is_none() {
            self.write(&mut current)?;
        }
        self.current = Some(current);
        Ok(())
    }

    /// Returns an empty source.
    fn begin(&mut self, name: String) -> FixedSource {
        let mut unique_name = String::new();
        if let FixDestination::Folder(folder) = &self.destination {
            let standard_path = relative_path(&self.separators.path(&name));
            let usable_path = fit_to_file_system(&standard_path);
            unique_name = self.names.make_unique(&usable_path);
            if unique_name != standard_path {
                let path = folder.join(&unique_name);
                let reason = if usable_path == standard_path {
                    "another source has its name"
                } else {
                    "no file can have its name"
                };
                note(&format!("{name} goes to {}: {reason}", path.display()));
            }
        }
        let original = self.originals.get(&name).and_then(|of_name| of_name.front()).cloned();
        FixedSource { name, unique_name, original, ..FixedSource::default() }
    }

    /// Puts complete files in their places, if there are enough of them.
    ///
    /// Call this at the end of a batch only. The run may read the sources of a batch several times,
    /// and must never read what it wrote.
    ///
    /// # Errors
    /// Fails if a file can't be written. Other files are then unchanged.
    pub fn end_batch(&mut self) -> Result<()> {
        if self.written.len() < BATCH_CLOSED_FILES { Ok(()) } else { self.put_in_place() }
    }

    /// Puts complete files in their places. Returns the number of changed files. `is_complete` is
    /// false if the run ended early.
    ///
    /// # Errors
    /// Fails if standard output or a file fails.
    pub fn finish(mut self, is_complete: bool) -> Result<u64> {
        // A zip appears with all of its fixes or not at all.
        let closed_zip = if is_complete { self.end_zip() } else { Ok(()) };
        match closed_zip.and_then(|()| self.put_in_place()) {
            Ok(()) => {
                io::stdout().flush().context("standard output")?;
                self.end_log()?;
                Ok(self.changed)
            }
            Err(error) => Err(self.abort(error)),
        }
    }

    /// Ends the output after the run failed. Files that are in their places remain and are in the
    /// log.
    pub fn abort(mut self, error: anyhow::Error) -> anyhow::Error {
        let closed_log = self.end_log();
        match (self.changed, closed_log) {
            (0, Ok(())) => {}
            (changed, Ok(())) => note(&format!("{}; the others are as they were", changed_files(changed))),
            (changed, Err(log_error)) => note(&format!("{}, and {log_error:#}", changed_files(changed))),
        }
        error
    }

    fn end_log(&mut self) -> Result<()> {
        self.log.take().map_or(Ok(()), |log| log.finish()?.finish())
    }

    /// Returns the path to which a source is written.
    fn target(&self, FixedSource { name, unique_name, original, .. }: &FixedSource) -> Result<PathBuf> {
        Ok(match &self.destination {
            FixDestination::Folder(folder) => folder.join(unique_name),
            FixDestination::File(path) => path.clone(),
            // The target of a link is changed, not the link.
            FixDestination::InPlace(_) => {
                let original = original.as_ref().with_context(|| format!("{name}: its input file is unknown"))?;
                fs::canonicalize(&original.path).with_context(|| format!("cannot write {name}"))?
            }
            FixDestination::Stdout => PathBuf::new(),
        })
    }

    /// Writes the buffered bytes.
    fn write(&self, current: &mut FixedSource) -> Result<()> {
        if let FixDestination::Stdout = self.destination {
            io::stdout().write_all(&current.buffer).context("standard output")?;
        } else {
            if current.file.is_none() {
                current.file = Some(self.create(current)?);
            }
            if let Some(file) = &mut current.file {
                file.append(&current.buffer)?;
            }
        }
        current.buffer.clear();
        Ok(())
    }

    /// Creates the file of a source. The source may be private, so the new file never has broader
    /// permissions.
    fn create(&self, current: &FixedSource) -> Result<PendingFile> {
        let target = &self.target(current)?;
        let max_permissions = || permissions::permission_limit(&current.original.as_ref()?.path);
        match self.destination {
            FixDestination::Folder(_) => {
                self.reserved.check_free(target, OTHER_FOLDER_ADVICE)?;
                PendingFile::create_below(target, max_permissions(), self.force)
            }
            FixDestination::InPlace(_) => PendingFile::create_in_place(target),
            FixDestination::File(_) | FixDestination::Stdout => {
                PendingFile::create_within(target, max_permissions(), self.force)
            }
        }
    }

    fn end(&mut self, current: FixedSource, end: SourceEnd) -> Result<()> {
        let name = current.name.clone();
        if end.fault == Some(FixFault::Unverified) {
            self.skip_unverified(&current.name)?;
        } else if end.fault == Some(FixFault::Lossy) && !end.is_file {
            note(&format!(
                "{} is not written: it is UTF-16, and UTF-8 would lose bytes that may not be characters",
                current.name
            ));
        } else if end.is_whole {
            self.end_complete_source(current, end)?;
        } else {
            note(&format!("{} could not be read to its end and is not written", current.name));
        }
        if let (true, Some(of_name)) = (end.is_file, self.originals.get_mut(&name)) {
            of_name.pop_front();
        }
        Ok(())
    }

    /// Skips a source whose fixes can't be verified.
    fn skip_unverified(&self, name: &str) -> Result<()> {
        let message =
            format!("{name} is not written: its fixes would change how its other games are read; split it first");
        ensure!(!matches!(self.destination, FixDestination::Stdout), "{message}");
        note(&message);
        Ok(())
    }

    fn end_complete_source(&mut self, mut current: FixedSource, end: SourceEnd) -> Result<()> {
        let is_changed = (current.is_changed || end.is_converted) && current.has_game;
        // A row may have the name of a file.
        let original = current.original.clone().filter(|_| end.is_file);
        if is_changed && !end.is_file && matches!(self.destination, FixDestination::InPlace(_)) {
            return self.update_zip(current);
        }
        if is_changed
            && matches!(self.destination, FixDestination::InPlace(_))
            && !self.replaced.insert(self.target(&current)?)
        {
            note(&format!("{} leads to a file that is fixed already", current.name));
            return Ok(());
        }
        current.place = match (&self.destination, original) {
            (FixDestination::InPlace(_), _) if !is_changed => {
                current.file = None;
                None
            }
            (FixDestination::InPlace(backup), Some(original)) => {
                if !original.has_single_name(backup.as_ref())? {
                    return Ok(());
                }
                backup.as_ref().map_or(Ok(()), |backup| backup.check_free(&original.path))?;
                let checksum = (!end.is_utf16).then(|| std::mem::take(&mut current.recorded));
                Some(FinalPlace::Original(Original { checksum, ..original }))
            }
            (FixDestination::Folder(_) | FixDestination::File(_), Some(original)) if !is_changed => {
                // The part that is already written is discarded, because the file may have other
                // bytes.
                (current.file, current.buffer) = (None, Vec::new());
                Some(FinalPlace::CopyOf(original.path))
            }
            (FixDestination::Stdout, _) => {
                self.write(&mut current)?;
                None
            }
            _ => Some(FinalPlace::New),
        };
        current.is_changed = is_changed;
        if current.buffer.len() > MAX_WAITING_BYTES && current.place.is_some() {
            self.write(&mut current)?;
        }
        if current.place.is_some() || !current.rows.is_empty() || is_changed {
            self.written.push(current);
        }
        Ok(())
    }

    /// Puts all written files in their places, in order.
    fn put_in_place(&mut self) -> Result<()> {
        let mut written = std::mem::take(&mut self.written);
        while !written.is_empty() {
            let rest = written.split_off(written.len().min(BATCH_CLOSED_FILES));
            self.put_group_in_place(std::mem::replace(&mut written, rest))?;
        }
        Ok(())
    }

    fn put_group_in_place(&mut self, mut group: Vec<FixedSource>) -> Result<()> {
        let mut files = Vec::new();
        for source in &mut group {
            match &source.place {
                None => continue,
                Some(FinalPlace::CopyOf(path)) => source.file = Some(self.copy(source, path)?),
                Some(_) => self.write(source)?,
            }
            files.extend(source.file.take());
        }
        let mut closed = close_all(files).into_iter();
        for source in group {
            // Sources without a place have no closed file, so files and places correspond in order.
            if let Some(place) = source.place
                && let Some(file) = closed.next()
            {
                self.put_file_in_place(file?, place)?;
            }
            self.changed += u64::from(source.is_changed);
            if let Some(log) = &mut self.log {
                source.rows.into_iter().try_for_each(|rows| log.write(rows))?;
            }
        }
        Ok(())
    }

    fn put_file_in_place(&self, file: ClosedFile, place: FinalPlace) -> Result<()> {
        match (place, &self.destination) {
            (FinalPlace::Original(original), FixDestination::InPlace(backup)) => {
                original.check_unchanged()?;
                backup.as_ref().map_or(Ok(()), |backup| backup.create(&original.path))?;
                file.put_in_place()
            }
            (FinalPlace::CopyOf(source), _) => {
                if let Ok(time) = fs::metadata(source).and_then(|metadata| metadata.modified()) {
                    file.set_modified(time);
                }
                file.put_in_place()
            }
            _ => file.put_in_place(),
        }
    }

    /// Copies an unchanged file.
    fn copy(&self, current: &FixedSource, path: &Path) -> Result<PendingFile> {
        let mut out = self.create(current)?;
        let mut file = open_file(path).with_context(|| path.display().to_string())?;
        match file.metadata() {
            Ok(metadata) if metadata.len() <= MAX_BUFFER_BYTES as u64 => {
                let mut bytes = Vec::with_capacity(metadata.len() as usize);
                file.read_to_end(&mut bytes).with_context(|| path.display().to_string())?;
                out.append(&bytes)?;
            }
            _ => drop(io::copy(&mut file, &mut out).with_context(|| path.display().to_string())?),
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another program may write the same number of bytes within the resolution of the file time.
    #[test]
    fn file_with_other_bytes_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sgf");
        fs::write(&path, "(;B[aa])").unwrap();
        let mut checksum = Checksum::default();
        checksum.add(b"(;B[a");
        checksum.add(b"a])");
        let original = Original { checksum: Some(checksum), ..Original::new(&path, true, true) };
        assert!(original.check_unchanged().is_ok());
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "(;B[bb])").unwrap();
        fs::File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
        assert!(original.check_unchanged().unwrap_err().to_string().contains("has changed"));
    }
}
