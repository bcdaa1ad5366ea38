//! A position: the stones on a board, with their chains and liberties.

mod grid;
mod play;

use super::hash::PositionHash;
use super::point::{BoardSize, Color, Point, STRIDE};
use super::point_set::PointSet;
use grid::{ALONE, BORDER, EMPTY, GRID, Link, ON_CELL, neighbours, of_color};

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
