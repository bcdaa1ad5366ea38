//! Boards and games typed by hand.

use crate::support::cli::Folder;

const BOARD: &str = "komi 0.5\nrules aga\n   A B C D\n 4 . X O .\n 3 X X O O\n 2 . X O .\n 1 . X O O\n";

fn score(input: &str) -> (i32, String) {
    let run = Folder::new().run_with_input("score -q - --rules japanese,recorded --format text", input);
    (run.code, run.out)
}

#[test]
fn typed_board_is_counted_by_its_own_komi_and_rules() {
    let (code, out) = score(BOARD);
    assert_eq!(code, 0, "{out}");
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().skip(1).take(3).collect()).collect();
    // Black has 3 points and 5 stones, White 2 points and 6 stones.
    assert_eq!(lines, [["japanese", "B+0.5", "counted"], ["aga", "W+0.5", "counted"]]);
    // White has lost 3 more stones than Black.
    let (_, out) = score(&format!("{BOARD}captured B 1 W 4\n"));
    assert!(out.contains("japanese       B+3.5"), "{out}");
    assert!(out.contains("aga            W+0.5"), "{out}");
}

#[test]
fn handicap_of_a_board_gives_white_its_points() {
    let margins = |text: &str| {
        let run = Folder::new().run_with_input("score -q - --rules japanese,aga,chinese", text);
        run.column("black_minus_white")
    };
    // AGA gives White a point for each stone but one, the Chinese rules for each stone.
    assert_eq!(margins(BOARD), ["0.5", "-0.5", "-0.5"]);
    assert_eq!(margins(&format!("{BOARD}handicap 3\n")), ["0.5", "-2.5", "-3.5"]);
}

#[test]
fn wrong_row_names_line_and_column() {
    let (code, out) = score(&BOARD.replace("X X O O", "X ? O O"));
    assert_eq!(code, 1);
    assert!(out.contains("not_replayed (unreadable: line 5, column 6: '?' is not a point; X or ● is Black"), "{out}");
    let (_, out) = score(&BOARD.replace("X X O O", "X X O O O"));
    assert!(out.contains("line 5: row 3 has 5 points, the others 4"), "{out}");
    let (_, out) = score(&BOARD.replace(" 3 X X O O\n", ""));
    assert!(out.contains("row 3 is missing between lines 4 and 5"), "{out}");
    let rows = [5, 4, 3, 2, 1].map(|row| format!(" {row} . X O . .\n")).concat();
    let (_, out) = score(&rows.replace(" 2 .", "\n 2 ."));
    assert!(out.contains("unreadable: line 5: another board begins"), "{out}");
    // Lines count from the start of the file.
    for (blanks, line) in [("\n", 6), ("\r\n\r\n\r\n", 8), ("\u{FEFF}\n", 6), ("# two\n\n", 7)] {
        let (_, out) = score(&format!("{blanks}{}", BOARD.replace("X X O O", "X ? O O")));
        assert!(out.contains(&format!("line {line}, column 6")), "{blanks:?}: {out}");
    }
    let run = Folder::new().run_with_input("show -", &BOARD.replace("X X O O", "X ? O O"));
    assert_eq!(run.code, 2);
    assert!(run.out.contains("line 5, column 6"), "{}", run.out);
}

#[test]
fn unknown_rules_have_a_suggestion() {
    for rules in ["rules japanes", "ruleset = japanes"] {
        let run = Folder::new().run_with_input("check -q --format text -", &BOARD.replace("rules aga", rules));
        assert_eq!(run.code, 1);
        assert!(
            run.out.contains("D019") && run.out.contains("no ruleset 'japanes' (did you mean japanese?)"),
            "{}",
            run.out
        );
    }
}

#[test]
fn chain_without_liberties_has_no_count() {
    let board = "X O .\nX O .\nX O O\n";
    let (code, out) = score(board);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("not_counted (chain without liberties: A2: the chain of this stone)"), "{out}");
    let run = Folder::new().run_with_input("show --ending -", board);
    assert!(run.err.contains("the ending is not counted: chain without liberties: A2"), "{}", run.err);
}

