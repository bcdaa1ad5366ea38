//! The part of a board that has to be searched when a chain is in doubt.

use super::board::{BORDER, EMPTY};
use super::ownership::Ownership;

/// Chains that their own colour holds this often, in percent, bound a zone.
const STRONG: i64 = 60;
/// A strong chain with no more liberties than this may lose a race with the weak one beside it.
const FEW_LIBERTIES: u16 = 8;

/// The cells of the zone around the chain `from`, in ascending order: weak and dead chains that hang together with it, the
/// points between them up to the strong chains around, and strong ones with few liberties beside a weak one.
pub(super) fn zone<const W: usize>(ownership: &Ownership<W>, from: usize) -> Vec<usize> {
    let board = &ownership.start;
    let is_weak = |stone: usize| ownership.mean(board.head(stone)) < STRONG;
    let mut is_inside = vec![false; board.stone.len()];
    let mut is_racing = vec![false; board.stone.len()];
    let mut zone = vec![from];
    let mut at = 0;
    is_inside[from] = true;
    while let Some(&cell) = zone.get(at) {
        at += 1;
        let around = board.neighbours(cell);
        let is_stone = board.stone[cell] != EMPTY;
        // Whoever gets to a point between two strong chains of both colours is at home: there is no way on from it.
        let strong = around.iter().filter(|&&near| {
            !matches!(board.stone[near], EMPTY | BORDER) && !is_weak(near) && !is_racing[board.head(near)]
        });
        let strong: u8 = strong.fold(0, |colors, &near| colors | board.stone[near]);
        let leads_on = is_stone || strong != BORDER;
        for near in around {
            if is_inside[near] || board.stone[near] == BORDER || ownership.closed[near] {
                continue;
            }
            let joins = if board.stone[near] == EMPTY || is_weak(near) {
                leads_on
            } else {
                let head = board.head(near);
                let faces_weak = is_stone && is_weak(cell) && board.stone[near] != board.stone[cell];
                is_racing[head] |= faces_weak && board.liberty_count(near) <= FEW_LIBERTIES;
                is_racing[head]
            };
            if joins {
                is_inside[near] = true;
                zone.push(near);
            }
        }
    }
    zone.sort_unstable();
    zone
}
