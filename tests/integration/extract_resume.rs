//! `jigo extract --resume` continues a killed run or reports the reason why it can't.

#![cfg(unix)]

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::cli::Folder;
use crate::support::generated::{Random, collection};

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

/// Returns the last checkpoint.
fn checkpoint(folder: &Folder, out: &str) -> Option<serde_json::Value> {
    let text = fs::read_to_string(staging_dir(folder, out).join("checkpoint")).ok()?;
    let (_, state) = text.split_once('\n').expect("a checkpoint is whole at any moment");
    Some(serde_json::from_str(state).expect("a checkpoint is whole at any moment"))
}

fn batches(folder: &Folder, out: &str) -> u64 {
    checkpoint(folder, out).map_or(0, |state| state["batches"].as_u64().unwrap())
}

/// Kills the run `delay` milliseconds after a checkpoint later than `before`. Returns true if the
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

/// A complete run removes its staging folder, the checkpoint last. The next run removes the rest.
#[test]
fn complete_run_resumes_from_checkpoint_alone() {
    let folder = archive();
    let line = |out: &str| format!("{SLOW} --out {out} --rejects r-{out} games");
    let expected = folder.run(&line("w.sgf"));
    let mut run = start(&folder, &line("o.sgf"));
    while batches(&folder, "o.sgf") == 0 {
        assert!(run.try_wait().unwrap().is_none(), "the archive is too small to be disturbed");
        sleep(Duration::from_millis(2));
    }
    // A file at an output's path keeps a complete run from its end.
    folder.file("r-o.sgf", "mine");
    assert!(!run.wait().unwrap().success());
    fs::remove_file(folder.path().join("r-o.sgf")).unwrap();
    for gone in ["run.json", "inputs.txt", "lock"] {
        fs::remove_file(staging_dir(&folder, "o.sgf").join(gone)).unwrap();
    }
    let resumed = folder.run(&format!("{} --resume", line("o.sgf")));
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert_eq!(counts(&resumed.err).last(), counts(&expected.err).last());
    assert!(content(&folder, "o.sgf") == content(&folder, "w.sgf"));
    assert!(content(&folder, "r-o.sgf") == content(&folder, "r-w.sgf"));
    assert!(!staging_dir(&folder, "o.sgf").exists());
}

/// The system may end a run after any written byte. Here the limit is the size of a file.
#[test]
fn file_cut_anywhere_resumes_to_same_bytes() {
    let folder = archive();
    let line = |out: &str| format!("extract --clean --out {out} --rejects r-{out} games");
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
        (format!("{SLOW} --out o.sgf.gz --resume games"), "o.sgf.gz can't be resumed"),
        (format!("{SLOW} --out o.sgf --rejects r.zip --resume games"), "r.zip can't be resumed"),
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
}

#[test]
fn run_killed_during_renames_is_completed() {
    for (out, expected, is_linked) in [("o.sgf", "w.sgf", false), ("o.sgf", "w.sgf", true), ("o/", "w/", false)] {
        let folder = archive_with_killed_run(out);
        let line = |out: &str| format!("{SLOW} --out {out} games");
        assert_eq!(folder.run(&line(expected)).code, 0);
        let mut state = checkpoint(&folder, out).unwrap();
        state["is_whole"] = true.into();
        let state = state.to_string();
        let checkpoint_text =
            format!("jigo extract checkpoint 3 {:016x}\n{state}", jigo_archive::pipeline::hash(state.as_bytes(), 0));
        let staging = staging_dir(&folder, out);
        fs::write(staging.join("checkpoint"), checkpoint_text).unwrap();
        if out.ends_with('/') {
            // Half of the files are at their final paths, and the list of all files is complete.
            fs::remove_dir_all(staging.join("games")).unwrap();
            let mut names = String::new();
            for (number, (name, bytes)) in content(&folder, expected).into_iter().enumerate() {
                names += &format!("[{name:?},{}]\n", bytes.len());
                let destination = if number % 2 == 0 { "o/" } else { "o/.jigo-extract/games/" };
                folder.file(&format!("{destination}{name}"), bytes);
            }
            fs::write(staging.join("names"), names).unwrap();
            for lost in ["o/.jigo-extract/games/", "o/games/"] {
                let lost = folder.path().join(lost).join(&content(&folder, lost)[0].0);
                let bytes = fs::read(&lost).unwrap();
                fs::remove_file(&lost).unwrap();
                let run = folder.run(&format!("{} --resume", line(out)));
                let is_named = run.err.contains("is damaged; use --force without --resume to start again");
                assert!(run.code == 2 && is_named, "{}: {}", lost.display(), run.err);
                fs::write(&lost, bytes).unwrap();
            }
        } else {
            fs::write(staging.join("games.part"), folder.read(expected)).unwrap();
        }
        if is_linked {
            // As on a file system on which the new name appears before the old one disappears.
            fs::hard_link(staging.join("games.part"), folder.path().join(out)).unwrap();
        }
        let run = folder.run(&format!("{} --resume", line(out)));
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(content(&folder, out) == content(&folder, expected), "{out}");
        assert!(!staging.exists());
    }
}

/// A game in the staging folder is truncated, missing or a link, or a folder in it is a link.
#[test]
fn forged_staging_folder_writes_nothing_elsewhere() {
    let folder = archive_with_killed_run("o/");
    let line = format!("{SLOW} --out o/ --resume games");
    let staging = staging_dir(&folder, "o/");
    let first = content(&folder, "o/.jigo-extract/games/").remove(0).0;
    let first = staging.join("games").join(first);
    folder.file("precious/a.sgf", "precious");
    let bytes = fs::read(&first).unwrap();
    fs::write(&first, &bytes[1..]).unwrap();
    let truncated = folder.run(&line);
    assert!(
        truncated.code == 2 && truncated.err.contains("is damaged; use --force without --resume to start again"),
        "{}",
        truncated.err
    );
    fs::remove_file(&first).unwrap();
    let missing = folder.run(&line);
    assert!(
        missing.code == 2 && missing.err.contains("is damaged; use --force without --resume to start again"),
        "{}",
        missing.err
    );
    std::os::unix::fs::symlink(folder.path().join("precious/a.sgf"), &first).unwrap();
    let link = folder.run(&line);
    assert!(link.code == 2 && link.err.contains("is a link"), "{}", link.err);
    fs::remove_file(&first).unwrap();
    fs::write(&first, &bytes).unwrap();
    let elsewhere = staging.join("games/away");
    std::os::unix::fs::symlink(folder.path().join("precious"), &elsewhere).unwrap();
    let link = folder.run(&line);
    assert!(link.code == 2 && link.err.contains("is a link"), "{}", link.err);
    fs::remove_file(&elsewhere).unwrap();
    assert_eq!(folder.read("precious/a.sgf"), "precious");
    // A partial file of a killed run is not a game.
    fs::write(staging.join("games/half-000001.sgf"), "(;B[a").unwrap();
    assert_eq!(folder.run(&line).code, 0);
    assert!(!folder.path().join("o/half-000001.sgf").exists());
    assert_eq!(folder.run(&format!("{SLOW} --out w/ games")).code, 0);
    assert!(content(&folder, "o/") == content(&folder, "w/"));
}
