//! A position and what a play does to it: chains, liberties, captures.

use std::hint::select_unpredictable;

use super::hash::PositionHash;
use super::point::{BoardSize, CELLS, Color, Point, STRIDE};
use super::point_set::PointSet;

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
///
/// An empty point is kept as a chain of its own, too, so that every neighbour of a play is treated alike, without asking first what
/// it is. The border's links take part in that; their liberties mean nothing.
#[derive(Clone)]
pub struct Position {
    size: BoardSize,
    links: [Link; GRID],
}

/// What a cell knows of its chain.
#[derive(Clone, Copy)]
struct Link {
    /// Of the chain's head alone: pseudo-liberties, which are pairs of a stone and an empty neighbour of it, so that there are none
    /// exactly when the chain has no liberty.
    liberties: u16,
    /// What is on the cell, and below it the cell that stands for the chain.
    chain: u16,
    /// The next cell of the chain, in a ring.
    next: u16,
    /// Of the chain's head alone: the chain's stones.
    stones: u16,
}

/// Cells of the grid, and some more: a cell is any number below a power of two, so no index needs a check.
const GRID: usize = 1 << 12;
const _: () = assert!(CELLS <= GRID);

/// What is on a cell, in the upper bits of [`Link::chain`]: nothing, a [`Color`], or the border.
const EMPTY: u16 = 0;
const BORDER: u16 = 3 << 14;
const ON_CELL: u16 = 3 << 14;
/// With [`EMPTY`]: a stone was on the cell before.
const EMPTIED: u16 = 1 << 13;
const LAST_CELL: u16 = GRID as u16 - 1;

const fn of_color(color: Color) -> u16 {
    (color as u16) << 14
}

impl Link {
    /// A cell alone, all its neighbours empty.
    const fn alone(cell: usize, on_cell: u16) -> Link {
        Link { liberties: 4, stones: 0, chain: on_cell | cell as u16, next: cell as u16 }
    }

    #[inline]
    fn head(self) -> usize {
        usize::from(self.chain & LAST_CELL)
    }

    #[inline]
    fn stone(self) -> Option<Color> {
        match self.chain >> 14 {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        }
    }
}

/// Every cell empty and alone.
static ALONE: [Link; GRID] = {
    let mut links = [Link::alone(0, EMPTY); GRID];
    let mut cell = 0;
    while cell < GRID {
        links[cell] = Link::alone(cell, EMPTY);
        cell += 1;
    }
    links
};

/// Whether a cell has all its neighbours in the grid, as those of points have.
#[inline]
fn is_inside(cell: usize) -> bool {
    (STRIDE..CELLS - STRIDE).contains(&cell)
}

