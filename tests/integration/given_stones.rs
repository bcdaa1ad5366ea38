//! Dead stones by hand: options, columns, and the arithmetic of a count.

use crate::support::cli::Folder;
use serde_json::{Value, json};

/// Walls with a White stone in Black's corner, without marks and passes.
const GAME: &str = "(;GM[1]SZ[7]KM[6.5]RU[Japanese];B[ca];W[ea];B[cb];W[eb];B[cc];W[ec];B[cd];W[ed];B[ce];W[ee];B[cf];W[ef];B[cg];W[eg];B[da];W[db];B[dc];W[dd];B[de];W[ac];B[dg];W[df])";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("games.sgf", format!("(;GM[1]SZ[9];B[ee])\n{GAME}\n"));
    folder
}

#[test]
fn score_counts_one_game_with_named_dead_stones() {
    let folder = folder();
    let run = folder.run("score -q --rules japanese,chinese --dead-stones A5 games.sgf#2");
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.column("game"), ["2", "2"]);
    assert_eq!(run.column("status"), ["counted", "counted"]);
    assert_eq!(run.column("dead_source"), ["given", "given"]);
    assert_eq!(run.column("confidence"), ["1.000", "1.000"]);
    // Black: 14 points of territory and no lost stone; White: 14 points, one lost stone, komi 6.5.
    assert_eq!(run.column("black"), ["14", "25"]);
    assert_eq!(run.column("white"), ["19.5", "30.5"]);
    for names in ["ac", "A5,a5", "ac;ac"] {
        assert_eq!(
            folder.run(&format!("score -q --rules japanese,chinese --dead-stones {names} games.sgf#2")).out,
            run.out
        );
    }
    let alive = folder.run("score -q --rules japanese --dead-stones none games.sgf#2");
    assert_eq!(alive.column("black"), ["0"]);
    assert_eq!(alive.column("white"), ["20.5"]);
    // A forgotten stone is named.
    assert_eq!(run.column("reason"), ["", ""]);
    assert_eq!(alive.column("reason"), ["jigo's own estimate has A5 dead"]);
    let other = folder.run("show --ending --dead-stones E4 games.sgf#2").out;
    assert!(other.contains("and others); jigo's own estimate has E7 alive, A5 dead;"), "{other}");
}

#[test]
fn wrong_stones_end_the_command() {
    let folder = folder();
    for (flags, reason) in [
        ("score --dead-stones A1 games.sgf#2", "there is no stone on A1"),
        ("score --dead-stones T19 games.sgf#2", "T19 is not on the board of 7x7"),
        ("score --dead-stones A5,? games.sgf#2", "'?' is not a point"),
        ("score --dead-stones A5 --seki ac games.sgf#2", "A5 is named as dead and as in seki"),
        ("score --dead-stones A5 games.sgf", "holds 2 games"),
        ("score --dead-stones A5 games.sgf#3", "there is no game 3"),
        ("score --dead-stones A5 games.sgf#2 games.sgf#1", "one game"),
        ("score --dead-stones A5 -", "standard input"),
        ("score --seki A5 games.sgf#2", "--dead-stones"),
        ("score --dead-stones A5 --dead none games.sgf#2", "cannot be used with"),
        ("show --ending --dead-stones A1 games.sgf#2", "there is no stone on A1"),
        ("show --dead-stones A5 --turn 1 games.sgf#2", "add --ending"),
        ("show --dead-stones A1 games.sgf#2", "there is no stone on A1"),
    ] {
        let run = folder.run(flags);
        assert_eq!(run.code, 2, "{flags}: {}", run.out);
        assert!(run.err.contains(reason), "{flags}: {}", run.err);
    }
}

