//! `jigo report --resume`: what was interrupted goes on where it was, or says why it can't.

#![cfg(unix)]

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use jigo_archive::summary::Summary;

use crate::support::cli::{Folder, ILLEGAL, Ran, WaitingRun};
use crate::support::generated::{Random, collection};

const TABLES: [&str; 6] = ["games.csv", "findings.csv", "scores.csv", "results.csv", "index.html", "summary.json"];
const UNFINISHED: &str = "tables/.jigo-unfinished";
const REPORT: &str = "report --dead markup,settled --jobs 1 --out";

/// A collection that is read in pieces, and small files.
fn archive() -> Folder {
    let folder = Folder::new();
    let mut random = Random(8);
    folder.file("games/large.sgf", collection(&mut random, 3 << 20));
    for number in 0..300 {
        folder.file(&format!("games/small/{number:03}.sgf"), collection(&mut random, 3000));
    }
    folder
}

/// Starts a run in the background.
fn start(folder: &Folder, line: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.current_dir(folder.path()).args(line.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The batches that the last checkpoint counts.
fn batches(folder: &Folder) -> Option<u64> {
    let text = fs::read_to_string(folder.path().join(UNFINISHED).join("checkpoint")).ok()?;
    let (_, state) = text.split_once('\n').expect("a checkpoint is whole at any moment");
    let state: serde_json::Value = serde_json::from_str(state).expect("a checkpoint is whole at any moment");
    state["stage"]["begun"]["batches"].as_u64()
}

/// Kills the run as soon as it has a checkpoint further on than `before`. Whether it had not ended by then.
fn kill_after_progress(folder: &Folder, mut run: Child, before: u64) -> bool {
    let started = Instant::now();
    while run.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(120), "the run hangs");
        if batches(folder).is_some_and(|batches| batches > before) {
            run.kill().unwrap();
            run.wait().unwrap();
            return folder.path().join(UNFINISHED).exists();
        }
        sleep(Duration::from_millis(2));
    }
    false
}

/// An archive with a run that was killed in the middle.
fn interrupted() -> Folder {
    let folder = archive();
    let run = start(&folder, &format!("{REPORT} tables games"));
    assert!(kill_after_progress(&folder, run, 0), "the archive is too small to be interrupted");
    folder
}

/// A checkpoint as jigo writes it.
fn sealed(state: &str) -> String {
    format!("jigo checkpoint 3 {:016x}\n{state}", jigo_archive::pipeline::hash(state.as_bytes(), 0))
}

fn assert_refused(run: &Ran, reason: &str) {
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains(reason), "{}", run.err);
}

