//! Candidates for the typing error, the likeliest first.

use super::trial::Trial;
use super::typo::Typo;
use jigo_record::Coordinates;
use jigo_rules::board::{BoardSize, Point};

/// The number of turns before the fault that may be in the wrong order.
const NEARBY: usize = 8;

/// Returns lists of candidates. A later list is only needed if no earlier candidate makes the
/// record legal.
pub(super) fn stages(trial: &Trial, fault: usize) -> Vec<Vec<Typo>> {
    let turn = |index: usize| index as u32 + 1;
    let mut first = Vec::new();
    let is_out_of_order = fault > 0 && trial.turns[fault].0 == trial.turns[fault - 1].0;
    if is_out_of_order {
        first.push(Typo::Swapped { turn: turn(fault) });
        first.push(Typo::Swapped { turn: turn(fault - 1) });
        first.push(Typo::Extra { turn: turn(fault) });
        // Of two equal turns, only the second is a candidate.
        if trial.turns[fault] != trial.turns[fault - 1] {
            first.push(Typo::Extra { turn: turn(fault - 1) });
        }
        first.push(Typo::Missing { before: turn(fault), point: None });
        first.push(Typo::Color { turn: turn(fault) });
        first.push(Typo::Color { turn: turn(fault - 1) });
        let missing = trial.size.iter().map(|point| Typo::Missing { before: turn(fault), point: Some(point) });
        return vec![first, missing.collect()];
    }
    for index in (0..=fault).rev() {
        first.extend(nearby_points(trial, index).map(|to| Typo::Point { turn: turn(index), to }));
    }
    for index in (fault.saturating_sub(NEARBY)..=fault).rev() {
        first.push(Typo::Swapped { turn: turn(index) });
    }
    let mut letters = Vec::new();
    for index in (0..=fault).rev() {
        letters.extend(points_with_one_letter(trial, index).map(|to| Typo::Point { turn: turn(index), to }));
    }
    vec![first, letters]
}

/// The keys of a keyboard with letters, row by row.
const KEYS: [&[u8]; 3] = [b"qwertyuiop", b"asdfghjkl", b"zxcvbnm"];

/// Returns the coordinates whose letters are on the keys next to the letter of this one.
fn neighbouring_keys(coordinate: i16) -> impl Iterator<Item = i16> {
    let value = |key: &u8| i16::from(key - b'a');
    let pairs = KEYS.into_iter().flat_map(|row| row.windows(2));
    let pairs = pairs.filter(move |pair| pair.iter().any(|key| value(key) == coordinate));
    pairs.flatten().map(value).filter(move |other| *other != coordinate)
}

/// Returns the points that are easily confused with a turn's point: its neighbours and mirror
/// images, and those with one letter from a neighbouring key.
fn nearby_points(trial: &Trial, index: usize) -> impl Iterator<Item = Point> {
    let size = trial.size;
    let (width, height) = (i16::from(size.width()), i16::from(size.height()));
    let point = match trial.turns[index].1 {
        Coordinates::Play(point) => Some((i16::from(point.x()), i16::from(point.y()))),
        _ => None,
    };
    let images = point.map(|(x, y)| {
        let (mirrored_x, mirrored_y) = (width - 1 - x, height - 1 - y);
        let around = (-1..=1).flat_map(move |dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
        let mirrored = [
            (y, x),
            (mirrored_x, y),
            (x, mirrored_y),
            (mirrored_x, mirrored_y),
            (mirrored_y, mirrored_x),
            (y, mirrored_x),
            (mirrored_y, x),
        ];
        let keys = neighbouring_keys(x).map(|x| (x, y)).chain(neighbouring_keys(y).map(|y| (x, y)));
        let others = around.chain(mirrored).chain(keys).filter(|image| *image != (x, y));
        let mut all: Vec<(i16, i16)> = others.collect();
        all.sort_unstable();
        all.dedup();
        all
    });
    images.into_iter().flatten().filter_map(move |(x, y)| on_board(size, x, y))
}

fn on_board(size: BoardSize, x: i16, y: i16) -> Option<Point> {
    let is_within = (0..i16::from(size.width())).contains(&x) && (0..i16::from(size.height())).contains(&y);
    is_within.then(|| Point::new(x as u8, y as u8))
}

/// Returns the points that differ from a turn's point in one letter, or every point if the turn has
/// none.
fn points_with_one_letter(trial: &Trial, index: usize) -> impl Iterator<Item = Point> {
    let target = trial.turns[index].1;
    trial.size.iter().filter(move |point| match target {
        Coordinates::Play(candidate) => (point.x() == candidate.x()) != (point.y() == candidate.y()),
        Coordinates::OffBoard(_) | Coordinates::Unreadable(_) => true,
        Coordinates::Pass => false,
    })
}
