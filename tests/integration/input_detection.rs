//! jigo recognises the format of an input by its content. The message for an input without records
//! names its probable format.

use std::fs;

use serde_json::json;

use crate::support::cli::{CLEAN, Folder, ILLEGAL, Ran, WARNED};

/// Returns a folder with files and with the same records as JSON lines.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut lines = String::new();
    for (name, text) in [("in/a.sgf", ILLEGAL), ("in/b/c.sgf", WARNED), ("in/d.sgf", CLEAN)] {
        folder.file(name, text);
        lines += &format!("{}\n", json!({"id": name, "sgf": text}));
    }
    folder.file("rows.jsonl", lines);
    folder
}

fn games_line(run: &Ran) -> &str {
    run.err.lines().find(|line| line.contains(" found = ")).unwrap_or_default()
}

#[test]
fn json_lines_are_detected_as_rows() {
    let folder = folder();
    let expected = folder.run("check in");
    for line in ["check rows.jsonl", "check --jobs 1 rows.jsonl", "check rows.jsonl.gz"] {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, folder.read("rows.jsonl").as_bytes()).unwrap();
        folder.file("rows.jsonl.gz", packed.finish().unwrap());
        let run = folder.run(line);
        assert_eq!((run.out.as_str(), run.code), (expected.out.as_str(), expected.code), "{line}");
        assert_eq!(games_line(&run), games_line(&expected));
    }
    let piped = folder.run_with_input("check", &folder.read("rows.jsonl"));
    assert_eq!(piped.out, expected.out);
    let explicit = folder.run("check --input-format jsonl rows.jsonl");
    for run in [&piped, &folder.run("check rows.jsonl")] {
        assert_eq!(run.err.lines().next(), explicit.err.lines().next(), "rows are counted");
    }
    // Files in the same run are counted as files.
    let both = folder.run("check rows.jsonl in/a.sgf");
    assert!(both.err.starts_with("4 sources"), "{}", both.err);
    // An explicit format overrides the detected one.
    let files = folder.run("check --input-format sgf rows.jsonl").column("file");
    assert!(!files.is_empty() && files.iter().all(|file| file == "rows.jsonl"), "{files:?}");
}

#[test]
fn show_prints_one_game_of_a_table() {
    let folder = folder();
    let board = |name: &str| folder.run(&format!("show {name}"));
    let row = board("rows.jsonl!in/a.sgf");
    assert_eq!((row.out, row.code), (board("in/a.sgf").out, 0));
    let several = board("rows.jsonl --turn 1").err;
    assert!(several.contains("rows.jsonl holds 3 files: name one of them"), "{several}");
    let piped = folder.run_with_input("show -- -!in/a.sgf", &folder.read("rows.jsonl"));
    assert_eq!(piped.out, board("in/a.sgf").out);
    assert!(board("rows.jsonl!in/z.sgf").err.contains("has no file 'in/z.sgf'"));
    assert!(board("rows.jsonl!in/a.sgf#2").err.contains("in/a.sgf holds 1 game, there is no game 2"));
}

#[test]
fn show_obeys_limits_of_command_line() {
    let folder = folder();
    let run = folder.run("show --max game=10 in/a.sgf");
    assert!(run.code == 2 && run.out.contains("(D006)"), "{}{}", run.out, run.err);
    let run = folder.run("show --max nodes=2 in/a.sgf");
    assert!(run.code == 0 && run.out.contains("--max nodes=2"), "{}{}", run.out, run.err);
}

