//! A command and its rows for Python: batch by batch, or as an Arrow C stream.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, SchemaRef};
use jigo_run::config::option_texts::Argument;
use jigo_run::execution::stream::{BatchStream, PreparedRun, StreamEvent};
use jigo_run::keywords::prepare;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::Error;
use crate::batch::Batch;
use crate::input::{Inputs, Raised};
use crate::planes::{Board, with_planes};

/// The interval between two checks for a signal to Python.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);
/// The time that a run has to end after a signal.
const GRACE: Duration = Duration::from_millis(900);

/// Converts an error of the command to a Python exception.
fn failed(error: impl std::fmt::Display) -> PyErr {
    Error::new_err(format!("{error:#}"))
}

/// A validated command. It can run as often as its inputs can be read.
#[pyclass(frozen, module = "jigo")]
pub struct Query {
    product: String,
    arguments: Vec<Argument>,
    inputs: Inputs,
    schema: SchemaRef,
    /// True if the rows are turns with the planes of their positions.
    planes: bool,
    /// The prepared first run.
    prepared: Mutex<Option<PreparedRun>>,
    /// The run that started last.
    last: Mutex<Option<Py<Run>>>,
}

#[pymethods]
impl Query {
    #[new]
    fn new(
        py: Python<'_>,
        product: String,
        arguments: Vec<Argument>,
        items: Vec<(String, Py<PyAny>)>,
        pairs: Option<Py<PyAny>>,
        planes: bool,
    ) -> PyResult<Query> {
        let inputs = Inputs { items, pairs, is_read: AtomicBool::default(), raised: Raised::default() };
        let sources = inputs.sources(py)?;
        let prepared = py.detach(|| prepare(&product, &arguments, sources)).map_err(failed)?;
        let schema = prepared.schema();
        let schema = if planes { with_planes(&schema).map_err(failed)? } else { schema };
        let (prepared, last) = (Mutex::new(Some(prepared)), Mutex::new(None));
        Ok(Query { product, arguments, inputs, schema, planes, prepared, last })
    }

    /// Names of the columns, in order.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Start a run.
    fn run(slf: &Bound<'_, Query>, progress: Option<Py<PyAny>>) -> PyResult<Py<Run>> {
        let (py, query) = (slf.py(), slf.get());
        let unused = query.prepared.lock().ok().and_then(|mut prepared| prepared.take());
        let prepared = match unused {
            Some(prepared) => prepared,
            None => {
                let sources = query.inputs.sources(py)?;
                py.detach(|| prepare(&query.product, &query.arguments, sources)).map_err(failed)?
            }
        };
        let stream = prepared.begin().map_err(failed)?;
        let run = Run {
            stream: Mutex::new(Some(stream)),
            board: query.planes.then(Mutex::default),
            raised: query.inputs.raised.clone(),
            calls_python: query.inputs.call_python(py),
            start_thread: thread::current().id(),
            progress,
            output: Mutex::default(),
        };
        let run = Py::new(py, run)?;
        if let Ok(mut last) = query.last.lock() {
            *last = Some(run.clone_ref(py));
        }
        Ok(run)
    }

    /// The run that started last.
    #[getter]
    fn last(&self, py: Python<'_>) -> Option<Py<Run>> {
        self.last.lock().ok()?.as_ref().map(|run| run.clone_ref(py))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref()).map_err(failed)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Return an Arrow C stream. The run starts when its first rows are requested.
    #[pyo3(signature = (requested_schema=None, *, progress=None))]
    fn __arrow_c_stream__<'py>(
        slf: &Bound<'py, Query>,
        requested_schema: Option<Bound<'py, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows ignoring the request. The caller then casts the types.
        drop(requested_schema);
        let export = Export { query: slf.clone().unbind(), progress, run: None };
        let reader = RecordBatchIterator::new(export, Arc::clone(&slf.get().schema));
        PyCapsule::new_with_value(slf.py(), FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
    }
}

/// The output of a run apart from rows.
#[derive(Default)]
struct RunOutput {
    messages: Vec<String>,
    /// The counts as JSON, after the end of the run.
    summary: Option<String>,
}

/// A running command and its rows.
#[pyclass(frozen, module = "jigo")]
pub struct Run {
    /// `None` after the end of the run.
    stream: Mutex<Option<BatchStream>>,
    /// The board, if the rows are turns with the planes of their positions.
    board: Option<Mutex<Board>>,
    raised: Raised,
    /// True if the run may wait for the GIL. A thread that waits for this run must then release it.
    calls_python: bool,
    start_thread: ThreadId,
    progress: Option<Py<PyAny>>,
    output: Mutex<RunOutput>,
}

