//! Chains that are dead by the shape of their only eye. Playouts and short searches rarely play
//! these out.
//!
//! A chain whose liberties all belong to one small space is dead with either side to play, in these
//! cases:
//!
//! - The space is one eye, and its vital point is taken (nakade).
//! - The space contains a bent four in the corner. The attacker can start a ko there at any time,
//!   the defender never. Japanese rules declare the chain dead, and under others the attacker can
//!   remove all ko threats first.
//! - The chain has one eye and needs a ko for the second. The reason is the same as for the bent
//!   four.

use super::board::{BORDER, Board, EMPTY};
use super::move_filter::is_killed;

/// Largest examined space.
pub(crate) const LARGEST: usize = 6;

/// The points surrounded by a chain.
struct Space {
    points: Vec<usize>,
    /// For each point, its number of neighbours in the space.
    neighbour_counts: Vec<usize>,
}

/// Returns the space of a stone's chain.
///
/// Returns `None` if another chain of the same colour borders on the space or if the chain has
/// liberties elsewhere.
fn only_space<const W: usize>(board: &Board<W>, stone: usize) -> Option<Space> {
    let (color, head) = (board.stone[stone], board.head(stone));
    let mut points = vec![board.liberties_of(stone).next()?];
    let mut next = 0;
    while let Some(&cell) = points.get(next) {
        next += 1;
        for neighbour in board.neighbours(cell) {
            let is_wall = board.stone[neighbour] == color;
            if is_wall && board.head(neighbour) != head || points.len() > LARGEST {
                return None;
            }
            if !is_wall && board.stone[neighbour] != BORDER && !points.contains(&neighbour) {
                points.push(neighbour);
            }
        }
    }
    let is_all = points.len() <= LARGEST && board.liberties_of(stone).all(|liberty| points.contains(&liberty));
    let count = |&cell: &usize| board.neighbours(cell).iter().filter(|neighbour| points.contains(neighbour)).count();
    let neighbour_counts = points.iter().map(count).collect();
    is_all.then_some(Space { points, neighbour_counts })
}

/// Returns the opposing stones in the only eye of a chain that is dead by its shape.
///
/// The list is empty if the chain needs a ko for its second eye. Returns `None` if the chain is not
/// dead.
pub(super) fn vital_points<const W: usize>(board: &Board<W>, stone: usize) -> Option<Vec<usize>> {
    if needs_ko(board, stone) {
        return Some(Vec::new());
    }
    let space = only_space(board, stone)?;
    let is_dead = is_nakade(board, &space) || is_bent_four(board, &space);
    is_dead.then(|| space.points.into_iter().filter(|&cell| board.stone[cell] != EMPTY).collect())
}

/// Returns true if a chain has one eye and a second liberty that is an eye only until the opponent
/// takes a ko next to it.
///
/// If the chain's owner fills the ko, only one eye remains. The opponent can take the ko at any
/// time. Ko threats elsewhere do not count at the end of the game, not even the endless ones of a
/// double ko (moonshine life).
fn needs_ko<const W: usize>(board: &Board<W>, stone: usize) -> bool {
    let color = board.stone[stone];
    let others = |cell: usize| board.neighbours_outside_chain(cell, stone);
    let is_eye = |cell: usize| others(cell).next().is_none();
    let is_in_ko = |neighbour: usize| {
        board.stone[neighbour] == color && board.chain_size(neighbour) == 1 && board.liberty_count(neighbour) == 1
    };
    let is_ko = |cell: usize| others(cell).count() == 1 && others(cell).all(is_in_ko);
    board.liberty_count(stone) == 2 && board.liberties_of(stone).any(is_eye) && board.liberties_of(stone).any(is_ko)
}

/// Returns true if a space makes only one eye and its vital point, if any, is taken.
///
/// If a single empty point is left, the owner can capture the stones, so their shape must also
/// leave only one eye.
fn is_nakade<const W: usize>(board: &Board<W>, space: &Space) -> bool {
    let is_stone = |cell: &&usize| board.stone[**cell] != EMPTY;
    let max_neighbours = space.neighbour_counts.iter().max();
    let mut vital = space
        .points
        .iter()
        .zip(&space.neighbour_counts)
        .filter(|(_, neighbour_count)| Some(*neighbour_count) == max_neighbours);
    let has_no_vital_point = space.points.len() < 3 || vital.clone().count() == space.points.len();
    let is_taken = has_no_vital_point || vital.all(|(cell, _)| is_stone(&cell));
    let stones: Vec<usize> = space.points.iter().filter(is_stone).copied().collect();
    let leaves_one_eye = stones.len() + 1 < space.points.len() || is_killed(board, &stones);
    is_killed(board, &space.points) && is_taken && leaves_one_eye
}

/// Returns true if a space consists of three opposing stones and two empty points, and one of these
/// points makes them a bent four in the corner.
fn is_bent_four<const W: usize>(board: &Board<W>, space: &Space) -> bool {
    let is_stone = |cell: &&usize| board.stone[**cell] != EMPTY;
    let stones: Vec<usize> = space.points.iter().filter(is_stone).copied().collect();
    let &[first, _, _] = stones.as_slice() else { return false };
    let is_common = board.chain_size(first) == 3 && board.liberty_count(first) == 2;
    let borders =
        |cell: usize| board.neighbours(cell).iter().filter(|&&neighbour| board.stone[neighbour] == BORDER).count();
    let bends = |&last: &usize| {
        let four = [stones[0], stones[1], stones[2], last];
        let neighbour_count =
            |cell: usize| board.neighbours(cell).iter().filter(|neighbour| four.contains(neighbour)).count();
        let has_corner = four.iter().any(|&cell| borders(cell) == 2 && neighbour_count(cell) == 2);
        let is_line = four.iter().filter(|&&cell| neighbour_count(cell) == 2).count() == 2;
        has_corner && is_line && four.iter().all(|&cell| borders(cell) > 0)
    };
    space.points.len() == 5 && is_common && board.liberties_of(first).any(|last| bends(&last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::diagram::read;

    /// Returns true if the white chain at the top right of a diagram is dead by its shape.
    fn is_dead(diagram: &str) -> bool {
        let position = read(diagram).unwrap();
        let board = Board::<2>::new(&position);
        vital_points(&board, board.stride + usize::from(position.size().width())).is_some()
    }

    #[test]
    fn vital_point_decides() {
        assert!(is_dead(". X . O\nO O O O"));
        assert!(!is_dead(". . X O\nO O O O"));
        assert!(!is_dead(". X . . O\nO O O O O"));
        assert!(is_dead(". . O\n. . O\nO O O"));
    }

    #[test]
    fn stones_that_leave_two_eyes_do_not_kill() {
        assert!(is_dead("X X . O\nX X O O\nO O O O"));
        assert!(!is_dead(". X X O\nX X O O\nO O O O"));
    }

    #[test]
    fn bent_four_kills_in_the_corner_only() {
        assert!(is_dead("X X X . O\n. O O O O\nO O O O O"));
        assert!(!is_dead("O . X X X . O\nO O O O O O O"));
    }

    #[test]
    fn ko_is_not_a_second_eye() {
        assert!(is_dead("X O . O . O\nX X O O O O"));
        assert!(!is_dead(". O . O . O\nX X O O O O"));
    }

    #[test]
    fn other_liberties_or_chains_leave_the_status_open() {
        assert!(!is_dead(". X . O\nO O O O\n. . . ."));
        assert!(!is_dead("O . X . O\nX O O O O"));
    }
}