#[test]
fn inputs_without_records_name_their_format() {
    let folder = folder();
    const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";
    const PAGE: &[u8] = b"\n<!DOCTYPE html>\n<html>404</html>\n";
    for (name, bytes, code, expected) in [
        ("a.zip", POINTER, "corrupt-member", "a pointer of Git LFS"),
        ("a.sgf.gz", PAGE, "corrupt-member", "a web page"),
        ("b.7z", PAGE, "corrupt-member", "a web page"),
        ("pointer.sgf", POINTER, "no-game", "a pointer of Git LFS"),
        ("saved.sgf", PAGE, "no-game", "a web page"),
    ] {
        folder.file(name, bytes);
        let run = folder.run(&format!("check {name}"));
        assert!(run.code > 0 && run.err.contains(expected), "{name}: {}", run.err);
        assert_eq!(run.column("name"), [code], "{name}");
    }
    let cases: [(&str, &[u8], &str); 10] = [
        ("picture.png", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR(;B[aa])", "a PNG picture"),
        ("scan.pdf", b"%PDF-1.4\n(;B[aa])", "looks like a PDF"),
        ("jigo", b"\x7FELF\x02\x01\x01", "a program (ELF)"),
        ("misnamed.sgf", b"\x1F\x8B\x08\0\0\0", "rename it with the ending of an archive"),
        ("package.json", b"{\n  \"name\": \"jigo\"\n}\n", "JSON without the field sgf"),
        ("findings.jsonl", b"{\"file\":\"a.sgf\",\"code\":\"K001\"}\n", "JSON without the field sgf"),
        ("boards.jsonl", b"{\"id\":1,\"board\":[\"x.\"]}\n", "jigo score --input-format positions"),
        ("games.csv", b"name;komi\na;6.5\n", "there is no column sgf, only name, komi: --column NAME"),
        ("base.jsonl", b"{\"jigo_baseline\":1}\n", "--baseline FILE takes it"),
        ("page.html", b"<!doctype html><p>(;B[aa])", "a web page"),
    ];
    for (name, bytes, expected) in cases {
        folder.file(name, bytes);
        let run = folder.run(&format!("check {name}"));
        assert_eq!(run.code, 2, "{name}: {}", run.err);
        assert!(
            run.err.contains(&format!("jigo: {name}: no-game: ")) && run.err.contains(expected),
            "{name}: {}",
            run.err
        );
        assert_eq!(run.column("name"), ["no-game"], "{name}");
        let piped = folder.command(["check", "--stdin-name", name]).write_stdin(bytes).output().unwrap();
        if name != "misnamed.sgf" {
            assert!(String::from_utf8_lossy(&piped.stderr).contains(expected), "{name}");
        }
    }
    // The file is longer than a single read.
    folder.file("large.png", [b"\x89PNG\r\n\x1A\n".as_slice(), &b"(;B[aa])".repeat(100_000)].concat());
    let run = folder.run("check large.png");
    assert!((run.code, run.column("name")) == (2, vec!["no-game".into()]), "{}", run.err);
}

#[test]
fn skipped_files_are_counted_and_listed() {
    let folder = folder();
    folder
        .file("in/notes.txt", "notes")
        .file("in/b/x.TXT", "x")
        .file("in/Makefile", "all:\n")
        .file("in/x.unknown", "x");
    folder.file("in/untold", ILLEGAL);
    let run = folder.run("check --summary counts.json in");
    assert!(
        run.err.contains("skipped: 4 files (.txt 2, .unknown 1, no suffix 1); name a file to read it\n"),
        "{}",
        run.err
    );
    assert!(run.column("file").contains(&"in/untold".to_owned()), "{}", run.out);
    let counts: serde_json::Value = serde_json::from_str(&folder.read("counts.json")).unwrap();
    let expected = json!({"files": 4, "by_suffix": {"": 1, "txt": 2, "unknown": 1}});
    assert_eq!(counts["passed_over"], expected);
    folder.run("report --out all in");
    let all: serde_json::Value = serde_json::from_str(&folder.read("all/summary.json")).unwrap();
    assert_eq!(all["passed_over"], expected);
    assert!(!run.err.contains("jigo: skipped"));
    let verbose = folder.run("check --verbose in");
    let mut listed: Vec<&str> = verbose.err.lines().filter_map(|line| line.strip_prefix("jigo: skipped ")).collect();
    listed.sort_unstable();
    assert_eq!(listed, ["in/Makefile", "in/b/x.TXT", "in/notes.txt", "in/x.unknown"]);
    // Without skipped files the summary does not mention them.
    assert!(!folder.run("check in/a.sgf").err.contains("skipped"));
}

/// Tables from a report are recognised as jigo's output, both as a named file and in a folder.
#[test]
fn tables_of_jigo_are_recognised() {
    let folder = folder();
    let formats =
        if cfg!(feature = "columnar") { &["csv", "jsonl", "parquet", "arrow"][..] } else { &["csv", "jsonl"] };
    for format in formats {
        assert_eq!(folder.run(&format!("report -q --out {format} --format {format} in")).code, 1);
        let tables: Vec<String> =
            folder.list().into_iter().filter(|name| name.starts_with(&format!("{format}/"))).collect();
        // Only tables in CSV can be merged.
        let (count, json) = if *format == "csv" { (8, 3) } else { (7, 2) };
        assert_eq!(tables.len(), count, "{tables:?}");
        for table in &tables {
            let run = folder.run(&format!("check {table}"));
            let words = match table.rsplit_once('.').unwrap().1 {
                _ if table.ends_with("merge.json") => "this looks like a table that jigo wrote",
                "csv" | "jsonl" | "parquet" | "arrows" => {
                    "this looks like a table that jigo wrote: name the records that it was made of"
                }
                "json" => "no-game: this looks like JSON without the field sgf",
                _ => "no-game: this looks like a web page",
            };
            assert!(run.code == 2 && run.err.contains(words) && run.rows().len() == 1, "{table}: {}", run.err);
        }
        // Next to games such tables are skipped and reported.
        folder.file(&format!("{format}/a.sgf"), CLEAN);
        let with_games = folder.run(&format!("check {format}"));
        assert_eq!((with_games.code, with_games.rows().len()), (0, 0), "{}", with_games.out);
        assert!(
            with_games.err.contains(&format!("skipped: {count} files ("))
                && with_games.err.contains(&format!(".html 1, .json {json}")),
            "{}",
            with_games.err
        );
    }
    folder.run("check -q --output findings.sarif in");
    let run = folder.run("check findings.sarif");
    assert!(run.code == 2 && run.err.contains("this looks like SARIF"), "{}", run.err);
}

#[cfg(feature = "columnar")]
mod columns {
    use super::*;
    use crate::support::cli::run_command;

    /// Returns the files of `in` in a format, as `jigo split` writes them.
    fn parts(folder: &Folder, format: &str) -> Vec<u8> {
        let split = folder.command(["split", "--max-games", "1", "--format", format, "in"]).output().unwrap();
        assert!(split.status.success());
        split.stdout
    }

    #[test]
    fn parquet_and_arrow_are_detected_as_tables() {
        let folder = folder();
        folder.file("in/many.sgf", format!("{ILLEGAL}\n{CLEAN}\n").repeat(2000));
        let expected = folder.run("check in");
        for format in ["parquet", "arrow"] {
            let bytes = parts(&folder, format);
            folder.file("parts.table", &bytes);
            for line in [
                "check parts.table",
                "check --jobs 1 parts.table",
                &format!("check --input-format {format} parts.table"),
            ] {
                let run = folder.run(line);
                assert!(run.rows() == expected.rows() && run.code == expected.code, "{format}: {line}: {}", run.err);
                assert_eq!(games_line(&run), games_line(&expected));
            }
            let piped = run_command(folder.command(["check"]).write_stdin(bytes));
            assert!(piped.out == expected.out, "{format}: {}", piped.err);
            let board = folder.run("show parts.table!in/a.sgf");
            assert_eq!((board.out, board.code), (folder.run("show in/a.sgf").out, 0), "{format}");
        }
    }

    /// The seeds of the fuzz target contain the same rows in every layout and compression.
    #[test]
    fn all_layouts_and_compressions_give_same_rows() {
        let run = |name: &str| {
            let table = format!("{}/fuzz/seeds/tables/{name}", env!("CARGO_MANIFEST_DIR"));
            let run = Folder::new().run(&format!("check {table}"));
            assert_eq!(run.code, 1, "{}", run.err);
            run.out
        };
        let expected = run("plain.arrows");
        assert!(expected.lines().count() > 10);
        for name in ["file.arrow", "plain.parquet", "snappy.parquet", "zstd.parquet", "zstd2.parquet"] {
            assert_eq!(run(name), expected, "{name}");
        }
        // These tables also give the number of each row's first game in its file.
        assert_eq!(run("views.arrows"), run("gzip2.parquet"));
    }

    #[test]
    fn damaged_parquet_reports_every_lost_row() {
        let folder = folder();
        let sound = parts(&folder, "parquet");
        let expected = folder.run("check in").rows().len();
        let mut reported = 0;
        for offset in (4..sound.len()).step_by(37) {
            let mut bytes = sound.clone();
            bytes[offset] ^= 0x55;
            folder.file("parts.parquet", &bytes);
            let run = folder.run("check parts.parquet");
            assert!((0..=2).contains(&run.code), "byte {offset}: {}", run.err);
            let is_reported = run.code == 2 || run.column("name").contains(&"unreadable-row".to_owned());
            reported += usize::from(is_reported);
            // Every row is present or reported as lost. A byte of a text may have changed.
            assert!(is_reported || run.rows().len() + 2 >= expected, "byte {offset}: {}", run.out);
        }
        assert!(reported > 10, "{reported}");
        for length in [4, 11, 12, sound.len() / 2, sound.len() - 1] {
            folder.file("parts.parquet", &sound[..length]);
            let run = folder.run("check parts.parquet");
            assert!(run.code == 2 && run.err.contains("no sound Parquet"), "{length}: {}", run.err);
        }
    }

    #[test]
    fn foreign_tables_and_oversized_pages_are_reported() {
        let folder = folder();
        folder.run("check --format parquet --output findings.parquet in");
        let run = folder.run("check findings.parquet");
        assert_eq!(run.code, 2);
        assert!(run.err.contains("this looks like a table that jigo wrote"), "{}", run.err);
        folder.file("in/long.sgf", format!("(;C[{}])", "x".repeat(3 << 20)));
        fs::write(folder.path().join("parts.parquet"), parts(&folder, "parquet")).unwrap();
        assert_eq!(folder.run("check parts.parquet").code, 1);
        let run = folder.run("check --max memory=1M parts.parquet");
        assert!(run.code == 2 && run.err.contains("more than --max memory"), "{}", run.err);
    }
}
