//! Runs the command in a temporary folder.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{self, Output, Stdio};
use std::thread;

use assert_cmd::Command;
use clap::CommandFactory;
use jigo::cli::Cli;
use tempfile::TempDir;

/// A game without findings.
pub const CLEAN: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[cc];B[gg])";
/// White plays onto Black's stone in turn 2.
pub const ILLEGAL: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[ee];B[gg])";
/// KM is a word, which gives a warning.
pub const WARNED: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[some]RE[B+R];B[ee];W[cc];B[gg])";

/// Returns the names of all commands.
pub fn commands() -> Vec<String> {
    Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// The exit code and the output of a run.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Returns the rows, without the header line.
    pub fn rows(&self) -> Vec<&str> {
        self.out.lines().skip(1).collect()
    }

    /// Returns the cells of the named column.
    pub fn column(&self, name: &str) -> Vec<String> {
        let mut reader = csv::Reader::from_reader(self.out.as_bytes());
        let place = reader.headers().unwrap().iter().position(|column| column == name).unwrap();
        reader.records().map(|record| record.unwrap()[place].to_owned()).collect()
    }
}

/// A temporary folder, removed on drop.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// Returns a folder with clean.sgf, illegal.sgf and warned.sgf.
    pub fn with_games() -> Folder {
        let folder = Folder::new();
        folder.file("clean.sgf", CLEAN).file("illegal.sgf", ILLEGAL).file("warned.sgf", WARNED);
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file and creates its folders.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> &Folder {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Writes an executable file.
    #[cfg(unix)]
    pub fn executable(&self, name: &str, text: &str) -> &Folder {
        use std::os::unix::fs::PermissionsExt;
        self.file(name, text);
        fs::set_permissions(self.path().join(name), fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Returns all paths below the folder, sorted, so that leftovers are visible.
    pub fn list(&self) -> Vec<String> {
        let found = walkdir::WalkDir::new(self.path()).min_depth(1).sort_by_file_name();
        let paths = found.into_iter().map(|entry| entry.unwrap().into_path());
        paths.map(|path| path.strip_prefix(self.path()).unwrap().to_string_lossy().replace('\\', "/")).collect()
    }

    /// Returns the command with arguments, in this folder, with empty standard input.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::cargo_bin("jigo").unwrap();
        command.current_dir(self.path()).args(arguments).write_stdin("");
        command
    }

    /// Runs the command with a line of arguments, separated by blanks.
    pub fn run(&self, line: &str) -> Ran {
        ran(&mut self.command(line.split_whitespace()))
    }

    /// Runs the command with a line of arguments and a standard input.
    pub fn run_with_input(&self, line: &str, input: &str) -> Ran {
        ran(self.command(line.split_whitespace()).write_stdin(input))
    }
}

pub fn ran(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code().expect("no signal ends the command"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs a command while `write` fills its standard input. Returns the output and the value of
/// `write`.
pub fn fed<T: Send + 'static>(
    command: &mut process::Command,
    write: impl FnOnce(&mut dyn Write) -> T + Send + 'static,
) -> (Output, T) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || write(&mut input));
    let output = child.wait_with_output().unwrap();
    (output, writer.join().unwrap())
}
