//! Runs every command of README.md and docs/, and compares its output with a recorded one.
//!
//! Shell blocks run in the order of their document, because later commands use the files of earlier
//! ones. Each command in a code span runs alone. A command whose program is missing is skipped, and
//! so are the later commands that read its files; both keep their recorded output. After an
//! intended change, run `SNAPSHOTS=overwrite cargo test --test integration document_commands::`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::process::{Command, Stdio};

use snapbox::assert::DEFAULT_ACTION_ENV;
use snapbox::data::DataFormat;
use snapbox::{Assert, Data};

use crate::readme::{documents, root};
use crate::support::cli::Folder;
use crate::support::{python, report_skipped};

/// The recorded output.
const RECORDED: &str = "tests/golden/document-commands.txt";
/// Longer output is recorded up to this line, and lines up to this character.
const MOST_LINES: usize = 12;
const MOST_CHARACTERS: usize = 160;
/// Values of the placeholders in code spans.
const PLACEHOLDERS: [(&str, &str); 7] = [
    ("CODE", "K002"),
    ("NAME", "aga"),
    ("FILE.jsonl", "file.jsonl"),
    ("FILE", "games/ko.sgf"),
    ("COMMAND", "check"),
    ("ID#", "games/collection.sgf#"),
    ("OLD NEW", "before after"),
];
/// Commands that need more than a folder of games, with the error that they report in one.
const FAILING: [(&str, &str); 4] = [
    ("jigo report --resume audit", "holds no unfinished run"),
    ("jigo fix --in-place", "only files can be changed"),
    ("jigo merge --out audit half other", "has no readable merge.json"),
    ("jigo diff before after", "cannot read before/games.csv"),
];
/// Commands that compile. `.ci/run` runs them, and `crates/jigo-core/tests` runs the examples.
const COMPILING: [&str; 6] = [
    "cargo install --locked --path .",
    "cargo run --release --locked -- report ",
    "cargo run -p jigo-core --example ",
    "cargo test ",
    "JIGO_CORPUS=… cargo test ",
    "SNAPSHOTS=overwrite cargo test ",
];

/// A folder with the files that the documents name.
struct Sandbox {
    folder: Folder,
    /// The folder of programs, before those of the system.
    path: String,
    /// The files that skipped commands would have written.
    missing: RefCell<BTreeSet<String>>,
}

impl Sandbox {
    fn new(python: Option<&str>) -> Sandbox {
        let folder = Folder::new();
        let fixture = |from: &str| fs::read(root().join("fixtures").join(from)).unwrap();
        let (marked, collection) = (fixture("games/marked.sgf"), fixture("games/collection.sgf"));
        for name in ["collection", "hostile", "marked", "variations"] {
            folder.file(&format!("games/{name}.sgf"), fixture(&format!("games/{name}.sgf")));
        }
        folder.file("games/ko.sgf", fixture("findings/K001-ko.sgf"));
        let superko = String::from_utf8(fixture("findings/K002-superko.sgf")).unwrap();
        folder.file("games/superko.sgf", superko.replacen("(;", "(;PB[Honinbo Shusaku]", 1));
        folder.file("games/clocks.sgf", CLOCKS).file("named.sgf", "(;GM[1]SZ[9]PB[name];B[ee])");
        for name in ["game.sgf", "mine/marked.sgf", "theirs/marked.sgf", "new-games/marked.sgf"] {
            folder.file(name, &marked);
        }
        folder.file("big.sgf", collection).file("g.sgf", "(;GM[1])(;GM[1])".to_owned() + &long_game());
        folder.file("board.txt", "komi 0.5\n. X O .\nX X O O\n. X O .\n. X O O\n");
        for name in ["boards.jsonl", "b"] {
            folder.file(name, documented_board());
        }
        folder.file("games.jsonl", "{\"id\": \"a\", \"sgf\": \"(;GM[1]SZ[9];B[ee])\"}\n");
        folder.file("games.csv", "event,sgf\n".to_owned() + &"club,(;GM[1]SZ[9];B[ee])\n".repeat(17));
        folder.file("database-export.csv", "id,record\n1,(;GM[1]SZ[9];B[ee])\n");
        folder.file("moves.csv", "id,moves\n1,pd dd pp dp\n");
        folder
            .file("games.txt", "17\tpd dd pp dp\n")
            .file("games.index", "id,black,komi\n17,Ayumi,6.5\n")
            .file("players.csv", "id,name\nCho Chikun,趙治勲\n");
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_jigo"), bin.join("jigo")).unwrap();
        if let Some(python) = python {
            folder.executable("bin/python3", &format!("#!/bin/sh\nexec {python} \"$@\"\n"));
            folder.executable("bin/duckdb", &format!("#!{python}\n{}{DUCKDB}", python::IMPORT_DUCKDB));
        }
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let sandbox = Sandbox { folder, path, missing: RefCell::default() };
        sandbox.prepare("jigo extract --pattern 'inner/{black}.sgf' --out games.zip named.sgf");
        sandbox
    }

