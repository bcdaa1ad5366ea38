//! A position: the stones on a board, with their chains and liberties.

mod grid;
mod play;

use super::hash::PositionHash;
use super::point::{BoardSize, Color, Point, STRIDE};
use super::point_set::PointSet;
use grid::{BORDER, Cells, EMPTY, LIBERTIES, ON_CELL, OPEN, OUTSIDE, neighbours, of_color};

/// What a play did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Opposing stones captured.
    pub captured: u32,
    /// Own stones that the play took off the board, the played one among them; 0 unless it was a suicide.
    pub suicide: u32,
}

/// The stones on a board.
///
/// [`Position::play`] captures and executes suicide. It knows no ko, no turn order and no history: see
/// [`crate::rules`] for what a ruleset says of a play. Positions are equal when their stones are.
///
/// What is kept is how many empty neighbours every point has, and no chains. A play next to a stone that has others left captures
/// nothing, whatever its chain is; only next to one that has none are chains gone through, up to the first liberty.
#[derive(Clone)]
pub struct Position {
    size: BoardSize,
    cells: Cells,
}

impl Position {
    /// The empty board.
    pub fn new(size: BoardSize) -> Position {
        let mut position = Position { size, cells: Cells::OUTSIDE };
        position.clear(size);
        position
    }

    /// Makes this the empty board of `size`, in less time than a new one takes.
    pub fn clear(&mut self, size: BoardSize) {
        let (width, height) = (usize::from(size.width()), usize::from(size.height()));
        if size != self.size {
            *self = Position { size, cells: Cells::OUTSIDE };
        }
        let mut line = [OUTSIDE; STRIDE];
        line[1..=width].fill(OPEN);
        line[1] -= 1;
        line[width] -= 1;
        // The border, too, has counted what was next to it.
        for row in 1..=height {
            self.cells.row_mut(row, STRIDE).copy_from_slice(&line);
        }
        for (outside, row) in [(0, 1), (height + 1, height)] {
            self.cells.row_mut(outside, STRIDE).fill(OUTSIDE);
            self.cells.row_mut(row, STRIDE)[1..=width].iter_mut().for_each(|cell| *cell -= 1);
        }
    }

    /// The board's size.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The hash of the stones. It is not kept by plays: few games ever ask for one.
    pub fn hash(&self) -> PositionHash {
        let mut hash = PositionHash::default();
        for row in 1..=usize::from(self.size.height()) {
            for (column, stones) in self.cells.stones_of_row(row, 1 + usize::from(self.size.width())) {
                for (color, mut stones) in Color::BOTH.into_iter().zip(stones) {
                    while stones != 0 {
                        let nearest = column + stones.trailing_zeros() as usize / 8;
                        hash.toggle(color, Point::from_cell(row * STRIDE + nearest));
                        stones &= stones - 1;
                    }
                }
            }
        }
        hash
    }

