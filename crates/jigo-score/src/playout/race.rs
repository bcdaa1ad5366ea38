//! Races between groups without two eyes: a search that plays a fight to its end.
//!
//! The search is a null-window alpha-beta (Pearl's Scout test, 1980) with a table of positions. It
//! asks whether one player can gain by playing first. Plays and passes alternate until two passes,
//! then the board is counted by area. So a line continues after a capture: the captor may die inside
//! the captured shape (nakade), and sacrifices need no special rule.
//!
//! The search assumes that the stones around the zone live. The player who should gain may retake a
//! ko at once, as if this player had all the ko threats. So a proof that neither player gains holds
//! for any number of threats.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::nakade::LARGEST;
use super::race_board::{BoardHasher, RaceBoard, Zone};
use crate::shape::cell_set::CellSet;
use crate::shape::grid::Grid;
use jigo_rules::board::{Color, Position};

/// The maximum number of empty points of a searched fight.
const MAX_POINTS: u32 = 14;
/// The maximum number of points of a searched fight, including its stones: the bits of a set.
const MAX_CELLS: u32 = u128::BITS;
/// The maximum number of positions that the search for one player enters.
const MAX_POSITIONS: usize = 3_000;
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
        let stones = grid.stones(position);
        let empty = self.zone.without(&stones[0]).without(&stones[1]);
        if empty.len() > MAX_POINTS || self.zone.len() > MAX_CELLS {
            return Proof::Unknown;
        }
        let zone = Zone::new(grid, &self.zone, &stones);
        let gains = |first: Color| {
            let goal = VALUE_OF_DAME + 1 + if first == Color::Black { lead } else { -lead };
            let start = RaceBoard { stones: zone.stones, ko: 0, player: first.index(), has_passed: false };
            Search { zone: &zone, first: first.index(), goal, is_strict, known: HashMap::default(), has_cycle: false }
                .prove(start)
        };
        for first in Color::BOTH {
            match gains(first) {
                Some(true) => return Proof::GainsFirst(first),
                Some(false) => {}
                None => return Proof::Unknown,
            }
        }
        Proof::Settled
    }
}

/// The search for one player.
struct Search<'a> {
    zone: &'a Zone,
    /// The side that plays first and should gain.
    first: usize,
    /// The lead that this side has to reach, in points.
    goal: i32,
    /// True if a repetition proves nothing.
    is_strict: bool,
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
        if board.player == self.first {
            board.ko = 0;
        }
        if let Some(&(is_open, answer)) = self.known.get(&board) {
            self.has_cycle |= is_open;
            return answer;
        }
        if line > LONGEST_LINE || self.known.len() >= MAX_POSITIONS {
            return None;
        }
        self.known.insert(board, (true, (!self.is_strict).then_some(false)));
        let answer = self.best(&board, line);
        self.known.insert(board, (false, answer));
        answer
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
