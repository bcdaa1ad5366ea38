//! Files that appear whole or not at all.

use std::collections::BTreeSet;
use std::fs::{self, Permissions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::SystemTime;

use anyhow::{Context, Result, anyhow, bail, ensure};
use tempfile::{NamedTempFile, TempPath};

use super::abandon::Unwhole;
use super::access;
use super::places::behind_links;
use jigo_archive::tables::Table;
use jigo_archive::tables::formats::{Format, Rows, TableWriter};

/// Where rows go: standard output, or a file that is put in place at the end.
pub enum Output {
    /// Standard output.
    Stdout(io::Stdout),
    /// A file beside its final place.
    File(PendingFile),
}

impl Output {
    /// Opens the output before the work begins, so that a bad place is known at once.
    ///
    /// # Errors
    /// When the file is there already and may not be replaced, or can't be made.
    pub fn open(path: Option<&Path>, force: bool) -> Result<Output> {
        match path {
            None => Ok(Output::Stdout(io::stdout())),
            Some(path) => PendingFile::create(path, force).map(Output::File),
        }
    }

    /// What to say when it can't be written to.
    pub fn failure(&self) -> String {
        match self {
            Output::Stdout(_) => "standard output".into(),
            Output::File(file) => file.failure(),
        }
    }

    /// Makes sure that everything is written, and puts a file in its place.
    ///
    /// # Errors
    /// When that fails; the file is not there then.
    pub fn finish(self) -> Result<()> {
        match self {
            Output::Stdout(mut stdout) => stdout.flush().context("standard output"),
            Output::File(file) => file.close()?.put_in_place(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(stdout) => stdout.write(bytes),
            Output::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(stdout) => stdout.flush(),
            Output::File(file) => file.flush(),
        }
    }
}

/// A file that is being written under a temporary name. Dropped, it leaves nothing behind.
pub struct PendingFile {
    writer: BufWriter<NamedTempFile>,
    target: Destination,
    unwhole: Unwhole,
}

/// Where a file belongs.
struct Destination {
    path: PathBuf,
    force: bool,
    /// Those of the file that it is a copy of.
    most: Option<Permissions>,
}

impl PendingFile {
    /// Makes a temporary file in the folder that `path` leads to.
    ///
    /// # Errors
    /// When there is something at `path` and `force` is not given, or no file can be made there.
    pub fn create(path: &Path, force: bool) -> Result<PendingFile> {
        PendingFile::create_within(path, None, force)
    }

    /// The same for what is made of another file, with no more permissions than that one has.
    ///
    /// # Errors
    /// As [`PendingFile::create`].
    pub fn create_within(path: &Path, most: Option<Permissions>, force: bool) -> Result<PendingFile> {
        is_free(path, force)?;
        let path = behind_links(path);
        PendingFile::create_at(&path, &path, most, force)
    }

    /// The same below a folder that is filled, which is made where it is not there: a link that stands there is replaced, and not followed to who knows where.
    ///
    /// # Errors
    /// As [`PendingFile::create`], or when the folder can't be made.
    pub fn create_below(path: &Path, most: Option<Permissions>, force: bool) -> Result<PendingFile> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
        }
        PendingFile::create_at(path, path, most, force)
    }

    /// The same for a copy of another file, which may be private; a link that stands there is replaced, too.
    ///
    /// # Errors
    /// As [`PendingFile::create`].
    pub fn create_copy(path: &Path, of: &Path, force: bool) -> Result<PendingFile> {
        PendingFile::create_at(path, of, None, force)
    }

    /// `access` is a file that says who may read this one.
    fn create_at(path: &Path, access: &Path, most: Option<Permissions>, force: bool) -> Result<PendingFile> {
        let folder = is_free(path, force)?;
        remove_dead(folder);
        let file =
            temporary(folder, access, most.as_ref()).with_context(|| format!("cannot write {}", path.display()))?;
        let unwhole = Unwhole::new(file.path());
        let target = Destination { path: path.to_owned(), force, most };
        Ok(PendingFile { writer: BufWriter::new(file), target, unwhole })
    }

    /// Appends bytes; the error names the file.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer.write_all(bytes).with_context(|| self.target.failure())
    }

    /// What to say when it can't be written to.
    pub fn failure(&self) -> String {
        self.target.failure()
    }

    /// Writes out what is left and waits until it is on the disk.
    ///
    /// # Errors
    /// When that fails.
    pub fn close(self) -> Result<ClosedFile> {
        let PendingFile { writer, target, unwhole } = self;
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error);
        let written = file.and_then(|file| file.as_file().sync_all().map(|()| file.into_parts()));
        let (open, file) = written.with_context(|| target.failure())?;
        Ok(ClosedFile { file, open, target, _unwhole: unwhole })
    }
}

/// Makes sure that a file can stand at `path`, before the work begins; gives the folder that it will stand in.
///
/// # Errors
/// When something is there that may not be replaced, or there is no such folder.
pub fn is_free(path: &Path, force: bool) -> Result<&Path> {
    let name = path.display();
    ensure!(
        path != Path::new("-"),
        "- is no file here: rows go to standard output where none is named, and ./- is one"
    );
    if path.is_dir() {
        bail!("{name} is a folder");
    }
    // A file in the place of a device would cut off whoever else uses it.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        bail!("{name} is no regular file; redirect standard output to it");
    }
    if !force && fs::symlink_metadata(path).is_ok() {
        bail!("{name} is there already; --force replaces it");
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    ensure!(folder.is_dir(), "cannot write {name}: there is no folder {}", folder.display());
    Ok(folder)
}

/// Threads that wait for the disk: with more of them it is not faster, and each has its price.
const WAIT: usize = 16;