    /// Returns a folder for commands in code spans, with outputs of other commands that they read.
    fn with_outputs(python: Option<&str>) -> Sandbox {
        let sandbox = Sandbox::new(python);
        sandbox.prepare("jigo split --format parquet --output parts.parquet games/");
        sandbox.prepare("jigo check --write-baseline known.jsonl games/");
        sandbox
    }

    fn prepare(&self, command: &str) {
        let output = self.run(command);
        assert!(output.code < 2, "{command}: {}", output.err);
    }

    fn run(&self, command: &str) -> CommandResult {
        let before: BTreeSet<String> = self.folder.list().into_iter().collect();
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).env("PATH", &self.path).current_dir(self.folder.path()).stdin(Stdio::null());
        let output = shell.output().unwrap();
        CommandResult {
            code: output.status.code().unwrap(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            new_files: self.folder.list().into_iter().filter(|name| !before.contains(name)).collect(),
        }
    }
}

/// A game with clocks, an illegal turn, and the players, date and komi that the guide searches for.
const CLOCKS: &str = "(;GM[1]FF[4]SZ[19]KM[7.5]RU[Chinese]PB[Lee Sedol]PW[AlphaGo]DT[2016-03-09]RE[W+R]\
    ;B[pd]BL[90];W[dd]WL[80];B[pp]BL[70];W[pp]WL[50])";

/// The command line of DuckDB, as a script of its Python package. Rows without an order are sorted.
const DUCKDB: &str = "import sys
rows = duckdb.sql(sys.argv[2])
rows = rows.fetchall() if rows else []
for row in rows if 'order by' in sys.argv[2] else sorted(rows, key=str):
    print(*row, sep=',')
";

/// A game of 180 turns on 19x19 without captures: the players fill rows that don't touch.
fn long_game() -> String {
    let turns = (0..180u8).map(|turn| {
        let (color, row) = if turn % 2 == 0 { ('B', turn / 2 / 19 * 4) } else { ('W', turn / 2 / 19 * 4 + 2) };
        format!(";{color}[{}{}]", char::from(b'a' + turn / 2 % 19), char::from(b'a' + row % 19))
    });
    format!("(;GM[1]SZ[19]{})", turns.collect::<String>())
}

/// Returns the position that the guide shows.
fn documented_board() -> String {
    let guide = fs::read_to_string(root().join("docs/guide.md")).unwrap();
    let board = guide.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    board.replace('\n', "")
}

/// The results of a command.
struct CommandResult {
    code: i32,
    out: String,
    err: String,
    /// New files.
    new_files: Vec<String>,
}

impl CommandResult {
    /// Returns the section of a command in the recorded output.
    fn section(&self, command: &str) -> String {
        let mut section = format!("$ {}\n", command.trim_end());
        let mut lines: Vec<&str> = self.out.lines().collect();
        // The file system decides the order of `find`.
        if command.starts_with("find ") {
            lines.sort_unstable();
        }
        for line in lines.iter().take(MOST_LINES) {
            let line: String =
                line.chars().take(MOST_CHARACTERS).map(|c| if c.is_control() { '·' } else { c }).collect();
            writeln!(section, "{}", line.trim_end()).unwrap();
        }
        let rest = lines.len().saturating_sub(MOST_LINES);
        if rest > 0 {
            writeln!(section, "[{rest} more lines]").unwrap();
        }
        if !self.new_files.is_empty() {
            writeln!(section, "[new: {}]", self.new_files.join(" ")).unwrap();
        }
        writeln!(section, "[exit code {}]\n", self.code).unwrap();
        section
    }
}

/// Returns the commands in the shell blocks of a document. A command ends with a line that closes
/// its quotes.
fn block_commands(text: &str) -> Vec<String> {
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut commands = Vec::new();
    for block in blocks {
        let mut command = String::new();
        for line in block.lines() {
            command += line;
            command += "\n";
            if shlex::split(&command).is_some() && !line.ends_with(['\\', '|']) {
                commands.extend(Some(std::mem::take(&mut command).trim().to_owned()).filter(|word| !word.is_empty()));
            }
        }
        assert_eq!(command, "", "an open quote");
    }
    commands
}

