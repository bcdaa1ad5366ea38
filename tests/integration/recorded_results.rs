//! Recorded results against the count on the command line: the required confidence, and the command
//! that lists the findings.

use crate::support::cli::Folder;

/// Returns games with contradicted and explained results. The confidence of their estimates is at
/// least 0.98 and less than 1.
fn folder() -> Folder {
    let fixture = |name: &str| std::fs::read(format!("fixtures/findings/{name}.sgf")).unwrap();
    let folder = Folder::new();
    folder.file("winner.sgf", fixture("R001-winner-contradicted"));
    folder.file("margin.sgf", fixture("R002-margin-contradicted"));
    folder.file("explained.sgf", fixture("R003-result-explained"));
    folder.file("same.sgf", fixture("R001-near-miss"));
    folder
}

#[test]
fn low_confidence_neither_contradicts_nor_explains() {
    let folder = folder();
    let verdicts = |options: &str| {
        let run = folder.run(&format!("score -q --exit-zero --table results {options} ."));
        (run.column("file").into_iter().zip(run.column("verdict")))
            .map(|(file, verdict)| file + " " + &verdict)
            .collect()
    };
    let usual: Vec<String> = verdicts("");
    assert_eq!(
        usual,
        ["./explained.sgf explained", "./margin.sgf contradicted", "./same.sgf same", "./winner.sgf contradicted"]
    );
    let doubted: Vec<String> = verdicts("--min-confidence 0.999");
    assert_eq!(
        doubted,
        ["./explained.sgf unsettled", "./margin.sgf unsettled", "./same.sgf same", "./winner.sgf unsettled"]
    );
    assert_eq!(verdicts("--min-confidence 0"), usual);
    let errors = |options: &str| folder.run(&format!("score -q {options} .")).code;
    assert_eq!(["", "--min-confidence 0.999"].map(errors), [1, 0]);
}

/// Returns the command after the summary, without the program name, and the rest of the line.
fn named_command(err: &str) -> (Vec<String>, String) {
    let line = err.lines().last().unwrap();
    let (command, end) = line.split_once(": jigo ").unwrap().1.split_once(" lists them").unwrap();
    (shlex::split(command).unwrap(), end.to_owned())
}

#[test]
fn command_that_lists_errors_repeats_the_counting_flags() {
    let folder = folder();
    let listed = |line: &str| {
        named_command(&crate::support::cli::run_command(&mut folder.command(shlex::split(line).unwrap())).err)
    };
    let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    let (check_command, end) =
        listed("score --rules aga,nz --min-confidence 0.7 --komi 5 --limit 9 winner.sgf same.sgf");
    assert_eq!(
        (check_command.clone(), end),
        (words("check --results --severity error --rules aga,nz --limit 9 winner.sgf same.sgf"), String::new())
    );
    let run = crate::support::cli::run_command(&mut folder.command(&check_command));
    assert_eq!((run.column("file"), run.column("code")), (words("winner.sgf"), words("R001")));

    let (report_command, end) = listed("score --dead playouts --min-confidence 0.95 --where 'size = 5' .");
    let expected = "report --out errors --severity error --dead playouts --min-confidence 0.95 --where";
    assert_eq!(report_command, [words(expected), vec!["size = 5".into(), ".".into()]].concat());
    assert_eq!(crate::support::cli::run_command(&mut folder.command(&report_command)).code, 1);
    assert_eq!(end, " in errors/findings.csv");
    let findings = folder.read("errors/findings.csv");
    let rows: Vec<&str> = findings.lines().skip(1).collect();
    assert!(rows.len() == 1 && rows[0].starts_with("./winner.sgf,1,"), "{findings}");
}

