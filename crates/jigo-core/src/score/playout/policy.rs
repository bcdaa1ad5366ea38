//! How the players of a playout choose their moves.
//!
//! The answers to the last move come first: save, capture, fight where liberties are few, take the vital point. Otherwise
//! a move is drawn from all that neither fill an eye nor give stones away. That the last rule holds with exceptions only
//! decides more endings than all answers together: without it seki is broken, with no exceptions nakade never happens.

use super::board::{Board, EMPTY};
use super::refusal::{LARGEST_KILLED, given_away, is_eye, spoils_seki};
use crate::board::hash::split_mix;
use crate::score::cell_set::CellSet;

/// How often of 64 times a self-atari is refused, by the stones it would give away: one is a throw-in, two are
/// sometimes one. Chosen on the corpus.
const REFUSED: [usize; 3] = [16, 32, 56];

/// The fewest stones in atari that are made more to leave a shape with one eye.
const FEWEST_FOR_NAKADE: usize = 3;

/// The two players of playouts, with all that lasts from one playout to the next.
pub(super) struct Policy<'a> {
    random: u64,
    /// Cells where nothing is to be played.
    closed: &'a [bool],
    /// Cells of stones that live.
    safe: &'a [bool],
    /// The moves of the playout so far, colour and cell; emptied by the caller.
    pub(super) trace: Vec<(u8, usize)>,
    moves: Vec<usize>,
}

impl<'a> Policy<'a> {
    pub(super) fn new(seed: u64, closed: &'a [bool], safe: &'a [bool]) -> Policy<'a> {
        Policy { random: seed, closed, safe, trace: Vec::new(), moves: Vec::new() }
    }

    /// Plays on from `board` with `first` to move until both sides have passed one after the other. `last` is the cell
    /// of the move before, 0 for none or a pass.
    pub(super) fn play_out<const W: usize>(&mut self, board: &mut Board<W>, first: u8, last: usize) {
        let longest = 3 * board.stone.len();
        let (mut color, mut passes) = (first, 0);
        let (random, moves) = (&mut self.random, &mut self.moves);
        let mut playout = Playout { board, random, closed: self.closed, safe: self.safe, last, moves };
        for _ in 0..longest {
            let chosen = playout.choose(color);
            match chosen {
                Some(cell) => {
                    playout.board.play(color, cell);
                    self.trace.push((color, cell));
                    passes = 0;
                }
                None if passes == 1 => return,
                None => {
                    playout.board.ko = 0;
                    passes = 1;
                }
            }
            playout.last = chosen.unwrap_or(0);
            color = 3 - color;
        }
    }
}

/// One playout under way.
struct Playout<'a, const W: usize> {
    board: &'a mut Board<W>,
    random: &'a mut u64,
    closed: &'a [bool],
    safe: &'a [bool],
    /// The cell of the last move, 0 after a pass.
    last: usize,
    /// Moves to choose from.
    moves: &'a mut Vec<usize>,
}

