//! The number of threads does not change the output.

#[cfg(target_os = "linux")]
use std::process::Command;

use crate::support::cli::{Folder, Ran};
use crate::support::generated::{Random, collection};

/// Returns a collection of several megabytes, which is read in pieces, and many small files, which
/// are read whole.
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

/// Returns standard error without the line on the elapsed time.
fn counts(run: &Ran) -> Vec<&str> {
    run.err.lines().filter(|line| !line.ends_with("games/s")).collect()
}

/// Runs a command with one thread and with eight, and checks that all streams are equal. Returns
/// the first run.
fn assert_same_with_any_jobs(folder: &Folder, line: &str) -> Ran {
    let one = folder.run(&format!("{line} --jobs 1"));
    let eight = folder.run(&format!("{line} --jobs 8"));
    assert_eq!((eight.code, counts(&eight)), (one.code, counts(&one)), "{line}");
    // The rows are too long to print if they differ.
    assert!(eight.out == one.out, "{line}: rows differ");
    one
}

#[test]
fn check_and_score_output_is_thread_independent() {
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

/// Without memory for their stacks, threads can't start.
#[test]
#[cfg(target_os = "linux")]
fn too_many_threads_are_refused_by_name() {
    let folder = Folder::with_games();
    for command in ["check", "duplicates"] {
        let line = format!("ulimit -v 2000000; exec \"$0\" {command} --jobs 1024 clean.sgf");
        let run =
            Command::new("sh").args(["-c", &line, env!("CARGO_BIN_EXE_jigo")]).current_dir(folder.path()).output();
        let err = String::from_utf8(run.unwrap().stderr).unwrap();
        assert!(err.contains("cannot start 1024 threads, --jobs N starts fewer: "), "{err}");
        assert_eq!(err.matches("os error").count(), 1, "{err}");
    }
}

/// A run starts the signal thread first.
#[test]
#[cfg(target_os = "linux")]
fn failure_to_start_signal_thread_suggests_a_remedy() {
    let folder = Folder::with_games();
    let mut messages = Vec::new();
    // The loop finds the amount of memory that is enough for the program but not for a thread. With
    // more memory, several threads may run out of it at once: the panics of the standard library
    // then wait for each other.
    for megabytes in (10..400).step_by(2) {
        let line = format!("ulimit -v {}; exec \"$0\" check clean.sgf", megabytes * 1000);
        let run =
            Command::new("sh").args(["-c", &line, env!("CARGO_BIN_EXE_jigo")]).current_dir(folder.path()).output();
        let message = String::from_utf8_lossy(&run.unwrap().stderr).into_owned();
        match message.contains("Ctrl-C") {
            true => messages.push(message),
            false if messages.is_empty() => {}
            false => break,
        }
    }
    assert!(!messages.is_empty());
    let expected = "jigo: cannot start the thread that watches for Ctrl-C: end other programs, or raise the limit";
    assert!(messages.iter().all(|message| message.contains(expected) && message.contains("os error")), "{messages:?}");
}

#[test]
fn stream_gives_the_rows_of_its_file() {
    let folder = Folder::new();
    let bytes = collection(&mut Random(2), 3 << 20);
    folder.file("games.sgf", &bytes);
    let from_file = folder.run("check games.sgf --jobs 2");
    let mut command = folder.command(["check", "-", "--jobs", "2"]);
    let from_stream = crate::support::cli::run_command(command.write_stdin(bytes));
    let renamed: Vec<String> =
        from_file.rows().iter().map(|row| row.strip_prefix("games.sgf").unwrap_or(row).to_owned()).collect();
    let streamed: Vec<String> =
        from_stream.rows().iter().map(|row| row.strip_prefix('-').unwrap_or(row).to_owned()).collect();
    assert!(renamed.len() > 1_000);
    assert!(renamed == streamed, "rows differ");
}

#[test]
fn limit_and_sample_are_thread_independent() {
    let folder = Folder::new();
    let games: String = (0..6000).map(|game| format!("(;SZ[9]C[{game}{}];B[aa];W[aa])", " ".repeat(200))).collect();
    folder.file("many.sgf", games);
    let all = folder.run("check -q --select P001 many.sgf");
    let known: std::collections::HashSet<&str> = all.rows().into_iter().collect();
    for flags in ["--limit 3000", "--sample 7", "--sample 7 --seed 3", "--sample 3 --limit 1500"] {
        let one = folder.run(&format!("check --jobs 1 --select P001 {flags} many.sgf"));
        let three = folder.run(&format!("check --jobs 3 --select P001 {flags} many.sgf"));
        assert_eq!(one.out, three.out, "{flags}");
        assert!(one.rows().iter().all(|row| known.contains(row)), "{flags}");
        assert!(one.err.contains(&format!("{} games found = ", one.rows().len())), "{flags}: {}", one.err);
    }
    assert_eq!(folder.run("check -q --select P001 --limit 3000 many.sgf").rows(), all.rows()[..3000]);
    let sample = folder.run("check -q --select P001 --sample 7 many.sgf").rows().len();
    assert!((700..1000).contains(&sample), "{sample}");
}

#[test]
fn turns_table_has_captures_and_clock_times() {
    let folder = Folder::new();
    // Black takes a stone in turn 5, White plays onto one in turn 6.
    folder.file("g.sgf", "(;SZ[5]RU[Chinese]KM[7];B[ba]BL[30.5]OB[2];W[aa]WL[12];B[ee];W[];B[ab];W[ee])");
    let run = folder.run("check -q --table turns g.sgf");
    assert_eq!(run.column("color").concat(), "BWBWBW");
    assert_eq!(run.column("point"), ["ba", "aa", "ee", "", "ab", "ee"]);
    assert_eq!(run.column("pass"), ["false", "false", "false", "true", "false", "false"]);
    assert_eq!(run.column("captures"), ["0", "0", "0", "0", "1", "0"]);
    assert_eq!(run.column("legal"), ["true", "true", "true", "true", "true", "false"]);
    assert_eq!(run.column("seconds_left"), ["30.5", "12", "", "", "", ""]);
    assert_eq!(run.column("overtime_turns"), ["2", "", "", "", "", ""]);
    let hashes = run.column("hash");
    assert_eq!(hashes[2], hashes[3], "a pass leaves the stones as they are");
    assert_eq!(hashes.iter().collect::<std::collections::HashSet<_>>().len(), 5);
}
