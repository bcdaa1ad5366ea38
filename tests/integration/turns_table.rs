//! `jigo check --table turns` has the data to rebuild every position of a game.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::cli::{Folder, Ran, run_command};
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
fn boards_from_turns(turns: &Ran) -> BTreeMap<[String; 3], String> {
    let mut stones = BTreeMap::new();
    for row in turns.cells() {
        let at = |point: &str| [row["file"].clone(), row["game"].clone(), point.to_owned()];
        if ["play", "setup"].contains(&row["kind"].as_str()) {
            stones.insert(at(&row["point"]), row["color"].clone());
        }
        for point in row["removed"].split(';') {
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
        run_command(&mut folder.command(words))
    };
    let turns = boards_from_turns(&out("check -q --table turns"));
    assert!(turns.len() > 500, "{}", turns.len());
    assert_eq!(turns, boards_from_endings(&out("score -q --dead none --table endings --format jsonl").out));
}

/// Returns the counted margin of each game from the results table: the recorded margin minus the
/// difference.
fn counted_margins(folder: &Folder, games: &str) -> BTreeMap<(String, String), f64> {
    let run = folder.run(&format!("score -q --exit-zero --table results {games}"));
    let [files, numbers, counted] = ["file", "game", "counted"].map(|name| run.column(name));
    let margin = |text: &str| match text.split_at_checked(2) {
        Some(("B+", points)) => points.parse().unwrap(),
        Some(("W+", points)) => -points.parse::<f64>().unwrap(),
        _ => text.parse().unwrap(),
    };
    let games = files.into_iter().zip(numbers).zip(counted);
    games.filter(|(_, text)| !text.is_empty()).map(|(game, text)| (game, margin(&text))).collect()
}

#[test]
fn counted_margins_are_those_of_the_results() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
    let folder = Folder::new();
    let expected = counted_margins(&folder, fixtures);
    assert!(expected.len() > 5, "{}", expected.len());
    let columns = "file,game,winner,stated_black_minus_white,counted_black_minus_white";
    let run = folder.run(&format!("check -q --table turns --columns {columns} {fixtures}"));
    assert_eq!(run.out.lines().next(), Some(columns));
    let [files, games, winners, stated, counted] =
        columns.split(',').map(|name| run.column(name)).collect::<Vec<_>>().try_into().unwrap();
    let mut seen = BTreeMap::new();
    for (row, game) in files.into_iter().zip(games).enumerate() {
        if !counted[row].is_empty() {
            let margin: f64 = counted[row].parse().unwrap();
            assert_eq!(*seen.entry(game).or_insert(margin), margin, "all turns of a game have the same margin");
        }
        let sign = |margin: &str| margin.parse::<f64>().map_or("", |margin| if margin > 0.0 { "B" } else { "W" });
        if !["", "0"].contains(&stated[row].as_str()) {
            assert_eq!(winners[row], sign(&stated[row]));
        }
    }
    for (game, margin) in &expected {
        // A game without turns has no row.
        assert!(seen.get(game).is_none_or(|counted| counted == margin), "{game:?}: {margin}");
    }
    assert!(expected.keys().filter(|game| seen.contains_key(game)).count() > 5, "{}", seen.len());
}

#[test]
fn a_game_without_recorded_result_has_a_counted_margin() {
    let folder = Folder::new();
    let board = "AB[ca][cb][cc][cd][ce][cf][cg]AW[da][db][dc][dd][de][df][dg]";
    folder.file("game.sgf", format!("(;SZ[7]RU[NZ]KM[0.5]{board};B[];W[])"));
    let columns = "winner,stated_black_minus_white,counted_black_minus_white";
    let run = folder.run(&format!("check -q --table turns --columns {columns} game.sgf"));
    assert_eq!(run.out.lines().last(), Some(",,-7.5"));
    // Other runs do not count.
    let usual = folder.run("check -q --table turns --columns +winner game.sgf");
    assert!(usual.out.lines().next().unwrap().ends_with(",width,height,winner"), "{}", usual.out);
}

#[test]
fn turns_are_filtered_by_contradicted_results() {
    let folder = Folder::new();
    let board = "AB[ca][cb][cc][cd][ce][cf][cg]AW[da][db][dc][dd][de][df][dg]";
    for (name, result) in [("right.sgf", "W+7.5"), ("wrong.sgf", "B+7.5")] {
        folder.file(name, format!("(;SZ[7]RU[NZ]KM[0.5]RE[{result}]{board};B[];W[])"));
    }
    let files = |filter: &str| {
        let line = ["check", "-q", "--table", "turns", "--columns", "file", "--where", filter, "."];
        let run = run_command(&mut folder.command(line));
        assert_eq!(run.code, 0, "{}", run.err);
        run.column("file").into_iter().collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(files("has(R001)"), ["./wrong.sgf"]);
    assert_eq!(files("not has(R)"), ["./right.sgf"]);
    assert_eq!(files("verdict = same and size = 7"), ["./right.sgf"]);
    assert_eq!(files("agrees = true or severity = error"), ["./right.sgf", "./wrong.sgf"]);
}

#[test]
fn chosen_columns_are_checked() {
    let folder = Folder::with_games();
    for (line, message) in [
        (
            "--table turns --columns colour .",
            "--columns: there is no column 'colour' in turns (did you mean color?); there are file,",
        ),
        ("--table turns --columns file --input-format jsonl .", "no column 'file' in turns; there are id, game,"),
        ("--columns colour .", "no column 'colour' in findings"),
        ("--columns file --format sarif .", "choose one with --format"),
        ("--table turns --columns file --format text .", "choose one with --format"),
    ] {
        let run = folder.run(&format!("check {line}"));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}");
        assert!(run.err.contains(message), "{line}: {}", run.err);
    }
    let objects = folder.run("check -q --table turns --columns point,turn --format jsonl clean.sgf").out;
    assert!(objects.starts_with("{\"turn\":1,\"point\":\""), "{objects}");
}