impl<const W: usize> Playout<'_, W> {
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

    fn allows(&self, color: u8, cell: usize) -> bool {
        !self.closed[cell] && self.board.is_legal(color, cell)
    }

    /// Collects the answers to the last move of the first kind that has any.
    fn answer(&mut self, color: u8) {
        let last = self.last;
        for near in self.board.neighbours(last) {
            if self.board.stone[near] == color && self.board.liberty_count(near) == 1 {
                self.save(color, near);
            }
        }
        if self.moves.is_empty() && self.board.liberty_count(last) == 1 {
            let liberty = self.board.liberties_of(last).find(|&cell| self.allows(color, cell));
            self.moves.extend(liberty);
        }
        if self.moves.is_empty() {
            for near in self.board.neighbours(last) {
                if self.board.stone[near] == color && self.board.liberty_count(near) == 2 {
                    self.fight(color, near);
                }
            }
        }
        if self.moves.is_empty() {
            self.vital_point(color);
        }
    }

    /// Moves that save an own chain in atari: capturing a neighbour, extending to two liberties, or to a shape that is
    /// nakade when it is taken.
    fn save(&mut self, color: u8, chain: usize) {
        for stone in self.board.chain(chain) {
            for near in self.board.neighbours(stone) {
                if self.board.stone[near] == 3 - color && self.board.liberty_count(near) == 1 {
                    let liberty = self.board.liberties_of(near).find(|&cell| self.allows(color, cell));
                    self.moves.extend(liberty);
                }
            }
        }
        for cell in self.board.liberties_of(chain) {
            if self.allows(color, cell) && (self.board.few_liberties_after(color, cell) >= 2 || self.kills(color, cell))
            {
                self.moves.push(cell);
            }
        }
    }

    /// Whether the stones that a self-atari gives away are so many that they are there for nakade.
    fn kills(&self, color: u8, cell: usize) -> bool {
        given_away(self.board, self.safe, color, cell).is_some_and(|stones| stones >= FEWEST_FOR_NAKADE)
    }

    /// Moves for an own chain with two liberties: running to more, or atari on a neighbour that has two as well.
    fn fight(&mut self, color: u8, chain: usize) {
        for cell in self.board.liberties_of(chain) {
            if self.allows(color, cell) && self.board.liberties_after(color, cell).len() > 2 {
                self.moves.push(cell);
            }
        }
        let mut last_head = 0;
        for stone in self.board.chain(chain) {
            for near in self.board.neighbours(stone) {
                if self.board.stone[near] != 3 - color || self.board.head(near) == last_head {
                    continue;
                }
                last_head = self.board.head(near);
                if self.board.liberty_count(near) == 2 {
                    for cell in self.board.liberties_of(near) {
                        let is_new = !self.moves.contains(&cell);
                        if is_new && self.allows(color, cell) && self.board.few_liberties_after(color, cell) >= 2 {
                            self.moves.push(cell);
                        }
                    }
                }
            }
        }
    }

    /// The vital point of a small empty space beside the last move, if it has exactly one.
    fn vital_point(&mut self, color: u8) {
        let mut known = CellSet::EMPTY;
        for near in self.board.neighbours(self.last) {
            if self.board.stone[near] != EMPTY || known.contains(near) {
                continue;
            }
            let (space, cells, points) = self.empty_space(near);
            known = cells;
            if (3..=LARGEST_KILLED).contains(&points) {
                let mut best = (0, 0);
                let mut is_only = false;
                for &cell in &space[..points] {
                    let inside = self.board.neighbours(cell).iter().filter(|&&near| cells.contains(near)).count();
                    if inside >= best.0 {
                        is_only = inside > best.0;
                        best = (inside, cell);
                    }
                }
                if is_only && self.allows(color, best.1) {
                    self.moves.push(best.1);
                }
            }
        }
    }

    /// The empty points joined to `start`, one by one and as a set, and how many they are; one more than fit when there are
    /// more.
    fn empty_space(&self, start: usize) -> ([usize; LARGEST_KILLED], CellSet<W>, usize) {
        let (mut space, mut cells) = ([start; LARGEST_KILLED], CellSet::EMPTY);
        cells.insert(start);
        let (mut points, mut at) = (1, 0);
        while at < points {
            for near in self.board.neighbours(space[at]) {
                if self.board.stone[near] == EMPTY && cells.insert(near) {
                    if points == LARGEST_KILLED {
                        return (space, cells, LARGEST_KILLED + 1);
                    }
                    space[points] = near;
                    points += 1;
                }
            }
            at += 1;
        }
        (space, cells, points)
    }

    /// A sensible move anywhere: the first one from a random place in the list of empty points.
    fn anywhere(&mut self, color: u8) -> Option<usize> {
        let count = self.board.empty.len();
        let start = self.below(count);
        for index in (start..count).chain(0..start) {
            let cell = usize::from(self.board.empty[index]);
            if !is_eye(self.board, color, cell)
                && self.allows(color, cell)
                && !self.is_bad_self_atari(color, cell)
                && !spoils_seki(self.board, color, cell)
            {
                return Some(cell);
            }
        }
        None
    }

    /// Whether a play leaves its own chain in atari to no purpose.
    fn is_bad_self_atari(&mut self, color: u8, cell: usize) -> bool {
        if self.board.few_liberties_after(color, cell) >= 2 {
            return false;
        }
        let near = self.board.neighbours(cell);
        if near.iter().any(|&near| self.board.stone[near] == 3 - color && self.board.liberty_count(near) == 1) {
            return false;
        }
        match given_away(self.board, self.safe, color, cell) {
            Some(stones) => self.below(64) < REFUSED[(stones - 1).min(REFUSED.len() - 1)],
            None => true,
        }
    }
}
