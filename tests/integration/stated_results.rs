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
