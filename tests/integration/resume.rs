//! `jigo report --resume` continues an interrupted run or reports the reason why it can't.

#![cfg(unix)]

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::cli::{Folder, ILLEGAL, Ran, WaitingRun};
use crate::support::generated::{Random, collection};
use crate::support::parts;

const TABLES: [&str; 6] = ["games.csv", "findings.csv", "scores.csv", "results.csv", "index.html", "summary.json"];
const STAGING: &str = ".jigo-unfinished";
const UNFINISHED: &str = "tables/.jigo-unfinished";
const REPORT: &str = "report --dead markup,settled --jobs 1 --out";

/// Returns an archive with a collection that is read in pieces, and small files.
fn archive() -> Folder {
    let folder = Folder::new();
    write_archive(&folder);
    folder
}

/// Writes the games of [`archive`] into a folder.
fn write_archive(folder: &Folder) {
    let mut random = Random(8);
    folder.file("games/large.sgf", collection(&mut random, 3 << 20));
    for number in 0..300 {
        folder.file(&format!("games/small/{number:03}.sgf"), collection(&mut random, 3000));
    }
}

/// Starts a run in the background.
fn start(folder: &Folder, line: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.current_dir(folder.path()).args(line.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Returns the number of complete batches of an unfinished run.
fn batches(folder: &Folder, out: &str) -> u64 {
    parts::batches(&folder.path().join(out).join(STAGING).join("parts"))
}

/// Kills the run as soon as it has more batches than `before`. Returns true if the run had
/// not ended by then.
fn kill_after_progress(folder: &Folder, mut run: Child, (out, before): (&str, u64)) -> bool {
    let started = Instant::now();
    while run.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(120), "the run hangs");
        if batches(folder, out) > before {
            run.kill().unwrap();
            run.wait().unwrap();
            return folder.path().join(out).join(STAGING).exists();
        }
        sleep(Duration::from_millis(2));
    }
    false
}

/// Returns an archive with a run that was killed in the middle.
fn archive_with_killed_run() -> Folder {
    let folder = archive();
    kill_report(&folder, "tables");
    folder
}

/// Writes an archive into `folder/games`, and a report of it into the folder `out` that is killed
/// in the middle.
pub fn write_killed_report(folder: &Folder, out: &str) {
    write_archive(folder);
    kill_report(folder, out);
}

/// Starts a report of `games` and kills it in the middle.
fn kill_report(folder: &Folder, out: &str) {
    let run = start(folder, &format!("{REPORT} {out} games"));
    assert!(kill_after_progress(folder, run, (out, 0)), "the archive is too small to be interrupted");
}

fn assert_refused(run: &Ran, reason: &str) {
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains(reason), "{}", run.err);
}

fn assert_same_tables(folder: &Folder) {
    for table in TABLES {
        let (expected, resumed) = (folder.read(&format!("whole/{table}")), folder.read(&format!("tables/{table}")));
        assert!(expected == resumed, "{table} differs");
    }
    assert!(!folder.path().join(UNFINISHED).exists());
}

#[test]
fn repeatedly_killed_run_gives_same_bytes() {
    let folder = archive();
    let expected = folder.run(&format!("{REPORT} whole games"));
    assert_eq!(expected.code, 1, "{}", expected.err);
    let mut run = start(&folder, &format!("{REPORT} tables games"));
    let mut kills = 0;
    let mut completed = 0;
    while kill_after_progress(&folder, run, ("tables", completed)) {
        kills += 1;
        for table in TABLES {
            assert!(!folder.path().join("tables").join(table).exists(), "{table} has its name too early");
        }
        let current = batches(&folder, "tables");
        assert!(current > completed, "batch {current} after batch {completed}");
        completed = current;
        run = start(&folder, &format!("report --resume tables --jobs {}", kills % 3 + 1));
    }
    assert!(kills >= 3, "killed {kills} times only");
    assert_same_tables(&folder);
}

/// Long comments make several batches of few games.
#[test]
fn resumed_run_of_few_games_gives_the_same_cards() {
    let folder = Folder::new();
    for number in 0..20 {
        let comment = "x".repeat(3 << 20);
        folder.file(&format!("games/{number:02}.sgf"), format!("(;SZ[9]KM[0]RE[B+1]C[{comment}];B[cc];W[cc];B[gg])"));
    }
    folder.run(&format!("{REPORT} whole games"));
    assert_eq!(folder.read("whole/index.html").matches("<div class=\"card\">").count(), 20);
    kill_report(&folder, "tables");
    folder.run("report --resume tables");
    assert_same_tables(&folder);
}

