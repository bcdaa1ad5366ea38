//! Dialects of servers and programs are recognised, and their values are read as intended.

use crate::support::cli::{Folder, Ran};
use jigo_record::header::dialect::DIALECTS;

/// A root and the values read from it: dialect, komi, ruleset and kind of the result.
type Case = (&'static str, [&'static str; 4]);

const CASES: [Case; 20] = [
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
    ("PC[www.cyberoro.com]KM[6.5]RE[W+2.5]", ["cyberoro", "6.5", "korean", "score"]),
    ("TE[14th Cup]RD[2009-09-11]PC[]KO[6.5]RE[黑中盘胜]", ["oro", "6.5", "", "resignation"]),
    ("KO[2.75]HD[2]RE[黑不战胜]AP[MultiGo:4.4.4]", ["oro", "5.5", "", "forfeit"]),
    ("PC[PANDA-NET]AP[PANDA-EGG ver 9.40]KM[-5.5]RU[Japanese]RE[B+7.5]", ["igs", "-5.5", "igs", "score"]),
];

/// Returns the columns dialect, komi, ruleset and result_kind of every game of a collection.
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
fn every_dialect_is_recognised_and_read_as_intended() {
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
fn dialect_can_be_set_or_disabled() {
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
fn dialects_command_lists_every_dialect_with_source() {
    let list = Folder::new().run("dialects");
    assert_eq!(list.code, 0);
    for dialect in DIALECTS {
        assert!(list.out.contains(dialect.name) && list.out.contains(dialect.source), "{}", dialect.name);
    }
}

/// The rest of a game after its root: a seki with one eye for Black and two for White.
const SEKI: &str = "AB[ba][fa][ga][ha][bb][fb][hb][bc][fc][gc][hc][bd][fd][gd][hd][be][fe][ge][he]\
    AW[ca][da][ia][cb][eb][ib][cc][ec][ic][cd][dd][ed][id][ce][de][ie]PL[B];B[];W[])";

#[test]
fn territory_follows_server_scoring_of_that_date() {
    const PLAIN: [&str; 2] = ["japanese territory=every-region", "-7.5"];
    const STRICT: [&str; 2] = ["japanese", "-6.5"];
    let cases = [
        ("PC[TOM]RU[Japanese]", PLAIN, "explained"),
        ("PC[The KGS Go Server at http://www.gokgs.com/]RU[Japanese]", ["japanese territory=kgs", "-6.5"], "same"),
        ("PC[OGS: https://online-go.com/game/1]RU[Japanese]DT[2013-05-06]", PLAIN, "explained"),
        ("PC[OGS: https://online-go.com/game/1]RU[Japanese]DT[2025-01-01]", STRICT, "same"),
        ("PC[OGS: https://online-go.com/game/1]RU[Japanese]DT[2024-06-20]", STRICT, "same"),
        ("PC[TYGEM]RU[Korean]", ["korean territory=every-region", "-7.5"], "explained"),
        ("PC[IGS-PandaNet]RU[Japanese]", ["igs", "-7.5"], "explained"),
        ("PC[a club]RU[Japanese]", STRICT, "same"),
    ];
    let folder = Folder::new();
    let games: Vec<String> =
        cases.iter().map(|(root, ..)| format!("(;GM[1]SZ[10:5]KM[6.5]RE[W+6.5]{root}{SEKI}")).collect();
    folder.file("games.sgf", games.join("\n"));
    let scores = folder.run("score -q --exit-zero --rules recorded games.sgf");
    let (rulesets, margins) = (scores.column("ruleset"), scores.column("black_minus_white"));
    let verdicts = folder.run("score -q --exit-zero --table results games.sgf").column("verdict");
    for (index, (root, counted, verdict)) in cases.iter().enumerate() {
        assert_eq!([rulesets[index].as_str(), margins[index].as_str()], *counted, "{root}");
        assert_eq!(verdicts[index], *verdict, "{root}");
    }
    let reasons = scores.column("reason");
    assert_eq!(reasons[7], "stated margin by territory=goscorer or territory=no-seki");
    let confidences: Vec<f64> = scores.column("confidence").iter().map(|cell| cell.parse().unwrap()).collect();
    assert!(
        confidences.iter().all(|confidence| *confidence < 0.95),
        "readings differ, so no count is certain: {confidences:?}"
    );
}
