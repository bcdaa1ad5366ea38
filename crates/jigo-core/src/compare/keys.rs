//! Keys that two records of one game share, whatever was done to one of them.
//!
//! Every key is the least of the hashes of the game's eight symmetries, and says nothing of who is Black, so that it is the same for a game that was mirrored,
//! turned, or had its colours exchanged. Where a game is too short for a key it has none.
//!
//! Sources: the signature of six moves is Dave Dyer's (moves 20, 40, 60 and 31, 51, 71), as Kombilo and sgfutils use it; the position at a fixed turn is
//! what sgfutils' `sgfdb` and chess tools call a position key; least hashes of windows are MinHash (Broder 1997) over shingles of turns.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::sketch::{Sketch, Stone};
use super::symmetry::Symmetry;
use crate::board::hash::{key, split_mix};
use crate::board::{BoardSize, Point};

/// The turns whose positions are keys.
pub const POSITIONS: [u32; 3] = [40, 60, 100];

/// What each key is of, by its place in [`Keys`].
pub const KEYS: [&str; 11] = [
    "position_40",
    "position_60",
    "position_100",
    "all_turns",
    "last_20",
    "dyer_20_40_60",
    "dyer_31_51_71",
    "windows_20_60",
    "other_windows_20_60",
    "windows",
    "players_and_date",
];
/// Places in [`KEYS`].
const TURNS: usize = 3;
const LAST: usize = 4;
const DYER: [(usize, [usize; 3]); 2] = [(5, [20, 40, 60]), (6, [31, 51, 71])];
const WINDOWS: usize = 7;
const OTHER_WINDOWS: usize = 8;
const ALL_WINDOWS: usize = 9;
const HEADER: usize = 10;

/// Turns of a window.
const WINDOW: usize = 12;
/// Turns that no window holds: openings are common to many games.
const OPENING: usize = 20;
/// Where the windows of the beginning end, so that a game that was cut later has the same.
const BEGINNING: usize = 60;
/// Turns at the end that are a key by themselves, in games that are longer than a beginning.
const LAST_TURNS: usize = 20;

/// The keys of a game; `None` where it is too short or says too little.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys(pub [Option<u64>; KEYS.len()]);

impl Keys {
    /// The keys of a game with the stones on its board after [`POSITIONS`], as far as it went.
    pub fn of(sketch: &Sketch, positions: &[(u32, Vec<Stone>)]) -> Keys {
        let mut keys = Keys::default();
        if sketch.is_blank() {
            return keys;
        }
        let lenses = Lenses::of(sketch.size);
        for (turns, stones) in positions {
            if let Some(place) = POSITIONS.iter().position(|known| known == turns) {
                keys.0[place] = lenses.position(stones).into_iter().flatten().min();
            }
        }
        let words = lenses.turns(sketch.played());
        sequences(&words, &lenses.with_first(&sketch.setup, sketch.played()), &mut keys);
        keys.0[HEADER] = sketch.header.key();
        for (place, key) in keys.0.iter_mut().enumerate() {
            // What is common to two kinds of keys is no coincidence.
            *key = key.map(|key| mixed(key ^ mixed(place as u64 + 1)));
        }
        keys
    }

    /// The key of all turns.
    pub fn turns(&self) -> Option<u64> {
        self.0[TURNS]
    }
}

/// The same number for the eight symmetries of a position; colours are as they are.
pub fn least_position(size: BoardSize, stones: &[Stone]) -> u64 {
    let [as_they_are, _] = Lenses::of(size).position(stones);
    as_they_are.into_iter().min().unwrap_or(0)
}

/// A number that shows nothing of the one that it is made from.
fn mixed(number: u64) -> u64 {
    split_mix(&mut { number })
}

/// A number for each symmetry of a board. Symmetries are gone through side by side, so that no step waits for the one before.
type Each = [u64; 8];

fn each(of: impl FnMut(usize) -> u64) -> Each {
    std::array::from_fn(of)
}

/// What tells stones from stones on the same points: whose they are, by the number of a colour.
const BY_COLOR: [u64; 4] = [0, 1, 0x9FB2_1C65_1E98_DF25, 0xC13F_A9A9_02A6_328F];
/// What a turn is told by that the player has who had the one before.
const AGAIN: u64 = 0x91E1_0DA5_C79E_7B1D;

/// What each point of a board is called in each of its symmetries.
struct Lenses {
    size: BoardSize,
    /// Row by row.
    points: Cow<'static, [Each]>,
}

impl Lenses {
    fn of(size: BoardSize) -> Lenses {
        static USUAL: OnceLock<Vec<Each>> = OnceLock::new();
        let points = || {
            let word = |point| each(|number| key(0, Lenses::seen(point, number, size).cell()));
            size.iter().map(word).collect::<Vec<Each>>()
        };
        let is_usual = size == BoardSize::standard();
        let points = if is_usual { Cow::Borrowed(USUAL.get_or_init(points).as_slice()) } else { Cow::Owned(points()) };
        Lenses { size, points }
    }

    fn seen(point: Point, symmetry: usize, size: BoardSize) -> Point {
        let (x, y) = Symmetry::all().nth(symmetry).unwrap_or_default().place(point, size);
        Point::new(x, y)
    }

