//! How fast each part of the work is, one after the other on one thread. Every part checks its answer.
//!
//! `JIGO_CORPUS=FOLDER cargo bench --bench throughput` works on the files of FOLDER/collections, `cargo bench --bench throughput` on
//! made-up games.

mod support;

use jigo::analyze::{Analyzer, Settings};
use jigo::board::{Color, Position};
use jigo::input::{GameText, Limits, Piece, split};
use jigo::record::{DialectChoice, GameRecord, Reading, StepKind};
use jigo::replay::{ReplayOptions, Replayer, Tally};
use jigo::report::csv::CsvRows;
use jigo::report::rows::GameRow;
use jigo::rules::select::Choice;
use jigo::score::count::Counts;
use jigo::score::playout::estimate;
use jigo::score::settled::settled;
use support::{best, games, text};

/// Runs of each part; the fastest counts.
const TIMES: usize = 5;
/// Endings to estimate.
const ESTIMATES: usize = 10;

/// A line of the table.
fn line(part: &str, seconds: f64, amounts: [(&str, usize); 3]) {
    let rates = amounts.map(|(unit, amount)| match amount {
        0 => format!("{:>18}", ""),
        _ => format!("{:>11.0} {unit:<6}", amount as f64 / seconds),
    });
    println!("{part:<10}{}", rates.join(" "));
}

fn main() {
    let text = text();
    let games = games(&text);
    println!("{} games, {:.1} MB; a second:", games.len(), text.len() as f64 / 1e6);
    split_text(&text, games.len());
    let records = read(&games);
    let ends = replay(&records);
    check(&games, &ends);
    settle(&ends);
    playouts(&ends);
    rows(&games);
}

/// Cuts the text into games; sgf-parse finds as many.
fn split_text(text: &[u8], games: usize) {
    let (seconds, found) = best(TIMES, || {
        let mut found = 0;
        split(text, true, |piece| found += usize::from(matches!(piece, Piece::Game(..))));
        found
    });
    line("split", seconds, [("games", found), ("MB", text.len() / 1_000_000), ("", 0)]);
    let (seconds, parsed) = best(1, || sgf_parse::parse(&String::from_utf8_lossy(text)).map_or(0, |trees| trees.len()));
    line("sgf-parse", seconds, [("games", parsed), ("MB", text.len() / 1_000_000), ("", 0)]);
    assert_eq!((found, parsed), (games, games));
}

fn turns(record: &GameRecord) -> usize {
    record.steps.iter().filter(|step| matches!(step.what, StepKind::Turn(..))).count()
}

/// Reads the games; a reading that begins anew for each game gives the same records.
fn read(games: &[GameText]) -> Vec<GameRecord> {
    let mut reading = Reading::default();
    let (seconds, found) = best(TIMES, || {
        games
            .iter()
            .map(|game| {
                reading.read(game, game.bytes, DialectChoice::Auto, Limits::default());
                turns(&reading.record)
            })
            .sum::<usize>()
    });
    let bytes: usize = games.iter().map(|game| game.bytes.len()).sum();
    line("read", seconds, [("games", games.len()), ("MB", bytes / 1_000_000), ("turns", found)]);
    let records: Vec<GameRecord> = games.iter().map(|game| Reading::of(game).record).collect();
    assert_eq!(records.iter().map(turns).sum::<usize>(), found);
    records
}

/// Replays the records; every stone that was played or set up is on the board or was lost.
fn replay(records: &[GameRecord]) -> Vec<(Position, Tally)> {
    let mut replayer = Replayer::default();
    let mut run = |record: &GameRecord| replayer.replay(record, &[], ReplayOptions::default(), &mut Vec::new());
    let (seconds, found) = best(TIMES, || records.iter().map(|record| run(record).turns as usize).sum::<usize>());
    line("replay", seconds, [("games", records.len()), ("", 0), ("turns", found)]);
    let mut ends = Vec::with_capacity(records.len());
    for record in records {
        let tally = replayer.replay(record, &[], ReplayOptions::default(), &mut Vec::new());
        for color in Color::BOTH {
            let side = color.index();
            let put = i64::from(tally.plays[side]) + i64::from(tally.setup[side]);
            let there = i64::from(replayer.position().count(color)) + i64::from(tally.lost[side]);
            assert_eq!(put, there, "stones of {}", color.name());
        }
        ends.push((replayer.position().clone(), tally));
    }
    ends
}

/// Reads, replays and judges; the turns are those of the replay.
fn check(games: &[GameText], ends: &[(Position, Tally)]) {
    let settings = Settings { judges: vec![Choice::Recorded], ..Settings::default() };
    let mut analyzer = Analyzer::default();
    let (seconds, (found, _findings)) = best(TIMES, || {
        games.iter().fold((0, 0), |(turns, findings), game| {
            let report = analyzer.analyze(game, &settings);
            (turns + report.tally.turns as usize, findings + report.findings.len())
        })
    });
    let bytes: usize = games.iter().map(|game| game.bytes.len()).sum();
    line("check", seconds, [("games", games.len()), ("MB", bytes / 1_000_000), ("turns", found)]);
    assert_eq!(found, ends.iter().map(|(_, tally)| tally.turns as usize).sum::<usize>());
}

/// Looks for endings with nothing left to decide; area and territory of each differ by what was played.
fn settle(ends: &[(Position, Tally)]) {
    let (seconds, found) = best(TIMES, || ends.iter().filter(|(position, _)| settled(position).is_some()).count());
    line("settle", seconds, [("games", ends.len()), ("", 0), ("", 0)]);
    let endings = ends.iter().filter_map(|(position, tally)| Some((position, tally, settled(position)?)));
    let counted = endings.map(|(position, tally, dead)| Counts::of(position, &dead).identity_holds(tally));
    assert_eq!(counted.filter(|holds| *holds).count(), found);
}

/// Estimates a few endings; every dead stone is a stone.
fn playouts(ends: &[(Position, Tally)]) {
    let step = (ends.len() / ESTIMATES).max(1);
    let chosen: Vec<&Position> = ends.iter().step_by(step).take(ESTIMATES).map(|(position, _)| position).collect();
    let (seconds, dead) =
        best(1, || chosen.iter().map(|position| estimate(position, Color::Black).dead).collect::<Vec<_>>());
    line("playouts", seconds, [("games", chosen.len()), ("", 0), ("", 0)]);
    for (position, dead) in chosen.iter().zip(&dead) {
        assert!(dead.iter().all(|point| position.stone(*point).is_some()));
    }
}

/// Writes the games table; a reader of CSV finds all its cells.
fn rows(games: &[GameText]) {
    let mut analyzer = Analyzer::default();
    let settings = Settings::default();
    let reports: Vec<_> = games.iter().map(|game| analyzer.analyze(game, &settings).clone()).collect();
    let (seconds, bytes) = best(TIMES, || {
        let mut rows = CsvRows::default();
        games.iter().zip(&reports).for_each(|(game, report)| rows.push(&GameRow::new(*game, report, 0)));
        rows.into_bytes()
    });
    line("rows", seconds, [("rows", games.len()), ("MB", bytes.len() / 1_000_000), ("", 0)]);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice());
    let cells = <GameRow as jigo::report::Row>::TABLE.columns.len();
    assert_eq!(reader.records().filter(|row| row.as_ref().is_ok_and(|row| row.len() == cells)).count(), games.len());
}
