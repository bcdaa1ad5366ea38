//! Flags have their effect, with every command that accepts them.

#![cfg(unix)]

use std::iter;

use crate::support::cli::{Folder, ILLEGAL, WARNED, commands};

/// Black's last play repeats the position after turn 1. Black is to move after turn 1 and White
/// after the repetition, so only positional superko forbids it.
const SENDING_TWO: &str = "(;SZ[3:1]KM[0]RE[?];B[aa];W[ca];B[ba];W[ca];B[aa])";
/// Black retakes a ko that the setup contains.
const KO_IN_SETUP: &str = "(;SZ[4:1]KM[0]RE[?]AB[ba]AW[ca]PL[W];W[aa];B[ba])";
/// The second variation plays onto a stone.
const VARIATIONS: &str = "(;SZ[9]KM[0]RE[?];B[aa](;W[bb])(;W[aa]))";
/// White has resigned, with a stone of each colour on the board.
const RESIGNED: &str = "(;SZ[3:1]RU[NZ]KM[7]RE[B+R];B[ba];W[])";

/// A game that its players counted but that is not settled: each side has a dead stone and room to
/// live.
const COUNTED: &str =
    "(;SZ[7]RU[NZ]KM[7]RE[W+14]AB[ca][cb][cc][cd][ce][cf][cg][fe]AW[da][db][dc][dd][de][df][dg][ac];B[];W[])";

/// A GTP engine that reports every stone as alive, after two seconds.
const SLOW_ENGINE: &str = "#!/bin/sh\nsleep 2\nwhile read command; do printf '=\\n\\n'; done\n";

/// A game and a flag with its value that has an effect on the game.
type Try = (&'static str, &'static str);

/// Flags that change the output or exit code of `check`.
const CHECK: [Try; 25] = [
    (ILLEGAL, "--config expect.toml"),
    (ILLEGAL, "--files-from list.txt --limit 1"),
    (ILLEGAL, "--files-from nul.txt --null"),
    (ILLEGAL, "--sample 1000000"),
    (ILLEGAL, "--sample 2 --seed 1"),
    (ILLEGAL, "--where size=19"),
    (ILLEGAL, "--input-format jsonl"),
    (HUNDREDTHS, "--dialect kgs"),
    (SENDING_TWO, "--files-from list.txt"),
    (SENDING_TWO, "--rules tromp-taylor"),
    (SENDING_TWO, "--assume-rules tromp-taylor"),
    (ILLEGAL, "--on-illegal stop"),
    (VARIATIONS, "--variations all"),
    (KO_IN_SETUP, "--rules french --literal-setup"),
    (ILLEGAL, "--select K"),
    (WARNED, "--severity error"),
    (ILLEGAL, "--ignore P"),
    (ILLEGAL, "--shard 2/2"),
    (ILLEGAL, "--quiet"),
    (ILLEGAL, "--exit-zero"),
    (ILLEGAL, "--fail-if found>5"),
    (ILLEGAL, "--format text"),
    (ILLEGAL, "--format text --color always"),
    (ILLEGAL, "--output rows.csv"),
    (ILLEGAL, "--help"),
];

/// KM is in hundredths, unless its writer is known to write points.
const HUNDREDTHS: &str = "(;GM[1]SZ[9]RU[Chinese]KM[750]RE[?];B[ee];W[cc])";

/// A spreadsheet would evaluate this RE as a formula.
const FORMULA: &str = "(;SZ[3:1]RU[NZ]KM[7]RE[=1+1];B[ba];W[])";

/// Flags of `check` alone.
const BASELINE: [Try; 3] = [
    (ILLEGAL, "--baseline known.jsonl"),
    (ILLEGAL, "--baseline known.jsonl --prune-baseline"),
    (ILLEGAL, "--write-baseline new.jsonl"),
];

/// The same ending with a recorded winner that contradicts the count.
const CONTRADICTED: &str =
    "(;SZ[7]RU[NZ]KM[7]RE[B+14]AB[ca][cb][cc][cd][ce][cf][cg][fe]AW[da][db][dc][dd][de][df][dg][ac];B[];W[])";

/// Other flags of `check` alone.
const OF_CHECK: [Try; 6] = [
    (ILLEGAL, "--table turns"),
    (ILLEGAL, "--table turns --columns turn"),
    (CONTRADICTED, "--results"),
    (ILLEGAL, "--quick"),
    (TWICE, "--duplicates"),
    (ILLEGAL, "--problems"),
];

