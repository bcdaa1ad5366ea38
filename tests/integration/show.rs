//! `jigo show` and `jigo compare`.

use std::path::PathBuf;

use crate::support::cli::{Folder, ILLEGAL};

/// White sends two stones and takes one back: turn 10 repeats the position after turn 7.
const SENDING_TWO: &str = include_str!("../../fixtures/findings/K002-superko.sgf");
/// The marks call Black's stone in the corner dead. Japanese rules count 7 points for each side.
const MARKED: &str = "(;SZ[5]KM[0.5]RU[Japanese]RE[W+1.5];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[ee];W[];B[]\
     TB[aa][ab][ac][ad][ae][ba][bb][bc][bd][be]TW[ea][eb][ec][ed][ee])";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("ko.sgf", SENDING_TWO).file("marked.sgf", MARKED).file("two.sgf", format!("{ILLEGAL}\n{SENDING_TWO}"));
    folder
}

#[test]
fn game_is_named_by_number_and_wrong_name_is_explained() {
    let folder = folder();
    assert!(folder.run("show ko.sgf --turn 1").out.starts_with("ko.sgf#1\n9x9, komi 6.5"));
    assert!(folder.run("show two.sgf#2").out.contains("tromp-taylor rules"));
    assert!(folder.run_with_input("show -- -#2", &format!("{ILLEGAL}{SENDING_TWO}")).out.contains("\n-#2\n"));
    folder.file("t.jsonl", r#"{"id": "a", "sgf": "(;B[aa])"}"#);
    let errors = [
        ("two.sgf --turn 1", "two.sgf holds 2 games: say which, two.sgf#1 to two.sgf#2"),
        ("two.sgf#3", "two.sgf holds 2 games, there is no game 3"),
        ("ko.sgf#0", "ko.sgf holds 1 game, there is no game 0"),
        ("none.sgf#1", "none.sgf: No such file"),
        (". --ending", ". is a folder"),
        ("--column kgs t.jsonl!a", "t.jsonl: this looks like JSON without the field sgf: --column names"),
        ("t.jsonl!b", "t.jsonl has no file 'b'"),
        ("ko.sgf!b", "ko.sgf: is no archive"),
        ("ko.sgf --turn 11", "the main line has 10 turns, there is no turn 11"),
        ("ko.sgf --cycle --turn 9", "turn 9 repeats no position"),
        ("marked.sgf --cycle", "no position of this game is repeated"),
        ("ko.sgf --out ko.jpg", "--out takes a name that ends in .svg or .png"),
    ];
    for (arguments, expected) in errors {
        let run = folder.run(&format!("show {arguments}"));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments}");
        assert!(run.err.contains(expected), "{arguments}: {}", run.err);
    }
}

#[test]
fn file_name_with_number_suffix_is_accepted() {
    let folder = folder();
    folder.file("odd#2", SENDING_TWO);
    assert!(folder.run("show odd#2").out.contains("\nodd#2#1\n"));
    assert!(folder.run("show odd#2#1").out.contains("\nodd#2#1\n"));
}

#[test]
fn show_ending_obeys_the_flags_of_score() {
    let folder = folder();
    // In a record without a ruleset, KM[375] is 3.75 zi in some dialects and not a komi in others.
    folder.file("zi.sgf", MARKED.replace("KM[0.5]RU[Japanese]", "KM[375]"));
    let flags =
        ["", "--komi 7.5", "--komi preset", "--dead playouts", "--dead none", "--min-confidence 1 --dead playouts"];
    let records = ["--dialect fox", "--dialect none", "--assume-rules aga --rules recorded"];
    for flags in flags.into_iter().chain(records) {
        let json = folder.run(&format!("show zi.sgf --format json {flags}")).out;
        let row = folder.run(&format!("score --table endings --format jsonl {flags} zi.sgf")).out;
        assert!(json.starts_with(row.trim_end().strip_suffix('}').unwrap()), "{flags}: {json} {row}");
    }
    let counted = |flags: &str| folder.run(&format!("show marked.sgf --ending --rules chinese {flags}")).out;
    assert!(counted("").contains("Dead by markup") && counted("--dead playouts").contains("Dead by playouts"));
    assert_ne!(counted("--komi 6.5"), counted("--komi 7.5"));
    let error = folder.run("show marked.sgf --ending --dead none");
    assert_eq!((error.code, error.out.as_str()), (2, ""));
    assert!(
        folder
            .run("show marked.sgf --ending --komi six")
            .err
            .contains("'--komi <KOMI>': it takes recorded, preset or a number")
    );
}

