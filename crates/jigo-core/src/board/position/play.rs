//! What changes a position: plays, with what they capture, and setup.

use std::hint::select_unpredictable;

use super::grid::{BORDER, EMPTIED, EMPTY, GRID, LAST_CELL, Link, ON_CELL, is_inside, neighbours, of_color};
use super::{Played, Position};
use crate::board::point::{Color, Point, STRIDE};

/// How far the least of `chains` above `chain` is above it, less 1; those that are not above it count as further than all others.
#[inline(always)]
fn least_behind(chain: u16, chains: [u16; 4]) -> u16 {
    let least = |least, other: u16| {
        let above = other.wrapping_sub(chain.wrapping_add(1));
        select_unpredictable(above < least, above, least)
    };
    chains.into_iter().fold(u16::MAX, least)
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
    #[inline]
    pub fn play(&mut self, color: Color, point: Point, removed: &mut Vec<Point>) -> Played {
        if self.put(color, point) { self.take_dead(color, point, removed) } else { Played { captured: 0, suicide: 0 } }
    }

    /// Whether a point is empty and never had a stone since the board was cleared.
    #[inline(always)]
    pub fn is_untouched(&self, point: Point) -> bool {
        // Such a cell is the head of its own chain, and nothing else is on it: no stone, no border, no mark.
        is_inside(point.cell()) && usize::from(self.links[point.cell()].chain) == point.cell()
    }

    /// The first half of [`Position::play`]: puts a stone on an empty point, and says whether it leaves a chain without liberties,
    /// for [`Position::take_dead`] to take off.
    ///
    /// # Panics
    /// When the point is off the board or occupied.
    #[inline(always)]
    pub fn put(&mut self, color: Color, point: Point) -> bool {
        let cell = point.cell();
        assert!(is_inside(cell) && self.links[cell].chain & ON_CELL == EMPTY, "a play needs an empty point");
        // Without the colour, a neighbour of the same colour is the number of its chain's head and below all others, and one of the
        // other colour is above all others. Nothing is asked before all is done: a branch that can't be foreseen costs more than
        // what is done in vain.
        let around = neighbours(cell).map(|neighbour| self.links[neighbour].chain ^ of_color(color));
        let mut leaves_dead = false;
        for chain in around {
            let link = &mut self.links[usize::from(chain & LAST_CELL)];
            link.liberties = link.liberties.wrapping_sub(1);
            leaves_dead |= (chain >= ON_CELL) & (link.liberties == 0);
        }
        // Without an own neighbour, the stone itself is the least.
        let head = least_behind(u16::MAX, around).min(GRID as u16 | cell as u16);
        self.attach(cell, usize::from(head & LAST_CELL), of_color(color));
        let mut joined = head;
        loop {
            let other = least_behind(joined, around);
            // Other own chains are above it by less than the grid has cells, everything else by more.
            if other >= LAST_CELL {
                break;
            }
            joined += other + 1;
            self.join(cell, usize::from(joined & LAST_CELL));
        }
        leaves_dead | self.is_dead(cell)
    }

    /// Adds a single cell to the chain of `head`, which may be its own, and puts a stone on it.
    #[inline(always)]
    fn attach(&mut self, cell: usize, head: usize, stone: u16) {
        let Link { liberties, next, .. } = self.links[cell];
        self.links[cell].liberties = 0;
        self.links[head].liberties += liberties;
        self.links[head].stones += 1;
        let after = self.links[head].next;
        self.links[head].next = next;
        self.links[cell].next = after;
        self.links[cell].chain = stone | head as u16;
    }

    /// The second half of [`Position::play`]: takes off what the stone just put there has left without liberties, opposing chains
    /// first, its own if it has none then.
    #[cold]
    pub fn take_dead(&mut self, color: Color, point: Point, removed: &mut Vec<Point>) -> Played {
        let cell = point.cell();
        let mut captured = 0;
        for neighbour in neighbours(cell) {
            let is_opponent = self.links[neighbour].chain & ON_CELL == of_color(color.opponent());
            if is_opponent & self.is_dead(neighbour) {
                captured += self.remove_chain(neighbour, removed);
            }
        }
        let suicide = if self.is_dead(cell) { self.remove_chain(cell, removed) } else { 0 };
        Played { captured, suicide }
    }

    /// Sets points to a colour or to empty, as setup does: nothing is captured, whatever it leaves without liberties.
    ///
    /// # Panics
    /// When a point is off the board.
    pub fn place(&mut self, stones: impl IntoIterator<Item = (Point, Option<Color>)>) {
        for (point, stone) in stones {
            let cell = point.cell();
            assert!(self.links[cell].chain & ON_CELL != BORDER, "setup needs points on the board");
            self.links[cell].chain = stone.map_or(EMPTY | EMPTIED, of_color);
        }
        self.link_chains();
    }

    /// Empties a point; nothing else is captured or given back. Costs what its chain has of stones, where [`Position::place`] goes through
    /// the whole board.
    ///
    /// # Panics
    /// When no stone is on the point.
    pub fn take_off(&mut self, point: Point) {
        let mut cells: Vec<usize> = self.chain(point).map(Point::cell).collect();
        assert!(!cells.is_empty(), "there is no stone on {point:?}");
        cells.sort_unstable();
        let emptied = point.cell();
        for neighbour in neighbours(emptied) {
            let head = self.links[neighbour].head();
            self.links[head].liberties = self.links[head].liberties.wrapping_add(1);
        }
        self.links[emptied].chain = EMPTY | EMPTIED;
        cells.iter().for_each(|cell| self.part(*cell));
        cells.iter().for_each(|cell| self.link(*cell));
    }

    /// Makes one chain of two, renaming the smaller.
    #[inline(always)]
    fn join(&mut self, one: usize, other: usize) {
        let (mut keep, mut drop) = (self.links[one].head(), self.links[other].head());
        if keep == drop {
            return;
        }
        if self.links[keep].stones < self.links[drop].stones {
            std::mem::swap(&mut keep, &mut drop);
        }
        self.links[keep].liberties += self.links[drop].liberties;
        self.links[keep].stones += self.links[drop].stones;
        let chain = self.links[keep].chain;
        let mut cell = drop;
        loop {
            self.links[cell].chain = chain;
            cell = usize::from(self.links[cell].next);
            if cell == drop {
                break;
            }
        }
        let next = self.links[keep].next;
        self.links[keep].next = std::mem::replace(&mut self.links[drop].next, next);
    }

    /// Takes a chain without liberties off the board, and gives its neighbours theirs.
    fn remove_chain(&mut self, stone: usize, removed: &mut Vec<Point>) -> u32 {
        let first = removed.len();
        let mut cell = stone;
        loop {
            let next = usize::from(self.links[cell].next);
            self.links[cell] = Link { liberties: 0, ..Link::alone(cell, EMPTY | EMPTIED) };
            removed.push(Point::from_cell(cell));
            cell = next;
            if cell == stone {
                break;
            }
        }
        for point in &removed[first..] {
            for neighbour in neighbours(point.cell()) {
                let head = self.links[neighbour].head();
                self.links[head].liberties = self.links[head].liberties.wrapping_add(1);
            }
        }
        (removed.len() - first) as u32
    }

    /// Rebuilds chains and liberties from the stones alone.
    fn link_chains(&mut self) {
        let size = self.size;
        size.iter().for_each(|point| self.part(point.cell()));
        size.iter().for_each(|point| self.link(point.cell()));
    }

    /// Makes a cell a chain of its own, with the liberties that it has by itself.
    fn part(&mut self, cell: usize) {
        let is_empty = |neighbour: &&usize| self.links[**neighbour].chain & ON_CELL == EMPTY;
        let stones = u16::from(self.links[cell].stone().is_some());
        let liberties = neighbours(cell).iter().filter(is_empty).count() as u16;
        let on_cell = self.links[cell].chain & (ON_CELL | EMPTIED);
        self.links[cell] = Link { liberties, stones, ..Link::alone(cell, on_cell) };
    }

    /// Joins a cell with the stones of its colour to the left and above.
    fn link(&mut self, cell: usize) {
        let stone = self.links[cell].stone();
        for neighbour in [cell - 1, cell - STRIDE] {
            if stone.is_some() && self.links[neighbour].stone() == stone {
                self.join(cell, neighbour);
            }
        }
    }
}
