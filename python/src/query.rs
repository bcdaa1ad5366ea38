//! A command and its rows, as Python reads them: batch after batch, or as an Arrow C stream.

use std::ffi::OsString;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use jigo::cli::embedded::{BatchStream, News, Next, Prepared, prepare};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::Error;
use crate::batch::Batch;
use crate::input::{Inputs, Raised};

/// Time between two looks at whether Python got a signal.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Time that a run has to end by itself after a signal.
const GRACE: Duration = Duration::from_millis(900);

/// The error of the command.
fn failed(error: impl std::fmt::Display) -> PyErr {
    Error::new_err(format!("{error:#}"))
}

/// A command that was looked at and can be carried out, as often as its inputs can be read.
#[pyclass(frozen, module = "jigo")]
pub struct Query {
    words: Vec<OsString>,
    inputs: Inputs,
    schema: SchemaRef,
    /// Ready for the first run.
    prepared: Mutex<Option<Prepared>>,
    /// The last run that was begun.
    last: Mutex<Option<Py<Run>>>,
}

#[pymethods]
impl Query {
    #[new]
    fn new(
        py: Python<'_>,
        words: Vec<OsString>,
        items: Vec<(String, Py<PyAny>)>,
        pairs: Option<Py<PyAny>>,
    ) -> PyResult<Query> {
        let inputs = Inputs { items, pairs, raised: Raised::default() };
        let sources = inputs.sources(py)?;
        let prepared = py.detach(|| prepare(&words, sources)).map_err(failed)?;
        let schema = Arc::new(prepared.schema());
        Ok(Query { words, inputs, schema, prepared: Mutex::new(Some(prepared)), last: Mutex::new(None) })
    }

    /// Names of the columns, in order.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Begins a run.
    fn run(slf: &Bound<'_, Query>, progress: Option<Py<PyAny>>) -> PyResult<Py<Run>> {
        let (py, query) = (slf.py(), slf.get());
        let ready = query.prepared.lock().ok().and_then(|mut prepared| prepared.take());
        let prepared = match ready {
            Some(prepared) => prepared,
            None => {
                let sources = query.inputs.sources(py)?;
                py.detach(|| prepare(&query.words, sources)).map_err(failed)?
            }
        };
        let stream = prepared.begin().map_err(failed)?;
        let run = Run {
            stream: Mutex::new(Some(stream)),
            raised: query.inputs.raised.clone(),
            calls_python: query.inputs.call_python(py),
            began_in: thread::current().id(),
            progress,
            told: Mutex::default(),
        };
        let run = Py::new(py, run)?;
        if let Ok(mut last) = query.last.lock() {
            *last = Some(run.clone_ref(py));
        }
        Ok(run)
    }

    /// The last run.
    #[getter]
    fn last(&self, py: Python<'_>) -> Option<Py<Run>> {
        self.last.lock().ok()?.as_ref().map(|run| run.clone_ref(py))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref()).map_err(failed)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// An Arrow C stream, which begins a run when its first rows are asked for.
    #[pyo3(signature = (requested_schema=None, *, progress=None))]
    fn __arrow_c_stream__<'py>(
        slf: &Bound<'py, Query>,
        requested_schema: Option<Bound<'py, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Who asks for other types gets ours, as the protocol allows, and casts them.
        drop(requested_schema);
        let schema = Arc::clone(&slf.get().schema);
        let export = Export { schema, query: slf.clone().unbind(), progress, run: None };
        PyCapsule::new_with_value(slf.py(), FFI_ArrowArrayStream::new(Box::new(export)), c"arrow_array_stream")
    }
}

/// What a run has told beside rows.
#[derive(Default)]
struct Told {
    messages: Vec<String>,
    /// Its counts as JSON, once it is over.
    summary: Option<String>,
}

/// Rows of a command that is being carried out.
#[pyclass(frozen, module = "jigo")]
pub struct Run {
    /// Nothing once it is over.
    stream: Mutex<Option<BatchStream>>,
    raised: Raised,
    /// Whether the run waits for Python, which must not wait for the run then.
    calls_python: bool,
    began_in: ThreadId,
    progress: Option<Py<PyAny>>,
    told: Mutex<Told>,
}

#[pymethods]
impl Run {
    /// The next rows; none at the end.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        Ok(self.wait(py)?.map(Batch::new))
    }

    /// Ends the run.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.take()));
    }

    /// Its counts as JSON, once all rows are read.
    #[getter]
    fn summary(&self) -> Option<String> {
        self.told.lock().ok()?.summary.clone()
    }

    /// What the command says on standard error of inputs named outright.
    #[getter]
    fn messages(&self) -> Vec<String> {
        self.told.lock().map(|told| told.messages.clone()).unwrap_or_default()
    }
}

