//! Identifies a build by its commit, because a run resumes only the work of the same build. Also
//! lists the records of `jigo explain`.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

/// The folder of the records, which are also fixtures of tests.
const RECORDS: &str = "fixtures/findings";

fn main() -> io::Result<()> {
    // A package without its repository may be inside another repository, whose commit is unrelated.
    let commit = if Path::new(".git").exists() { git(&["rev-parse", "--short=12", "HEAD"]) } else { None };
    let suffix = commit.as_ref().map_or(String::new(), |commit| format!(" ({commit})"));
    println!("cargo::rustc-env=JIGO_COMMIT={suffix}");
    println!("cargo::rerun-if-changed=build.rs");
    // Each change of HEAD adds a line to its log.
    let log = commit.and_then(|_| git(&["rev-parse", "--git-path", "logs/HEAD"]));
    if let Some(log) = log.filter(|log| Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    println!("cargo::rerun-if-changed={RECORDS}");
    let folder = env::var_os("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&folder).join("examples.rs"), examples()?)
}

/// Returns an expression that pairs each record with the code of its finding, which begins the name
/// of its file.
fn examples() -> io::Result<String> {
    let folder = env::current_dir()?.join(RECORDS);
    let mut names =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<OsString>>>()?;
    names.sort();
    let names = names.iter().filter_map(|name| name.to_str()?.strip_suffix(".sgf"));
    let records = names.filter_map(|name| name.split_once('-')).filter(|(_, name)| *name != "near-miss");
    let rows = records.map(|(code, name)| {
        let path = folder.join(format!("{code}-{name}.sgf"));
        format!("({code:?}, include_bytes!({path:?})),\n")
    });
    Ok(format!("&[\n{}]\n", rows.collect::<String>()))
}

/// Returns the first line of git's output, or `None` if git fails or is missing.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    text.lines().next().map(str::to_owned)
}
