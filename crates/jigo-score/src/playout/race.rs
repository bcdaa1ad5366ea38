//! Races between groups without two eyes: a search for the side that can capture the other.

use std::collections::HashMap;

use super::board::{Board, EMPTY};
use crate::shape::cell_set::CellSet;
use jigo_rules::board::{Color, Position};

/// The maximum number of empty points of a searched fight.
const MAX_POINTS: usize = 14;
/// The maximum number of points of a searched fight, including its stones.
const MAX_CELLS: usize = 128;
/// The maximum number of plays that the search for one attacker tries.
const MAX_PLAYS: u32 = 3_000;
/// The maximum number of plays in a searched line.
const LONGEST_LINE: u32 = 40;

/// The stones and the surroundings of a race.
pub(crate) struct Race<const W: usize> {
    /// Every cell in which the players may play.
    pub(crate) zone: CellSet<W>,
    /// The stones at stake, Black's first.
    pub(crate) stones: [CellSet<W>; 2],
}

impl<const W: usize> Race<W> {
    /// Returns true if a search proves that neither side captures a stone at stake, even if it
    /// plays first. False may also mean that the race is too large to search.
    pub(crate) fn is_seki(&self, position: &Position) -> bool {
        let board = Board::<W>::new(position);
        let zone: Vec<usize> = self.zone.iter().collect();
        let empty = zone.iter().filter(|&&cell| board.stone[cell] == EMPTY).count();
        if empty > MAX_POINTS || zone.len() > MAX_CELLS {
            return false;
        }
        let heads = self.stones.map(|stones| stones.iter().filter(|&stone| board.head(stone) == stone).collect());
        let mut search = RaceSearch {
            zone,
            heads,
            attacker: Color::Black as u8,
            plays: 0,
            is_cut: false,
            cached_wins: HashMap::new(),
        };
        Color::BOTH.iter().all(|&attacker| !search.can_capture(&board, attacker) && !search.is_cut)
    }
}

/// The stones of a zone, two bits for each cell, with the cell of a ko and the player to move.
type PositionKey = ([u64; MAX_CELLS / 32], usize, u8);

/// One search for each attacker: the attacker wins by a capture of stones at stake.
struct RaceSearch {
    zone: Vec<usize>,
    /// One stone of each chain at stake, Black's first.
    heads: [Vec<usize>; 2],
    attacker: u8,
    plays: u32,
    /// True if a limit ended the search before it had a proof.
    is_cut: bool,
    cached_wins: HashMap<PositionKey, bool>,
}

impl RaceSearch {
    fn can_capture<const W: usize>(&mut self, board: &Board<W>, attacker: Color) -> bool {
        (self.attacker, self.plays) = (attacker as u8, 0);
        self.cached_wins.clear();
        self.wins(board, self.attacker, 0)
    }

    /// Returns true if the attacker wins with `color` to play. The attacker has to play, since a
    /// pass would let the defender pass as well.
    fn wins<const W: usize>(&mut self, board: &Board<W>, color: u8, line: u32) -> bool {
        let key = self.key(board, color);
        if let Some(&cached) = self.cached_wins.get(&key) {
            return cached;
        }
        if line > LONGEST_LINE || self.plays > MAX_PLAYS {
            self.is_cut = true;
            return false;
        }
        let is_attack = color == self.attacker;
        let has_found = (0..self.zone.len()).any(|index| {
            let cell = self.zone[index];
            board.is_legal(color, cell) && self.wins_by(board, Some(cell), color, line) == is_attack
        });
        let is_won = match is_attack {
            true => has_found,
            false => !has_found && self.wins_by(board, None, color, line),
        };
        self.cached_wins.insert(key, is_won);
        is_won
    }

    /// Returns true if the attacker wins after this play of `color`, or after a pass.
    fn wins_by<const W: usize>(&mut self, board: &Board<W>, cell: Option<usize>, color: u8, line: u32) -> bool {
        self.plays += 1;
        let mut next_board = board.clone();
        match cell {
            Some(cell) => next_board.play(color, cell),
            None => next_board.ko = 0,
        }
        let opponent = 3 - color;
        let is_captured = |color: u8| {
            let heads = if color == Color::Black as u8 { &self.heads[0] } else { &self.heads[1] };
            heads.iter().any(|&head| next_board.stone[head] != color)
        };
        match (is_captured(opponent), color == self.attacker) {
            (true, is_attack) => is_attack,
            _ => self.wins(&next_board, opponent, line + 1),
        }
    }

    fn key<const W: usize>(&self, board: &Board<W>, color: u8) -> PositionKey {
        let mut stones = [0; MAX_CELLS / 32];
        for (index, &cell) in self.zone.iter().enumerate() {
            stones[index / 32] |= u64::from(board.stone[cell]) << (index % 32 * 2);
        }
        (stones, board.ko, color)
    }
}
