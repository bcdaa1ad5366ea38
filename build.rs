//! Identifies a build by its commit, because a run resumes only the work of the same build.

use std::path::Path;
use std::process::Command;

fn main() {
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
}

/// Returns the first line of git's output, or `None` if git fails or is missing.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    text.lines().next().map(str::to_owned)
}