#[test]
fn game_in_archive_is_named_by_its_file() {
    let folder = folder();
    let mut archive = tar::Builder::new(std::fs::File::create(folder.path().join("games.tar")).unwrap());
    archive.append_path_with_name(folder.path().join("ko.sgf"), "in/ko.sgf").unwrap();
    archive.append_path_with_name(folder.path().join("two.sgf"), "in/two.sgf").unwrap();
    archive.finish().unwrap();
    assert!(folder.run("show games.tar!in/two.sgf#2").out.contains("\ngames.tar!in/two.sgf#2\n"));
    let error = |name: &str| folder.run(&format!("show {name}")).err;
    assert!(
        error("games.tar --turn 1")
            .contains("games.tar holds 2 files: name one of them, such as 'games.tar!in/ko.sgf'")
    );
    assert!(error("games.tar!in/no.sgf#1").contains("games.tar has no file 'in/no.sgf'"));
}

#[test]
fn last_turn_and_point_of_finding_are_marked() {
    let folder = folder();
    let board = |turn: u32| folder.run(&format!("show ko.sgf --ascii --turn {turn}")).out;
    assert!(board(9).contains(" 1 . .(X)O . . . . . 1"), "{}", board(9));
    assert!(board(10).contains(" 1 .[O]. O . . . . . 1"), "{}", board(10));
    assert!(board(10).contains("turn 10 W[bi] error K002 superko: repeats the position after turn 7"));
    assert!(board(9).contains("1 other finding, of them errors: 1; --turn N goes to turn N\n  turn 10 W[bi] error"));
    assert!(board(0).contains("Before the first turn"));
    assert!(folder.run("show ko.sgf --turn 9").out.contains(" 1 └─┴(●)○─┴─┴─┴─┴─┘ 1"));
    let allowed = folder.run("show ko.sgf --turn 10 --rules japanese").out;
    assert!(allowed.contains("info K003 repetition") && !allowed.contains("K002"), "{allowed}");
}

#[test]
fn cycle_is_drawn_as_positions_and_with_numbers() {
    let out = folder().run("show ko.sgf --cycle --ascii").out;
    for caption in ["Turn 7 B A3", "Turn 8 W A1", "Turn 9 B C1", "Turn 10 W B1", "Turns 8 to 10 as 1 to 3"] {
        assert!(out.contains(caption), "{caption}: {out}");
    }
    assert!(out.contains(" 1 1[3]2 O . . 1"), "{out}");
}

#[test]
fn turns_are_numbered_as_in_a_printed_diagram() {
    let folder = folder();
    let shown = folder.run("show ko.sgf --turns 1-10 --ascii").out;
    for part in ["Turns 1 to 10, B[", "Not shown: 10 at ", "Captured: ", "turn 10 W["] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let svg = folder.run("show ko.sgf --turns 1-10 --format svg");
    assert_eq!(svg.code, 0, "{}", svg.err);
    for (flags, part) in [
        ("--turns 5-11", "there is no turn 11"),
        ("--turns 5", "such as 1-50"),
        ("--turns 1-5 --format json", "--format json is for one position"),
        ("--cycle --format json", "--format json is for one position"),
        ("--turns 1-5 --turn 3", "--turn"),
    ] {
        let wrong = folder.run(&format!("show ko.sgf {flags}"));
        assert!(wrong.code == 2 && wrong.err.contains(part), "{flags}: {}", wrong.err);
    }
}

#[test]
fn variation_is_shown_with_its_turns_and_findings() {
    let folder = folder();
    folder.file("v.sgf", "(;SZ[9]PB[Ann];B[aa](;W[bb])(;W[cc];B[cc]))");
    let shown = folder.run("show v.sgf --variation 2");
    assert!(
        shown.out.contains("v.sgf#1, variation 2: Ann") && shown.out.contains("After turn 3, B[cc] (C7)"),
        "{}",
        shown.out
    );
    assert!(shown.out.contains("turn 3 B[cc] error P001 occupied"), "{}", shown.out);
    let first = folder.run("show v.sgf --variation 1");
    assert_eq!(
        first.out.lines().skip(1).collect::<Vec<_>>(),
        folder.run("show v.sgf --turn 2").out.lines().skip(1).collect::<Vec<_>>()
    );
    let json: serde_json::Value =
        serde_json::from_str(&folder.run("show v.sgf --variation 2 --turn 2 --format json").out).unwrap();
    assert_eq!(json["turns"], 2, "{json}");
    let missing = folder.run("show v.sgf --variation 3");
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("v.sgf game 1 has no variation 3"), "{}", missing.err);
    assert_eq!(folder.run("show v.sgf --variation 1.x").code, 2);
}

#[test]
fn ending_shows_dead_stones_territory_and_scores() {
    let out = folder().run("show marked.sgf --ending --ascii --rules japanese,chinese").out;
    assert!(out.contains(" 1 # # X O x 1"), "{out}");
    assert!(out.contains("Dead by markup: 1 black, 0 white; 0 dame open"), "{out}");
    assert!(out.contains("japanese                9     5.5  B+3.5                another"), "{out}");
    assert!(out.contains("chinese                15    10.5  B+4.5                another"), "{out}");
}

