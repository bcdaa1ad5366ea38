//! The reference loop of `.ci/instructions`: fixed work over the bytes of a file that resembles a
//! replay.
//!
//! The loop finds values in brackets, converts them to points, and updates a board and its hash. It
//! is compiled with the same compiler as jigo, so the ratio of both counts hardly depends on the
//! compiler.

use std::hint::black_box;

const SIZE: usize = 19;

fn main() {
    let path = std::env::args().nth(1).expect("usage: reference FILE");
    let bytes = std::fs::read(path).expect("the file can be read");
    println!("{}", black_box(walk(black_box(&bytes))));
}

/// Returns a hash of all stones, of the neighbours at each play, and of the number of other values.
fn walk(bytes: &[u8]) -> u64 {
    let (mut board, mut hash, mut others) = ([0u8; SIZE * SIZE], 0u64, 0u64);
    let mut rest = bytes;
    while let Some(open) = rest.iter().position(|&byte| byte == b'[') {
        rest = &rest[open + 1..];
        let Some(close) = rest.iter().position(|&byte| byte == b']') else { break };
        match rest[..close] {
            [x @ b'a'..=b's', y @ b'a'..=b's'] => {
                let at = usize::from(y - b'a') * SIZE + usize::from(x - b'a');
                board[at] = board[at].wrapping_add(1);
                hash = (hash ^ key(at, board[at])).rotate_left(5) ^ neighbours(&board, at);
            }
            _ => others += 1,
        }
        rest = &rest[close + 1..];
    }
    hash ^ others
}

/// Returns a hash key for a stone at a point, mixed like splitmix64.
fn key(at: usize, stone: u8) -> u64 {
    let mut mixed = (at as u64 * 3 + u64::from(stone)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

fn neighbours(board: &[u8], at: usize) -> u64 {
    let steps = [at.wrapping_sub(SIZE), at.wrapping_sub(1), at + 1, at + SIZE];
    steps.iter().filter_map(|&next| board.get(next)).map(|&stone| u64::from(stone)).sum()
}
