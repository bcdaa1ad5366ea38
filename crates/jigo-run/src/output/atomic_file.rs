//! Output files that appear complete or not at all.

use std::collections::BTreeSet;
use std::fs::{self, Permissions, TryLockError};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::SystemTime;

use anyhow::{Context, Result, anyhow, bail, ensure};
use tempfile::{NamedTempFile, TempPath};

use crate::output::cleanup::CleanupGuard;
use crate::output::path_conflicts::resolve_symlinks;
use crate::output::permissions;
use crate::output::regular_file::has_same_content;

/// The destination of rows: standard output, or a file that gets its name at the end.
pub enum Output {
    /// Standard output.
    Stdout(io::Stdout),
    /// A temporary file next to its final place.
    File(PendingFile),
}

impl Output {
    /// Returns standard output.
    pub fn stdout() -> Output {
        Output::Stdout(io::stdout())
    }

    /// Opens the output before the work begins, so that an unusable path is reported at once.
    ///
    /// # Errors
    /// Fails if the file exists and may not be replaced, or can't be created.
    pub fn open(path: Option<&Path>, force: bool) -> Result<Output> {
        match path {
            None => Ok(Output::stdout()),
            Some(path) => PendingFile::create(path, force).map(Output::File),
        }
    }

    /// Opens the output of a run that may have put its file in its place already. An existing file
    /// must have the same content in the end.
    ///
    /// # Errors
    /// Fails if the file can't be created.
    pub fn open_again(path: Option<&Path>, force: bool) -> Result<Output> {
        let Some(path) = path else { return Ok(Output::stdout()) };
        let mut file = PendingFile::create(path, true)?;
        file.target.force = force;
        Ok(Output::File(file))
    }

    /// Writes all pending bytes, and gives a file its name.
    ///
    /// # Errors
    /// Fails if that is impossible. The file then does not exist.
    pub fn finish(mut self) -> Result<()> {
        match self {
            Output::Stdout(_) => Ok(self.flush()?),
            Output::File(file) => file.close()?.put_in_place(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(stdout) => stdout.write(bytes).map_err(|error| with_name(&error, "standard output")),
            Output::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(stdout) => stdout.flush().map_err(|error| with_name(&error, "standard output")),
            Output::File(file) => file.flush(),
        }
    }
}

/// Returns an error of an output that begins with its name, and has the same kind.
fn with_name(error: &io::Error, name: &str) -> io::Error {
    io::Error::new(error.kind(), format!("{name}: {error}"))
}

/// A file that is being written under a temporary name. Errors of writing name it. Dropping it
/// removes the file.
pub struct PendingFile {
    writer: BufWriter<NamedTempFile>,
    target: Destination,
    guard: CleanupGuard,
}

/// The final place of a file.
struct Destination {
    path: PathBuf,
    /// The path in messages.
    name: PathBuf,
    force: bool,
    /// The permissions of the source file. The new file never has broader ones.
    max_permissions: Option<Permissions>,
    /// True if the new file must have the owner and the group of the one that it replaces.
    keeps_owner: bool,
}

impl PendingFile {
    /// Creates a temporary file in the folder of the file that `path` resolves to, and removes the
    /// temporary files of killed runs there.
    ///
    /// # Errors
    /// Fails if `path` exists and `force` is false, or if the file can't be created.
    pub fn create(path: &Path, force: bool) -> Result<PendingFile> {
        remove_abandoned(check_writable(&resolve_symlinks(path), force)?);
        PendingFile::create_within(path, None, force)
    }

    /// Creates a temporary file like [`PendingFile::create`]. It replaces the file at
    /// `path` only with the same owner and group.
    ///
    /// # Errors
    /// Fails if the file can't be created.
    pub fn create_in_place(path: &Path) -> Result<PendingFile> {
        let mut file = PendingFile::create(path, true)?;
        file.target.keeps_owner = true;
        Ok(file)
    }

    /// Creates a file with at most the permissions `max_permissions`, which are those of its
    /// source.
    ///
    /// # Errors
    /// As [`PendingFile::create`].
    pub fn create_within(path: &Path, max_permissions: Option<Permissions>, force: bool) -> Result<PendingFile> {
        check_writable(path, force)?;
        let path = resolve_symlinks(path);
        PendingFile::create_at(&path, &path, max_permissions, force)
    }

