//! Failures of reads, writes and the machine never leave a partial file under a final name and
//! never lose an existing file.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use jigo_archive::pipeline::{PartSize, split_sources};
use jigo_archive::records::ReadSettings;
use jigo_archive::source::files::discover::discover;
use jigo_archive::source::{InputFormat, RECORD_COLUMN};
use jigo_record::sgf::Limits;

use crate::archives::{gzip, zip};
use crate::support::cli::{CLEAN, Folder, ILLEGAL, Ran, Unprivileged, run_command};
use crate::support::generated::{Random, collection, seed};
use crate::support::report_skipped;

const UNFINISHED: &str = ".jigo-unfinished";
/// The files of a report.
const TABLES: [&str; 6] = ["games.csv", "findings.csv", "scores.csv", "results.csv", "index.html", "summary.json"];

/// Runs a line in a shell, which allows redirection and resource limits. The command `jigo` is a
/// shell function.
fn shell(folder: &Folder, line: &str) -> Ran {
    let script = format!("jigo() {{ '{}' \"$@\"; }}; {line}", env!("CARGO_BIN_EXE_jigo"));
    let output = Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Returns all unfinished outputs in the folder.
fn leftovers(folder: &Folder) -> Vec<String> {
    folder.list().into_iter().filter(|name| name.contains(".jigo-")).collect()
}

#[test]
fn unreadable_file_is_a_row_and_others_are_read() {
    let folder = Folder::with_games();
    // For every user, a read of process memory at address 0 fails at the first byte.
    std::os::unix::fs::symlink("/proc/self/mem", folder.path().join("mem.sgf")).unwrap();
    let run = folder.run("check .");
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.lines().any(|row| row.starts_with("./mem.sgf,") && row.contains("I001")), "{}", run.out);
    assert!(run.err.contains("3 games found = 3 replayed"), "{}", run.err);
    // A named file that can't be read makes the command fail after the other files are done.
    let named = folder.run("check mem.sgf illegal.sgf");
    assert_eq!(named.code, 2);
    assert!(named.err.contains("mem.sgf: unreadable-source: Input/output error"), "{}", named.err);
    assert!(named.out.contains("illegal.sgf,1,"), "{}", named.out);
}

#[test]
fn file_without_permission_is_a_row() {
    let folder = Folder::with_games();
    fs::set_permissions(folder.path().join("clean.sgf"), std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let Some(jigo) = Unprivileged::new() else { return };
    let run = run_command(&mut jigo.command(&folder, "check ."));
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("./clean.sgf,,0,,,,,I001,unreadable-source,error,,,,,Permission denied"), "{}", run.out);
    assert!(run.err.contains("2 games found = 2 replayed"), "{}", run.err);
}

#[test]
fn output_to_unwritable_folder_is_an_error() {
    let folder = Folder::with_games();
    folder.file("out/mine.txt", "mine");
    fs::set_permissions(folder.path().join("out"), std::os::unix::fs::PermissionsExt::from_mode(0o555)).unwrap();
    fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let Some(jigo) = Unprivileged::new() else { return };
    for line in ["check --output out/rows.csv .", "report --out out .", "report --out out/new .", "split --out out ."] {
        let run = run_command(&mut jigo.command(&folder, line));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}: {}", run.err);
        assert!(run.err.contains("Permission denied") && run.err.contains("out"), "{line}: {}", run.err);
        assert!(!run.err.contains(" found = "), "{line}: {}", run.err);
    }
    assert_eq!(fs::read_dir(folder.path().join("out")).unwrap().count(), 1);
}

/// A pipe with the size of a file: it ends where the writer stops, in the middle of a game.
#[test]
fn truncated_input_keeps_earlier_games() {
    let folder = Folder::new();
    let run =
        shell(&folder, &format!("mkfifo p.sgf; printf '%s' '{CLEAN}{}' > p.sgf & jigo check p.sgf", &ILLEGAL[..60]));
    assert!(run.err.contains("2 games found"), "{}", run.err);
    assert!(run.out.contains("p.sgf,2,") && run.out.contains("D001"), "{}", run.out);
}