#[test]
fn inputs_that_cannot_be_reread_are_not_named() {
    let folder = folder();
    let run = folder.run_with_input("score -", &folder.read("winner.sgf"));
    assert!(run.err.ends_with(": jigo check --results --severity error lists them\n"), "{}", run.err);
    let turns = folder.file("illegal.sgf", "(;SZ[9];B[ee];W[ee])").run("check --table turns --rules aga illegal.sgf");
    assert!(turns.err.ends_with(": jigo check --severity error --rules aga illegal.sgf lists them\n"), "{}", turns.err);
}

#[test]
fn game_without_ruleset_is_reported_for_recorded_rules() {
    let folder = Folder::new();
    let turns = "B[ba];W[ca];B[bb];W[cb];B[bc];W[cc];B[];W[]TB[aa][ab][ac]TW[da][db][dc]";
    folder.file("none.sgf", format!("(;SZ[4:3]KM[0]RE[0];{turns})"));
    folder.file("other.sgf", format!("(;SZ[4:3]KM[0]RE[0]RU[Martian];{turns})"));
    folder.file("resigned.sgf", format!("(;SZ[4:3]KM[0]RE[B+R];{turns})"));
    folder.file("unreadable.sgf", "(;SZ[0]RU[japanese])");
    folder.file("named.sgf", format!("(;SZ[4:3]KM[0]RE[0]RU[Japanese];{turns})"));
    let run = folder.run("score -q --rules recorded .");
    let rows: Vec<String> = ["file", "ruleset", "black_minus_white", "status", "reason"]
        .map(|name| run.column(name))
        .into_iter()
        .reduce(|rows, more| rows.into_iter().zip(more).map(|(row, cell)| row + " | " + &cell).collect())
        .unwrap();
    assert_eq!(
        rows,
        [
            "./named.sgf | japanese | 0 | counted | ",
            "./none.sgf |  |  | not_counted | no ruleset known",
            "./other.sgf |  |  | not_counted | no ruleset known",
            "./resigned.sgf |  |  | not_counted | resignation",
            "./unreadable.sgf |  |  | not_replayed | unreadable",
        ]
    );
}

/// A game on 5x5 that ends with two passes: area 13 to 12, territory 5 to 5.
const EVEN: &str = "B[be];W[de];B[bd];W[dd];B[bc];W[dc];B[bb];W[db];B[ba];W[da];B[ce];W[cd];B[cc];W[cb];B[ca];W[];B[]";

/// Returns the verdict on the result of that game, its cause, and whether the result agrees with a
/// count under a ruleset.
fn verdict_of(header: &str) -> [String; 3] {
    let folder = Folder::new();
    folder.file("g.sgf", format!("(;SZ[5]{header};{EVEN})"));
    let results = folder.run("score -q --exit-zero --table results g.sgf");
    let scores = folder.run("score -q --exit-zero --rules japanese g.sgf");
    [results.column("verdict"), results.column("cause"), scores.column("agrees")].map(|cells| cells[0].clone())
}

#[test]
fn assumed_komi_and_rules_raise_no_error() {
    assert_eq!(verdict_of("RE[B+1]"), ["explained", "komi 0, counted by area", "false"]);
    assert_eq!(verdict_of("RE[B+]"), ["unsettled", "", "false"]);
    assert_eq!(verdict_of("RE[B+1]KM[6.5]")[0], "contradicted");
    assert_eq!(verdict_of("RE[B+1]RU[Chinese]"), ["explained", "komi 0", "false"]);
}

#[test]
fn unreadable_result_is_not_compared() {
    for result in ["W+Score", "W+1e1", "B+6.5/W+6.5", "B+Unknown"] {
        assert_eq!(verdict_of(&format!("RU[Japanese]KM[6.5]RE[{result}]"))[2], "", "{result}");
    }
    assert_eq!(verdict_of("RU[Japanese]KM[6.5]RE[W+6.5]")[2], "true");
}

