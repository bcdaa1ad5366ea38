//! Fault injection: every system call of a run fails once, and is once the last before a kill.
//! strace injects the faults; without strace the tests are skipped.

#![cfg(target_os = "linux")]

use std::fs::File;
use std::process::{Command, Stdio};

use crate::support::cli::{CLEAN, Folder, ILLEGAL, Ran, WARNED};
use crate::support::generated::{Random, collection};

/// The files of a report.
const TABLES: [&str; 6] = ["games.csv", "findings.csv", "scores.csv", "results.csv", "index.html", "summary.json"];
const REPORT: &str = "report --force --dead markup,settled --jobs 1 --out tables new";
const CHECK: &str = "check --force --jobs 1 --output rows.csv new";

fn has_strace() -> bool {
    let run = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    let is_installed = run.is_ok_and(|output| output.status.success());
    if !is_installed {
        crate::support::report_skipped("there is no strace, or it may not look at processes");
    }
    is_installed
}

/// Runs a line with a fault, in the system calls that name the file `only` or in all. Returns true
/// if the fault occurred.
fn run_with_fault(folder: &Folder, only: Option<&str>, fault: &str, line: &str) -> (Ran, bool) {
    run_with_fault_and_input(Stdio::null(), folder, only, fault, line)
}

/// Runs a line with a fault and with a standard input.
fn run_with_fault_and_input(input: Stdio, folder: &Folder, only: Option<&str>, fault: &str, line: &str) -> (Ran, bool) {
    let trace = Folder::new();
    let mut command = Command::new("strace");
    command.current_dir(folder.path()).args(["-f", "-qqq", "-e", &format!("inject={fault}"), "-o"]);
    command.arg(trace.path().join("trace"));
    if let Some(path) = only {
        command.arg("-P").arg(folder.path().join(path));
    }
    let output = command.arg(env!("CARGO_BIN_EXE_jigo")).args(line.split_whitespace()).stdin(input).output().unwrap();
    let traced = trace.read("trace");
    let ran = Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    (ran, traced.contains("INJECTED") || traced.contains("killed by SIGKILL"))
}

/// A report and a table of old.sgf. Runs over the folder `new` replace them.
struct Scene {
    folder: Folder,
    old: [String; 7],
    new: [String; 7],
}

impl Scene {
    fn new() -> Scene {
        let folder = Folder::new();
        folder.file("old.sgf", ILLEGAL).file("new/a.sgf", [CLEAN, ILLEGAL].concat()).file("new/b.sgf", WARNED);
        let run = |line: &str| assert_eq!(folder.run(line).code, 1, "{line}");
        run(REPORT);
        run(CHECK);
        let new = Scene::outputs(&folder);
        Scene::restore(&folder);
        let old = Scene::outputs(&folder);
        assert!(old.iter().zip(&new).all(|(old, new)| old != new));
        Scene { folder, old, new }
    }

    /// Restores the old outputs and removes the files of dead runs.
    fn restore(folder: &Folder) {
        for line in ["check --force --output rows.csv old.sgf", "report --force --out tables old.sgf"] {
            let run = folder.run(line);
            assert_eq!(run.code, 1, "{}", run.err);
        }
        let remaining: Vec<String> = folder.list().into_iter().filter(|name| name.contains(".jigo-")).collect();
        assert!(remaining.is_empty(), "{remaining:?}");
    }

    fn outputs(folder: &Folder) -> [String; 7] {
        let [games, findings, scores, results, page, summary] =
            TABLES.map(|table| folder.read(&format!("tables/{table}")));
        [games, findings, scores, results, page, summary, folder.read("rows.csv")]
    }

    /// Checks that no output is partial and that old and new outputs are not mixed. After a
    /// successful run the outputs are new. After a failed run they are old, or become new when a
    /// later run continues it.
    fn assert_whole(&self, run: &Ran, fault: &str) {
        let [.., old_rows] = &self.old;
        let [.., new_rows] = &self.new;
        assert!(!run.err.contains("panicked"), "{fault}: {}", run.err);
        assert!([-1, 1, 2].contains(&run.code), "{fault}: {}: {}", run.code, run.err);
        let rows = Scene::outputs(&self.folder);
        assert!([old_rows, new_rows].contains(&&rows[6]), "{fault}: half of rows.csv");
        if rows[..6] != self.old[..6] && rows[..6] != self.new[..6] {
            assert_ne!(run.code, 1, "{fault}: {}", run.err);
            let resumed = self.folder.run("report --resume tables --force");
            assert_eq!(resumed.code, 1, "{fault}: {}", resumed.err);
            assert!(Scene::outputs(&self.folder)[..6] == self.new[..6], "{fault}: a mixed report");
        }
    }

