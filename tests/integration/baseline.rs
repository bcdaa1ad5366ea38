//! Baselines keep an archive with known faults clean: a finding in the baseline is not reported,
//! even if text around it moves.

use crate::support::cli::{CLEAN, Folder, ILLEGAL, WARNED, WaitingRun};

/// White's turn 4 is off the board, and the komi is a word.
const NEW: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[some]RE[W+R];B[ee];W[cc];B[gg];W[jj])";

fn with_baseline() -> Folder {
    let folder = Folder::with_games();
    folder.file("all.sgf", format!("{ILLEGAL}\n{WARNED}\n")).file("odd.sgf", "(;SZ[9];B[aa]");
    let baseline = folder.run("check --write-baseline base.jsonl .");
    assert_eq!((baseline.code, baseline.out.as_str()), (0, ""), "{}", baseline.err);
    let entries = folder.read("base.jsonl").lines().count() - 1;
    let written = format!("{entries} findings written to base.jsonl, as {entries} entries\n");
    assert!(baseline.err.ends_with(&written), "{}", baseline.err);
    folder
}

#[test]
fn known_findings_are_omitted_and_new_ones_reported() {
    let folder = with_baseline();
    let rows = folder.run("check .");
    assert_eq!(rows.code, 1);
    let baseline_rows = folder.run("check --baseline base.jsonl .");
    assert_eq!((baseline_rows.code, baseline_rows.rows().len()), (0, 0), "{}", baseline_rows.out);
    assert!(baseline_rows.err.contains("0 findings: 0 errors"), "{}", baseline_rows.err);
    assert!(!baseline_rows.err.contains("skipped"), "{}", baseline_rows.err);
    let entries = folder.read("base.jsonl").lines().count() - 1;
    assert!(baseline_rows.err.contains(&format!("{} findings known, 0 of the {entries} in base", rows.rows().len())));
    folder.file("new.sgf", ILLEGAL);
    let new = folder.run("check --baseline base.jsonl .");
    assert_eq!((new.code, new.column("file")), (1, vec!["./new.sgf".to_owned()]));
}

#[test]
fn finding_stays_in_baseline_after_games_are_inserted() {
    let folder = with_baseline();
    folder.file("all.sgf", format!("{CLEAN}\n{NEW}\n{WARNED}\n\n{ILLEGAL}"));
    let run = folder.run("check --baseline base.jsonl .");
    assert_eq!((run.code, run.column("game")), (1, vec!["2".to_owned(), "2".to_owned()]), "{}", run.out);
    assert_eq!(run.column("code"), ["H004", "P002"]);
    // A fix in a game's header keeps its other findings in the baseline.
    folder.file("all.sgf", ILLEGAL.replace("RE[B+R]", "RE[B+R]PB[Somebody]"));
    let fixed = folder.run("check --baseline base.jsonl all.sgf");
    assert_eq!((fixed.code, fixed.rows().len()), (0, 0), "{}", fixed.out);
}

#[test]
fn changed_wrong_result_is_a_new_finding() {
    let folder = Folder::new();
    let game = "(;GM[1]SZ[5]KM[0]RU[Chinese]RE[W+5]PB[Ann]AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd][de];B[];W[])";
    folder.file("g.sgf", game);
    assert_eq!(folder.run("check --results --select R g.sgf").column("code"), ["R001"]);
    folder.run("check --results --select R --write-baseline base.jsonl g.sgf");
    let reported = |old: &str, new: &str| {
        folder.file("g.sgf", game.replace(old, new));
        folder.run("check --results --select R --baseline base.jsonl g.sgf").column("code")
    };
    assert_eq!(reported("Ann", "Bob"), [""; 0]);
    assert_eq!(reported("W+5", "W+9"), ["R001"]);
}

#[test]
fn fixed_findings_are_counted() {
    let folder = with_baseline();
    folder.file("illegal.sgf", CLEAN);
    let run = folder.run("check --baseline base.jsonl .");
    assert_eq!(run.code, 0);
    assert!(run.err.contains("known, 1 of the "), "{}", run.err);
    let selected = folder.run("check --baseline base.jsonl --select H .");
    assert!(selected.err.contains("known, 0 of the "), "{}", selected.err);
    let second_run = folder.run("check --baseline base.jsonl --write-baseline base.jsonl --force .");
    assert_eq!(second_run.code, 0, "{}", second_run.err);
    assert!(!folder.read("base.jsonl").contains("\"illegal.sgf\""));
}

#[test]
fn baseline_is_thread_independent_and_needs_force() {
    let folder = Folder::new();
    let games = crate::support::generated::collection(&mut crate::support::generated::Random(5), 1 << 20);
    folder.file("games.sgf", &games).file("small.sgf", "no game");
    for jobs in ["1", "8"] {
        folder.run(&format!("check -q --jobs {jobs} --write-baseline {jobs}.jsonl ."));
    }
    let one = folder.read("1.jsonl");
    assert!(one == folder.read("8.jsonl"));
    assert!(one.lines().count() > 1000);
    let refused = folder.run("check --write-baseline 1.jsonl .");
    assert_eq!((refused.code, folder.read("1.jsonl") == one), (2, true));
    assert!(refused.err.contains("--force"), "{}", refused.err);
    // The baseline covers all findings of each shard. Entries of other shards do not occur in it.
    for shard in ["1/2", "2/2"] {
        let run = folder.run(&format!("check --baseline 8.jsonl --shard {shard} --jobs 2 ."));
        assert_eq!((run.code, run.rows().len()), (0, 0), "{}", run.err);
        assert!(run.err.contains("did not occur in this shard"), "{}", run.err);
    }
}

#[test]
fn unusable_baseline_is_named_with_its_line() {
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

/// Of several concurrent runs one gets the baseline. The others report the lock.
#[test]
fn locked_baseline_is_not_overwritten() {
    let folder = with_baseline();
    let other = WaitingRun::with_output(&folder, "check --baseline base.jsonl --prune-baseline -");
    let before = folder.read("base.jsonl");
    for flags in ["--write-baseline base.jsonl --force", "--baseline base.jsonl --prune-baseline"] {
        let refused = folder.run(&format!("check {flags} clean.sgf"));
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
        assert!(refused.err.contains("another jigo is writing to base.jsonl"), "{}", refused.err);
    }
    // A run that only reads the baseline needs no lock.
    assert_eq!(folder.run("check --baseline base.jsonl .").code, 0);
    assert_eq!(folder.read("base.jsonl"), before);
    drop(other);
    assert_eq!(folder.run("check --baseline base.jsonl --prune-baseline .").code, 0);
    let names: Vec<String> = folder.list().into_iter().filter(|name| !name.ends_with(".sgf")).collect();
    assert_eq!(names, ["base.jsonl"]);
}

/// Each run adds the findings of one more file to the earlier ones.
#[test]
fn concurrent_additions_to_baseline_lose_nothing() {
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
