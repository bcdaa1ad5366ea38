//! Moves that players refuse in playouts, and the shapes that decide this.

use super::board::{BORDER, Board, EMPTY};

/// The largest space with one vital point.
pub(super) const LARGEST_KILLED: usize = 6;

/// Returns true if a play destroys a seki.
///
/// It does so if it puts in atari opposing stones that fill an only eye and whose capture leaves
/// one eye. The opponent could play on either of their liberties, but this would make a shape whose
/// capture leaves two eyes.
pub(super) fn would_spoil_seki<const W: usize>(board: &Board<W>, color: u8, cell: usize) -> bool {
    let spoils = |neighbour: usize| {
        let is_shape =
            board.stone[neighbour] == 3 - color && (3..LARGEST_KILLED).contains(&board.chain_size(neighbour).into());
        is_shape && board.liberty_count(neighbour) == 2 && is_only_safe_alone(board, color, neighbour)
    };
    board.neighbours(cell).into_iter().any(spoils)
}

/// Returns true if a chain and its liberties fill the only eye of a single chain of `color`, and
/// only the chain's present shape has a vital point.
///
/// With another stone on either liberty it would have none.
fn is_only_safe_alone<const W: usize>(board: &Board<W>, color: u8, chain: usize) -> bool {
    let mut shape = [0; LARGEST_KILLED];
    let mut stones = 0;
    for stone in board.chain(chain) {
        shape[stones] = stone;
        stones += 1;
    }
    if !is_killed(board, &shape[..stones]) || !is_only_eye(board, color, chain) {
        return false;
    }
    board.liberties_of(chain).all(|liberty| {
        shape[stones] = liberty;
        !is_killed(board, &shape[..=stones])
    })
}

/// Returns true if one chain of `color` surrounds the stones of a chain and their liberties, and
/// has no prospect of a second eye.
///
/// Each of its other liberties is next to an opposing stone.
fn is_only_eye<const W: usize>(board: &Board<W>, color: u8, chain: usize) -> bool {
    let mut wall = None;
    let mut is_inside = |cell: usize| match board.stone[cell] {
        BORDER => true,
        EMPTY => board.liberties_of(chain).any(|liberty| liberty == cell),
        neighbour_color if neighbour_color == color => *wall.get_or_insert(board.head(cell)) == board.head(cell),
        _ => board.head(cell) == board.head(chain),
    };
    let mut space = board.chain(chain).chain(board.liberties_of(chain));
    let is_enclosed = space.all(|cell| board.neighbours(cell).into_iter().all(&mut is_inside));
    let is_shared =
        |liberty: usize| board.neighbours(liberty).iter().any(|&neighbour| board.stone[neighbour] == 3 - color);
    is_enclosed && wall.is_some_and(|wall| !board.is_immortal(wall) && board.liberties_of(wall).all(is_shared))
}

/// Returns the number of stones that a self-atari gives away if it may be nakade: their capture
/// leaves space for one eye only.
///
/// Returns `None` if the capture would make two eyes, or if the capturing chain lives without it.
pub(super) fn stones_given_away<const W: usize>(
    board: &Board<W>,
    safe: &[bool],
    color: u8,
    cell: usize,
) -> Option<usize> {
    let mut shape = [cell; LARGEST_KILLED];
    let mut stones = 1;
    for neighbour in board.neighbours(cell) {
        if board.stone[neighbour] == color && !shape[..stones].contains(&neighbour) {
            for stone in board.chain(neighbour) {
                *shape.get_mut(stones)? = stone;
                stones += 1;
            }
        }
    }
    let shape = &shape[..stones];
    // A throw-in makes a second eye false. Larger shapes kill only a chain without another eye.
    let survives = |neighbour: usize| {
        board.stone[neighbour] == 3 - color
            && (safe[neighbour]
                || board.is_immortal(neighbour)
                || stones > 1 && has_eye_elsewhere(board, neighbour, shape))
    };
    let is_wasted = || shape.iter().any(|&stone| board.neighbours(stone).into_iter().any(survives));
    (is_killed(board, shape) && !is_wasted()).then_some(stones)
}

/// Returns true if a chain alone surrounds an empty point outside of a shape.
fn has_eye_elsewhere<const W: usize>(board: &Board<W>, stone: usize, shape: &[usize]) -> bool {
    let is_eye = |liberty: usize| board.neighbours_outside_chain(liberty, stone).next().is_none();
    board.liberties_of(stone).any(|liberty| !shape.contains(&liberty) && is_eye(liberty))
}

/// Returns true if an eye space of this shape makes only one eye after the attacker plays first.
pub(super) fn is_killed<const W: usize>(board: &Board<W>, shape: &[usize]) -> bool {
    let mut with_neighbours = [0; 5];
    for &cell in shape {
        with_neighbours[board.neighbours(cell).iter().filter(|neighbour| shape.contains(neighbour)).count()] += 1;
    }
    match shape.len() {
        0..=3 => true,
        4 => with_neighbours[3] == 1 || with_neighbours[2] == 4,
        5 => with_neighbours[4] == 1 || (with_neighbours[3] == 1 && with_neighbours[1] == 1),
        6 => with_neighbours[4] == 1 && with_neighbours[2] == 3,
        _ => false,
    }
}

/// Returns true if a point is an eye of `color` that should not be filled.
///
/// Its neighbours are own stones. They belong to one chain, or the eye has too few lost diagonals
/// to be false.
pub(super) fn is_eye<const W: usize>(board: &Board<W>, color: u8, cell: usize) -> bool {
    let mut first = None;
    let mut is_one_chain = true;
    for neighbour in board.neighbours(cell) {
        match board.stone[neighbour] {
            neighbour_color if neighbour_color == color => {
                let head = board.head(neighbour);
                is_one_chain &= *first.get_or_insert(head) == head;
            }
            BORDER => {}
            _ => return false,
        }
    }
    if is_one_chain {
        return true;
    }
    let diagonals = board.diagonals(cell).map(|diagonal| board.stone[diagonal]);
    let enemy_diagonals = diagonals.iter().filter(|&&stone| stone == 3 - color).count();
    enemy_diagonals + usize::from(diagonals.contains(&BORDER)) < 2
}