#[test]
fn record_with_result_but_no_turns_is_not_counted() {
    let folder = Folder::new();
    folder.file("empty.sgf", "(;SZ[19]RU[Japanese]KM[6.5]RE[B+10.5])");
    folder.file("handicap.sgf", "(;SZ[19]RU[Japanese]KM[0.5]HA[2]AB[dd][pp]RE[B+10.5])");
    folder.file("position.sgf", "(;SZ[2:1]RU[Japanese]KM[6.5]AB[aa]AW[ba]RE[W+6.5])");
    let run = folder.run("score -q --rules japanese empty.sgf handicap.sgf");
    assert_eq!((run.code, run.column("status")), (0, vec!["not_counted".to_owned(); 2]));
    assert_eq!(run.column("reason"), ["unfinished", "unfinished"]);
    assert_eq!(folder.run("score -q --table results empty.sgf").column("verdict"), ["not_counted"]);
    assert_ne!(folder.run("score -q --exit-zero --rules japanese position.sgf").column("status"), ["not_counted"]);
}

/// Setup, turns in a row and turns with White's passes are one handicap.
#[test]
fn handicap_has_one_margin_in_every_form() {
    let folder = Folder::new();
    let game = |root: &str| {
        format!(
            "(;GM[1]FF[4]SZ[5]KM[0]RU[Chinese]{root};W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[])"
        )
    };
    let forms = [
        ("HA[2]AB[ca][ba]", ""),
        ("HA[2];B[ca];B[ba]", ""),
        ("HA[2];B[ca];W[];B[ba]", ""),
        ("HA[2];B[ca];W[tt];B[ba]", ""),
        ("AB[ca][ba]", ""),
        ("HA[0];B[ca];B[ba]", "HA says 0, the record has 2"),
        (";B[ca];B[ba]", "Black has 2 stones before White's first play, and HA is missing"),
        ("HA[3]AB[ca][ba]", "HA says 3, the record has 2"),
    ];
    for (root, detail) in forms {
        folder.file("g.sgf", game(root));
        for (rules, margin) in [("chinese", "3"), ("aga", "4"), ("aga,scoring=pass-stones", "4")] {
            let run = folder.run(&format!("score -q --exit-zero --rules {rules} g.sgf"));
            assert_eq!(run.column("black_minus_white"), [margin], "{root} {rules}");
        }
        let run = folder.run("check -q --exit-zero --select P,H006,H016 g.sgf");
        assert_eq!(run.column("detail"), if detail.is_empty() { vec![] } else { vec![detail.to_owned()] }, "{root}");
    }
    folder.file("g.sgf", "(;GM[1]FF[4]SZ[9]HA[7]AB[aa][bb][cc]AW[ee];B[ff])");
    let run = folder.run("check -q --exit-zero --select H006 g.sgf");
    assert_eq!(run.column("detail"), ["HA says 7, the record has 3"]);
}

/// Under Tromp-Taylor rules by the letter, and on CGOS, a stone that is not captured lives.
#[test]
fn programs_remove_no_stones() {
    let folder = Folder::new();
    // The white stone in the corner is dead: B+5. With it the area is 5 against 11: W+6.
    let stones = "AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd][de][aa];B[];W[]";
    let findings = |root: &str| {
        folder.file("g.sgf", format!("(;GM[1]FF[4]SZ[5]KM[0]{root}{stones})"));
        folder.run("check -q --exit-zero --results --select R g.sgf").column("code")
    };
    for root in ["RU[Tromp-Taylor]", "PC[CGOS]RU[Chinese]", "PC[CGOS]", "RU[koPOSITIONALscoreAREAtaxNONEsui1fpok0]"] {
        assert_eq!(findings(&format!("{root}RE[W+6]")), Vec::<String>::new(), "{root}");
        assert_eq!(findings(&format!("{root}RE[B+5]")), ["R003"], "{root}");
        assert_eq!(findings(&format!("{root}RE[B+]")), ["R003"], "{root}");
        assert_ne!(findings(&format!("{root}RE[W+16]")), ["R003"], "{root}");
        let scores = folder.run("score -q --exit-zero --rules recorded g.sgf");
        let columns =
            ["black_minus_white", "dead_source", "confidence", "status"].map(|name| scores.column(name).remove(0));
        assert_eq!(columns, ["-6", "as_is", "", "counted"], "{root}");
    }
    for root in ["RU[Chinese]", "RU[koPOSITIONALscoreAREAtaxNONEsui1fpok1]"] {
        assert_eq!(findings(&format!("{root}RE[B+5]")), Vec::<String>::new(), "{root}");
        assert_ne!(findings(&format!("{root}RE[W+6]")), Vec::<String>::new(), "{root}");
    }
    let rules = "tromp-taylor,tromp-taylor-as-is,chinese,dead-stones=as_is,igs,dead-stones=as-is";
    let scores = folder.run(&format!("score -q --exit-zero --rules {rules} g.sgf"));
    assert_eq!(scores.column("black_minus_white"), ["5", "-6", "-6", "-5"]);
    assert!(folder.run("rules tromp-taylor-as-is").out.contains("no stone is removed"));
}

