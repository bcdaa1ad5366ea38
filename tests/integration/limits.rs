//! Everything that an attacker could make endless has a limit, an option that changes it, and a
//! finding that names the option.

use std::process::Command;

use crate::support::cli::{Folder, Ran, run_with_writer};

/// A command line with one limit, a text within the limit, one just beyond it, and the finding.
struct Limit {
    line: &'static str,
    within: String,
    beyond: String,
    code: &'static str,
}

fn limit(line: &'static str, code: &'static str, within: impl Into<String>, beyond: impl Into<String>) -> Limit {
    Limit { line, within: within.into(), beyond: beyond.into(), code }
}

const HEAD: &str = "(;GM[1]FF[4]SZ[9]RU[Japanese]KM[6.5]";

/// Returns the limits of games. `tests/integration/archives.rs` tests the limits of archives.
fn limits() -> Vec<Limit> {
    let padded = |bytes: usize| format!("{HEAD}{};B[aa])", " ".repeat(bytes - HEAD.len() - 7));
    let tree = |tail: &str| format!("{HEAD};B[aa](;W[bb];B[cc])(;W[dd];B[ee]{tail}))");
    let property = |bytes: usize| format!("{HEAD};B[aa];AB[ee]GC[{}];W[bb])", "x".repeat(bytes - 4));
    let board = |bytes: usize| format!("{:bytes$}\n", r#"{"id":"a","board":["xxx","o.o",".o."]}"#);
    vec![
        limit("check --max game=1k", "D006", padded(1024), padded(1025)),
        limit("check --max nodes=3", "L001", format!("{HEAD};B[aa];W[bb])"), format!("{HEAD};B[aa];W[bb];B[cc])")),
        limit("check --variations all --max nodes=6", "L001", tree(""), tree(";W[ff]")),
        limit("check --variations all --max depth=1", "L002", tree(""), tree("(;W[ff])(;W[gg])")),
        limit("check --variations all --max variation-turns=3", "D007", tree(""), tree(";W[ff]")),
        limit(
            "check --max points=10",
            "L003",
            format!("{HEAD}AB[aa:cc][dd];B[ee])"),
            format!("{HEAD}AB[aa:cc][dd][de];B[ee])"),
        ),
        limit(
            "check --max findings=3",
            "L008",
            format!("{HEAD};B[aa];W[aa];B[aa];W[aa])"),
            format!("{HEAD};B[aa];W[aa];B[aa];W[aa];B[aa];W[ee])"),
        ),
        limit(
            "check --max findings=1",
            "L008",
            format!("{HEAD};B[aa];LB[a];W[bb])"),
            format!("{HEAD};B[aa];AB[a];AW[b];W[bb])"),
        ),
        limit(
            "check --variations all --max findings=1",
            "L008",
            tree("(;W[ee])(;W[ff])"),
            tree("(;W[ee])(;W[ee])(;W[ff])"),
        ),
        limit("check --max property=1k", "L004", property(1024), property(1025)),
        limit(
            "check --max text=8",
            "L005",
            format!("{HEAD}PB[12345678];B[aa])"),
            format!("{HEAD}PB[123456789];B[aa])"),
        ),
        limit("check --max text=8", "L005", format!("{HEAD}RE[B+R];B[aa])"), format!("{HEAD}RE[Black wins];B[aa])")),
        limit("score --input-format positions --max line=100", "L006", board(100), board(101)),
    ]
}

/// Runs a command on a text. Returns true if the code is found; `score` only counts findings.
fn find_code(line: &str, text: &str, code: &str) -> (bool, Ran) {
    let folder = Folder::new();
    let run = folder.file("g.sgf", text).run(&format!("{line} g.sgf"));
    let is_found = if line.starts_with("check") {
        run.column("code").contains(&code.to_owned())
    } else {
        !run.err.contains("0 errors")
    };
    (is_found, run)
}

#[test]
fn each_limit_has_an_option_and_a_finding_naming_it() {
    for Limit { line, within, beyond, code } in limits() {
        let (is_found, run) = find_code(line, &within, code);
        assert!(!is_found, "{line}: {code} within the limit: {run:?}");
        let (is_found, run) = find_code(line, &beyond, code);
        assert!(is_found, "{line}: no {code} beyond the limit: {run:?}");
        assert!(run.code < 2 && run.err.contains("1 game found = "), "{line}: {run:?}");
        let option = line.split_whitespace().find(|word| word.starts_with("--max")).unwrap();
        assert!(run.out.contains(option) || line.starts_with("score"), "{line} is not named: {}", run.out);
        let (is_found, _) = find_code(line.split(" --max").next().unwrap(), &beyond, code);
        assert!(!is_found, "{line}: the default limit is as low");
    }
}

/// Each part of the work can exceed the time: the turns, the variations, the estimate of an ending.
#[test]
fn game_over_its_time_limit_is_reported_and_run_continues() {
    let folder = Folder::new();
    let turns = |count: usize| ";B[aa];W[bb]".repeat(count);
    let tree = format!("(;B[dd]{})", turns(40)).repeat(40);
    folder.file("turns.sgf", format!("{HEAD}{})", turns(300))).file("tree.sgf", format!("{HEAD};B[ee](;W[cc]){tree})"));
    folder.file("ending.sgf", format!("{HEAD}RE[B+5]AB[cc][cd][ce]AW[ec][ed][ee];B[];W[])"));
    for (line, file) in [
        ("check --select L", "turns.sgf"),
        ("check --select L --variations all", "tree.sgf"),
        ("score --rules japanese", "ending.sgf"),
    ] {
        let run = folder.run(&format!("{line} --max game-time=0.000001 {file}"));
        assert_eq!(run.code, 1, "{line}: {}", run.err);
        assert!(run.err.contains("L007 slow-game") && run.err.contains("1 game found = "), "{line}: {}", run.err);
        let enough = folder.run(&format!("{line} --max game-time=3600 {file}"));
        let usual = folder.run(&format!("{line} {file}"));
        assert!(!enough.err.contains("L007"), "{line}: {}", enough.err);
        assert_eq!((enough.code, enough.out), (usual.code, usual.out), "{line}");
    }
    for time in ["0", "-1", "nan", "inf", "x", "1e-20"] {
        let run = folder.run(&format!("check --max game-time={time} turns.sgf"));
        assert!(run.code == 2 && run.err.contains("it takes seconds, such as 10 or 0.5"), "{time}: {}", run.err);
    }
}

/// Only the part beyond the limit is lost.
#[test]
fn turns_within_a_limit_are_replayed() {
    let (_, truncated) = find_code("check --max nodes=3", &format!("{HEAD};B[aa];W[aa];B[aa];W[bb])"), "L001");
    assert_eq!(truncated.column("code"), ["L001", "P001"], "turns before the limit are judged");
    let long = format!("{HEAD};B[aa];AB[ee]GC[{}];W[ee])", "x".repeat(2000));
    let (_, limited) = find_code("check --max property=1k", &long, "L004");
    assert!(
        limited.column("code").contains(&"P001".to_owned()),
        "the setup beside a long property is there: {limited:?}"
    );
    let comment = format!("{HEAD};B[aa]C[{}];W[bb])", "x".repeat(2000));
    assert!(!find_code("check --max property=1k", &comment, "L004").0, "a comment beside a turn may be long");
}

/// A game beyond the size limit is one row. Its rest is not a game, and the next root starts one.
#[test]
fn endless_game_is_one_row() {
    let folder = Folder::new();
    let endless = format!("{HEAD}{}", "(;B[aa](;W[bb])".repeat(30_000));
    let next = format!("{HEAD};B[cc];W[cc])");
    let run = folder.run_with_input("check --max game=100k", &format!("{endless}\n{next}\n"));
    assert!(run.err.contains("2 games found = 1 replayed + 0 stopped + 1 unreadable"), "{}", run.err);
    assert_eq!(run.column("code").iter().filter(|code| *code == "P001").count(), 1);
}

/// Runs a command line on a generated stream with limited memory.
fn stream(line: &str, prefix: &str, unit: &str, bytes: u64, kilobytes: u64) -> Ran {
    let script = format!("ulimit -v {kilobytes}; exec {} {line}", env!("CARGO_BIN_EXE_jigo"));
    let (prefix, block) = (prefix.as_bytes().to_vec(), unit.repeat((1 << 20) / unit.len()).into_bytes());
    let (output, is_read) = run_with_writer(Command::new("sh").args(["-c", &script]), move |input| {
        // A command that stops reading early shows it by its exit code.
        let _ = input.write_all(&prefix);
        (0..bytes >> 20).all(|_| input.write_all(&block).is_ok())
    });
    assert!(is_read, "{line} does not read {unit:?} to the end: {:?}", output.status);
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs endless streams of repeated units. Memory is bounded, every byte is read, and the summary
/// adds up.
fn assert_streams_bounded(line: &str, megabytes: u64) {
    for prefix in ["", "(;", "(;GM[1]FF[4]SZ[52]", "(;GM[1]FF[4]C["] {
        for unit in ["(", ";", "[", "AB[aa:ZZ]", ";AB[aa:ZZ]", "(;B[aa]", ")", "]", "\\"] {
            let started = std::time::Instant::now();
            let run = stream(line, prefix, unit, megabytes << 20, 1_500_000);
            assert!((0..2).contains(&run.code), "{prefix:?} {unit:?}: {} {}", run.err, run.out);
            let summary_line = run.err.lines().find(|line| line.contains(" found = "));
            assert!(summary_line.is_some(), "{}", run.err);
            eprintln!(
                "{prefix:?} and {megabytes} MB of {unit:?}: {:.1} s, {}, {} rows",
                started.elapsed().as_secs_f64(),
                summary_line.unwrap(),
                run.rows().len()
            );
        }
    }
}

#[test]
fn endless_streams_take_bounded_memory() {
    assert_streams_bounded("check --jobs 2 --variations all --max game=256k", 1);
}

#[test]
#[ignore = "takes an hour: JIGO_STREAM_MB megabytes of each stream, 10,000 unless it is set"]
fn endless_streams_of_ten_gigabytes_take_bounded_memory() {
    let megabytes = std::env::var("JIGO_STREAM_MB").map_or(10_000, |text| text.parse().unwrap());
    assert_streams_bounded("check --jobs 2 --variations all", megabytes);
}

/// Trees of at least half a million nodes with all variations replayed. Nothing recurses, and time,
/// memory and rows are not quadratic in the nodes. A quadratic step would take too long for any
/// test run.
#[test]
fn tree_of_a_million_nodes_takes_bounded_memory() {
    let folder = Folder::new();
    let count = 500_000;
    let trees = [
        ("deep", "L008", format!("{HEAD}{}{})", "(;B[dd]".repeat(count), ")".repeat(count))),
        ("twigs", "L002", format!("{HEAD}{}{})", "(;B[dd](;W[dd])".repeat(count), ")".repeat(count))),
        ("wide", "", format!("{HEAD}{})", "(;B[dd])".repeat(count))),
        ("long", "P001", format!("{HEAD}{})", ";B[dd];W[dd]".repeat(count))),
        // Each variation repeats the setup, and each finding repeats the path to the variation.
        ("setups", "D007", format!("(;SZ[52]AB[aa:ZZ]{})", "(;B[dd])".repeat(count))),
        (
            "ways",
            "D007",
            format!("{HEAD}{}{}{})", "(;B[aa])(;B[bb]".repeat(900), ";B[dd]".repeat(count), ")".repeat(900)),
        ),
    ];
    for (name, code, tree) in trees {
        let file = format!("{name}.sgf");
        folder.file(&file, tree);
        let run = folder.run(&format!("check --variations all --select L,D,P001 {file}"));
        assert!(run.err.contains("1 game found = "), "{name}: {}", run.err);
        assert!(run.code < 2, "{name}: {}", run.err);
        assert!(
            run.column("code").iter().any(|found| found == code) || code.is_empty(),
            "{name}: {:?}",
            run.rows().last()
        );
        assert!(run.out.len() < 200 * count, "{name}: {} bytes of rows", run.out.len());
    }
}

/// In a game without turns, a finding's identity depends on the whole text.
#[test]
fn baseline_of_one_large_game_takes_bounded_time() {
    let folder = Folder::new();
    folder.file("setup.sgf", format!("(;SZ[9]{})", ";AB[ss]".repeat(500_000)));
    let run = folder.run("check --select P --write-baseline known.jsonl setup.sgf");
    assert!(run.code < 2, "{}", run.err);
}
