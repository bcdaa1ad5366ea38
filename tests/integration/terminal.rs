//! Terminal output of texts from strangers contains no control characters.

use std::fs;

use crate::support::cli::{Folder, Ran, run_command};

/// Sets the title of a terminal, clears it and changes colours, both as UTF-8 and as raw bytes.
const ESCAPES: &str = "\x1b]0;owned\x07\x1b[2J\x1b[31m\u{9b}31m\x08\x7f";

/// Returns a record with control characters in every text, damaged so that findings quote it, and
/// records that can't be read.
fn records() -> String {
    let damage = format!(
        "{ESCAPES} before (;GM[1]FF[4]SZ[9{ESCAPES}]PB[{ESCAPES}Black]PW[{ESCAPES}]RU[{ESCAPES}]KM[6{ESCAPES}]RE[B+{ESCAPES}]\
         EV[{ESCAPES}]DT[{ESCAPES}]AP[{ESCAPES}:1]CA[{ESCAPES}]HA[{ESCAPES}]AB[{ESCAPES}][aa];B[bb]C[{ESCAPES}];W[bb]{ESCAPES}[x];\
         B[{ESCAPES}];X{ESCAPES}X[{ESCAPES}];W[cc]N[{ESCAPES}]LB[dd:{ESCAPES}];B[dd][ee]AW[z{ESCAPES}])"
    );
    format!("{damage}\n{ESCAPES}\n(;GM[1]FF[4]SZ[{ESCAPES}];B[aa])\n(;GM[1]FF[4]SZ[9]GN[{ESCAPES}];B[aa]C[{ESCAPES}")
}

/// Returns a folder with such a record, a copy under such a name, and a damaged archive with such a
/// member.
fn folder() -> Folder {
    let folder = Folder::new();
    let name = format!("{}.sgf", ESCAPES.replace('/', ""));
    folder.file("plain.sgf", records()).file(&format!("in/{name}"), records());
    let mut archive = tar::Builder::new(Vec::new());
    let game = records();
    let mut header = tar::Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_size(game.len() as u64);
    header.set_cksum();
    archive.append(&header, game.as_bytes()).unwrap();
    let mut bytes = archive.into_inner().unwrap();
    bytes.truncate(700);
    folder.file("in/cut.tar", bytes);
    folder
}

fn assert_plain(line: &str, text: &str) {
    let control = text.lines().find_map(|line| line.chars().find(|c| c.is_control()).map(|c| (c, line)));
    assert_eq!(control, None, "{line}");
}

#[test]
fn terminal_output_contains_no_control_characters() {
    let folder = folder();
    for line in [
        "check --format text in plain.sgf",
        "check --format text --color never --table turns in plain.sgf",
        "check --format github plain.sgf",
        "check in/cut.tar",
        "score --format text --all-endings in plain.sgf",
        "show plain.sgf",
        "show plain.sgf#1 --turn 3",
        "show plain.sgf#2",
        "show plain.sgf --cycle",
        "split --out parts in/cut.tar",
        "report --out out in plain.sgf",
        "show in/cut.tar",
    ] {
        let Ran { out, err, .. } = folder.run(line);
        assert!(!err.is_empty() || !out.is_empty(), "{line} prints nothing");
        if !line.starts_with("check in") {
            assert_plain(line, &out);
        }
        assert_plain(line, &err);
    }
    for member in fs::read_dir(folder.path().join("in")).unwrap() {
        let mut command = folder.command(["show"]);
        let Ran { out, err, .. } = run_command(command.arg(member.unwrap().path()));
        assert_plain("show", &out);
        assert_plain("show", &err);
    }
}

/// Tables are for programs and keep file names unchanged. Record texts in them contain no control
/// character.
#[test]
fn tables_contain_no_control_characters_of_records() {
    let folder = folder();
    for line in [
        "check plain.sgf",
        "score --all-endings plain.sgf",
        "check --table turns plain.sgf",
        "check --format jsonl plain.sgf",
    ] {
        assert_plain(line, &folder.run(line).out);
    }
    folder.run("report --out out plain.sgf");
    for table in ["games.csv", "findings.csv", "scores.csv", "results.csv", "index.html"] {
        assert_plain(table, &folder.read(&format!("out/{table}")));
    }
}

/// GitHub takes a line of a log that begins with `::`, or contains `##[`, for a command.
#[test]
fn no_line_is_a_command_of_a_ci_service() {
    let folder = Folder::new();
    let names = ["::error::x.sgf", "  ::add-mask::x.sgf", "##[group]x.sgf"];
    for name in names {
        folder.file(name, "(;GM[1]SZ[9];B[aa];W[aa])").file(&format!("m/{name}"), "(;GM[1]SZ[9];B[aa];W[aa])");
    }
    let is_command = |line: &str| line.trim_start().starts_with("::") || line.contains("##[");
    for options in ["check --format text", "score --format text --all-endings", "show", "split --out parts"] {
        for name in names {
            let mut command = folder.command(options.split(' '));
            let Ran { out, err, .. } = run_command(command.arg(name));
            let printed = format!("{out}{err}");
            assert!(printed.contains("x.sgf") || options.starts_with("split"), "{options}: {printed}");
            assert!(!printed.lines().any(is_command), "{options}: {printed}");
        }
    }
    // The cells of CSV keep their content: only quotes protect the beginning of a line.
    let run = run_command(folder.command(["check"]).args(&names[..2]));
    assert!(!run.out.lines().any(is_command), "{}", run.out);
    let mut files = run.column("file");
    files.dedup();
    assert_eq!(files, names[..2], "{}", run.out);
}
