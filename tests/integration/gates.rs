//! Features for pipelines: gates, baselines that shrink, and the report's list of files.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::readme::root;
use crate::support::cli::{CLEAN, Folder, ILLEGAL, flags_by_command, run_command};

fn run_with_gate(folder: &Folder, command: &str, gate: &str) -> (i32, String) {
    let mut words: Vec<&str> = command.split_whitespace().collect();
    words.extend(["--fail-if", gate]);
    let run = run_command(&mut folder.command(words));
    (run.code, run.err)
}

#[test]
fn gate_sets_exit_code_of_every_auditing_command() {
    // One of three games has an error, one a warning.
    let folder = Folder::with_games();
    for command in ["check .", "score .", "report --force --out tables .", "compare ."] {
        for (gate, code) in [
            ("error > 0", 1),
            ("P001 >= 33%", 1),
            ("P001 > 34%", 0),
            ("warning > 1", 0),
            ("error > 0 and found < 3", 0),
            ("K > 0 or unreadable-komi > 0", 1),
            ("K > 0", 0),
        ] {
            let (status, err) = run_with_gate(&folder, command, gate);
            assert_eq!(status, code, "{command} {gate}: {err}");
            let message = if code == 1 { "--fail-if holds: " } else { "--fail-if does not hold" };
            assert!(err.lines().any(|line| line.starts_with(message)), "{command} {gate}: {err}");
        }
    }
    let (code, err) = run_with_gate(&folder, "check .", "P001 > 0");
    assert_eq!(code, 1);
    assert!(err.contains("--fail-if holds: P001 > 0 (1 of 3 games, 33.333%)"), "{err}");
    let (code, err) = run_with_gate(&folder, "check .", "P999 > 0");
    assert_eq!(code, 2);
    assert!(err.contains("'--fail-if <GATE>': there is no 'P999'"), "{err}");
}

/// A ko that is retaken at once, and a suicide under rules that forbid it.
const JUDGED: [(&str, &str); 2] = [
    ("K001", "(;FF[4]GM[1]SZ[5]RU[Japanese];B[bc];W[db];B[cb];W[dd];B[cd];W[ec];B[ae];W[cc];B[dc];W[cc])"),
    ("P004", "(;FF[4]GM[1]SZ[5]RU[Japanese];B[ba];W[ee];B[ab];W[aa])"),
];

/// Returns the words in backticks of the README's sentence on commands that findings do not fail:
/// names of commands, and flags of `check`.
fn exports() -> Vec<String> {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("succeed regardless of findings:").unwrap();
    let sentence = rest.split('.').next().unwrap();
    sentence.split('`').skip(1).step_by(2).map(str::to_owned).filter(|word| word != "check").collect()
}

/// Findings do not depend on the command or its output: the same record has the same findings in
/// every command.
#[test]
fn every_command_judges_turns() {
    let folder = Folder::new();
    let commands = [
        "check",
        "check --table turns",
        "check --table keys",
        "score",
        "score --table endings",
        "score --table results",
        "report --force --out tables",
        "compare",
        "duplicates",
        "duplicates --table diversity",
        "extract --force --out out.sgf",
        "fix",
        "fix --diff",
        "fix --force --out fixed",
        "find X",
    ];
    let first_words = commands.map(|command| command.split(' ').next().unwrap());
    let has_gate = |(_, flags): &(String, Vec<String>)| flags.contains(&"--fail-if".to_owned());
    let untested: Vec<String> = flags_by_command().into_iter().filter(has_gate).map(|(name, _)| name).collect();
    let untested: Vec<&String> = untested.iter().filter(|name| !first_words.contains(&name.as_str())).collect();
    assert!(untested.is_empty(), "commands with --fail-if: {untested:?}");
    let exports = exports();
    for (code, record) in JUDGED {
        folder.file("in.sgf", record).file("clean.sgf", CLEAN);
        for command in commands {
            let exits = |name: &str, gate: &str| run_with_gate(&folder, &format!("{command} {name}"), gate).0;
            assert_eq!(exits("in.sgf", &format!("{code} > 0")), 1, "{command} {code}");
            assert_eq!(exits("in.sgf", &format!("{code} > 1")), 0, "{command} {code}");
            let without = |name: &str| folder.run(&format!("{command} {name}")).code;
            let is_export =
                exports.iter().any(|word| command.starts_with(word) || command.contains(&format!(" {word}")));
            assert_eq!(without("in.sgf"), i32::from(!is_export), "{command} {code}");
            assert_eq!(without("clean.sgf"), 0, "{command}");
        }
    }
}