/// The record of an old game lacks its last turns and its komi. Neither is an error.
#[test]
fn records_without_passes_lack_turns_before_anything_else() {
    let folder = Folder::new();
    // Black owns 45 points and White 36, with equal stones.
    let columns = ["ef", "dg", "ch", "bi", "ai"];
    let rows = ["abcdefghi", "abcdefghi", "adg", "bf", "e"];
    let turns: Vec<String> = (columns.iter().zip(rows))
        .flat_map(|(pair, rows)| rows.chars().map(|row| format!(";B[{}{row}];W[{}{row}]", &pair[..1], &pair[1..])))
        .collect();
    let game = |root: &str, passes: &str| format!("(;GM[1]FF[4]SZ[9]{root}{}{passes})", turns.concat());
    for (root, passes, expected) in [
        ("DT[1985]RU[Japanese]KM[9.5]RE[B+0.5]", "", "R003"),
        ("DT[1985]RU[Japanese]KM[9.5]RE[W+1.5]", "", "R003"),
        ("DT[1985]RU[Japanese]KM[5.5]RE[B+2.5]", "", "R003"),
        ("DT[1985]RU[Chinese]KM[9.5]RE[B+0.5]", "", "R003"),
        ("DT[1985]RU[Japanese]KM[9.5]RE[B+0.5]", ";B[];W[]", "R001"),
        ("DT[1853]RE[B+10]", "", "R003"),
        ("DT[1853]RE[B+10]", ";B[];W[]", "R004"),
        ("DT[1853]RE[W+9]", ";B[];W[]", "R001"),
        ("DT[1990]RE[B+20]", ";B[];W[]", "R004"),
    ] {
        let text = game(root, passes);
        folder.file("g.sgf", &text);
        let run = folder.run("check -q --exit-zero --results --select R g.sgf");
        assert_eq!(run.column("code"), [expected], "{root}{passes}");
        if expected != "R001" {
            assert_eq!(folder.run("fix -q --exit-zero --unsafe --select R g.sgf").rows().len(), 0, "{root}{passes}");
        }
        let confidence =
            format!("confidence {}", folder.run("score -q --exit-zero --rules japanese g.sgf").column("confidence")[0]);
        assert!(run.column("detail")[0].contains(&confidence), "{root}{passes} {confidence}");
    }
}

#[test]
fn marks_of_no_or_few_points_name_no_dead_stones() {
    let folder = Folder::new();
    let source = |marks: &str| {
        folder.file("g.sgf", format!("(;SZ[5]RU[Japanese]KM[6.5];{EVEN}{marks})"));
        folder.run("score -q --exit-zero --rules japanese g.sgf").column("dead_source")
    };
    let unmarked = source("");
    assert_ne!(unmarked, ["markup"]);
    // The last case marks only part of the board.
    for marks in ["TB[]TW[]", "TB[]", "TB[zz]", "TW[zz][xx]", "TB[aa]"] {
        assert_eq!(source(marks), unmarked, "{marks}");
    }
    assert_eq!(source("TB[aa][ab][ac][ad][ae]TW[ea][eb][ec][ed][ee]"), ["markup"]);
}