#[test]
fn columns_of_a_list_name_stones_for_many_games() {
    let folder = folder();
    folder.file("other.sgf", GAME);
    folder.file(
        "list.csv",
        "file,game,dead_stones,seki\ngames.sgf,2,A5,\nother.sgf,1,A1,\n./games.sgf,1,,\ngone.sgf,1,,\n",
    );
    let run = folder.run("score --rules japanese --games list.csv games.sgf other.sgf");
    assert_eq!(run.column("game"), ["1", "2", "1"]);
    assert_eq!(run.column("dead_source"), ["", "given", ""]);
    assert_eq!(run.column("status"), ["not_counted", "counted", "unsettled"]);
    assert_eq!(run.column("reason")[2], "given stones not on the board: there is no stone on A1");
    assert!(run.err.contains("the first is game 1 of gone.sgf"), "{}", run.err);
    folder.file("list.jsonl", "{\"file\":\"games.sgf\",\"game\":2,\"dead_stones\":\"ac\"}\n");
    assert_eq!(folder.run("score -q --rules japanese --games list.jsonl games.sgf").column("black"), ["14"]);
    folder.file("bad.csv", "file,game,seki\ngames.sgf,2,A5\n");
    let run = folder.run("score --games bad.csv games.sgf");
    assert!(run.code == 2 && run.err.contains("row 1: seki needs dead_stones"), "{}", run.err);
}

#[test]
fn positions_name_stones_by_point() {
    let folder = Folder::new();
    let board = ["..xo.", "o.xo."];
    let lines = [
        json!({"id": "a", "board": board, "dead_stones": "A1"}),
        json!({"id": "b", "board": board, "dead_stones": ["B1"]}),
    ];
    folder.file("boards.jsonl", lines.map(|line| line.to_string()).join("\n"));
    let run = folder.run("score -q --rules chinese --komi 0 --input-format positions boards.jsonl");
    assert_eq!(run.column("black_minus_white")[0], "2");
    assert_eq!(run.column("confidence")[0], "1.000");
    assert_eq!(run.column("status"), ["counted", "not_replayed"]);
}

#[test]
fn ending_shows_the_arithmetic_of_each_ruleset() {
    let folder = folder();
    let out = folder.run("show games.sgf#2 --ending --dead-stones A5 --rules japanese,chinese,aga").out;
    assert!(out.contains("Dead as given: 0 black, 1 white (A5); 0 dame open"), "{out}");
    for line in [
        "                japanese        chinese            aga",
        "            Black  White   Black  White   Black  White",
        "stones                        11     10      11     10",
        "territory      14     14      14     14      14     14",
        "dead            0     -1",
        "komi            0    6.5       0    6.5       0    6.5",
        "points         14   19.5      25   30.5      25   30.5",
        "result             W+5.5          W+5.5          W+5.5",
    ] {
        assert!(out.lines().any(|other| other == line), "{line}\n{out}");
    }
}

#[test]
fn arithmetic_in_json_adds_up_and_is_drawn_in_pictures() {
    let folder = folder();
    let out = folder.run("show games.sgf#2 --ending --dead-stones A5 --rules all --format json").out;
    let row: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&row["dead_source"], &row["confidence"]), (&json!("given"), &json!(1.0)));
    let scores = row["scores"].as_array().unwrap();
    assert!(scores.len() > 20);
    for score in scores.iter().filter(|score| score["reason"].is_null()) {
        for player in ["black", "white"] {
            let parts = score[player].as_object().unwrap();
            let sum: f64 =
                parts.iter().filter(|(name, _)| *name != "points").map(|(_, part)| part.as_f64().unwrap()).sum();
            assert_eq!(Some(sum), parts["points"].as_f64(), "{score}");
        }
        assert_eq!(
            score["black"]["points"].as_f64().unwrap() - score["white"]["points"].as_f64().unwrap(),
            score["black_minus_white"].as_f64().unwrap()
        );
    }
    assert_eq!(folder.run("show games.sgf#2 --turn 20 --out plain.svg").code, 0);
    assert_eq!(folder.run("show games.sgf#2 --ending --dead-stones A5 --out ending.svg").code, 0);
    let (plain, ending) = (folder.read("plain.svg"), folder.read("ending.svg"));
    assert!(ending.len() > 2 * plain.len() && ending.contains("<title>games.sgf game 2"), "{ending}");
}
