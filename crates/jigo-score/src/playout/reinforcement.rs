//! Reinforcements: points that a player must fill inside territory after the dame are filled.
//!
//! The count by shape finds a point that one dame forces. Here a search plays several dame, in
//! which the owner can answer one of them and then has to answer the other inside territory.

use super::board::Board;
use crate::seki::Territory;
use crate::shape::cell_set::CellSet;
use crate::shape::grid::{Grid, with_words};
use jigo_rules::board::{Color, Point, Position};

/// The maximum number of dame around one point that the search plays.
const MAX_DAME: usize = 5;

/// Returns true if the dame of a finished position force a reinforcement that the count ignores.
pub(crate) fn forces_reinforcement(position: &Position, dead: &[Point]) -> bool {
    with_words!(position.size(), forces_any, position, dead)
}

/// Returns true if the dame force a reinforcement on any point of territory.
fn forces_any<const W: usize>(position: &Position, dead: &[Point]) -> bool {
    let grid = Grid::<W>::new(position.size());
    let Territory { flooded, territory, .. } = Territory::on(&grid, position, dead, &[]);
    let mut living = position.clone();
    dead.iter().for_each(|&stone| living.remove_stone(stone));
    let board = Board::<W>::new(&living);
    Color::BOTH.iter().any(|&owner| {
        territory[owner.index()].iter().any(|point| {
            let mut dame = CellSet::EMPTY;
            for stone in board.neighbours(point).into_iter().filter(|&near| board.stone[near] == owner as u8) {
                let liberties: CellSet<W> = board.liberties_of(stone).collect();
                if liberties.without(&flooded.dame).is_single() {
                    dame.add(&liberties.intersection(&flooded.dame));
                }
            }
            let dame: Vec<usize> = dame.iter().collect();
            (2..=MAX_DAME).contains(&dame.len()) && forces(&board, owner as u8, point, &dame)
        })
    })
}

/// Returns true if the opponent of `owner`, who plays first, forces a play on `point` by plays on
/// `dame`.
fn forces<const W: usize>(board: &Board<W>, owner: u8, point: usize, dame: &[usize]) -> bool {
    let is_atari = |board: &Board<W>| {
        board.neighbours(point).iter().any(|&near| board.stone[near] == owner && board.liberty_count(near) == 1)
    };
    let after = |board: &Board<W>, color: u8, cell: usize| {
        let mut next = board.clone();
        next.play(color, cell);
        next
    };
    let without =
        |dame: &[usize], played: usize| -> Vec<usize> { dame.iter().copied().filter(|&cell| cell != played).collect() };
    dame.iter().filter(|&&cell| board.is_legal(3 - owner, cell)).any(|&cell| {
        let (attacked, rest) = (after(board, 3 - owner, cell), without(dame, cell));
        let holds = |board: &Board<W>, rest: &[usize]| !is_atari(board) && !forces(board, owner, point, rest);
        let mut answers = rest.iter().filter(|&&answer| attacked.is_legal(owner, answer));
        !holds(&attacked, &rest)
            && !answers.any(|&answer| holds(&after(&attacked, owner, answer), &without(&rest, answer)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::diagram::read;

    fn is_forced(diagram: &str) -> bool {
        forces_reinforcement(&read(diagram).unwrap(), &[])
    }

    /// White answers the dame above or below the middle stone. Either way Black forces the point to
    /// the right of it.
    #[test]
    fn one_of_two_dame_forces_a_reinforcement() {
        assert!(is_forced("X X O . O\nX . O O O\nX O . O .\nX . O X O\nX X X X X\n. X . X ."));
        assert!(!is_forced("X X O . O\nX . O O O\nX O . O .\nX . O O O\nX X X X X\n. X . X ."));
    }

    #[test]
    fn closed_borders_force_nothing() {
        assert!(!is_forced(". . X O . .\n. . X O . .\n. . X O . ."));
        assert!(!is_forced(". . X . O .\n. . X . O .\n. . X . O ."));
    }
}