/// A gate on a finding that the run never searches would always pass.
#[test]
fn gate_counts_duplicates_and_refuses_unsearched_codes() {
    let folder = Folder::new();
    folder.file("a.sgf", CLEAN.repeat(3));
    let commands = ["check --duplicates", "duplicates", "report --duplicates --force --out tables"];
    for command in commands.map(|command| format!("{command} a.sgf")) {
        for (gate, code) in [("C > 0", 1), ("C001 = 2", 1), ("C001 > 2", 0), ("C002 > 0", 0), ("warning > 1", 1)] {
            let (status, err) = run_with_gate(&folder, &command, gate);
            assert_eq!(status, code, "{command} {gate}: {err}");
        }
    }
    assert_eq!(folder.read("tables/summary.json").matches("\"C001\": 2").count(), 1);
    let refused = [
        ("check", "C > 0", "with --duplicates"),
        ("report --force --out tables", "found > 9 or identical-copy > 0", "with --duplicates"),
        ("check", "R001 > 0", "with --results"),
        ("check --quick", "P001 > 0", "turns without --quick"),
        ("score", "E001 > 0", "engines with --engine"),
        ("check --ignore P001", "P001 > 0", "--ignore"),
        ("check --severity error", "warning > 0", "--severity"),
    ];
    for (command, gate, why) in refused {
        let (code, err) = run_with_gate(&folder, &format!("{command} a.sgf"), gate);
        assert!(code == 2 && err.contains(why), "{command} {gate}: {err}");
    }
    for command in ["check --select R001", "check --select K,C001", "check --quick --select K002", "fix --select R003"]
    {
        let run = folder.run(&format!("{command} a.sgf"));
        assert!(run.code == 2 && run.err.contains("this run does not look for that"), "{command}: {}", run.err);
    }
    for (command, gate) in [("check --results", "R001 > 0"), ("check --ignore P001", "P > 0"), ("score", "R > 0")] {
        assert_eq!(run_with_gate(&folder, &format!("{command} a.sgf"), gate).0, 0, "{command} {gate}");
    }
}

#[test]
fn unreadable_input_counts_as_error() {
    let folder = Folder::new();
    folder.file("in/clean.sgf", CLEAN).file("in/broken.zip", "PK\x03\x04 and no more");
    let (code, err) = run_with_gate(&folder, "check in", "error > 40%");
    assert_eq!(code, 1, "{err}");
    // A named file that does not exist is a failure, regardless of the gate.
    assert_eq!(run_with_gate(&folder, "check none.sgf", "found > 5").0, 2);
}

#[test]
fn games_count_once_per_code_class_and_severity() {
    let folder = Folder::new();
    let twice = ILLEGAL.replace("B[gg]", "B[ee];W[ee]");
    folder.file("a.sgf", format!("{twice}{ILLEGAL}{CLEAN}"));
    for jobs in ["1", "3"] {
        folder.run(&format!("check --jobs {jobs} --summary {jobs}.json a.sgf"));
    }
    assert_eq!(folder.read("1.json"), folder.read("3.json"));
    let summary: Value = serde_json::from_str(&folder.read("1.json")).unwrap();
    assert_eq!(summary["findings"]["by_code"]["P001"], 4);
    let games = &summary["games_with"];
    assert_eq!(
        (&games["by_code"]["P001"], &games["by_class"]["P"], &games["error"]),
        (&2.into(), &2.into(), &2.into())
    );
}

#[test]
fn quick_reports_headers_and_names_omitted_checks() {
    let folder = Folder::with_games();
    folder.file("more.sgf", format!("{CLEAN}\nlost words\n{}", ILLEGAL.replace("SZ[9]", "SZ[99]")));
    let quick = folder.run("check --quick .");
    let mut expected = folder.run("check .").column("code");
    expected.retain(|code| code.starts_with(['H', 'I']) && code != "H018");
    assert_eq!(quick.column("code"), expected, "{}", quick.err);
    assert!(expected.len() >= 3, "{expected:?}");
    assert!(quick.err.contains("= 0 replayed + 0 stopped + 1 unreadable + 4 header only"), "{}", quick.err);
    assert!(quick.err.contains("--quick reads no turns"), "{}", quick.err);
    for line in ["check --quick --results .", "check --quick --table turns .", "check --quick --rules aga ."] {
        assert_eq!(folder.run(line).code, 2, "{line}");
    }
}

