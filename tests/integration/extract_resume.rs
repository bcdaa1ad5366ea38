//! `jigo extract --resume` continues a killed run or reports the reason why it can't.

#![cfg(unix)]

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::cli::Folder;
use crate::support::generated::{Random, collection};
use crate::support::parts;

/// Returns an archive with a collection that is read in pieces, and small files.
fn archive() -> Folder {
    let folder = Folder::new();
    let mut random = Random(20);
    folder.file("games/large.sgf", collection(&mut random, 3 << 20));
    for number in 0..200 {
        folder.file(&format!("games/small/{number:03}.sgf"), collection(&mut random, 3000));
    }
    folder
}

/// A command that takes some time for each game.
const SLOW: &str = "extract --as sgf --mark-endings --dead markup,settled --where turns>20 --jobs 1";

fn start(folder: &Folder, line: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.current_dir(folder.path()).args(line.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Returns the staging folder of an output.
fn staging_dir(folder: &Folder, out: &str) -> PathBuf {
    let name = if out.ends_with('/') { format!("{out}.jigo-extract") } else { format!(".{out}.jigo-extract") };
    folder.path().join(name)
}

fn batches(folder: &Folder, out: &str) -> u64 {
    parts::batches(&staging_dir(folder, out).join("parts"))
}

/// Kills the run `delay` milliseconds after it has more batches than `before`. Returns true if the
/// run had not ended by then.
fn kill_after_progress(folder: &Folder, mut run: Child, (out, before, delay): (&str, u64, u64)) -> bool {
    let started = Instant::now();
    while run.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(240), "the run hangs");
        if batches(folder, out) > before {
            sleep(Duration::from_millis(delay));
            run.kill().unwrap();
            run.wait().unwrap();
            return staging_dir(folder, out).exists();
        }
        sleep(Duration::from_millis(2));
    }
    false
}

/// Returns all files whose names start with `name`, with their bytes.
fn content(folder: &Folder, name: &str) -> Vec<(String, Vec<u8>)> {
    let files = folder.list().into_iter().filter(|file| file.starts_with(name) && folder.path().join(file).is_file());
    files.map(|file| (file[name.len()..].to_owned(), fs::read(folder.path().join(file)).unwrap())).collect()
}

/// Returns the messages of a complete run without its time.
fn counts(err: &str) -> Vec<String> {
    let lines = err.lines().map(|line| line.split(" MB, ").next().unwrap_or_default().to_owned());
    lines.collect()
}

#[test]
fn repeatedly_killed_run_gives_same_bytes() {
    let folder = archive();
    let mut random = Random(5);
    for (out, whole, flags) in [
        ("o.sgf", "w.sgf", ""),
        ("o.jsonl", "w.jsonl", ""),
        ("o.sgf.gz", "w.sgf.gz", ""),
        ("o.zip", "w.zip", ""),
        // Many games have the same name, so the numbers after the name must continue after a
        // resume.
        ("o/", "w/", "--pattern {rules}/{size}.sgf"),
    ] {
        let table = |out: &str| format!("t-{}.csv", out.trim_end_matches('/'));
        let line =
            |out: &str| format!("{SLOW} {flags} --out {out} --rejects r-{out} --rejects-table {} games", table(out));
        let expected = folder.run(&line(whole));
        assert_eq!(expected.code, 0, "{}", expected.err);
        let mut run = start(&folder, &line(out));
        let (mut kills, mut completed) = (0, 0);
        while kill_after_progress(&folder, run, (out, completed, random.below(20))) {
            kills += 1;
            // The kill may fall between the final rename and the removal of the staging folder.
            let has_its_name = !out.ends_with('/') && folder.path().join(out).exists();
            assert!(!has_its_name || content(&folder, out) == content(&folder, whole), "{out} has its name too early");
            completed = batches(&folder, out);
            run = start(&folder, &format!("{} --resume", line(out)));
        }
        assert!(kills >= 1, "{out}: the archive is too small to be killed");
        assert!(content(&folder, out) == content(&folder, whole), "{out} differs after {kills} kills");
        assert!(content(&folder, &format!("r-{out}")) == content(&folder, &format!("r-{whole}")), "{out}");
        assert!(folder.read(&table(out)) == folder.read(&table(whole)), "{out}");
        assert!(folder.read(&table(whole)).lines().count() > 10, "{whole}");
        let remaining: Vec<String> = folder.list().into_iter().filter(|name| name.contains(".jigo")).collect();
        assert!(remaining.is_empty(), "{remaining:?}");
    }
}