/// Pipes without writers replaced files after the folder scan.
#[test]
fn pipe_in_place_of_file_is_a_fault_without_waiting() {
    let folder = Folder::new();
    let row = format!("{{\"id\":\"a\",\"sgf\":\"{CLEAN}\"}}\n");
    folder.file("small.sgf", CLEAN).file("large.sgf", CLEAN.repeat(10_000)).file("rows.jsonl", row);
    folder.file("a.zip", zip(&[("a.sgf".to_owned(), CLEAN.into())])).file("a.sgf.gz", gzip(CLEAN.as_bytes()));
    let names = ["small.sgf", "large.sgf", "rows.jsonl", "a.zip", "a.sgf.gz"];
    let sources = discover(&names.map(|name| folder.path().join(name)));
    for name in names {
        fs::remove_file(folder.path().join(name)).unwrap();
        assert!(Command::new("mkfifo").arg(folder.path().join(name)).status().unwrap().success());
    }
    let (sender, faults) = mpsc::channel();
    thread::spawn(move || {
        let size = PartSize { bytes: 1, games: 1 };
        let (columns, limits) = (RECORD_COLUMN.into(), Limits::default());
        split_sources(ReadSettings { sources: &sources, format: InputFormat::Auto, columns, limits }, size, |part| {
            sender.send(part.part.fault.map(|fault| fault.detail.to_string())).map_err(anyhow::Error::from)
        })
    });
    for name in names {
        let fault = faults.recv_timeout(Duration::from_secs(20)).expect("the run does not wait for a writer");
        assert!(fault.as_ref().is_some_and(|fault| fault.contains("is none any more")), "{name}: {fault:?}");
    }
}

/// A file is truncated while jigo reads it. The file is large, so that jigo reads it in pieces and
/// the cut falls between two of them.
#[test]
fn file_truncated_during_read_ends_there() {
    let folder = Folder::new();
    let games = collection(&mut Random(5), 12 << 20);
    folder.file("games.sgf", &games);
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.args(["check", "--jobs", "1", "games.sgf"]).current_dir(folder.path());
    let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Nothing reads the rows, so the run blocks in the first windows.
    sleep(Duration::from_millis(300));
    let file = File::options().write(true).open(folder.path().join("games.sgf")).unwrap();
    file.set_len(6 << 20).unwrap();
    let output = {
        let mut err = run.stderr.take().unwrap();
        let reader = thread::spawn(move || std::io::read_to_string(&mut err).unwrap());
        let out = std::io::read_to_string(run.stdout.take().unwrap()).unwrap();
        (run.wait().unwrap(), out, reader.join().unwrap())
    };
    let (status, out, err) = output;
    assert_eq!(status.code(), Some(1), "{err}");
    assert!(err.contains("1 source, 6.3 MB"), "{err}");
    // All games before the cut have the same rows as in a short file.
    let short = folder.run("check games.sgf");
    assert!(out == short.out, "rows differ");
}

#[test]
fn full_disk_error_names_the_file() {
    let folder = Folder::with_games();
    for line in [
        "check .",
        "score .",
        "check --format text .",
        "rules",
        "explain",
        "schema",
        "perft 1x2 --depth 1",
        "help limits",
    ] {
        let run = shell(&folder, &format!("jigo {line} > /dev/full"));
        assert_eq!(run.code, 2, "{line}: {}", run.err);
        assert!(run.err.contains("No space left on device"), "{line}: {}", run.err);
        assert!(!run.err.contains("panicked"), "{line}: {}", run.err);
    }
}

/// Messages matter less than rows: without standard error, the rows are still written.
#[test]
fn full_or_closed_stderr_loses_messages_only() {
    let folder = Folder::with_games();
    let rows = folder.run("check missing.sgf .").out;
    for to in ["2> /dev/full", "2>&-"] {
        let run = shell(&folder, &format!("jigo check --progress always missing.sgf . {to}"));
        assert_eq!((run.code, run.out.as_str()), (2, rows.as_str()), "{to}");
    }
}

/// A folder on a file system of a few megabytes. `mount` returns `None` if the test may not mount
/// it.
struct SmallDisk<'a>(&'a Folder);

