//! Column types that DuckDB, pandas, polars and pyarrow accept without conversion.
#![cfg(feature = "columnar")]

use std::fs;
use std::path::Path;

use crate::support::cli::{Folder, Ran};
use crate::support::python;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");

/// Days in the forms that records use.
const DATES: [(&str, &str, &str); 7] = [
    ("2018.04.27", "2018-04-27", "day"),
    ("2017.08.09 18:16", "2017-08-09", "day"),
    ("2003-11", "2003-11-01", "month"),
    ("2004-05-06,07", "2004-05-06", "days"),
    ("1998年5月6日", "1998-05-06", "day"),
    ("1938", "1938-01-01", "year"),
    ("long ago", "", ""),
];

fn dated_games() -> Folder {
    let folder = Folder::new();
    let games: String =
        DATES.iter().map(|(date, ..)| format!("(;SZ[9]KM[6.5]RU[Chinese]RE[B+R]DT[{date}];B[ee])\n")).collect();
    folder.file("games.sgf", games);
    folder
}

#[test]
fn dates_are_days_with_their_precision() {
    let folder = dated_games();
    folder.run("report -q --out audit games.sgf");
    let games = csv_of(&folder, "audit/games.csv");
    let columns = ["date_stated", "date", "date_precision", "year"].map(|name| games.column(name));
    for (row, (recorded, date, precision)) in DATES.iter().enumerate() {
        let year = date.split('-').next().unwrap();
        assert_eq!(columns.each_ref().map(|column| column[row].as_str()), [*recorded, date, precision, year]);
    }
}

/// Returns a written file in the form of a run.
fn csv_of(folder: &Folder, name: &str) -> Ran {
    Ran { code: 0, out: folder.read(name), err: String::new() }
}

#[test]
fn offset_and_length_locate_the_game_in_its_file() {
    let folder = Folder::new();
    folder.run(&format!("report -q --out whole {FIXTURES}"));
    let whole = csv_of(&folder, "whole/games.csv");
    let columns = ["file", "offset", "length", "game_hash", "turns", "black", "result"].map(|name| whole.column(name));
    let mut located = 0;
    for row in 0..columns[0].len() {
        let [file, offset, length, ..] = columns.each_ref().map(|column| column[row].as_str());
        let Ok(bytes) = fs::read(file) else { continue };
        let (offset, length): (usize, usize) = (offset.parse().unwrap(), length.parse().unwrap());
        assert!(offset + length <= bytes.len(), "{file}");
        if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
            continue;
        }
        folder.file(&format!("cut/{row:04}.sgf"), &bytes[offset..offset + length]);
        located += 1;
    }
    assert!(located > 80, "{located}");
    folder.run("report -q --out again cut");
    let reread = csv_of(&folder, "again/games.csv");
    let names = reread.column("file");
    assert_eq!(names.len(), located);
    for (index, name) in names.iter().enumerate() {
        let row: usize = Path::new(name).file_stem().unwrap().to_str().unwrap().parse().unwrap();
        for (column, name) in columns[3..5].iter().zip(["game_hash", "turns"]) {
            assert_eq!(reread.column(name)[index], column[row], "{name} of {}", columns[0][row]);
        }
        let lengths = (&reread.column("length")[index], &columns[2][row]);
        assert_eq!(lengths.0, lengths.1, "{}", columns[0][row]);
    }
}

#[test]
fn game_without_turns_has_no_hash() {
    let folder = Folder::new();
    folder.file("games.sgf", "(;SZ[9];B[ee])(;SZ[9])(;SZ[9];)(;SZ[9];B[])(;SZ[9]AB[ee])");
    folder.run("report -q --out audit games.sgf");
    let hashes = csv_of(&folder, "audit/games.csv").column("game_hash");
    assert_eq!(hashes.iter().map(|hash| hash.len()).collect::<Vec<_>>(), [16, 0, 0, 16, 16]);
}

