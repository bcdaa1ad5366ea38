//! Shared parts of the benchmarks: games and a timer.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use jigo_record::splitter::{GameText, Piece, split_all};

/// Number of synthetic games if no corpus is given.
const GAMES: &str = "10000";

/// Returns the text of all games.
///
/// These are the `*.sgf` files of `collections` in the folder `JIGO_CORPUS`, or the synthetic games
/// of `benches/games`.
pub fn text() -> Vec<u8> {
    let Some(corpus) = std::env::var_os("JIGO_CORPUS") else {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/games");
        return Command::new(script).arg(GAMES).output().expect("benches/games needs a shell and awk").stdout;
    };
    let folder = std::fs::read_dir(Path::new(&corpus).join("collections")).expect("JIGO_CORPUS has collections");
    let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().flat_map(|path| std::fs::read(path).unwrap()).collect()
}

/// Returns all games of a text.
pub fn games(bytes: &[u8]) -> Vec<GameText<'_>> {
    let mut games = Vec::new();
    split_all(bytes, |piece| {
        if let Piece::Game(range, close, charset) = piece {
            let (game, offset) = (games.len() as u64 + 1, range.start as u64);
            games.push(GameText { file: "games.sgf", game, offset, ..GameText::single(&bytes[range], close, charset) });
        }
    });
    games
}

/// Runs `work` several times and returns the shortest time in seconds and the result.
///
/// # Panics
/// If two runs have different results.
pub fn best<T: PartialEq + std::fmt::Debug>(runs: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut timed = || {
        let started = Instant::now();
        let result = work();
        (started.elapsed().as_secs_f64(), result)
    };
    let (mut seconds, result) = timed();
    for _ in 1..runs {
        let (repetition, second) = timed();
        assert_eq!(result, second, "two runs have different results");
        seconds = seconds.min(repetition);
    }
    (seconds, result)
}