/// The same game twice.
const TWICE: &str = "(;SZ[9]KM[0]RE[?];B[aa])(;SZ[9]KM[0]RE[?];B[aa])";

/// The flags of `score` that `report` and `compare` do not have.
const OF_SCORE: [Try; 2] = [(COUNTED, "--table results"), (COUNTED, "--columns winner")];

/// Flags that change the output or exit code of `score`.
const SCORE: [Try; 18] = [
    (FORMULA, "--safe-text"),
    (RESIGNED, "--files-from list.txt"),
    (RESIGNED, "--rules tromp-taylor"),
    (SENDING_TWO, "--assume-rules french"),
    (ILLEGAL, "--on-illegal stop"),
    (WARNED, "--select K"),
    (WARNED, "--ignore H"),
    (RESIGNED, "--shard 2/2"),
    (RESIGNED, "--all-endings"),
    (RESIGNED, "--all-endings --komi 3.5"),
    (RESIGNED, "--format text"),
    (COUNTED, "--input-format jsonl"),
    (COUNTED, "--input-format positions"),
    (COUNTED, "--dead none"),
    (COUNTED, "--min-confidence 1"),
    (COUNTED, "--dead engine --engine ./slow-engine"),
    (COUNTED, "--dead engine --engine ./slow-engine --engine-timeout 1"),
    (COUNTED, "--dead markup"),
];

/// Flags that change how the run works but not its result.
const QUIET: [&str; 16] = [
    "--no-config",
    "--headers headers.csv",
    "--players players.csv",
    "--column record",
    "--id-column game_id",
    "--verbose",
    "--stdin-name other.sgf",
    "--summary counts.json",
    "--safe-text",
    "--max unpacked=1 --max members=1 --max ratio=1 --max nesting=0 --max memory=1",
    "--max game-time=3600 --max game=1G --max nodes=50 --max depth=1 --max variation-turns=1 --max points=50 --max findings=2 --max property=1k --max text=1k --max line=1",
    "--jobs 3",
    "--progress always",
    "--progress never",
    "--progress auto",
    "--force",
];

/// Returns the exit code, the rows and standard error, without the line on time and the
/// reproduction command.
fn visible_output(folder: &Folder, line: &str) -> (i32, String, Vec<String>) {
    let run = folder.run(line);
    let is_timing = |line: &&str| line.ends_with("games/s") || line.starts_with("progress: ");
    let without_command = |line: &str| line.split_once(": jigo ").map_or(line, |(text, _)| text).to_owned();
    let err = run.err.lines().filter(|line| !is_timing(line)).map(without_command).collect();
    (run.code, run.out, err)
}

fn folder_of(game: &str) -> Folder {
    let folder = Folder::new();
    let baseline = "{\"jigo_baseline\":1}\n";
    folder
        .file("known.jsonl", baseline)
        .file("g.sgf", game)
        .file("list.txt", "g.sgf\ng.sgf\n")
        .file("nul.txt", "g.sgf\0g.sgf")
        .file("headers.csv", "id,black\n1,Ito\n")
        .file("expect.toml", "[[expect]]\nname = 'year'\nthat = 'year > 2000'\n")
        .file("players.csv", "id,name\nito,Ito\n")
        .executable("slow-engine", SLOW_ENGINE);
    folder
}

fn assert_changes(command: &str, (game, flags): Try) {
    // All flags before the last only prepare its effect.
    let (base, _) = flags.rsplit_once("--").unwrap();
    let folder = folder_of(game);
    let without = visible_output(&folder, &format!("{command} {base} g.sgf"));
    let changed = visible_output(&folder, &format!("{command} {flags} g.sgf"));
    assert_ne!(changed, without, "{command} {flags} changes nothing");
    assert!(changed.0 < 2, "{command} {flags}: {:?}", changed.2);
}

#[test]
fn every_flag_of_check_and_score_has_an_effect() {
    CHECK.iter().chain(&BASELINE).chain(&OF_CHECK).for_each(|one| assert_changes("check", *one));
    SCORE.iter().chain(&OF_SCORE).for_each(|one| assert_changes("score", *one));
}

#[test]
fn working_flags_change_no_row() {
    for command in ["check", "score"] {
        let folder = folder_of(ILLEGAL);
        let without = visible_output(&folder, &format!("{command} g.sgf"));
        for flags in QUIET {
            assert_eq!(visible_output(&folder, &format!("{command} {flags} g.sgf")), without, "{command} {flags}");
        }
    }
}