#[inline]
fn neighbours(cell: usize) -> [usize; 4] {
    // A stone is never on the border, so these stay inside the grid.
    [cell - STRIDE, cell - 1, cell + 1, cell + STRIDE]
}

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
    /// The empty board.
    pub fn new(size: BoardSize) -> Position {
        let mut position = Position { size, links: ALONE };
        position.fence();
        position.clear(size);
        position
    }

    /// Makes this the empty board of `size`, in less time than a new one takes.
    pub fn clear(&mut self, size: BoardSize) {
        if size != self.size {
            self.fence();
            self.size = size;
        }
        let (width, height) = (usize::from(size.width()), usize::from(size.height()));
        for row in 1..=height {
            let links = row * STRIDE + 1..row * STRIDE + 1 + width;
            let row = &mut self.links[links.clone()];
            row.copy_from_slice(&ALONE[links]);
            row[0].liberties -= 1;
            row[width - 1].liberties -= 1;
        }
        for row in [1, height] {
            self.links[row * STRIDE + 1..][..width].iter_mut().for_each(|link| link.liberties -= 1);
        }
    }

    /// Makes all cells border.
    #[cold]
    fn fence(&mut self) {
        self.links.iter_mut().enumerate().for_each(|(cell, link)| *link = Link::alone(cell, BORDER));
    }

    /// The board's size.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The hash of the stones. It is not kept by plays: few games ever ask for one.
    pub fn hash(&self) -> PositionHash {
        let mut hash = PositionHash::default();
        let stones = self.size.iter().filter_map(|point| Some((self.stone(point)?, point)));
        stones.for_each(|(color, point)| hash.toggle(color, point));
        hash
    }

    /// The stone on a point of the board; `None` when it is empty or off the board.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Color> {
        self.links[point.cell()].stone()
    }

    /// The points next to `point` that are on the board.
    #[inline]
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let is_on_board = |cell: &usize| self.links[*cell].chain & ON_CELL != BORDER;
        neighbours(point.cell()).into_iter().filter(is_on_board).map(Point::from_cell)
    }

    /// How many stones of `color` are on the board.
    pub fn count(&self, color: Color) -> u32 {
        self.size.iter().filter(|&point| self.stone(point) == Some(color)).count() as u32
    }

    /// The points of the board with a stone of this colour, or the empty ones.
    pub fn points_with(&self, stone: Option<Color>) -> PointSet {
        let on_cell = stone.map_or(EMPTY, of_color);
        PointSet::of_rows(self.size.height(), |row| {
            let links = self.links[row * STRIDE..][..=usize::from(self.size.width())].iter();
            links.rev().fold(0, |bits, link| bits << 1 | u64::from(link.chain & ON_CELL == on_cell))
        })
    }

    /// The stones of the chain that holds `point`, in no particular order; nothing when the point is empty.
    ///
    /// ```
    /// let position = jigo_core::diagram::read("X X . X").unwrap();
    /// assert_eq!(position.chain(jigo_core::Point::new(1, 0)).count(), 2);
    /// ```
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let first = point.cell();
        let mut following = self.stone(point).map(|_| first);
        std::iter::from_fn(move || {
            let cell = following?;
            let next = usize::from(self.links[cell].next);
            following = (next != first).then_some(next);
            Some(Point::from_cell(cell))
        })
    }

    /// A point that stands for the chain holding `point`: the same for all its stones until the next play.
    #[inline]
    pub fn chain_head(&self, point: Point) -> Option<Point> {
        self.stone(point).map(|_| Point::from_cell(self.links[point.cell()].head()))
    }

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

    /// One stone of every chain that has no liberty; only [`Position::place`] can leave such chains.
    pub fn chains_without_liberties(&self) -> Vec<Point> {
        let heads = self.size.iter().filter(|&point| self.chain_head(point) == Some(point));
        heads.filter(|point| self.is_dead(point.cell())).collect()
    }

    /// The stones alone, to compare or to undo turns on.
    pub fn stones(&self) -> Stones {
        Stones(self.by_color())
    }

    /// The stones of each colour, Black's first.
    pub(crate) fn by_color(&self) -> [PointSet; 2] {
        let [black, white] = Color::BOTH.map(of_color);
        PointSet::pair_of_rows(self.size.height(), |row| {
            let links = self.links[row * STRIDE..][..=usize::from(self.size.width())].iter();
            links.rev().fold([0, 0], |bits, link| {
                let on_cell = link.chain & ON_CELL;
                [bits[0] << 1 | u64::from(on_cell == black), bits[1] << 1 | u64::from(on_cell == white)]
            })
        })
    }

    #[inline]
    fn is_dead(&self, cell: usize) -> bool {
        self.links[self.links[cell].head()].liberties == 0
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

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.size == other.size && self.size.iter().all(|point| self.stone(point) == other.stone(point))
    }
}

impl Eq for Position {}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\n{}", super::diagram::draw(self))
    }
}

/// The stones of a position without its chains, Black's first: what is compared when a hash has accused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stones([PointSet; 2]);

impl Stones {
    /// Puts a stone on a point or empties it.
    pub fn set(&mut self, point: Point, stone: Option<Color>) {
        self.0.iter_mut().for_each(|stones| stones.remove(point));
        if let Some(color) = stone {
            self.0[color.index()].insert(point);
        }
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
                match position.stone(point) {
                    None => drop(position.play(Color::BOTH[turn % 2], point, &mut Vec::new())),
                    Some(_) if random.is_multiple_of(3) => position.take_off(point),
                    Some(_) => {}
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
                let (kept, rebuilt) = (position.links[a.cell()], scratch.links[b.cell()]);
                assert_eq!((kept.liberties, kept.stones), (rebuilt.liberties, rebuilt.stones));
                assert_eq!(usize::from(kept.stones), one.len());
            }
        }
        assert!(position.chains_without_liberties().is_empty());
    }
}