/// Closes files at the same time: each waits for the disk, which makes one writing of what waits together.
pub fn close_all(files: Vec<PendingFile>) -> Vec<Result<ClosedFile>> {
    let share = files.len().div_ceil(WAIT).max(1);
    let mut files = files.into_iter();
    thread::scope(|scope| {
        let mut threads = Vec::new();
        loop {
            let some: Vec<PendingFile> = files.by_ref().take(share).collect();
            if some.is_empty() {
                break;
            }
            threads.push((some.len(), scope.spawn(|| some.into_iter().map(PendingFile::close).collect::<Vec<_>>())));
        }
        let lost = || Err(anyhow!("a file could not be closed"));
        let closed = threads.into_iter().flat_map(|(count, thread)| {
            thread.join().unwrap_or_else(|_| std::iter::repeat_with(lost).take(count).collect())
        });
        closed.collect()
    })
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A file that is written and not yet in its place.
pub struct ClosedFile {
    file: TempPath,
    /// Keeps the lock until the file is in its place.
    open: fs::File,
    target: Destination,
    _unwhole: Unwhole,
}

impl ClosedFile {
    /// Makes it as old as that, if the file system has times.
    pub fn set_modified(&self, time: SystemTime) {
        // Without them it has its bytes all the same.
        let _ = self.open.set_modified(time);
    }

    /// Gives the file its name, and what it replaces its permissions.
    ///
    /// # Errors
    /// When something stands there by now and may not be replaced, or the folder is gone.
    pub fn put_in_place(self) -> Result<()> {
        let target = self.target.path.clone();
        self.put_in_place_as(&target)
    }

    /// The same with the permissions of the file at `path`.
    ///
    /// # Errors
    /// As [`ClosedFile::put_in_place`].
    pub fn put_in_place_as(self, path: &Path) -> Result<()> {
        let failure = self.target.failure();
        access::take_over(&self.file, path, self.target.most.as_ref()).with_context(|| failure.clone())?;
        self.place(failure)
    }

    fn place(self, failure: String) -> Result<()> {
        let placed = match self.target.force {
            true => self.file.persist(&self.target.path),
            false => self.file.persist_noclobber(&self.target.path),
        };
        placed.map_err(|error| error.error).context(failure)
    }
}

impl Destination {
    fn failure(&self) -> String {
        format!("cannot write {}", self.path.display())
    }
}

/// How names of temporary files begin and end.
const TEMPORARY: (&str, &str) = (".jigo-", ".part");

/// A temporary file in the place of `target`, or for a copy of it, locked as long as it is open, so that others see whether it is in use.
fn temporary(folder: &Path, target: &Path, most: Option<&Permissions>) -> io::Result<NamedTempFile> {
    let options = access::new_file(target, most).write(true).clone();
    loop {
        let mut named = tempfile::Builder::new();
        let file = named.prefix(TEMPORARY.0).suffix(TEMPORARY.1).make_in(folder, |path| options.open(path))?;
        // Between the two, another run may have taken it for dead; there are file systems without locks, on which none is.
        let is_mine = !matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if is_mine && file.path().exists() {
            return Ok(file);
        }
    }
}

/// Gives a file a second name, in the same folder. What has that name already keeps it unless `force` is given, and until the file has it.
///
/// # Errors
/// When there is such a file, or the file system has no second names.
pub fn second_name(path: &Path, name: &Path, force: bool) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // Locked, it is nothing that a dead run has left, for as long as it has the name of such a thing.
    let open = fs::File::open(path)?;
    let _ = open.try_lock();
    let mut named = tempfile::Builder::new();
    let link = named.prefix(TEMPORARY.0).suffix(TEMPORARY.1).make_in(folder, |link| fs::hard_link(path, link))?;
    let (_unwhole, link) = (Unwhole::new(link.path()), link.into_temp_path());
    let left = link.to_owned();
    let placed = if force { link.persist(name) } else { link.persist_noclobber(name) };
    // A name that is moved to another one of the same file stays where it was.
    let _ = fs::remove_file(left);
    placed.map_err(|error| error.error)
}

/// Folders that this run has looked through for files of dead ones: into some, thousands of files are written.
static LOOKED_THROUGH: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes temporary files that no run has open: those of runs that were killed. What can't be removed does no harm.
fn remove_dead(folder: &Path) {
    if LOOKED_THROUGH.lock().is_ok_and(|mut folders| !folders.insert(folder.to_owned())) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_temporary =
            name.to_str().is_some_and(|name| name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1));
        // Opened for reading, a pipe of that name would wait for a writer.
        if is_temporary && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let is_dead = fs::File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
            let _ = if is_dead { fs::remove_file(entry.path()) } else { Ok(()) };
        }
    }
}

/// A table on its way into an output.
pub struct TableOutput<W: Write + Send> {
    writer: TableWriter<W>,
    /// What to say when it can't be written.
    failure: String,
}

impl<W: Write + Send> TableOutput<W> {
    /// Writes what stands before the first row.
    ///
    /// # Errors
    /// When `out` can't be written to; `failure` begins the message then.
    pub fn new(format: Format, table: &Table, out: W, failure: String) -> Result<TableOutput<W>> {
        let writer = TableWriter::new(format, table, out).with_context(|| failure.clone())?;
        Ok(TableOutput { writer, failure })
    }

    /// Goes on behind rows that are written.
    pub fn resumed(out: W, failure: String) -> TableOutput<W> {
        TableOutput { writer: TableWriter::resumed(out), failure }
    }

    /// Writes the rows of a batch.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn write(&mut self, rows: Rows) -> Result<()> {
        self.writer.write(rows).with_context(|| self.failure.clone())
    }

    /// Writes what stands after the last row.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn finish(self) -> Result<W> {
        self.writer.finish().context(self.failure)
    }
}
