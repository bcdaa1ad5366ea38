//! A Python with DuckDB, pandas, polars and pyarrow; its path is in `JIGO_PYTHON`. Without it, tests say that they are skipped.

use std::path::Path;
use std::process::Command;

/// The Python to read tables back with.
pub fn path() -> Option<String> {
    super::path_in("JIGO_PYTHON").map(|path| path.to_string_lossy().into_owned())
}

/// Runs it in a folder; gives what it prints.
pub fn run(python: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(python).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
