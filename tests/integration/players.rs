//! `--players`: all names of a player count as one, in columns, filters, duplicates and the page.

use std::fs::File;
use std::process::{Command, Stdio};

use crate::report_page::figures;
use crate::support::cli::Folder;

/// Names of two players in several scripts, and a player who is not in the games.
const PLAYERS: &str =
    "id,name\nCho Chikun,趙治勲\nCho Chikun,조치훈\nlee,Lee Sedol\nlee,이세돌\nlee,李世乭\nx,Nobody\n";
/// The names of the players in each game.
const NAMES: [[&str; 2]; 5] = [
    ["Cho Chikun 9p", "이세돌9단"],
    ["李世乭 九段", "趙治勲本因坊"],
    ["조치훈", "Ke Jie (9p)"],
    ["Black", "Ｋｅ　Ｊｉｅ"],
    ["Honinbo Cho Chikun", "jo chihun"],
];

fn archive() -> Folder {
    let folder = Folder::new();
    for ([black, white], number) in NAMES.iter().zip('a'..) {
        folder.file(
            &format!("games/{number}.sgf"),
            format!("(;GM[1]SZ[9]PB[{black}]PW[{white}]RE[B+R];B[ee];W[c{number}])"),
        );
    }
    folder.file("players.csv", PLAYERS);
    folder
}

/// Returns `count` turns in order from the corner of the board.
fn turns(count: u8) -> String {
    let letter = |index: u8| char::from(b'a' + index);
    let turn = |index: u8| {
        format!(
            ";{}[{}{}]",
            if index.is_multiple_of(2) { 'B' } else { 'W' },
            letter(index % 19),
            letter(index / 19 * 2)
        )
    };
    (0..count).map(turn).collect()
}

#[test]
fn games_have_ids_with_and_without_a_list() {
    let folder = archive();
    let ids = |name: &str| {
        let rows = folder.table(name);
        rows.iter().map(|row| ["black_id", "white_id"].map(|column| row[column].clone())).collect::<Vec<_>>()
    };
    assert!(folder.run("report -q --out without games").code < 2);
    assert_eq!(
        ids("without/games.csv"),
        [
            ["cho chikun", "이세돌"],
            ["李世乭", "趙治勲"],
            ["조치훈", "ke jie"],
            ["", "ke jie"],
            ["cho chikun", "jo chihun"]
        ]
    );
    assert!(folder.run("report -q --players players.csv --out with games").code < 2);
    assert_eq!(
        ids("with/games.csv"),
        [
            ["Cho Chikun", "lee"],
            ["lee", "Cho Chikun"],
            ["Cho Chikun", "ke jie"],
            ["", "ke jie"],
            ["Cho Chikun", "jo chihun"]
        ]
    );
    assert!(!folder.read("without/index.html").contains("data-figure=\"player"));
    let figures = figures(&folder.read("with/index.html"));
    for (id, [games, black, white, won, lost]) in [("Cho Chikun", [4, 3, 1, 3, 1]), ("lee", [2, 1, 1, 1, 1])] {
        for (measure, value) in [("games", games), ("black", black), ("white", white), ("won", won), ("lost", lost)] {
            assert_eq!(figures.get(&format!("player.{measure}.{id}")), Some(&value), "{id} {measure}");
        }
    }
    assert_eq!(figures.get("players"), Some(&2));
}

#[test]
fn filters_select_all_names_of_a_player() {
    let folder = archive();
    let selected = |filter: &str| {
        let mut command =
            folder.command(["extract", "-q", "--players", "players.csv", "--out", "-", "--where", filter]);
        let output = command.arg("games").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().matches("GM[1]").count()
    };
    assert_eq!(selected("black_id = 'Cho Chikun' or white_id = 'cho chikun'"), 4);
    assert_eq!(selected("black_id = lee and white_id = 'Cho Chikun'"), 1);
    assert_eq!(selected("white_id = 'ke jie'"), 2);
    assert_eq!(selected("white_id ~ jie and turns = 2"), 2);
    // The id of a player without a name is missing.
    assert_eq!(selected("black_id != lee"), 3);
}

