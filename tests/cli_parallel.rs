//! The number of threads changes nothing in the output.

mod support;

use support::cli::{Folder, Ran};
use support::generated::{Random, collection};

/// A collection of several megabytes, which is read in pieces, and many small files, which are read whole.
fn archive() -> Folder {
    let folder = Folder::new();
    let mut random = Random(1);
    folder.file("archive/large.sgf", collection(&mut random, 3 << 20));
    for number in 0..800 {
        let bytes = number % 7 * 300;
        folder.file(&format!("archive/small/{number:04}.sgf"), collection(&mut random, bytes));
    }
    folder
}

/// Standard error without the line on the time it took.
fn counts(run: &Ran) -> Vec<&str> {
    run.err.lines().filter(|line| !line.ends_with("games/s")).collect()
}

/// Runs a command with one thread and with eight, and demands the same of all streams. Returns the first run.
fn assert_same_with_any_jobs(folder: &Folder, line: &str) -> Ran {
    let one = folder.run(&format!("{line} --jobs 1"));
    let eight = folder.run(&format!("{line} --jobs 8"));
    assert_eq!((eight.code, counts(&eight)), (one.code, counts(&one)), "{line}");
    // Too long to be printed when they differ.
    assert!(eight.out == one.out, "{line}: rows differ");
    one
}

#[test]
fn check_and_score_print_the_same_bytes_with_one_thread_and_with_eight() {
    let folder = archive();
    for line in [
        "check archive",
        "check --format text --rules all archive",
        "check --variations all archive",
        "score --dead markup,settled archive",
    ] {
        let run = assert_same_with_any_jobs(&folder, line);
        assert_eq!(run.code, 1);
        assert!(run.out.len() > 1 << 20, "{line}: only {} bytes of rows", run.out.len());
        assert!(run.err.contains("801 sources"), "{}", run.err);
    }
}

#[test]
fn a_report_has_the_same_bytes_with_one_thread_and_with_eight() {
    let folder = archive();
    for jobs in [1, 8] {
        let run = folder.run(&format!("report --dead markup,settled --jobs {jobs} --out tables-{jobs} archive"));
        assert_eq!(run.code, 1, "{}", run.err);
    }
    for table in ["findings.csv", "games.csv", "scores.csv", "summary.json"] {
        let (one, eight) = (folder.read(&format!("tables-1/{table}")), folder.read(&format!("tables-8/{table}")));
        assert!(one == eight, "{table} differs");
        assert!(!one.is_empty());
    }
}

/// Estimates take their time, so they are compared on fewer games.
#[test]
fn estimated_endings_have_the_same_bytes_with_one_thread_and_with_eight() {
    let folder = Folder::new();
    folder.file("games.sgf", collection(&mut Random(3), 60 << 10));
    let run = assert_same_with_any_jobs(&folder, "score --all-endings games.sgf");
    assert!(run.out.contains(",playouts,"), "nothing was estimated");
}

#[test]
fn a_stream_gives_the_same_rows_as_the_file_it_comes_from() {
    let folder = Folder::new();
    let bytes = collection(&mut Random(2), 3 << 20);
    folder.file("games.sgf", &bytes);
    let from_file = folder.run("check games.sgf --jobs 2");
    let mut command = folder.command(["check", "-", "--jobs", "2"]);
    let from_stream = support::cli::ran(command.write_stdin(bytes));
    let renamed: Vec<String> =
        from_file.rows().iter().map(|row| row.strip_prefix("games.sgf").unwrap_or(row).to_owned()).collect();
    let streamed: Vec<String> =
        from_stream.rows().iter().map(|row| row.strip_prefix('-').unwrap_or(row).to_owned()).collect();
    assert!(renamed.len() > 1_000);
    assert!(renamed == streamed, "rows differ");
}
