//! Keys that two records of one game share, even if one of them was transformed.
//!
//! Each key is the smallest of the hashes of the game's eight symmetries, and it does not depend on
//! the colour of a player. Therefore mirroring, rotation and an exchange of colours do not change
//! it. A game that is too short for a key has none.
//!
//! Sources: the signature of six moves is Dave Dyer's (moves 20, 40, 60 and 31, 51, 71), as in
//! Kombilo and sgfutils. The position at a fixed turn is called a position key in sgfutils' `sgfdb`
//! and in chess tools. The smallest hashes of windows are MinHash (Broder 1997) over shingles of
//! turns.

use std::array;
use std::borrow::Cow;
use std::sync::OnceLock;

use super::sketch::{GameSketch, PackedTurn};
use super::symmetry::Symmetry;
use jigo_rules::board::hash::{split_mix, zobrist_key};
use jigo_rules::board::{BoardSize, Point};

/// The turns whose positions are keys.
pub const POSITIONS: [u32; 3] = [40, 60, 100];

/// The names of the keys, in the order of [`SimilarityKeys`].
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
/// Indices in [`KEYS`].
const TURNS: usize = 3;
const LAST: usize = 4;
const DYER: [(usize, [usize; 3]); 2] = [(5, [20, 40, 60]), (6, [31, 51, 71])];
const WINDOWS: usize = 7;
const OTHER_WINDOWS: usize = 8;
const ALL_WINDOWS: usize = 9;
const HEADER: usize = 10;

/// Turns of a window.
const WINDOW: usize = 12;
/// Turns at the beginning that no window contains, because many games share an opening.
const OPENING: usize = 20;
/// End of the windows of the beginning. A game cut later has the same ones.
const OPENING_END: usize = 60;
/// Turns at the end that make a separate key, in games longer than a beginning.
const LAST_TURNS: usize = 20;

/// The keys of a game. `None` if the game is too short or its header is incomplete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimilarityKeys(pub [Option<u64>; KEYS.len()]);

impl SimilarityKeys {
    /// Computes the keys of a game. `positions` contains the stones on its board after
    /// [`POSITIONS`].
    pub fn from_sketch(sketch: &GameSketch, positions: &[(u32, Vec<PackedTurn>)]) -> SimilarityKeys {
        let mut keys = SimilarityKeys::default();
        if sketch.is_blank() {
            return keys;
        }
        let symmetric_names = SymmetricNames::for_size(sketch.size);
        if sketch.is_problem() {
            let has_stones = !sketch.setup.is_empty();
            let key = symmetric_names.with_first(&sketch.setup, &sketch.turns).into_iter().flatten().min();
            keys.0[TURNS] = key.filter(|_| has_stones).map(mix);
            return keys;
        }
        let (mut previous, mut sums): (&[PackedTurn], _) = (&[], Sums::default());
        for (turns, stones) in positions {
            // Often no stone was captured since the last position.
            let more = stones.strip_prefix(previous).unwrap_or_else(|| {
                sums = Sums::default();
                stones
            });
            (previous, sums) = (stones, symmetric_names.setup_sums(sums, more));
            if let Some(index) = POSITIONS.iter().position(|turn_count| turn_count == turns) {
                keys.0[index] = symmetric_names.setup_hash(&sums).into_iter().flatten().min();
            }
        }
        let first = symmetric_names.with_first(&sketch.setup, sketch.turns_without_final_passes());
        sequences(&symmetric_names.turns(sketch.turns_without_final_passes()), &first, &mut keys);
        keys.0[HEADER] = sketch.header.key();
        for (index, key) in keys.0.iter_mut().enumerate() {
            // Keys of different kinds must not match by accident.
            *key = key.map(|key| mix(key ^ mix(index as u64 + 1)));
        }
        keys
    }

    /// Returns the key of all turns.
    pub fn turns(&self) -> Option<u64> {
        self.0[TURNS]
    }
}

/// Returns a number that is equal for the eight symmetries of a position. Colours are not
/// exchanged.
pub fn canonical_position_hash(size: BoardSize, stones: &[PackedTurn]) -> u64 {
    let [original_colors, _] = SymmetricNames::for_size(size).position(stones);
    original_colors.into_iter().min().unwrap_or(0)
}

/// Returns a scrambled number.
fn mix(number: u64) -> u64 {
    split_mix(&mut { number })
}

/// A number for each symmetry of a board.
///
/// The symmetries are computed in parallel, so no step waits for the one before.
type PerSymmetry = [u64; 8];
/// Sums of the words of stones, by owner.
type Sums = [PerSymmetry; 4];