#[test]
fn listed_players_decide_about_duplicates() {
    let folder = Folder::new();
    let game = |name: &str, players: [&str; 2], count: u8| {
        folder.file(name, format!("(;GM[1]SZ[19]PB[{}]PW[{}]{})", players[0], players[1], turns(count)));
    };
    let classes = |options: &str, path: &str| folder.run(&format!("duplicates -q {options} {path}")).column("class");
    folder.file("players.csv", PLAYERS);
    // Fewer than 60 turns are a duplicate only if both players agree.
    game("short/a.sgf", ["Cho Chikun", "Lee Sedol"], 40);
    game("short/b.sgf", ["趙治勲", "李世乭 九段"], 40);
    assert!(classes("", "short").is_empty());
    assert_eq!(classes("--players players.csv", "short"), ["", "same"]);
    // The names are similar, but the list tells that they are two players.
    folder.file("two.csv", "id,name\n1,Kim Jiseok\n2,Kim Jisuk\n");
    game("long/a.sgf", ["Kim Jiseok", "Lee Sedol"], 80);
    game("long/b.sgf", ["Kim Jisuk", "Lee Sedol"], 80);
    assert_eq!(classes("", "long"), ["", "same"]);
    assert_eq!(classes("--players two.csv", "long"), ["collision", "collision"]);
}

#[test]
fn faulty_list_is_refused_with_its_line() {
    let folder = archive();
    for (text, message) in [
        (&b"name\nx\n"[..], "--players p.csv: line 1 needs one column id; begin the list with the line id,name"),
        (b"id,name\na,Lee\nb,LEE 9p\n", "--players p.csv: line 3: 'LEE 9p' is a name of 'b', and of 'a' in line 2"),
        (b"id,name\na,Lee\n,Kim\n", "--players p.csv: line 3 has no id; fill it in or remove the line"),
        (b"id,name\na,\xC0\xCC\n", "--players p.csv: line 2 is not UTF-8; save the list as UTF-8"),
    ] {
        folder.file("p.csv", text);
        for command in ["check", "duplicates", "report --out o", "extract --out o.sgf", "find .X.X.,..X.."] {
            let run = folder.run(&format!("{command} --players p.csv games"));
            assert!(run.code == 2 && run.err.contains(message) && run.out.is_empty(), "{command}: {}", run.err);
        }
    }
    assert!(folder.run("check --players none.csv games").err.contains("--players none.csv: "));
    let run = folder.run("check --players players.csv --output players.csv --force games");
    assert!(run.code == 2 && run.err.contains("players.csv"), "{}", run.err);
    assert_eq!(folder.read("players.csv"), PLAYERS);
}

/// The new list has the length and the time of the old one.
#[cfg(target_os = "linux")]
#[test]
fn run_is_not_resumed_with_another_list() {
    let folder = archive();
    let run = "duplicates --players players.csv --checkpoint kept games";
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    let device = File::options().write(true).open("/dev/full").unwrap();
    folder.file("games/z.sgf", format!("(;SZ[19]{})(;SZ[19]{})", turns(80), turns(80)));
    command.current_dir(folder.path()).args(run.split(' ')).stdin(Stdio::null()).stdout(device);
    assert_eq!(command.output().unwrap().status.code(), Some(2));
    let list = || File::options().append(true).open(folder.path().join("players.csv")).unwrap();
    let modified = list().metadata().unwrap().modified().unwrap();
    folder.file("players.csv", PLAYERS.replace("lee,", "eel,"));
    list().set_modified(modified).unwrap();
    let other = folder.run(run);
    assert!(other.code == 2 && other.err.contains("the options are not those that it was begun with"), "{}", other.err);
    folder.file("players.csv", PLAYERS);
    assert_eq!(folder.run(run).column("class"), ["", "identical"]);
}