    /// Creates a file in an output folder, and the folder if it is missing. A link at `path` is
    /// replaced instead of followed, because it may lead anywhere. No other file is touched: the
    /// folder may contain files with any name.
    ///
    /// # Errors
    /// As [`PendingFile::create`], or if the folder can't be created.
    pub fn create_below(path: &Path, max_permissions: Option<Permissions>, force: bool) -> Result<PendingFile> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
        }
        PendingFile::create_at(path, path, max_permissions, force)
    }

    /// Creates a file in a staging directory, which will get the path `place` in the end. Errors of
    /// writing name that path.
    ///
    /// # Errors
    /// As [`PendingFile::create`].
    pub fn create_staged(path: &Path, place: &Path) -> Result<PendingFile> {
        remove_abandoned(check_writable(path, true)?);
        let mut file = PendingFile::create_at(path, place, None, true)?;
        place.clone_into(&mut file.target.name);
        Ok(file)
    }

    /// Creates a copy of another file, which may be private. A link at `path` is replaced.
    ///
    /// # Errors
    /// As [`PendingFile::create`].
    pub fn create_copy(path: &Path, original: &Path, force: bool) -> Result<PendingFile> {
        PendingFile::create_at(path, original, None, force)
    }

    /// Creates a file with the access rights of the file `access`.
    fn create_at(path: &Path, access: &Path, max_permissions: Option<Permissions>, force: bool) -> Result<PendingFile> {
        let folder = check_writable(path, force)?;
        let file = create_temporary(folder, access, max_permissions.as_ref())
            .with_context(|| format!("cannot write {}", path.display()))?;
        let guard = CleanupGuard::new(file.path());
        let (path, name) = (path.to_owned(), path.to_owned());
        let target = Destination { path, name, force, max_permissions, keeps_owner: false };
        Ok(PendingFile { writer: BufWriter::new(file), target, guard })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// Fails if they can't be written. The message names the file.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        Ok(self.write_all(bytes)?)
    }

    /// Writes all pending bytes and waits until they are on the disk.
    ///
    /// # Errors
    /// Fails if that is impossible.
    pub fn close(self) -> Result<ClosedFile> {
        let PendingFile { writer, target, guard } = self;
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error);
        let closed = file.and_then(|file| file.as_file().sync_all().map(|()| file.into_parts()));
        let (open, file) = closed.with_context(|| target.failure())?;
        Ok(ClosedFile { file, open, target, _guard: guard })
    }
}

/// Checks before the work begins that a file can be created at `path`. Returns its folder.
///
/// # Errors
/// Fails if something exists there that may not be replaced, or if the folder is missing.
pub fn check_writable(path: &Path, force: bool) -> Result<&Path> {
    let name = path.display();
    ensure!(
        path != Path::new("-"),
        "- is not a file here; rows go to standard output without --output, and ./- names a file"
    );
    if path.is_dir() {
        bail!("{name} is a folder");
    }
    // Replacing a device by a file would break every other program that uses it.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        bail!("{name} is not a regular file; redirect standard output to it");
    }
    if !force && fs::symlink_metadata(path).is_ok() {
        bail!("{name} is there already; --force replaces it");
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    ensure!(folder.is_dir(), "cannot write {name}: there is no folder {}", folder.display());
    Ok(folder)
}

/// The maximum number of threads that wait for the disk. More threads are not faster, but each has
/// a cost.
const MAX_CLOSING_THREADS: usize = 16;

/// Closes files in parallel. The file system can combine the waiting writes into one.
pub fn close_all(files: Vec<PendingFile>) -> Vec<Result<ClosedFile>> {
    let share = files.len().div_ceil(MAX_CLOSING_THREADS).max(1);
    let mut files = files.into_iter();
    thread::scope(|scope| {
        let mut threads = Vec::new();
        loop {
            let batch: Vec<PendingFile> = files.by_ref().take(share).collect();
            if batch.is_empty() {
                break;
            }
            threads.push((batch.len(), scope.spawn(|| batch.into_iter().map(PendingFile::close).collect::<Vec<_>>())));
        }
        let error = || Err(anyhow!("a file could not be closed"));
        let closed = threads.into_iter().flat_map(|(count, thread)| {
            thread.join().unwrap_or_else(|_| std::iter::repeat_with(error).take(count).collect())
        });
        closed.collect()
    })
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes).map_err(|error| with_name(&error, &self.target.failure()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| with_name(&error, &self.target.failure()))
    }
}

impl Seek for PendingFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.writer.seek(position)
    }
}

/// A complete file without its final name.
pub struct ClosedFile {
    file: TempPath,
    /// The open file, which holds the lock until the file has its name.
    open: fs::File,
    target: Destination,
    _guard: CleanupGuard,
}

impl ClosedFile {
    /// Sets the modification time, if the file system supports it.
    pub fn set_modified(&self, time: SystemTime) {
        // The file is complete without its time, so a failure is ignored.
        let _ = self.open.set_modified(time);
    }

    /// Gives the file its name and the permissions of the file that it replaces.
    ///
    /// # Errors
    /// Fails if the path now exists and may not be replaced, or if the folder is gone.
    pub fn put_in_place(self) -> Result<()> {
        let target = self.target.path.clone();
        self.put_in_place_as(&target)
    }

    /// Gives the file its name and the permissions of the file at `path`.
    ///
    /// # Errors
    /// As [`ClosedFile::put_in_place`].
    pub fn put_in_place_as(self, path: &Path) -> Result<()> {
        let Destination { max_permissions, keeps_owner, force, .. } = &self.target;
        let failure = self.target.failure();
        permissions::copy_permissions(&self.file, path, max_permissions.as_ref()).with_context(|| failure.clone())?;
        ensure!(
            !keeps_owner || permissions::has_same_owner(&self.file, path),
            "{failure}: its owner and group would change; run jigo as its owner, or use --out DIR to write a copy"
        );
        rename(self.file, &self.target.path, *force)
    }
}

