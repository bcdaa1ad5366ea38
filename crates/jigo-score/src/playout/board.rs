//! A board for playouts: chains with exact sets of liberties, in arrays that are copied as a whole.

use crate::shape::cell_set::CellSet;
use crate::shape::grid::{cell_of, cells_of};
use jigo_rules::board::{Color, Position};

pub(super) const EMPTY: u8 = 0;
pub(super) const BORDER: u8 = 3;

/// Returns the sign of a colour in sums.
pub(super) fn sign(stone: u8) -> i64 {
    if stone == Color::Black as u8 { 1 } else { -1 }
}

/// A board of at most `64 * W` cells.
///
/// The points are stored row by row, with one border cell before each row and a border row above
/// and below. The neighbours of a cell are at ±1 and ±`stride`.
#[derive(Clone)]
pub(super) struct Board<const W: usize> {
    pub(super) stride: usize,
    /// `EMPTY`, a colour as [`Color`] numbers it, or `BORDER`.
    pub(super) stone: Vec<u8>,
    /// For a stone, the head of its chain: the index into `stones`, `count` and `liberties`.
    head: Vec<u16>,
    /// For a stone, the next stone of its chain, in a ring.
    next: Vec<u16>,
    /// By head: number of stones in the chain.
    stones: Vec<u16>,
    /// By head: number of liberties of the chain.
    count: Vec<u16>,
    /// By head: liberties of the chain.
    liberties: Vec<CellSet<W>>,
    /// The empty cells in arbitrary order, and the index of each cell in this list.
    pub(super) empty: Vec<u16>,
    empty_index: Vec<u16>,
    /// The cell on which the next play would retake a ko, or 0.
    pub(super) ko: usize,
}

impl<const W: usize> Board<W> {
    pub(super) fn new(position: &Position) -> Board<W> {
        let size = position.size();
        let cells = cells_of(size);
        let mut board = Board {
            stride: usize::from(size.width()) + 1,
            stone: vec![BORDER; cells],
            head: vec![0; cells],
            next: vec![0; cells],
            stones: vec![0; cells],
            count: vec![0; cells],
            liberties: vec![CellSet::EMPTY; cells],
            empty: Vec::with_capacity(size.points()),
            empty_index: vec![0; cells],
            ko: 0,
        };
        for point in size.iter() {
            let cell = cell_of(size, point);
            board.stone[cell] = EMPTY;
            board.add_empty(cell);
        }
        for point in size.iter() {
            if let Some(color) = position.stone(point) {
                board.put(color as u8, cell_of(size, point));
            }
        }
        board
    }

    /// Copies `other`, which must have the same size.
    pub(super) fn copy_from(&mut self, other: &Board<W>) {
        self.stone.copy_from_slice(&other.stone);
        self.head.copy_from_slice(&other.head);
        self.next.copy_from_slice(&other.next);
        self.stones.copy_from_slice(&other.stones);
        self.count.copy_from_slice(&other.count);
        self.liberties.copy_from_slice(&other.liberties);
        self.empty_index.copy_from_slice(&other.empty_index);
        self.empty.clear();
        self.empty.extend_from_slice(&other.empty);
        self.ko = other.ko;
    }

    #[inline]
    pub(super) fn neighbours(&self, cell: usize) -> [usize; 4] {
        [cell - self.stride, cell - 1, cell + 1, cell + self.stride]
    }

    #[inline]
    pub(super) fn diagonals(&self, cell: usize) -> [usize; 4] {
        [cell - self.stride - 1, cell - self.stride + 1, cell + self.stride - 1, cell + self.stride + 1]
    }

    /// Returns the head of a stone's chain.
    #[inline]
    pub(super) fn head(&self, stone: usize) -> usize {
        usize::from(self.head[stone])
    }

    /// Returns the number of liberties of a stone's chain.
    #[inline]
    pub(super) fn liberty_count(&self, stone: usize) -> u16 {
        self.count[self.head(stone)]
    }

    /// Makes a chain impossible to capture by giving it liberties on the border.
    pub(super) fn make_immortal(&mut self, stone: usize) {
        let head = self.head(stone);
        for row in 1..=3 {
            self.liberties[head].insert(row * self.stride);
        }
        self.count[head] = self.liberties[head].len() as u16;
    }

    /// Returns true if the chain has such liberties.
    #[inline]
    pub(super) fn is_immortal(&self, stone: usize) -> bool {
        self.liberties[self.head(stone)].contains(self.stride)
    }

    /// Returns the number of stones in a stone's chain.
    #[inline]
    pub(super) fn chain_size(&self, stone: usize) -> u16 {
        self.stones[self.head(stone)]
    }

    /// Returns the liberties of a stone's chain in ascending order.
    #[inline]
    pub(super) fn liberties_of(&self, stone: usize) -> impl Iterator<Item = usize> + use<W> {
        self.liberties[self.head(stone)].iter()
    }

