//! `jigo merge` adds the reports of shards, and `jigo diff` compares two reports.

use std::fs;

use serde_json::Value;

use crate::support::cli::{CLEAN, Folder, ILLEGAL};
use crate::support::generated::{Random, collection};

const TABLES: [&str; 4] = ["games.csv", "findings.csv", "scores.csv", "results.csv"];

/// Returns an archive with collections, single games, a name that sorts before its folder, stray
/// text, and a file without a game.
fn archive() -> Folder {
    let folder = Folder::new();
    let mut random = Random(11);
    for number in 0..12 {
        folder.file(&format!("games/{number:02}/some.sgf"), collection(&mut random, 4000));
    }
    folder.file("games/03.sgf", format!("{CLEAN}\nlost words\n{ILLEGAL}\n{CLEAN}"));
    folder.file("games/empty.sgf", "no game").file("games/readme.txt", "no game");
    folder
}

fn json(folder: &Folder, path: &str) -> Value {
    serde_json::from_str(&folder.read(path)).unwrap()
}

#[test]
fn merged_shards_equal_the_report_of_the_whole() {
    let folder = archive();
    folder.run("report -q --out whole games");
    for shard in ["1/3", "2/3", "3/3"] {
        let name = shard.replace('/', "-");
        folder.run(&format!("report -q --shard {shard} --out {name} games"));
    }
    let run = folder.run("merge --out sum 2-3 1-3 3-3");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.ends_with("sum/index.html\n"), "{}", run.err);
    for file in TABLES.into_iter().chain(["summary.json", "index.html"]) {
        assert_eq!(folder.read(&format!("sum/{file}")), folder.read(&format!("whole/{file}")), "{file}");
    }
    let (mut sum, mut whole) = (json(&folder, "sum/provenance.json"), json(&folder, "whole/provenance.json"));
    (sum["started"], whole["started"]) = (Value::Null, Value::Null);
    assert_eq!(sum, whole);
}

/// The threads would decide which games of an archive have one.
#[test]
fn report_of_many_games_keeps_no_cards() {
    let folder = Folder::new();
    folder.file("a.sgf", CLEAN.repeat(21)).file("b.sgf", CLEAN.repeat(20));
    for (file, cards) in [("a.sgf", 0), ("b.sgf", 20)] {
        folder.run(&format!("report -q --force --out tables {file}"));
        assert_eq!(json(&folder, "tables/merge.json")["cards"]["games"].as_array().unwrap().len(), cards);
    }
}

#[test]
fn reports_of_different_inputs_add_up_in_steps() {
    let folder = archive();
    folder.run("report -q --out whole games/00 games/01 games/02");
    for part in ["00", "01", "02"] {
        folder.run(&format!("report -q --out {part} games/{part}"));
    }
    folder.run("merge --out two 01 00");
    assert_eq!(folder.run("merge -q --out sum two 02").code, 0);
    for table in TABLES.into_iter().chain(["summary.json"]) {
        assert_eq!(folder.read(&format!("sum/{table}")), folder.read(&format!("whole/{table}")), "{table}");
    }
    let provenance = json(&folder, "sum/provenance.json");
    assert_eq!(provenance["inputs"]["files"], json(&folder, "whole/provenance.json")["inputs"]["files"]);
    assert_eq!((&provenance["command"], &provenance["inputs"]["sha256"]), (&Value::Null, &Value::Null));
}