#[test]
fn last_resumed_run_reports_the_whole_archive() {
    let folder = archive_with_killed_run();
    let expected = folder.run(&format!("{REPORT} whole games"));
    let resumed = folder.run("report --resume tables");
    let counts =
        |run: &Ran| run.err.lines().take_while(|line| !line.ends_with("games/s")).map(String::from).collect::<Vec<_>>();
    assert_eq!((resumed.code, counts(&resumed)), (expected.code, counts(&expected)));
    assert_same_tables(&folder);
    assert_refused(&folder.run("report --resume tables"), "tables is a complete report");
}

#[test]
fn resumed_run_finds_duplicates() {
    let folder = archive();
    let small = folder.read("games/small/007.sgf");
    folder.file("games/again.sgf", small);
    let expected = folder.run(&format!("{REPORT} whole games --duplicates"));
    let run = start(&folder, &format!("{REPORT} tables games --duplicates"));
    assert!(kill_after_progress(&folder, run, ("tables", 0)), "the archive is too small to be interrupted");
    assert_refused(&folder.run("report --resume tables --dead markup,settled games"), "the options are not those");
    folder.file("other.toml", "[[expect]]\nname = 'komi'\nthat = 'komi = 6.5'\n");
    assert_refused(&folder.run("report --resume tables --config other.toml games"), "the options are not those");
    let resumed = folder.run("report --resume tables");
    assert_eq!((expected.code, resumed.code), (1, 1), "{}", resumed.err);
    assert_same_tables(&folder);
    let [copies, again] = ["whole/duplicates.csv", "tables/duplicates.csv"].map(|name| folder.read(name));
    assert!(copies == again && copies.contains("games/again.sgf"), "{copies}");
    assert!(folder.read("tables/summary.json").contains("duplicates.csv"));
}

#[test]
fn unfinished_run_is_not_lost_or_mixed_with_another() {
    let folder = archive_with_killed_run();
    let before = batches(&folder, "tables");
    assert_refused(
        &folder.run("report --out tables games"),
        "use --resume tables to continue it, or --force to start again",
    );
    for (line, reason) in [
        ("report --resume tables --rules aga", "the options are not those that it was begun with: jigo report --dead"),
        ("report --resume tables --dead markup,settled --rules nz games", "the options are not those"),
        ("report --resume tables --dead markup,settled games/large.sgf", "is no longer among the inputs"),
        ("report --resume tables --dead markup,settled games games/large.sgf", "was not among the inputs"),
        ("report --resume tables --out other", "--out names another folder"),
        ("report --resume games", "games holds no unfinished run; a run that reads standard input"),
        ("report --resume games -", "games holds no unfinished run, and --resume would not work: standard input"),
        ("report --resume games --format parquet games", "a run that writes Parquet or Arrow can't be resumed"),
        ("report --resume tables --dead markup,settled -", "standard input and pipes can't be read twice; write their"),
    ] {
        assert_refused(&folder.run(line), reason);
        assert_eq!(batches(&folder, "tables"), before, "{line}");
    }
    // The same inputs and options are accepted, with a different number of threads.
    let named = folder.run("report --resume tables --dead markup,settled --jobs 2 games");
    assert_eq!(named.code, 1, "{}", named.err);
    folder.run(&format!("{REPORT} whole games"));
    assert_same_tables(&folder);
}

#[test]
fn changed_inputs_are_refused_by_name() {
    let folder = archive_with_killed_run();
    let small = folder.path().join("games/small/299.sgf");
    let text = fs::read(&small).unwrap();
    // The file has the same bytes and a later modification time.
    sleep(Duration::from_millis(20));
    fs::write(&small, &text).unwrap();
    assert_refused(&folder.run("report --resume tables"), "\"games/small/299.sgf\" has changed since");
    fs::remove_file(&small).unwrap();
    assert_refused(&folder.run("report --resume tables"), "\"games/small/299.sgf\" is no longer among the inputs");
    folder.file("games/new.sgf", ILLEGAL);
    assert_refused(&folder.run("report --resume tables"), "was replaced by \"games/new.sgf\"");
    let anew = folder.run(&format!("{REPORT} tables --force games"));
    assert_eq!(anew.code, 1, "{}", anew.err);
    folder.run(&format!("{REPORT} whole games"));
    assert_same_tables(&folder);
}

#[test]
fn run_of_another_version_is_refused() {
    let folder = archive_with_killed_run();
    let name = format!("{UNFINISHED}/run.json");
    let text = folder.read(&name);
    folder.file(&name, text.replacen("jigo 0.", "jigo 9.", 1));
    assert_refused(&folder.run("report --resume tables"), "it was begun by jigo 9.");
}

