//! The native part of the Python module jigo; see `jigo/__init__.py`.

mod batch;
mod game;
mod input;
mod planes;
mod query;

use pyo3::create_exception;
use pyo3::exceptions::PyException;

create_exception!(
    jigo,
    Error,
    PyException,
    "A task that jigo can't do, with the message of the command: for example, an invalid option, an input that can't be opened or a text that is no game."
);

/// The native part of the module jigo.
#[pyo3::pymodule]
mod _jigo {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::Error;
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::game::{Finding, Game, Position, Score};
    #[pymodule_export]
    use super::query::{Query, Run};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// Run a command line as the program jigo does, and return the exit code.
    #[pyfunction]
    #[cfg(feature = "command")]
    fn command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        let words = [std::ffi::OsString::from("jigo")].into_iter().chain(arguments);
        py.detach(|| jigo::commands::execute(words).code())
    }
}
