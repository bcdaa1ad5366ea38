//! Keys that two records of one game share, whatever was done to one of them.
//!
//! Every key is the least of sixteen hashes, one for each [`View`] of the game, so that it is the same for a game that was mirrored, turned, or had its colours
//! exchanged. Where a game is too short for a key it has none.
//!
//! Sources: the signature of six moves is Dave Dyer's (moves 20, 40, 60 and 31, 51, 71), as Kombilo and sgfutils use it; the position at a fixed turn is
//! what sgfutils' `sgfdb` and chess tools call a position key; least hashes of windows are MinHash (Broder 1997) over shingles of turns.

use super::sketch::{Sketch, Stone};
use super::symmetry::View;
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
        let mut words = Words::default();
        let decode = |stones: &[Stone]| stones.iter().map(|stone| Decoded::of(*stone, sketch.size)).collect::<Vec<_>>();
        let (setup, turns) = (decode(&sketch.setup), decode(sketch.played()));
        let known = |turns: &u32| POSITIONS.iter().position(|known| known == turns);
        let positions = positions.iter().filter_map(|(turns, stones)| Some((known(turns)?, decode(stones))));
        let positions: Vec<(usize, Vec<Decoded>)> = positions.collect();
        for view in View::all() {
            let lens = Lens::new(view, sketch.size);
            for (place, stones) in &positions {
                keys.least(*place, lens.position(stones));
            }
            words.setup = lens.position(&setup);
            words.turns.clear();
            words.turns.extend(turns.iter().map(|turn| lens.word(turn)));
            words.sequences(&mut keys);
        }
        words.windows(&mut keys);
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

    fn least(&mut self, place: usize, key: u64) {
        self.0[place] = Some(self.0[place].map_or(key, |least| least.min(key)));
    }
}

/// The same number for the eight symmetries of a position; colours are as they are.
pub fn least_position(size: BoardSize, stones: &[Stone]) -> u64 {
    let views = View::all().filter(|view| !view.colors_swapped);
    let stones: Vec<Decoded> = stones.iter().map(|stone| Decoded::of(*stone, size)).collect();
    views.map(|view| Lens::new(view, size).position(&stones)).min().unwrap_or(0)
}

/// The words that the turns of a game are in one view, and the least hashes of its windows in all views.
#[derive(Default)]
struct Words {
    /// What board and setup are.
    setup: u64,
    turns: Vec<u64>,
    windows: Vec<u64>,
}

/// A number that shows nothing of the one that it is made from.
fn mixed(number: u64) -> u64 {
    split_mix(&mut { number })
}

/// A stone or turn taken apart.
enum Decoded {
    /// Whose, Black's with 0, in which column and row.
    Stone(usize, isize, isize),
    /// What lies on no point of the board, or has no colour.
    Other(Stone),
}

impl Decoded {
    fn of(stone: Stone, size: BoardSize) -> Decoded {
        match stone.on_board(size) {
            Some((color, point)) => Decoded::Stone(color.index(), isize::from(point.x()), isize::from(point.y())),
            None => Decoded::Other(stone),
        }
    }
}

/// A view of a board as a line in columns and rows: what is looked at has a cell of the board's keys there.
struct Lens {
    view: View,
    size: BoardSize,
    first: isize,
    by_column: isize,
    by_row: isize,
    swapped: usize,
}

impl Lens {
    fn new(view: View, size: BoardSize) -> Lens {
        let cell = |x: u8, y: u8| {
            let (x, y) = view.symmetry.place(Point::new(x, y), size);
            Point::new(x, y).cell() as isize
        };
        let first = cell(0, 0);
        // On a board of one column or row, no stone asks for another.
        let by_column = if size.width() > 1 { cell(1, 0) - first } else { 0 };
        let by_row = if size.height() > 1 { cell(0, 1) - first } else { 0 };
        Lens { view, size, first, by_column, by_row, swapped: usize::from(view.colors_swapped) }
    }

    #[inline]
    fn word(&self, stone: &Decoded) -> u64 {
        match *stone {
            Decoded::Stone(color, x, y) => {
                key(color ^ self.swapped, (self.first + self.by_column * x + self.by_row * y) as usize)
            }
            Decoded::Other(stone) => mixed(stone.seen(self.view, self.size).index() as u64),
        }
    }

    /// A hash of stones in any order.
    fn position(&self, stones: &[Decoded]) -> u64 {
        let sum = stones.iter().fold(0, |sum: u64, stone| sum.wrapping_add(self.word(stone)));
        let (width, height) = self.view.symmetry.size(self.size);
        mixed(sum) ^ mixed(u64::from(width) << 8 | u64::from(height))
    }
}

/// A hash of words in their order: a polynomial, so that the next window's comes out of the one before.
const BASE: u64 = 0xD134_2543_DE82_EF95;

fn in_order(words: &[u64]) -> u64 {
    words.iter().fold(0, |hash: u64, word| hash.wrapping_mul(BASE).wrapping_add(*word))
}

impl Words {
    /// The keys of turns in their order.
    fn sequences(&mut self, keys: &mut Keys) {
        let turns = &self.turns;
        keys.least(TURNS, mixed(in_order(turns)) ^ self.setup);
        if turns.len() > BEGINNING {
            keys.least(LAST, mixed(in_order(&turns[turns.len() - LAST_TURNS..])));
        }
        for (place, moves) in DYER {
            if turns.len() >= moves[2] {
                keys.least(place, mixed(in_order(&moves.map(|number| turns[number - 1]))));
            }
        }
        if turns.len() < BEGINNING {
            return;
        }
        let mut hash = in_order(&turns[OPENING..OPENING + WINDOW]);
        let leaves = (0..WINDOW).fold(1_u64, |power, _| power.wrapping_mul(BASE));
        let count = turns.len() - OPENING - WINDOW + 1;
        self.windows.resize(count, u64::MAX);
        for first in 0..count {
            self.windows[first] = self.windows[first].min(hash);
            if let Some(next) = turns.get(OPENING + first + WINDOW) {
                let without = hash.wrapping_mul(BASE).wrapping_sub(turns[OPENING + first].wrapping_mul(leaves));
                hash = without.wrapping_add(*next);
            }
        }
    }

    /// The least of the windows, by two orders.
    fn windows(&self, keys: &mut Keys) {
        let of_beginning = &self.windows[..self.windows.len().min(BEGINNING - OPENING - WINDOW + 1)];
        keys.0[WINDOWS] = of_beginning.iter().copied().map(mixed).min();
        keys.0[OTHER_WINDOWS] = of_beginning.iter().map(|window| mixed(!window)).min();
        keys.0[ALL_WINDOWS] = self.windows.iter().map(|window| mixed(window ^ BASE)).min();
    }
}