/// Returns the commands in the code spans of a document, with values for placeholders.
fn span_commands(text: &str) -> Vec<String> {
    let outside = text.split("```").step_by(2);
    let spans = outside.flat_map(|part| part.split('`').skip(1).step_by(2));
    let commands = spans.map(|span| span.split_whitespace().collect::<Vec<_>>().join(" ").replace("\\|", "|"));
    let with_values = commands.map(|command| {
        PLACEHOLDERS.iter().fold(command, |command, (placeholder, value)| command.replace(placeholder, value))
    });
    with_values.filter(|command| command.starts_with("jigo ") || command.contains("| jigo ")).collect()
}

/// Returns true if this machine lacks a program of a command.
fn lacks(command: &str, python: Option<&str>) -> bool {
    let needs_python = ["python3 ", "duckdb "].iter().any(|program| command.contains(program));
    let exists = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let missing = ["jq", "gnugo"].iter().any(|program| command.contains(&format!("{program} ")) && !exists(program));
    missing || (needs_python && python.is_none())
}

fn recorded_section(recorded: &str, command: &str) -> Option<String> {
    let mut sections = recorded.split("\n$ ");
    let section = sections.find(|section| section.starts_with(&format!("{command}\n")))?;
    let (shown, code) = section.split_once("\n[exit code ")?;
    Some(format!("$ {shown}\n[exit code {}]\n\n", code.split(']').next()?))
}

/// Runs a command and returns its section; the recorded one if a program or a file is missing.
fn section(command: &str, sandbox: &Sandbox, python: Option<&str>, recorded: &str) -> String {
    let mut missing = sandbox.missing.borrow_mut();
    if lacks(command, python) || missing.iter().any(|file| command.contains(file)) {
        report_skipped(&format!("a program or a file is missing for {command}"));
        let section = recorded_section(recorded, command).unwrap_or_default();
        let new_files = section.split("\n[new: ").nth(1).and_then(|rest| rest.split(']').next()).unwrap_or_default();
        missing.extend(new_files.split_whitespace().map(str::to_owned));
        return section;
    }
    let result = sandbox.run(command);
    match FAILING.iter().find(|(failing, _)| *failing == command) {
        Some((_, error)) => assert!(result.code == 2 && result.err.contains(error), "{command}: {}", result.err),
        None => assert!(result.code < 2, "{command}: {}", result.err),
    }
    result.section(command)
}

#[test]
fn commands_of_the_documents_print_the_recorded_output() {
    let python = python::path();
    let python = python.as_deref();
    let data = Data::read_from(&root().join(RECORDED), Some(DataFormat::Text)).raw();
    let recorded = data.to_string();
    let (mut actual, mut spans) = (String::new(), BTreeSet::new());
    for (document, text) in documents() {
        writeln!(actual, "# {}\n", document.display()).unwrap();
        let sandbox = Sandbox::new(python);
        for command in block_commands(&text) {
            if !COMPILING.iter().any(|prefix| command.contains(prefix)) {
                actual += &section(&command, &sandbox, python, &recorded);
            }
        }
        spans.extend(span_commands(&text));
    }
    actual += "# Code spans\n\n";
    for command in spans {
        actual += &match command.split(' ').nth(2) {
            // The name of a command.
            None => {
                let help = Sandbox::new(python).run(&format!("{command} --help"));
                assert_eq!(help.code, 0, "{command}");
                String::new()
            }
            Some(_) => section(&command, &Sandbox::with_outputs(python), python, &recorded),
        };
    }
    Assert::new().action_env(DEFAULT_ACTION_ENV).eq(actual, data);
}

/// pandas reads text columns as categories. By default it also counts pairs that do not occur.
#[test]
fn documented_pivot_counts_only_pairs_that_occur() {
    let recorded = fs::read_to_string(root().join(RECORDED)).unwrap();
    let pivot = recorded.split("\n\n").find(|section| section.contains("pivot(")).unwrap();
    let counts: Vec<u32> = pivot.lines().filter_map(|line| line.split_whitespace().last()?.parse().ok()).collect();
    assert!(!counts.is_empty() && counts.iter().all(|count| *count > 0), "{pivot}");
}