impl Run {
    fn take(&self) -> Option<BatchStream> {
        self.stream.lock().ok()?.take()
    }

    /// Waits for rows, and looks at signals meanwhile.
    fn wait(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        loop {
            let next = py.detach(|| self.look());
            if let Err(signal) = py.check_signals() {
                py.detach(|| self.end());
                return Err(signal);
            }
            self.show_progress(py)?;
            match next {
                Ok(Some(rows)) => return Ok(Some(rows)),
                Ok(None) if self.stream.lock().is_ok_and(|stream| stream.is_none()) => {
                    return self.raised.take().map_or(Ok(None), Err);
                }
                Ok(None) => {}
                Err(error) => return Err(self.raised.take().unwrap_or(error)),
            }
        }
    }

    /// Waits for rows where Python's lock is not ours, and nobody needs it.
    fn wait_elsewhere(&self) -> PyResult<Option<RecordBatch>> {
        loop {
            if let Some(rows) = self.look()? {
                return Ok(Some(rows));
            }
            if self.stream.lock().is_ok_and(|stream| stream.is_none()) {
                return Ok(None);
            }
        }
    }

    /// Rows that come within a moment.
    fn look(&self) -> PyResult<Option<RecordBatch>> {
        let Ok(mut stream) = self.stream.lock() else { return Ok(None) };
        let Some(running) = stream.as_mut() else { return Ok(None) };
        let next = running.next_within(LOOK_EVERY);
        if !matches!(next, Ok(Next::News(_) | Next::NotYet)) {
            *stream = None;
        }
        drop(stream);
        match next.map_err(failed)? {
            Next::News(News::Rows(rows)) => return Ok(Some(rows)),
            Next::News(News::Message(message)) => self.tell(|told| told.messages.push(message)),
            Next::End(Some(summary)) => self.tell(|told| told.summary = Some(summary.json())),
            Next::End(None) | Next::NotYet => {}
        }
        Ok(None)
    }

    fn tell(&self, what: impl FnOnce(&mut Told)) {
        if let Ok(mut told) = self.told.lock() {
            what(&mut told);
        }
    }

    /// Ends the run, and waits for its end for a moment.
    fn end(&self) {
        let Some(mut stream) = self.take() else { return };
        stream.stop();
        let begun = std::time::Instant::now();
        while begun.elapsed() < GRACE && matches!(stream.next_within(LOOK_EVERY), Ok(Next::News(_) | Next::NotYet)) {}
    }

    fn show_progress(&self, py: Python<'_>) -> PyResult<()> {
        let Some(progress) = &self.progress else { return Ok(()) };
        let at = self.stream.lock().ok().and_then(|stream| {
            let (reached, total) = stream.as_ref()?.reached();
            Some((reached.bytes.load(Ordering::Relaxed), total, reached.games.load(Ordering::Relaxed)))
        });
        progress.call1(py, (at,)).map(drop)
    }
}

/// The rows of a query for whoever reads them through C.
struct Export {
    schema: SchemaRef,
    query: Py<Query>,
    progress: Option<Py<PyAny>>,
    run: Option<Py<Run>>,
}

impl Export {
    fn rows(&mut self) -> PyResult<Option<RecordBatch>> {
        let run = match &self.run {
            Some(run) => run,
            None => {
                let begin = |py: Python<'_>| Query::run(self.query.bind(py), self.progress.take());
                let run = Python::try_attach(begin).ok_or_else(|| failed("Python has ended"))??;
                self.run.insert(run)
            }
        };
        let running = run.get();
        // Whoever holds Python's lock and waits for other threads that read would wait for ever if these wanted it.
        if running.calls_python || running.began_in == thread::current().id() {
            let wait = |py: Python<'_>| running.wait(py).inspect_err(|error| raise_again(py, error));
            return Python::try_attach(wait).unwrap_or(Ok(None));
        }
        running.wait_elsewhere()
    }
}

/// C knows errors as words only, so that Ctrl-C has to come once more.
fn raise_again(py: Python<'_>, error: &PyErr) {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        // Without it the words of the error say so.
        let _ = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
    }
}

impl Iterator for Export {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rows().map_err(|error| ArrowError::ExternalError(error.to_string().into())).transpose()
    }
}

impl RecordBatchReader for Export {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
