//! The same games give the same bytes, for any number of threads, any order on the disk and any
//! pace of a pipe.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;

use crate::support::cli::Folder;
use crate::support::generated::{Random, collection};

const TABLES: [&str; 6] = ["findings.csv", "games.csv", "scores.csv", "results.csv", "index.html", "summary.json"];

/// Returns the tables of a report over `games`.
fn tables(folder: &Folder, options: &str) -> Vec<String> {
    let run = folder.run(&format!("report --force --out tables {options} games"));
    assert_eq!(run.code, 1, "{}", run.err);
    TABLES.iter().map(|table| folder.read(&format!("tables/{table}"))).collect()
}

fn files() -> Vec<(String, Vec<u8>)> {
    let mut random = Random(11);
    let file = |number| (format!("games/{}/{number}.sgf", number % 5), collection(&mut random, 2_000));
    let mut files: Vec<(String, Vec<u8>)> = (0..60).map(file).collect();
    files.push(("games/large.sgf".into(), collection(&mut random, 700 << 10)));
    files
}

#[test]
fn tables_are_equal_for_any_threads_and_file_order() {
    let [first, shuffled] = [Folder::new(), Folder::new()];
    let mut files = files();
    for (name, text) in &files {
        first.file(name, text);
    }
    // Many file systems list files in creation order. Names and sizes are shuffled.
    files.reverse();
    files.rotate_left(17);
    files.swap(3, 40);
    for (name, text) in &files {
        shuffled.file(name, text);
    }
    let expected = tables(&first, "--dead markup,settled --jobs 1");
    assert!(expected[0].len() > 100_000);
    for (folder, jobs) in [(&first, 1), (&first, 2), (&first, 16), (&shuffled, 2), (&shuffled, 16)] {
        let tables = tables(folder, &format!("--dead markup,settled --jobs {jobs}"));
        assert!(tables == expected, "{jobs} threads");
    }
}

/// Estimates use random numbers from a fixed seed.
#[test]
fn estimates_are_equal_for_any_threads_and_runs() {
    let folder = Folder::new();
    folder.file("games/g.sgf", collection(&mut Random(12), 20 << 10));
    let expected = tables(&folder, "--all-endings --jobs 1");
    assert!(expected[2].contains(",playouts,"));
    for jobs in [1, 2, 16] {
        assert!(tables(&folder, &format!("--all-endings --jobs {jobs}")) == expected, "{jobs} threads");
    }
}

/// Returns the output of `check -` for an input that arrives in pieces of these sizes, repeated.
fn check_in_chunks(bytes: &[u8], sizes: &'static [usize], pause: Duration) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.args(["check", "--quiet", "--jobs", "2", "-"]);
    let mut run = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = run.stdin.take().unwrap();
    let mut rest = bytes.to_vec();
    let writer = thread::spawn(move || {
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                return;
            }
            let chunks = rest.split_off((*size).min(rest.len()));
            input.write_all(&rest).unwrap();
            sleep(pause);
            rest = chunks;
        }
    });
    let output = run.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(1));
    output.stdout
}

#[test]
fn slow_or_oddly_split_pipe_gives_same_rows() {
    let bytes = collection(&mut Random(13), 600 << 10);
    let expected = check_in_chunks(&bytes, &[usize::MAX], Duration::ZERO);
    assert!(expected.len() > 10_000);
    assert!(check_in_chunks(&bytes, &[4093, 1, 65_537, 7], Duration::ZERO) == expected);
    assert!(check_in_chunks(&bytes, &[70_001], Duration::from_millis(20)) == expected);
    let small = &bytes[..40_000];
    let small_whole = check_in_chunks(small, &[usize::MAX], Duration::ZERO);
    assert!(check_in_chunks(small, &[1], Duration::ZERO) == small_whole);
    assert!(check_in_chunks(small, &[1, 2, 3, 5, 511, 512, 513], Duration::ZERO) == small_whole);
}