/// After a crash of the machine, bytes may be missing or wrong on the disk.
#[test]
fn damaged_parts_are_ignored() {
    let folder = archive_with_killed_run();
    let path = folder.path().join(UNFINISHED).join("parts");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let first_batch = batches(&folder, "tables");
    assert_eq!(folder.run("report --resume tables").code, if first_batch == 0 { 2 } else { 1 });
    folder.run(&format!("{REPORT} whole games"));
    if first_batch > 0 {
        assert_same_tables(&folder);
    }
    let folder = archive_with_killed_run();
    let path = folder.path().join(UNFINISHED).join("parts");
    let mut bytes = fs::read(&path).unwrap();
    bytes[100] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert_refused(&folder.run("report --resume tables"), "has no progress yet");
    assert_eq!(folder.run(&format!("{REPORT} tables games")).code, 1);
}

#[test]
fn run_from_standard_input_cannot_be_resumed() {
    let folder = Folder::new();
    folder.file("games.sgf", collection(&mut Random(3), 3 << 20));
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.current_dir(folder.path()).args(format!("{REPORT} tables").split_whitespace());
    let input = fs::File::open(folder.path().join("games.sgf")).unwrap();
    let mut run = command.stdin(input).stderr(Stdio::null()).spawn().unwrap();
    while !folder.path().join(UNFINISHED).join("scores.csv").exists() {
        assert!(run.try_wait().unwrap().is_none(), "the run ends before it writes a table");
        sleep(Duration::from_millis(2));
    }
    sleep(Duration::from_millis(200));
    run.kill().unwrap();
    run.wait().unwrap();
    if folder.path().join(UNFINISHED).exists() {
        assert_refused(&folder.run("report --resume tables"), "has no progress yet");
    }
    // The remaining files have no use and are removed.
    let anew = folder.run(&format!("{REPORT} tables --force games.sgf"));
    assert_eq!(anew.code, 1, "{}", anew.err);
    assert!(!folder.path().join(UNFINISHED).exists());
}

/// A report that was killed between the renames of two tables is completed by the next run.
#[test]
fn half_renamed_report_is_completed() {
    let folder = archive();
    folder.run(&format!("{REPORT} whole games"));
    let mut run = start(&folder, &format!("{REPORT} tables games"));
    while batches(&folder, "tables") == 0 {
        assert!(run.try_wait().unwrap().is_none(), "the archive is too small to be disturbed");
        sleep(Duration::from_millis(2));
    }
    // A file at the path of the third table keeps the run from its end.
    folder.file("tables/scores.csv", "mine");
    assert!(!run.wait().unwrap().success());
    assert!(folder.read("tables/games.csv") == folder.read("whole/games.csv"));
    assert_refused(&folder.run("report --resume tables"), "is there already; --force replaces it");
    assert_eq!(folder.read("tables/scores.csv"), "mine");
    fs::remove_file(folder.path().join("tables/scores.csv")).unwrap();
    folder.file("tables/findings.csv", "mine");
    assert_refused(&folder.run("report --resume tables"), "is there already; --force replaces it");
    fs::remove_file(folder.path().join("tables/findings.csv")).unwrap();
    let resumed = folder.run("report --resume tables");
    assert_eq!(resumed.code, 1, "{}", resumed.err);
    assert_same_tables(&folder);
}

/// The files of the folder are removed in any order. A run killed during the removal leaves a
/// complete report, and the message of `--resume` explains that.
#[test]
fn resume_explains_that_report_is_complete() {
    let folder = Folder::with_games();
    folder.run(&format!("{REPORT} tables ."));
    let expected = folder.read("tables/scores.csv");
    folder.file(&format!("{UNFINISHED}/lock"), "");
    assert_refused(&folder.run("report --resume tables"), "if summary.json exists, the report is complete");
    let anew = folder.run(&format!("{REPORT} tables --force clean.sgf"));
    assert_eq!(anew.code, 0, "{}", anew.err);
    assert!(folder.read("tables/scores.csv") != expected && !folder.path().join(UNFINISHED).exists());
}

/// To continue a run that replaces a report, the user must repeat --force. Without it jigo refuses
/// at once.
#[test]
fn replacement_without_force_is_refused_at_once() {
    let folder = archive_with_killed_run();
    folder.file("tables/scores.csv", "an earlier report");
    let parts = || folder.read(&format!("{UNFINISHED}/parts"));
    let before = parts();
    assert_refused(&folder.run("report --resume tables"), "is there already; --force replaces it");
    assert!(parts() == before);
    let resumed = folder.run("report --resume tables --force");
    assert_eq!(resumed.code, 1, "{}", resumed.err);
    assert_ne!(folder.read("tables/scores.csv"), "an earlier report");
}

