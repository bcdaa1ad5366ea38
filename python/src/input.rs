//! Inputs from Python: paths, bytes, files, and pairs of an identifier and a text.

use std::ffi::{OsStr, OsString};
use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use jigo_archive::locate::{LocateError, LocatedGame};
use jigo_archive::source::files::discover;
use jigo_archive::source::{InMemorySource, RECORD_COLUMN, Source, SourceKind};
use jigo_core::Game;
use jigo_record::sgf::Limits;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyIterator, PyString};

/// The number of bytes to request from a file at once.
const BLOCK: usize = 1 << 20;
/// The approximate number of bytes of text in a batch of pairs.
const BATCH_BYTES: usize = 256 << 10;
/// The maximum length of a text that may be the name of a file.
const NAME_BYTES: usize = 4096;

/// The first exception of a Python callback, for the caller that waits for the rows.
#[derive(Clone, Default)]
pub struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    fn keep(&self, error: PyErr) -> io::Error {
        let words = error.to_string();
        if let Ok(mut first_error) = self.0.lock() {
            first_error.get_or_insert(error);
        }
        io::Error::other(words)
    }

    /// Takes the exception.
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().ok().and_then(|mut first_error| first_error.take())
    }
}

/// The inputs of a query.
pub struct Inputs {
    /// Paths, bytes and files with their names.
    pub items: Vec<(String, Py<PyAny>)>,
    /// An iterable of pairs, which replaces `items`.
    pub pairs: Option<Py<PyAny>>,
    /// True if `pairs` has been read.
    pub is_read: AtomicBool,
    /// The exception of an input.
    pub raised: Raised,
}

impl Inputs {
    /// Returns true if reading the inputs calls Python.
    pub fn call_python(&self, py: Python<'_>) -> bool {
        self.pairs.is_some() || self.items.iter().any(|(_, item)| is_file(item.bind(py)))
    }

    /// Returns the sources of the inputs.
    ///
    /// # Errors
    /// Fails if an input is neither a path nor bytes nor a file, or if an iterator has been read.
    pub fn sources(&self, py: Python<'_>) -> PyResult<Vec<Source>> {
        let source_of =
            |name: &str, input| Source { name: name.into(), kind: SourceKind::InMemory(input), is_named: true };
        if let Some(pairs) = &self.pairs {
            let iterator = pairs.bind(py).try_iter()?;
            if self.is_read.swap(true, Ordering::Relaxed) && iterator.is(pairs) {
                return Err(crate::Error::new_err("an iterator of pairs can be read only once; pass a list"));
            }
            let pairs = Pairs { pairs: iterator.unbind(), raised: self.raised.clone(), is_over: false };
            return Ok(vec![source_of("pairs", InMemorySource::from_rows(Box::new(pairs)))]);
        }
        let mut sources = Vec::new();
        for (name, item) in &self.items {
            let item = item.bind(py);
            if let Ok(bytes) = item.extract::<PyBackedBytes>() {
                let length = bytes.len() as u64;
                sources.push(source_of(name, InMemorySource::from_bytes(Box::new(Cursor::new(bytes)), Some(length))));
            } else if is_file(item) {
                let file =
                    PythonFile { file: item.clone().unbind(), raised: self.raised.clone(), block: Cursor::default() };
                sources.push(source_of(name, InMemorySource::from_bytes(Box::new(file), None)));
            } else {
                sources.extend(discover::discover(&[item.extract::<PathBuf>()?]));
            }
        }
        Ok(sources)
    }
}

fn is_file(item: &Bound<'_, PyAny>) -> bool {
    item.hasattr("read").unwrap_or(false)
}

/// Returns the bytes of a Python `bytes` object, or of a `str` in UTF-8.
///
/// # Errors
/// Fails if the value is neither.
pub fn text(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = value.cast::<PyString>() {
        // Surrogates that represent invalid UTF-8 become the original bytes again.
        let bytes = value.py().get_type::<PyString>().call_method1("encode", (text, "utf-8", "surrogateescape"))?;
        return Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec());
    }
    match value.extract::<PyBackedBytes>() {
        Ok(bytes) => Ok(bytes.to_vec()),
        Err(_) => Err(PyTypeError::new_err(format!("a text is str or bytes, not {}", value.get_type().name()?))),
    }
}

/// The record of a single game.
pub enum GameInput {
    /// The record.
    Bytes(Vec<u8>),
    /// The record, or the name of a file.
    Text(Vec<u8>, OsString),
    /// The name of a file, or of a game in it.
    Name(OsString),
}

