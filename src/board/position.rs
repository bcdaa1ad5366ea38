//! A position and what a play does to it: chains, liberties, captures.

use super::hash::PositionHash;
use super::point::{BoardSize, CELLS, Color, Point, STRIDE};

const EMPTY: u8 = 0;
const BORDER: u8 = 3;

/// What a play did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Opposing stones captured.
    pub captured: u32,
    /// Own stones that the play took off the board, the played one among them; 0 unless it was a suicide.
    pub suicide: u32,
}

/// The stones on a board, with their chains.
///
/// [`Position::play`] captures and executes suicide. It knows no ko, no turn order and no history: see
/// [`crate::rules`] for what a ruleset says of a play. Positions are equal when their stones are.
#[derive(Clone)]
pub struct Position {
    size: BoardSize,
    hash: PositionHash,
    /// `EMPTY`, a colour, or `BORDER`.
    cells: [u8; CELLS],
    /// For a stone, the cell that stands for its chain: the index of the two arrays below.
    head: [u16; CELLS],
    /// Pairs of a stone of the chain and an empty neighbour of that stone. Zero exactly when there is no liberty.
    pseudo_liberties: [u16; CELLS],
    /// Stones in the chain.
    stones: [u16; CELLS],
    /// For a stone, the next one of its chain, in a ring.
    next: [u16; CELLS],
}

const NEIGHBOURS: [isize; 4] = [-(STRIDE as isize), -1, 1, STRIDE as isize];

#[inline]
fn neighbours(cell: usize) -> [usize; 4] {
    // A stone is never on the border, so these stay inside the grid.
    NEIGHBOURS.map(|step| cell.wrapping_add_signed(step))
}

impl Position {
    /// The empty board.
    pub fn new(size: BoardSize) -> Position {
        let mut position = Position {
            size,
            hash: PositionHash::default(),
            cells: [BORDER; CELLS],
            head: [0; CELLS],
            pseudo_liberties: [0; CELLS],
            stones: [0; CELLS],
            next: [0; CELLS],
        };
        position.clear(size);
        position
    }

    /// Makes this the empty board of `size`, in less time than a new one takes.
    pub fn clear(&mut self, size: BoardSize) {
        let rows = usize::from(self.size.height().max(size.height())) + 2;
        self.cells[..rows * STRIDE].fill(BORDER);
        for row in 1..=usize::from(size.height()) {
            self.cells[row * STRIDE + 1..][..usize::from(size.width())].fill(EMPTY);
        }
        self.size = size;
        self.hash = PositionHash::default();
    }

    /// The board's size.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The hash of the stones, kept up to date by every play.
    #[inline]
    pub fn hash(&self) -> PositionHash {
        self.hash
    }

