//! Dead stones from GNU Go, if it is installed, and the handling of engine failures.

#![cfg(unix)]

use std::path::Path;

use crate::support::cli::Folder;

/// White's two stones in the corner are dead, and the recorded result counts them so.
const ENDING: &str = "(;SZ[7]KM[0.5]RU[Chinese]RE[B+0.5];B[ca];W[ea];B[cb];W[eb];B[cc];W[ec];B[cd];W[ed];B[ce];W[ee];B[cf];W[ef]\
;B[cg];W[eg];B[da];W[db];B[dc];W[dd];B[de];W[df];B[dg];W[ab];B[];W[bb];B[];W[])";

/// The paths in Debian and other systems.
fn gnugo() -> Option<&'static str> {
    let found = ["/usr/games/gnugo", "/usr/bin/gnugo", "/usr/local/bin/gnugo"]
        .into_iter()
        .find(|path| Path::new(path).exists());
    if found.is_none() {
        crate::support::report_skipped("GNU Go is not installed");
    }
    found
}

#[test]
fn gnugo_names_the_dead_stones() {
    let Some(gnugo) = gnugo() else { return };
    let folder = Folder::new();
    folder.file("g.sgf", ENDING).executable("engine", &format!("#!/bin/sh\nexec {gnugo} --mode gtp\n"));
    let run = folder.run("score --rules chinese --dead engine --engine ./engine g.sgf");
    let row = &run.rows()[0];
    assert!(row.contains(",B,engine,,estimated,"), "{row}");
    let playouts = folder.run("score --rules chinese --dead playouts g.sgf");
    let margin = |row: &str| row.split(',').nth(8).unwrap().to_owned();
    assert_eq!(margin(row), margin(playouts.rows()[0]));
}

#[test]
fn engine_failure_is_a_finding_and_next_source_is_used() {
    let folder = Folder::new();
    folder.file("g.sgf", ENDING).executable("broken", "#!/bin/sh\nexit 3\n");
    let run = folder.run("score --rules chinese --dead engine,playouts --engine ./broken g.sgf");
    assert!(run.rows()[0].contains(",playouts,"), "{}", run.out);
    assert!(run.err.contains("E001 engine-failed"), "{}", run.err);
    let single = folder.run("score --rules chinese --dead engine --engine ./broken g.sgf");
    assert!(single.rows()[0].contains("unsettled"), "{}", single.out);
    let board = folder.run("show g.sgf --ending --dead engine --engine ./broken");
    assert!(board.code == 2 && board.err.contains("not counted: ") && board.err.contains("E001"), "{}", board.err);
}

/// Ten failures without an answer end the run, and no engine process remains.
#[test]
fn hanging_engine_does_not_stall_the_run() {
    let folder = Folder::new();
    folder.file("g.sgf", ENDING.repeat(40)).executable("hangs", "#!/bin/sh\necho $$ >> pids\nexec sleep 3600\n");
    let run = folder.run("score --jobs 2 --rules chinese --dead engine --engine ./hangs --engine-timeout 1 g.sgf");
    assert_eq!((run.code, run.rows().len()), (2, 0));
    let reason = "the engine failed on each of the first 10 games it was asked about; of the last one: the engine took more than 1 s";
    assert!(run.err.contains(reason), "{}", run.err);
    let pids = folder.read("pids");
    // Some were killed before they wrote their process id; a thread may have asked once more.
    assert!((2..=12).contains(&pids.lines().count()), "{pids}");
    for pid in pids.lines() {
        let kill = std::process::Command::new("kill").args(["-0", pid]).output().unwrap();
        assert!(!kill.status.success(), "process {pid} is left");
    }
}

/// A killed script does not end the engine that it started.
#[test]
fn child_processes_of_engine_end_with_it() {
    let folder = Folder::new();
    folder.file("g.sgf", ENDING).executable("script", "#!/bin/sh\nsleep 3600 &\necho $! > pid\nwait\n");
    let run = folder.run("score --rules chinese --dead engine --engine ./script --engine-timeout 1 g.sgf");
    assert!(run.err.contains("E001"), "{}", run.err);
    let pid = folder.read("pid");
    // Its new parent may need a moment to reap it.
    let is_running = || std::process::Command::new("kill").args(["-0", pid.trim()]).output().unwrap().status.success();
    let ended = (0..50).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        !is_running()
            || std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).is_ok_and(|stat| stat.contains(") Z "))
    });
    assert!(ended, "process {pid} is left");
}

/// The engine writes without questions, and every answer is an error.
#[test]
fn deaf_engine_ends_the_run_after_ten_games() {
    let folder = Folder::new();
    folder.file("g.sgf", ENDING.repeat(40)).executable("deaf", "#!/bin/sh\nwhile :; do printf '? no\\n\\n'; done\n");
    let run = folder.run("score --rules chinese --dead engine --engine ./deaf g.sgf");
    assert_eq!((run.code, run.rows().len()), (2, 0));
    assert!(run.err.contains("the engine failed on each of the first 10 games"), "{}", run.err);
}

/// After a first answer, each game on which the engine fails gets a finding, however many there
/// are.
#[test]
fn engine_with_some_answers_is_asked_again() {
    let folder = Folder::new();
    let answers = "while read command; do case $command in final*) if [ -e asked ]; then exit 1; fi; : > asked; printf '= \n\n';; *) printf '= \n\n';; esac; done";
    folder.file("g.sgf", ENDING.repeat(30)).executable("engine", &format!("#!/bin/sh\n{answers}\n"));
    let run = folder.run("score --jobs 1 --rules chinese --dead engine --engine ./engine g.sgf");
    assert_eq!(run.rows().len(), 30, "{}", run.err);
    assert!(run.rows()[0].contains(",engine,") && run.rows()[29].contains("unsettled"), "{}", run.out);
}

#[test]
fn engine_and_dead_engine_need_each_other() {
    let folder = Folder::new();
    folder.file("g.sgf", ENDING);
    for flags in ["--dead engine", "--engine ./x", "--dead oracle", "--min-confidence 2"] {
        let run = folder.run(&format!("score {flags} g.sgf"));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{flags}");
    }
}

/// The recorded result is only explained and never influences the estimate.
#[test]
fn estimate_ignores_the_recorded_result() {
    let folder = Folder::new();
    let mut results = Vec::new();
    for result in ["B+0.5", "W+30.5", "B+100.5", "0"] {
        folder.file("g.sgf", ENDING.replace("B+0.5", result));
        let run = folder.run("score --rules chinese,japanese --dead playouts g.sgf");
        let rows = run.rows();
        let counted = rows.iter().map(|row| row.split(',').take(14).collect::<Vec<_>>().join(","));
        results.push(counted.collect::<Vec<_>>());
    }
    assert!(results[0][0].contains("estimated"));
    assert!(results.iter().all(|result| *result == results[0]), "{results:#?}");
}
