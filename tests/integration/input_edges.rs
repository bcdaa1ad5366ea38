//! Inputs at the edge of a format: a byte order mark, a single column, a damaged archive, no bytes.

use std::fs;
use std::io::Write;

use crate::support::cli::{CLEAN, Folder};

#[test]
fn json_rows_after_a_byte_order_mark_are_read() {
    let folder = Folder::new();
    let row = |id: &str| serde_json::json!({ "id": id, "sgf": CLEAN }).to_string();
    folder.file("rows.jsonl", format!("\u{FEFF}{}\n{}\n", row("a"), row("a")));
    let ran = folder.run("check rows.jsonl");
    assert!(ran.err.contains("2 games found = 2 replayed"), "{}", ran.err);
    // The identifier of the first row is read too.
    assert!(ran.out.contains("repeated-id"), "{}", ran.out);
}

#[test]
fn table_with_one_column_is_a_table() {
    let folder = Folder::new();
    for name in ["one.csv", "one.TSV"] {
        folder.file(name, format!("sgf\n\"{CLEAN}\"\n\"{CLEAN}\"\n"));
        let ran = folder.run(&format!("check {name}"));
        assert!(ran.err.starts_with("2 sources") && !ran.out.contains("I004"), "{}{}", ran.err, ran.out);
        assert_eq!(folder.run(&format!("show {name}!2")).code, 0);
    }
    // Without this name, the line may be text before games.
    folder.file("one.txt", format!("sgf\n{CLEAN}\n"));
    assert!(folder.run("check one.txt").err.contains("1 game found"));
}

#[test]
fn damaged_archive_in_a_folder_fails_exports() {
    let folder = Folder::new();
    folder.file("games/clean.sgf", CLEAN);
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("b.sgf", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(CLEAN.as_bytes()).unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    folder.file("games/cut.zip", &bytes[..bytes.len() / 2]);
    for command in ["check", "check --table turns", "check --table keys", "compare", "duplicates"] {
        let ran = folder.run(&format!("{command} games"));
        assert_eq!(ran.code, 1, "{command}: {}", ran.err);
        assert_eq!(ran.err.contains("exit code 1 for"), command != "check", "{command}: {}", ran.err);
        assert_eq!(folder.run(&format!("{command} --exit-zero games")).code, 0, "{command}");
    }
    fs::remove_file(folder.path().join("games/cut.zip")).unwrap();
    folder.file("games/illegal.sgf", crate::support::cli::ILLEGAL);
    assert_eq!(folder.run("check --table turns games").code, 0);
}

#[test]
fn file_without_bytes_has_no_games_in_any_format() {
    let folder = Folder::new();
    folder.file("empty", "");
    for format in ["auto", "sgf", "jsonl", "csv", "arrow", "parquet"] {
        for ran in [
            folder.run(&format!("check --input-format {format} empty")),
            folder.run_with_input(&format!("check --input-format {format} -"), ""),
        ] {
            assert_eq!(ran.code, 0, "{format}: {}", ran.err);
            assert!(ran.err.contains("0 games"), "{format}: {}", ran.err);
        }
    }
    for text in ["\n\n", " \r\n\t\n", "\u{FEFF}\n"] {
        folder.file("blank.csv", text).file("blank.tsv", text);
        for line in ["check blank.csv blank.tsv", "check --input-format csv blank.csv", "duplicates blank.csv"] {
            let run = folder.run(line);
            assert_eq!((run.code, run.rows().len()), (0, 0), "{line} {text:?}: {}", run.err);
        }
    }
    assert_eq!(folder.run("score --input-format positions empty").code, 0);
}
