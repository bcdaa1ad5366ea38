//! The page of `jigo find --out`. Its numbers equal those of the tables, text from records stays
//! text, and its commands work.

use std::collections::BTreeMap;
use std::fs;

use crate::report_page::{browse, commands, figures, hostile};
use crate::support::cli::Folder;

/// The pattern of a stone on the 3-3 point of an empty corner.
const CORNER: &str = "+-----,|.....,|.....,|..X..";

fn fixtures() -> String {
    format!("{}/fixtures/games", env!("CARGO_MANIFEST_DIR"))
}

/// Writes the page of a search over paths into the folder `out`. Returns the page.
fn page(folder: &Folder, words: &[&str]) -> String {
    folder.command(["find", "-q", "--out", "out"].iter().chain(words)).assert().success();
    folder.read("out/index.html")
}

/// Returns the columns of a table in the folder `out`, one text for each row.
fn columns(folder: &Folder, table: &str, names: &[&str]) -> Vec<String> {
    let rows = folder.table(&format!("out/{table}"));
    rows.iter().map(|row| names.iter().map(|name| row[*name].as_str()).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn page_numbers_equal_the_tables() {
    let folder = Folder::new();
    let page = page(&folder, &["--all", "--swap-colors", CORNER, &fixtures()]);
    let rows = columns(&folder, "matches.csv", &["game", "next_color", "next"]);
    let figures = figures(&page);
    assert_eq!(figures["matches"], rows.len() as u64);
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for row in &rows {
        let next = row.split_once(' ').unwrap().1.trim();
        *counts.entry(if next.is_empty() { "no next turn".into() } else { next.to_owned() }).or_default() += 1;
    }
    let shown: BTreeMap<String, u64> = figures
        .iter()
        .filter_map(|(figure, count)| figure.strip_prefix("next:").map(|next| (next.to_owned(), *count)))
        .collect();
    assert_eq!(shown, counts);
    let table = columns(&folder, "continuations.csv", &["matches"]);
    assert_eq!(table.iter().map(|count| count.parse::<u64>().unwrap()).sum::<u64>(), rows.len() as u64);
}

#[test]
fn tables_equal_those_of_the_command() {
    let folder = Folder::new();
    page(&folder, &[CORNER, &fixtures()]);
    for table in ["matches", "continuations"] {
        let run = folder.run(&format!("find -q --table {table} {CORNER} {}", fixtures()));
        assert_eq!(folder.read(&format!("out/{table}.csv")), run.out, "{table}");
    }
    page(&folder, &["--force", "--format", "jsonl", CORNER, &fixtures()]);
    assert_eq!(folder.read("out/matches.jsonl").lines().count(), 5);
}

#[test]
fn page_is_thread_independent() {
    let folder = Folder::new();
    let with = |jobs: &str| page(&folder, &["--force", "--all", "--jobs", jobs, CORNER, &fixtures()]);
    assert_eq!(with("1"), with("3"));
}

#[test]
fn existing_files_are_replaced_only_with_force() {
    let folder = Folder::new();
    page(&folder, &[CORNER, &fixtures()]);
    let before = folder.read("out/index.html");
    let run = folder.run(&format!("find -q --out out X {}", fixtures()));
    assert_eq!(run.code, 2);
    assert!(run.err.contains("is there already; --force replaces it"), "{}", run.err);
    assert_eq!(folder.read("out/index.html"), before);
    assert_ne!(page(&folder, &["--force", "X", &fixtures()]), before);
    let files = fs::read_dir(folder.path().join("out")).unwrap().count();
    assert_eq!(files, 3);
}

#[test]
fn page_excludes_other_outputs_and_protects_inputs() {
    let folder = Folder::new();
    folder.file("out/matches.csv", "record\n(;SZ[9];B[cc])\n");
    let fault = |line: &str, part: &str| {
        let run = folder.run(&format!("find -q {line}"));
        assert_eq!(run.code, 2, "{line}");
        assert!(run.err.contains(part), "{line}: {}", run.err);
    };
    fault("--out out --output rows.csv X .", "cannot be used with");
    fault("--out out --table continuations X .", "cannot be used with");
    fault("--out out --force X out/matches.csv", "is read as an input");
    assert_eq!(folder.read("out/matches.csv"), "record\n(;SZ[9];B[cc])\n");
}

#[test]
fn text_of_records_never_becomes_markup() {
    let folder = hostile();
    let page = page(&folder, &["X", "."]);
    assert!(page.contains("&lt;script&gt;document.title") && page.matches("<script").count() == 1, "{page}");
    assert!(page.contains("&lt;img src=x") && !page.contains("<img"));
}

#[cfg(unix)]
#[test]
fn commands_of_the_page_show_the_matches() {
    let folder = hostile();
    folder.file("v.sgf", "(;SZ[9];B[aa](;W[bb])(;W[cc];B[ee]))");
    let page = page(&folder, &["--variations", "all", "--all", "X", "."]);
    let all = commands(&page);
    assert!(all.len() > 2, "{all:?}");
    assert!(
        page.contains(", variation 2") && all.iter().any(|command| command.contains("#1' --variation 2 --turn")),
        "{all:?}"
    );
    let jigo = assert_cmd::cargo::cargo_bin("jigo");
    for command in all {
        let line = command.replacen("jigo", &jigo.display().to_string(), 1);
        let run = std::process::Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
        assert!(run.status.success() && !run.stdout.is_empty(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
    }
}

#[test]
fn pattern_without_a_match_has_a_page() {
    let folder = Folder::new();
    let page = page(&folder, &["--points", "B A1, W B1, B C1, W D1", &fixtures()]);
    assert!(page.contains("The pattern does not occur.") && page.contains(" in <span"), "{page}");
    assert_eq!(figures(&page)["matches"], 0);
}

#[test]
fn browser_shows_page_without_console_messages() {
    let Some(chromium) = crate::support::path_in("JIGO_CHROMIUM") else { return };
    let chromium = chromium.to_string_lossy();
    let folder = hostile();
    page(&folder, &["--all", "*.,.X", "."]);
    let (page, profile) = (folder.path().join("out/index.html"), folder.path().join("profile"));
    let (console, document) = browse(&chromium, &profile, &page, &["--dump-dom"]);
    assert!(console.is_empty(), "{console:?}");
    assert!(document.contains("<title>jigo find</title>"));
    let narrow = folder.path().join("narrow.png");
    let flags = [format!("--screenshot={}", narrow.display()), "--window-size=390,1500".to_owned()];
    let (console, _) = browse(&chromium, &profile, &page, &[&flags[0], &flags[1]]);
    assert!(console.is_empty(), "{console:?}");
    assert!(fs::read(&narrow).unwrap().starts_with(b"\x89PNG"));
}
