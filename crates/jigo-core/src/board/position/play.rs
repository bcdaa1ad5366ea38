//! What changes a position: plays, with what they capture, and setup.

use super::grid::{BORDER, EMPTIED, EMPTY, LIBERTIES, MET, ON_CELL, neighbours, of_color, of_opponent};
use super::{Played, Position};
use crate::board::point::{Color, Point};

/// Whether a stone of this colour that has liberties is among the cells next to one.
#[inline(always)]
fn has_liberties(beside: [u8; 4], color: u8) -> bool {
    beside.into_iter().any(|beside| (beside ^ color).wrapping_sub(1) < LIBERTIES)
}

impl Position {
    /// Puts a stone of `color` on an empty point, takes opposing chains without a liberty off the board, then, if it has none
    /// itself, its own chain (FF\[4\]'s order). The stones taken off are appended to `removed`.
    ///
    /// # Panics
    /// When the point is off the board or occupied; [`Position::place`] empties points.
    ///
    /// ```
    /// use jigo_core::{Color, Point, diagram};
    ///
    /// let mut position = diagram::read(". X O\nX O .").unwrap();
    /// let mut removed = Vec::new();
    /// let played = position.play(Color::White, Point::new(0, 0), &mut removed);
    /// assert_eq!((played.captured, played.suicide, removed.len()), (2, 0, 2));
    /// ```
    #[inline(always)]
    pub fn play(&mut self, color: Color, point: Point, removed: &mut Vec<Point>) -> Played {
        if self.put(color, point) { self.take_dead(color, point, removed) } else { Played::default() }
    }

    /// Whether a point is on the board and empty.
    #[inline(always)]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cells[point.cell()] & ON_CELL == EMPTY
    }

    /// Whether a point is empty and never had a stone since the board was cleared.
    #[inline(always)]
    pub fn is_untouched(&self, point: Point) -> bool {
        self.cells[point.cell()] <= LIBERTIES
    }

    /// Puts a stone on an empty point, and says whether that may leave a chain without liberties.
    #[inline(always)]
    fn put(&mut self, color: Color, point: Point) -> bool {
        assert!(self.is_empty(point), "a play needs an empty point");
        let cell = point.cell();
        let liberties = self.cells[cell] & LIBERTIES;
        self.cells[cell] = of_color(color) | liberties;
        // A chain can only be without liberties if its stone next to the play is. All neighbours are done before anything is asked.
        let beside = self.cells.change_beside(cell, u8::MAX);
        liberties == 0 || beside.into_iter().any(|beside| beside == of_opponent(color))
    }

    /// Takes off what the stone just put on a point has left without liberties: opposing chains first, its own if it has none then.
    #[inline(never)]
    fn take_dead(&mut self, color: Color, point: Point, removed: &mut Vec<Point>) -> Played {
        let cell = point.cell();
        let mut captured = 0;
        for neighbour in neighbours(cell) {
            captured += self.take_if_dead(neighbour, of_opponent(color), removed);
        }
        Played { captured, suicide: self.take_if_dead(cell, of_color(color), removed) }
    }

    /// Takes the chain of a stone of this colour off the board if it has no liberties; gives how many stones that were.
    #[inline(always)]
    fn take_if_dead(&mut self, cell: usize, color: u8, removed: &mut Vec<Point>) -> u32 {
        if self.cells[cell] != color || has_liberties(self.cells.beside(cell), color) {
            return 0;
        }
        self.take_unless_helped(cell, removed)
    }

    /// The same of a stone of the chain that has no liberty, and none beside it.
    #[inline(never)]
    fn take_unless_helped(&mut self, cell: usize, removed: &mut Vec<Point>) -> u32 {
        // Most stones that are captured were alone.
        if !self.cells.beside(cell).contains(&self.cells[cell]) {
            self.cells[cell] = EMPTY | EMPTIED;
            self.cells.change_beside(cell, 1);
            removed.push(Point::from_cell(cell));
            return 1;
        }
        let first = removed.len();
        if !self.meet_without_liberties(cell, removed) {
            self.unmark(first, removed);
            return 0;
        }
        removed[first..].iter().for_each(|point| self.cells[point.cell()] = EMPTY | EMPTIED);
        for point in &removed[first..] {
            self.cells.change_beside(point.cell(), 1);
        }
        (removed.len() - first) as u32
    }

    /// Marks the stones without a liberty that hang together with one, and appends them to `met`, up to the first one of their chain with
    /// a liberty; whether there is none.
    fn meet_without_liberties(&mut self, stone: usize, met: &mut Vec<Point>) -> bool {
        let color = self.cells[stone];
        let mut next = met.len();
        self.cells[stone] |= MET;
        met.push(Point::from_cell(stone));
        while let Some(point) = met.get(next) {
            next += 1;
            let cell = point.cell();
            for (beside, neighbour) in self.cells.beside(cell).into_iter().zip(neighbours(cell)) {
                let liberties = beside ^ color;
                if liberties > LIBERTIES {
                    continue;
                }
                if liberties > 0 {
                    return false;
                }
                self.cells[neighbour] |= MET;
                met.push(Point::from_cell(neighbour));
            }
        }
        true
    }

    /// Takes the marks off the stones of `met` from `first` on, and them off it.
    fn unmark(&mut self, first: usize, met: &mut Vec<Point>) {
        for point in met.drain(first..) {
            self.cells[point.cell()] &= !MET;
        }
    }

    /// Sets points to a colour or to empty, as setup does: nothing is captured, whatever it leaves without liberties.
    ///
    /// # Panics
    /// When a point is off the board.
    pub fn place(&mut self, stones: impl IntoIterator<Item = (Point, Option<Color>)>) {
        for (point, stone) in stones {
            let cell = point.cell();
            let before = self.cells[cell];
            assert!(before & ON_CELL != BORDER, "setup needs points on the board");
            self.cells[cell] = before & LIBERTIES | stone.map_or(EMPTY | EMPTIED, of_color);
            let change = match (before & ON_CELL == EMPTY, stone) {
                (true, Some(_)) => u8::MAX,
                (false, None) => 1,
                _ => 0,
            };
            self.cells.change_beside(cell, change);
        }
    }

    /// Empties a point; nothing else is captured or given back.
    ///
    /// # Panics
    /// When no stone is on the point.
    pub fn take_off(&mut self, point: Point) {
        assert!(self.stone(point).is_some(), "there is no stone on {point:?}");
        self.place([(point, None)]);
    }
}