impl SmallDisk<'_> {
    fn mount(folder: &Folder, kilobytes: u32) -> Option<SmallDisk<'_>> {
        fs::create_dir(folder.path().join("disk")).unwrap();
        let mounted = shell(folder, &format!("mount -t tmpfs -o size={kilobytes}k none disk"));
        if mounted.code != 0 {
            report_skipped(&format!("no disk can be mounted here: {}", mounted.err));
            return None;
        }
        Some(SmallDisk(folder))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = shell(self.0, "umount disk || umount --lazy disk");
    }
}

#[test]
fn full_disk_keeps_old_files_and_no_partial_file() {
    let folder = Folder::with_games();
    folder.file("games.sgf", collection(&mut Random(6), 6 << 20));
    let Some(_disk) = SmallDisk::mount(&folder, 600) else { return };
    folder.run("check --output disk/rows.csv illegal.sgf");
    folder.run("report --out disk/tables illegal.sgf");
    let names = TABLES.map(|table| format!("tables/{table}")).into_iter().chain(["rows.csv".into()]);
    let before: Vec<(String, String)> = names
        .map(|name| {
            let text = folder.read(&format!("disk/{name}"));
            (name, text)
        })
        .collect();
    for line in [
        "check --force --output disk/rows.csv games.sgf",
        "score --force --dead markup,settled --output disk/rows.csv games.sgf",
        "check --format jsonl --output disk/new.jsonl games.sgf",
        "check --write-baseline disk/new.jsonl games.sgf",
        "report --force --dead markup,settled --out disk/tables games.sgf",
        "report --dead markup,settled --out disk/new games.sgf",
    ] {
        let run = folder.run(line);
        assert_eq!(run.code, 2, "{line}: {}", run.err);
        assert!(run.err.contains("No space left on device"), "{line}: {}", run.err);
        for (name, text) in &before {
            assert!(folder.read(&format!("disk/{name}")) == *text, "{line}: {name} has changed");
        }
        let new: Vec<String> =
            folder.list().into_iter().filter(|name| name.contains("new") && !name.contains(".jigo-")).collect();
        assert!(new.is_empty() || new == ["disk/new"], "{line}: {new:?}");
        fs::remove_dir_all(folder.path().join("disk/new")).unwrap_or_default();
        fs::remove_dir_all(folder.path().join("disk/tables").join(UNFINISHED)).unwrap_or_default();
        assert!(leftovers(&folder).is_empty(), "{line}: {:?}", leftovers(&folder));
    }
}

#[test]
fn full_disk_fails_every_output_format() {
    let folder = Folder::with_games();
    folder.file("counted.sgf", "(;SZ[3:1]RU[NZ]KM[7]RE[W+4];B[ba];W[];B[])");
    let Some(_disk) = SmallDisk::mount(&folder, 200) else { return };
    // As many files as possible, and no space for their bytes.
    shell(&folder, "cat /dev/zero > disk/full");
    let formats =
        if cfg!(feature = "columnar") { &["csv", "jsonl", "sarif", "arrow", "parquet"][..] } else { &["csv"] };
    let lines = [
        "score --output disk/new .",
        "check --output rows --summary disk/new .",
        "check --output rows2 --write-baseline disk/new .",
        "compare --output disk/new .",
        "compare --list all --output disk/new .",
        "report --out disk/new .",
        "split --out disk/new .",
        "show counted.sgf --ending --out disk/new.svg",
        "man --out disk/new",
    ];
    let checks = formats.iter().map(|format| format!("check --format {format} --output disk/new ."));
    for line in checks.chain(lines.map(str::to_owned)) {
        let run = folder.run(&line);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}: {}", run.err);
        assert!(run.err.contains("No space left on device") && !run.err.contains("panicked"), "{line}: {}", run.err);
        let is_file = |name: &String| folder.path().join(name).is_file() && name != "disk/full";
        let new: Vec<String> =
            folder.list().into_iter().filter(|name| name.starts_with("disk/")).filter(is_file).collect();
        assert!(new.is_empty(), "{line}: {new:?}");
        fs::remove_dir_all(folder.path().join("disk/new")).unwrap_or_default();
    }
}

/// The scoring options of the report.
const COUNTED: &str = "--dead markup,settled";