#[test]
fn pictures_are_complete_and_replaced_only_with_force() {
    let folder = folder();
    assert_eq!(folder.run("show ko.sgf --turn 10 --out board.svg").code, 0);
    let svg = folder.read("board.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(folder.run("show ko.sgf --out board.svg").err.contains("--force"));
    assert_eq!(folder.run("show ko.sgf --cycle --out board.svg --force").code, 0);
    assert!(folder.read("board.svg").len() > 2 * svg.len());
    for flags in ["--turn 3", ""] {
        let svg = folder.run(&format!("show ko.sgf {flags} --format svg --width 640")).out;
        assert!(svg.contains(" width=\"640\""), "{svg}");
    }
    for (flags, part) in [("--format svg --width 99", "from 100 to 5000"), ("--width 640", "--width is for pictures")] {
        let wrong = folder.run(&format!("show ko.sgf {flags}"));
        assert!(wrong.code == 2 && wrong.err.contains(part), "{flags}: {}", wrong.err);
    }
    if cfg!(feature = "png") {
        assert_eq!(folder.run("show ko.sgf --out board.png --width 640").code, 0);
        assert!(std::fs::read(folder.path().join("board.png")).unwrap().starts_with(b"\x89PNG"));
    }
}

#[test]
fn record_sends_no_escape_sequences_to_the_terminal() {
    let folder = folder();
    folder.file("e.sgf", "(;SZ[3]PB[\u{1b}[31mred\\]]RE[\u{1b}\\]0;t\u{7}]KM[0];B[aa];W[aa])");
    for flags in ["", "--ending", "--turn 2"] {
        let run = folder.run(&format!("show e.sgf {flags}"));
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(!run.out.contains('\u{1b}') && !run.out.contains('\u{7}'), "{flags}: {}", run.out);
    }
}

fn fixtures() -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/games").display().to_string()
}

#[test]
fn ruleset_pairs_are_counted_and_games_listed() {
    let folder = folder();
    let table = folder.run("compare -q marked.sgf ko.sgf --rules japanese,chinese").out;
    assert!(table.starts_with("1 game with an ending to count, 1 without\n"), "{table}");
    for line in [
        "chinese - japanese              1   0.0% 100.0%   0.0%   0.0%   0.0%         0",
        "chinese - japanese             0   0.0%    0.0-79.3       0   0.0%    0.0-79.3",
    ] {
        assert!(table.lines().any(|other| other == line), "{line}\n{table}");
    }
    let list = folder.run("compare -q marked.sgf --rules japanese,chinese --list=all --format csv");
    assert_eq!(list.column("difference"), ["1"]);
    let parts = ["parity", "passes", "handicap_stones", "setup", "seki", "dame", "komi", "bonus", "rest"];
    let sum: f64 = parts.iter().map(|part| list.column(part)[0].parse::<f64>().unwrap()).sum();
    assert_eq!(sum, 1.0);
    assert!(folder.run("compare -q marked.sgf --rules japanese,chinese --list").rows().is_empty());
    assert_eq!(folder.run("compare -q marked.sgf --rules japanese,chinese --list=margin").rows().len(), 1);
    assert!(folder.run("compare -q marked.sgf --rules japanese").out.contains("No two rulesets"));
}

/// The list has every game and pair once and adds up to the table. Every difference is the sum of
/// its parts.
#[test]
fn list_adds_up_to_table_and_parts_to_difference() {
    let mut paths = crate::support::corpus_parts(&["edge", "collections/odd-games.sgf", "ai/master"]);
    paths.push(fixtures().into());
    let folder = Folder::new();
    let run = |flags: &[&str]| {
        let mut command = folder.command(["compare", "-q", "--exit-zero", "--rules", "all"]);
        crate::support::cli::run_command(command.args(flags).args(&paths))
    };
    let (table, list) = (run(&["--format", "csv"]), run(&["--list=all", "--all-pairs"]));
    let mut counts = std::collections::BTreeMap::<String, u64>::new();
    let mut reader = csv::Reader::from_reader(list.out.as_bytes());
    let header = reader.headers().unwrap().clone();
    let mut rows = 0;
    for row in reader.records().map(Result::unwrap) {
        rows += 1;
        let cell = |name: &str| &row[header.iter().position(|column| column == name).unwrap()];
        if cell("change") == "unsettled" {
            continue;
        }
        *counts.entry(format!("{} - {}", cell("ruleset"), cell("other"))).or_default() += 1;
        let number = |name: &str| cell(name).parse::<f64>().unwrap();
        let parts: f64 = header.iter().skip(10).take(9).map(number).sum();
        assert_eq!(parts, number("difference"), "{row:?}");
        assert_eq!(number("black_minus_white") - number("other_black_minus_white"), number("difference"));
    }
    assert!(rows > 25, "{rows} rows");
    let (rulesets, others, games) = (table.column("ruleset"), table.column("other"), table.column("games"));
    let pairs = rulesets.iter().zip(others).map(|(ruleset, other)| format!("{ruleset} - {other}"));
    let rows = pairs.zip(games.iter().map(|games| games.parse::<u64>().unwrap())).filter(|(_, games)| *games > 0);
    assert_eq!(rows.collect::<std::collections::BTreeMap<_, _>>(), counts);
}