    /// The stone on a point of the board; `None` when it is empty or off the board.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Color> {
        color(self.cells[point.cell()])
    }

    /// The points next to `point` that are on the board.
    #[inline]
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        neighbours(point.cell()).into_iter().filter(|&cell| self.cells[cell] != BORDER).map(Point::from_cell)
    }

    /// How many stones of `color` are on the board.
    pub fn count(&self, color: Color) -> u32 {
        self.size.iter().filter(|&point| self.stone(point) == Some(color)).count() as u32
    }

    /// The stones of the chain that holds `point`, in no particular order; nothing when the point is empty.
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let first = point.cell();
        let mut following = self.stone(point).map(|_| first);
        std::iter::from_fn(move || {
            let cell = following?;
            let next = usize::from(self.next[cell]);
            following = (next != first).then_some(next);
            Some(Point::from_cell(cell))
        })
    }

    /// A point that stands for the chain holding `point`: the same for all its stones until the next play.
    #[inline]
    pub fn chain_head(&self, point: Point) -> Option<Point> {
        self.stone(point).map(|_| Point::from_cell(usize::from(self.head[point.cell()])))
    }

    /// Puts a stone of `color` on an empty point, takes opposing chains without a liberty off the board, then, if it has none
    /// itself, its own chain (FF[4]'s order). The stones taken off are appended to `removed`.
    ///
    /// # Panics
    /// When the point is off the board or occupied; [`Position::place`] empties points.
    #[inline]
    pub fn play(&mut self, color: Color, point: Point, removed: &mut Vec<Point>) -> Played {
        let cell = point.cell();
        assert!(self.cells[cell] == EMPTY, "a play needs an empty point");
        self.put(color, cell);
        let mut captured = 0;
        for neighbour in neighbours(cell) {
            if self.cells[neighbour] == color.opponent() as u8 && self.is_dead(neighbour) {
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
            assert!(self.cells[cell] != BORDER, "setup needs points on the board");
            if let Some(old) = color(self.cells[cell]) {
                self.hash.toggle(old, point);
            }
            if let Some(new) = stone {
                self.hash.toggle(new, point);
            }
            self.cells[cell] = stone.map_or(EMPTY, |color| color as u8);
        }
        self.link_chains();
    }

    /// One stone of every chain that has no liberty; only [`Position::place`] can leave such chains.
    pub fn chains_without_liberties(&self) -> Vec<Point> {
        let heads = self.size.iter().filter(|&point| self.chain_head(point) == Some(point));
        heads.filter(|point| self.pseudo_liberties[point.cell()] == 0).collect()
    }

    /// The stones alone, to compare or to undo turns on.
    pub fn stones(&self) -> Stones {
        Stones(self.cells)
    }

    fn is_dead(&self, cell: usize) -> bool {
        self.pseudo_liberties[usize::from(self.head[cell])] == 0
    }

    /// Adds a stone as a chain of its own and joins it to its neighbours.
    fn put(&mut self, color: Color, cell: usize) {
        self.cells[cell] = color as u8;
        self.hash.toggle(color, Point::from_cell(cell));
        self.head[cell] = cell as u16;
        self.next[cell] = cell as u16;
        self.stones[cell] = 1;
        let mut liberties = 0;
        for neighbour in neighbours(cell) {
            match self.cells[neighbour] {
                EMPTY => liberties += 1,
                BORDER => {}
                _ => self.pseudo_liberties[usize::from(self.head[neighbour])] -= 1,
            }
        }
        self.pseudo_liberties[cell] = liberties;
        for neighbour in neighbours(cell) {
            if self.cells[neighbour] == color as u8 {
                self.join(cell, neighbour);
            }
        }
    }

    /// Makes one chain of two, renaming the smaller.
    fn join(&mut self, one: usize, other: usize) {
        let (mut keep, mut drop) = (usize::from(self.head[one]), usize::from(self.head[other]));
        if keep == drop {
            return;
        }
        if self.stones[keep] < self.stones[drop] {
            std::mem::swap(&mut keep, &mut drop);
        }
        self.stones[keep] += self.stones[drop];
        self.pseudo_liberties[keep] += self.pseudo_liberties[drop];
        let mut cell = drop;
        loop {
            self.head[cell] = keep as u16;
            cell = usize::from(self.next[cell]);
            if cell == drop {
                break;
            }
        }
        self.next.swap(keep, drop);
    }

    fn remove_chain(&mut self, stone: usize, removed: &mut Vec<Point>) -> u32 {
        let Some(color) = color(self.cells[stone]) else { return 0 };
        let opponent = color.opponent() as u8;
        let mut cell = stone;
        let mut count = 0;
        loop {
            self.cells[cell] = EMPTY;
            self.hash.toggle(color, Point::from_cell(cell));
            removed.push(Point::from_cell(cell));
            count += 1;
            for neighbour in neighbours(cell) {
                if self.cells[neighbour] == opponent {
                    self.pseudo_liberties[usize::from(self.head[neighbour])] += 1;
                }
            }
            cell = usize::from(self.next[cell]);
            if cell == stone {
                return count;
            }
        }
    }

    /// Rebuilds chains and liberties from the stones alone.
    fn link_chains(&mut self) {
        let stones: Vec<Point> = self.size.iter().filter(|&point| self.stone(point).is_some()).collect();
        for cell in stones.iter().map(|point| point.cell()) {
            self.head[cell] = cell as u16;
            self.next[cell] = cell as u16;
            self.stones[cell] = 1;
            self.pseudo_liberties[cell] = neighbours(cell).iter().filter(|&&n| self.cells[n] == EMPTY).count() as u16;
        }
        for cell in stones.iter().map(|point| point.cell()) {
            for neighbour in [cell - 1, cell - STRIDE] {
                if self.cells[neighbour] == self.cells[cell] {
                    self.join(cell, neighbour);
                }
            }
        }
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.size == other.size && self.cells == other.cells
    }
}

