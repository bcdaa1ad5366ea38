//! Chains that are dead by the shape of their only eye, which playouts and short searches seldom play out to the end.
//!
//! A chain whose liberties all lie in one small space is dead as it stands, whoever moves, when the space is one eye with
//! its vital point taken (nakade), and when it holds a bent four in the corner: the attacker can start a ko there at any
//! time, the defender never, so that Japanese rules rule it dead and others let the attacker remove all ko threats first.
//! For the same reason a chain that has one eye and needs a ko for another is dead when the game is over.

use super::board::{BORDER, Board, EMPTY};
use super::refusal::is_killed;

/// The largest space that is looked at.
const LARGEST: usize = 6;

/// The points that the chain of a stone surrounds.
struct Space {
    points: Vec<usize>,
    /// How many of the points are next to each.
    inside: Vec<usize>,
}

/// The space of the chain of a stone if that is all it has: it surrounds the space alone and has no liberty elsewhere.
fn only_space<const W: usize>(board: &Board<W>, stone: usize) -> Option<Space> {
    let (color, head) = (board.stone[stone], board.head(stone));
    let mut points = vec![board.liberties_of(stone).next()?];
    let mut at = 0;
    while let Some(&cell) = points.get(at) {
        at += 1;
        for near in board.neighbours(cell) {
            let is_wall = board.stone[near] == color;
            if is_wall && board.head(near) != head || points.len() > LARGEST {
                return None;
            }
            if !is_wall && board.stone[near] != BORDER && !points.contains(&near) {
                points.push(near);
            }
        }
    }
    let is_all = points.len() <= LARGEST && board.liberties_of(stone).all(|liberty| points.contains(&liberty));
    let count = |&cell: &usize| board.neighbours(cell).iter().filter(|near| points.contains(near)).count();
    let inside = points.iter().map(count).collect();
    is_all.then_some(Space { points, inside })
}

/// The opposing stones within the only eye of a chain that is dead by its shape, none where it needs a ko for its second
/// eye; `None` when it is not dead.
pub(super) fn killers<const W: usize>(board: &Board<W>, stone: usize) -> Option<Vec<usize>> {
    if needs_ko(board, stone) {
        return Some(Vec::new());
    }
    let space = only_space(board, stone)?;
    let is_dead = is_nakade(board, &space) || is_bent_four(board, &space);
    is_dead.then(|| space.points.into_iter().filter(|&cell| board.stone[cell] != EMPTY).collect())
}

/// Whether all that a chain has is one eye and a point that is another only until a ko beside it is taken. Filling the ko
/// leaves it the one eye. Its opponent can take the ko at any time, and threats elsewhere, endless ones by a double ko
/// among them (moonshine life), don't count when a game is over.
fn needs_ko<const W: usize>(board: &Board<W>, stone: usize) -> bool {
    let color = board.stone[stone];
    let others = |cell: usize| board.others_around(cell, stone);
    let is_eye = |cell: usize| others(cell).next().is_none();
    let is_in_ko =
        |near: usize| board.stone[near] == color && board.chain_size(near) == 1 && board.liberty_count(near) == 1;
    let is_ko = |cell: usize| others(cell).count() == 1 && others(cell).all(is_in_ko);
    board.liberty_count(stone) == 2 && board.liberties_of(stone).any(is_eye) && board.liberties_of(stone).any(is_ko)
}

/// Whether a space has room for one eye only, with the vital point taken if there is one. Where a single point is left, its
/// owner can take the stones, which must leave one eye too.
fn is_nakade<const W: usize>(board: &Board<W>, space: &Space) -> bool {
    let is_stone = |cell: &&usize| board.stone[**cell] != EMPTY;
    let most = space.inside.iter().max();
    let mut vital = space.points.iter().zip(&space.inside).filter(|(_, inside)| Some(*inside) == most);
    let has_no_vital_point = space.points.len() < 3 || vital.clone().count() == space.points.len();
    let is_taken = has_no_vital_point || vital.all(|(cell, _)| is_stone(&cell));
    let stones: Vec<usize> = space.points.iter().filter(is_stone).copied().collect();
    let leaves_one_eye = stones.len() + 1 < space.points.len() || is_killed(board, &stones);
    is_killed(board, &space.points) && is_taken && leaves_one_eye
}

/// Whether a space is three opposing stones and two empty points, one of which makes a bent four in the corner of them.
fn is_bent_four<const W: usize>(board: &Board<W>, space: &Space) -> bool {
    let is_stone = |cell: &&usize| board.stone[**cell] != EMPTY;
    let stones: Vec<usize> = space.points.iter().filter(is_stone).copied().collect();
    let &[first, _, _] = stones.as_slice() else { return false };
    let is_common = board.chain_size(first) == 3 && board.liberty_count(first) == 2;
    let borders = |cell: usize| board.neighbours(cell).iter().filter(|&&near| board.stone[near] == BORDER).count();
    let bends = |&last: &usize| {
        let four = [stones[0], stones[1], stones[2], last];
        let near = |cell: usize| board.neighbours(cell).iter().filter(|near| four.contains(near)).count();
        let has_corner = four.iter().any(|&cell| borders(cell) == 2 && near(cell) == 2);
        let is_line = four.iter().filter(|&&cell| near(cell) == 2).count() == 2;
        has_corner && is_line && four.iter().all(|&cell| borders(cell) > 0)
    };
    space.points.len() == 5 && is_common && board.liberties_of(first).any(|last| bends(&last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::read;

    /// Whether the white chain at the top right of a diagram is dead by its shape.
    fn is_dead(diagram: &str) -> bool {
        let position = read(diagram).unwrap();
        let board = Board::<2>::new(&position);
        killers(&board, board.stride + usize::from(position.size().width())).is_some()
    }

    #[test]
    fn the_vital_point_decides() {
        assert!(is_dead(". X . O\nO O O O"));
        assert!(!is_dead(". . X O\nO O O O"));
        assert!(!is_dead(". X . . O\nO O O O O"));
        assert!(is_dead(". . O\n. . O\nO O O"));
    }

    #[test]
    fn stones_that_leave_two_eyes_when_taken_kill_nobody_yet() {
        assert!(is_dead("X X . O\nX X O O\nO O O O"));
        assert!(!is_dead(". X X O\nX X O O\nO O O O"));
    }

    #[test]
    fn a_bent_four_kills_in_the_corner_only() {
        assert!(is_dead("X X X . O\n. O O O O\nO O O O O"));
        assert!(!is_dead("O . X X X . O\nO O O O O O O"));
    }

    #[test]
    fn a_ko_is_no_second_eye() {
        assert!(is_dead("X O . O . O\nX X O O O O"));
        assert!(!is_dead(". O . O . O\nX X O O O O"));
    }

    #[test]
    fn a_liberty_elsewhere_or_another_chain_at_the_eye_leaves_it_open() {
        assert!(!is_dead(". X . O\nO O O O\n. . . ."));
        assert!(!is_dead("O . X . O\nX O O O O"));
    }
}