/// After space is freed, the report continues from the point where the disk was full.
#[test]
fn report_resumes_after_full_disk() {
    let folder = Folder::new();
    folder.file("games.sgf", collection(&mut Random(6), 12 << 20));
    let Some(_disk) = SmallDisk::mount(&folder, 16_000) else { return };
    // A checkpoint is written after a tenth of a second, which may be too late on a small disk.
    let is_kept = |size: usize| {
        assert_eq!(shell(&folder, &format!("mount -o remount,size={size}k disk")).code, 0);
        let run = folder.run(&format!("report --jobs 1 {COUNTED} --out disk/tables games.sgf"));
        assert_eq!(run.code, 2, "{}", run.err);
        let is_kept = run.err.contains("report --resume disk/tables continues");
        assert!(is_kept || leftovers(&folder).is_empty(), "kept without a message: {:?}", leftovers(&folder));
        is_kept
    };
    assert!([16_000, 24_000, 32_000].into_iter().any(is_kept), "nothing is kept for another run");
    assert_eq!(shell(&folder, "mount -o remount,size=256m disk").code, 0);
    let resumed = folder.run("report --resume disk/tables");
    assert_eq!(resumed.code, 1, "{}", resumed.err);
    // The path has the same depth as the other, so the page's links to the records are equal.
    fs::create_dir(folder.path().join("whole")).unwrap();
    folder.run(&format!("report {COUNTED} --out whole/tables games.sgf"));
    for table in TABLES {
        assert!(
            folder.read(&format!("whole/tables/{table}")) == folder.read(&format!("disk/tables/{table}")),
            "{table} differs"
        );
    }
}

#[test]
fn read_only_disk_fails_before_reading() {
    let folder = Folder::with_games();
    let Some(_disk) = SmallDisk::mount(&folder, 100) else { return };
    assert_eq!(shell(&folder, "mount -o remount,ro disk").code, 0);
    for line in ["check --output disk/rows.csv .", "report --out disk .", "report --out disk/tables ."] {
        let run = folder.run(line);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}");
        assert!(run.err.contains("disk") && run.err.contains("Read-only file system"), "{line}: {}", run.err);
        assert!(!run.err.contains(" found = "), "{line}: {}", run.err);
    }
}

/// Starts a run that reads standard input, and waits until it writes into `folder`. The run lasts
/// until its standard input is closed.
fn start_and_wait_for_output(folder: &Folder, line: &str, is_writing: impl Fn() -> bool) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.current_dir(folder.path()).args(line.split_whitespace()).stdin(Stdio::piped());
    let run = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while !is_writing() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{line} does not begin");
        sleep(Duration::from_millis(1));
    }
    run
}

#[test]
fn removed_output_folder_is_an_error() {
    let folder = Folder::new();
    for (line, place) in [
        ("check --output out/rows.csv --jobs 1 -", "out/rows.csv"),
        ("report --dead markup,settled --jobs 1 --out out -", "out"),
    ] {
        let out = folder.path().join("out");
        fs::create_dir_all(&out).unwrap();
        let is_writing = || fs::read_dir(&out).is_ok_and(|mut found| found.next().is_some());
        let mut run = start_and_wait_for_output(&folder, line, is_writing);
        while fs::remove_dir_all(&out).is_err() {}
        drop(run.stdin.take());
        let err = std::io::read_to_string(run.stderr.take().unwrap()).unwrap();
        assert_eq!(run.wait().unwrap().code(), Some(2), "{line}: {err}");
        assert!(err.contains(place) && err.contains("No such file or directory"), "{line}: {err}");
        assert!(!out.exists(), "{line}");
    }
}

#[test]
fn closed_output_pipe_ends_run_quietly() {
    let folder = Folder::new();
    folder.file("games.sgf", collection(&mut Random(7), 4 << 20));
    for line in
        ["check games.sgf", "score --dead markup,settled games.sgf", "check --format jsonl games.sgf", "explain"]
    {
        let run = shell(&folder, &format!("set -o pipefail; jigo {line} | head -2 > head.txt"));
        assert!(!run.err.contains("panicked") && !run.err.contains("roken pipe"), "{line}: {}", run.err);
        // The exit code of a program that handles the closed pipe, or of one that the signal ends.
        assert!([0, 141].contains(&run.code), "{line}: {}", run.code);
        assert_eq!(folder.read("head.txt").lines().count(), 2, "{line}");
    }
}

