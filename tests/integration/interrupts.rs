//! A signal ends a run with what is done, and leaves no half file.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::cli::Folder;

/// A GTP engine that takes its time, with every game, and finds everything alive.
const SLOW_ENGINE: &str =
    "#!/bin/sh\nsleep 0.4\nwhile read command; do\ncase $command in final*) sleep 0.2;; esac\nprintf '=\\n\\n'\ndone\n";
/// Asks the engine about every game.
const SCORE: &str = "score --jobs 1 --rules nz --dead engine --engine ./slow-engine";
/// Games, each large enough to be a batch of its own.
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

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn ctrl_c_ends_with_130_and_the_rows_of_the_games_that_it_names() {
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
    let said = format!("jigo: SIGINT after {games} games: their rows are whole, the rest is left out\n");
    assert!(err.contains(&said) && err.contains(&format!("\n{games} games found = {games} replayed")), "{err}");
}

#[test]
fn a_signal_leaves_no_file_and_a_report_no_table() {
    for (signal, code, output) in
        [("-TERM", 143, "--output rows.csv"), ("-INT", 130, "--output rows.csv --format jsonl")]
    {
        let folder = folder();
        let before = folder.list();
        let child = start(&folder, &format!("{SCORE} {output} games"));
        while folder.list() == before {
            std::thread::sleep(Duration::from_millis(20));
        }
        send(signal, &child);
        let ended = child.wait_with_output().unwrap();
        let err = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(code), "{err}");
        assert!(err.contains("games: rows.csv is not written\n"), "{err}");
        assert_eq!(folder.list(), before);
    }
    let folder = folder();
    let line = SCORE.replace("score", "report --out audit");
    let child = start(&folder, &format!("{line} games"));
    while !folder.list().iter().any(|name| name == "audit/.jigo-unfinished/scores.csv") {
        std::thread::sleep(Duration::from_millis(20));
    }
    send("-TERM", &child);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(143));
    assert!(String::from_utf8(ended.stderr).unwrap().contains("SIGTERM after 0 games: no report is written\n"));
    assert!(!folder.list().iter().any(|name| name.starts_with("audit/")), "{:?}", folder.list());
}
