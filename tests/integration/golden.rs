//! The output of the commands for the fixtures, byte for byte.
//!
//! After an intended change: `SNAPSHOTS=overwrite cargo test --test integration golden::`, then
//! read the difference.

use std::path::{Path, PathBuf};
use std::process::Command;

use jigo_archive::tables::TABLES;
use snapbox::assert::DEFAULT_ACTION_ENV;
use snapbox::data::DataFormat;
use snapbox::{Assert, Data};

use crate::support::cli::{Folder, commands};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the standard output of a command in the repository's root, as for a user.
fn stdout(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_jigo")).args(arguments).current_dir(root()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Compares a text with the file of that name, without wildcards.
fn assert_golden(name: &str, actual: &str) {
    // snapbox treats all line endings as equal.
    assert!(!actual.contains('\r'), "{name}");
    let path = root().join("tests/golden").join(name);
    Assert::new().action_env(DEFAULT_ACTION_ENV).eq(actual, Data::read_from(&path, Some(DataFormat::Text)).raw());
}

/// Returns the rows of a table without its empty cells, so that a new column changes few lines.
fn filled_cells(rows: &str) -> String {
    let mut reader = csv::Reader::from_reader(rows.as_bytes());
    let columns = reader.headers().unwrap().clone();
    let line = |row: csv::StringRecord| {
        let filled = columns.iter().zip(&row).filter(|(_, cell)| !cell.is_empty());
        let cells: Vec<String> = filled.map(|(column, cell)| format!("{column}={cell}")).collect();
        cells.join(" ").replace('\n', "\\n") + "\n"
    };
    reader.records().map(|row| line(row.unwrap())).collect()
}

/// The command that writes each table as CSV, for a small record. Other tests read the tables
/// without CSV, `parts` and `store`.
#[cfg(unix)]
const TABLE_COMMANDS: [(&str, &str); 19] = [
    ("findings", "check damaged.sgf"),
    ("scores", "score marked.sgf"),
    ("games", "report --out audit marked.sgf; cat audit/games.csv"),
    ("results", "score --table results marked.sgf"),
    ("endings", "score --table endings marked.sgf"),
    ("comparisons", "compare --list=all marked.sgf"),
    ("turns", "check --table turns marked.sgf"),
    ("duplicates", "duplicates marked.sgf marked.sgf"),
    ("diversity", "duplicates --table diversity marked.sgf"),
    ("aliases", "duplicates --table aliases named.sgf"),
    ("keys", "check --table keys marked.sgf"),
    ("fixes", "fix --diff --log log.csv damaged.sgf > diff; cat log.csv"),
    ("matches", "find X marked.sgf"),
    ("continuations", "find --table continuations X marked.sgf"),
    ("pairs", "compare --rules japanese,chinese,aga marked.sgf --format csv"),
    ("evaluations", "check --table evaluations evaluated.sgf"),
    ("differences", "report --out before marked.sgf; jigo report --out after damaged.sgf; jigo diff before after"),
    ("rejects", "extract --broken --out o.sgf --rejects-table t.csv marked.sgf; cat t.csv"),
    ("training", "extract --as npz --out rows/ marked.sgf; cat rows/*.csv"),
];

/// Returns the letter of a coordinate in SGF, from 0.
fn letter(index: usize) -> char {
    char::from(b'a' + index as u8)
}

#[test]
#[cfg(unix)]
fn columns_of_every_table_equal_golden_files() {
    let folder = Folder::new();
    for (name, fixture) in [
        ("marked", "games/marked"),
        ("damaged", "findings/D009-missing-semicolon"),
        ("evaluated", "findings/D025-near-miss"),
    ] {
        folder.file(&format!("{name}.sgf"), std::fs::read(root().join(format!("fixtures/{fixture}.sgf"))).unwrap());
    }
    // One game under two names of Black.
    let turns = |index: usize| format!(";{}[{}{}]", ["B", "W"][index % 2], letter(index % 19), letter(index / 19 * 2));
    let turns: String = (0..80).map(turns).collect();
    let record = |black: &str| format!("(;SZ[19]PB[{black}]PW[Ann]{turns})");
    folder.file("named.sgf", ["Cho Chikun", "趙治勲", "趙治勲 9p"].map(record).concat());
    let tested = TABLE_COMMANDS.iter().map(|(name, _)| *name);
    let missing: Vec<&str> =
        TABLES.iter().map(|table| table.name).filter(|table| !tested.clone().any(|name| name == *table)).collect();
    assert_eq!(missing, ["parts", "store"], "tables without a golden file");
    for (name, command) in TABLE_COMMANDS {
        let line = format!("jigo() {{ {} \"$@\"; }}; jigo {command}", env!("CARGO_BIN_EXE_jigo"));
        let output = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
        let rows = String::from_utf8(output.stdout).unwrap();
        assert!(rows.lines().count() > 1, "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert_golden(&format!("tables/{name}.csv"), &rows);
    }
}

#[test]
fn findings_of_fixtures_equal_golden_files() {
    let results = ["check", "--results", "--select", "R", "--format", "text", "fixtures"];
    assert_golden("check-results.txt", &stdout(&results));
    assert_golden("check.txt", &stdout(&["check", "--format", "text", "fixtures"]));
}

#[test]
fn findings_under_every_ruleset_equal_golden_file() {
    let arguments = ["check", "--rules", "all", "--format", "text", "--select", "K,P004", "fixtures"];
    assert_golden("check-all-rules.txt", &stdout(&arguments));
}

#[test]
fn findings_of_every_variation_equal_golden_file() {
    let arguments = ["check", "--variations", "all", "--format", "text", "--select", "K,P,S", "fixtures/games"];
    assert_golden("check-variations.txt", &stdout(&arguments));
}

#[test]
fn scores_of_games_equal_golden_files() {
    assert_golden("score.jsonl", &stdout(&["score", "--format", "jsonl", "fixtures/games/marked.sgf"]));
    assert_golden("score.txt", &stdout(&["score", "--format", "text", "fixtures/games"]));
    assert_golden("score-all-rules.txt", &stdout(&["score", "--rules", "all", "--format", "text", "fixtures/games"]));
}

#[test]
fn tables_of_a_report_equal_golden_files() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    stdout(&["report", "--out", out, "fixtures"]);
    let read = |name: &str| std::fs::read_to_string(Path::new(out).join(name)).unwrap();
    for name in ["games", "findings", "results"] {
        assert_golden(&format!("report/{name}.txt"), &filled_cells(&read(&format!("{name}.csv"))));
    }
    // Most fixtures have no ending; their rows have no numbers, and the summary has a checksum of all.
    let scores = filled_cells(&read("scores.csv"));
    let counted = scores.lines().filter(|row| !row.contains(" status=not_counted")).map(|row| format!("{row}\n"));
    assert_golden("report/scores.txt", &counted.collect::<String>());
    assert_golden("report/summary.json", &read("summary.json"));
}

#[test]
fn normal_forms_of_games_equal_golden_files() {
    assert_golden("extract.sgf", &stdout(&["extract", "-q", "--as", "sgf", "--out", "-", "fixtures/games"]));
    let marked = ["--as", "main-line", "--mark-endings", "--pretty", "--out", "-", "fixtures/games/marked.sgf"];
    assert_golden("extract-marked.sgf", &stdout(&[&["extract", "-q"][..], &marked].concat()));
}

#[test]
fn boards_and_comparisons_equal_golden_files() {
    let fixes = ["fix", "-q", "--unsafe", "--format", "text", "fixtures/findings"];
    assert_golden("fix.txt", &stdout(&fixes));
    let readings = ["fix", "-q", "--suggest", "--format", "text", "fixtures/findings/P001-occupied.sgf"];
    assert_golden("fix-suggest.txt", &stdout(&readings));
    assert_golden("show-card.txt", &stdout(&["fixtures/games/marked.sgf"]));
    assert_golden("show-card-errors.txt", &stdout(&["fixtures/findings/K002-superko.sgf"]));
    assert_golden("show.txt", &stdout(&["show", "fixtures/findings/P001-occupied.sgf", "--turn", "3"]));
    assert_golden("show-cycle.txt", &stdout(&["show", "fixtures/findings/K002-superko.sgf", "--cycle", "--ascii"]));
    assert_golden("show-ending.txt", &stdout(&["show", "fixtures/games/marked.sgf", "--ending"]));
    assert_golden("compare.txt", &stdout(&["compare", "-q", "fixtures/games"]));
    assert_golden(
        "compare-list.txt",
        &stdout(&["compare", "-q", "--list=margin", "--format", "text", "fixtures/games"]),
    );
}

#[test]
fn patterns_in_games_equal_golden_files() {
    let corner = "+-----,|.....,|.....,|..X..";
    let swapped = stdout(&["find", "--all", "--swap-colors", corner, "fixtures/games"]);
    assert_golden("find-swapped.txt", &filled_cells(&swapped));
    assert_golden("find.txt", &stdout(&["find", "--format", "text", corner, "fixtures/games"]));
    let continuations = ["find", "--table", "continuations", corner, "fixtures/games"];
    assert_golden("find-continuations.csv", &stdout(&continuations));
    let position = ["--position", "fixtures/games/marked.sgf", "--turn", "2"];
    assert_golden(
        "find-position.txt",
        &stdout(&[&["find", "--format", "text"][..], &position, &["fixtures/games"]].concat()),
    );
}

#[test]
fn explanations_equal_golden_files() {
    assert_golden("explain.txt", &stdout(&["explain"]));
    assert_golden("explain-k.txt", &stdout(&["explain", "K"]));
    assert_golden("rules.txt", &stdout(&["rules"]));
    for name in ["japanese", "quick-reference", "ing", "wmsg"] {
        assert_golden(&format!("rules-{name}.txt"), &stdout(&["rules", name]));
    }
    assert_golden("dialects.txt", &stdout(&["dialects"]));
    assert_golden("rules-axes.txt", &stdout(&["rules", "aga,scoring=pass-stones,komi=7"]));
}

#[test]
fn schemas_equal_golden_files() {
    assert_golden("schema.txt", &stdout(&["schema"]));
    assert_golden("schema-scores.json", &stdout(&["schema", "scores", "--format", "json"]));
}

/// The list of formats depends on the feature.
#[test]
#[cfg(feature = "columnar")]
fn help_texts_equal_golden_files() {
    for command in commands() {
        assert_golden(&format!("help/{command}.txt"), &stdout(&[&command, "--help"]));
    }
    assert_golden("help/jigo.txt", &stdout(&["--help"]));
    assert_golden("help/limits.txt", &stdout(&["help", "limits"]));
}