fn assert_same_tables(folder: &Folder) {
    for table in TABLES {
        let (whole, pieced) = (folder.read(&format!("whole/{table}")), folder.read(&format!("tables/{table}")));
        assert!(whole == pieced, "{table} differs");
    }
    assert!(!folder.path().join(UNFINISHED).exists());
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_bytes_of_one_that_is_not() {
    let folder = archive();
    let whole = folder.run(&format!("{REPORT} whole games"));
    assert_eq!(whole.code, 1, "{}", whole.err);
    let mut run = start(&folder, &format!("{REPORT} tables games"));
    let mut kills = 0;
    let mut done = 0;
    while kill_after_progress(&folder, run, done) {
        kills += 1;
        for table in TABLES {
            assert!(!folder.path().join("tables").join(table).exists(), "{table} has its name too early");
        }
        let now = batches(&folder).unwrap();
        assert!(now > done, "batch {now} after batch {done}");
        done = now;
        run = start(&folder, &format!("report --resume tables --jobs {}", kills % 3 + 1));
    }
    assert!(kills >= 3, "killed {kills} times only");
    assert_same_tables(&folder);
}

#[test]
fn the_run_that_ends_it_reports_the_whole_archive() {
    let folder = interrupted();
    let whole = folder.run(&format!("{REPORT} whole games"));
    let resumed = folder.run("report --resume tables");
    let counts =
        |run: &Ran| run.err.lines().take_while(|line| !line.ends_with("games/s")).map(String::from).collect::<Vec<_>>();
    assert_eq!((resumed.code, counts(&resumed)), (whole.code, counts(&whole)));
    assert_same_tables(&folder);
    assert_refused(&folder.run("report --resume tables"), "tables holds no unfinished run");
}

#[test]
fn games_that_are_there_twice_are_found_by_a_run_that_is_resumed_too() {
    let folder = archive();
    let small = folder.read("games/small/007.sgf");
    folder.file("games/again.sgf", small);
    let whole = folder.run(&format!("{REPORT} whole games --duplicates"));
    let run = start(&folder, &format!("{REPORT} tables games --duplicates"));
    assert!(kill_after_progress(&folder, run, 0), "the archive is too small to be interrupted");
    assert_refused(&folder.run("report --resume tables --dead markup,settled games"), "the options are not those");
    let resumed = folder.run("report --resume tables");
    assert_eq!((whole.code, resumed.code), (1, 1), "{}", resumed.err);
    assert_same_tables(&folder);
    let [copies, again] = ["whole/duplicates.csv", "tables/duplicates.csv"].map(|name| folder.read(name));
    assert!(copies == again && copies.contains("games/again.sgf"), "{copies}");
    assert!(folder.read("tables/summary.json").contains("duplicates.csv"));
}

#[test]
fn an_unfinished_run_is_neither_lost_nor_mixed_with_another() {
    let folder = interrupted();
    let before = batches(&folder);
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
        assert_eq!(batches(&folder), before, "{line}");
    }
    // The same inputs and options are taken, and so is another number of threads.
    let named = folder.run("report --resume tables --dead markup,settled --jobs 2 games");
    assert_eq!(named.code, 1, "{}", named.err);
    folder.run(&format!("{REPORT} whole games"));
    assert_same_tables(&folder);
}

#[test]
fn changed_inputs_are_refused_by_name() {
    let folder = interrupted();
    let small = folder.path().join("games/small/299.sgf");
    let text = fs::read(&small).unwrap();
    // The same bytes, written later.
    sleep(Duration::from_millis(20));
    fs::write(&small, &text).unwrap();
    assert_refused(&folder.run("report --resume tables"), "\"games/small/299.sgf\" has changed since");
    fs::remove_file(&small).unwrap();
    assert_refused(&folder.run("report --resume tables"), "\"games/small/299.sgf\" is no longer among the inputs");
    folder.file("games/new.sgf", ILLEGAL);
    assert_refused(&folder.run("report --resume tables"), "\"games/new.sgf\" is now");
    let anew = folder.run(&format!("{REPORT} tables --force games"));
    assert_eq!(anew.code, 1, "{}", anew.err);
    folder.run(&format!("{REPORT} whole games"));
    assert_same_tables(&folder);
}

#[test]
fn a_run_by_another_jigo_is_refused() {
    let folder = interrupted();
    let name = format!("{UNFINISHED}/run.json");
    let text = folder.read(&name);
    folder.file(&name, text.replacen("jigo 0.", "jigo 9.", 1));
    assert_refused(&folder.run("report --resume tables"), "it was begun by jigo 9.");
}

/// As after a crash of the machine: the newest checkpoint is ahead of the bytes on the disk, or has none itself.
#[test]
fn a_damaged_checkpoint_is_no_checkpoint() {
    let folder = interrupted();
    let newest = format!("{UNFINISHED}/checkpoint");
    fs::copy(folder.path().join(&newest), folder.path().join(UNFINISHED).join("checkpoint-synced")).unwrap();
    folder.file(&newest, "");
    assert_eq!(folder.run("report --resume tables").code, 1);
    folder.run(&format!("{REPORT} whole games"));
    assert_same_tables(&folder);

    let folder = interrupted();
    folder.file(&format!("{UNFINISHED}/games.csv"), "file,");
    assert_refused(&folder.run("report --resume tables"), "has no progress yet");
    assert_eq!(folder.run(&format!("{REPORT} tables games")).code, 1);
}

