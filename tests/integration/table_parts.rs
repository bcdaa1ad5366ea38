//! A table in a folder equals the table in one file, also after kills.

#![cfg(unix)]

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::cli::Folder;
use crate::support::generated::{Random, collection};

const TURNS: &str = "check --table turns --exit-zero --jobs 1";

/// Returns an archive of several batches.
fn archive() -> Folder {
    let folder = Folder::new();
    let mut random = Random(30);
    for number in 0..6 {
        folder.file(&format!("games/{number}.sgf"), collection(&mut random, 600_000));
    }
    folder
}

/// Returns the names of the files in a folder.
fn names(folder: &Folder, name: &str) -> Vec<String> {
    folder.list().into_iter().filter_map(|file| file.strip_prefix(name).map(str::to_owned)).collect()
}

/// Returns the parts of a CSV table as one file with one header line.
fn joined(folder: &Folder, name: &str) -> String {
    let parts: Vec<String> = names(folder, name).iter().map(|part| folder.read(&format!("{name}{part}"))).collect();
    let header_length = parts[0].find('\n').unwrap() + 1;
    let rows = parts.iter().map(|part| part.strip_prefix(&parts[0][..header_length]).unwrap());
    parts[0][..header_length].to_owned() + &rows.collect::<String>()
}

#[test]
fn joined_parts_equal_the_single_file() {
    let folder = archive();
    assert_eq!(folder.run(&format!("{TURNS} --output whole.csv games")).code, 0);
    let run = folder.run(&format!("{TURNS} --output parts/ --part-rows 50000 --summary summary.json games"));
    assert_eq!(run.code, 0, "{}", run.err);
    let parts = names(&folder, "parts/");
    assert!(parts.len() > 2 && parts[0] == "part-00000.csv" && parts[1] == "part-00001.csv", "{parts:?}");
    assert!(joined(&folder, "parts/") == folder.read("whole.csv"));
    let summary = folder.read("summary.json");
    assert!(parts.iter().all(|part| summary.contains(part)), "{summary}");
    // Tables with other rows than those of games, and tables without rows, have one part.
    fs::create_dir(folder.path().join("exists")).unwrap();
    for (line, name) in [
        ("duplicates --quiet games --output", "d"),
        ("duplicates --quiet --table diversity games --output", "exists"),
        ("find --quiet --table continuations X games --output", "c"),
        ("score --quiet --exit-zero --where size=2 games --output", "s"),
        ("compare --quiet --where size=2 --format csv games --output", "l"),
    ] {
        let lines = [
            format!("{line} {name}.csv"),
            format!("{line} {}", if name == "exists" { name.into() } else { format!("{name}/") }),
        ];
        for line in lines {
            let run = folder.run(&line);
            assert_eq!(run.code, 0, "{line}: {}", run.err);
        }
        assert_eq!(names(&folder, &format!("{name}/")), ["part-00000.csv"]);
        assert_eq!(folder.read(&format!("{name}.csv")), folder.read(&format!("{name}/part-00000.csv")));
    }
}

#[test]
fn killed_table_is_resumed_after_its_last_part() {
    let folder = archive();
    let parts = "--output parts/ --part-rows 50000 --format jsonl";
    assert_eq!(folder.run(&format!("{TURNS} --output whole.jsonl games")).code, 0);
    for kill in 0..2 {
        let resume = if kill == 0 { "" } else { "--resume" };
        let line = format!("{TURNS} {parts} {resume} games");
        let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
        let mut run =
            command.current_dir(folder.path()).args(line.split_whitespace()).stderr(Stdio::null()).spawn().unwrap();
        let next = folder.path().join(format!("parts/.jigo-unfinished/part-0000{}.jsonl", kill + 1));
        while !next.exists() {
            assert!(run.try_wait().unwrap().is_none(), "the archive is too small to be killed");
            sleep(Duration::from_millis(2));
        }
        run.kill().unwrap();
        run.wait().unwrap();
    }
    for (options, message) in
        [("games", "unfinished run, with"), ("--resume --columns file games", "the options are not those")]
    {
        let run = folder.run(&format!("{TURNS} {parts} {options}"));
        assert!(run.code == 2 && run.err.contains(message), "{options}: {}", run.err);
    }
    let run = folder.run(&format!("{TURNS} {parts} --resume games"));
    assert_eq!(run.code, 0, "{}", run.err);
    let rows: String = names(&folder, "parts/").iter().map(|part| folder.read(&format!("parts/{part}"))).collect();
    assert!(rows == folder.read("whole.jsonl"));
    let run = folder.run("find X --output found/ --resume games");
    assert!(run.code == 2 && run.err.contains("--resume: only jigo check and score"), "{}", run.err);
    // A folder with files is never overwritten, and only folders are resumed.
    for (options, message) in [("", "parts/ is not empty"), ("--output o.csv --resume", "--resume needs a folder")] {
        let options = if options.is_empty() { parts } else { options };
        let run = folder.run(&format!("{TURNS} {options} games"));
        assert!(run.code == 2 && run.err.contains(message), "{options}: {}", run.err);
    }
}