/// Sends the signal at early and late moments of a run. Checks that each output is old or new, and
/// calls `check` with the exit code and the messages.
fn at_random_moments(signal: &str, times: u64, mut check: impl FnMut(&Folder, Option<i32>, &str)) {
    let folder = Folder::new();
    folder.file("games.sgf", collection(&mut Random(9), 1 << 20)).file("old.sgf", ILLEGAL);
    folder.run("check --output rows.csv old.sgf");
    folder.run("report --out tables old.sgf");
    let started = Instant::now();
    assert_eq!(folder.run("report --dead markup,settled --out new games.sgf").code, 1);
    let duration = started.elapsed().as_micros() as u64;
    let new = folder.run("check games.sgf").out;
    let previous = folder.read("rows.csv");
    let table = |folder: &Folder, of: &str, name: &str| folder.read(&format!("{of}/{name}"));
    let old_tables = TABLES.map(|name| table(&folder, "tables", name));
    let new_tables = TABLES.map(|name| table(&folder, "new", name));
    let mut random = Random(seed(u64::from(std::process::id())));
    for moment in 0..times {
        let line = match moment % 2 {
            0 => "check --force --output rows.csv games.sgf",
            _ => "report --force --dead markup,settled --out tables games.sgf",
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
        command.current_dir(folder.path()).args(line.split_whitespace()).stdin(Stdio::null());
        let mut run = command.stderr(Stdio::piped()).spawn().unwrap();
        // A random moment in each part of the run, in mixed order.
        let thousandths = moment * 7 % times * 1000 + random.below(1000);
        sleep(Duration::from_micros(duration * thousandths / (times * 1000)));
        // The run may have ended by now.
        let _ = Command::new("kill").args([signal, &run.id().to_string()]).stderr(Stdio::null()).status().unwrap();
        let status = run.wait().unwrap();
        let err = std::io::read_to_string(run.stderr.take().unwrap()).unwrap();
        let rows = folder.read("rows.csv");
        assert!(rows == previous || rows == new, "a half file after signal {moment}");
        let tables = TABLES.map(|name| table(&folder, "tables", name));
        if tables != old_tables && tables != new_tables {
            // The run was killed during the renames, and the next run completes them. The user must
            // repeat --force to replace the earlier report.
            assert!(folder.path().join("tables").join(UNFINISHED).exists(), "a mixed report after signal {moment}");
            let resumed = folder.run("report --resume tables --force");
            assert_eq!(resumed.code, 1, "signal {moment}: {}", resumed.err);
            assert!(TABLES.map(|name| table(&folder, "tables", name)) == new_tables, "signal {moment}");
        }
        // The next signal also meets an earlier report.
        folder.file("rows.csv", &previous);
        for (name, text) in TABLES.iter().zip(&old_tables) {
            folder.file(&format!("tables/{name}"), text);
        }
        check(&folder, status.code().or(status.signal().map(|number| 128 + number)), &err);
    }
    // The next run removes all remaining files.
    folder.run("check --force --output rows.csv games.sgf");
    folder.run("report --force --dead markup,settled --out tables games.sgf");
    assert!(leftovers(&folder).is_empty(), "{:?}", leftovers(&folder));
    assert_eq!(folder.read("rows.csv"), new);
    assert!(TABLES.map(|name| table(&folder, "tables", name)) == new_tables);
}

#[test]
fn sigkill_at_twenty_moments_leaves_no_partial_file() {
    at_random_moments("-KILL", 20, |_, code, err| assert!([Some(137), Some(1)].contains(&code), "{code:?}: {err}"));
}

#[test]
fn sigint_and_sigterm_set_exit_code_and_leave_no_file() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        at_random_moments(signal, 8, |folder, exit_code, err| {
            assert!([Some(code), Some(1)].contains(&exit_code), "{signal}: {exit_code:?}: {err}");
            let remaining = leftovers(folder);
            let is_kept = err.contains("jigo report --resume tables");
            assert!(
                remaining.iter().all(|name| is_kept && name.contains(UNFINISHED)),
                "{signal}: {remaining:?}: {err}"
            );
            fs::remove_dir_all(folder.path().join("tables").join(UNFINISHED)).unwrap_or_default();
        });
    }
}