/// The rows of a board of 9x9.
const ROWS: &str = "abcdefghi";

/// Returns the points of columns and rows as values of a property.
fn points(columns: &str, rows: &str) -> String {
    columns.chars().flat_map(|x| rows.chars().map(move |y| format!("[{x}{y}]"))).collect()
}

/// Returns the root of a game in which two walls divide a board of 9x9, with a dead white stone at
/// the top left. White wins by 8.5 points.
fn divided_board(result: &str) -> String {
    format!("(;SZ[9]RU[Japanese]KM[0.5]RE[{result}]AB{}AW[bb]{}", points("d", ROWS), points("e", ROWS))
}

/// Returns the verdict on the only game of a text, and the cause of a difference.
fn verdict_of_game(text: String) -> (String, String) {
    let folder = Folder::new();
    folder.file("g.sgf", text);
    let run = folder.run("score -q --exit-zero --table results g.sgf");
    (run.column("verdict").concat(), run.column("cause").concat())
}

/// Editors remove dead stones in a last node, when the players count.
#[test]
fn stones_removed_after_the_last_turn_are_prisoners() {
    let verdict_after = |end: &str| verdict_of_game(divided_board("W+8.5") + ";B[];W[]" + end + ")").0;
    assert_eq!(verdict_after(";AE[bb]"), "same");
    assert_eq!(verdict_after(";AE[bb]TB[ba]"), "same");
    assert_ne!(verdict_after(";AE[bb]AB[bb]"), "contradicted");
    assert_ne!(verdict_after(";AE[bb];B[];W[]"), "contradicted");
}

#[test]
fn damaged_turns_contradict_no_result() {
    let played = |turns: &str| verdict_of_game(divided_board("B+20.5") + turns + ";B[];W[])");
    assert_eq!(played("").0, "contradicted");
    for damaged in [";B[?]", ";B[zz]", ";B[da]", ";B[ca];B[cb]", ";B[ca];x W[fa]", ";AB[ca]"] {
        let (verdict, cause) = played(&format!(";B[aa];W[ia]{damaged}"));
        assert_eq!((verdict.as_str(), cause.as_str()), ("unsettled", "damaged turns"), "{damaged}");
    }
}

/// A mark of a lesson does not name all dead stones.
#[test]
fn marks_of_a_part_of_the_territory_name_no_dead_stones() {
    let folder = Folder::new();
    let source = |black: &str, white: &str| {
        folder.file("g.sgf", format!("{};B[];W[];{black}{white})", divided_board("W+8.5")));
        folder.run("score -q --exit-zero g.sgf").column("dead_source")[0].clone()
    };
    let (black, white) = (format!("TB{}", points("abc", ROWS)), format!("TW{}", points("fghi", ROWS)));
    assert_eq!(source(&black, &white), "markup");
    for (black, white) in [("TB[aa]", ""), (&black, ""), ("", &white), ("TB[aa]", &white)] {
        assert_ne!(source(black, white), "markup", "{black} {white}");
    }
}

/// GNU Go marks only empty points.
#[test]
fn dead_stones_among_marked_empty_points_are_counted() {
    let folder = Folder::new();
    let white = points("fghi", ROWS);
    let empty = points("abc", ROWS).replace("[bb]", "");
    for marks in [format!("TB{empty}TW{white}"), format!("TB{empty}[bb]TW{white}")] {
        folder.file("g.sgf", format!("{};B[];W[];{marks})", divided_board("W+8.5")));
        let run = folder.run("score -q --table results g.sgf");
        assert_eq!((run.code, run.column("verdict")), (0, vec!["same".to_owned()]), "{marks}");
        assert_eq!(folder.run("score -q g.sgf").column("dead_source")[0], "markup");
    }
}