impl GameInput {
    /// Takes the record from a text, bytes, a path or a file object.
    ///
    /// # Errors
    /// Fails if the value is nothing of these, or if the file object raises an exception.
    pub fn from_python(value: &Bound<'_, PyAny>) -> PyResult<GameInput> {
        if is_file(value) {
            return text(&value.call_method0("read")?).map(GameInput::Bytes);
        }
        match (text(value), value.extract::<OsString>(), value.extract::<PathBuf>()) {
            (Ok(bytes), Ok(name), _) => Ok(GameInput::Text(bytes, name)),
            (Ok(bytes), ..) => Ok(GameInput::Bytes(bytes)),
            (Err(_), _, Ok(path)) => Ok(GameInput::Name(path.into())),
            (Err(error), ..) => Err(error),
        }
    }

    /// Reads the only game.
    ///
    /// # Errors
    /// Returns a message unless there is exactly one readable game.
    pub fn read(self) -> Result<Game, String> {
        let game = match self {
            GameInput::Bytes(bytes) => in_text(bytes)?,
            GameInput::Name(name) => named(&name)?,
            GameInput::Text(text, name) => {
                let may_be_name = text.len() <= NAME_BYTES && !text.contains(&b'\n') && !text.contains(&0);
                match in_text(text) {
                    Err(error) if may_be_name && error == NO_GAME => named(&name).map_err(|error| either(&error))?,
                    other => other?,
                }
            }
        };
        Game::from_text(&game.text()).map_err(|error| error.to_string())
    }
}

/// The message for a text without a game.
const NO_GAME: &str = "there is no game in the text";

/// Returns the message for a text that is neither a game nor the name of one.
fn either(error: &str) -> String {
    format!("{NO_GAME}, and as a path: {error}")
}

fn in_text(bytes: Vec<u8>) -> Result<LocatedGame, String> {
    LocatedGame::from_bytes(bytes, Limits::default()).map_err(|error| match error {
        LocateError::NoGame(_) => NO_GAME.into(),
        LocateError::SeveralGames(_, count) => format!("there are {count} games in the text"),
        value => value.to_string(),
    })
}

fn named(name: &OsStr) -> Result<LocatedGame, String> {
    LocatedGame::find(name, RECORD_COLUMN.into(), Limits::default()).map_err(|error| error.to_string())
}

/// A Python file object.
struct PythonFile {
    file: Py<PyAny>,
    raised: Raised,
    block: Cursor<Vec<u8>>,
}

impl Read for PythonFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.block.position() == self.block.get_ref().len() as u64 && !buffer.is_empty() {
            let read = Python::try_attach(|py| text(&self.file.bind(py).call_method1("read", (BLOCK,))?));
            self.block = match read {
                Some(Ok(block)) => Cursor::new(block),
                Some(Err(error)) => return Err(self.raised.keep(error)),
                None => return Err(io::Error::other("Python has ended")),
            };
        }
        self.block.read(buffer)
    }
}

/// Pairs of an identifier and a text.
struct Pairs {
    pairs: Py<PyIterator>,
    raised: Raised,
    is_over: bool,
}

impl Pairs {
    /// Returns the next pairs, or `None` at the end.
    fn batch(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        let (mut ids, mut texts) = (StringBuilder::new(), BinaryBuilder::new());
        let (mut bytes, mut rows) = (0, 0);
        let mut pairs = self.pairs.bind(py).clone();
        while bytes < BATCH_BYTES {
            let Some(pair) = pairs.next().transpose()? else {
                self.is_over = true;
                break;
            };
            let (id, sgf) = pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
            let sgf = text(&sgf)?;
            bytes += sgf.len() + 64;
            rows += 1;
            ids.append_value(id.str()?.to_string_lossy());
            texts.append_value(sgf);
        }
        let batch = || RecordBatch::try_new(self.schema(), vec![Arc::new(ids.finish()), Arc::new(texts.finish())]);
        let failed = |error: ArrowError| crate::Error::new_err(error.to_string());
        (rows > 0).then(batch).transpose().map_err(failed)
    }
}

impl Iterator for Pairs {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let batch = Python::try_attach(|py| self.batch(py))?;
        let failed = |error| {
            self.is_over = true;
            ArrowError::from(self.raised.keep(error))
        };
        batch.map_err(failed).transpose()
    }
}

impl RecordBatchReader for Pairs {
    fn schema(&self) -> SchemaRef {
        let field = |name, kind| Field::new(name, kind, false);
        Arc::new(Schema::new(vec![field("id", DataType::Utf8), field("sgf", DataType::Binary)]))
    }
}