/// Factors that distinguish the owners of stones on the same points, by colour number.
const BY_COLOR: [u64; 4] = [0, 1, 0x9FB2_1C65_1E98_DF25, 0xC13F_A9A9_02A6_328F];
/// Marks a turn of the player who also had the turn before.
const SAME_PLAYER: u64 = 0x91E1_0DA5_C79E_7B1D;

/// The numbers of four symmetries, which fit into the registers of a processor.
type HalfSymmetries = [u64; 4];

/// The name of a point in four of its symmetries, and the value subtracted when the point leaves a
/// window.
///
/// Both are read together, so they are stored together.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Word {
    name: HalfSymmetries,
    leaving: HalfSymmetries,
}

impl Word {
    fn from_half(name: HalfSymmetries) -> Word {
        Word { name, leaving: name.map(|word| word.wrapping_mul(LEAVING_FACTOR)) }
    }
}

/// The names of each point of a board in each symmetry.
struct SymmetricNames {
    size: BoardSize,
    /// Row by row, for the first four symmetries and for the others.
    points: Cow<'static, [Vec<Word>; 2]>,
}

/// The turns of a game in each symmetry.
struct Words<'a> {
    symmetric_names: &'a SymmetricNames,
    turns: &'a [PackedTurn],
    /// Index of each turn in the lists of points, or an index beyond them if the turn has another
    /// word.
    point_indices: Vec<u16>,
}

impl SymmetricNames {
    fn for_size(size: BoardSize) -> SymmetricNames {
        static STANDARD_POINTS: OnceLock<[Vec<Word>; 2]> = OnceLock::new();
        let points = || {
            let name = |point, first| {
                array::from_fn(|number| zobrist_key(0, SymmetricNames::transform(point, first + number, size).cell()))
            };
            [0, 4].map(|first| size.iter().map(|point| Word::from_half(name(point, first))).collect())
        };
        let is_standard = size == BoardSize::standard();
        let points =
            if is_standard { Cow::Borrowed(STANDARD_POINTS.get_or_init(points)) } else { Cow::Owned(points()) };
        SymmetricNames { size, points }
    }

    fn transform(point: Point, symmetry: usize, size: BoardSize) -> Point {
        let (x, y) = Symmetry::all().nth(symmetry).unwrap_or_default().place(point, size);
        Point::new(x, y)
    }

    /// Returns the index of a stone or turn in the lists of points, or an index beyond them if it
    /// is on no point.
    #[inline]
    fn point_index(&self, stone: PackedTurn) -> usize {
        stone.point(self.size).map_or(usize::MAX, |point| self.size.index(point))
    }

    /// Returns the name of a stone's or turn's place in each symmetry.
    ///
    /// The name is the same in all symmetries if the place is not a point of the board.
    #[inline]
    fn word(&self, stone: PackedTurn) -> PerSymmetry {
        let point_index = self.point_index(stone);
        match [0, 1].map(|half| self.points[half].get(point_index)) {
            [Some(first), Some(second)] => {
                array::from_fn(|symmetry| if symmetry < 4 { first.name[symmetry] } else { second.name[symmetry - 4] })
            }
            _ => [mix(u64::from(stone.place())); 8],
        }
    }

    /// Returns hashes of stones in any order, without and with exchanged colours.
    fn position(&self, stones: &[PackedTurn]) -> [PerSymmetry; 2] {
        self.setup_hash(&self.setup_sums(Sums::default(), stones))
    }

    /// Adds more stones to the sums.
    fn setup_sums(&self, mut sums: Sums, stones: &[PackedTurn]) -> Sums {
        for stone in stones {
            let (sum, word) = (&mut sums[stone.owner()], self.word(*stone));
            *sum = array::from_fn(|symmetry| sum[symmetry].wrapping_add(word[symmetry]));
        }
        sums
    }

    fn setup_hash(&self, sums: &Sums) -> [PerSymmetry; 2] {
        let hash = |[black, white]: [usize; 2]| {
            array::from_fn(|symmetry| {
                let part = |color: usize, role: usize| sums[color][symmetry].wrapping_mul(BY_COLOR[role]);
                let sum = part(black, 1).wrapping_add(part(white, 2)).wrapping_add(part(3, 3));
                let (width, height) = self.shape(symmetry);
                mix(sum) ^ mix(u64::from(width) << 8 | u64::from(height))
            })
        };
        [hash([1, 2]), hash([2, 1])]
    }

    fn shape(&self, symmetry: usize) -> (u8, u8) {
        Symmetry::all().nth(symmetry).unwrap_or_default().size(self.size)
    }