    /// Injects a failure into the first of these system calls, then the second, until the run has
    /// no more of them.
    fn each_fails(&self, calls: &str, error: &str) {
        let mut faults = 0;
        for line in [REPORT, CHECK] {
            for number in 1.. {
                let fault = format!("{calls}:{error}:when={number}");
                let (run, is_injected) = run_with_fault(&self.folder, None, &fault, line);
                self.assert_whole(&run, &format!("{fault} in jigo {line}"));
                Scene::restore(&self.folder);
                if !is_injected {
                    assert_eq!(run.code, 1, "{}", run.err);
                    break;
                }
                faults += 1;
            }
        }
        assert!(faults > 0, "no {calls} failed");
    }
}

#[test]
fn failing_disk_leaves_old_or_new_outputs() {
    if !has_strace() {
        return;
    }
    let scene = Scene::new();
    for (calls, error) in [
        ("write", "error=ENOSPC"),
        ("fsync,fdatasync", "error=EIO"),
        ("rename,renameat,renameat2,link,linkat", "error=EIO"),
        ("unlink,unlinkat,rmdir", "error=EIO"),
    ] {
        scene.each_fails(calls, error);
    }
}

#[test]
fn kill_after_any_call_leaves_old_or_new_outputs() {
    if !has_strace() {
        return;
    }
    let scene = Scene::new();
    for calls in ["write", "fsync,fdatasync", "rename,renameat,renameat2,link,linkat", "unlink,unlinkat,rmdir"] {
        scene.each_fails(calls, "signal=KILL");
    }
}

/// The backup exists before the fix is written, and the file exists at all times.
#[test]
fn failing_in_place_fix_keeps_file_and_backup() {
    const FIXABLE: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[750]RE[B+R];B[ee];W[cc];B[gg])";
    if !has_strace() {
        return;
    }
    let calls =
        ["write", "fsync,fdatasync", "rename,renameat,renameat2,link,linkat", "unlink,unlinkat", "chmod,fchmodat"];
    let mut faults = 0;
    for (calls, kind) in calls.iter().flat_map(|calls| ["error=EIO", "signal=KILL"].map(|kind| (calls, kind))) {
        for number in 1.. {
            let folder = Folder::new();
            folder.file("a.sgf", FIXABLE).file("a.sgf.old", "older");
            let fault = format!("{calls}:{kind}:when={number}");
            let (run, is_injected) =
                run_with_fault(&folder, None, &fault, "fix --in-place --backup .old --force --jobs 1 a.sgf");
            let (content, backup) = (folder.read("a.sgf"), folder.read("a.sgf.old"));
            let is_fixed = content == FIXABLE.replace("750", "7.5");
            assert!(is_fixed || content == FIXABLE, "{fault}: {content}");
            assert!(backup == FIXABLE || (backup == "older" && !is_fixed), "{fault}: {backup}");
            if !is_injected {
                assert!(run.code == 0 && is_fixed, "{fault}: {}", run.err);
                break;
            }
            faults += 1;
        }
    }
    assert!(faults > 10, "{faults}");
}

#[test]
fn failure_after_one_changed_file_uses_singular() {
    const FIXABLE: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[750]RE[B+R];B[ee];W[cc];B[gg])";
    if !has_strace() {
        return;
    }
    let folder = Folder::new();
    folder.file("a.sgf", FIXABLE).file("b.sgf", FIXABLE);
    let fault = "rename,renameat,renameat2:error=EIO:when=2";
    let (run, is_injected) = run_with_fault(&folder, None, fault, "fix --in-place --jobs 1 a.sgf b.sgf");
    assert!(is_injected && run.code == 2, "{}", run.err);
    assert!(run.err.contains("1 file is changed; the others are as they were"), "{}", run.err);
    assert_eq!(folder.list(), ["a.sgf", "b.sgf"]);
}

