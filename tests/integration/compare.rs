//! The summary of `jigo compare`: shares, groups, causes of another winner, and its table.

use crate::support::cli::Folder;

/// Walls with marked territory. Black takes the last turn, so that area and territory give
/// different winners at komi 0.5.
const GAMES: [&str; 3] = [
    "(;GM[1]SZ[5:3]KM[0.5]RU[Japanese]DT[2001-05-06]PC[The KGS Go Server]RE[W+0.5];B[ba];W[da];B[bb];W[db];B[bc];W[dc];B[ca];W[cb];B[cc];W[];B[]TB[aa][ab][ac]TW[ea][eb][ec])",
    "(;GM[1]SZ[5:3]KM[0.5]RU[Japanese]DT[2002-05-06]RE[W+0.5];B[ba];W[da];B[bb];W[db];B[bc];W[dc];B[ca];W[cb];B[cc];W[];B[]TB[aa][ab][ac]TW[ea][eb][ec])",
    "(;GM[1]SZ[5:3]KM[0.5]RU[Japanese]HA[2]DT[2002-05-06]RE[B+R]AB[ba][bb];W[da];B[bc];W[];B[]TB[aa][ab][ac]TW[ea][eb][ec])",
];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("games.sgf", GAMES.join("\n"));
    folder
}

#[test]
fn summary_is_a_table_in_every_format() {
    let folder = folder();
    let run = folder.run("compare -q --rules japanese,chinese --format csv games.sgf");
    for (column, cells) in [
        ("group", ""),
        ("ruleset", "chinese"),
        ("other", "japanese"),
        ("games", "2"),
        ("margin_1", "0"),
        ("winner", "2"),
        ("winner_share", "1.000"),
        ("winner_low", "0.342"),
        ("winner_high", "1.000"),
        ("parity", "2"),
        ("winner_parity", "2"),
        ("winner_several", "0"),
        // At 7.5 and 6.5 White wins by both.
        ("own_komi_winner", "0"),
    ] {
        assert_eq!(run.column(column), [cells], "{column}\n{}", run.out);
    }
    let json = folder.run("compare -q --rules japanese,chinese --format json games.sgf").out;
    assert!(json.starts_with("{\"group\":") && json.contains("\"winner\":2,\"winner_share\":1.000"), "{json}");
    folder.run("compare -q --rules japanese,chinese --output pairs.csv games.sgf");
    assert_eq!(folder.read("pairs.csv"), run.out);
    let text = folder.run("compare -q --rules japanese,chinese --output pairs.txt games.sgf");
    assert_eq!(text.code, 0, "{}", text.err);
    assert!(folder.read("pairs.txt").starts_with("2 games with an ending to count, 1 without\n"));
}

#[test]
fn groups_have_their_own_rows() {
    let folder = folder();
    for (by, groups, games) in [("year", ["2001", "2002"], ["1", "1"]), ("server", ["kgs", "unknown"], ["1", "1"])] {
        let run = folder.run(&format!("compare -q --rules japanese,chinese --by {by} --format csv games.sgf"));
        assert_eq!(run.column("group"), groups);
        assert_eq!(run.column("games"), games);
    }
    let all = folder.run("compare -q --all-endings --rules japanese,chinese --by handicap --format csv games.sgf");
    assert_eq!(all.column("group"), ["0", "2"]);
    let text = folder.run("compare -q --rules japanese,chinese --by year games.sgf").out;
    assert!(text.contains("year = 2001: 1 game with an ending to count, 0 without"), "{text}");
}

#[test]
fn any_columns_of_games_group_them() {
    let folder = folder();
    let groups = |by: &str| {
        let line = format!("compare -q --rules japanese,chinese --by {by} --format csv games.sgf");
        folder.run(&line).column("group")
    };
    assert_eq!(groups("decade,komi"), ["2000; 0.5"]);
    assert_eq!(groups("board,server"), ["5; 3; kgs", "5; 3; unknown"]);
    assert_eq!(groups("verdict"), ["same"]);
    assert_eq!(groups("id"), ["games.sgf"]);
    let wrong = folder.run("compare --by decades games.sgf");
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.err.contains("there is no column 'decades' in games (did you mean decade?); there are file, game"),
        "{}",
        wrong.err
    );
}

#[test]
fn pairs_with_few_games_are_left_out() {
    let folder = Folder::new();
    folder.file("games.sgf", format!("{}{}", GAMES[0].repeat(30), GAMES[1].replace("Japanese", "AGA")));
    let text = |flags: &str| folder.run(&format!("compare -q --rules chinese,nz,recorded {flags} games.sgf")).out;
    let rest = "Left out: 2 pairs of rulesets with fewer than 30 games; see --min-games.";
    let usual = text("");
    assert!(usual.contains("chinese - japanese") && !usual.contains("aga") && usual.contains(rest), "{usual}");
    assert!(usual.lines().all(|line| line.chars().count() <= 80), "{usual}");
    assert!(text("--min-games 1").contains("aga - chinese"));
    assert!(text("--by year").contains("Left out: 1 group with fewer than 30 games; see --min-games."));
    let rows = |flags: &str| text(&format!("--format csv {flags}")).lines().count() - 1;
    assert_eq!((rows(""), rows("--min-games 30"), rows("--min-games 32")), (5, 3, 0));
    // Few games in all.
    assert!(text("--limit 2").contains("chinese - japanese"));
}

#[test]
fn shares_of_a_line_add_up() {
    let folder = folder();
    let text = folder.run("compare -q --rules japanese,chinese games.sgf").out;
    let line = text.lines().find(|line| line.starts_with("chinese - japanese")).unwrap();
    let shares = line.split_whitespace().filter_map(|word| word.strip_suffix('%')?.parse::<f64>().ok());
    assert_eq!(shares.sum::<f64>(), 100.0, "{text}");
}

#[test]
fn numbers_sort_as_numbers_and_unknown_ones_last() {
    let folder = Folder::new();
    let game = |komi: &str| format!("(;SZ[3]{komi}RE[B+9];B[bb];W[];B[])");
    folder.file("g.sgf", ["KM[10]", "", "KM[6.5]", "KM[-1]"].map(game).concat());
    let run = folder.run("compare --format csv --by komi,event --rules aga,japanese g.sgf");
    assert_eq!(run.column("group"), ["-1; unknown", "6.5; unknown", "10; unknown", "unknown; unknown"], "{}", run.out);
    folder.file("rows.jsonl", "{\"id\":\"x\",\"sgf\":\"(;SZ[3]RE[B+9];B[bb];W[];B[])\"}\n");
    let rows = folder.run("compare --format csv --by id --rules aga,japanese --input-format jsonl rows.jsonl");
    assert_eq!(rows.column("group"), ["x"], "{}", rows.err);
}

#[test]
fn values_with_separators_stay_separate_groups() {
    let folder = Folder::new();
    let game = |black: &str, white: &str| format!("(;SZ[3]KM[0]PB[{black}]PW[{white}]RE[B+9];B[bb];W[];B[])");
    folder.file("g.sgf", [game("a; b", "c"), game("a", "b; c"), game("unknown", "c"), game("", "c")].concat());
    let run = folder.run("compare --format csv --by black,white --rules aga,japanese g.sgf");
    let expected = ["\"a; b\"; c", "\"unknown\"; c", "a; \"b; c\"", "unknown; c"];
    assert_eq!(run.column("group"), expected, "{}", run.out);
}