    /// The stone on a point of the board; `None` when it is empty or off the board.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Color> {
        grid::stone(self.cells[point.cell()])
    }

    /// The points next to `point` that are on the board.
    #[inline]
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let is_on_board = |cell: &usize| self.cells[*cell] & ON_CELL != BORDER;
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
            let cells = self.cells.row(row, 1 + usize::from(self.size.width()));
            cells.iter().rev().fold(0, |bits, cell| bits << 1 | u64::from(cell & ON_CELL == on_cell))
        })
    }

    /// The stones of the chain that holds `point`, in no particular order; nothing when the point is empty.
    ///
    /// ```
    /// let position = jigo_core::diagram::read("X X . X").unwrap();
    /// assert_eq!(position.chain(jigo_core::Point::new(1, 0)).count(), 2);
    /// ```
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let color = self.stone(point);
        let mut met = PointSet::EMPTY;
        met.insert(point);
        let mut next: Vec<Point> = color.map(|_| point).into_iter().collect();
        std::iter::from_fn(move || {
            let point = next.pop()?;
            next.extend(self.neighbours(point).filter(|beside| self.stone(*beside) == color && met.insert(*beside)));
            Some(point)
        })
    }

    /// A point that stands for the chain holding `point`: the first of its stones, row by row from the top left.
    pub fn chain_head(&self, point: Point) -> Option<Point> {
        self.chain(point).min()
    }

    /// One stone of every chain that has no liberty; only [`Position::place`] can leave such chains.
    pub fn chains_without_liberties(&self) -> Vec<Point> {
        let mut met = PointSet::EMPTY;
        let mut found = Vec::new();
        for point in self.size.iter().filter(|&point| self.stone(point).is_some() && !self.has_liberty(point)) {
            if met.insert(point) {
                let mut chain: Vec<Point> = self.chain(point).collect();
                chain.iter().for_each(|&stone| _ = met.insert(stone));
                if !chain.iter().any(|&stone| self.has_liberty(stone)) {
                    chain.sort_unstable();
                    found.push(named_by(&chain));
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// The stones alone, to compare or to undo turns on.
    pub fn stones(&self) -> Stones {
        Stones(self.by_color())
    }

    /// The stones of each colour, Black's first.
    pub(crate) fn by_color(&self) -> [PointSet; 2] {
        let [black, white] = Color::BOTH.map(of_color);
        PointSet::pair_of_rows(self.size.height(), |row| {
            let cells = self.cells.row(row, 1 + usize::from(self.size.width()));
            cells.iter().rev().fold([0, 0], |bits, cell| {
                let on_cell = cell & ON_CELL;
                [bits[0] << 1 | u64::from(on_cell == black), bits[1] << 1 | u64::from(on_cell == white)]
            })
        })
    }

    /// Whether a point has an empty neighbour.
    #[inline]
    fn has_liberty(&self, point: Point) -> bool {
        self.cells[point.cell()] & LIBERTIES > 0
    }
}

/// The stone that stands for a chain, of which all stones are given in order: the one that is left if each of them by itself, row by
/// row, joins what is to its left and above, and the larger part keeps its stone, the later one where both are as large. Rows have
/// named chains so since they have named any.
fn named_by(chain: &[Point]) -> Point {
    let mut parts: Vec<(usize, u32)> = (0..chain.len()).map(|stone| (stone, 1)).collect();
    let part_of = |parts: &[(usize, u32)], mut stone: usize| {
        while parts[stone].0 != stone {
            stone = parts[stone].0;
        }
        stone
    };
    for (stone, point) in chain.iter().enumerate() {
        for beside in [point.cell() - 1, point.cell() - STRIDE] {
            let Ok(other) = chain.binary_search_by_key(&beside, |point| point.cell()) else { continue };
            let (mut keep, mut drop) = (part_of(&parts, stone), part_of(&parts, other));
            if keep != drop {
                if parts[keep].1 < parts[drop].1 {
                    std::mem::swap(&mut keep, &mut drop);
                }
                parts[keep].1 += parts[drop].1;
                parts[drop].0 = keep;
            }
        }
    }
    chain[part_of(&parts, 0)]
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

    #[test]
    fn a_chain_without_liberties_is_named_by_the_stone_that_its_larger_part_keeps() {
        let named = |diagram| read(diagram).unwrap().chains_without_liberties();
        assert_eq!(named("X X O\nO O ."), [Point::new(1, 0)]);
        assert_eq!(named("X X X O\nO X O .\n. O . ."), [Point::new(1, 0)]);
        assert_eq!(named("X O\nX X"), [Point::new(1, 0), Point::new(0, 1)]);
        assert!(named("X X O\nO . .").is_empty());
    }

    /// A play does what a look at every chain says, over random games on boards small enough to be full of captures.
    #[test]
    fn plays_take_off_the_chains_without_liberties() {
        let mut seed = 11;
        for game in 0..240_u8 {
            let size = BoardSize::new(1 + game % 6, 1 + game / 6 % 5).unwrap();
            let mut position = Position::new(size);
            for turn in 0..120 {
                let random = split_mix(&mut seed);
                let point = Point::new((random >> 8) as u8 % size.width(), (random >> 16) as u8 % size.height());
                if position.stone(point).is_none() {
                    let color = Color::BOTH[(turn + (random >> 60) as usize / 12) % 2];
                    let (mut slow, mut removed) = (position.clone(), Vec::new());
                    let played = position.play(color, point, &mut removed);
                    slow.place([(point, Some(color))]);
                    let [captured, suicide] = [color.opponent(), color].map(|color| take_off_dead(&mut slow, color));
                    assert_eq!((played.captured, played.suicide), (captured, suicide), "{position:?}");
                    assert_eq!((position.stones(), removed.len() as u32), (slow.stones(), captured + suicide));
                }
            }
        }
    }

    /// Takes off all chains of a colour that have no liberty, and says how many stones they had.
    fn take_off_dead(position: &mut Position, color: Color) -> u32 {
        let is_empty = |point: Point| position.stone(point).is_none();
        let has_liberty = |stone: Point| position.neighbours(stone).any(is_empty);
        let stones = position.size().iter().filter(|point| position.stone(*point) == Some(color));
        let dead: Vec<Point> = stones.filter(|point| !position.chain(*point).any(has_liberty)).collect();
        dead.iter().for_each(|stone| position.take_off(*stone));
        dead.len() as u32
    }

    /// Liberties and hash kept by play agree with those rebuilt from the stones, over random games.
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
        let kept = !grid::EMPTIED;
        for row in 0..=usize::from(position.size().height()) + 1 {
            let cells = |position: &Position| -> Vec<u8> {
                position.cells.row(row, STRIDE).iter().map(|cell| cell & kept).collect()
            };
            assert_eq!(cells(&scratch), cells(position));
        }
        for point in position.size().iter() {
            let empty = position.neighbours(point).filter(|beside| position.stone(*beside).is_none()).count();
            assert_eq!(usize::from(position.cells[point.cell()] & LIBERTIES), empty);
        }
        assert!(position.chains_without_liberties().is_empty());
    }
}