    /// Returns hashes of a setup and the first player, like [`SymmetricNames::position`].
    fn with_first(&self, setup: &[PackedTurn], turns: &[PackedTurn]) -> [PerSymmetry; 2] {
        let first = turns.first().map_or(0, |turn| turn.owner());
        let other = if (1..=2).contains(&first) { 3 - first } else { first };
        let [mut original_colors, mut exchanged_colors] = self.position(setup);
        original_colors.iter_mut().for_each(|hash| *hash ^= BY_COLOR[first]);
        exchanged_colors.iter_mut().for_each(|hash| *hash ^= BY_COLOR[other]);
        [original_colors, exchanged_colors]
    }

    fn turns<'a>(&'a self, turns: &'a [PackedTurn]) -> Words<'a> {
        let mut last = 0;
        let point_index = |turn: &PackedTurn| {
            let is_same_player = turn.owner() == last;
            last = turn.owner();
            if is_same_player { u16::MAX } else { u16::try_from(self.point_index(*turn)).unwrap_or(u16::MAX) }
        };
        Words { symmetric_names: self, turns, point_indices: turns.iter().map(point_index).collect() }
    }
}

/// The word of a turn depends on its place and on whether the same player had the turn before.
///
/// So it does not depend on the colours.
impl Words<'_> {
    #[inline]
    fn word(&self, turn: usize) -> PerSymmetry {
        let owner = |turn: usize| self.turns[turn].owner();
        let is_same_player = turn.checked_sub(1).map_or(0, owner) == owner(turn);
        let player_mark = if is_same_player { SAME_PLAYER } else { 0 };
        self.symmetric_names.word(self.turns[turn]).map(|word| word ^ player_mark)
    }

    /// Appends the words of all turns in one half of the symmetries to `turns`.
    ///
    /// Words that are not those of a point are added to `created`.
    fn add_half<'b>(&'b self, half_index: usize, created: &'b mut Vec<Word>, turns: &mut Vec<&'b Word>) {
        let points = self.symmetric_names.points[half_index].as_slice();
        let start = turns.len();
        // An empty list has no entry to use as a placeholder.
        let Some(first) = points.first() else { return };
        turns.extend(
            self.point_indices.iter().map(|point_index| points.get(usize::from(*point_index)).unwrap_or(first)),
        );
        if self.point_indices.iter().max().is_none_or(|last| usize::from(*last) < points.len()) {
            return;
        }
        let exceptions = || {
            self.point_indices.iter().enumerate().filter(|(_, point_index)| usize::from(**point_index) >= points.len())
        };
        created.extend(exceptions().map(|(turn, _)| {
            let word = self.word(turn);
            Word::from_half(array::from_fn(|symmetry| word[4 * half_index + symmetry]))
        }));
        exceptions().zip(created.iter()).for_each(|((turn, _), word)| turns[start + turn] = word);
    }

    /// Returns a hash of turns in their order.
    fn hash(&self, turns: impl IntoIterator<Item = usize>) -> PerSymmetry {
        turns.into_iter().fold([0; 8], |hash, turn| next(hash, BASE, self.word(turn)))
    }
}

/// Base of the polynomial hash of words in their order.
///
/// With a polynomial, the hash of a window follows from that of the window before.
const BASE: u64 = 0xD134_2543_DE82_EF95;

/// Factor of a word that leaves its window: the base to the power of the window's length.
const LEAVING_FACTOR: u64 = {
    let (mut power, mut turn) = (1_u64, 0);
    while turn < WINDOW {
        power = power.wrapping_mul(BASE);
        turn += 1;
    }
    power
};

/// Appends a word to a hash. The factor depends on the length of the appended part.
#[inline]
fn next(hash: PerSymmetry, factor: u64, word: PerSymmetry) -> PerSymmetry {
    array::from_fn(|symmetry| hash[symmetry].wrapping_mul(factor).wrapping_add(word[symmetry]))
}

/// Returns the smallest of the mixed hashes.
fn smallest_hash(hashes: PerSymmetry) -> Option<u64> {
    hashes.into_iter().map(mix).min()
}

/// Computes the keys of the turns in their order, with board, setup and first player.
fn sequences(words: &Words, setup: &[PerSymmetry; 2], keys: &mut SimilarityKeys) {
    let count = words.turns.len();
    let all = windows(words, keys);
    let with_setup =
        setup.iter().map(|setup| -> PerSymmetry { array::from_fn(|symmetry| mix(all[symmetry]) ^ setup[symmetry]) });
    keys.0[TURNS] = with_setup.flatten().min();
    if count > OPENING_END {
        keys.0[LAST] = smallest_hash(words.hash(count - LAST_TURNS..count));
    }
    for (key_index, moves) in DYER {
        if count >= moves[2] {
            keys.0[key_index] = smallest_hash(words.hash(moves.map(|number| number - 1)));
        }
    }
}

