//! The policy by which the players of a playout choose their moves.
//!
//! Answers to the last move come first: save, capture, fight for liberties, take the vital point.
//! Otherwise the player draws a move that neither fills an eye nor gives stones away.
//!
//! The last rule has random exceptions, which decide more endings than all answers together.
//! Without the rule, playouts destroy seki; without exceptions, nakade never occurs.

use super::board::{Board, EMPTY};
use super::move_filter::{LARGEST_KILLED, is_eye, stones_given_away, would_spoil_seki};
use crate::shape::cell_set::CellSet;
use jigo_rules::board::hash::split_mix;

/// The number of refusals among 64 self-ataris, by the number of stones given away.
///
/// One stone is a throw-in, and two can be. The values were chosen on the corpus.
const REFUSAL_ODDS: [usize; 3] = [16, 32, 56];

/// Smallest number of stones in atari that a player adds to, in order to leave a shape with one
/// eye.
const MIN_NAKADE_POINTS: usize = 3;

/// The two players of playouts, with the state that lasts for several playouts.
pub(super) struct Policy<'a, const W: usize> {
    start: &'a Board<W>,
    /// The board of the current playout.
    pub(super) board: Board<W>,
    random: u64,
    /// Cells on which neither player plays.
    closed: &'a [bool],
    /// Cells of living stones.
    safe: &'a [bool],
    /// The moves of the current playout, as colour and cell.
    pub(super) trace: Vec<(u8, usize)>,
    /// The cell of the last move, or 0 after a pass.
    last: usize,
    /// The moves to choose from.
    moves: Vec<usize>,
}

impl<'a, const W: usize> Policy<'a, W> {
    pub(super) fn new(start: &'a Board<W>, seed: u64, closed: &'a [bool], safe: &'a [bool]) -> Policy<'a, W> {
        let board = start.clone();
        Policy { start, board, random: seed, closed, safe, trace: Vec::new(), last: 0, moves: Vec::new() }
    }

    /// Begins a playout.
    pub(super) fn restart(&mut self) {
        self.board.copy_from(self.start);
        self.trace.clear();
    }

    /// Plays on the board with `first` to move until both sides pass.
    ///
    /// `last` is the cell of the move before, or 0 for none or a pass.
    pub(super) fn play_out(&mut self, first: u8, last: usize) {
        let (mut color, mut passes) = (first, 0);
        self.last = last;
        for _ in 0..3 * self.board.stone.len() {
            let chosen = self.choose(color);
            match chosen {
                Some(cell) => {
                    self.board.play(color, cell);
                    self.trace.push((color, cell));
                    passes = 0;
                }
                None if passes == 1 => return,
                None => {
                    self.board.ko = 0;
                    passes = 1;
                }
            }
            self.last = chosen.unwrap_or(0);
            color = 3 - color;
        }
    }

    /// Returns a random number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        ((split_mix(&mut self.random) >> 32) as usize * bound) >> 32
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
        self.random_move(color)
    }

    fn allows(&self, color: u8, cell: usize) -> bool {
        !self.closed[cell] && self.board.is_legal(color, cell)
    }

    /// Collects the answers to the last move. The first kind with any answer wins.
    fn answer(&mut self, color: u8) {
        let last = self.last;
        for neighbour in self.board.neighbours(last) {
            if self.board.stone[neighbour] == color && self.board.liberty_count(neighbour) == 1 {
                self.save(color, neighbour);
            }
        }
        if self.moves.is_empty() && self.board.liberty_count(last) == 1 {
            let liberty = self.board.liberties_of(last).find(|&cell| self.allows(color, cell));
            self.moves.extend(liberty);
        }
        if self.moves.is_empty() {
            for neighbour in self.board.neighbours(last) {
                if self.board.stone[neighbour] == color && self.board.liberty_count(neighbour) == 2 {
                    self.fight(color, neighbour);
                }
            }
        }
        if self.moves.is_empty() {
            self.vital_point(color);
        }
    }

