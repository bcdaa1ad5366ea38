//! `jigo fix` has bounded memory, and its omitted fixes are counted.

use crate::support::cli::Folder;

/// A game with this many empty nodes.
fn with_empty_nodes(count: usize) -> String {
    format!("(;GM[1]FF[4]SZ[9];B[aa]{};W[bb])", ";".repeat(count))
}

#[test]
fn game_with_too_many_edits_is_left_with_one_row() {
    let folder = Folder::new();
    let texts = [with_empty_nodes(250_001), with_empty_nodes(4_000_000)];
    for (number, text) in texts.iter().enumerate() {
        folder.file(&format!("in/{number}.sgf"), text);
    }
    let ran = folder.run("fix --exit-zero --out out --log log.csv in");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for (number, text) in texts.iter().enumerate() {
        assert!(folder.read(&format!("out/in/{number}.sgf")) == *text, "{number}");
    }
    let log = folder.read("log.csv");
    let rows: Vec<&str> = log.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "{log}");
    assert!(rows.iter().all(|row| row.contains("D010") && row.contains("more than 250000 edits")), "{log}");
}

#[test]
fn game_with_many_edits_is_fixed() {
    let folder = Folder::new();
    folder.file("in.sgf", with_empty_nodes(100_000));
    let ran = folder.run("fix --exit-zero --quiet --out out in.sgf");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(folder.read("out/in.sgf"), with_empty_nodes(0));
}

#[test]
fn omitted_parenthesis_after_a_damaged_game_is_counted() {
    let folder = Folder::new();
    folder.file("in.sgf", "(;GM[1]FF[4]SZ[9]PB[a]PW[b];B[aa]x;W[bb])\n)\n");
    let ran = folder.run("fix --exit-zero --out out in.sgf");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("more with --unsafe: D017 1"), "{}", ran.err);
}

/// A quadratic search would not finish.
#[test]
fn time_is_linear_in_trees_and_properties() {
    let folder = Folder::new();
    let root = "(;GM[1]FF[4]SZ[9]";
    let trees = 1_000_000;
    for (name, text) in [
        ("trees", format!("{root};B[aa]{}{})", "(".repeat(trees), ")".repeat(trees))),
        ("nodes", format!("{root}{}{})", "(;B[aa]".repeat(20_000), ")".repeat(20_000))),
        ("setup", format!("{root}{})", "AB[aa]AW[aa]".repeat(200_000))),
        ("repeated", format!("{root};B[aa]{})", "C[a]N[b]AB[bb]TR[cc][cc]".repeat(50_000))),
        ("info", format!("{root}{};B[aa]{})", "EV[x]".repeat(50_000), ";EV[y]SZ[9]".repeat(50_000))),
    ] {
        folder.file(&format!("in/{name}.sgf"), text);
    }
    let ran = folder.run("fix --exit-zero --quiet --out out --max game=64M in");
    assert_eq!(ran.code, 0, "{}", ran.err);
}