#[test]
fn standard_input_cannot_be_read_twice() {
    let folder = Folder::new();
    folder.file("games.sgf", collection(&mut Random(3), 3 << 20));
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.current_dir(folder.path()).args(format!("{REPORT} tables").split_whitespace());
    let input = fs::File::open(folder.path().join("games.sgf")).unwrap();
    let mut run = command.stdin(input).stderr(Stdio::null()).spawn().unwrap();
    while !folder.path().join(UNFINISHED).join("scores.csv").exists() {
        sleep(Duration::from_millis(2));
    }
    sleep(Duration::from_millis(200));
    run.kill().unwrap();
    run.wait().unwrap();
    if folder.path().join(UNFINISHED).exists() {
        assert_refused(&folder.run("report --resume tables"), "has no progress yet");
    }
    // What is left is of no use to anybody, and is taken away.
    let anew = folder.run(&format!("{REPORT} tables --force games.sgf"));
    assert_eq!(anew.code, 1, "{}", anew.err);
    assert!(!folder.path().join(UNFINISHED).exists());
}

/// Killed between two tables getting their names, a report is finished by whoever comes next.
#[test]
fn a_whole_report_that_is_half_in_place_is_put_in_place() {
    let folder = Folder::with_games();
    folder.run("report --out whole .");
    folder.run("report --out tables clean.sgf");
    let old = folder.read("tables/scores.csv");
    // As Unfinished leaves it before the first name is given, less the first table.
    folder.run("report --out tables/.jigo-unfinished clean.sgf illegal.sgf warned.sgf");
    fs::rename(folder.path().join(UNFINISHED).join("games.csv"), folder.path().join("tables/games.csv")).unwrap();
    let summary = Summary { sources: 3, found: 3, replayed: 3, turns: 9, severities: [0, 1, 1], ..Summary::default() };
    let state = serde_json::json!({ "summary": summary, "stage": { "whole": TABLES } }).to_string();
    folder.file(&format!("{UNFINISHED}/checkpoint"), sealed(&state));
    assert_eq!(folder.read("tables/scores.csv"), old);
    let line = "report --resume tables clean.sgf illegal.sgf warned.sgf";
    assert_refused(&folder.run(line), "is there already; --force replaces it");
    assert_eq!(folder.read("tables/scores.csv"), old);
    let resumed = folder.run(&format!("{line} --force"));
    assert_eq!(resumed.code, 1, "{}", resumed.err);
    assert!(resumed.err.contains("3 games found = 3 replayed"), "{}", resumed.err);
    assert_ne!(folder.read("tables/scores.csv"), old);
    assert_eq!(folder.list().iter().filter(|name| name.starts_with("tables/")).count(), TABLES.len());
}

/// Killed while the folder goes, which is emptied in any order, a run leaves a whole report and what is said of it.
#[test]
fn what_is_left_of_the_folder_of_a_whole_report_says_so() {
    let folder = Folder::with_games();
    folder.run(&format!("{REPORT} tables ."));
    let whole = folder.read("tables/scores.csv");
    folder.file(&format!("{UNFINISHED}/lock"), "");
    assert_refused(&folder.run("report --resume tables"), "if summary.json exists, the report is complete");
    let anew = folder.run(&format!("{REPORT} tables --force clean.sgf"));
    assert_eq!(anew.code, 0, "{}", anew.err);
    assert!(folder.read("tables/scores.csv") != whole && !folder.path().join(UNFINISHED).exists());
}

/// Whoever goes on with a run that replaces a report has to say so again, and is told at once.
#[test]
fn what_may_not_be_replaced_is_said_before_anything_is_done() {
    let folder = interrupted();
    folder.file("tables/scores.csv", "an earlier report");
    let done = || folder.read(&format!("{UNFINISHED}/checkpoint"));
    let before = done();
    assert_refused(&folder.run("report --resume tables"), "is there already; --force replaces it");
    assert_eq!(done(), before);
    let resumed = folder.run("report --resume tables --force");
    assert_eq!(resumed.code, 1, "{}", resumed.err);
    assert_ne!(folder.read("tables/scores.csv"), "an earlier report");
}

