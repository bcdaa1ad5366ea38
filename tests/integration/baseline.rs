//! An archive with known faults can be kept clean: what a baseline knows is not reported, whatever moves around it.

use crate::support::cli::{CLEAN, Folder, ILLEGAL, WARNED, WaitingRun};

/// White's turn 4 is off the board, and the komi is a word.
const NEW: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[some]RE[W+R];B[ee];W[cc];B[gg];W[jj])";

fn with_baseline() -> Folder {
    let folder = Folder::with_games();
    folder.file("all.sgf", format!("{ILLEGAL}\n{WARNED}\n")).file("odd.sgf", "(;SZ[9];B[aa]");
    let written = folder.run("check --write-baseline base.jsonl .");
    assert_eq!((written.code, written.rows().len()), (0, 0), "{}", written.err);
    folder
}

#[test]
fn what_is_known_is_no_row_and_does_not_count_and_what_is_new_does() {
    let folder = with_baseline();
    let all = folder.run("check .");
    assert_eq!(all.code, 1);
    let known = folder.run("check --baseline base.jsonl .");
    assert_eq!((known.code, known.rows().len()), (0, 0), "{}", known.out);
    assert!(known.err.contains("0 findings: 0 errors"), "{}", known.err);
    let entries = folder.read("base.jsonl").lines().count() - 1;
    assert!(known.err.contains(&format!("{} findings known, 0 of the {entries} in base", all.rows().len())));
    folder.file("new.sgf", ILLEGAL);
    let new = folder.run("check --baseline base.jsonl .");
    assert_eq!((new.code, new.column("file")), (1, vec!["./new.sgf".to_owned()]));
}

#[test]
fn games_before_a_known_one_do_not_make_it_new() {
    let folder = with_baseline();
    folder.file("all.sgf", format!("{CLEAN}\n{NEW}\n{WARNED}\n\n{ILLEGAL}"));
    let run = folder.run("check --baseline base.jsonl .");
    assert_eq!((run.code, run.column("game")), (1, vec!["2".to_owned(), "2".to_owned()]), "{}", run.out);
    assert_eq!(run.column("code"), ["H004", "P002"]);
    // Mending the header of a game leaves its other faults known.
    folder.file("all.sgf", ILLEGAL.replace("RE[B+R]", "RE[B+R]PB[Somebody]"));
    let mended = folder.run("check --baseline base.jsonl all.sgf");
    assert_eq!((mended.code, mended.rows().len()), (0, 0), "{}", mended.out);
}

#[test]
fn what_is_mended_is_counted() {
    let folder = with_baseline();
    folder.file("illegal.sgf", CLEAN);
    let run = folder.run("check --baseline base.jsonl .");
    assert_eq!(run.code, 0);
    assert!(run.err.contains("known, 1 of the "), "{}", run.err);
    let selected = folder.run("check --baseline base.jsonl --select H .");
    assert!(selected.err.contains("known, 0 of the "), "{}", selected.err);
    let again = folder.run("check --baseline base.jsonl --write-baseline base.jsonl --force .");
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(!folder.read("base.jsonl").contains("\"illegal.sgf\""));
}

#[test]
fn the_file_has_the_same_bytes_for_any_number_of_threads_and_is_kept_unless_forced() {
    let folder = Folder::new();
    let games = crate::support::generated::collection(&mut crate::support::generated::Random(5), 1 << 20);
    folder.file("games.sgf", &games).file("small.sgf", "no game");
    for jobs in ["1", "8"] {
        folder.run(&format!("check -q --jobs {jobs} --write-baseline {jobs}.jsonl ."));
    }
    let one = folder.read("1.jsonl");
    assert!(one == folder.read("8.jsonl"));
    assert!(one.lines().count() > 1000);
    let kept = folder.run("check --write-baseline 1.jsonl .");
    assert_eq!((kept.code, folder.read("1.jsonl") == one), (2, true));
    assert!(kept.err.contains("--force"), "{}", kept.err);
    // Every shard knows its part, and what is left over in all of them is nothing.
    for shard in ["1/2", "2/2"] {
        let run = folder.run(&format!("check --baseline 8.jsonl --shard {shard} --jobs 2 ."));
        assert_eq!((run.code, run.rows().len()), (0, 0), "{}", run.err);
        assert!(run.err.contains("did not occur in this shard"), "{}", run.err);
    }
}

#[test]
fn a_baseline_that_can_not_be_used_is_named_with_its_line() {
    let folder = Folder::with_games();
    folder.file("wrong.jsonl", "{\"jigo_baseline\":1}\n{\"code\":\"K001\"}\n").file("rows.csv", "file,game\n");
    for (flags, words) in [
        ("--baseline none.jsonl", vec!["none.jsonl", "--write-baseline none.jsonl makes one"]),
        ("--baseline wrong.jsonl", vec!["wrong.jsonl", "line 2", "game is no hash"]),
        ("--baseline rows.csv", vec!["rows.csv", "line 1"]),
        ("--write-baseline no/such/folder.jsonl", vec!["no/such"]),
        ("--write-baseline a.jsonl --shard 1/2", vec!["--write-baseline", "--shard"]),
    ] {
        let run = folder.run(&format!("check {flags} ."));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{flags}");
        assert!(words.iter().all(|word| run.err.contains(word)), "{flags}: {}", run.err);
    }
    assert!(!folder.list().iter().any(|name| name.contains(".part") || name == "a.jsonl"));
}

/// Of runs at once, one has the baseline, and the others say so.
#[test]
fn no_run_loses_what_another_one_puts_into_the_baseline() {
    let folder = with_baseline();
    let other = WaitingRun::with_output(&folder, "check --baseline base.jsonl --prune-baseline -");
    let before = folder.read("base.jsonl");
    for flags in ["--write-baseline base.jsonl --force", "--baseline base.jsonl --prune-baseline"] {
        let refused = folder.run(&format!("check {flags} clean.sgf"));
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
        assert!(refused.err.contains("another jigo is writing to base.jsonl"), "{}", refused.err);
    }
    // Who only reads it has what is there.
    assert_eq!(folder.run("check --baseline base.jsonl .").code, 0);
    assert_eq!(folder.read("base.jsonl"), before);
    drop(other);
    assert_eq!(folder.run("check --baseline base.jsonl --prune-baseline .").code, 0);
    let names: Vec<String> = folder.list().into_iter().filter(|name| !name.ends_with(".sgf")).collect();
    assert_eq!(names, ["base.jsonl"]);
}

/// Each adds the findings of its own file to those of all before.
#[test]
fn runs_that_add_to_a_baseline_at_once_lose_nothing() {
    let folder = Folder::new();
    let files: Vec<String> = (0..6).map(|number| format!("{number}.sgf")).collect();
    files.iter().for_each(|name| _ = folder.file(name, ILLEGAL));
    folder.file("clean.sgf", CLEAN);
    folder.run("check --write-baseline base.jsonl clean.sgf");
    std::thread::scope(|scope| {
        for name in &files {
            let folder = &folder;
            scope.spawn(move || {
                let line = format!("check --baseline base.jsonl --write-baseline base.jsonl --force clean.sgf {name}");
                while let Some(refused) = Some(folder.run(&line)).filter(|run| run.code != 0) {
                    assert!(refused.err.contains("another jigo is writing to base.jsonl"), "{}", refused.err);
                }
            });
        }
    });
    assert_eq!(folder.list().len(), files.len() + 2, "{:?}", folder.list());
}