#[test]
fn dead_stones_of_a_board_are_taken() {
    let board = "O . X O .\n. . X O .\n. . X O .\n. . X O .\n. . X O .\nkomi 0\n";
    // The sign for kelvin becomes a k, with one byte instead of three.
    for dead in ["dead A5\n", "dead: A5", "dead A5\n6.5 \u{212A}omi"] {
        let (_, out) = score(&format!("{board}{dead}"));
        assert!(out.contains("japanese       B+6      counted 1.000"), "{out}");
    }
    let (_, out) = score(&format!("{board}dead B2\n"));
    assert!(out.contains("given stones not on the board: there is no stone on B2"), "{out}");
}

#[test]
fn stones_that_the_text_calls_captured_are_shown() {
    let folder = Folder::new();
    folder.file("b.txt", "O . X O .\n. . X O .\n. . X O .\n. . X O .\n. . X O .\nkomi 0\ncaptured B 3 W 5\ndead A5\n");
    for options in ["", "--turn 0", "--ending"] {
        let out = folder.run(&format!("show {options} b.txt")).out;
        assert!(out.contains("Captured: 3 black, 5 white"), "{options}: {out}");
    }
    folder.file("none.txt", folder.read("b.txt").replace("captured B 3 W 5\n", ""));
    let remarks = |file: &str| folder.run(&format!("score --rules japanese,aga {file}")).column("reason");
    assert_eq!(
        remarks("none.txt"),
        ["the text does not give the captured stones of both players, so 0 is counted", ""]
    );
    assert_eq!(remarks("b.txt"), ["", ""]);
    folder.file("one.txt", folder.read("b.txt").replace("B 3 W 5", "B 3"));
    assert_eq!(remarks("one.txt"), remarks("none.txt"));
    folder.file("typo.txt", folder.read("b.txt").replace("komi", "kmoi"));
    assert_eq!(remarks("typo.txt"), ["a line beside the board can't be read (D019)"; 2]);
}

#[test]
fn drawing_of_an_ending_is_read_again() {
    let folder = Folder::new();
    let game = "(;GM[1]SZ[5]KM[0]AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd][de];B[ae];W[ab];B[];W[])";
    folder.file("g.sgf", game);
    let margin = |run: crate::support::cli::Ran| run.column("black_minus_white");
    let expected = margin(folder.run("score --rules japanese,aga --dead-stones A4 g.sgf"));
    for style in ["", "--ascii"] {
        let drawing = folder.run(&format!("show --ending --dead-stones A4 {style} g.sgf")).out;
        let read = folder.run_with_input("score --rules japanese,aga --komi 0 -", &drawing);
        assert_eq!(margin(read), expected, "{drawing}");
    }
}

#[test]
fn card_of_a_game_is_read_again() {
    let folder = Folder::new();
    folder
        .file("g.sgf", "(;GM[1]FF[4]SZ[5]KM[0.5]RU[AGA]RE[B+9.5]AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd][de];B[];W[])");
    folder.file("card.txt", folder.run("g.sgf").out);
    let read = folder.run("check --table games card.txt");
    for (column, value) in [("komi", "0.5"), ("rules_stated", "aga")] {
        assert_eq!(read.column(column), [value], "{}", folder.read("card.txt"));
    }
    let findings = folder.run("check --results card.txt");
    assert_eq!(findings.column("code"), ["I016"], "{}", findings.out);
}

#[test]
fn typed_list_of_turns_is_one_game() {
    let run = Folder::new().run_with_input("check --table turns -", "1. Q16 D4\n2. r4 c3\n");
    assert_eq!(run.column("point"), ["pd", "dp", "qp", "cq"]);
    assert_eq!(run.column("game"), ["1"; 4]);
}
