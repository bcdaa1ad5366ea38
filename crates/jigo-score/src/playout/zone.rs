//! The zone of a chain in doubt: the part of the board that a search must examine.

use super::board::{BORDER, Board, EMPTY};

/// Chains that their own colour owns this often, in percent, limit a zone.
const STRONG: i64 = 60;
/// A strong chain with at most this number of liberties may lose a race with a weak neighbour.
const FEW_LIBERTIES: u16 = 8;

/// Returns the cells of the zone around the chain `start`, in ascending order.
///
/// The zone contains the weak and dead chains connected with `start`, the points between them up to
/// strong chains, and strong chains with few liberties next to a weak one.
/// `mean` returns how often a chain's own colour owns it, in percent. The zone contains no `closed`
/// cell.
pub(super) fn zone<const W: usize>(
    board: &Board<W>,
    closed: &[bool],
    start: usize,
    mean: impl Fn(usize) -> i64,
) -> Vec<usize> {
    let is_weak = |stone: usize| mean(board.head(stone)) < STRONG;
    let mut is_inside = vec![false; board.stone.len()];
    let mut is_racing = vec![false; board.stone.len()];
    let mut zone = vec![start];
    let mut index = 0;
    is_inside[start] = true;
    while let Some(&cell) = zone.get(index) {
        index += 1;
        let neighbours = board.neighbours(cell);
        let is_stone = board.stone[cell] != EMPTY;
        // A point between strong chains of both colours leads nowhere, so the zone ends there.
        let strong = neighbours.iter().filter(|&&neighbour| {
            !matches!(board.stone[neighbour], EMPTY | BORDER)
                && !is_weak(neighbour)
                && !is_racing[board.head(neighbour)]
        });
        let strong: u8 = strong.fold(0, |colors, &neighbour| colors | board.stone[neighbour]);
        let leads_on = is_stone || strong != BORDER;
        for neighbour in neighbours {
            if is_inside[neighbour] || board.stone[neighbour] == BORDER || closed[neighbour] {
                continue;
            }
            let joins = if board.stone[neighbour] == EMPTY || is_weak(neighbour) {
                leads_on
            } else {
                let head = board.head(neighbour);
                let faces_weak = is_stone && is_weak(cell) && board.stone[neighbour] != board.stone[cell];
                is_racing[head] |= faces_weak && board.liberty_count(neighbour) <= FEW_LIBERTIES;
                is_racing[head]
            };
            if joins {
                is_inside[neighbour] = true;
                zone.push(neighbour);
            }
        }
    }
    zone.sort_unstable();
    zone
}
