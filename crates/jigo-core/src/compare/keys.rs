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
        let (mut known, mut sums): (&[Stone], _) = (&[], Sums::default());
        for (turns, stones) in positions {
            // Often nothing was taken off in between.
            let more = stones.strip_prefix(known).unwrap_or_else(|| {
                sums = Sums::default();
                stones
            });
            (known, sums) = (stones, lenses.summed(sums, more));
            if let Some(place) = POSITIONS.iter().position(|known| known == turns) {
                keys.0[place] = lenses.hashed(&sums).into_iter().flatten().min();
            }
        }
        let first = lenses.with_first(&sketch.setup, sketch.played());
        sequences(&lenses.turns(sketch.played()), &first, &mut keys);
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
/// The words of stones added up, by whose they are.
type Sums = [Each; 4];

fn each(of: impl FnMut(usize) -> u64) -> Each {
    std::array::from_fn(of)
}

/// What tells stones from stones on the same points: whose they are, by the number of a colour.
const BY_COLOR: [u64; 4] = [0, 1, 0x9FB2_1C65_1E98_DF25, 0xC13F_A9A9_02A6_328F];
/// What a turn is told by that the player has who had the one before.
const AGAIN: u64 = 0x91E1_0DA5_C79E_7B1D;

/// The same for half of them, as many as a processor has registers for.
type Half = [u64; 4];

fn half(of: impl FnMut(usize) -> u64) -> Half {
    std::array::from_fn(of)
}

/// What a point is called in half of its symmetries, and what that comes to where it leaves a window: what is looked up together lies together.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Word {
    name: Half,
    leaving: Half,
}

impl Word {
    fn of(name: Half) -> Word {
        Word { name, leaving: name.map(|word| word.wrapping_mul(LEAVES)) }
    }
}

/// What each point of a board is called in each of its symmetries.
struct Lenses {
    size: BoardSize,
    /// Row by row, for the first half of the symmetries and for the other.
    points: Cow<'static, [Vec<Word>; 2]>,
}

/// The turns of a game in each symmetry.
struct Words<'a> {
    lenses: &'a Lenses,
    turns: &'a [Stone],
    /// Of each its place in the lists of points, or one beyond them where its word is another.
    places: Vec<u16>,
}

impl Lenses {
    fn of(size: BoardSize) -> Lenses {
        static USUAL: OnceLock<[Vec<Word>; 2]> = OnceLock::new();
        let points = || {
            let name = |point, first| half(|number| key(0, Lenses::seen(point, first + number, size).cell()));
            [0, 4].map(|first| size.iter().map(|point| Word::of(name(point, first))).collect())
        };
        let is_usual = size == BoardSize::standard();
        let points = if is_usual { Cow::Borrowed(USUAL.get_or_init(points)) } else { Cow::Owned(points()) };
        Lenses { size, points }
    }

    fn seen(point: Point, symmetry: usize, size: BoardSize) -> Point {
        let (x, y) = Symmetry::all().nth(symmetry).unwrap_or_default().place(point, size);
        Point::new(x, y)
    }

    /// The place of a stone or turn in the lists of points; one beyond them for what lies on no point of the board.
    #[inline]
    fn place(&self, stone: Stone) -> usize {
        stone.point(self.size).map_or(usize::MAX, |point| {
            usize::from(point.y()) * usize::from(self.size.width()) + usize::from(point.x())
        })
    }

    /// What the place of a stone or turn is called; what lies on no point of the board is the same in all symmetries.
    #[inline]
    fn word(&self, stone: Stone) -> Each {
        let place = self.place(stone);
        match [0, 1].map(|half| self.points[half].get(place)) {
            [Some(one), Some(other)] => {
                each(|symmetry| if symmetry < 4 { one.name[symmetry] } else { other.name[symmetry - 4] })
            }
            _ => [mixed(u64::from(stone.place())); 8],
        }
    }

    /// Hashes of stones in any order, with the colours as they are and with the colours exchanged.
    fn position(&self, stones: &[Stone]) -> [Each; 2] {
        self.hashed(&self.summed(Sums::default(), stones))
    }

