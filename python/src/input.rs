//! Inputs from Python: paths, bytes, files, and pairs of an identifier and a text.

use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use jigo_archive::source::{Given, Source, SourceKind, discover};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};

/// The number of bytes to request from a file at once.
const BLOCK: usize = 1 << 20;
/// The approximate number of bytes of text in a batch of pairs.
const BATCH_BYTES: usize = 256 << 10;

/// The first exception of a Python callback, for the caller that waits for the rows.
#[derive(Clone, Default)]
pub struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    fn keep(&self, error: PyErr) -> io::Error {
        let words = error.to_string();
        if let Ok(mut kept) = self.0.lock() {
            kept.get_or_insert(error);
        }
        io::Error::other(words)
    }

    /// Takes the exception.
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().ok().and_then(|mut kept| kept.take())
    }
}

/// The inputs of a query.
pub struct Inputs {
    /// Paths, bytes and files with their names.
    pub items: Vec<(String, Py<PyAny>)>,
    /// An iterator of pairs, which replaces `items`.
    pub pairs: Option<Py<PyAny>>,
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
    /// Fails if an input is neither a path nor bytes nor a file.
    pub fn sources(&self, py: Python<'_>) -> PyResult<Vec<Source>> {
        let given = |name: &str, given| Source { name: name.into(), kind: SourceKind::Given(given), named: true };
        if let Some(pairs) = &self.pairs {
            let pairs = Pairs { pairs: pairs.clone_ref(py), raised: self.raised.clone(), is_over: false };
            return Ok(vec![given("pairs", Given::rows(Box::new(pairs)))]);
        }
        let mut sources = Vec::new();
        for (name, item) in &self.items {
            let item = item.bind(py);
            if let Ok(bytes) = item.extract::<PyBackedBytes>() {
                let length = bytes.len() as u64;
                sources.push(given(name, Given::bytes(Box::new(Cursor::new(bytes)), Some(length))));
            } else if is_file(item) {
                let file =
                    PythonFile { file: item.clone().unbind(), raised: self.raised.clone(), block: Cursor::default() };
                sources.push(given(name, Given::bytes(Box::new(file), None)));
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
    pairs: Py<PyAny>,
    raised: Raised,
    is_over: bool,
}

impl Pairs {
    /// Returns the next pairs, or `None` at the end.
    fn batch(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        let (mut ids, mut texts) = (StringBuilder::new(), BinaryBuilder::new());
        let (mut bytes, mut rows) = (0, 0);
        let pairs = self.pairs.bind(py);
        while bytes < BATCH_BYTES {
            let Some(pair) = pairs.try_iter()?.next().transpose()? else {
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
