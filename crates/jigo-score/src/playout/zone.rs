//! The zone of a chain in doubt: the part of the board that a search must examine.

use super::board::{BORDER, Board, EMPTY};

/// Chains that their own colour owns this often, in percent, limit a zone.
const STRONG: i64 = 60;
/// A strong chain with at most this number of liberties may lose a race with a weak neighbour.
const FEW_LIBERTIES: u16 = 8;

/// Returns the cells of the zone around the chain `from`, in ascending order.
///
/// The zone contains the weak and dead chains connected with `from`, the points between them up to
/// strong chains, and strong chains with few liberties next to a weak one.
/// `mean` returns how often a chain's own colour owns it, in percent. The zone contains no `closed`
/// cell.
pub(super) fn zone<const W: usize>(
    board: &Board<W>,
    closed: &[bool],
    from: usize,
    mean: impl Fn(usize) -> i64,
) -> Vec<usize> {
    let is_weak = |stone: usize| mean(board.head(stone)) < STRONG;
    let mut is_inside = vec![false; board.stone.len()];
    let mut is_racing = vec![false; board.stone.len()];
    let mut zone = vec![from];
    let mut at = 0;
    is_inside[from] = true;
    while let Some(&cell) = zone.get(at) {
        at += 1;
        let around = board.neighbours(cell);
        let is_stone = board.stone[cell] != EMPTY;
        // A point between strong chains of both colours leads nowhere, so the zone ends there.
        let strong = around.iter().filter(|&&near| {
            !matches!(board.stone[near], EMPTY | BORDER) && !is_weak(near) && !is_racing[board.head(near)]
        });
        let strong: u8 = strong.fold(0, |colors, &near| colors | board.stone[near]);
        let leads_on = is_stone || strong != BORDER;
        for near in around {
            if is_inside[near] || board.stone[near] == BORDER || closed[near] {
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
