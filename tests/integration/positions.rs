//! Bare positions through the command line.

use crate::support::cli::Folder;
use crate::support::manifest::Row;
use crate::support::vectors;
use jigo_record::finding::Code;
use serde_json::{Value, json};

/// Returns the values of a named column in the rows of a ruleset.
fn column<'a>(rows: &'a [Row], ruleset: &str, name: &str) -> Vec<&'a str> {
    rows.iter().filter(|row| row["ruleset"] == ruleset).map(|row| row[name].as_str()).collect()
}

fn score(folder: &Folder, flags: &str) -> (Vec<Row>, i32) {
    let run = folder.run(&format!("score --input-format positions {flags} boards.jsonl"));
    (run.cells(), run.code)
}

#[test]
fn given_dead_stones_and_captures_are_counted() {
    let folder = Folder::new();
    let board = json!({
        "id": "a", "board": ["..xo.", "..xo.", "o.xo.", "..xo.", "..xo."], "dead": ["00000", "00000", "10000", "00000", "00000"],
        "captured_by": {"black": 2, "white": 1}, "komi": 0.5, "next": "W",
    });
    folder.file("boards.jsonl", format!("{board}\n\n"));
    let (rows, code) = score(&folder, "--rules japanese,chinese");
    assert_eq!(code, 0);
    // Black: 10 points, 1 stone lost; White: 5 points, 3 stones lost, komi 0.5.
    assert_eq!(column(&rows, "japanese", "black_minus_white"), ["6.5"]);
    assert_eq!(column(&rows, "chinese", "black_minus_white"), ["4.5"]);
    assert_eq!(column(&rows, "chinese", "dead_source"), ["given"]);
    assert_eq!(column(&rows, "chinese", "file"), ["a"]);
}

#[test]
fn missing_dead_stones_are_estimated() {
    let folder = Folder::new();
    let rows = ["..xo...", "..xo...", "o.xo...", "..xo...", "..xo.x.", "..xo...", "..xo..."];
    folder.file("boards.jsonl", json!({"id": 1, "board": rows, "komi": 0}).to_string());
    let (rows, _) = score(&folder, "--rules tromp-taylor");
    assert_eq!(column(&rows, "tromp-taylor", "black_minus_white"), ["-7"]);
    assert_eq!(column(&rows, "tromp-taylor", "status"), ["estimated"]);
}

#[test]
fn komi_that_depends_on_a_pass_is_unknown_without_one() {
    let folder = Folder::new();
    let board = json!({"id": "a", "board": ["xxoo", "xxoo", "x..o"], "dead": ["0000", "0000", "0000"], "next": "W"});
    folder.file("boards.jsonl", board.to_string());
    let (rows, code) = score(&folder, "--rules wmsg");
    assert_eq!((code, column(&rows, "wmsg", "status")), (0, vec!["unsettled"]));
    assert!(column(&rows, "wmsg", "reason")[0].contains("the first player to pass"), "{rows:?}");
    // The half point in a komi reflects the value of the first pass.
    let (rows, _) = score(&folder, "--rules wmsg --komi 6.5");
    assert_eq!(column(&rows, "wmsg", "black_minus_white"), ["-6.5"]);
    for (passes, margin) in [("B[];W[]", "-1.5"), ("", "")] {
        let stones = "AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd][de]";
        folder.file("g.sgf", format!("(;SZ[5]KM[7]RE[W+1.5]{stones};B[aa];W[ea];{passes})"));
        let run = folder.run("score --rules wmsg g.sgf");
        assert_eq!(run.column("black_minus_white"), [margin], "{}", run.out);
    }
}

#[test]
fn invalid_position_line_is_a_row_and_others_are_counted() {
    let folder = Folder::new();
    folder.file("boards.jsonl", "{\"id\": \"a\"}\n{\"id\": \"b\", \"board\": [\"x.\"], \"dead\": [\"00\"]}\nnonsense");
    let (rows, code) = score(&folder, "--rules nz");
    assert_eq!(code, 1, "{} is an error", Code::UnreadablePosition.name());
    assert_eq!(column(&rows, "", "status"), ["not_replayed"; 2]);
    assert_eq!(column(&rows, "nz", "status"), ["counted"]);
}

/// All positions of the territory table, under rules without territory for eyes in seki and by
/// area.
#[test]
fn territory_cases_give_expected_scores() {
    let table: Value = serde_json::from_slice(&std::fs::read(vectors().join("territory_cases.json")).unwrap()).unwrap();
    let cases = table["cases"].as_array().unwrap();
    let line = |case: &Value| {
        let dead: Vec<String> =
            case["marked_dead"].as_array().unwrap().iter().map(|row| row.as_str().unwrap().replace('.', "0")).collect();
        json!({"id": case["name"], "board": case["board"], "dead": dead, "komi": 0}).to_string()
    };
    let folder = Folder::new();
    folder.file("boards.jsonl", cases.iter().map(line).collect::<Vec<_>>().join("\n"));
    let (rows, _) = score(&folder, "--rules japanese,chinese");
    for (ruleset, key) in [("japanese", "final_territory"), ("chinese", "final_area")] {
        let margins = column(&rows, ruleset, "black_minus_white");
        assert_eq!(margins.len(), cases.len());
        for (case, margin) in cases.iter().zip(margins) {
            let expected = case[key]["black"].as_f64().unwrap() - case[key]["white"].as_f64().unwrap();
            assert_eq!(margin.parse::<f64>().unwrap(), expected, "{} {ruleset}", case["name"]);
        }
    }
}