#[test]
fn reports_that_do_not_fit_are_refused() {
    let folder = archive();
    for (name, options) in [
        ("one", "--shard 1/2 games"),
        ("two", "--shard 2/2 games"),
        ("third", "--shard 3/3 games"),
        ("strict", "--shard 2/2 --rules aga games"),
        ("lines", "--shard 2/2 --format jsonl games"),
        ("some", "--limit 3 games/00"),
        ("part", "games/00"),
        ("copies", "--duplicates games"),
    ] {
        folder.run(&format!("report -q --out {name} {options}"));
    }
    fs::create_dir(folder.path().join("folder")).unwrap();
    folder.run("report -q --out old games/01");
    let state = folder.read("old/merge.json").replacen("\"build\":\"jigo ", "\"build\":\"jigo 0.0.1 ", 1);
    folder.file("old/merge.json", state).file("damaged/merge.json", "{");
    for (reports, reason) in [
        ("one", "the report of shard 2/2 of the same inputs is missing"),
        ("one one", "two reports are of the same games: shard 1/2"),
        ("one third", "divide them differently"),
        ("one strict", "strict has other options"),
        ("one lines", "lines has no readable merge.json"),
        ("some", "some can't be merged: it was made with --limit"),
        ("one two part", "is also in"),
        ("copies", "copies has no readable merge.json"),
        ("folder", "folder has no readable merge.json"),
        ("missing", "missing has no readable merge.json"),
        ("old", "old was made by jigo 0.0.1"),
        ("damaged", "damaged/merge.json is damaged"),
    ] {
        let run = folder.run(&format!("merge --out sum {reports}"));
        assert_eq!(run.code, 2, "{reports}: {}", run.err);
        assert!(run.err.contains(reason), "{reports}: {}", run.err);
        assert!(!folder.path().join("sum/summary.json").exists(), "{reports}");
    }
    assert_eq!(folder.run("merge --out sum one two").code, 0);
    let refused = folder.run("merge --out sum one two");
    assert!(refused.code == 2 && refused.err.contains("--force replaces it"), "{}", refused.err);
    assert_eq!(folder.run("merge --force --out sum two one").code, 0);
}

#[test]
fn differences_of_two_reports_are_listed() {
    let folder = Folder::new();
    let game = |name: &str, moves: &str| format!("(;SZ[5]KM[0]PB[{name}];{moves};W[];B[])");
    let [first, second, third] =
        [game("a", "B[aa];W[bb]"), game("b", "B[aa];W[ca];B[dd]"), game("c", "B[cc];W[bb];B[cb];W[db]")];
    folder.file("games/a.sgf", &first).file("games/b.sgf", &second).file("games/c.sgf", [&*first, &third].concat());
    folder.run("report -q --out old games");
    let same = folder.run("diff old old");
    assert_eq!((same.code, same.err.as_str()), (0, "0 differences\n"));
    fs::rename(folder.path().join("games/b.sgf"), folder.path().join("games/d.sgf")).unwrap();
    let illegal = third.replace("B[cb]", "B[cc]");
    folder.file("games/c.sgf", illegal).file("games/e.sgf", game("e", "B[ee]")).file("games/words.sgf", "lost");
    folder.run("report -q --out new games");
    let run = folder.run("diff --format csv old new");
    assert_eq!(run.code, 1, "{}", run.err);
    let rows: Vec<String> =
        run.out.lines().skip(1).map(|row| row.split(',').take(5).collect::<Vec<_>>().join(",")).collect();
    for row in [
        "games/d.sgf,1,moved",
        "games/e.sgf,1,new",
        "games/c.sgf,1,changed",
        "games/c.sgf,2,gone",
        "games/c.sgf,1,found,P001,3",
        "games/words.sgf,,found,I002,",
    ] {
        assert!(rows.iter().any(|line| line.starts_with(row)), "{row}: {}", run.out);
    }
    assert!(run.err.contains("1 moved, 1 changed"), "{}", run.err);
    let back = folder.run("diff --format csv new old");
    for (change, count) in [("fixed", "found"), ("gone", "new"), ("moved", "moved"), ("changed", "changed")] {
        let number = |out: &str, kind: &str| out.lines().filter(|row| row.split(',').nth(2) == Some(kind)).count();
        assert!(number(&back.out, change) <= number(&run.out, count), "{change}: {}", back.out);
    }
    let quiet = folder.run("diff -q --format text old new");
    assert!(quiet.err.is_empty() && quiet.out.contains("games/c.sgf#1 found P001 turn 3 cc\n"), "{}", quiet.out);
    let missing = folder.run("diff old nothing");
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("cannot read nothing/games.csv"), "{}", missing.err);
}

#[test]
fn merged_report_replaces_none_of_its_inputs() {
    let folder = Folder::new();
    folder.file("a.sgf", "(;GM[1]SZ[9];B[aa])");
    assert_eq!(folder.run("report -q --out one a.sgf").code, 0);
    let run = folder.run("merge --force --out ./one one");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("one is read as an input: --out can't replace it"), "{}", run.err);
}
