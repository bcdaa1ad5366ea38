//! Changes of a position: plays with their captures, and setup.

use super::grid::{BORDER, CELL_STONE, CLEARED, EMPTY, LIBERTIES, VISITED, color_bits, neighbours, opponent_bits};
use super::{Position, RemovedStones};
use crate::board::point::{Color, Point};

/// Returns true if any of the four neighbours is a stone of this colour with an empty neighbour.
#[inline(always)]
fn has_liberties(neighbours: [u8; 4], color: u8) -> bool {
    neighbours.into_iter().any(|cell| (cell ^ color).wrapping_sub(1) < LIBERTIES)
}

impl Position {
    /// Plays a stone of `color` on an empty point.
    ///
    /// First the play captures opposing chains without liberties. Then it removes its own chain if
    /// that has none (suicide). This is the order of FF\[4\]. The removed stones are appended to
    /// `removed`.
    ///
    /// # Panics
    /// If the point is off the board or occupied. [`Position::place`] can empty a point.
    ///
    /// ```
    /// use jigo_rules::{Color, Point, diagram};
    ///
    /// let mut position = diagram::read(". X O\nX O .").unwrap();
    /// let mut removed = Vec::new();
    /// let played = position.play(Color::White, Point::new(0, 0), &mut removed);
    /// assert_eq!((played.captured, played.suicide, removed.len()), (2, 0, 2));
    /// ```
    #[inline(always)]
    pub fn play(&mut self, color: Color, point: Point, removed: &mut Vec<Point>) -> RemovedStones {
        if self.put_stone(color, point) { self.capture_chains(color, point, removed) } else { RemovedStones::default() }
    }

    /// Returns true if a point is on the board and empty.
    #[inline(always)]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cells[point.cell()] & CELL_STONE == EMPTY
    }

    /// Returns true if a point is empty and has been so since the board was cleared.
    #[inline(always)]
    pub fn is_untouched(&self, point: Point) -> bool {
        self.cells[point.cell()] <= LIBERTIES
    }

    /// Puts a stone on an empty point. Returns true if a chain may now be without liberties.
    #[inline(always)]
    fn put_stone(&mut self, color: Color, point: Point) -> bool {
        assert!(self.is_empty(point), "a play needs an empty point");
        let cell = point.cell();
        let liberties = self.cells[cell] & LIBERTIES;
        self.cells[cell] = color_bits(color) | liberties;
        // A chain can lose its last liberty only if its stone next to the play has none left. The
        // test follows the update of all four neighbours, so the compiler can vectorise it.
        let neighbours = self.cells.add_to_neighbours(cell, u8::MAX);
        liberties == 0 || neighbours.into_iter().any(|cell| cell == opponent_bits(color))
    }

    /// Removes the chains that the stone just played left without liberties: opposing chains first,
    /// then its own.
    #[inline(never)]
    fn capture_chains(&mut self, color: Color, point: Point, removed: &mut Vec<Point>) -> RemovedStones {
        let cell = point.cell();
        let mut captured = 0;
        for neighbour in neighbours(cell) {
            captured += self.remove_if_captured(neighbour, opponent_bits(color), removed);
        }
        RemovedStones { captured, suicide: self.remove_if_captured(cell, color_bits(color), removed) }
    }

    /// Removes the chain at `cell` if it has this colour and no liberties. Returns the number of
    /// removed stones.
    #[inline(always)]
    fn remove_if_captured(&mut self, cell: usize, color: u8, removed: &mut Vec<Point>) -> u32 {
        if self.cells[cell] != color || has_liberties(self.cells.neighbour_cells(cell), color) {
            return 0;
        }
        self.remove_if_no_liberty(cell, removed)
    }

    /// Removes the chain at `cell` unless one of its stones has a liberty. Returns the number of
    /// removed stones.
    ///
    /// The caller has checked the stone and its neighbours: none of them has a liberty.
    #[inline(never)]
    fn remove_if_no_liberty(&mut self, cell: usize, removed: &mut Vec<Point>) -> u32 {
        // Most captured stones are single stones.
        if !self.cells.neighbour_cells(cell).contains(&self.cells[cell]) {
            self.cells[cell] = EMPTY | CLEARED;
            self.cells.add_to_neighbours(cell, 1);
            removed.push(Point::from_cell(cell));
            return 1;
        }
        let first = removed.len();
        if !self.collect_without_liberties(cell, removed) {
            self.unmark(first, removed);
            return 0;
        }
        removed[first..].iter().for_each(|point| self.cells[point.cell()] = EMPTY | CLEARED);
        for point in &removed[first..] {
            self.cells.add_to_neighbours(point.cell(), 1);
        }
        (removed.len() - first) as u32
    }

    /// Collects connected stones without an own empty neighbour, starting at `stone`, until a stone
    /// of the chain has one.
    ///
    /// Visited stones are marked and appended to `visited`. Returns true if the whole chain has no
    /// liberty.
    fn collect_without_liberties(&mut self, stone: usize, visited: &mut Vec<Point>) -> bool {
        let color = self.cells[stone];
        let mut next = visited.len();
        self.cells[stone] |= VISITED;
        visited.push(Point::from_cell(stone));
        while let Some(point) = visited.get(next) {
            next += 1;
            let cell = point.cell();
            for (content, neighbour) in self.cells.neighbour_cells(cell).into_iter().zip(neighbours(cell)) {
                let liberties = content ^ color;
                if liberties > LIBERTIES {
                    continue;
                }
                if liberties > 0 {
                    return false;
                }
                self.cells[neighbour] |= VISITED;
                visited.push(Point::from_cell(neighbour));
            }
        }
        true
    }

    /// Unmarks the stones of `visited` from `first` on and removes them from the list.
    fn unmark(&mut self, first: usize, visited: &mut Vec<Point>) {
        for point in visited.drain(first..) {
            self.cells[point.cell()] &= !VISITED;
        }
    }

    /// Sets points to a colour or to empty, as setup properties do.
    ///
    /// Nothing is captured, even if a chain is left without liberties.
    ///
    /// # Panics
    /// If a point is off the board.
    pub fn place(&mut self, stones: impl IntoIterator<Item = (Point, Option<Color>)>) {
        for (point, stone) in stones {
            let cell = point.cell();
            let before = self.cells[cell];
            assert!(before & CELL_STONE != BORDER, "setup needs points on the board");
            self.cells[cell] = before & LIBERTIES | stone.map_or(EMPTY | CLEARED, color_bits);
            let change = match (before & CELL_STONE == EMPTY, stone) {
                (true, Some(_)) => u8::MAX,
                (false, None) => 1,
                _ => 0,
            };
            self.cells.add_to_neighbours(cell, change);
        }
    }

    /// Removes a single stone and does not change any other point.
    ///
    /// # Panics
    /// If the point is empty.
    pub fn remove_stone(&mut self, point: Point) {
        assert!(self.stone(point).is_some(), "there is no stone on {point:?}");
        self.place([(point, None)]);
    }
}