#[pymethods]
impl Run {
    /// Return the next rows, or None at the end.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        Ok(self.wait(py)?.map(Batch::new))
    }

    /// End the run.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.take()));
    }

    /// The counts as JSON, after the last row.
    #[getter]
    fn summary(&self) -> Option<String> {
        self.output.lock().ok()?.summary.clone()
    }

    /// Messages of the command on inputs that the user named.
    #[getter]
    fn messages(&self) -> Vec<String> {
        self.output.lock().map(|output| output.messages.clone()).unwrap_or_default()
    }
}

impl Run {
    fn take(&self) -> Option<BatchStream> {
        self.stream.lock().ok()?.take()
    }

    /// Waits for rows and checks for signals.
    fn wait(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        loop {
            let next = py.detach(|| self.poll());
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

    /// Waits for rows without the GIL, if no input needs it.
    fn wait_without_gil(&self) -> PyResult<Option<RecordBatch>> {
        loop {
            if let Some(rows) = self.poll()? {
                return Ok(Some(rows));
            }
            if self.stream.lock().is_ok_and(|stream| stream.is_none()) {
                return Ok(None);
            }
        }
    }

    /// Returns rows that arrive within [`CHECK_INTERVAL`].
    fn poll(&self) -> PyResult<Option<RecordBatch>> {
        let mut board = self.board.as_ref().and_then(|board| board.lock().ok());
        if let Some(rows) = board.as_mut().map(|board| board.next_rows()).transpose().map_err(failed)?.flatten() {
            return Ok(Some(rows));
        }
        let Ok(mut stream) = self.stream.lock() else { return Ok(None) };
        let Some(running) = stream.as_mut() else { return Ok(None) };
        let next = running.next_event_within(CHECK_INTERVAL);
        if matches!(next, Ok(StreamEvent::End(_)) | Err(_)) {
            *stream = None;
        }
        drop(stream);
        match next.map_err(failed)? {
            StreamEvent::Rows(rows) => match &mut board {
                Some(board) => {
                    board.add_rows(rows);
                    return board.next_rows().map_err(failed);
                }
                None => return Ok(Some(rows)),
            },
            StreamEvent::Message(message) => self.update_output(|output| output.messages.push(message)),
            StreamEvent::End(Some(summary)) => self.update_output(|output| output.summary = Some(summary.json())),
            StreamEvent::End(None) | StreamEvent::Timeout => {}
        }
        Ok(None)
    }

    fn update_output(&self, update: impl FnOnce(&mut RunOutput)) {
        if let Ok(mut output) = self.output.lock() {
            update(&mut output);
        }
    }

    /// Stops the run and waits up to [`GRACE`] for its end.
    fn end(&self) {
        let Some(mut stream) = self.take() else { return };
        stream.stop();
        let begun = std::time::Instant::now();
        while begun.elapsed() < GRACE
            && !matches!(stream.next_event_within(CHECK_INTERVAL), Ok(StreamEvent::End(_)) | Err(_))
        {}
    }

    fn show_progress(&self, py: Python<'_>) -> PyResult<()> {
        let Some(progress) = &self.progress else { return Ok(()) };
        let reached = self.stream.lock().ok().and_then(|stream| {
            let (progress, total) = stream.as_ref()?.progress();
            Some((progress.bytes.load(Ordering::Relaxed), total, progress.games.load(Ordering::Relaxed)))
        });
        progress.call1(py, (reached,)).map(drop)
    }
}

/// The rows of a query for readers of the Arrow C interface.
struct Export {
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
        // A thread may hold the GIL and wait for other threads that read these rows. If such a
        // reader needed the GIL, both would wait forever.
        if running.calls_python || running.start_thread == thread::current().id() {
            let wait = |py: Python<'_>| running.wait(py).inspect_err(|error| raise_again(py, error));
            return Python::try_attach(wait).unwrap_or(Ok(None));
        }
        running.wait_without_gil()
    }
}

/// Raises Ctrl-C again, because the C interface passes errors on only as text.
fn raise_again(py: Python<'_>, error: &PyErr) {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        // If this fails, the text of the error still tells the user.
        let _ = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
    }
}

impl Iterator for Export {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rows().map_err(|error| ArrowError::ExternalError(error.to_string().into())).transpose()
    }
}