impl Eq for Position {}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\n{}", super::diagram::draw(self))
    }
}

#[inline]
fn color(cell: u8) -> Option<Color> {
    match cell {
        1 => Some(Color::Black),
        2 => Some(Color::White),
        _ => None,
    }
}

/// The stones of a position without its chains: what is compared when a hash has accused.
#[derive(Clone, PartialEq, Eq)]
pub struct Stones([u8; CELLS]);

impl Stones {
    /// Puts a stone on a point or empties it.
    pub fn set(&mut self, point: Point, stone: Option<Color>) {
        self.0[point.cell()] = stone.map_or(EMPTY, |color| color as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::read;
    use crate::board::hash::split_mix;

    fn play(position: &mut Position, color: Color, a1: &str) -> Played {
        let point = Point::from_a1(a1, position.size()).unwrap();
        position.play(color, point, &mut Vec::new())
    }

    #[test]
    fn a_play_captures_before_it_counts_its_own_liberties() {
        let mut position = read(". O X\nO X .\nX . .").unwrap();
        assert_eq!(play(&mut position, Color::Black, "A3"), Played { captured: 2, suicide: 0 });
        assert_eq!(position, read("X . X\n. X .\nX . .").unwrap());
    }

    #[test]
    fn suicide_takes_the_whole_chain() {
        let mut position = read(". X O\nO O .").unwrap();
        assert_eq!(play(&mut position, Color::Black, "A2"), Played { captured: 0, suicide: 2 });
        assert_eq!(position, read(". . O\nO O .").unwrap());
    }

    #[test]
    fn setup_captures_nothing_and_reports_what_it_strangled() {
        let position = read("X O\nO .").unwrap();
        assert_eq!(position.chains_without_liberties(), [Point::new(0, 0)]);
    }

    /// Chains, liberties and hash kept by play agree with those rebuilt from the stones, over random games.
    #[test]
    fn incremental_state_equals_state_from_scratch() {
        let mut seed = 7;
        for (width, height) in [(1, 1), (2, 3), (5, 5), (9, 4), (19, 19), (52, 52)] {
            let size = BoardSize::new(width, height).unwrap();
            let mut position = Position::new(size);
            for turn in 0..1_500 {
                let random = split_mix(&mut seed);
                let point = Point::new((random >> 8) as u8 % width, (random >> 16) as u8 % height);
                if position.stone(point).is_none() {
                    position.play(Color::BOTH[turn % 2], point, &mut Vec::new());
                }
                if turn % 10 == 0 {
                    assert_consistent(&position);
                }
            }
        }
    }

    fn assert_consistent(position: &Position) {
        let mut scratch = Position::new(position.size());
        scratch.place(position.size().iter().map(|point| (point, position.stone(point))));
        assert_eq!(scratch.hash(), position.hash());
        for point in position.size().iter() {
            let mut one: Vec<Point> = position.chain(point).collect();
            let mut other: Vec<Point> = scratch.chain(point).collect();
            one.sort();
            other.sort();
            assert_eq!(one, other);
            if let (Some(a), Some(b)) = (position.chain_head(point), scratch.chain_head(point)) {
                assert_eq!(position.pseudo_liberties[a.cell()], scratch.pseudo_liberties[b.cell()]);
                assert_eq!(usize::from(position.stones[a.cell()]), one.len());
            }
        }
        assert!(position.chains_without_liberties().is_empty());
    }
}
