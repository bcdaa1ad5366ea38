//! The card of a game: `jigo FILE` and `jigo show FILE`.

use serde_json::Value;

use crate::archives::zip;
use crate::new_user::on_a_terminal;
use crate::support::cli::{CLEAN, Folder, ILLEGAL};

/// White wins by 1.5 under Japanese rules and loses under no others. Marks give the dead stones.
const COUNTED: &str = "(;GM[1]SZ[5]KM[0.5]RU[Japanese]RE[B+3.5]PB[Ann]PW[Bo];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd]\
     ;B[ce];W[de];B[ee];W[];B[]TB[aa][ab][ac][ad][ae][ba][bb][bc][bd][be]TW[ea][eb][ec][ed][ee])";

fn folder() -> Folder {
    let folder = Folder::with_games();
    folder.file("counted.sgf", COUNTED).file("contradicted.sgf", COUNTED.replace("RE[B+3.5]", "RE[W+5.5]"));
    folder.file("resigned.sgf", COUNTED.replace("RE[B+3.5]", "RE[W+R]"));
    folder.file("silent.sgf", COUNTED.replace("RE[B+3.5]", ""));
    folder.file("two.sgf", format!("{ILLEGAL}\n{COUNTED}")).file("many.sgf", COUNTED.repeat(21));
    folder.file("no-komi.sgf", COUNTED.replace("KM[0.5]", "").replace("RE[B+3.5]", ""));
    folder.file("unreadable.sgf", COUNTED.replace("RE[B+3.5]", "RE[B+0.2]"));
    folder.file("empty.sgf", "").file("cut.sgf", &COUNTED[..80]);
    folder
}

/// Returns the first paragraph of a card as one line.
fn verdict(folder: &Folder, line: &str) -> String {
    let run = folder.run(line);
    let paragraph = run.out.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    assert!(run.out.lines().all(|line| line.chars().count() <= 80), "{}", run.out);
    paragraph
}

#[test]
fn first_line_of_a_card_is_its_verdict() {
    let folder = folder();
    for (line, expected) in [
        ("counted.sgf", "This record is sound. The count confirms B+3.5."),
        ("show counted.sgf", "This record is sound. The count confirms B+3.5."),
        ("contradicted.sgf", "1 error: winner contradicted. The count contradicts the result: B+3.5 instead of W+5.5;"),
        ("resigned.sgf", "The count can't confirm W+R: the game ended by resignation, so nothing was counted."),
        ("resigned.sgf --dead-stones E1", "The count"),
        ("silent.sgf", "The record states no result; by japanese rules the count is B+3.5."),
        ("no-komi.sgf", "no result; by japanese rules, with an assumed komi of 6.5, the count is W+2.5."),
        ("unreadable.sgf", "The result B+0.2 can't be read"),
        ("illegal.sgf", "1 error: occupied at turn 2."),
        ("counted.sgf --dead none", "dead stones unknown (--dead-stones names all dead stones)"),
        ("cut.sgf", "2 errors: "),
    ] {
        let verdict = verdict(&folder, line);
        assert!(verdict.contains(expected), "{line}: {verdict}");
    }
}

#[test]
fn scores_agree_with_the_result_or_say_why_not() {
    let out = folder().run("counted.sgf --ascii").out;
    for line in [
        "counted.sgf#1: Ann (Black) - Bo (White)",
        " 1 # # X O x 1",
        "Dead, counted: 1 black, 0 white; 0 dame",
        "Area 5, territory 4, Black minus White without komi: Black made more turns (+1)",
    ] {
        assert!(out.lines().any(|other| other == line), "{line}: {out}");
    }
    let line = |name: &str| out.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(line("japanese").ends_with("as recorded") && !line("japanese").contains("not"), "{out}");
    assert!(line("chinese").contains("B+4.5") && line("chinese").contains("not as recorded, by area"), "{out}");
}

#[test]
fn path_in_place_of_a_command_shows_cards() {
    let folder = folder();
    let zipped = zip(&[("in/g.sgf".to_owned(), COUNTED.as_bytes().to_vec())]);
    folder.file("one.zip", zipped).file("d/counted.sgf", COUNTED).file("check", CLEAN);
    for line in ["one.zip", "one.zip!in/g.sgf#1", "d", "./d", "two.sgf#2", "--ascii counted.sgf"] {
        assert!(verdict(&folder, line).contains("confirms B+3.5"), "{line}");
    }
    assert!(folder.run_with_input("-", COUNTED).out.contains("\n-#1: Ann"));
    let both = folder.run("two.sgf counted.sgf").out;
    for name in ["\ntwo.sgf#1\n", "\ntwo.sgf#2: ", "\ncounted.sgf#1: "] {
        assert!(both.contains(name), "{name}: {both}");
    }
    for (line, words) in [
        ("empty.sgf", "empty.sgf holds no game"),
        ("none.sgf", "none.sgf: No such file"),
        ("two.sgf#3", "there is no game 3"),
        ("chek", "'check'"),
        ("two.sgf --format svg", "a picture shows one game"),
        ("two.sgf counted.sgf --turn 1", "name only one"),
    ] {
        let run = folder.run(line);
        assert!(run.code == 2 && run.out.is_empty() && run.err.contains(words), "{line}: {}", run.err);
    }
    // A command is not a path.
    assert!(folder.run("check clean.sgf").out.starts_with("file,"));
}