#[test]
fn concurrent_runs_never_share_a_folder() {
    let folder = archive();
    // A file of each table is open.
    let is_ready = || folder.list().iter().filter(|name| name.ends_with(".part")).count() == 4;
    let first = WaitingRun::start(&folder, &format!("{REPORT} tables -"), is_ready);
    for line in ["report --out tables games", "report --force --out tables games", "report --resume tables games"] {
        assert_refused(&folder.run(line), "another jigo is writing to tables");
    }
    drop(first);
    assert_eq!(folder.run(&format!("{REPORT} tables --force games/small")).code, 1);
}

/// The content of a stranger's folder must not stop jigo or make it write over other files.
#[test]
fn forged_parts_are_refused() {
    let folder = archive_with_killed_run();
    folder.file("conf", "mine").file("tables/index.html", "mine");
    let path = folder.path().join(UNFINISHED).join("parts");
    let bodies = parts::bodies(&path);
    let forge = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut first: serde_json::Value = serde_json::from_str(&bodies[0]).unwrap();
        change(&mut first);
        let others = bodies[1..].iter().cloned();
        parts::write(&path, &[first.to_string()].into_iter().chain(others).collect::<Vec<_>>());
        folder.run("report --resume tables --force")
    };
    for number in [u64::MAX, i64::MAX as u64, 1 << 60] {
        let run = forge(&|part| part["summary"]["found"] = number.into());
        assert_refused(&run, "has no progress yet");
    }
    for product in [serde_json::json!(null), serde_json::json!([[], [{}, []]]), serde_json::json!("../../conf")] {
        let run = forge(&|part| part["product"] = product.clone());
        assert_refused(&run, "is damaged; use --force to start again");
    }
    // The parts themselves are still of use.
    parts::write(&path, &bodies);
    assert_refused(&folder.run("report --resume tables"), "is there already; --force replaces it");
    assert_eq!((folder.read("conf"), folder.read("tables/index.html")), ("mine".into(), "mine".into()));
    assert_eq!(folder.run("report --resume tables --force").code, 1);
}

/// The tables, parts and lock are links to a file elsewhere, or the whole folder is a link.
#[test]
fn links_in_an_unfinished_report_are_not_followed() {
    let victim = |folder: &Folder| folder.path().join("victim");
    for name in ["games.csv", "lock", "parts", "run.json", "inputs.txt", "index.html", "complete"] {
        for is_hard in [false, true] {
            let folder = archive_with_killed_run();
            folder.file("victim", "mine");
            let path = folder.path().join(UNFINISHED).join(name);
            let _ = fs::remove_file(&path);
            match is_hard {
                true => fs::hard_link(victim(&folder), &path).unwrap(),
                false => std::os::unix::fs::symlink(victim(&folder), &path).unwrap(),
            }
            let run = folder.run("report --resume tables");
            assert_eq!(folder.read("victim"), "mine", "{name}: {}", run.err);
            // New files replace links; other files never do.
            let is_new = ["index.html", "games.csv"].contains(&name);
            assert_eq!(run.code, if is_new { 1 } else { 2 }, "{name}: {}", run.err);
        }
    }
    let folder = archive_with_killed_run();
    fs::rename(folder.path().join(UNFINISHED), folder.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("elsewhere"), folder.path().join(UNFINISHED)).unwrap();
    let before = fs::metadata(folder.path().join("elsewhere/parts")).unwrap().len();
    for line in ["report --resume tables", "report --out tables games", "report --force --out tables games"] {
        assert_refused(&folder.run(line), "is not a folder, and not from jigo");
    }
    assert_eq!(fs::metadata(folder.path().join("elsewhere/parts")).unwrap().len(), before);
}

#[test]
fn resume_starts_no_engine_named_only_in_the_folder() {
    let folder = archive_with_killed_run();
    folder.executable("engine", "#!/bin/sh\ntouch started\nexit 1\n");
    let name = format!("{UNFINISHED}/run.json");
    let text = folder.read(&name);
    let dead = text.replacen("markup,settled", "engine", 1);
    let forged = dead.replacen("\"--jobs\",", "\"--engine\",\"./engine\",\"--jobs\",", 1);
    assert!(forged.contains("./engine"), "{text}");
    folder.file(&name, forged);
    assert_refused(&folder.run("report --resume tables"), "give it again: --engine ./engine");
    assert!(!folder.path().join("started").exists());
}
