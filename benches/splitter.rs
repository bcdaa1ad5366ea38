//! How fast bytes are cut into games, against sgf-parse on the same bytes. Both answers are checked.
//!
//! `JIGO_CORPUS=FOLDER cargo bench --bench splitter` reads the `*.sgf` files of FOLDER/collections, else games made here.

use std::time::Instant;

use jigo::input::{Piece, split};

fn text() -> Vec<u8> {
    let mut text = Vec::new();
    if let Some(folder) = std::env::var_os("JIGO_CORPUS") {
        let folder = std::path::Path::new(&folder).join("collections");
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            text.extend(std::fs::read(entry.path()).unwrap_or_default());
        }
    }
    if text.is_empty() {
        let game = format!("(;GM[1]FF[4]SZ[19]PB[Black]PW[White]KM[6.5]RE[W+R]{})\n", ";B[dd];W[pp]".repeat(120));
        text = game.repeat(10_000).into_bytes();
    }
    text
}

fn main() {
    let text = text();
    let megabytes = text.len() as f64 / 1e6;
    let mut games = 0;
    let mut best = f64::MAX;
    for _ in 0..10 {
        games = 0;
        let started = Instant::now();
        split(&text, true, |piece| games += usize::from(matches!(piece, Piece::Game(..))));
        best = best.min(started.elapsed().as_secs_f64());
    }
    println!("split:     {games} games, {:.0} MB/s", megabytes / best);
    let started = Instant::now();
    let parsed = sgf_parse::parse(&String::from_utf8_lossy(&text)).map_or(0, |trees| trees.len());
    println!("sgf-parse: {parsed} games, {:.0} MB/s", megabytes / started.elapsed().as_secs_f64());
    assert_eq!(games, parsed);
}
