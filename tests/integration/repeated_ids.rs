//! Rows of a table with one identifier: a finding on each row after the first.

use serde_json::json;

use crate::support::cli::{CLEAN, Folder, ILLEGAL, Ran};

/// Returns the place and the detail of each I019.
fn repeated_id_rows(run: &Ran) -> Vec<(String, String)> {
    let place = if run.out.starts_with("id,") { "id" } else { "file" };
    let rows = run.column("code").into_iter().zip(run.column(place).into_iter().zip(run.column("detail")));
    rows.filter(|(code, _)| code == "I019").map(|(_, row)| row).collect()
}

fn row(place: &str, detail: &str) -> (String, String) {
    (place.into(), detail.into())
}

#[test]
fn second_row_with_an_id_is_a_finding() {
    let folder = Folder::new();
    let ids = ["a", "b", "a", "", "c", "b", "a"];
    let lines: String = ids.map(|id| format!("{}\n", json!({"id": id, "sgf": CLEAN}))).concat();
    folder.file("t.jsonl", &lines);
    let run = folder.run("check t.jsonl");
    let expected = [
        row("t.jsonl!3", "id \"a\" also belongs to row 1"),
        row("t.jsonl!6", "id \"b\" also belongs to row 2"),
        row("t.jsonl!7", "id \"a\" also belongs to row 1"),
    ];
    assert_eq!(repeated_id_rows(&run), expected);
    assert_eq!((run.code, run.column("line")), (0, ["3", "6", "7"].map(String::from).to_vec()));
    assert_eq!(repeated_id_rows(&folder.run_with_input("check --input-format jsonl", &lines)).len(), 3);
    // Each row belongs to one shard, and the finding belongs to the same one.
    let shards =
        ["1/3", "2/3", "3/3"].map(|shard| repeated_id_rows(&folder.run(&format!("check --shard {shard} t.jsonl"))));
    let mut all = shards.concat();
    all.sort();
    assert_eq!(all, expected);
}

#[test]
fn ids_of_csv_numbers_and_named_columns_are_compared() {
    let folder = Folder::new();
    folder.file("t.csv", format!("nr;id;sgf\n1;x;\"{CLEAN}\"\n 1 ;y;\"{CLEAN}\"\n2;x;\"{CLEAN}\"\n"));
    assert_eq!(repeated_id_rows(&folder.run("check t.csv")), [row("t.csv!3", "id \"x\" also belongs to row 1")]);
    let named = folder.run("check --id-column nr t.csv");
    assert_eq!(repeated_id_rows(&named), [row("t.csv!2", "nr \"1\" also belongs to row 1")]);
    let escaped = format!("{{\"\\u0069d\":7,\"sgf\":\"{CLEAN}\"}}\n");
    folder.file("t.jsonl", escaped.repeat(2));
    assert_eq!(repeated_id_rows(&folder.run("check t.jsonl")).len(), 1);
    folder.file("none.jsonl", format!("{}\n", json!({"sgf": CLEAN, "game_id": 1})).repeat(2));
    folder.file("none.csv", format!("sgf,game_id\n\"{CLEAN}\",1\n\"{CLEAN}\",1\n"));
    assert_eq!(repeated_id_rows(&folder.run("check none.jsonl none.csv")), []);
}

#[test]
fn ids_are_compared_over_the_pieces_of_a_large_table() {
    let folder = Folder::new();
    let filler = "c".repeat(1000);
    let line = |id: u32| format!("{}\n", json!({"id": id, "sgf": format!("(;GM[1]SZ[9]C[{filler}];B[aa];W[aa])")}));
    let lines: String = (0..1000).map(line).collect();
    folder.file("large.jsonl", format!("{lines}{}{}", line(3), line(999)));
    let expected = [
        row("large.jsonl!1001", "id \"3\" also belongs to row 4"),
        row("large.jsonl!1002", "id \"999\" also belongs to row 1000"),
    ];
    let [one, four] = ["1", "4"].map(|jobs| folder.run(&format!("check --jobs {jobs} large.jsonl")));
    assert_eq!(repeated_id_rows(&one), expected);
    assert_eq!(one.out, four.out);
    // A second table may have the same identifiers.
    folder.file("other.jsonl", &lines);
    assert_eq!(repeated_id_rows(&folder.run("check large.jsonl other.jsonl")), expected);
}

#[test]
fn parts_of_one_file_are_not_repetitions() {
    let folder = Folder::new();
    let part = |game: u64, offset: usize| json!({"id": "games.sgf", "game": game, "offset": offset, "sgf": CLEAN});
    let parts = format!("{}\n{}\n", part(1, 0), part(2, CLEAN.len()));
    folder.file("parts.jsonl", &parts).file("twice.jsonl", parts.repeat(2));
    assert_eq!(repeated_id_rows(&folder.run("check parts.jsonl")), []);
    let places: Vec<String> =
        repeated_id_rows(&folder.run("check twice.jsonl")).into_iter().map(|(place, _)| place).collect();
    assert_eq!(places, ["twice.jsonl!3", "twice.jsonl!4"]);
}

#[cfg(feature = "columnar")]
#[test]
fn ids_of_parquet_and_arrow_are_compared() {
    let folder = Folder::new();
    let record = |id: &str| format!("{}\n", json!({"id": id, "sgf": ILLEGAL.repeat(3)}));
    folder.file("t.jsonl", record("a") + &record("b") + &record("a"));
    for format in ["parquet", "arrow"] {
        folder.run(&format!("split --max-games 1 --format {format} --output t.{format} t.jsonl"));
        let details: Vec<String> =
            repeated_id_rows(&folder.run(&format!("check t.{format}"))).into_iter().map(|(_, detail)| detail).collect();
        assert_eq!(details, [1, 2, 3].map(|row| format!("id \"a\" also belongs to row {row}")), "{format}");
    }
}
