//! The two identities between area and territory, over real and random games with all stones left
//! on the board. They hold for any position, finished or not.
//!
//! Reads the folders `JIGO_CORPUS` and `JIGO_VECTORS`, or else those of this repository.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::{corpus, files_ending, has_real_games, read_games, vectors};
use jigo_core::audit::MarginDifference;
use jigo_core::replay::{ReplayOptions, Replayer};
use jigo_record::Reading;
use jigo_rules::board::{Color, Position};
use jigo_rules::select::{Choice, select};
use jigo_rules::{Axes, HalfPoints, Tally};
use jigo_score::Counts;
use jigo_score::count::score;
use rayon::prelude::*;

fn axes(text: &str) -> Axes {
    match select(text).unwrap().remove(0) {
        Choice::Fixed(ruleset) => ruleset.axes,
        Choice::Recorded => unreachable!("the texts here name rulesets"),
    }
}

/// The number of games checked, of games to which identity 2 applies, and of games with passes
/// between Black's handicap turns, to which it does not apply.
#[derive(Default, PartialEq, Debug)]
struct Checked {
    games: usize,
    regular: usize,
    handicap_passes: usize,
}

/// Returns true if identity 2 applies. It depends on the order of turns: Black begins, or White
/// after handicap stones, and there is no other setup.
fn begins_regularly(tally: &Tally) -> bool {
    match tally.setup {
        [0, 0] => tally.first != Some(Color::White),
        setup => setup == [tally.handicap.set_up as i32, 0] && tally.first == Some(Color::White),
    }
}

/// Returns points of area by player, found without bit sets: stones, and empty regions that touch
/// only one colour.
fn slow_area(position: &Position) -> [i32; 2] {
    let mut area = [Color::Black, Color::White].map(|color| position.stone_count(color) as i32);
    let mut visited = BTreeSet::new();
    for start in position.size().iter().filter(|&point| position.stone(point).is_none()) {
        let (mut waiting, mut points, mut touches) = (vec![start], 0, [false; 2]);
        while let Some(point) = waiting.pop() {
            match position.stone(point) {
                Some(color) => touches[usize::from(color == Color::White)] = true,
                None if visited.insert(point) => {
                    points += 1;
                    waiting.extend(position.neighbours(point));
                }
                None => {}
            }
        }
        match touches {
            [true, false] => area[0] += points,
            [false, true] => area[1] += points,
            _ => {}
        }
    }
    area
}

/// Checks one game: its area against a slow count, the number of stones, and the identities. The
/// second identity applies only to regular records.
fn check(reading: &Reading) -> Checked {
    let mut replayer = Replayer::default();
    let tally = replayer.replay(&reading.record, &[], ReplayOptions::default(), &mut Vec::new());
    let position = replayer.position();
    let counts = Counts::from_position(position, &[]);
    let [black, white] = slow_area(position);
    assert_eq!(counts.area_margin(), black - white, "{counts:?}");
    for side in [0, 1] {
        let put_down = tally.plays[side] as i32 + tally.setup[side];
        assert_eq!((counts.stones[side] + tally.lost[side]) as i32, put_down, "{counts:?} {tally:?}");
    }
    assert!(counts.identity_holds(&tally), "identity 1: {counts:?} {tally:?}");
    let difference = MarginDifference::new(&counts, &tally);
    assert_eq!(difference.area - difference.strict_territory, difference.sum(), "{difference:?}");
    let area = score(&counts, &tally, &axes("aga"), Some(HalfPoints::ZERO)).unwrap();
    let pass_stones = score(&counts, &tally, &axes("aga,scoring=pass-stones"), Some(HalfPoints::ZERO)).unwrap();
    // White pays no stone for the passes between Black's handicap turns.
    let has_handicap_passes = tally.handicap.passes > 0;
    let is_regular = pass_stones.remark.is_none() && begins_regularly(&tally) && !has_handicap_passes;
    if is_regular {
        assert_eq!(area.black_minus_white(), pass_stones.black_minus_white(), "identity 2: {counts:?} {tally:?}");
    }
    Checked { games: 1, regular: is_regular.into(), handicap_passes: has_handicap_passes.into() }
}

fn check_file(path: &Path) -> Checked {
    let games = read_games(path);
    let readable = games.iter().filter(|reading| reading.unreadable.is_none());
    readable.map(check).fold(Checked::default(), add)
}

fn add(one: Checked, other: Checked) -> Checked {
    Checked {
        games: one.games + other.games,
        regular: one.regular + other.regular,
        handicap_passes: one.handicap_passes + other.handicap_passes,
    }
}

#[test]
fn identities_hold_for_real_games() {
    let files = files_ending(&corpus(), "sgf");
    let files = files.par_iter().map(|path| check_file(path));
    let count = files.reduce(Checked::default, add);
    assert!(count.games >= if has_real_games() { 11_006 + 2 } else { 32 }, "{count:?}");
    assert!(100 * count.regular > 93 * count.games, "identity 2 applies to nearly all: {count:?}");
}

#[test]
fn identities_hold_for_random_games() {
    let count = check_file(&vectors().join("random.sgf"));
    assert!(count.games > 10);
    // White's first turn is a pass in some of them.
    let without_passes = count.games - count.handicap_passes;
    assert!(2 * without_passes > count.games, "{count:?}");
    assert!(10 * count.regular > 9 * without_passes, "identity 2 applies to nearly all: {count:?}");
}