#[test]
fn games_table_is_that_of_the_report() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/games");
    let folder = Folder::new();
    folder.run(&format!("report -q --exit-zero --out audit {fixtures}"));
    let games = folder.run(&format!("check -q --table games {fixtures}"));
    assert_eq!((games.code, games.out.as_str()), (0, folder.read("audit/games.csv").as_str()));
    // Columns of the header need no count, which the verdict does.
    let header = folder.run(&format!("check -q --table games --columns komi,status {fixtures}"));
    assert_eq!(header.column("komi"), games.column("komi"));
    assert_eq!(header.column("status"), games.column("status"));
}

#[test]
fn columns_of_games_are_added_to_turns_and_endings() {
    let folder = Folder::new();
    let stones = "AB[ca][cb][cc][cd][ce][cf][cg]AW[da][db][dc][dd][de][df][dg]";
    folder.file("game.sgf", format!("(;SZ[7]RU[NZ]KM[0.5]DT[2001-05-06]EV[Cup]RE[W+7.5]{stones};B[];W[])"));
    let added = "+komi,+event,+decade,+verdict,+black_id";
    for command in ["check --table turns", "score --table endings"] {
        let usual = folder.run(&format!("{command} -q game.sgf")).out;
        let run = folder.run(&format!("{command} -q --columns {added} game.sgf"));
        let header = format!("{},event,komi,verdict,black_id,decade", usual.lines().next().unwrap());
        assert_eq!(run.out.lines().next(), Some(header.as_str()), "{}", run.err);
        let ends = |line: &str| line.ends_with(",Cup,0.5,same,,2000");
        assert!(run.out.lines().skip(1).all(ends), "{}", run.out);
        let rows = folder.run(&format!("{command} -q --columns all --format jsonl game.sgf")).out;
        let row: serde_json::Value = serde_json::from_str(rows.lines().last().unwrap()).unwrap();
        assert_eq!((&row["komi"], &row["decade"], &row["game"]), (&0.5.into(), &2000.into(), &1.into()), "{rows}");
    }
    // Rows of records have their identifier in place of the file, and no further file.
    folder.file("games.jsonl", "{\"id\":\"a\",\"sgf\":\"(;SZ[7]KM[0.5];B[aa])\"}\n");
    let rows = folder.run("check -q --table turns --columns id,komi --input-format jsonl games.jsonl");
    assert_eq!(rows.out, "id,komi\na,0.5\n", "{}", rows.err);
}

#[test]
fn errors_in_records_do_not_fail_an_export_of_endings() {
    let folder = Folder::new();
    folder.file("game.sgf", "(;SZ[7];B[aa];W[aa])");
    assert_eq!(folder.run("score -q game.sgf").code, 1);
    assert_eq!(folder.run("score -q --table endings game.sgf").code, 0);
    let gate = ["score", "-q", "--table", "endings", "--fail-if", "P001 > 0", "game.sgf"];
    assert_eq!(run_command(&mut folder.command(gate)).code, 1);
}

#[test]
fn repetitions_have_the_cells_of_their_cycle() {
    let folder = Folder::new();
    for code in ["K001-ko", "K002-superko"] {
        let path = format!("{}/fixtures/findings/{code}.sgf", env!("CARGO_MANIFEST_DIR"));
        folder.file(&format!("{code}.sgf"), std::fs::read(path).unwrap());
    }
    let run = folder.run("check -q --select K .");
    let cells = ["cycle_kind", "cycle_length", "cycle_black_lost", "cycle_white_lost"].map(|name| run.column(name));
    assert_eq!(cells.each_ref().map(|column| column[0].as_str()), ["single-ko", "2", "1", "1"]);
    assert_eq!(run.column("cycle"), cells[1]);
    let files = |filter: &str| {
        let run = run_command(&mut folder.command(["check", "-q", "--table", "keys", "--where", filter, "."]));
        assert_eq!(run.code, 0, "{}", run.err);
        run.column("file")
    };
    assert_eq!(files("cycle_kind = single-ko and cycle_length = 2 and cycle_black_lost = 1"), ["./K001-ko.sgf"]);
    assert_eq!(files("not cycle_kind = single-ko"), ["./K002-superko.sgf"]);
    assert_eq!(files("has(single-ko)"), ["./K001-ko.sgf"]);
    assert_eq!(files("not has(Single-Ko)"), ["./K002-superko.sgf"]);
    let wrong = run_command(&mut folder.command(["check", "--where", "cycle_kind = triple", "."]));
    assert!(wrong.err.contains("did you mean triple-ko"), "{}", wrong.err);
    let wrong = run_command(&mut folder.command(["check", "--where", "has(tripleko)", "."]));
    assert!(wrong.err.contains("did you mean triple-ko"), "{}", wrong.err);
}

/// Uses SQL, as a DuckDB user does.
#[test]
fn duckdb_rebuilds_final_boards_of_the_corpus() {
    let Some(python) = python::path() else { return };
    let (folder, corpus) = (Folder::new(), crate::support::corpus());
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
    let fewest = if crate::support::has_real_games() { 200_000 } else { 100 };
    assert!(stones.parse::<u64>().unwrap() > fewest, "{stones}");
}