/// The files of a killed run are recognised by name and removed. The files of a live run are kept.
#[test]
fn files_of_dead_runs_are_removed_and_of_live_runs_kept() {
    let folder = Folder::new();
    folder.file("games.sgf", collection(&mut Random(7), 4 << 20)).file("old.sgf", ILLEGAL);
    folder.file(".jigo-aBcDeF.part", "half a row").file(".jigo-notes.txt", "mine").file("a.part", "mine");
    let is_writing = || {
        leftovers(&folder).iter().filter(|name| name.ends_with(".part")).count() >= 1
            && !Path::new(&folder.path().join(".jigo-aBcDeF.part")).exists()
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.current_dir(folder.path()).args(["check", "-", "--output", "long.csv"]);
    let mut long = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !is_writing() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the dead file is still there: {:?}", leftovers(&folder));
        sleep(Duration::from_millis(1));
    }
    assert_eq!(folder.run("check --output rows.csv old.sgf").code, 1);
    long.stdin.take().unwrap().write_all(ILLEGAL.as_bytes()).unwrap();
    assert_eq!(long.wait().unwrap().code(), Some(1));
    assert!(folder.read("long.csv").contains("P001"));
    assert_eq!(leftovers(&folder), [".jigo-notes.txt"]);
    assert_eq!(folder.read("a.part"), "mine");
}

/// A missing or full folder for temporary files is not damage of the packed input. Each input
/// reports it, and other inputs are read.
#[test]
#[cfg(feature = "columnar")]
fn missing_temporary_folder_is_reported() {
    use crate::archives::{tar, zip};
    let folder = Folder::with_games();
    let games = zip(&[("a.sgf".to_owned(), ILLEGAL.as_bytes().to_vec())]);
    folder.file("a.zip", &games).file("a.tar", tar(&[("in.zip".into(), games), ("b.sgf".into(), CLEAN.into())]));
    folder.run("split --format parquet --output rows.parquet illegal.sgf");
    let expected = "no temporary file can be made in /nonexistent: No such file or directory (os error 2); TMPDIR names another folder";
    for (line, name, code) in [
        ("jigo check a.tar", "a.tar!in.zip", 1),
        ("jigo check - < a.zip", "-", 2),
        ("cat rows.parquet | jigo check -", "-", 2),
        ("cat rows.parquet | jigo check --input-format parquet -", "-", 2),
    ] {
        let sound = shell(&folder, &format!("{line} --select S,I,P"));
        assert!(!sound.column("code").contains(&"I001".to_owned()), "{line}: {}", sound.out);
        let run = shell(&folder, &format!("export TMPDIR=/nonexistent; {line} --select S,I,P"));
        assert_eq!((run.column("code"), run.code), (vec!["I001".to_owned()], code), "{line}: {}", run.out);
        assert_eq!(run.column("detail"), [expected], "{line}");
        assert!(run.out.lines().nth(1).unwrap().starts_with(name), "{line}: {}", run.out);
    }
    // The process may not write any byte to a file. The pipe's data can be read, but not stored.
    let line = "trap '' XFSZ; ulimit -f 0; jigo check --select S,I,P - < a.zip | cat";
    let run = shell(&folder, line);
    let detail = &run.column("detail")[0];
    assert!(detail.contains("no temporary file can be written in") && detail.contains("File too large"), "{}", run.out);
}

/// A write beyond the limit of file sizes fails with an error, and not with a signal.
#[test]
fn limit_of_file_sizes_is_reported() {
    let folder = Folder::new();
    folder.file("games.sgf", ILLEGAL.repeat(30_000));
    for line in [
        "jigo check -q --output rows.csv games.sgf",
        "jigo check -q games.sgf > rows.csv",
        "jigo report -q --out audit games.sgf",
        "jigo extract -q --out o.sgf games.sgf",
        "jigo split -q --max-bytes 1000000 --out parts games.sgf",
    ] {
        let run = shell(&folder, &format!("ulimit -f 100; {line}"));
        assert_eq!(run.code, 2, "{line}: {}", run.err);
        let has_sentence = run.err.contains("File too large") && run.err.contains("(ulimit -f)");
        assert!(has_sentence, "{line}: {}", run.err);
    }
}
