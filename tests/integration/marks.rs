//! Territory marks (TB, TW) against jigo's own count.

use crate::support::cli::{Folder, Ran};

/// Returns the verdict, the margin by the marks and their faults, for each game of a run.
fn rows(run: &Ran) -> Vec<[String; 3]> {
    let columns = ["verdict", "marked", "mark_faults"].map(|name| run.column(name));
    let games = 0..columns[0].len();
    games.map(|game| [0, 1, 2].map(|column: usize| columns[column][game].clone())).collect()
}

fn results(name: &str, text: &str, options: &str) -> Vec<[String; 3]> {
    let folder = Folder::new();
    folder.file(name, text);
    rows(&folder.run(&format!("score -q --exit-zero --table results {options} {name}")))
}

fn fixture(name: &str) -> String {
    std::fs::read_to_string(format!("fixtures/marks/{name}.sgf")).unwrap()
}

/// Returns a game whose marks are right, its setup without marks, and TB and TW.
fn right_game() -> (String, String, [String; 2]) {
    let text = fixture("dead").lines().nth(1).unwrap().to_owned();
    let (setup, marks) = text.split_once("TB").unwrap();
    let (black, white) = marks.split_once("TW").unwrap();
    let marks = [format!("TB{black}"), format!("TW{}", white.trim_end_matches(')'))];
    (text.clone(), setup.to_owned(), marks)
}

#[test]
fn each_fault_of_marks_is_named_and_its_near_miss_is_not() {
    for (name, verdict, fault) in [
        ("captured", "contradicted", "marks leave W A1 alive: it is captured"),
        ("dead", "contradicted", "marks leave W B4 alive: it is dead"),
        ("living", "contradicted", "marks take B G4 for dead: it is alive"),
        // The fight might end otherwise, so the players' marks hold.
        ("seki", "same", "marks take B B9 for dead: it is in seki"),
        ("dame", "contradicted", "marks give B D2: it is dame"),
        ("omitted", "contradicted", "marks omit W F3 G3 F2 G2: they are territory"),
    ] {
        let found = results("games.sgf", &fixture(name), "");
        assert_eq!([&found[0][0], &found[0][2]], [verdict, fault], "{name}");
        assert_eq!([&found[1][0], &found[1][2]], ["same", ""], "{name}");
        // Without marks among the sources of dead stones, the same count decides alone.
        let own = results("games.sgf", &fixture(name), "--dead settled,static,playouts");
        assert_eq!([&own[0][1..], &own[1][1..]], [&found[0][1..], &found[1][1..]], "{name}");
        // Without an own source there is no second opinion.
        let marked = results("games.sgf", &fixture(name), "--dead markup,none");
        assert!(marked[0][2].is_empty() || ["dame", "omitted"].contains(&name), "{name}: {marked:?}");
    }
}

#[test]
fn findings_name_the_stones_and_scores_follow_the_marks() {
    let folder = Folder::new();
    folder.file("living.sgf", fixture("living"));
    let found = folder.run("check -q --results --select R living.sgf").column("detail");
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("RE[W+9.5], counted B+14.5 by japanese, confidence 0.99"), "{found:?}");
    assert!(found[0].ends_with("; cause: marks take B G4 for dead: it is alive"), "{found:?}");
    let scores = folder.run("score -q --rules japanese living.sgf");
    assert_eq!(scores.column("black_minus_white"), ["-9.5", "14.5"]);
    assert_eq!(scores.column("dead_source"), ["markup", "markup"]);
    let card = folder.run("living.sgf").out;
    for text in ["as recorded, by the marks", "living.sgf#1' --ending --dead settled,static,playouts"] {
        assert!(card.contains(text), "{card}");
    }
    assert!(folder.run("score -q --table results --format text living.sgf").out.contains("(marks take B G4"));
}

#[test]
fn marks_that_say_nothing_are_not_counted() {
    let (text, setup, [black, white]) = right_game();
    let none = || ["same".to_owned(), String::new(), String::new()];
    let whole = || ["same".to_owned(), "-4.5".to_owned(), String::new()];
    let near_wall = "TB[ba][ca][bb][cb]";
    for (record, expected) in [
        (text.clone(), whole()),
        (format!("{setup})"), none()),
        (format!("{setup}{black})"), none()),
        (format!("{setup}{near_wall})"), none()),
        (format!("{setup}TB[zz]TW[])"), none()),
        // The first variation is the main line.
        (format!("{setup}(;C[end])(;C[marks]{black}{white}))"), none()),
        // A turn after the marks ends the position that they describe.
        (format!("{}{black}{white};W[])", setup.strip_suffix(";W[]").unwrap()), none()),
        // A point in both has no meaning, and a mark on an own stone says nothing.
        (text.replace("TB[", "TB[da][db][").replace("TW[", "TW[ea]["), whole()),
        (text.replace("TB[", "TB[fa]["), ["same", "-3.5", "marks omit W F9: it is territory"].map(String::from)),
    ] {
        assert_eq!(results("game.sgf", &record, ""), [expected], "{record}");
    }
}

/// jigo's own marks are no agreement of the players.
#[test]
fn marks_that_jigo_wrote_are_not_compared() {
    let folder = Folder::new();
    folder.file("bare.sgf", right_game().1 + ")");
    folder.run("extract -q --as main-line --mark-endings --out counted.sgf bare.sgf");
    assert!(folder.read("counted.sgf").contains("TB["));
    assert_eq!(rows(&folder.run("score -q --table results counted.sgf")), [["same", "", ""].map(String::from)]);
}
