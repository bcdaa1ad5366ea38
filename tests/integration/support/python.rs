//! A Python with DuckDB, pandas, polars and pyarrow. `JIGO_PYTHON` has its path; without it, the
//! tests report that they are skipped.

use std::path::Path;
use std::process::Command;

/// Imports DuckDB without its progress bar, which it prints among the rows of a query that takes
/// seconds.
pub const IMPORT_DUCKDB: &str = "import duckdb\nduckdb.sql('SET enable_progress_bar = false')\n";

/// Returns the path of the Python that reads tables back.
pub fn path() -> Option<String> {
    super::path_in("JIGO_PYTHON").map(|path| path.to_string_lossy().into_owned())
}

/// Runs Python in a folder and returns its output.
pub fn run(python: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(python).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
