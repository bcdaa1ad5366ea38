//! Games replayed and counted.

use jigo_core::audit::MarginDifference;
use jigo_core::replay::{ReplayOptions, Replayer};
use jigo_record::{GameRecord, Reading};
use jigo_rules::Tally;
use jigo_rules::board::{Color, Point, Position};
use jigo_rules::presets::PRESETS;
use jigo_score::count::{Counts, score};
use jigo_score::pass_alive::settled_dead_stones;
use jigo_score::playout::estimate;

use super::super::agreement::{assert_replay_agrees, settings};
use super::games;

/// The limits of the slow referee: points of the board and steps of the game.
const SLOW_POINTS: usize = 25;
const SLOW_STEPS: usize = 40;
/// The limits of one input: replayed games, and points of the board with playouts. More of either
/// would repeat the same checks.
const GAMES: u64 = 4;
const PLAYOUT_POINTS: usize = 25;

fn records(bytes: &[u8], mut visit: impl FnMut(&GameRecord)) {
    games(bytes, |text| {
        let reading = Reading::from_text(text);
        if text.game <= GAMES && reading.unreadable.is_none() {
            visit(&reading.record);
        }
    });
}

/// Checks that the incremental hash of plays equals the hash of the stones. Short games on small
/// boards get the verdicts of the definitions, under every setting.
pub fn replay(bytes: &[u8]) {
    let mut replayer = Replayer::default();
    records(bytes, |record| {
        for literal_setup in [false, true] {
            let options = ReplayOptions { literal_setup, ..ReplayOptions::default() };
            if record.header.size.points() <= SLOW_POINTS && record.steps.len() <= SLOW_STEPS {
                let name = || format!("{record:?} literal setup: {literal_setup}");
                assert_replay_agrees(&mut replayer, record, options, &settings(), name);
            } else {
                replayer.replay(record, &settings()[..1], options, &mut Vec::new());
            }
            let position = replayer.position();
            assert_eq!(position.hash(), from_scratch(position).hash(), "{record:?}");
        }
    });
}

/// Returns the same stones placed on an empty board.
fn from_scratch(position: &Position) -> Position {
    let mut scratch = Position::new(position.size());
    scratch.place(position.size().iter().map(|point| (point, position.stone(point))));
    scratch
}

/// Checks the counts for any choice of dead stones. Area and territory differ by the stones played,
/// and the parts of that difference add up. Every point counts once, and every score's winner is
/// the player with more points.
pub fn count(bytes: &[u8]) {
    let mut replayer = Replayer::default();
    let choice = bytes.iter().fold(7_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3));
    records(bytes, |record| {
        let tally = replayer.replay(record, &settings()[..1], ReplayOptions::default(), &mut Vec::new());
        let position = replayer.position();
        check_counts(position, &[], &tally);
        check_counts(position, &some_chains(position, choice), &tally);
        if let Some(dead) = settled_dead_stones(position) {
            check_counts(position, &dead, &tally);
        }
        if position.size().points() <= PLAYOUT_POINTS {
            for next in Color::BOTH {
                let estimate = estimate(position, next);
                assert!((0.0..=1.0).contains(&estimate.confidence));
                assert_whole_chains(position, &estimate.dead);
                assert_whole_chains(position, &estimate.doubtful);
                check_counts(position, &estimate.dead, &tally);
            }
        }
    });
}

/// Returns about a quarter of the chains, chosen by a number.
fn some_chains(position: &Position, choice: u64) -> Vec<Point> {
    let is_selected = |point: Point| {
        let head = position.chain(point).min()?;
        let place = u64::from(head.x()) * 53 + u64::from(head.y());
        Some((choice ^ place.wrapping_mul(0x9E37_79B9_7F4A_7C15)) >> 62 == 0)
    };
    position.size().iter().filter(|&point| is_selected(point) == Some(true)).collect()
}

fn assert_whole_chains(position: &Position, stones: &[Point]) {
    assert!(stones.is_sorted_by(|one, next| one < next), "{stones:?} on {position:?}");
    for &stone in stones {
        assert!(position.stone(stone).is_some(), "{stone} on {position:?}");
        assert!(position.chain(stone).all(|point| stones.binary_search(&point).is_ok()), "{stones:?} on {position:?}");
    }
}

fn check_counts(position: &Position, dead: &[Point], tally: &Tally) {
    let counts = Counts::from_position(position, dead);
    assert!(counts.identity_holds(tally), "{counts:?} {tally:?} {dead:?} on {position:?}");
    let difference = MarginDifference::new(&counts, tally);
    assert_eq!(difference.sum(), difference.total(), "{difference:?} {dead:?} on {position:?}");
    let points = counts.stones.iter().chain(&counts.territory).sum::<u32>() + counts.dame;
    let is_empty = counts.stones == [0, 0];
    assert_eq!(points, if is_empty { 0 } else { counts.points }, "{counts:?} {dead:?} on {position:?}");
    assert_eq!(counts.dead.iter().sum::<u32>() as usize, dead.len());
    for preset in PRESETS {
        let Ok(score) = score(&counts, tally, &preset.axes, None) else { continue };
        let winner = match score.black_minus_white().0 {
            1.. => Some(Color::Black),
            0 => score.winner,
            _ => Some(Color::White),
        };
        assert_eq!(score.winner, winner, "{} {score:?}", preset.name);
    }
}
