//! `jigo find`: patterns in games, from the command line.

use crate::support::cli::{Folder, ILLEGAL, Ran, run_command};

/// Three games on 9x9. The second one is the first, rotated clockwise, with another last turn. The
/// third one has exchanged colours.
const GAMES: [&str; 3] = [
    "(;SZ[9]PB[Ito]PW[Sato]DT[1998-05-03]RE[B+R];B[cc];W[gg];B[cg];W[gc])",
    "(;SZ[9]PB[Sato]PW[Ito]DT[2004-01-20]RE[W+2];B[gc];W[cg];B[cc];W[ee])",
    "(;SZ[9]PB[Kato]PW[Ito]DT[2010]RE[W+R];W[cc];B[gg];W[cg];B[])",
];

/// A stone of each colour in opposite corners, and one more black stone.
const THREE_STONES: &str = "B C7, W G3, B C3";

fn games() -> Folder {
    let folder = Folder::new();
    folder.file("g.sgf", GAMES.concat());
    folder
}

/// Runs the command with a line of arguments, separated by blanks outside of single quotes.
fn run_line(folder: &Folder, line: &str) -> Ran {
    let mut words: Vec<String> = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    run_command(&mut folder.command(words))
}

/// Returns some columns of the matches of a command line, one text per row.
fn matches(folder: &Folder, line: &str) -> Vec<String> {
    let run = run_line(folder, &format!("find -q {line}"));
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{line}");
    let columns = ["game", "turn", "symmetry", "swapped", "point", "next_color", "next"].map(|name| run.column(name));
    (0..columns[0].len()).map(|row| columns.each_ref().map(|column| column[row].as_str()).join(" ")).collect()
}

#[test]
fn symmetries_and_colours_are_reported() {
    let folder = games();
    let points = |flags: &str| matches(&folder, &format!("--points '{THREE_STONES}' --size 9 {flags} g.sgf"));
    assert_eq!(points("--no-symmetry"), ["1 3 none false aa W gc"]);
    // The pattern is symmetric about a diagonal, so the next turns of both games are on it.
    assert_eq!(points(""), ["1 3 none false aa W gc", "2 3 rotate-90 false aa W ee"]);
    assert_eq!(points("--swap-colors")[2], "3 3 none true aa W pass");
    assert_eq!(points("--swap-colors --no-symmetry").len(), 2);
}

#[test]
fn turns_next_and_all_select_matches() {
    let folder = games();
    let corner = "'+---,|...,|...,|..X'";
    let first = [
        "1 1 none false aa W elsewhere",
        "2 1 mirror-left-right false ga W elsewhere",
        "3 2 rotate-180 false gg W elsewhere",
    ];
    assert_eq!(matches(&folder, &format!("{corner} g.sgf")), first);
    let all = matches(&folder, &format!("{corner} --all g.sgf"));
    assert_eq!(all.len(), 5);
    assert_eq!(all[1], "1 3 mirror-top-bottom false ag W elsewhere");
    // A match counts after every turn until a stone is added to it.
    let late = matches(&folder, &format!("{corner} --turns 3..3 g.sgf"));
    assert_eq!(late[0], "1 3 none false aa W elsewhere");
    assert!(matches(&folder, &format!("{corner} --turns ..0 g.sgf")).is_empty());
    assert!(matches(&folder, &format!("{corner} --next g.sgf")).is_empty());
    let wide = "'X....,.....,.....,.....,....O'";
    assert_eq!(
        matches(&folder, &format!("{wide} --next g.sgf")),
        ["1 2 none false cc B ea", "2 2 mirror-left-right false cc B ea", "3 2 rotate-180 false cc W ea"]
    );
}

#[test]
fn pattern_may_come_from_any_source() {
    let folder = games();
    let diagram = "+---------+\n|.........|\n|.........|\n|..X......|\n".to_owned()
        + &"|.........|\n".repeat(3)
        + "|......O..|\n|.........|\n|.........|\n+---------+\n";
    folder.file("pattern.txt", &diagram).file("other.sgf", GAMES[0]);
    let expected = matches(&folder, "pattern.txt g.sgf");
    assert_eq!(
        expected,
        ["1 2 none false aa B gc", "2 2 mirror-left-right false aa B gc", "3 2 rotate-180 false aa W gc"]
    );
    assert_eq!(matches(&folder, &format!("'{diagram}' g.sgf")), expected);
    assert_eq!(matches(&folder, "--position other.sgf --turn 2 g.sgf"), expected);
    assert_eq!(matches(&folder, "--position g.sgf#1 --turn 2 g.sgf"), expected);
    let run = folder.run_with_input("find -q - g.sgf", &diagram);
    assert_eq!(run.rows().len(), 3, "{}", run.err);
}