#[test]
fn many_games_get_the_commands_for_archives() {
    let run = folder().run("many.sgf");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    for words in ["more than 20 games", "jigo report --out audit many.sgf\n", "jigo check many.sgf\n"] {
        assert!(run.err.contains(words), "{words}: {}", run.err);
    }
}

#[test]
fn findings_are_sentences_with_errors_first() {
    let folder = folder();
    folder.file("stray.sgf", format!("{ILLEGAL} some words"));
    let out = folder.run("stray.sgf").out;
    let error = out.find("\nerror    turn 2, White E5: occupied: the stone there is replaced").unwrap();
    let info = out.find("\ninfo     line 1: text-outside-games: \"some words\" (I004)").unwrap();
    assert!(error < info, "{out}");
    let more = [
        "\nMore:    jigo explain P001\n",
        "         jigo show 'stray.sgf#1' --turn 2\n",
        "         jigo score --all-endings stray.sgf\n",
    ];
    assert!(out.ends_with(&more.concat()), "{out}");
}

#[test]
fn card_is_a_picture_and_json() {
    let folder = folder();
    let svg = folder.run("counted.sgf --format svg").out;
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("<title>counted.sgf#1"), "{svg}");
    assert_eq!(folder.run("counted.sgf --out card.svg").code, 0);
    assert_eq!(folder.read("card.svg"), svg);
    let out = folder.run("two.sgf --format json").out;
    let cards: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(cards.len(), 2, "{out}");
    assert_eq!(cards[1]["verdict"], "This record is sound. The count confirms B+3.5.");
    let tables = &cards[1]["tables"];
    assert_eq!((&tables["games"][0]["black"], &tables["scores"][0]["agrees"]), (&"Ann".into(), &true.into()));
    assert_eq!(cards[0]["tables"]["findings"][0]["code"], "P001");
}

#[test]
fn colours_are_not_needed_to_tell_stones_apart() {
    let folder = folder();
    let Some(out) = on_a_terminal(&folder, "counted.sgf") else { return };
    for symbol in ['●', '○', '■', '□'] {
        assert!(out.contains(symbol), "{symbol}: {out}");
    }
}

#[test]
fn check_of_one_game_ends_with_its_verdict_on_a_terminal() {
    let folder = folder();
    for (line, expected) in [
        ("check counted.sgf --results", "This record is sound. The count confirms B+3.5."),
        ("check illegal.sgf", "1 error: occupied at turn 2."),
        ("check two.sgf --results", "games/s"),
        ("check --select K counted.sgf --results", "games/s"),
    ] {
        let Some(out) = on_a_terminal(&folder, line) else { return };
        assert!(out.trim_end().lines().last().unwrap().contains(expected), "{line}: {out}");
    }
    assert!(folder.run("check counted.sgf --results").err.ends_with("games/s\n"));
}

#[test]
fn option_of_another_command_gets_a_sentence() {
    let folder = folder();
    for (line, expected) in [
        ("fix --resume .", "jigo fix has no --resume, which is an option of check, "),
        ("score --results .", "jigo score has no --results, which is an option of check;"),
        ("check --dead none .", "jigo check has no --dead, which is an option of score, "),
        ("check --out x .", "'--output'"),
        ("check --selct K .", "'--select'"),
    ] {
        let run = folder.run(line);
        assert!(run.code == 2 && run.err.contains(expected), "{line}: {}", run.err);
        assert!(!run.err.contains("'--force'") && !run.err.contains("'--rules'"), "{line}: {}", run.err);
    }
    let show = folder.run("show counted.sgf --ending --dead none");
    assert!(show.err.contains("--dead-stones names all dead stones"), "{}", show.err);
}

#[test]
fn word_that_is_neither_a_command_nor_a_file_gets_a_sentence() {
    let folder = folder();
    for (line, expected) in [
        ("counted", "counted is neither a command nor a file; did you mean counted.sgf? (a name with blanks"),
        ("nowhere", "nowhere is neither a command nor a file (a name with blanks needs quotes; jigo -h lists"),
        ("chek .", "'check'"),
    ] {
        let run = folder.run(line);
        assert!(run.code == 2 && run.err.contains(expected), "{line}: {}", run.err);
    }
}

#[test]
fn resigned_game_names_the_command_that_counts_it() {
    let folder = folder();
    assert!(folder.run("resigned.sgf").out.contains("jigo score --all-endings resigned.sgf\n"));
    assert!(!folder.run("counted.sgf").out.contains("--all-endings"));
}

#[test]
fn open_board_with_given_dead_stones_is_doubted() {
    let folder = folder();
    folder.file("open.txt", "X . . . O\n".repeat(5) + "dead none\n");
    let out = folder.run("show open.txt").out.replace('\n', " ");
    assert!(out.contains("15 dame: a dead stone, or a stone of a wall, may be missing"), "{out}");
    let err = folder.run("score --dead-stones none open.txt").err;
    assert!(err.contains("15 dame: --dead-stones may lack a stone"), "{err}");
    assert!(!folder.run("show counted.sgf").out.contains("may be missing"));
}