    /// Collects moves that save an own chain in atari.
    ///
    /// They capture a neighbour, extend to two liberties, or extend to a shape that is nakade if
    /// captured.
    fn save(&mut self, color: u8, chain: usize) {
        for stone in self.board.chain(chain) {
            for neighbour in self.board.neighbours(stone) {
                if self.board.stone[neighbour] == 3 - color && self.board.liberty_count(neighbour) == 1 {
                    let liberty = self.board.liberties_of(neighbour).find(|&cell| self.allows(color, cell));
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

    /// Returns true if a self-atari gives away enough stones to be a nakade.
    fn kills(&self, color: u8, cell: usize) -> bool {
        stones_given_away(&self.board, self.safe, color, cell).is_some_and(|stones| stones >= MIN_NAKADE_POINTS)
    }

    /// Collects moves for an own chain with two liberties.
    ///
    /// They gain liberties, or put a neighbour with two liberties in atari.
    fn fight(&mut self, color: u8, chain: usize) {
        for cell in self.board.liberties_of(chain) {
            if self.allows(color, cell) && self.board.liberties_after(color, cell).len() > 2 {
                self.moves.push(cell);
            }
        }
        let mut last_head = 0;
        for stone in self.board.chain(chain) {
            for neighbour in self.board.neighbours(stone) {
                if self.board.stone[neighbour] != 3 - color || self.board.head(neighbour) == last_head {
                    continue;
                }
                last_head = self.board.head(neighbour);
                if self.board.liberty_count(neighbour) == 2 {
                    for cell in self.board.liberties_of(neighbour) {
                        let is_new = !self.moves.contains(&cell);
                        if is_new && self.allows(color, cell) && self.board.few_liberties_after(color, cell) >= 2 {
                            self.moves.push(cell);
                        }
                    }
                }
            }
        }
    }

    /// Collects the vital point of a small empty space next to the last move, if there is exactly
    /// one.
    fn vital_point(&mut self, color: u8) {
        let mut last_space = CellSet::EMPTY;
        for neighbour in self.board.neighbours(self.last) {
            if self.board.stone[neighbour] != EMPTY || last_space.contains(neighbour) {
                continue;
            }
            let (space, cells, points) = self.empty_space(neighbour);
            last_space = cells;
            if (3..=LARGEST_KILLED).contains(&points) {
                let mut best = (0, 0);
                let mut is_only = false;
                for &cell in &space[..points] {
                    let neighbour_count =
                        self.board.neighbours(cell).iter().filter(|&&neighbour| cells.contains(neighbour)).count();
                    if neighbour_count >= best.0 {
                        is_only = neighbour_count > best.0;
                        best = (neighbour_count, cell);
                    }
                }
                if is_only && self.allows(color, best.1) {
                    self.moves.push(best.1);
                }
            }
        }
    }

    /// Returns the empty points connected to `start`, as a list and as a set, and their number.
    ///
    /// The number is `LARGEST_KILLED + 1` if there are more points than that.
    fn empty_space(&self, start: usize) -> ([usize; LARGEST_KILLED], CellSet<W>, usize) {
        let (mut space, mut cells) = ([start; LARGEST_KILLED], CellSet::EMPTY);
        cells.insert(start);
        let (mut points, mut next) = (1, 0);
        while next < points {
            for neighbour in self.board.neighbours(space[next]) {
                if self.board.stone[neighbour] == EMPTY && cells.insert(neighbour) {
                    if points == LARGEST_KILLED {
                        return (space, cells, LARGEST_KILLED + 1);
                    }
                    space[points] = neighbour;
                    points += 1;
                }
            }
            next += 1;
        }
        (space, cells, points)
    }

    /// Returns a sensible move: the first one after a random index in the list of empty points.
    fn random_move(&mut self, color: u8) -> Option<usize> {
        let count = self.board.empty.len();
        let start = self.below(count);
        for index in (start..count).chain(0..start) {
            let cell = usize::from(self.board.empty[index]);
            if !is_eye(&self.board, color, cell)
                && self.allows(color, cell)
                && !self.is_bad_self_atari(color, cell)
                && !would_spoil_seki(&self.board, color, cell)
            {
                return Some(cell);
            }
        }
        None
    }

    /// Returns true if a play puts its own chain in atari without a purpose.
    fn is_bad_self_atari(&mut self, color: u8, cell: usize) -> bool {
        if self.board.few_liberties_after(color, cell) >= 2 {
            return false;
        }
        let neighbours = self.board.neighbours(cell);
        if neighbours
            .iter()
            .any(|&neighbour| self.board.stone[neighbour] == 3 - color && self.board.liberty_count(neighbour) == 1)
        {
            return false;
        }
        match stones_given_away(&self.board, self.safe, color, cell) {
            Some(stones) => self.below(64) < REFUSAL_ODDS[(stones - 1).min(REFUSAL_ODDS.len() - 1)],
            None => true,
        }
    }
}
