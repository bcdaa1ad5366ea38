//! A 128-bit hash of the stones on a board.

use super::point::{CELLS, Color, Point};

/// The hash of a position: the exclusive or of one fixed key for each stone.
///
/// The hash includes the colour on each point. It does not include board size, player to move, ko
/// or history. The keys never change, so hashes can be compared between runs and versions.
///
/// Equal hashes are a suspicion, not a proof: before a finding accuses a game, compare the stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PositionHash(pub u128);

impl PositionHash {
    /// Adds or removes a stone.
    #[inline]
    pub fn toggle(&mut self, color: Color, point: Point) {
        self.0 ^= KEYS[color.index()][point.cell()];
    }
}

/// Returns the lower half of the key for a stone on a grid cell. `color` is 0 for Black and
/// 1 for White.
#[inline]
pub fn zobrist_key(color: usize, cell: usize) -> u64 {
    KEYS[color][cell] as u64
}

static KEYS: [[u128; CELLS]; 2] = zobrist_keys();

/// Computes the keys with SplitMix64 (Steele, Lea, Flood 2014).
///
/// Each key takes two outputs. The seed is the first digits of pi.
const fn zobrist_keys() -> [[u128; CELLS]; 2] {
    let mut zobrist_keys = [[0; CELLS]; 2];
    let mut state = 0x3141_5926_5358_9793_u64;
    let mut color = 0;
    while color < 2 {
        let mut cell = 0;
        while cell < CELLS {
            let high = split_mix(&mut state);
            let low = split_mix(&mut state);
            zobrist_keys[color][cell] = (high as u128) << 64 | low as u128;
            cell += 1;
        }
        color += 1;
    }
    zobrist_keys
}

/// Computes the 64-bit FNV-1a hash (Fowler, Noll, Vo).
///
/// Files contain this hash, so the function never changes.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3))
}

/// Returns the next output of SplitMix64.
pub const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn fnv1a_gives_the_published_test_vectors() {
        let expected = [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8];
        assert_eq!(["", "a", "foobar"].map(|text| fnv1a(text.as_bytes())), expected);
    }

    #[test]
    fn every_key_differs_in_both_halves() {
        let all: Vec<u128> = KEYS.iter().flatten().copied().collect();
        let low: HashSet<u64> = all.iter().map(|&zobrist_key| zobrist_key as u64).collect();
        let high: HashSet<u64> = all.iter().map(|&zobrist_key| (zobrist_key >> 64) as u64).collect();
        assert_eq!((low.len(), high.len()), (all.len(), all.len()));
    }
}