    /// Sums with those of more stones.
    fn summed(&self, mut sums: Sums, more: &[Stone]) -> Sums {
        for stone in more {
            let (sum, word) = (&mut sums[stone.owner()], self.word(*stone));
            *sum = each(|symmetry| sum[symmetry].wrapping_add(word[symmetry]));
        }
        sums
    }

    fn hashed(&self, sums: &Sums) -> [Each; 2] {
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

    fn turns<'a>(&'a self, turns: &'a [Stone]) -> Words<'a> {
        let mut last = 0;
        let place = |turn: &Stone| {
            let is_again = turn.owner() == last;
            last = turn.owner();
            if is_again { u16::MAX } else { u16::try_from(self.place(*turn)).unwrap_or(u16::MAX) }
        };
        Words { lenses: self, turns, places: turns.iter().map(place).collect() }
    }
}

/// A turn's word says where it is, and whether the same player had the turn before, so that it does not depend on who is Black.
impl Words<'_> {
    #[inline]
    fn word(&self, turn: usize) -> Each {
        let owner = |turn: usize| self.turns[turn].owner();
        let is_again = turn.checked_sub(1).map_or(0, owner) == owner(turn);
        let again = if is_again { AGAIN } else { 0 };
        self.lenses.word(self.turns[turn]).map(|word| word ^ again)
    }

    /// Adds the words in the first half of the symmetries or in the other; those that are not just of a point are `made` up.
    fn add_half<'b>(&'b self, which: usize, made: &'b mut Vec<Word>, turns: &mut Vec<&'b Word>) {
        let points = self.lenses.points[which].as_slice();
        let from = turns.len();
        // An empty list of points would have none to stand for what is made up.
        let Some(first) = points.first() else { return };
        turns.extend(self.places.iter().map(|place| points.get(usize::from(*place)).unwrap_or(first)));
        if self.places.iter().max().is_none_or(|last| usize::from(*last) < points.len()) {
            return;
        }
        let unusual = || self.places.iter().enumerate().filter(|(_, place)| usize::from(**place) >= points.len());
        made.extend(unusual().map(|(turn, _)| {
            let word = self.word(turn);
            Word::of(half(|symmetry| word[4 * which + symmetry]))
        }));
        unusual().zip(made.iter()).for_each(|((turn, _), word)| turns[from + turn] = word);
    }

    /// A hash of some turns in their order.
    fn hash(&self, turns: impl IntoIterator<Item = usize>) -> Each {
        turns.into_iter().fold([0; 8], |hash, turn| next(hash, BASE, self.word(turn)))
    }
}

/// A hash of words in their order: a polynomial, so that the next window's comes out of the one before.
const BASE: u64 = 0xD134_2543_DE82_EF95;

/// What a word is multiplied by as its window moves beyond it: the base to the power of the window's length.
const LEAVES: u64 = {
    let (mut power, mut turn) = (1_u64, 0);
    while turn < WINDOW {
        power = power.wrapping_mul(BASE);
        turn += 1;
    }
    power
};

/// A hash with what follows, whose length the factor is for.
#[inline]
fn next(hash: Each, factor: u64, word: Each) -> Each {
    each(|symmetry| hash[symmetry].wrapping_mul(factor).wrapping_add(word[symmetry]))
}

/// The least of hashes.
fn least(hashes: Each) -> Option<u64> {
    hashes.into_iter().map(mixed).min()
}

/// The keys of turns in their order, with what board, setup and first player are.
fn sequences(words: &Words, setup: &[Each; 2], keys: &mut Keys) {
    let count = words.turns.len();
    let all = windows(words, keys);
    let with_setup = setup.iter().map(|setup| each(|symmetry| mixed(all[symmetry]) ^ setup[symmetry]));
    keys.0[TURNS] = with_setup.flatten().min();
    if count > BEGINNING {
        keys.0[LAST] = least(words.hash(count - LAST_TURNS..count));
    }
    for (place, moves) in DYER {
        if count >= moves[2] {
            keys.0[place] = least(words.hash(moves.map(|number| number - 1)));
        }
    }
}