/// A run that was killed while its outputs got their names is completed by the next run.
#[test]
fn run_killed_during_renames_is_completed() {
    for (out, whole) in [("o.sgf", "w.sgf"), ("o/", "w/")] {
        let folder = archive();
        let line = |out: &str| format!("{SLOW} --out {out} --rejects r-{}.sgf games", out.trim_end_matches('/'));
        let (rejects, expected) = (format!("r-{}.sgf", out.trim_end_matches('/')), folder.run(&line(whole)));
        let mut run = start(&folder, &line(out));
        while batches(&folder, out) == 0 {
            assert!(run.try_wait().unwrap().is_none(), "the archive is too small to be disturbed");
            sleep(Duration::from_millis(2));
        }
        // A file at the path of the first output keeps a complete run from its end.
        folder.file(&rejects, "mine");
        assert!(!run.wait().unwrap().success());
        let resume = || folder.run(&format!("{} --resume", line(out)));
        let refused = resume();
        assert!(refused.code == 2 && refused.err.contains("is there already; --force replaces it"), "{}", refused.err);
        assert_eq!(folder.read(&rejects), "mine");
        fs::remove_file(folder.path().join(&rejects)).unwrap();
        // Some files have their names. One that differs is not from the run.
        let placed: Vec<_> = content(&folder, whole).into_iter().step_by(2).collect();
        for (name, bytes) in &placed {
            folder.file(&format!("{out}{name}"), bytes);
        }
        let last = &placed.last().unwrap();
        folder.file(&format!("{out}{}", last.0), &last.1[1..]);
        let refused = resume();
        assert!(refused.code == 2 && refused.err.contains("is there already"), "{}", refused.err);
        folder.file(&format!("{out}{}", last.0), &last.1);
        let resumed = resume();
        assert_eq!(resumed.code, 0, "{}", resumed.err);
        assert_eq!(counts(&resumed.err).last(), counts(&expected.err).last());
        assert!(content(&folder, out) == content(&folder, whole), "{out}");
        let expected_rejects = format!("r-{}.sgf", whole.trim_end_matches('/'));
        let [rejects, expected_rejects] = [rejects, expected_rejects].map(|name| fs::read(folder.path().join(name)));
        assert_eq!(rejects.unwrap(), expected_rejects.unwrap());
        assert!(!staging_dir(&folder, out).exists());
    }
}

/// The system may end a run after any written byte. Here the limit is the size of a file.
#[test]
fn file_cut_anywhere_resumes_to_same_bytes() {
    let folder = archive();
    let line = |out: &str| format!("extract --clean --dead markup,settled --out {out} --rejects r-{out} games");
    let expected = folder.run(&line("w.sgf"));
    let mut random = Random(9);
    for _ in 0..6 {
        // The shell's unit is a block of 512 or of 1024 bytes.
        let limit = 1 + random.below(3000);
        let script = format!("ulimit -f {limit}; exec {} {}", env!("CARGO_BIN_EXE_jigo"), line("o.sgf"));
        let mut command = Command::new("sh");
        let output = command.current_dir(folder.path()).args(["-c", &script]).output().unwrap();
        let resumed =
            folder.run(&format!("{} --resume{}", line("o.sgf"), if output.status.success() { " --force" } else { "" }));
        assert_eq!(resumed.code, 0, "{}", resumed.err);
        assert_eq!(counts(&resumed.err).last(), counts(&expected.err).last());
        for (first, second) in [("o.sgf", "w.sgf"), ("r-o.sgf", "r-w.sgf")] {
            assert!(content(&folder, first) == content(&folder, second), "{first} after a limit of {limit}");
            fs::remove_file(folder.path().join(first)).unwrap();
        }
    }
}

