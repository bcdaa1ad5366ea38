//! Stated results against the count on the command line: how sure it has to be, and which command lists what was found.

use crate::support::cli::Folder;

/// Games whose stated results are contradicted and explained, by estimates with a confidence of 0.98 and more, and less than 1.
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
fn no_result_is_contradicted_or_explained_by_a_count_that_is_not_sure_enough() {
    let folder = folder();
    let verdicts = |options: &str| {
        let run = folder.run(&format!("score -q --exit-zero --table results {options} ."));
        (run.column("file").into_iter().zip(run.column("verdict")))
            .map(|(file, verdict)| file + " " + &verdict)
            .collect()
    };
    let as_ever: Vec<String> = verdicts("");
    assert_eq!(
        as_ever,
        ["./explained.sgf explained", "./margin.sgf contradicted", "./same.sgf same", "./winner.sgf contradicted"]
    );
    let doubted: Vec<String> = verdicts("--min-confidence 0.999");
    assert_eq!(
        doubted,
        ["./explained.sgf unsettled", "./margin.sgf unsettled", "./same.sgf same", "./winner.sgf unsettled"]
    );
    assert_eq!(verdicts("--min-confidence 0"), as_ever);
    let errors = |options: &str| folder.run(&format!("score -q {options} .")).code;
    assert_eq!(["", "--min-confidence 0.999"].map(errors), [1, 0]);
}

/// The command that is named behind the summary, without what it is called by.
fn named(err: &str) -> (Vec<String>, String) {
    let line = err.lines().last().unwrap();
    let (command, end) = line.split_once(": jigo ").unwrap().1.split_once(" lists them").unwrap();
    (shlex::split(command).unwrap(), end.to_owned())
}

#[test]
fn the_command_that_lists_errors_counts_as_the_run_did() {
    let folder = folder();
    let listed = |line: &str| named(&crate::support::cli::ran(&mut folder.command(shlex::split(line).unwrap())).err);
    let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    let (plain, end) = listed("score --rules aga,nz --min-confidence 0.7 --komi 5 --limit 9 winner.sgf same.sgf");
    assert_eq!(
        (plain.clone(), end),
        (words("check --results --severity error --rules aga,nz --limit 9 winner.sgf same.sgf"), String::new())
    );
    let found = crate::support::cli::ran(&mut folder.command(&plain));
    assert_eq!((found.column("file"), found.column("code")), (words("winner.sgf"), words("R001")));

    let (counted, end) = listed("score --dead playouts --min-confidence 0.95 --where 'size = 5' .");
    let expected = "report --out errors --severity error --dead playouts --min-confidence 0.95 --where";
    assert_eq!(counted, [words(expected), vec!["size = 5".into(), ".".into()]].concat());
    assert_eq!(crate::support::cli::ran(&mut folder.command(&counted)).code, 1);
    assert_eq!(end, " in errors/findings.csv");
    let findings = folder.read("errors/findings.csv");
    let rows: Vec<&str> = findings.lines().skip(1).collect();
    assert!(rows.len() == 1 && rows[0].starts_with("./winner.sgf,1,"), "{findings}");
}

#[test]
fn inputs_that_can_not_be_read_again_are_not_named() {
    let folder = folder();
    let run = folder.run_with_input("score -", &folder.read("winner.sgf"));
    assert!(run.err.ends_with(": jigo check --results --severity error lists them\n"), "{}", run.err);
    let turns = folder.file("illegal.sgf", "(;SZ[9];B[ee];W[ee])").run("check --table turns --rules aga illegal.sgf");
    assert!(turns.err.ends_with(": jigo check --severity error --rules aga illegal.sgf lists them\n"), "{}", turns.err);
}

#[test]
fn a_game_that_names_no_ruleset_says_so_where_only_the_recorded_one_is_asked_for() {
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
