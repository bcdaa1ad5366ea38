//! `jigo check --table turns` has the data to rebuild every position of a game.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::cli::{Folder, run_command};
use crate::support::python;

/// Returns the rows of the only game: step, turn, kind, color, point and removed.
fn steps(folder: &Folder, flags: &str) -> Vec<String> {
    let run = folder.run(&format!("check -q --table turns {flags} game.sgf"));
    let columns = ["step", "turn", "kind", "color", "point", "removed"].map(|name| run.column(name));
    (0..columns[0].len()).map(|row| columns.each_ref().map(|column| column[row].as_str()).join(" ")).collect()
}

#[test]
fn setup_rows_are_in_order_and_list_changes() {
    let folder = Folder::new();
    folder.file("game.sgf", "(;SZ[3]HA[2]AB[aa][cc]AW[zz];W[bb];AB[aa]AE[cc]AW[ab];B[])");
    // The stone at aa is already on the board, and zz is off the board.
    let expected =
        ["1 0 setup B aa ", "2 0 setup B cc ", "3 1 play W bb ", "4 1 setup W ab ", "5 1 setup  cc ", "6 2 pass B  "];
    assert_eq!(steps(&folder, ""), expected);
    let hashes = folder.run("check -q --table turns game.sgf").column("hash");
    assert_eq!(hashes[0], hashes[1], "the hash is that of the whole node");
    assert_eq!(hashes[3], hashes[5], "a pass changes no stone");
    let text = folder.run("check -q --table turns --format text game.sgf").out;
    assert!(text.lines().nth(4).unwrap().starts_with("game.sgf#1 setup after turn 1 empty[cc] "), "{text}");
}

#[test]
fn removed_column_lists_captures_and_suicides() {
    let folder = Folder::new();
    folder.file("game.sgf", "(;SZ[3]AW[aa][ba]AB[ab][bb];B[ca];W[aa];W[ba];B[zz];W[ca])");
    let steps = steps(&folder, "--rules nz");
    assert_eq!(
        steps[4..],
        ["5 1 play B ca aa;ba", "6 2 play W aa ", "7 3 play W ba aa;ba", "8 4 skipped B zz ", "9 5 play W ca "]
    );
}

/// Returns stones by file, game and point, rebuilt from the rows of turns alone.
fn boards_from_turns(turns: &str) -> BTreeMap<[String; 3], String> {
    let mut reader = csv::Reader::from_reader(turns.as_bytes());
    let header = reader.headers().unwrap().clone();
    let place = |name: &str| header.iter().position(|column| column == name).unwrap();
    let [file, game, kind, color, point, removed] = ["file", "game", "kind", "color", "point", "removed"].map(place);
    let mut stones = BTreeMap::new();
    for row in reader.records().map(Result::unwrap) {
        let at = |point: &str| [row[file].to_owned(), row[game].to_owned(), point.to_owned()];
        if ["play", "setup"].contains(&&row[kind]) {
            stones.insert(at(&row[point]), row[color].to_owned());
        }
        for point in row[removed].split(';') {
            stones.remove(&at(point));
        }
    }
    stones.retain(|_, color| !color.is_empty());
    stones
}

/// Returns stones by file, game and point from the endings table.
fn boards_from_endings(endings: &str) -> BTreeMap<[String; 3], String> {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut stones = BTreeMap::new();
    for row in endings.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
        for (y, line) in row["board"].as_str().unwrap_or("").split('/').enumerate() {
            for (x, sign) in line.bytes().enumerate().filter(|(_, sign)| *sign != b'.') {
                let point = String::from_utf8(vec![LETTERS[x], LETTERS[y]]).unwrap();
                let game = row["game"].to_string();
                let color = if sign == b'X' { "B" } else { "W" };
                stones.insert([row["file"].as_str().unwrap().into(), game, point], color.to_owned());
            }
        }
    }
    stones
}

/// Covers damage, suicides, stones on occupied points, and setup anywhere.
#[test]
fn turns_rebuild_every_final_board_of_the_fixtures() {
    let folder = Folder::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let out = |line: &str| {
        let words = line.split(' ').map(Into::into).chain([fixtures.clone().into_os_string()]);
        run_command(&mut folder.command(words)).out
    };
    let turns = boards_from_turns(&out("check -q --table turns"));
    assert!(turns.len() > 500, "{}", turns.len());
    assert_eq!(turns, boards_from_endings(&out("score -q --dead none --table endings --format jsonl")));
}

/// Uses SQL, as a DuckDB user does.
#[test]
fn duckdb_rebuilds_final_boards_of_the_corpus() {
    let (Some(python), Some(corpus)) = (python::path(), crate::support::corpus()) else { return };
    let folder = Folder::new();
    for line in [
        "check -q --exit-zero --sample 9 --table turns --output turns.parquet --format parquet",
        "score -q --exit-zero --sample 9 --dead none --table endings --output endings.parquet --format parquet",
    ] {
        let words = line.split(' ').map(Into::into).chain([corpus.clone().into_os_string()]);
        assert_eq!(run_command(&mut folder.command(words)).code, 0);
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/integration/support/rebuild.sql");
    let code = "print(*duckdb.sql(open(sys.argv[1]).read()).fetchall()[0])";
    let code = format!("{}import sys\n{code}", python::IMPORT_DUCKDB);
    let printed = python::run(&python, &["-c", &code, script], folder.path());
    let (different, stones) = printed.split_once(' ').unwrap();
    assert_eq!(different, "0");
    assert!(stones.parse::<u64>().unwrap() > 200_000, "{stones}");
}
