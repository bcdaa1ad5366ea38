//! The board of a searched race: the cells of its zone as the bits of sets.

use std::hash::{Hash, Hasher};

use crate::shape::cell_set::CellSet;
use crate::shape::grid::Grid;

/// The cells of a fight, numbered from 0, as bits of sets.
pub(super) struct Zone {
    /// For each cell, its neighbours.
    neighbours: Vec<u128>,
    /// All cells.
    all: u128,
    /// The stones at the start, Black first.
    pub(super) stones: [u128; 2],
    /// The cells next to stones outside the zone, Black's first. Chains there live.
    anchors: [u128; 2],
}

/// A chain, joined with chains outside the zone if it is anchored.
struct Chain {
    stones: u128,
    liberties: u128,
    is_anchored: bool,
}

impl Zone {
    pub(super) fn new<const W: usize>(grid: &Grid<W>, cells: &CellSet<W>, stones: &[CellSet<W>; 2]) -> Zone {
        let list: Vec<usize> = cells.iter().collect();
        let bits = |set: &CellSet<W>| bits_where(&list, |cell| set.contains(cell));
        let neighbours = list.iter().map(|&cell| {
            let around = grid.neighbours(cell);
            bits_where(&list, |other| around.contains(&other))
        });
        let outside = stones.each_ref().map(|stones| stones.without(cells));
        Zone {
            neighbours: neighbours.collect(),
            all: bits(cells),
            stones: stones.each_ref().map(bits),
            anchors: outside.each_ref().map(|stones| bits(&grid.adjacent(stones, 1))),
        }
    }

    /// Returns the number of cells.
    pub(super) fn cells(&self) -> u32 {
        self.all.count_ones()
    }

    /// Returns the number of stones of a side that are connected to stones outside the zone. No play
    /// captures them.
    pub(super) fn anchored(&self, board: &RaceBoard, side: usize) -> u32 {
        let stones = board.stones[side];
        self.flood(stones & self.anchors[side], stones).count_ones()
    }

    /// Returns the neighbours of a set, which may include cells of the set.
    fn around(&self, set: u128) -> u128 {
        bits_of(set).fold(0, |around, cell| around | self.neighbours[cell])
    }

    /// Returns the cells of `within` that are connected to `start` inside `within`.
    fn flood(&self, start: u128, within: u128) -> u128 {
        let (mut filled, mut added) = (start, start);
        while added != 0 {
            added = self.around(added) & within & !filled;
            filled |= added;
        }
        filled
    }

    /// Returns the chains of a side. `empty` are the empty cells.
    fn chains(&self, stones: u128, side: usize, empty: u128) -> Vec<Chain> {
        let mut remaining = stones;
        let mut chains = Vec::new();
        while remaining != 0 {
            let stones = self.flood(lowest(remaining), remaining);
            remaining &= !stones;
            let liberties = self.around(stones) & empty;
            chains.push(Chain { stones, liberties, is_anchored: stones & self.anchors[side] != 0 });
        }
        chains
    }

    /// Returns the boards after each play, with the number of captured stones. Suicides are left
    /// out, and plays in an eye of one chain, which never help.
    pub(super) fn plays(&self, board: &RaceBoard) -> Vec<(RaceBoard, u32)> {
        let (side, empty) = (board.player, self.all & !board.stones[0] & !board.stones[1]);
        let chains = [0, 1].map(|side| self.chains(board.stones[side], side, empty));
        let play = |cell: usize| {
            let (stone, around) = (1 << cell, self.neighbours[cell]);
            let in_atari = |chain: &&Chain| !chain.is_anchored && chain.liberties == stone;
            let captured = chains[1 - side].iter().filter(in_atari).fold(0, |all, chain| all | chain.stones);
            let mut joined = chains[side].iter().filter(|chain| chain.stones & around != 0);
            let is_anchored = self.anchors[side] & stone != 0;
            let has_liberty = captured | around & empty != 0 || is_anchored;
            let is_single = !is_anchored && joined.clone().next().is_none();
            let is_next_to_others = (self.anchors[0] | self.anchors[1]) & stone != 0;
            let is_eye = !is_next_to_others && joined.clone().any(|chain| around & !chain.stones == 0);
            if is_eye || !has_liberty && joined.all(|chain| in_atari(&chain)) {
                return None;
            }
            let is_ko = is_single && around & empty == 0 && captured.is_power_of_two();
            let mut stones = board.stones;
            stones[side] |= stone;
            stones[1 - side] &= !captured;
            let ko = if is_ko { captured } else { 0 };
            Some((RaceBoard { stones, ko, player: 1 - side, has_passed: false }, captured.count_ones()))
        };
        bits_of(empty & !board.ko).filter_map(play).collect()
    }

    /// Returns the area of a side minus that of the other, in points. All stones live.
    pub(super) fn lead(&self, board: &RaceBoard, side: usize) -> i32 {
        let empty = self.all & !board.stones[0] & !board.stones[1];
        let reached = [0, 1].map(|side| {
            let next_to_stones = (self.around(board.stones[side]) | self.anchors[side]) & empty;
            self.flood(next_to_stones, empty)
        });
        let area = |side: usize| (board.stones[side] | reached[side] & !reached[1 - side]).count_ones() as i32;
        area(side) - area(1 - side)
    }
}

/// Returns the indices of the cells that satisfy a condition, as bits.
fn bits_where(cells: &[usize], condition: impl Fn(usize) -> bool) -> u128 {
    cells.iter().enumerate().filter(|(_, cell)| condition(**cell)).fold(0, |bits, (index, _)| bits | 1 << index)
}

/// Returns the lowest bit that is set.
fn lowest(set: u128) -> u128 {
    set & set.wrapping_neg()
}

/// Returns the numbers of the bits that are set.
fn bits_of(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}

/// The stones inside a zone, with the player to move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct RaceBoard {
    pub(super) stones: [u128; 2],
    /// The cell on which the next play would retake a ko, or none.
    pub(super) ko: u128,
    pub(super) player: usize,
    pub(super) has_passed: bool,
}

impl Hash for RaceBoard {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let fold = |set: u128| set as u64 ^ (set >> 64) as u64;
        let turn = (self.player << 1 | usize::from(self.has_passed)) as u64;
        [fold(self.stones[0]), fold(self.stones[1]), fold(self.ko) ^ turn << 62]
            .iter()
            .for_each(|word| state.write_u64(*word));
    }
}

/// A hash of words by multiplication, because the table is private to a search.
#[derive(Default)]
pub(super) struct BoardHasher(u64);

impl Hasher for BoardHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