/// The disk has a bad block. Small files are read in one call, large ones in pieces.
#[test]
fn read_error_in_the_middle_keeps_earlier_games() {
    if !has_strace() {
        return;
    }
    let folder = Folder::new();
    folder.file("g/small.sgf", [CLEAN, ILLEGAL].concat());
    folder.file("g/large.sgf", collection(&mut Random(21), 1 << 20)).file("g/other.sgf", WARNED);
    let expected = folder.run("check --select P,I g");
    let rows_of = |run: &Ran, name: &str| -> Vec<String> {
        run.rows().into_iter().filter(|row| row.starts_with(name)).map(str::to_owned).collect()
    };
    for (name, number) in [("g/small.sgf", 2), ("g/large.sgf", 1), ("g/large.sgf", 14)] {
        let (run, is_injected) =
            run_with_fault(&folder, Some(name), &format!("read:error=EIO:when={number}+"), "check --select P,I g");
        assert!(is_injected, "{name} is read in less than {number} calls");
        assert_eq!(run.code, 1, "{}", run.err);
        let mut rows = rows_of(&run, name);
        let error = rows.pop().unwrap();
        assert!(error.contains("I001,unreadable-source") && error.contains("Input/output error"), "{error}");
        let before = rows_of(&expected, name);
        assert!(before.starts_with(&rows), "{name} after {number} calls");
        match (name, number) {
            (_, 1) => assert!(rows.is_empty()),
            ("g/small.sgf", _) => assert_eq!(rows, before),
            _ => assert!(rows.len() > 10 && rows.len() < before.len(), "{} of {}", rows.len(), before.len()),
        }
        for other in ["g/small.sgf", "g/large.sgf", "g/other.sgf"].into_iter().filter(|other| *other != name) {
            assert_eq!(rows_of(&run, other), rows_of(&expected, other));
        }
        let (named, _) =
            run_with_fault(&folder, Some(name), &format!("read:error=EIO:when={number}+"), &format!("check {name}"));
        assert_eq!(named.code, 2, "{}", named.err);
    }
}

/// Data before the error is kept, even a single byte.
#[test]
fn read_error_early_in_stdin_keeps_earlier_games() {
    if !has_strace() {
        return;
    }
    let folder = Folder::new();
    let utf16: Vec<u8> = ILLEGAL.encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.file("none.sgf", "").file("short.sgf", ILLEGAL).file("utf16.sgf", [b"\xFF\xFE", utf16.as_slice()].concat());
    folder.file("long.sgf", collection(&mut Random(22), 40_000));
    for (name, number, kept) in [("none", 1, 0), ("short", 1, 0), ("short", 2, 1), ("utf16", 2, 1), ("long", 2, 5)] {
        let (path, fault) = (format!("{name}.sgf"), format!("read:error=EIO:when={number}+"));
        let input = || File::open(folder.path().join(&path)).unwrap().into();
        let (run, is_injected) =
            run_with_fault_and_input(input(), &folder, Some(&path), &fault, "check --select P,I001 -");
        assert!(is_injected, "{path} is read in less than {number} calls");
        assert_eq!(run.code, 2, "{path}: {}", run.err);
        assert!(run.rows().last().unwrap().contains("I001,unreadable-source"), "{path}: {}", run.out);
        assert!(run.out.contains("Input/output error"), "{path}: {}", run.out);
        // The game that the error cuts may have other findings than the complete game.
        let games = run.column("game");
        let truncated = games.iter().rev().nth(1).filter(|_| name == "long");
        let rows = run.rows().into_iter().zip(&games).filter(|(_, game)| !game.is_empty() && Some(*game) != truncated);
        let before: Vec<&str> = rows.map(|(row, _)| row).collect();
        assert!(before.len() >= kept, "{path}: {}", run.out);
        let (expected, _) =
            run_with_fault_and_input(input(), &folder, None, "read:error=EINTR:when=60000", "check --select P,I001 -");
        assert!(expected.rows().starts_with(&before), "{path}: {}", run.out);
    }
}

/// A call that a signal interrupts is repeated.
#[test]
fn interrupted_calls_are_repeated() {
    if !has_strace() {
        return;
    }
    let folder = Folder::with_games();
    let expected = folder.run("check illegal.sgf");
    for (only, fault) in [(Some("illegal.sgf"), "read:error=EINTR:when=1+2"), (None, "write:error=EINTR:when=1+2")] {
        let (run, is_injected) = run_with_fault(&folder, only, fault, "check illegal.sgf");
        assert!(is_injected, "{fault}");
        assert_eq!((run.code, &run.out), (expected.code, &expected.out), "{fault}: {}", run.err);
    }
}