/// The least of the windows, by two orders those of the beginning, by another one all; gives the hash of all turns, which is made of
/// windows, too.
fn windows(words: &Words, keys: &mut Keys) -> Each {
    let count = words.turns.len();
    let [(least, one), (others, other)] = [0, 1].map(|which| rolled(words, which));
    let whole = count - count % WINDOW;
    let all = each(|symmetry| if symmetry < 4 { one[symmetry] } else { other[symmetry - 4] });
    let all = (whole..count).fold(all, |all, turn| next(all, BASE, words.word(turn)));
    if count < BEGINNING {
        return all;
    }
    // By the turns that they begin with.
    let all_windows = || least.iter().zip(&others).skip(OPENING).map(|(one, other)| *one.min(other));
    let of_beginning =
        |mask: u64| all_windows().take(BEGINNING - OPENING - WINDOW + 1).map(|least| mixed(least ^ mask)).min();
    (keys.0[WINDOWS], keys.0[OTHER_WINDOWS]) = (of_beginning(0), of_beginning(u64::MAX));
    keys.0[ALL_WINDOWS] = all_windows().map(|least| mixed(least ^ BASE)).min();
    all
}

/// The least hash of each window in half of the symmetries, by the turn that it begins with, and the hash of the turns up to the last multiple of a window's length.
fn rolled(words: &Words, which: usize) -> (Vec<u64>, Half) {
    let (mut hash, mut all) = ([0; 4], [0; 4]);
    let (none, mut made) = (Word::of([0; 4]), Vec::new());
    // Nothing leaves the first window.
    let mut turns = vec![&none; WINDOW];
    words.add_half(which, &mut made, &mut turns);
    let mut least = Vec::with_capacity(turns.len());
    for (entering, leaving) in turns[WINDOW..].chunks(WINDOW).zip(turns.chunks(WINDOW)) {
        least.extend(entering.iter().zip(leaving).map(|(entering, leaving)| {
            hash = half(|symmetry| {
                let change = entering.name[symmetry].wrapping_sub(leaving.leaving[symmetry]);
                u64::wrapping_mul(hash[symmetry], BASE).wrapping_add(change)
            });
            hash[0].min(hash[1]).min(hash[2].min(hash[3]))
        }));
        if entering.len() == WINDOW {
            all = half(|symmetry| u64::wrapping_mul(all[symmetry], LEAVES).wrapping_add(hash[symmetry]));
        }
    }
    least.drain(..(WINDOW - 1).min(least.len()));
    (least, all)
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use super::*;
    use crate::board::Color;
    use crate::record::Coordinates;

    /// Turns of any colours, on few points and many, passes among them.
    fn turns(count: usize, seed: &mut u64) -> Vec<Stone> {
        let turn = |number: usize| {
            let [color, column, row, kind] = [(); 4].map(|()| split_mix(seed) as usize);
            let color = Color::BOTH[if kind % 9 == 0 { color % 2 } else { number % 2 }];
            let point = Point::new((column % 19) as u8, (row % 19) as u8);
            Stone::turn(color, if kind % 17 == 0 { Coordinates::Pass } else { Coordinates::Play(point) })
        };
        (0..count).map(turn).collect()
    }

    /// What is carried from window to window is what each of them comes to by itself.
    #[test]
    fn windows_and_all_turns_are_hashed_as_if_each_stood_alone() {
        let mut seed = 21;
        for count in (0..140).step_by(3) {
            let (lenses, turns) = (Lenses::of(BoardSize::standard()), turns(count, &mut seed));
            let words = lenses.turns(&turns);
            let mut keys = Keys::default();
            assert_eq!(windows(&words, &mut keys), words.hash(0..count), "{count} turns");
            let least = |range: RangeInclusive<usize>, mask: u64| {
                let windows = range.filter(|_| count >= BEGINNING).map(|first| words.hash(first..first + WINDOW));
                windows.filter_map(|window| window.into_iter().min()).map(|hash| mixed(hash ^ mask)).min()
            };
            let last = count.saturating_sub(WINDOW);
            let found = [WINDOWS, OTHER_WINDOWS, ALL_WINDOWS].map(|place| keys.0[place]);
            let expected = [least(20..=48, 0), least(20..=48, u64::MAX), least(20..=last, BASE)];
            assert_eq!(found, expected, "{count} turns");
        }
    }
}
