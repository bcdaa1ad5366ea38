//! Races between groups without two eyes: a search that plays a fight to its end.
//!
//! The search is a null-window alpha-beta (Pearl's Scout test, 1980) with a table of positions. It
//! asks whether one player can gain by playing first. Plays and passes alternate until two passes,
//! then the board is counted by area. So a line continues after a capture: the captor may die inside
//! the captured shape (nakade), and sacrifices need no special rule.
//!
//! The search assumes that the stones around the zone live. In a proof the player who should gain may
//! retake a ko at once, as if this player had all the ko threats. So a proof that neither player
//! gains holds for any number of threats. A gain is measured without threats.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::race_board::{BoardHasher, RaceBoard, Zone};
use crate::playout::nakade::LARGEST;
use crate::shape::cell_set::CellSet;
use crate::shape::grid::Grid;
use jigo_rules::board::{Color, Position};

/// The maximum number of empty points of a searched fight.
const MAX_POINTS: u32 = 14;
/// The maximum number of points of a searched fight, including its stones: the bits of a set.
const MAX_CELLS: u32 = u128::BITS;
/// The maximum number of positions that the search for one player enters.
pub(super) const MAX_POSITIONS: usize = 3_000;
/// The maximum number of plays in a searched line.
const LONGEST_LINE: u32 = 40;
/// The largest gain, in points of area, of the player to move in a finished position: a dame.
const VALUE_OF_DAME: i32 = 1;

/// The stones and the surroundings of a race.
pub(crate) struct Race<const W: usize> {
    /// Every cell in which the players may play.
    pub(crate) zone: CellSet<W>,
    /// The stones at stake, Black's first.
    pub(crate) stones: [CellSet<W>; 2],
}

/// The result of a search for the gain of playing first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Neither player gains more than a dame by playing first, so the count is right.
    Settled,
    /// This player gains by playing first.
    GainsFirst(Color),
    /// The fight is too large to search.
    Unknown,
}

impl<const W: usize> Race<W> {
    /// Searches for the player who gains by playing first.
    ///
    /// `lead` is the count to prove: Black's area minus White's inside the zone, in points. With
    /// `is_strict` a line that repeats a position proves nothing; otherwise it gains nothing.
    pub(crate) fn prove(&self, grid: &Grid<W>, position: &Position, lead: i32, is_strict: bool) -> Proof {
        let Some(zone) = self.searched_zone(grid, position) else { return Proof::Unknown };
        let limits = Limits { is_strict, retakes_ko: true, positions: MAX_POSITIONS };
        for first in Color::BOTH {
            match zone.gains(first, lead, VALUE_OF_DAME + 1, limits) {
                Some(true) => return Proof::GainsFirst(first),
                Some(false) => {}
                None => return Proof::Unknown,
            }
        }
        Proof::Settled
    }

    /// Returns the points that each player gains by playing first, in comparison with a lead of
    /// Black, or `None` if the limit of positions hides that. Black is first. The search ignores gains
    /// of fewer than `least` points.
    pub(crate) fn gains(
        &self,
        grid: &Grid<W>,
        position: &Position,
        lead: i32,
        least: i32,
        positions: usize,
    ) -> Option<[i32; 2]> {
        let zone = self.searched_zone(grid, position)?;
        let limits = Limits { is_strict: false, retakes_ko: false, positions };
        let answers = Color::BOTH.map(|first| zone.gains(first, lead, least, limits));
        match answers {
            [Some(false), Some(false)] => Some([0, 0]),
            [None, _] | [_, None] if !answers.contains(&Some(true)) => None,
            _ => Some(Color::BOTH.map(|first| match answers[first.index()] {
                Some(true) => zone.largest_gain(first, lead, least, Limits { positions: MAX_POSITIONS, ..limits }),
                _ => 0,
            })),
        }
    }

    /// Returns the zone for the search, or `None` if it is too large.
    fn searched_zone(&self, grid: &Grid<W>, position: &Position) -> Option<Zone> {
        let stones = grid.stones(position);
        let empty = self.zone.without(&stones[0]).without(&stones[1]);
        let is_small = empty.len() <= MAX_POINTS && self.zone.len() <= MAX_CELLS;
        is_small.then(|| Zone::new(grid, &self.zone, &stones))
    }
}

/// The limits and rules of a search.
#[derive(Clone, Copy)]
struct Limits {
    /// True if a repetition proves nothing; otherwise it gains nothing.
    is_strict: bool,
    /// True if the first player may retake a ko at once.
    retakes_ko: bool,
    /// The maximum number of positions.
    positions: usize,
}

