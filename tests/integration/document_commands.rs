//! Runs the commands in the shell blocks of README.md and docs/.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::readme::{documents, root};
use crate::support::python;

/// A folder with the files that the documents name.
fn sandbox() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["games", "mine", "theirs", "new-games", "bin"] {
        fs::create_dir(path(name)).unwrap();
    }
    let fixture = |from: &str, to: &str| {
        fs::copy(root().join("fixtures").join(from), path(to)).unwrap();
    };
    for name in ["collection", "hostile", "marked", "variations"] {
        fixture(&format!("games/{name}.sgf"), &format!("games/{name}.sgf"));
    }
    fixture("findings/K001-ko.sgf", "games/ko.sgf");
    fixture("games/marked.sgf", "game.sgf");
    fixture("games/collection.sgf", "big.sgf");
    for name in ["mine", "theirs", "new-games"] {
        fixture("games/marked.sgf", &format!("{name}/marked.sgf"));
    }
    let guide = fs::read_to_string(root().join("docs/guide.md")).unwrap();
    let board = guide.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    fs::write(path("boards.jsonl"), board.replace('\n', "")).unwrap();
    fs::write(path("games.jsonl"), "{\"id\": \"a\", \"sgf\": \"(;GM[1]SZ[9];B[ee])\"}\n").unwrap();
    fs::write(path("database-export.csv"), "id,record\n1,(;GM[1]SZ[9];B[ee])\n").unwrap();
    fs::write(path("named.sgf"), "(;GM[1]SZ[9]PB[name];B[ee])").unwrap();
    fs::write(path("moves.csv"), "id,moves\n1,pd dd pp dp\n").unwrap();
    folder
}

/// Returns the commands in the shell blocks of a document; one of several lines ends with its quotes.
fn shell_commands(text: &str) -> Vec<String> {
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut commands = Vec::new();
    for block in blocks {
        let mut command = String::new();
        for line in block.lines() {
            command += line;
            command += "\n";
            if shlex::split(&command).is_some() && !line.ends_with(['\\', '|']) {
                commands.push(std::mem::take(&mut command));
            }
        }
    }
    commands
}

/// Returns true if all programs of a command can be run here.
fn can_be_run(command: &str, python: Option<&str>) -> bool {
    let is_there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let needs = |program: &str| command.contains(program);
    (command.starts_with("jigo ") || command.starts_with("duckdb "))
        && (!["python3 ", "duckdb "].iter().any(|program| needs(program)) || python.is_some())
        && ["jq ", "gnugo "].iter().all(|program| !needs(program) || is_there(program.trim()))
}

/// Runs the commands of each document in order, in a folder with the files that they name.
#[test]
fn shell_commands_of_the_documents_succeed() {
    let python = python::path();
    let mut runs = 0;
    for (document, text) in documents() {
        let folder = sandbox();
        let bin = folder.path().join("bin");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_jigo"), bin.join("jigo")).unwrap();
        if let Some(python) = &python {
            script(&bin.join("python3"), &format!("exec {python} \"$@\""));
            script(
                &bin.join("duckdb"),
                &format!("exec {python} -c 'import duckdb, sys; duckdb.sql(sys.argv[2])' \"$@\""),
            );
        }
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let run = |command: &str| {
            Command::new("sh").args(["-c", command]).env("PATH", &path).current_dir(&folder).output().unwrap()
        };
        assert!(run("jigo extract --pattern 'inner/{black}.sgf' --out games.zip named.sgf").status.success());
        for command in shell_commands(&text).iter().filter(|command| can_be_run(command, python.as_deref())) {
            let output = run(command);
            let is_usual = output.status.code().is_some_and(|code| code < 2);
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(is_usual, "{}: {command}: {error}", document.display());
            let printed = String::from_utf8_lossy(&output.stdout);
            // A pivot over rows without a ruleset has a column NaN, which leaves no row to count.
            let is_empty = command.contains("value_counts") && !printed.lines().any(|line| line.ends_with('1'));
            assert!(!is_empty, "{command}: {printed}");
            runs += 1;
        }
    }
    assert!(runs > 40, "{runs}");
}

fn script(path: &Path, line: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, format!("#!/bin/sh\n{line}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}