    /// Returns the stones of a chain.
    #[inline]
    pub(super) fn chain(&self, stone: usize) -> impl Iterator<Item = usize> + '_ {
        let mut next_stone = Some(stone);
        std::iter::from_fn(move || {
            let cell = next_stone?;
            let next = usize::from(self.next[cell]);
            next_stone = (next != stone).then_some(next);
            Some(cell)
        })
    }

    /// Returns the neighbours of a cell, without the border and the chain of `stone`.
    pub(super) fn neighbours_outside_chain(&self, cell: usize, stone: usize) -> impl Iterator<Item = usize> + '_ {
        let (color, head) = (self.stone[stone], self.head(stone));
        let is_own = move |neighbour: usize| self.stone[neighbour] == color && self.head(neighbour) == head;
        self.neighbours(cell)
            .into_iter()
            .filter(move |&neighbour| self.stone[neighbour] != BORDER && !is_own(neighbour))
    }

    /// Returns true if the point is empty and a play there is neither a ko nor a suicide.
    #[inline]
    pub(super) fn is_legal(&self, color: u8, cell: usize) -> bool {
        if self.stone[cell] != EMPTY || cell == self.ko {
            return false;
        }
        self.neighbours(cell).iter().any(|&n| match self.stone[n] {
            EMPTY => true,
            BORDER => false,
            other => (self.liberty_count(n) > 1) == (other == color),
        })
    }

    /// Returns the liberties that the chain of a stone played on `cell` would have.
    ///
    /// They include the points of captured stones next to the chain.
    pub(super) fn liberties_after(&self, color: u8, cell: usize) -> CellSet<W> {
        let mut set = CellSet::EMPTY;
        for n in self.neighbours(cell) {
            match self.stone[n] {
                EMPTY => {
                    set.insert(n);
                }
                BORDER => {}
                neighbour_color if neighbour_color == color => set.add(&self.liberties[self.head(n)]),
                _ if self.liberty_count(n) == 1 => {
                    set.insert(n);
                    for captured in self.chain(n) {
                        for m in self.neighbours(captured) {
                            if self.stone[m] == color && self.joins(color, cell, m) {
                                set.insert(captured);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        set.remove(cell);
        set
    }

    /// Returns true if a stone of `color` on `cell` would connect to the chain of `stone`.
    #[inline]
    fn joins(&self, color: u8, cell: usize, stone: usize) -> bool {
        let head = self.head(stone);
        self.neighbours(cell).iter().any(|&n| self.stone[n] == color && self.head(n) == head)
    }

    /// Returns the number of liberties of a stone played on `cell`. 2 means two or more.
    #[inline]
    pub(super) fn few_liberties_after(&self, color: u8, cell: usize) -> u32 {
        let mut empty = 0;
        for n in self.neighbours(cell) {
            match self.stone[n] {
                EMPTY => empty += 1,
                neighbour_color if neighbour_color == color && self.liberty_count(n) > 2 => return 2,
                _ => {}
            }
        }
        if empty >= 2 { 2 } else { self.liberties_after(color, cell).len().min(2) }
    }

    /// Makes a legal play.
    pub(super) fn play(&mut self, color: u8, cell: usize) {
        self.ko = 0;
        self.put(color, cell);
        let mut captured = 0;
        let mut last = 0;
        for n in self.neighbours(cell) {
            if self.stone[n] == 3 - color && self.liberty_count(n) == 0 {
                last = n;
                captured += self.remove(n);
            }
        }
        if captured == 1 && self.chain_size(cell) == 1 && self.liberty_count(cell) == 1 {
            self.ko = last;
        }
    }

    fn add_empty(&mut self, cell: usize) {
        self.empty_index[cell] = self.empty.len() as u16;
        self.empty.push(cell as u16);
    }

    /// Removes a cell from the list of empty cells, because it gets a stone or needs no play.
    #[inline]
    pub(super) fn drop_empty(&mut self, cell: usize) {
        let index = self.empty_index[cell];
        self.empty.swap_remove(usize::from(index));
        if let Some(&last_cell) = self.empty.get(usize::from(index)) {
            self.empty_index[usize::from(last_cell)] = index;
        }
    }

    #[inline]
    fn put(&mut self, color: u8, cell: usize) {
        self.drop_empty(cell);
        self.stone[cell] = color;
        self.head[cell] = cell as u16;
        self.next[cell] = cell as u16;
        self.stones[cell] = 1;
        let mut set = CellSet::EMPTY;
        let mut count = 0;
        for n in self.neighbours(cell) {
            match self.stone[n] {
                EMPTY => {
                    set.insert(n);
                    count += 1;
                }
                BORDER => {}
                _ => {
                    let head = self.head(n);
                    self.count[head] -= u16::from(self.liberties[head].remove(cell));
                }
            }
        }
        self.liberties[cell] = set;
        self.count[cell] = count;
        for n in self.neighbours(cell) {
            if self.stone[n] == color {
                self.join(cell, n);
            }
        }
    }

    fn join(&mut self, first: usize, second: usize) {
        let (mut larger, mut smaller) = (self.head(first), self.head(second));
        if larger == smaller {
            return;
        }
        if self.stones[larger] < self.stones[smaller] {
            std::mem::swap(&mut larger, &mut smaller);
        }
        self.stones[larger] += self.stones[smaller];
        let added = self.liberties[smaller];
        self.liberties[larger].add(&added);
        self.count[larger] = self.liberties[larger].len() as u16;
        let mut cell = smaller;
        loop {
            self.head[cell] = larger as u16;
            cell = usize::from(self.next[cell]);
            if cell == smaller {
                break;
            }
        }
        self.next.swap(larger, smaller);
    }

    /// Returns the owner of a cell: 1 for Black, -1 for White, 0 for neither.
    pub(super) fn owner(&self, cell: usize) -> i64 {
        match self.stone[cell] {
            BORDER => 0,
            EMPTY => {
                let neighbour_colors = self.neighbours(cell).map(|neighbour| self.stone[neighbour]);
                if neighbour_colors.contains(&EMPTY) {
                    return 0;
                }
                let touches = |color: Color| i64::from(neighbour_colors.contains(&(color as u8)));
                touches(Color::Black) - touches(Color::White)
            }
            stone => sign(stone),
        }
    }

    /// Removes a chain and returns its number of stones.
    fn remove(&mut self, stone: usize) -> u32 {
        let opponent = 3 - self.stone[stone];
        let mut cell = stone;
        let mut removed = 0;
        loop {
            self.stone[cell] = EMPTY;
            self.add_empty(cell);
            removed += 1;
            for n in self.neighbours(cell) {
                if self.stone[n] == opponent {
                    let head = self.head(n);
                    self.count[head] += u16::from(self.liberties[head].insert(cell));
                }
            }
            cell = usize::from(self.next[cell]);
            if cell == stone {
                return removed;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::hash::split_mix;
    use jigo_rules::board::{BoardSize, Point};

    /// Compares stones, chains and liberties with those of [`Position`] after random legal play.
    #[test]
    fn both_boards_agree_over_random_games() {
        let mut seed = 11;
        for (width, height) in [(1, 7), (5, 5), (9, 4), (19, 19)] {
            let size = BoardSize::new(width, height).unwrap();
            let mut position = Position::new(size);
            let mut board = Board::<7>::new(&position);
            for turn in 0..2_000 {
                let random = split_mix(&mut seed);
                let point = Point::new((random >> 8) as u8 % width, (random >> 16) as u8 % height);
                let color = Color::BOTH[turn % 2];
                if board.is_legal(color as u8, cell_of(size, point)) {
                    let expected = board.liberties_after(color as u8, cell_of(size, point)).len();
                    board.play(color as u8, cell_of(size, point));
                    let play_result = position.play(color, point, &mut Vec::new());
                    assert_eq!(play_result.suicide, 0);
                    assert_eq!(u32::from(board.liberty_count(cell_of(size, point))), expected);
                }
                if turn % 50 == 0 {
                    assert_same(&board, &position);
                }
            }
        }
    }

    #[test]
    fn immortal_chains_cannot_be_captured() {
        let position = jigo_rules::board::diagram::read("O X . .\nX X . .\n. . . .").unwrap();
        let size = position.size();
        let mut board = Board::<2>::new(&position);
        let [corner, next_to_corner] = [Point::new(0, 0), Point::new(0, 1)].map(|point| cell_of(size, point));
        assert_eq!([corner, next_to_corner].map(|cell| board.is_immortal(cell)), [false, false]);
        board.make_immortal(next_to_corner);
        board.play(Color::Black as u8, cell_of(size, Point::new(2, 1)));
        board.play(Color::White as u8, cell_of(size, Point::new(3, 2)));
        assert!(board.is_immortal(cell_of(size, Point::new(2, 1))));
        for point in size.iter().filter(|&point| position.stone(point).is_none()) {
            if board.is_legal(Color::White as u8, cell_of(size, point)) {
                board.play(Color::White as u8, cell_of(size, point));
            }
        }
        assert_eq!(board.stone[next_to_corner], Color::Black as u8);
        assert!(board.liberty_count(next_to_corner) >= 3);
    }

    fn assert_same(board: &Board<7>, position: &Position) {
        let size = position.size();
        assert_eq!(board.empty.len(), size.iter().filter(|&point| position.stone(point).is_none()).count());
        for point in size.iter() {
            let cell = cell_of(size, point);
            assert_eq!(board.stone[cell], position.stone(point).map_or(EMPTY, |color| color as u8));
            if position.stone(point).is_some() {
                assert_eq!(usize::from(board.chain_size(cell)), position.chain(point).count());
                let mut liberties: Vec<Point> =
                    position.chain(point).flat_map(|stone| position.neighbours(stone)).collect();
                liberties.retain(|&next| position.stone(next).is_none());
                liberties.sort();
                liberties.dedup();
                let cells: Vec<usize> = liberties.into_iter().map(|liberty| cell_of(size, liberty)).collect();
                assert_eq!(board.liberties_of(cell).collect::<Vec<_>>(), cells);
                assert_eq!(usize::from(board.liberty_count(cell)), cells.len());
            }
        }
    }
}