/// Computes the smallest hashes of windows, and returns the hash of all turns.
///
/// Two orders give the keys of the beginning; a third order gives the key of all windows. The hash
/// of all turns is combined from windows.
fn windows(words: &Words, keys: &mut SimilarityKeys) -> PerSymmetry {
    let count = words.turns.len();
    let [(smallest, first_half), (smallest_other, other)] = [0, 1].map(|half| rolling_minima(words, half));
    let complete = count - count % WINDOW;
    let all = array::from_fn(|symmetry| if symmetry < 4 { first_half[symmetry] } else { other[symmetry - 4] });
    let all = (complete..count).fold(all, |all, turn| next(all, BASE, words.word(turn)));
    if count < OPENING_END {
        return all;
    }
    // Indexed by the first turn of the window.
    let all_windows =
        || smallest.iter().zip(&smallest_other).skip(OPENING).map(|(first_half, other)| *first_half.min(other));
    let of_beginning =
        |mask: u64| all_windows().take(OPENING_END - OPENING - WINDOW + 1).map(|smallest| mix(smallest ^ mask)).min();
    (keys.0[WINDOWS], keys.0[OTHER_WINDOWS]) = (of_beginning(0), of_beginning(u64::MAX));
    keys.0[ALL_WINDOWS] = all_windows().map(|smallest| mix(smallest ^ BASE)).min();
    all
}

/// Computes a rolling hash in one half of the symmetries.
///
/// Returns the smallest hash of each window, by its first turn, and the hash of all turns up to the
/// last multiple of the window's length.
fn rolling_minima(words: &Words, half_index: usize) -> (Vec<u64>, HalfSymmetries) {
    let (mut hash, mut all) = ([0; 4], [0; 4]);
    let (empty_word, mut created) = (Word::from_half([0; 4]), Vec::new());
    // No word leaves the first window.
    let mut turns = vec![&empty_word; WINDOW];
    words.add_half(half_index, &mut created, &mut turns);
    let mut smallest = Vec::with_capacity(turns.len());
    for (added, removed) in turns[WINDOW..].chunks(WINDOW).zip(turns.chunks(WINDOW)) {
        smallest.extend(added.iter().zip(removed).map(|(added, removed)| {
            hash = array::from_fn(|symmetry| {
                let change = added.name[symmetry].wrapping_sub(removed.leaving[symmetry]);
                u64::wrapping_mul(hash[symmetry], BASE).wrapping_add(change)
            });
            hash[0].min(hash[1]).min(hash[2].min(hash[3]))
        }));
        if added.len() == WINDOW {
            all = array::from_fn(|symmetry| {
                u64::wrapping_mul(all[symmetry], LEAVING_FACTOR).wrapping_add(hash[symmetry])
            });
        }
    }
    smallest.drain(..(WINDOW - 1).min(smallest.len()));
    (smallest, all)
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use super::*;
    use jigo_record::Coordinates;
    use jigo_rules::board::Color;

    /// Creates random turns of both colours, with passes.
    fn turns(count: usize, seed: &mut u64) -> Vec<PackedTurn> {
        let turn = |number: usize| {
            let [color, column, row, kind] = [(); 4].map(|()| split_mix(seed) as usize);
            let color = Color::BOTH[if kind % 9 == 0 { color % 2 } else { number % 2 }];
            let point = Point::new((column % 19) as u8, (row % 19) as u8);
            PackedTurn::turn(color, if kind % 17 == 0 { Coordinates::Pass } else { Coordinates::Play(point) })
        };
        (0..count).map(turn).collect()
    }

    /// Compares the rolling hash with hashes computed separately for each window.
    #[test]
    fn rolling_hashes_agree_with_separate_hashes() {
        let mut seed = 21;
        for count in (0..140).step_by(3) {
            let (symmetric_names, turns) = (SymmetricNames::for_size(BoardSize::standard()), turns(count, &mut seed));
            let words = symmetric_names.turns(&turns);
            let mut keys = SimilarityKeys::default();
            assert_eq!(windows(&words, &mut keys), words.hash(0..count), "{count} turns");
            let smallest = |range: RangeInclusive<usize>, mask: u64| {
                let windows = range.filter(|_| count >= OPENING_END).map(|first| words.hash(first..first + WINDOW));
                windows.filter_map(|window| window.into_iter().min()).map(|hash| mix(hash ^ mask)).min()
            };
            let last = count.saturating_sub(WINDOW);
            let expected_keys = [WINDOWS, OTHER_WINDOWS, ALL_WINDOWS].map(|key_index| keys.0[key_index]);
            let expected = [smallest(20..=48, 0), smallest(20..=48, u64::MAX), smallest(20..=last, BASE)];
            assert_eq!(expected_keys, expected, "{count} turns");
        }
    }
}
