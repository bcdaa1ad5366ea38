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
        let turns = sketch.turns_without_final_passes();
        let first = symmetric_names.with_first(&sketch.setup, turns);
        sequences(&symmetric_names.words(turns), &first, &mut keys);
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

/// The names of each point of a board in each symmetry.
struct SymmetricNames {
    size: BoardSize,
    /// Row by row.
    points: Cow<'static, [PerSymmetry]>,
}

impl SymmetricNames {
    fn for_size(size: BoardSize) -> SymmetricNames {
        static STANDARD_POINTS: OnceLock<Vec<PerSymmetry>> = OnceLock::new();
        let name =
            |point| array::from_fn(|symmetry| zobrist_key(0, SymmetricNames::transform(point, symmetry, size).cell()));
        let points = || size.iter().map(name).collect();
        let is_standard = size == BoardSize::standard();
        let points =
            if is_standard { Cow::Borrowed(&STANDARD_POINTS.get_or_init(points)[..]) } else { Cow::Owned(points()) };
        SymmetricNames { size, points }
    }

    fn transform(point: Point, symmetry: usize, size: BoardSize) -> Point {
        let (x, y) = Symmetry::all().nth(symmetry).unwrap_or_default().place(point, size);
        Point::new(x, y)
    }

    /// Returns the name of a stone's or turn's place in each symmetry.
    ///
    /// The name is the same in all symmetries if the place is not a point of the board.
    #[inline]
    fn word(&self, stone: PackedTurn) -> PerSymmetry {
        let name = stone.point(self.size).and_then(|point| self.points.get(self.size.index(point)));
        name.copied().unwrap_or_else(|| [mix(u64::from(stone.place())); 8])
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

    /// Returns the words of turns.
    ///
    /// A word depends on the place of the turn and on whether the same player had the turn before. So
    /// it does not depend on the colours.
    fn words(&self, turns: &[PackedTurn]) -> Vec<PerSymmetry> {
        let mut last = 0;
        let word = |turn: &PackedTurn| {
            let player_mark = if turn.owner() == last { SAME_PLAYER } else { 0 };
            last = turn.owner();
            self.word(*turn).map(|word| word ^ player_mark)
        };
        turns.iter().map(word).collect()
    }
}

/// Returns a hash of words in their order.
fn hash<'a>(words: impl IntoIterator<Item = &'a PerSymmetry>) -> PerSymmetry {
    words.into_iter().fold([0; 8], |hash, word| next(hash, BASE, *word))
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
fn sequences(words: &[PerSymmetry], setup: &[PerSymmetry; 2], keys: &mut SimilarityKeys) {
    let count = words.len();
    let all = windows(words, keys);
    let with_setup =
        setup.iter().map(|setup| -> PerSymmetry { array::from_fn(|symmetry| mix(all[symmetry]) ^ setup[symmetry]) });
    keys.0[TURNS] = with_setup.flatten().min();
    if count > OPENING_END {
        keys.0[LAST] = smallest_hash(hash(&words[count - LAST_TURNS..]));
    }
    for (key_index, moves) in DYER {
        if count >= moves[2] {
            keys.0[key_index] = smallest_hash(hash(moves.map(|number| &words[number - 1])));
        }
    }
}

/// Computes the smallest hashes of windows, and returns the hash of all turns.
///
/// Two orders give the keys of the beginning; a third order gives the key of all windows. The hash
/// of all turns is combined from windows.
fn windows(words: &[PerSymmetry], keys: &mut SimilarityKeys) -> PerSymmetry {
    let (mut hash, mut all) = ([0; 8], [0; 8]);
    let mut smallest = Vec::with_capacity(words.len());
    for (turn, word) in words.iter().enumerate() {
        // No word leaves the first window.
        let leaving = turn.checked_sub(WINDOW).map_or([0; 8], |first| words[first]);
        hash = array::from_fn(|symmetry| {
            let change = word[symmetry].wrapping_sub(leaving[symmetry].wrapping_mul(LEAVING_FACTOR));
            u64::wrapping_mul(hash[symmetry], BASE).wrapping_add(change)
        });
        smallest.push(hash.into_iter().fold(u64::MAX, u64::min));
        if (turn + 1).is_multiple_of(WINDOW) {
            all = next(all, LEAVING_FACTOR, hash);
        }
    }
    let complete = words.len() - words.len() % WINDOW;
    let all = words[complete..].iter().fold(all, |all, word| next(all, BASE, *word));
    if words.len() < OPENING_END {
        return all;
    }
    // Indexed by the first turn of the window.
    let all_windows = || smallest.iter().skip(WINDOW - 1 + OPENING);
    let of_beginning =
        |mask: u64| all_windows().take(OPENING_END - OPENING - WINDOW + 1).map(|smallest| mix(smallest ^ mask)).min();
    (keys.0[WINDOWS], keys.0[OTHER_WINDOWS]) = (of_beginning(0), of_beginning(u64::MAX));
    keys.0[ALL_WINDOWS] = all_windows().map(|smallest| mix(smallest ^ BASE)).min();
    all
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
            let words = symmetric_names.words(&turns);
            let mut keys = SimilarityKeys::default();
            assert_eq!(windows(&words, &mut keys), hash(&words), "{count} turns");
            let smallest = |range: RangeInclusive<usize>, mask: u64| {
                let windows = range.filter(|_| count >= OPENING_END).map(|first| hash(&words[first..first + WINDOW]));
                windows.filter_map(|window| window.into_iter().min()).map(|hash| mix(hash ^ mask)).min()
            };
            let last = count.saturating_sub(WINDOW);
            let expected_keys = [WINDOWS, OTHER_WINDOWS, ALL_WINDOWS].map(|key_index| keys.0[key_index]);
            let expected = [smallest(20..=48, 0), smallest(20..=48, u64::MAX), smallest(20..=last, BASE)];
            assert_eq!(expected_keys, expected, "{count} turns");
        }
    }
}
