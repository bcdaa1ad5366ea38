//! What servers and programs write is known for what it is, and read as they mean it.

use crate::support::cli::{Folder, Ran};
use jigo_core::record::dialect::DIALECTS;

/// A root and what is read from it: dialect, komi, ruleset, kind of the result.
type Case = (&'static str, [&'static str; 4]);

const CASES: [Case; 16] = [
    ("KM[375]HA[0]RU[Chinese]AP[GNU Go:3.8]RE[W+3.25]AP[foxwq]", ["fox", "7.5", "chinese", "score"]),
    ("KM[650]HA[0]RU[Japanese]AP[GNU Go:3.8]RE[W+0.02]AP[foxwq]", ["fox", "6.5", "japanese", "win"]),
    ("AP[YuanYu]PC[Fox]KM[50]HA[2]RE[B+R]", ["fox", "0.5", "", "resignation"]),
    ("PC[TYGEM]KM[6.5]RU[Korean]RE[B+3.5]", ["tygem", "6.5", "korean", "score"]),
    ("PC[TOM]KM[3.75]RU[Chinese]RE[B+T]", ["tom", "7.5", "chinese", "time"]),
    (
        "AP[CGoban:3]RU[Chinese]KM[150.50]PC[The KGS Go Server at http://www.gokgs.com/]RE[W+R]",
        ["kgs", "150.5", "chinese-psk", "resignation"],
    ),
    ("RU[New Zealand]KM[7.00]PC[http://www.gokgs.com/]RE[0]", ["kgs", "7", "nz-kgs", "draw"]),
    ("PC[OGS: https://online-go.com/game/1]RU[chinese]KM[7.5]RE[B+R]", ["ogs", "7.5", "chinese-psk", "resignation"]),
    ("PC[IGS:  igs.joyjoy.net 6969]KM[6.500000]RE[B+Resign]", ["igs", "6.5", "igs", "resignation"]),
    ("PC[IGS-PandaNet]RU[Japanese]KM[0.5]RE[W+17.5]", ["igs", "0.5", "igs", "score"]),
    ("PC[19x19 CGOS]KM[7.5]RE[B+2.5]", ["cgos", "7.5", "chinese-psk", "score"]),
    ("SO[Go4Go.net]KM[7.5]RE[W+R]", ["go4go", "7.5", "", "resignation"]),
    ("US[GoGoD95]RE[W+5]", ["gogod", "", "", "score"]),
    ("MULTIGOGM[1]RE[B+1.75]KM[2.75]", ["multigo", "5.5", "", "score"]),
    ("AP[CGoban:2]RU[Japanese]KM[5.50]RE[?]", ["cgoban", "5.5", "japanese", "unknown"]),
    ("PC[Seoul]RU[Chinese]KM[750]RE[W+0.02]", ["", "7.5", "chinese", "unreadable"]),
];

/// The columns dialect, komi, ruleset and result_kind of every game of a collection.
fn report(folder: &Folder, flags: &str) -> Vec<[String; 4]> {
    let run = folder.run(&format!("report -q --dead none --out tables --force {flags} games.sgf"));
    assert!(run.code < 2, "{}", run.err);
    let games = Ran { out: folder.read("tables/games.csv"), ..run };
    let columns = ["dialect", "komi", "ruleset", "result_kind"].map(|name| games.column(name));
    (0..columns[0].len()).map(|game| columns.each_ref().map(|column| column[game].clone())).collect()
}

fn collection() -> Folder {
    let folder = Folder::new();
    let games: Vec<String> = CASES.iter().map(|(root, _)| format!("(;GM[1]SZ[19]{root};B[pd];W[dp])")).collect();
    folder.file("games.sgf", games.join("\n"));
    folder
}

#[test]
fn every_dialect_is_known_and_read_as_its_writer_means_it() {
    let folder = collection();
    let expected: Vec<_> = CASES.iter().map(|(_, cells)| cells.map(str::to_owned)).collect();
    assert_eq!(report(&folder, ""), expected);
    for dialect in DIALECTS {
        assert!(expected.iter().any(|cells| cells[0] == dialect.name), "{} has no case", dialect.name);
    }
    let repeated = folder.run("check --select D005 games.sgf");
    assert_eq!(repeated.rows(), [""; 0], "a second AP is how Fox writes");
}

#[test]
fn a_dialect_can_be_named_or_left_out() {
    let folder = collection();
    let none = report(&folder, "--dialect none");
    assert!(none.iter().all(|cells| cells[0].is_empty()));
    assert_eq!(none[1][3], "unreadable");
    assert_eq!((none[5][1].as_str(), none[7][2].as_str(), none[8][2].as_str()), ("", "chinese", ""));
    let ogs = report(&folder, "--dialect ogs");
    assert!(ogs.iter().all(|cells| cells[0] == "ogs"));
    assert_eq!((ogs[0][1].as_str(), ogs[0][2].as_str()), ("375", "chinese-psk"));
    let wrong = folder.run("check --dialect esperanto games.sgf");
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("auto, none, fox") && wrong.err.contains("'esperanto'"), "{}", wrong.err);
}

#[test]
fn the_list_names_every_dialect_with_its_source() {
    let list = Folder::new().run("dialects");
    assert_eq!(list.code, 0);
    for dialect in DIALECTS {
        assert!(list.out.contains(dialect.name) && list.out.contains(dialect.source), "{}", dialect.name);
    }
}