#[test]
fn diagram_may_begin_with_an_edge() {
    let folder = games();
    let expected = ["1 1 none false ba W elsewhere", "2 1 none false fa W elsewhere"];
    let found = |line: &str| matches(&folder, &format!("--no-symmetry {line} g.sgf"));
    assert_eq!(found("'---,...,...,.X.'"), expected);
    assert_eq!(found("'---\n...\n...\n.X.\n'"), expected);
    assert_eq!(found("'--- , . . . , . . . , . X .'"), expected);
    assert_eq!(matches(&folder, "'...' --no-symmetry g.sgf").len(), 3);
    let run = run_line(&folder, "find '-+-,...' g.sgf");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("PATTERN: line 1, column 2: '+' is a corner"), "{}", run.err);
    // Options are still options.
    let run = run_line(&folder, "find --swap-colours X g.sgf");
    assert!(run.err.contains("--swap-colors"), "{}", run.err);
}

#[test]
fn faults_name_the_place_and_the_remedy() {
    let folder = games();
    folder.file("bad.txt", "X O\nX Q\n");
    let fault = |line: &str| {
        let run = run_line(&folder, &format!("find {line}"));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}: {}", run.err);
        run.err
    };
    let has = |line: &str, part: &str| assert!(fault(line).contains(part), "{line}: {}", fault(line));
    has("bad.txt g.sgf", "bad.txt: line 2, column 3: 'Q' is not a point");
    has("'X,XX' g.sgf", "PATTERN: line 1, column 5: the row and the row in line 1 have different lengths");
    has("missing.txt g.sgf", "is no diagram (line 1, column 1: 'm' is not a point");
    has("g.sgf", "g.sgf: line 1, column 1: '(' is not a point");
    has("--points 'B D4, W Z99' g.sgf", "--points: line 1, column 9: there is no point Z99 on 19x19");
    has("--position g.sgf g.sgf", "g.sgf holds 3 games");
    has("--position g.sgf#1 --turn 9 g.sgf", "the main line has 4 turns");
    has("--turns 9..2 X g.sgf", "turn 9 comes after turn 2");
    has("--turns 9 X g.sgf", "write A..B");
    has("", "there is no pattern");
    has(". g.sgf", ". is a folder");
    has("- -", "standard input can't contain both");
    has("bad.txt --output bad.txt g.sgf", "bad.txt");
    assert_eq!(folder.read("bad.txt"), "X O\nX Q\n");
}

#[test]
fn continuations_count_wins_in_the_colours_of_the_pattern() {
    let folder = games();
    let run = run_line(
        &folder,
        &format!("find -q --table continuations --points '{THREE_STONES}' --size 9 --swap-colors g.sgf"),
    );
    let cells = |name| run.column(name).join(" ");
    assert_eq!(cells("next"), "gc ee pass");
    assert_eq!(cells("next_color"), "W W W");
    assert_eq!(cells("letter"), "a b ");
    assert_eq!(cells("black_wins"), "1 0 1");
    assert_eq!(cells("white_wins"), "0 1 0");
    assert_eq!(cells("first_year"), "1998 2004 2010");
    assert_eq!(cells("share"), "0.333 0.333 0.333");
}

#[test]
fn text_draws_the_pattern_with_letters() {
    let run = run_line(&games(), "find -q --format text '+-----,|.....,|.....,|..X..,|.....,|....O' --next g.sgf");
    assert_eq!(run.out, "");
    let run = run_line(&games(), "find -q --format text --all 'X....,.....,.....,.....,....O' --next g.sgf");
    assert!(run.out.starts_with("g.sgf#1 turn 2, next B ea (Ito - Sato, 1998, B+R)\n"), "{}", run.out);
    assert!(run.out.contains("\n    X . . . a\n") && run.out.contains("\n3 matches\na B ea "), "{}", run.out);
}

#[test]
fn variations_are_searched_on_request() {
    let folder = Folder::new();
    folder.file("v.sgf", "(;SZ[9];B[cc](;W[gg])(;W[gc];B[gg]))");
    let points = "--points 'B C7, W G7, B G3' --size 9";
    assert!(matches(&folder, &format!("{points} v.sgf")).is_empty());
    let run = run_line(&folder, &format!("find -q {points} --variations all v.sgf"));
    assert_eq!((run.column("variation"), run.column("turn")), (vec!["2".to_owned()], vec!["3".to_owned()]));
}

#[test]
fn rows_do_not_depend_on_threads_and_follow_filters() {
    let folder = Folder::new();
    folder.file("g.sgf", GAMES.concat().repeat(500));
    let rows = |flags: &str| run_line(&folder, &format!("find -q --all --swap-colors {flags} 'X???O' g.sgf")).out;
    assert_eq!(rows("--jobs 1"), rows("--jobs 3"));
    assert_eq!(matches(&folder, "--where 'year > 2005' '+---,|...,|...,|..X' g.sgf").len(), 500);
    let table = run_line(&folder, "find -q --table continuations 'X???O' g.sgf --jobs 3").out;
    assert_eq!(table, run_line(&folder, "find -q --table continuations 'X???O' g.sgf --jobs 1").out);
}

#[test]
fn errors_of_games_do_not_change_the_exit_code() {
    let folder = Folder::new();
    folder.file("g.sgf", ILLEGAL);
    assert_eq!(run_line(&folder, "find X g.sgf").code, 0);
    assert_eq!(run_line(&folder, "find X --fail-if 'P > 0' g.sgf").code, 1);
    assert_eq!(run_line(&folder, "find --table continuations X --fail-if 'P > 0' g.sgf").code, 1);
}