    /// What the place of a stone or turn is called; what lies on no point of the board is the same in all symmetries.
    #[inline]
    fn word(&self, stone: Stone) -> Each {
        match stone.point(self.size) {
            Some(point) => {
                self.points[usize::from(point.y()) * usize::from(self.size.width()) + usize::from(point.x())]
            }
            None => [mixed(u64::from(stone.place())); 8],
        }
    }

    /// Hashes of stones in any order, with the colours as they are and with the colours exchanged.
    fn position(&self, stones: &[Stone]) -> [Each; 2] {
        let mut sums: [Each; 4] = [[0; 8]; 4];
        for stone in stones {
            let (sum, word) = (&mut sums[stone.owner()], self.word(*stone));
            *sum = each(|symmetry| sum[symmetry].wrapping_add(word[symmetry]));
        }
        let hash = |[black, white]: [usize; 2]| {
            each(|symmetry| {
                let part = |of: usize, by: usize| sums[of][symmetry].wrapping_mul(BY_COLOR[by]);
                let sum = part(black, 1).wrapping_add(part(white, 2)).wrapping_add(part(3, 3));
                let (width, height) = self.shape(symmetry);
                mixed(sum) ^ mixed(u64::from(width) << 8 | u64::from(height))
            })
        };
        [hash([1, 2]), hash([2, 1])]
    }

    fn shape(&self, symmetry: usize) -> (u8, u8) {
        Symmetry::all().nth(symmetry).unwrap_or_default().size(self.size)
    }

    /// Hashes of a setup and of who takes the first turn, as [`Lenses::position`].
    fn with_first(&self, setup: &[Stone], turns: &[Stone]) -> [Each; 2] {
        let first = turns.first().map_or(0, |turn| turn.owner());
        let other = if (1..=2).contains(&first) { 3 - first } else { first };
        let [mut as_they_are, mut exchanged] = self.position(setup);
        as_they_are.iter_mut().for_each(|hash| *hash ^= BY_COLOR[first]);
        exchanged.iter_mut().for_each(|hash| *hash ^= BY_COLOR[other]);
        [as_they_are, exchanged]
    }

    /// Words for turns: where, and whether the same player had the turn before, so that they don't depend on who is Black.
    fn turns(&self, turns: &[Stone]) -> Vec<Each> {
        let mut last = 0;
        let word = |turn: &Stone| {
            let again = if turn.owner() == last { AGAIN } else { 0 };
            last = turn.owner();
            let word = self.word(*turn);
            each(|symmetry| word[symmetry] ^ again)
        };
        turns.iter().map(word).collect()
    }
}

/// A hash of words in their order: a polynomial, so that the next window's comes out of the one before.
const BASE: u64 = 0xD134_2543_DE82_EF95;

fn in_order<'a>(words: impl IntoIterator<Item = &'a Each>) -> Each {
    words.into_iter().fold([0; 8], |hash: Each, word| {
        each(|symmetry| hash[symmetry].wrapping_mul(BASE).wrapping_add(word[symmetry]))
    })
}

/// The least of hashes.
fn least(hashes: Each) -> Option<u64> {
    hashes.into_iter().map(mixed).min()
}

/// The keys of turns in their order, with what board, setup and first player are.
fn sequences(turns: &[Each], setup: &[Each; 2], keys: &mut Keys) {
    let all = in_order(turns);
    let with_setup = setup.iter().map(|setup| each(|symmetry| mixed(all[symmetry]) ^ setup[symmetry]));
    keys.0[TURNS] = with_setup.flatten().min();
    if turns.len() > BEGINNING {
        keys.0[LAST] = least(in_order(&turns[turns.len() - LAST_TURNS..]));
    }
    for (place, moves) in DYER {
        if turns.len() >= moves[2] {
            keys.0[place] = least(in_order(moves.map(|number| &turns[number - 1])));
        }
    }
    if turns.len() >= BEGINNING {
        windows(&turns[OPENING..], keys);
    }
}

/// The least of the windows, by two orders those of the beginning, by another one all.
fn windows(turns: &[Each], keys: &mut Keys) {
    let leaves = (0..WINDOW).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut hash = in_order(&turns[..WINDOW]);
    let (mut beginning, mut other_beginning, mut all) = (u64::MAX, u64::MAX, u64::MAX);
    for first in 0..=turns.len() - WINDOW {
        let window = hash.into_iter().fold(u64::MAX, u64::min);
        if first <= BEGINNING - OPENING - WINDOW {
            beginning = beginning.min(mixed(window));
            other_beginning = other_beginning.min(mixed(!window));
        }
        all = all.min(mixed(window ^ BASE));
        if let Some(next) = turns.get(first + WINDOW) {
            let gone = turns[first];
            hash = each(|symmetry| {
                let without = hash[symmetry].wrapping_mul(BASE).wrapping_sub(gone[symmetry].wrapping_mul(leaves));
                without.wrapping_add(next[symmetry])
            });
        }
    }
    (keys.0[WINDOWS], keys.0[OTHER_WINDOWS], keys.0[ALL_WINDOWS]) = (Some(beginning), Some(other_beginning), Some(all));
}
