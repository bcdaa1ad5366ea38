//! Runs the command in a temporary folder.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{self, Child, Output, Stdio};
use std::time::Duration;
use std::{fs, thread};

use assert_cmd::Command;
use clap::CommandFactory;
use jigo::commands::Cli;
use tempfile::TempDir;

use super::manifest::{Row, rows};

/// A game without findings.
pub const CLEAN: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[cc];B[gg])";
/// White plays onto Black's stone in turn 2.
pub const ILLEGAL: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[ee];B[gg])";
/// KM is a word, which gives a warning.
pub const WARNED: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[some]RE[B+R];B[ee];W[cc];B[gg])";

/// Returns the names of all commands.
pub fn commands() -> Vec<String> {
    flags_by_command().into_iter().map(|(command, _)| command).collect()
}

/// Returns all commands, each with its long flags, such as `--quiet`.
pub fn flags_by_command() -> Vec<(String, Vec<String>)> {
    let flags = |command: &clap::Command| {
        let names = command.get_arguments().filter_map(|argument| argument.get_long());
        names.map(|name| format!("--{name}")).collect()
    };
    Cli::command().get_subcommands().map(|command| (command.get_name().to_owned(), flags(command))).collect()
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

    /// Returns the rows with their cells by column.
    pub fn cells(&self) -> Vec<Row> {
        csv::Reader::from_reader(self.out.as_bytes()).deserialize().map(Result::unwrap).collect()
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
    ///
    /// A child process writes the file. A process that another test starts at the same moment would
    /// inherit a descriptor of this process, and the system refuses to run a file that is open for
    /// writing.
    #[cfg(unix)]
    pub fn executable(&self, name: &str, text: &str) -> &Folder {
        let mut command = process::Command::new("sh");
        command.args(["-c", "cat > \"$0\" && chmod 755 \"$0\"", name]).current_dir(self.path());
        let text = text.to_owned();
        let (output, write_result) = run_with_writer(&mut command, move |input| input.write_all(text.as_bytes()));
        assert!(output.status.success() && write_result.is_ok(), "{output:?}");
        self
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Returns the rows of a table in CSV.
    pub fn table(&self, name: &str) -> Vec<Row> {
        rows(&self.path().join(name))
    }

    /// Returns all paths below the folder, sorted, so that leftovers are visible.
    pub fn list(&self) -> Vec<String> {
        let entries = walkdir::WalkDir::new(self.path()).min_depth(1).sort_by_file_name();
        let paths = entries.into_iter().map(|entry| entry.unwrap().into_path());
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
        run_command(&mut self.command(line.split_whitespace()))
    }

    /// Returns a text after `jigo fix` with these flags. Checks that a second run leaves it unchanged.
    pub fn fixed(&self, flags: &str, text: impl AsRef<[u8]>) -> Vec<u8> {
        let fix = |text: &[u8]| {
            self.file("in.sgf", text);
            let ran = self.run(&format!("fix --quiet --exit-zero --force {flags} --out out.sgf in.sgf"));
            assert_eq!(ran.code, 0, "{}", ran.err);
            fs::read(self.path().join("out.sgf")).unwrap()
        };
        let first = fix(text.as_ref());
        let excerpt = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        assert_eq!(excerpt(&first), excerpt(&fix(&first)), "fix {flags} twice of {}", excerpt(text.as_ref()));
        first
    }

    /// Runs the command with a line of arguments and a standard input.
    pub fn run_with_input(&self, line: &str, input: &str) -> Ran {
        run_command(self.command(line.split_whitespace()).write_stdin(input))
    }
}

/// The command as a user to whom permissions apply.
#[cfg(unix)]
pub struct Unprivileged {
    command: Vec<std::ffi::OsString>,
    /// Keeps the folder with the copy of the command until drop.
    _copy: Option<TempDir>,
}

#[cfg(unix)]
impl Unprivileged {
    /// Finds a way to run the command without privileges. Returns `None` after a call of
    /// [`super::report_skipped`] if there is none.
    ///
    /// The superuser runs the command as the user `nobody`. If that user can't reach the build, a
    /// copy is made.
    pub fn new() -> Option<Unprivileged> {
        use std::ffi::OsString;
        use std::os::unix::fs::PermissionsExt;
        let build = OsString::from(env!("CARGO_BIN_EXE_jigo"));
        let user = process::Command::new("id").arg("-u").output().unwrap();
        if user.stdout != b"0\n" {
            return Some(Unprivileged { command: vec![build], _copy: None });
        }
        let nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"].map(OsString::from);
        let as_nobody = |program: OsString| -> Vec<OsString> { nobody.iter().cloned().chain([program]).collect() };
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let original = Unprivileged { command: as_nobody(build.clone()), _copy: None };
        if original.can_run() {
            return Some(original);
        }
        let copy = folder.path().join("jigo");
        // A child process writes the copy, as in `Folder::executable`.
        let is_copied =
            process::Command::new("cp").arg(&build).arg(&copy).status().is_ok_and(|status| status.success());
        let copied = Unprivileged { command: as_nobody(copy.into()), _copy: Some(folder) };
        if is_copied && copied.can_run() {
            return Some(copied);
        }
        super::report_skipped("no user without privileges may run this build");
        None
    }

    fn can_run(&self) -> bool {
        let (program, arguments) = self.command.split_first().unwrap();
        process::Command::new(program).args(arguments).arg("--version").output().is_ok_and(|ran| ran.status.success())
    }

    /// Returns the command with a line of arguments, in a folder that this user may enter.
    pub fn command(&self, folder: &Folder, line: &str) -> Command {
        let (program, arguments) = self.command.split_first().unwrap();
        let mut command = Command::new(program);
        command.args(arguments).args(line.split_whitespace()).current_dir(folder.path()).write_stdin("");
        command
    }
}

/// A run that waits for its standard input and holds its locks. Drop kills it.
///
/// Tests hold locks in such a run and never in their own process. A process that another test
/// starts at the same moment would inherit the open files, and a lock lasts until all of them are
/// closed.
pub struct WaitingRun(Child);

impl WaitingRun {
    /// Starts a run whose inputs contain `-`, and waits until `is_ready` returns true.
    pub fn start(folder: &Folder, line: &str, is_ready: impl Fn() -> bool) -> WaitingRun {
        let mut command = process::Command::new(env!("CARGO_BIN_EXE_jigo"));
        command.current_dir(folder.path()).args(line.split_whitespace()).stdin(Stdio::piped());
        let mut run = WaitingRun(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        while !is_ready() {
            assert!(run.0.try_wait().unwrap().is_none(), "{line} ends before it is ready");
            thread::sleep(Duration::from_millis(5));
        }
        run
    }

    /// Starts a run and waits until it writes a temporary file in the folder. The run creates that
    /// file after it takes the lock.
    pub fn with_output(folder: &Folder, line: &str) -> WaitingRun {
        let is_temporary = |name: &String| name.contains(".jigo-") && name.ends_with(".part");
        WaitingRun::start(folder, line, || folder.list().iter().any(is_temporary))
    }
}

impl Drop for WaitingRun {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn run_command(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code().expect("no signal ends the command"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs a command while `write` fills its standard input. Returns the output and the value of
/// `write`.
pub fn run_with_writer<T: Send + 'static>(
    command: &mut process::Command,
    write: impl FnOnce(&mut dyn Write) -> T + Send + 'static,
) -> (Output, T) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || write(&mut input));
    let output = child.wait_with_output().unwrap();
    (output, writer.join().unwrap())
}