#[test]
fn report_and_compare_accept_every_flag() {
    let all = CHECK.iter().chain(&SCORE).map(|(_, flags)| *flags).chain(QUIET);
    let is_of_report = |flags: &&str| {
        !["--color", "--output", "--summary", "--input-format positions"]
            .iter()
            .any(|excluded| flags.contains(excluded))
    };
    for flags in all.filter(is_of_report) {
        let run = folder_of(ILLEGAL).run(&format!("report --out tables {flags} g.sgf"));
        assert!(run.code < 2, "report {flags}: {}", run.err);
        let run = folder_of(ILLEGAL).run(&format!("compare --list=all {flags} g.sgf"));
        assert!(run.code < 2, "compare {flags}: {}", run.err);
    }
}

#[test]
fn perft_counts_sequences_and_complete_games() {
    let folder = Folder::new();
    assert_eq!(folder.run("perft 1x3 --depth 3").out, "1 4\n2 11\n3 22\n");
    assert_eq!(folder.run("perft 1x1 --games").out, "1\n");
    assert_eq!(folder.run("perft 1x1 --games --rules repetition=nssk").out, "5\n");
    assert!(folder.run("perft 1x1 --depth 1000").out.starts_with("1 1\n2 1\n3 0\n"));
    for depth in ["1001", "18446744073709551615"] {
        let deep = folder.run(&format!("perft 2x2 --depth {depth}"));
        assert!(deep.code == 2 && deep.err.contains("--depth") && deep.err.contains("1000"), "{}", deep.err);
    }
    let endless = folder.run("perft 1x2 --games --rules japanese");
    assert_eq!((endless.code, endless.out.as_str()), (2, ""));
}

#[test]
fn schema_prints_one_or_all_tables_as_text_or_json() {
    let folder = Folder::new();
    let all: serde_json::Value = serde_json::from_str(&folder.run("schema --format json").out).unwrap();
    for table in all.as_array().unwrap() {
        let name = table["table"].as_str().unwrap();
        let one: serde_json::Value =
            serde_json::from_str(&folder.run(&format!("schema {name} --format json")).out).unwrap();
        assert_eq!(one, serde_json::json!([table]));
        let text = folder.run(&format!("schema {name}")).out;
        for column in table["columns"].as_array().unwrap() {
            assert!(text.contains(&format!("\n  {} ", column["name"].as_str().unwrap())), "{column}");
        }
    }
    let unknown = folder.run("schema moves");
    assert_eq!((unknown.code, unknown.out.as_str()), (2, ""));
    assert!(
        unknown.err.contains(
            "there is no table 'moves'; there are findings, scores, games, results, endings, comparisons, turns, parts"
        ),
        "{}",
        unknown.err
    );
}

#[test]
fn every_help_example_runs() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/games");
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_jigo")).parent().unwrap();
    for command in iter::once(String::new()).chain(commands()) {
        let folder = Folder::new();
        folder.file("game.sgf", ILLEGAL);
        // The examples get copies of the games because one of them changes files in place.
        for game in std::fs::read_dir(fixtures).unwrap().map(Result::unwrap) {
            let name = format!("games/{}", game.file_name().to_str().unwrap());
            folder.file(&name, std::fs::read(game.path()).unwrap());
        }
        let help = folder.run(&format!("{command} --help")).out;
        let examples: Vec<&str> = help.lines().filter(|line| line.starts_with("  jigo ")).collect();
        assert!(!examples.is_empty(), "{command} has no example");
        for example in examples {
            let shell = format!("PATH=\"{}:$PATH\"; {example}", bin.display());
            let mut run = std::process::Command::new("sh");
            let output =
                run.args(["-c", &shell]).current_dir(folder.path()).stdin(std::process::Stdio::null()).output();
            let output = output.unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.code().is_some_and(|code| code < 2), "{example}: {err}");
        }
    }
}

#[test]
fn completions_and_pages_name_every_command_and_flag() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = folder.run(&format!("completions {shell}")).out;
        assert!(text.contains("report") && text.contains("min-confidence"), "{shell}");
    }
    assert!(folder.run("man").out.contains(".TH jigo 1"));
    assert_eq!(folder.run("man --out pages").code, 0);
    assert!(folder.list().contains(&"pages/jigo.1".to_owned()));
    assert!(folder.read("pages/jigo-score.1").contains("min\\-confidence"), "{}", folder.read("pages/jigo-score.1"));
}
