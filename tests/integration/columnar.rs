//! pyarrow and DuckDB read jigo's Parquet and Arrow files.
//!
//! Tests that read files back need a Python with both, see [`crate::support::python`].
#![cfg(feature = "columnar")]

use std::fs;
use std::process::Command;

use crate::support::cli::Folder;
use crate::support::python;

/// Games whose findings, counts and headers cover every column with a value and without one.
const ARCHIVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");

/// Returns small games without line breaks between them. Each has a finding.
fn small_games(count: usize) -> String {
    (0..count).map(|game| format!("(;SZ[9]RE[?]C[{game}];B[aa];W[aa])")).collect()
}

#[test]
fn every_table_is_equal_in_all_formats() {
    let Some(python) = python::path() else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/integration/support/read_back.py");
    let folder = Folder::new();
    for format in ["jsonl", "arrow", "parquet"] {
        let run = folder.run(&format!("report --rules all --out {format} --format {format} {ARCHIVE}"));
        assert_eq!(run.code, 1, "{}", run.err);
    }
    for (format, end) in [("jsonl", "jsonl"), ("arrow", "arrows"), ("parquet", "parquet")] {
        for (command, table) in [("check", "turns"), ("check", "evaluations"), ("score", "endings")] {
            let out = format!("--output {format}/{table}.{end}");
            let run =
                folder.run(&format!("{command} -q --columns all --table {table} --format {format} {out} {ARCHIVE}"));
            assert_eq!(run.code, 0, "{}", run.err);
        }
    }
    for table in ["findings", "scores", "games", "results", "turns", "evaluations", "endings"] {
        folder.file("schema.json", folder.run(&format!("schema {table} --format json")).out);
        let files = ["jsonl/TABLE.jsonl", "arrow/TABLE.arrows", "parquet/TABLE.parquet"];
        let files = files.map(|file| file.replace("TABLE", table));
        let mut arguments = vec![script, "schema.json"];
        arguments.extend(files.iter().map(String::as_str).chain(["all"]));
        let rows = python::run(&python, &arguments, folder.path());
        assert_eq!(rows, folder.read(&files[0]).lines().count().to_string(), "{table}");
    }
}

#[test]
fn pyarrow_reads_arrow_from_a_pipe() {
    let Some(python) = python::path() else { return };
    let folder = Folder::new();
    let script = "import sys, pyarrow as pa, pyarrow.compute as pc\n\
                  scores = pa.ipc.open_stream(sys.stdin.buffer).read_all()\n\
                  black = scores.filter(pc.equal(scores['winner'].cast('string'), 'B'))\n\
                  print(black.num_rows, pc.sum(black['black_minus_white']))";
    folder.file("sum.py", script);
    let jigo = env!("CARGO_BIN_EXE_jigo");
    let line = format!("{jigo} score -q --rules all --format arrow {ARCHIVE} | {python} sum.py");
    let piped = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
    let csv = folder.run(&format!("score -q --rules all {ARCHIVE}"));
    let margins: Vec<f64> = csv
        .column("winner")
        .iter()
        .zip(csv.column("black_minus_white"))
        .filter(|(winner, _)| *winner == "B")
        .map(|(_, margin)| margin.parse().unwrap())
        .collect();
    assert!(margins.len() > 5);
    let expected = format!("{} {:.1}", margins.len(), margins.iter().sum::<f64>());
    assert_eq!(String::from_utf8(piped.stdout).unwrap().trim(), expected);
}

#[test]
fn duckdb_selects_from_the_tables_of_a_report() {
    let Some(python) = python::path() else { return };
    let folder = Folder::with_games();
    folder.run("report --out audit --format parquet .");
    let script = "print(duckdb.sql(\"select g.file, f.code, g.komi from 'audit/games.parquet' g \
                  join 'audit/findings.parquet' f using (file, game) where f.severity = 'error'\").fetchall())";
    let script = format!("{}{script}", python::IMPORT_DUCKDB);
    let printed = python::run(&python, &["-c", &script], folder.path());
    assert_eq!(printed, "[('./illegal.sgf', 'P001', 7.5)]");
}