/// All four programs must compute the same values from the same columns.
#[test]
fn four_programs_compute_equal_values_in_every_format() {
    let Some(python) = python::path() else { return };
    let folder = Folder::new();
    for format in ["csv", "jsonl", "parquet", "arrow"] {
        assert_eq!(folder.run(&format!("report -q --out {format} --format {format} {FIXTURES}")).code, 1);
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/integration/support/compute.py");
    let printed = python::run(&python, &[script], folder.path());
    let [games, komi, agreeing] = [0, 1, 2].map(|index| printed.split(' ').nth(index).unwrap());
    let table = csv_of(&folder, "csv/games.csv");
    assert_eq!(games, table.column("game").len().to_string());
    let sum: f64 = table.column("komi").iter().filter_map(|komi| komi.parse::<f64>().ok()).sum();
    assert_eq!(komi, format!("{:.2}", sum * 1.5));
    let agrees = csv_of(&folder, "csv/scores.csv").column("agrees");
    assert_eq!(agreeing, agrees.iter().filter(|cell| *cell == "true").count().to_string());
}

/// The questions about columns, see `support/ask.py`. They cover the columns added after the first
/// version.
const QUESTIONS: [&str; 17] = [
    "games.year=sum",
    "games.year=known",
    "games.length=sum",
    "games.date_precision=month",
    "duplicates.keep=true",
    "duplicates.common_turns=sum",
    "duplicates.symmetry=none",
    "endings.ownership=known",
    "endings.black_area=sum",
    "endings.dame=known",
    "turns.kind=setup",
    "turns.pass=true",
    "turns.captures=sum",
    "turns.removed=known",
    "turns.step=sum",
    "comparisons.pairs=sum",
    "comparisons.pairs=known",
];

/// Returns the answer from the test's own CSV reader.
fn answer(folder: &Folder, query: &str) -> i64 {
    let (place, question) = query.split_once('=').unwrap();
    let (table, column) = place.split_once('.').unwrap();
    let cells = csv_of(folder, &format!("csv/{table}.csv")).column(column);
    let known = cells.iter().filter(|cell| !cell.is_empty());
    match question {
        "sum" => known.map(|cell| cell.parse::<i64>().unwrap()).sum(),
        "known" => known.count() as i64,
        word => known.filter(|cell| *cell == word).count() as i64,
    }
}

#[test]
fn four_programs_read_every_table_in_every_format() {
    let Some(python) = python::path() else { return };
    let folder = Folder::new();
    let game = "(;SZ[9]KM[6.5]RU[Chinese]RE[B+R]DT[2003-11];B[cd];W[gc];B[gg];W[cg];B[ce];W[df];B[eg];W[gd])";
    folder.file("twice.sgf", format!("{game}\n{game}"));
    for (format, end) in [("csv", "csv"), ("jsonl", "jsonl"), ("parquet", "parquet"), ("arrow", "arrows")] {
        let inputs = format!("--format {format} {FIXTURES} twice.sgf");
        assert_eq!(folder.run(&format!("report -q --duplicates --out {format} {inputs}")).code, 1);
        for (command, table) in [
            ("check --table turns", "turns"),
            ("score --table endings", "endings"),
            ("compare --list=all", "comparisons"),
        ] {
            let run = folder.run(&format!("{command} -q --exit-zero --output {format}/{table}.{end} {inputs}"));
            assert_eq!(run.code, 0, "{table}: {}", run.err);
        }
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/integration/support/ask.py");
    let arguments: Vec<&str> = [script].into_iter().chain(QUESTIONS).collect();
    let answers = python::run(&python, &arguments, folder.path());
    for (asked, answered) in QUESTIONS.iter().zip(answers.lines()) {
        assert_eq!(answered, answer(&folder, asked).to_string(), "{asked}");
        assert_ne!(answered, "0", "{asked} has no value in any row");
    }
    assert_eq!(answers.lines().count(), QUESTIONS.len());
}

#[test]
fn schema_and_files_have_version_and_keys() {
    let folder = dated_games();
    let schema: serde_json::Value = serde_json::from_str(&folder.run("schema games --format json").out).unwrap();
    let (version, key) = (&schema[0]["version"], &schema[0]["key"]);
    assert_eq!(*key, serde_json::json!(["file", "game"]));
    folder.run("report -q --out audit games.sgf");
    let summary: serde_json::Value = serde_json::from_str(&folder.read("audit/summary.json")).unwrap();
    assert_eq!(summary["schema"], version.to_string());
}
