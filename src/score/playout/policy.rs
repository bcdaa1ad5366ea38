//! How the players of a playout choose their moves.

use super::board::{BORDER, Board, EMPTY};
use crate::board::hash::split_mix;

/// A playout from a position to the point where both sides pass.
pub(super) struct Game<'a, const W: usize> {
    pub(super) board: &'a mut Board<W>,
    pub(super) random: &'a mut u64,
    /// The points where nothing is to be played any more.
    pub(super) closed: &'a [bool],
    /// The cell of the last move, 0 after a pass.
    last: usize,
    /// What the last move captured.
    captured: u32,
    moves: Vec<usize>,
}

impl<'a, const W: usize> Game<'a, W> {
    pub(super) fn new(board: &'a mut Board<W>, random: &'a mut u64, closed: &'a [bool]) -> Self {
        Game { board, random, closed, last: 0, captured: 0, moves: Vec::new() }
    }

    /// Plays until both sides have passed one after the other.
    pub(super) fn run(&mut self, first: u8) {
        let mut color = first;
        let mut passes = 0;
        let longest = 3 * self.board.stone.len();
        for _ in 0..longest {
            match self.choose(color) {
                Some(cell) => {
                    self.captured = self.board.play(color, cell);
                    self.last = cell;
                    passes = 0;
                }
                None => {
                    self.board.ko = 0;
                    self.last = 0;
                    self.captured = 0;
                    passes += 1;
                    if passes == 2 {
                        return;
                    }
                }
            }
            color = 3 - color;
        }
    }

    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        ((split_mix(self.random) >> 32) as usize * bound) >> 32
    }

    fn choose(&mut self, color: u8) -> Option<usize> {
        if self.last != 0 {
            self.moves.clear();
            self.answer(color);
            if !self.moves.is_empty() {
                let index = self.below(self.moves.len());
                return Some(self.moves[index]);
            }
        }
        self.anywhere(color)
    }

    /// Collects the answers to the last move: own chains in atari saved, the last chain captured.
    fn answer(&mut self, color: u8) {
        let last = self.last;
        for n in self.board.neighbours(last) {
            if self.board.stone[n] == color && self.board.liberty_count(n) == 1 {
                self.save(color, n);
            }
        }
        if self.moves.is_empty() && self.board.stone[last] == 3 - color && self.board.liberty_count(last) == 1 {
            self.push_legal(color, last);
        }
        if self.moves.is_empty() && self.captured >= 3 {
            self.vital_point(color);
        }
    }

    fn push_legal(&mut self, color: u8, chain: usize) {
        if let Some(cell) = self.board.liberties_of(chain).next() {
            if self.board.is_legal(color, cell) && !self.closed[cell] {
                self.moves.push(cell);
            }
        }
    }

    /// Moves that save an own chain in atari: capturing a neighbour, or extending to two liberties.
    fn save(&mut self, color: u8, chain: usize) {
        for stone in self.board.chain(chain) {
            for n in self.board.neighbours(stone) {
                if self.board.stone[n] == 3 - color && self.board.liberty_count(n) == 1 {
                    if let Some(cell) = self.board.liberties_of(n).next() {
                        if self.board.is_legal(color, cell) {
                            self.moves.push(cell);
                        }
                    }
                }
            }
        }
        if let Some(cell) = self.board.liberties_of(chain).next() {
            if self.board.is_legal(color, cell) && self.board.few_liberties_after(color, cell) >= 2 {
                self.moves.push(cell);
            }
        }
    }

    /// The vital point of the small empty space that the last move's capture left beside it.
    fn vital_point(&mut self, color: u8) {
        let mut best = (0, 0);
        for n in self.board.neighbours(self.last) {
            if self.board.stone[n] == EMPTY {
                let (space, points) = self.empty_space(n);
                if (3..=6).contains(&points) {
                    for &cell in &space[..points] {
                        let inside = self.board.neighbours(cell).iter().filter(|n| space[..points].contains(n)).count();
                        if inside > best.0 {
                            best = (inside, cell);
                        }
                    }
                }
            }
        }
        if best.0 >= 2 && self.board.is_legal(color, best.1) {
            self.moves.push(best.1);
        }
    }

    /// The empty points joined to `start`, up to seven of them.
    fn empty_space(&self, start: usize) -> ([usize; 7], usize) {
        let mut space = [start; 7];
        let mut points = 1;
        let mut at = 0;
        while at < points {
            for n in self.board.neighbours(space[at]) {
                if self.board.stone[n] == EMPTY && !space[..points].contains(&n) {
                    if points == 7 {
                        return (space, 8);
                    }
                    space[points] = n;
                    points += 1;
                }
            }
            at += 1;
        }
        (space, points)
    }

    /// A sensible move anywhere: the first one from a random place in the list of empty points.
    fn anywhere(&mut self, color: u8) -> Option<usize> {
        let count = self.board.empty.len();
        if count == 0 {
            return None;
        }
        let start = self.below(count);
        for i in (start..count).chain(0..start) {
            let cell = usize::from(self.board.empty[i]);
            if !self.closed[cell] && self.board.is_legal(color, cell) && self.is_sensible(color, cell) {
                return Some(cell);
            }
        }
        None
    }

    fn is_sensible(&mut self, color: u8, cell: usize) -> bool {
        !self.is_eye(color, cell) && !self.is_bad_self_atari(color, cell)
    }

    /// Whether a point is an eye of `color` that should not be filled: own stones all around, and no more diagonals lost
    /// than an eye can bear.
    fn is_eye(&self, color: u8, cell: usize) -> bool {
        let board = &*self.board;
        let mut heads = [0; 4];
        for (i, n) in board.neighbours(cell).into_iter().enumerate() {
            match board.stone[n] {
                own if own == color => heads[i] = board.head(n),
                BORDER => {}
                _ => return false,
            }
        }
        let first = heads.into_iter().find(|&head| head != 0);
        if heads.iter().all(|&head| head == 0 || Some(head) == first) {
            return true;
        }
        let mut lost = 0;
        let mut edge = 0;
        for d in board.diagonals(cell) {
            match board.stone[d] {
                BORDER => edge = 1,
                other if other == 3 - color => lost += 1,
                _ => {}
            }
        }
        lost + edge < 2
    }

    /// Whether a play leaves its own chain in atari to no purpose.
    fn is_bad_self_atari(&mut self, color: u8, cell: usize) -> bool {
        let board = &*self.board;
        if board.few_liberties_after(color, cell) >= 2 {
            return false;
        }
        if board.neighbours(cell).iter().any(|&n| board.stone[n] == 3 - color && board.liberty_count(n) == 1) {
            return false;
        }
        !self.makes_nakade(color, cell)
    }

    /// Whether the chain that a play would form is so small or so compact that its capture leaves one eye.
    fn makes_nakade(&self, color: u8, cell: usize) -> bool {
        let board = &*self.board;
        let mut shape = [cell; 7];
        let mut stones = 1;
        for n in board.neighbours(cell) {
            if board.stone[n] == color && !shape[..stones].contains(&n) {
                for stone in board.chain(n) {
                    if stones == 6 {
                        return false;
                    }
                    shape[stones] = stone;
                    stones += 1;
                }
            }
        }
        is_killing_shape(board, &shape[..stones])
    }
}

/// Whether an eye space of this shape has room for one eye only once the killer has played first.
fn is_killing_shape<const W: usize>(board: &Board<W>, shape: &[usize]) -> bool {
    if shape.len() <= 3 {
        return true;
    }
    let mut degrees = [0; 5];
    for &cell in shape {
        degrees[board.neighbours(cell).iter().filter(|n| shape.contains(n)).count()] += 1;
    }
    match shape.len() {
        4 => degrees[3] == 1 || degrees[2] == 4,
        5 => degrees[4] == 1 || (degrees[3] == 1 && degrees[1] == 1),
        6 => degrees[4] == 1 && degrees[2] == 3,
        _ => false,
    }
}
