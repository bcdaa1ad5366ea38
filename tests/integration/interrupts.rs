//! A signal ends a run with the finished rows and leaves no partial file.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::cli::Folder;

/// A slow GTP engine that needs time for every game and reports every stone as alive.
const SLOW_ENGINE: &str =
    "#!/bin/sh\nsleep 0.4\nwhile read command; do\ncase $command in final*) sleep 0.2;; esac\nprintf '=\\n\\n'\ndone\n";
/// A command that asks the engine about every game.
const SCORE: &str = "score --jobs 1 --rules nz --dead engine --engine ./slow-engine";
/// The number of games. Each is large enough to fill a batch.
const GAMES: usize = 12;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.executable("slow-engine", SLOW_ENGINE);
    let comment = "x".repeat(300_000);
    for game in 0..GAMES {
        folder.file(&format!("games/{game:02}.sgf"), format!("(;SZ[5]KM[7]RE[B+18];B[cc]C[{comment}];W[])"));
    }
    folder
}

fn start(folder: &Folder, line: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_jigo"))
        .args(line.split_whitespace())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until `is_ready` returns true. Panics if the run ends before.
fn wait_until(child: &mut Child, is_ready: impl Fn() -> bool) {
    while !is_ready() {
        assert!(child.try_wait().unwrap().is_none(), "the run ends before it is ready");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits until a run handles SIGINT and SIGTERM. Before that, these signals end it as they end any
/// program.
#[cfg(target_os = "linux")]
fn wait_for_handlers(child: &Child) {
    const SIGINT_AND_SIGTERM: u64 = 1 << 1 | 1 << 14;
    let started = Instant::now();
    while started.elapsed() < TIME_LIMIT {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        if u64::from_str_radix(caught.trim(), 16).unwrap() & SIGINT_AND_SIGTERM == SIGINT_AND_SIGTERM {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the run does not handle signals");
}

/// Waits for a second. Other systems don't list the handled signals, and a run needs far less time.
#[cfg(not(target_os = "linux"))]
fn wait_for_handlers(_: &Child) {
    std::thread::sleep(Duration::from_secs(1));
}

#[test]
fn ctrl_c_ends_with_130_and_rows_of_finished_games() {
    let folder = folder();
    let mut child = start(&folder, &format!("{SCORE} games"));
    let mut rows = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    rows.read_line(&mut text).unwrap();
    rows.read_line(&mut text).unwrap();
    send("-INT", &child);
    rows.read_to_string(&mut text).unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{err}");
    let games = text.lines().count() - 1;
    assert!((1..GAMES).contains(&games), "{text}");
    let in_words = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    let expected = format!("jigo: SIGINT after {in_words}: their rows are complete, the rest is not written\n");
    assert!(err.contains(&expected) && err.contains(&format!("\n{in_words} found = {games} replayed")), "{err}");
}

#[test]
fn signal_leaves_no_output_file_and_no_table() {
    let signals = [
        ("-TERM", 143, "--output rows.csv"),
        ("-INT", 130, "--output rows.csv --format csv"),
        ("-HUP", 129, "--output rows.csv"),
    ];
    for (signal, code, output) in signals.into_iter().filter(|(signal, ..)| *signal != "-HUP" || !ignores_hangup()) {
        let folder = folder();
        let before = folder.list();
        let mut child = start(&folder, &format!("{SCORE} {output} games"));
        wait_until(&mut child, || folder.list() != before);
        send(signal, &child);
        let process_output = child.wait_with_output().unwrap();
        let err = String::from_utf8(process_output.stderr).unwrap();
        assert_eq!(process_output.status.code(), Some(code), "{err}");
        assert!(err.contains("games: rows.csv is not written\n"), "{err}");
        assert_eq!(folder.list(), before);
    }
    let folder = folder();
    // The unsafe fixes of this game are verified by counting it again.
    folder.file("fixed/game.sgf", "(;SZ[5]RE[B+18];B[cc];W[])");
    for games in ["games", "fixed"] {
        let line = SCORE.replace("score", "report --out audit");
        let mut child = start(&folder, &format!("{line} {games}"));
        // A file of each table is open.
        wait_until(&mut child, || folder.list().iter().filter(|name| name.ends_with(".part")).count() == 4);
        send("-TERM", &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(143));
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.contains("SIGTERM after 0 games: no report is written\n"), "{games}: {err}");
        assert!(!folder.list().iter().any(|name| name.starts_with("audit/")), "{:?}", folder.list());
    }
}

/// Returns true if the tests ignore SIGHUP, as under `nohup`. Their child processes ignore it as
/// well.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.is_none_or(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 1 == 1)
}

#[test]
fn nohup_protects_a_run_from_sighup() {
    let folder = folder();
    let line = format!("nohup {} {SCORE} --output rows.csv games", env!("CARGO_BIN_EXE_jigo"));
    let mut command = Command::new("sh");
    let command = command.args(["-c", &format!("exec {line}")]).current_dir(folder.path());
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(&mut child, || folder.list().iter().any(|name| name.ends_with(".part")));
    send("-HUP", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.read("rows.csv").lines().count() > GAMES);
}

/// The time limit for the end of a run, for busy machines. A run should take one second.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Waits for the end of a run and returns its exit code, or `None` after [`TIME_LIMIT`].
fn wait_for_end(child: &mut Child) -> Option<i32> {
    let started = Instant::now();
    while started.elapsed() < TIME_LIMIT {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    None
}

/// Covers every cause of an endless run: an input without data, a reader that reads nothing, an
/// engine that neither reads nor ends, and a game that takes minutes.
#[test]
fn signal_ends_any_run() {
    let folder = folder();
    folder.executable("stuck-engine", "#!/bin/sh\nexec sleep 3600\n");
    folder.file("endless.sgf", format!("(;SZ[52]{})", "AE[aa:ZZ]".repeat(400_000)));
    folder.file("trials.sgf", format!("(;SZ[52]{}{})", ";B[];W[]".repeat(4_000), "(;B[aa];W[bb])".repeat(100_000)));
    folder.file("many.sgf", "(;SZ[9];B[aa];W[aa])\n".repeat(200_000));
    folder.file("played.sgf", "(;SZ[5]KM[7]RE[B+18];B[cc];W[];B[])".repeat(1000));
    let engine = "--rules nz --dead engine --engine-timeout 3600 --engine";
    let cases = [
        "check -".to_owned(),
        "report --out audit -".to_owned(),
        "check --files-from -".to_owned(),
        "show -".to_owned(),
        "check many.sgf".to_owned(),
        "perft 5x5 --depth 30".to_owned(),
        "check --max points=9999999999 endless.sgf".to_owned(),
        "check --variations all --max variation-turns=999999999999 trials.sgf".to_owned(),
        format!("score {engine} ./stuck-engine played.sgf"),
    ];
    let before = folder.list();
    for line in &cases {
        for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
            // The test neither writes to its input nor reads its output.
            let mut child = Command::new(env!("CARGO_BIN_EXE_jigo"))
                .args(line.split_whitespace())
                .current_dir(folder.path())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            wait_for_handlers(&child);
            std::thread::sleep(Duration::from_millis(300));
            assert!(child.try_wait().unwrap().is_none(), "{line} ends by itself");
            send(signal, &child);
            assert_eq!(wait_for_end(&mut child), Some(code), "{line} {signal}");
        }
    }
    let remaining: Vec<String> = folder.list().into_iter().filter(|name| name != "audit").collect();
    assert_eq!(remaining, before, "something is left");
}

#[test]
fn terminated_waiting_run_leaves_no_file_and_reports_it() {
    let folder = Folder::new();
    let before = folder.list();
    let mut child = Command::new(env!("CARGO_BIN_EXE_jigo"))
        .args(["check", "--output", "rows.csv", "--summary", "counts.json", "-"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(&mut child, || folder.list() != before);
    wait_for_handlers(&child);
    std::thread::sleep(Duration::from_millis(200));
    send("-TERM", &child);
    assert_eq!(wait_for_end(&mut child), Some(143));
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert!(err.contains("jigo: SIGTERM ended the run: rows.csv is not written\n"), "{err}");
    assert_eq!(folder.list(), before);
}