#[test]
fn prune_baseline_removes_old_and_adds_nothing() {
    let folder = Folder::with_games();
    folder.run("check --write-baseline base.jsonl .");
    let before = folder.read("base.jsonl");
    folder.file("illegal.sgf", CLEAN).file("new.sgf", ILLEGAL);
    let run = folder.run("check --baseline base.jsonl --prune-baseline .");
    assert_eq!((run.code, run.column("file")), (1, vec!["./new.sgf".to_owned()]), "{}", run.err);
    let pruned = folder.read("base.jsonl");
    let removed: Vec<&str> = before.lines().filter(|line| !pruned.contains(line)).collect();
    assert!(removed.len() == 1 && removed[0].contains("illegal.sgf"), "{removed:?}");
    assert!(pruned.lines().all(|line| before.contains(line)));
    // Ignored codes may still occur, so their entries stay.
    folder.file("warned.sgf", CLEAN);
    folder.run("check --baseline base.jsonl --prune-baseline --select P .");
    assert_eq!(folder.read("base.jsonl"), pruned);
    let part = folder.run("check --baseline base.jsonl --prune-baseline --limit 1 .");
    assert_eq!((part.code, folder.read("base.jsonl")), (2, pruned), "{}", part.err);
}

/// A finding outside the scope of the run may still exist.
#[test]
fn prune_baseline_keeps_findings_out_of_scope() {
    let folder = Folder::new();
    let contradicted = "(;GM[1]FF[4]SZ[5]RU[NZ]KM[0]RE[W+9]AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd][de];B[];W[])";
    let variations = "(;GM[1]FF[4]SZ[9]RU[NZ]KM[7];B[ee](;W[aa])(;W[ee]))";
    folder.file("in/r.sgf", contradicted).file("in/v.sgf", variations).file("in/i.sgf", ILLEGAL);
    folder.file("in/sub/s.sgf", ILLEGAL).file("in/z.zip", "PK\x03\x04 and no more");
    let whole = "check --results --variations all";
    assert_eq!(folder.run(&format!("{whole} --write-baseline whole.jsonl in")).code, 0);
    let before = folder.read("whole.jsonl");
    for code in ["R001", "P001", "I0", "variation"] {
        assert!(before.contains(code), "{code}: {before}");
    }
    let prune = |command: &str, inputs: &str| {
        folder.file("base.jsonl", &before);
        let run = folder.run(&format!("{command} --baseline base.jsonl --prune-baseline {inputs}"));
        (run.code, folder.read("base.jsonl") == before, run.err)
    };
    for (command, inputs) in [
        (whole, "in"),
        ("check --variations all", "in"),
        ("check --results", "in"),
        ("check --results --variations all --on-illegal stop", "in"),
        ("check --results --variations all --max nodes=2", "in"),
        ("check --results --variations all --max game=20", "in"),
        (whole, "in/sub"),
    ] {
        let (code, is_kept, err) = prune(command, inputs);
        assert!(code != 2 && is_kept, "{command} {inputs}: {err}");
    }
    for (command, inputs) in [("check --quick", "in"), ("check --severity error", "in"), (whole, "-")] {
        let (code, is_kept, err) = prune(command, inputs);
        assert!(code == 2 && is_kept && err.contains("--prune-baseline"), "{command} {inputs}: {err}");
    }
    // An entry without a finding is removed, and so are the entries of a deleted file.
    fs::remove_file(folder.path().join("in/i.sgf")).unwrap();
    folder.file("in/v.sgf", CLEAN);
    let (code, _, err) = prune(whole, "in");
    let pruned = folder.read("base.jsonl");
    let removed: Vec<&str> = before.lines().filter(|line| !pruned.contains(line)).collect();
    let is_of_changed_file = |line: &&str| line.contains("in/i.sgf") || line.contains("in/v.sgf");
    assert!(code == 0 && removed.len() >= 2 && removed.iter().all(is_of_changed_file), "{removed:?} {err}");
    assert!(!pruned.contains("in/i.sgf") && !pruned.contains("variation"), "{pruned}");
}

#[test]
fn summary_lists_rows_and_checksums_of_files() {
    let folder = Folder::with_games();
    for format in ["csv", "jsonl"] {
        folder.run(&format!("report --format {format} --out {format} ."));
        let summary: Value = serde_json::from_str(&folder.read(&format!("{format}/summary.json"))).unwrap();
        let files = summary["files"].as_object().unwrap();
        let mut written = folder.list();
        written.retain(|name| name.starts_with(&format!("{format}/")) && name.ends_with(&format!(".{format}")));
        assert_eq!(files.len(), written.len());
        for (name, listed) in files {
            let path = folder.path().join(format).join(name);
            let bytes = fs::read(&path).unwrap();
            assert_eq!(listed["bytes"], bytes.len());
            let sum = Command::new("sha256sum").arg(&path).output().unwrap();
            assert_eq!(listed["sha256"], String::from_utf8_lossy(&sum.stdout).split(' ').next().unwrap());
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() - usize::from(format == "csv");
            assert_eq!(listed["rows"], lines, "{name}");
        }
    }
    folder.run("check --output rows.parquet --format parquet --summary rows.json .");
    let summary: Value = serde_json::from_str(&folder.read("rows.json")).unwrap();
    assert_eq!(summary["files"]["rows.parquet"]["rows"], 2);
}
