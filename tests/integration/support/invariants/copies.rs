//! Games that are there again: what it takes to find them grows with their number, and every row makes sense.

use std::time::Duration;

use cpu_time::ProcessTime;
use jigo_archive::duplicates::{FoundCopies, Keep, KeyedGames, find};
use jigo_archive::pipeline::{Visited, Visitor};
use jigo_archive::visit::{KeyedGame, OfKeys};
use jigo_core::analyze::{Analyzer, Settings};

use super::games;

/// Games of the smaller of two archives that are compared; the larger one has [`FACTOR`] times as many.
const GAMES: usize = if cfg!(test) { 10 } else { 500 };
const FACTOR: usize = 4;
/// What is too short to be measured; tests are not optimised and measure nothing.
const NOTHING: Duration = Duration::from_millis(if cfg!(test) { 1 << 40 } else { 100 });

/// An archive of made-up games takes time in proportion to their number, whatever they have in common: the bytes choose how many openings and players there are, after how many turns
/// games part, and what is done to each.
pub fn copies(bytes: &[u8]) {
    let Some(shape) = bytes.first_chunk() else { return };
    let longer = time(shape, GAMES * FACTOR);
    if longer < NOTHING {
        return;
    }
    let mut shorter = time(shape, GAMES);
    // Other work takes the caches away: the least is what it takes.
    for _ in 0..2 {
        shorter = shorter.min(time(shape, GAMES));
    }
    let grows = longer > shorter.max(Duration::from_millis(10)) * (2 * FACTOR as u32);
    assert!(!grows, "{shape:?} takes {shorter:?}, and {longer:?} for {FACTOR} times as many games");
}

/// How long it takes to find the copies among so many games, and what they could take from each other.
fn time(shape: &[u8; 6], count: usize) -> Duration {
    let visitor = OfKeys { judges: Vec::new(), keeps_headers: true };
    let mut settings = Settings::default();
    visitor.ask(&mut settings);
    let (mut analyzer, mut part): (_, Vec<KeyedGame>) = (Analyzer::default(), visitor.part());
    let collection: String = (0..count).map(|number| text(shape, number)).collect();
    games(collection.as_bytes(), |text| {
        let report = analyzer.analyze(text, &settings);
        visitor.game(&Visited { text, report, reported: &[] }, &mut part);
    });
    assert_eq!(part.len(), count);
    let mut all = KeyedGames::new(64 << 20);
    all.add(part).expect("there is room for a few games");
    let start = ProcessTime::now();
    let mut found = find(all, Keep::Best, 1).expect("there is room for a few games");
    let offers = found.offers().expect("what was written is there");
    let taken = start.elapsed();
    assert!(offers.len() <= count);
    make_sense(&found, count);
    taken
}

/// No more games are to be left out than there are, and of each group of copies one is kept.
fn make_sense(found: &FoundCopies, count: usize) {
    let others = found.others().count() as u64;
    assert!(others + found.clusters() <= count as u64, "{others} of {count} games are copies of {}", found.clusters());
    let again: u64 = found.again();
    assert_eq!(again, others, "a game that is not kept is like another");
    assert_eq!(found.twins.len() as u64, again + found.clusters() + found.counts()[5], "a row for each");
}

/// A game by its number: the same text where nothing tells two numbers apart.
fn text(&[openings, players, dates, common, turns, change]: &[u8; 6], number: usize) -> String {
    let one_of = |many: u8| if many == 0 { 0 } else { number % usize::from(many) };
    let (opening, change) = (one_of(openings), if change & 1 == 0 { 0 } else { number % (2 + usize::from(change)) });
    let mut text = String::from("(;GM[1]SZ[19]");
    if players != u8::MAX {
        text += &format!("PB[player{}]PW[other{}]", one_of(players), one_of(dates));
    }
    if dates > 0 {
        text += &format!("DT[2001-01-{:02}]EV[{number}]", 1 + one_of(dates) % 28);
    }
    for turn in 0..60 + usize::from(turns) % 120 - change % 8 {
        let game = if turn < usize::from(common) { opening } else { opening + 1000 * one_of(players) };
        // A prime step goes through all points of the board before one comes again.
        let point = (turn * (7 + 2 * (game % 170)) + game) % 361;
        let (x, y) = ((point % 19) as u8, (point / 19) as u8);
        let (x, y) = if change & 1 == 0 { (x, y) } else { (18 - y, x) };
        text += &format!(";{}[{}{}]", ["B", "W"][turn % 2], char::from(b'a' + x), char::from(b'a' + y));
    }
    text + ")"
}