#[test]
fn row_groups_are_bounded() {
    let Some(python) = python::path() else { return };
    let folder = Folder::new();
    folder.file("many.sgf", small_games(20_000));
    let findings = folder.run("check -q --format parquet --output rows.parquet many.sgf");
    assert_eq!(findings.code, 1, "{}", findings.err);
    let script = "import pyarrow.parquet as pq\n\
                  meta = pq.ParquetFile('rows.parquet').metadata\n\
                  print(*[meta.row_group(i).num_rows for i in range(meta.num_row_groups)])";
    let groups = python::run(&python, &["-c", script], folder.path());
    let groups: Vec<usize> = groups.split(' ').map(|rows| rows.parse().unwrap()).collect();
    let rows = folder.run("check -q many.sgf").rows().len();
    assert_eq!(groups.iter().sum::<usize>(), rows);
    assert!(groups.len() > 1 && groups.iter().all(|rows| *rows <= 1 << 16), "{groups:?}");
}

#[test]
fn columnar_output_is_thread_independent() {
    let folder = Folder::new();
    folder.file("many.sgf", small_games(20_000));
    for format in ["arrow", "parquet"] {
        for jobs in [1, 3] {
            folder.run(&format!("check -q --jobs {jobs} --format {format} --output {jobs} many.sgf {ARCHIVE}"));
        }
        let [one, three] = ["1", "3"].map(|name| fs::read(folder.path().join(name)).unwrap());
        assert!(one.len() > 100_000);
        assert!(one == three, "{format}");
        // The provenance is the same, too.
        let command = format!("\"jigo check many.sgf {ARCHIVE}\"");
        assert!(one.windows(command.len()).any(|bytes| bytes == command.as_bytes()), "{format}");
        ["1", "3"].into_iter().for_each(|name| fs::remove_file(folder.path().join(name)).unwrap());
    }
}

#[test]
fn parquet_on_stdout_equals_the_output_file() {
    let folder = Folder::with_games();
    let piped = folder.command(["check", "-q", "--format", "parquet", "."]).output().unwrap();
    folder.run("check -q --format parquet --output rows.parquet .");
    assert!(piped.stdout.starts_with(b"PAR1") && piped.stdout.ends_with(b"PAR1"));
    assert_eq!(fs::read(folder.path().join("rows.parquet")).unwrap(), piped.stdout);
    assert_eq!(folder.list(), ["clean.sgf", "illegal.sgf", "rows.parquet", "warned.sgf"]);
}

#[test]
fn provenance_has_a_command_that_repeats_the_table() {
    let Some(python) = python::path() else { return };
    let folder = Folder::with_games();
    folder.file("jigo.toml", "rules = \"aga\"\n");
    let script = "import json, sys, duckdb, polars, pyarrow.parquet as pq\n\
                  key = 'jigo.provenance'\n\
                  query = f\"select decode(value) from parquet_kv_metadata('{sys.argv[1]}') where key = '{key}'\"\n\
                  texts = {duckdb.sql(query).fetchall()[0][0], polars.read_parquet_metadata(sys.argv[1])[key],\n\
                  pq.read_schema(sys.argv[1]).metadata[key.encode()].decode()}\n\
                  run = json.loads(texts.pop())\n\
                  print(run['command'], run['rulesets'], len(run['configuration']), len(run['inputs']['sha256']), len(texts))";
    for (command, rulesets) in [
        ("check --table turns --columns +winner --where 'turns > 1' .", "[]"),
        ("score --komi 0.5 .", "['aga']"),
        ("compare --list=margin --all-pairs --all-endings --rules all .", "26"),
        ("compare --by year,server --min-games 0 --rules 'japanese,chinese' .", "['japanese', 'chinese']"),
        ("find 'X.,..' --all .", "[]"),
        ("find --position clean.sgf --turn 2 .", "[]"),
        ("duplicates --keep first .", "[]"),
    ] {
        let make = |command: &str, file: &str| {
            let words = shlex::split(&format!("{command} -q --exit-zero --format parquet --output {file} --force"));
            assert!(folder.command(words.unwrap()).output().unwrap().status.success(), "{command}");
            fs::read(folder.path().join(file)).unwrap()
        };
        let table = make(command, "one");
        let printed = python::run(&python, &["-c", script, "one"], folder.path());
        let (recorded, rest) = printed.split_once(" [").unwrap();
        assert!(rulesets == "26" || rest == format!("{} 64 64 0", &rulesets[1..]), "{printed}");
        assert!(make(recorded.strip_prefix("jigo ").unwrap(), "two") == table, "{command}: {printed}");
    }
}