/// Each corner group has one eye, and Black's is larger. It is unknown whether Japanese players
/// counted the eyes.
#[test]
fn compared_and_shown_counts_have_their_confidence() {
    let folder = Folder::new();
    folder.file("g.sgf", "(;SZ[6:2]KM[0.5]AB[ca][ab][bb][cb]AW[ea][eb][fb];B[];W[]TB[aa][ba]TW[fa])");
    let rules = "--rules chinese,japanese g.sgf";
    let scores = folder.run(&format!("score -q --exit-zero {rules}")).column("confidence");
    assert_eq!(scores, ["", "0.500"]);
    let compared = folder.run(&format!("compare -q --list=all --format csv {rules}"));
    assert_eq!(compared.column("confidence"), ["0.500"]);
    let shown = folder.run(&format!("show --ending {rules}")).out;
    let line = |name: &str| shown.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(line("japanese").contains("0.500") && !line("chinese").contains("0."), "{shown}");
}

/// As many points are neutral as in the middle of a game, and no player passed.
#[test]
fn result_of_broken_off_game_is_not_contradicted() {
    let folder = Folder::new();
    let turns: String = "abcdefghi".chars().map(|y| format!(";B[c{y}];W[g{y}]")).collect();
    let verdict = |passes: &str| {
        folder.file("g.sgf", format!("(;SZ[9]RU[Japanese]KM[0.5]RE[B+20.5]{turns}{passes})"));
        let run = folder.run("score -q --exit-zero --dead playouts --table results g.sgf");
        run.column("verdict").concat()
    };
    assert_eq!(verdict(""), "unsettled");
    assert_eq!(verdict(";B[];W[]"), "unsettled");
}

/// Walls with a White stone in Black's area, counted after two passes.
fn walls_with_stone(header: &str, passes: &str) -> String {
    let turns = ";B[ca];W[ea];B[cb];W[eb];B[cc];W[ec];B[cd];W[ed];B[ce];W[ee];B[cf];W[ef];B[cg];W[eg]";
    let last = ";B[da];W[db];B[dc];W[dd];B[de];W[ac];B[dg];W[df]";
    format!("(;GM[1]SZ[7]KM[6.5]RU[Japanese]{header}{turns}{last}{passes})")
}

#[test]
fn forgotten_dead_stone_is_the_cause() {
    let folder = Folder::new();
    // With the stone on the board Black has no territory: 0 against 14 and komi 6.5.
    folder.file("g.sgf", walls_with_stone("RE[W+20.5]", ";B[];W[]"));
    let run = folder.run("score -q --exit-zero --table results g.sgf");
    assert_eq!(run.column("verdict"), ["contradicted"]);
    assert_eq!(run.column("cause"), ["dead stones left: A5"]);
    // Without passes the board may not be the last one.
    folder.file("g.sgf", walls_with_stone("RE[W+20.5]", ""));
    let run = folder.run("score -q --exit-zero --table results g.sgf");
    assert!(!run.column("cause")[0].contains("left"), "{}", run.out);
}

/// KGS writes the passes of counted games.
#[test]
fn kgs_record_without_passes_accuses_no_player() {
    let folder = Folder::new();
    let verdict = |header: &str, passes: &str| {
        folder.file("g.sgf", walls_with_stone(&format!("RE[B+40.5]{header}"), passes));
        folder.run("score -q --exit-zero --table results g.sgf").column("verdict").concat()
    };
    let marks = format!("TB{}TW{}", points("ab", "abcdefg"), points("fg", "abcdefg"));
    assert_eq!(verdict("PC[The KGS Go Server]", &format!(";B[];W[]{marks}")), "contradicted");
    assert_eq!(verdict("PC[The KGS Go Server]", &marks), "unsettled");
    assert_eq!(verdict("", &marks), "contradicted");
}
