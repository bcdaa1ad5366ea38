//! A loop of fixed work over the bytes of a file, in the way of a replay: finds values in brackets, makes points of them, and keeps a
//! board and its hash. `.ci/instructions` counts it beside jigo, so that what a compiler makes of either falls out of the ratio.

use std::hint::black_box;

const SIZE: usize = 19;

fn main() {
    let path = std::env::args().nth(1).expect("usage: reference FILE");
    let bytes = std::fs::read(path).expect("the file can be read");
    println!("{}", black_box(walk(black_box(&bytes))));
}

/// The hash of all stones, of the neighbours that each met, and of how many values were no points.
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

/// A number for a stone at a point, mixed as splitmix64 does.
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