#[test]
fn two_runs_do_not_write_into_one_folder() {
    let folder = archive();
    let is_ready = || folder.path().join(UNFINISHED).join("scores.csv").exists();
    let first = WaitingRun::start(&folder, &format!("{REPORT} tables -"), is_ready);
    for line in ["report --out tables games", "report --force --out tables games", "report --resume tables games"] {
        assert_refused(&folder.run(line), "another jigo is writing to tables");
    }
    drop(first);
    assert_eq!(folder.run(&format!("{REPORT} tables --force games/small")).code, 1);
}

/// What a stranger's folder says is no reason to write anything outside of it, or over anything in it.
#[test]
fn a_forged_checkpoint_writes_nothing_outside_its_folder() {
    let folder = interrupted();
    folder.file("conf", "mine").file("tables/index.html", "mine");
    let body = folder.read(&format!("{UNFINISHED}/checkpoint"));
    let (_, state) = body.split_once('\n').unwrap();
    let state: serde_json::Value = serde_json::from_str(state).unwrap();
    for name in ["../conf", "conf", "/tmp/conf", "../tables/index.html", "./games.csv", "games.csv/../../conf"] {
        folder.file(&format!("{UNFINISHED}/conf"), "evil");
        let mut forged = state.clone();
        forged["stage"] = serde_json::json!({ "whole": [name] });
        for name in ["checkpoint", "checkpoint-synced"] {
            folder.file(&format!("{UNFINISHED}/{name}"), sealed(&forged.to_string()));
        }
        assert_refused(&folder.run("report --resume tables"), "has no progress yet");
    }
    let mut forced = state.clone();
    forced["stage"] = serde_json::json!({ "whole": ["index.html"] });
    folder.file(&format!("{UNFINISHED}/index.html"), "evil");
    folder.file(&format!("{UNFINISHED}/checkpoint"), sealed(&forced.to_string()));
    assert_refused(&folder.run("report --resume tables"), "is there already; --force replaces it");
    assert_eq!((folder.read("conf"), folder.read("tables/index.html")), ("mine".into(), "mine".into()));
}

/// Tables, checkpoints and the lock as links to a file elsewhere; the whole folder as a link.
#[test]
fn links_in_an_unfinished_report_are_not_followed() {
    let victim = |folder: &Folder| folder.path().join("victim");
    for name in ["games.csv", "lock", "checkpoint", "run.json", "inputs.txt", "index.html", "checkpoint.new"] {
        for is_hard in [false, true] {
            let folder = interrupted();
            folder.file("victim", "mine");
            let path = folder.path().join(UNFINISHED).join(name);
            let _ = fs::remove_file(&path);
            match is_hard {
                true => fs::hard_link(victim(&folder), &path).unwrap(),
                false => std::os::unix::fs::symlink(victim(&folder), &path).unwrap(),
            }
            let run = folder.run("report --resume tables");
            assert_eq!(folder.read("victim"), "mine", "{name}: {}", run.err);
            // Files that are written anew take the place of links; in the place of others none is taken.
            let is_new = ["index.html", "checkpoint.new"].contains(&name);
            assert_eq!(run.code, if is_new { 1 } else { 2 }, "{name}: {}", run.err);
        }
    }
    let folder = interrupted();
    fs::rename(folder.path().join(UNFINISHED), folder.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("elsewhere"), folder.path().join(UNFINISHED)).unwrap();
    let before = fs::metadata(folder.path().join("elsewhere/games.csv")).unwrap().len();
    for line in ["report --resume tables", "report --out tables games", "report --force --out tables games"] {
        assert_refused(&folder.run(line), "is not a folder, and not from jigo");
    }
    assert_eq!(fs::metadata(folder.path().join("elsewhere/games.csv")).unwrap().len(), before);
}

#[test]
fn a_resumed_run_starts_no_program_that_only_the_folder_names() {
    let folder = interrupted();
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