/// Returns an archive with a run that was killed in the middle.
fn archive_with_killed_run(out: &str) -> Folder {
    let folder = archive();
    let run = start(&folder, &format!("{SLOW} --out {out} games"));
    assert!(kill_after_progress(&folder, run, (out, 0, 0)), "the archive is too small to be killed");
    folder
}

#[test]
fn unfinished_run_needs_resume_or_force() {
    let folder = archive_with_killed_run("o.sgf");
    let staged = content(&folder, ".o.sgf.jigo-extract");
    fs::create_dir(folder.path().join("other")).unwrap();
    folder.file("other/a.sgf", "(;B[aa])");
    for (line, message) in [
        (
            format!("{SLOW} --out o.sgf games"),
            "repeat the command with --resume to continue, or with --force to start again",
        ),
        (format!("{SLOW} --out o.sgf --resume other"), "\"games/large.sgf\" was replaced by \"other/a.sgf\""),
        (format!("{SLOW} --no-comments --out o.sgf --resume games"), "the options are not those"),
        (format!("{SLOW} --rejects r.sgf --out o.sgf --resume games"), "--resume"),
        (format!("{SLOW} --out o.parquet --resume games"), "o.parquet can't be resumed"),
        (format!("{SLOW} --out - --resume games"), "standard output can't be resumed"),
        (format!("{SLOW} --out p.sgf --resume -"), "can't be read twice"),
    ] {
        let run = folder.run(&line);
        assert!(run.code == 2 && run.err.contains(message), "{line}: {}", run.err);
        assert!(content(&folder, ".o.sgf.jigo-extract") == staged, "{line}");
    }
    let anew = folder.run(&format!("{SLOW} --out o.sgf --force games"));
    assert_eq!(anew.code, 0, "{}", anew.err);
    assert!(!staging_dir(&folder, "o.sgf").exists());
    // Without an unfinished run a new one starts.
    let started = folder.run(&format!("{SLOW} --out p.sgf --resume games"));
    assert!(started.code == 0 && started.err.contains("a new run starts"), "{}", started.err);
    assert!(folder.read("p.sgf") == folder.read("o.sgf"));
    // A complete run has nothing to resume.
    let again = folder.run(&format!("{SLOW} --out p.sgf --resume games"));
    assert!(again.code == 2 && again.err.contains("nothing to resume: p.sgf is there already"), "{}", again.err);
}

/// Files and links in the staging folder are replaced, and whatever links lead to is not changed.
#[test]
fn forged_staging_folder_writes_nothing_elsewhere() {
    let folder = archive_with_killed_run("o/");
    let line = format!("{SLOW} --out o/ --resume games");
    let games = staging_dir(&folder, "o/").join("games");
    let first = games.join(content(&folder, "o/.jigo-extract/games/").remove(0).0);
    folder.file("precious/a.sgf", "precious");
    fs::remove_file(&first).unwrap();
    std::os::unix::fs::symlink(folder.path().join("precious/a.sgf"), &first).unwrap();
    std::os::unix::fs::symlink(folder.path().join("precious"), games.join("away")).unwrap();
    fs::write(games.join("half-000001.sgf"), "(;B[a").unwrap();
    let copy = folder.path().join("copy");
    fs::create_dir(&copy).unwrap();
    for file in fs::read_dir(games.parent().unwrap()).unwrap().map(|file| file.unwrap().path()) {
        if file.is_file() {
            fs::copy(&file, copy.join(file.file_name().unwrap())).unwrap();
        }
    }
    assert_eq!(folder.run(&line).code, 0);
    assert_eq!(folder.read("precious/a.sgf"), "precious");
    assert_eq!(folder.run(&format!("{SLOW} --out w/ games")).code, 0);
    assert!(content(&folder, "o/") == content(&folder, "w/"));
    // The subfolder itself is a link.
    fs::remove_dir_all(folder.path().join("o")).unwrap();
    fs::create_dir(folder.path().join("o")).unwrap();
    fs::rename(&copy, staging_dir(&folder, "o/")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("precious"), &games).unwrap();
    assert_eq!(folder.run(&line).code, 0);
    assert_eq!(folder.read("precious/a.sgf"), "precious");
    assert!(content(&folder, "o/") == content(&folder, "w/"));
}