impl Zone {
    /// Returns true if a player gains this number of points by playing first. Returns `None` if a
    /// limit hides that.
    fn gains(&self, first: Color, lead: i32, gain: i32, limits: Limits) -> Option<bool> {
        let goal = gain + if first == Color::Black { lead } else { -lead };
        let start = RaceBoard { stones: self.stones, ko: 0, player: first.index(), has_passed: false };
        Search { zone: self, first: first.index(), goal, limits, known: HashMap::default(), has_cycle: false }
            .prove(start)
    }

    /// Returns the largest gain that the search finds. It has already found `found`.
    fn largest_gain(&self, first: Color, lead: i32, mut found: i32, limits: Limits) -> i32 {
        let mut largest = 2 * self.cells() as i32;
        while found < largest {
            let gain = (found + largest + 1) / 2;
            match self.gains(first, lead, gain, limits) {
                Some(true) => found = gain,
                _ => largest = gain - 1,
            }
        }
        found
    }
}

/// The search for one player.
struct Search<'a> {
    zone: &'a Zone,
    /// The side that plays first and should gain.
    first: usize,
    /// The lead that this side has to reach, in points.
    goal: i32,
    limits: Limits,
    /// For each position, whether the side reaches its goal, or `None` if a limit hides that. While
    /// the lines of a position are searched, the answer is that of a repetition.
    known: HashMap<RaceBoard, (bool, Option<bool>), BuildHasherDefault<BoardHasher>>,
    /// True if a line came back to one of its positions since the table was last cleared.
    has_cycle: bool,
}

impl Search<'_> {
    /// Returns true if the side reaches its goal from this board, however the other side plays.
    /// Returns `None` if a limit hides that.
    ///
    /// A line that repeats a position does not reach the goal. Other positions may have their
    /// answer from the assumption that the repeated one does not either, so the search starts again
    /// with the positions that do, until there are no more of them.
    fn prove(&mut self, start: RaceBoard) -> Option<bool> {
        let mut reached = 0;
        loop {
            let answer = self.reaches(start, 0);
            self.known.retain(|_, (_, answer)| *answer == Some(true));
            if answer != Some(false) || !std::mem::take(&mut self.has_cycle) || self.known.len() == reached {
                return answer;
            }
            reached = self.known.len();
        }
    }

    fn reaches(&mut self, mut board: RaceBoard, line: u32) -> Option<bool> {
        if self.limits.retakes_ko && board.player == self.first {
            board.ko = 0;
        }
        if let Some(&(is_open, answer)) = self.known.get(&board) {
            self.has_cycle |= is_open;
            return answer;
        }
        if line > LONGEST_LINE || self.known.len() >= self.limits.positions {
            return None;
        }
        let decided = self.decided(&board);
        if decided.is_some() {
            return decided;
        }
        self.known.insert(board, (true, (!self.limits.is_strict).then_some(false)));
        let answer = self.best(&board, line);
        self.known.insert(board, (false, answer));
        answer
    }

    /// Returns the answer if the stones that no play captures decide it.
    fn decided(&self, board: &RaceBoard) -> Option<bool> {
        let cells = self.zone.cells() as i32;
        let [own, other] = [self.first, 1 - self.first].map(|side| 2 * self.zone.anchored(board, side) as i32 - cells);
        if own >= self.goal { Some(true) } else { (-other < self.goal).then_some(false) }
    }

    /// Returns the result of the best move: captures first, then a pass, then other plays.
    fn best(&mut self, board: &RaceBoard, line: u32) -> Option<bool> {
        let is_first = board.player == self.first;
        let mut plays = self.zone.plays(board);
        plays.sort_by_key(|(_, captured)| Reverse(*captured));
        let captures = plays.iter().filter(|(_, captured)| *captured > 0).count();
        let (captures, others) = plays.split_at(captures);
        let moves = captures.iter().map(Some).chain([None]).chain(others.iter().map(Some));
        let mut result = Some(!is_first);
        for play in moves {
            let reaches = match play {
                Some((next, captured)) => self.reaches_after(*next, *captured, line),
                None => self.passes(board, line),
            };
            if reaches == Some(is_first) {
                return reaches;
            }
            result = result.and(reaches);
        }
        result
    }

    /// Returns the result of a play that captured this number of stones. No larger captured shape
    /// can be killed from inside, so the line ends there.
    fn reaches_after(&mut self, next: RaceBoard, captured: u32, line: u32) -> Option<bool> {
        match captured as usize > LARGEST {
            true => Some(self.is_reached(&next)),
            false => self.reaches(next, line + 1),
        }
    }

    fn passes(&mut self, board: &RaceBoard, line: u32) -> Option<bool> {
        match board.has_passed {
            true => Some(self.is_reached(board)),
            false => self.reaches(RaceBoard { ko: 0, player: 1 - board.player, has_passed: true, ..*board }, line + 1),
        }
    }

    fn is_reached(&self, board: &RaceBoard) -> bool {
        self.zone.lead(board, self.first) >= self.goal
    }
}