/// Gives a complete file its final path, and the permissions of the file that it replaces. Whatever
/// happens, the file leaves its old path.
///
/// # Errors
/// Fails if a path exists that may not be replaced and has other content, or if the file can't be
/// moved.
pub fn put_in_place(file: &Path, path: &Path, force: bool) -> Result<()> {
    let failure = || format!("cannot write {}", path.display());
    let file = TempPath::try_from_path(file).with_context(failure)?;
    permissions::copy_permissions(&file, path, None).with_context(failure)?;
    rename(file, path, force)
}

/// Moves a file, unless an earlier run was ended after it put the same file in its place.
fn rename(file: TempPath, path: &Path, force: bool) -> Result<()> {
    let moved = if force { file.persist(path) } else { file.persist_noclobber(path) };
    match moved {
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            let is_same = has_same_content(&error.path, path).unwrap_or(false);
            ensure!(is_same, "{} is there already; --force replaces it", path.display());
            Ok(())
        }
        moved => moved.map_err(|error| error.error).with_context(|| format!("cannot write {}", path.display())),
    }
}

impl Destination {
    fn failure(&self) -> String {
        format!("cannot write {}", self.name.display())
    }
}

/// The beginning and the end of temporary names.
const TEMPORARY_NAME: (&str, &str) = (".jigo-", ".part");

/// Returns true if a file with this name would be taken for the temporary file of a run.
pub fn is_temporary_name(name: &str) -> bool {
    name.starts_with(TEMPORARY_NAME.0) && name.ends_with(TEMPORARY_NAME.1)
}

/// Creates a temporary file that will replace or copy `target`. It is locked while it is open, so
/// that other runs see that it is in use.
fn create_temporary(folder: &Path, target: &Path, max_permissions: Option<&Permissions>) -> io::Result<NamedTempFile> {
    let options = permissions::creation_options(target, max_permissions).write(true).clone();
    loop {
        let mut builder = tempfile::Builder::new();
        let file =
            builder.prefix(TEMPORARY_NAME.0).suffix(TEMPORARY_NAME.1).make_in(folder, |path| options.open(path))?;
        // Another run may have removed the file as abandoned before it was locked. On file systems
        // without locks, no run removes such files.
        let is_mine = !matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if is_mine && file.path().exists() {
            return Ok(file);
        }
    }
}

/// Gives a file a second name in the same folder. A file with that name is replaced if `force` is
/// true, and only once the new name exists.
///
/// # Errors
/// Fails if there is such a file, or if the file system does not support second names.
pub fn add_hard_link(path: &Path, name: &Path, force: bool) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // The lock keeps other runs from removing the file as abandoned while it has a temporary name.
    let open = fs::File::open(path)?;
    let _ = open.try_lock();
    let mut builder = tempfile::Builder::new();
    let link =
        builder.prefix(TEMPORARY_NAME.0).suffix(TEMPORARY_NAME.1).make_in(folder, |link| fs::hard_link(path, link))?;
    let (_guard, link) = (CleanupGuard::new(link.path()), link.into_temp_path());
    let link_path = link.to_owned();
    let placed = if force { link.persist(name) } else { link.persist_noclobber(name) };
    // Renaming one of two names of the same file to the other leaves both names.
    let _ = fs::remove_file(link_path);
    placed.map_err(|error| error.error)
}

/// The folders in which this run has removed abandoned files. A run may write thousands of files
/// into one folder, and one pass is enough.
static SCANNED_FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes the temporary files of killed runs, which no run has open. Files that can't be removed
/// do no harm.
fn remove_abandoned(folder: &Path) {
    if SCANNED_FOLDERS.lock().is_ok_and(|mut folders| !folders.insert(folder.to_owned())) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_temporary = name.to_str().is_some_and(is_temporary_name);
        // Opening a pipe for reading would wait for a writer.
        if is_temporary && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let is_dead = fs::File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
            let _ = if is_dead { fs::remove_file(entry.path()) } else { Ok(()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_in_its_place_is_kept_only_with_the_same_content() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        for (old, new, force, is_placed) in [
            (None, "rows", false, true),
            (Some("rows"), "rows", false, true),
            (Some("mine"), "rows", true, true),
            (Some("mine"), "rows", false, false),
            (Some("row"), "rows", false, false),
        ] {
            let _ = fs::remove_file(&to);
            fs::write(&from, new).unwrap();
            old.map_or(Ok(()), |old| fs::write(&to, old)).unwrap();
            assert_eq!(put_in_place(&from, &to, force).is_ok(), is_placed, "{old:?} {new}");
            assert_eq!(fs::read_to_string(&to).unwrap(), if is_placed { new } else { old.unwrap() });
            assert!(!from.exists());
        }
    }
}
