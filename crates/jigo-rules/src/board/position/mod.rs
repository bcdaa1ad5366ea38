//! A position: the stones on a board, with chains and liberties.

mod grid;
mod play;

use super::hash::PositionHash;
use super::point::{BoardSize, Color, Point, STRIDE};
use super::point_set::PointSet;
use grid::{BORDER, CELL_STONE, Cells, EMPTY, LIBERTIES, OPEN, OUTSIDE, color_bits, neighbours};

/// The result of a play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemovedStones {
    /// Number of captured opposing stones.
    pub captured: u32,
    /// Number of own stones removed by suicide, including the played one. 0 if the play was not
    /// suicide.
    pub suicide: u32,
}

/// The stones on a board.
///
/// [`Position::play`] captures and executes suicide. A position does not know ko, turn order or
/// history; the [`Referee`](crate::Referee) judges the legality of plays. Two positions are
/// equal if their stones are equal.
///
/// For speed a position does not store chains. It stores the number of empty neighbours of each
/// point. A play next to an opposing stone with another empty neighbour cannot capture its chain.
/// Only next to a stone without one does `play` search the chain, up to the first liberty.
#[derive(Clone)]
pub struct Position {
    size: BoardSize,
    cells: Cells,
}

impl Position {
    /// Creates an empty board.
    pub fn new(size: BoardSize) -> Position {
        let mut position = Position { size, cells: Cells::OUTSIDE };
        position.clear(size);
        position
    }

    /// Empties this board and changes its size, faster than creating a new one.
    pub fn clear(&mut self, size: BoardSize) {
        let (width, height) = (usize::from(size.width()), usize::from(size.height()));
        if size != self.size {
            *self = Position { size, cells: Cells::OUTSIDE };
        }
        let mut line = [OUTSIDE; STRIDE];
        line[1..=width].fill(OPEN);
        line[1] -= 1;
        line[width] -= 1;
        // Border cells keep their count of 4, as `LIBERTIES` explains.
        for row in 1..=height {
            self.cells.row_mut(row, STRIDE).copy_from_slice(&line);
        }
        for (border_row, row) in [(0, 1), (height + 1, height)] {
            self.cells.row_mut(border_row, STRIDE).fill(OUTSIDE);
            self.cells.row_mut(row, STRIDE)[1..=width].iter_mut().for_each(|cell| *cell -= 1);
        }
    }

    /// Returns the board's size.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Computes the hash of the stones.
    ///
    /// Plays do not maintain it, because few games need it.
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

    /// Returns the stone on a point, or `None` if the point is empty or off the board.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Color> {
        grid::stone(self.cells[point.cell()])
    }

    /// Returns the neighbours of `point` that are on the board.
    #[inline]
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let is_on_board = |cell: &usize| self.cells[*cell] & CELL_STONE != BORDER;
        neighbours(point.cell()).into_iter().filter(is_on_board).map(Point::from_cell)
    }

    /// Returns the number of stones of `color`.
    pub fn stone_count(&self, color: Color) -> u32 {
        self.size.iter().filter(|&point| self.stone(point) == Some(color)).count() as u32
    }

    /// Returns the points with a stone of this colour, or the empty points for `None`.
    pub fn points_with(&self, stone: Option<Color>) -> PointSet {
        let on_cell = stone.map_or(EMPTY, color_bits);
        PointSet::from_rows(self.size.height(), |row| {
            let cells = self.cells.row(row, 1 + usize::from(self.size.width()));
            cells.iter().rev().fold(0, |bits, cell| bits << 1 | u64::from(cell & CELL_STONE == on_cell))
        })
    }

    /// Returns the stones of the chain at `point` in arbitrary order, or nothing if the point is
    /// empty.
    ///
    /// ```
    /// let position = jigo_rules::diagram::read("X X . X").unwrap();
    /// assert_eq!(position.chain(jigo_rules::Point::new(1, 0)).count(), 2);
    /// ```
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let color = self.stone(point);
        let mut visited = PointSet::EMPTY;
        visited.insert(point);
        let mut next: Vec<Point> = color.map(|_| point).into_iter().collect();
        std::iter::from_fn(move || {
            let point = next.pop()?;
            next.extend(
                self.neighbours(point)
                    .filter(|neighbour| self.stone(*neighbour) == color && visited.insert(*neighbour)),
            );
            Some(point)
        })
    }

    /// Returns the liberties of the chain at a point, at most `max_count` of them.
    pub fn liberties(&self, point: Point, max_count: usize) -> Vec<Point> {
        let mut liberties = Vec::new();
        for neighbour in self.chain(point).flat_map(|stone| self.neighbours(stone)) {
            if self.is_empty(neighbour) && !liberties.contains(&neighbour) {
                liberties.push(neighbour);
                if liberties.len() == max_count {
                    break;
                }
            }
        }
        liberties
    }

    /// Returns the chains of some stones, each once, in the order of their first stones.
    pub fn chains(&self, stones: &[Point]) -> Vec<Vec<Point>> {
        let mut chains: Vec<Vec<Point>> = Vec::new();
        for &stone in stones {
            if !chains.iter().any(|chain| chain.contains(&stone)) {
                chains.push(self.chain(stone).collect());
            }
        }
        chains
    }

    /// Returns one stone of each chain without liberties, sorted.
    ///
    /// Only [`Position::place`] can create such chains.
    pub fn chains_without_liberties(&self) -> Vec<Point> {
        let mut visited = PointSet::EMPTY;
        let mut named_stones = Vec::new();
        for point in self.size.iter().filter(|&point| self.stone(point).is_some() && !self.has_liberty(point)) {
            if visited.insert(point) {
                let mut chain: Vec<Point> = self.chain(point).collect();
                chain.iter().for_each(|&stone| _ = visited.insert(stone));
                if !chain.iter().any(|&stone| self.has_liberty(stone)) {
                    chain.sort_unstable();
                    named_stones.push(stone_in_findings(&chain));
                }
            }
        }
        named_stones.sort_unstable();
        named_stones
    }

    /// Returns the stones alone, for comparison or undo.
    pub fn stones(&self) -> Stones {
        Stones(self.stones_by_color())
    }

    /// Returns the stones of each colour, Black first.
    pub fn stones_by_color(&self) -> [PointSet; 2] {
        let [black, white] = Color::BOTH.map(color_bits);
        PointSet::pair_from_rows(self.size.height(), |row| {
            let cells = self.cells.row(row, 1 + usize::from(self.size.width()));
            cells.iter().rev().fold([0, 0], |bits, cell| {
                let on_cell = cell & CELL_STONE;
                [bits[0] << 1 | u64::from(on_cell == black), bits[1] << 1 | u64::from(on_cell == white)]
            })
        })
    }

    /// Returns true if the point has an empty neighbour.
    #[inline]
    fn has_liberty(&self, point: Point) -> bool {
        self.cells[point.cell()] & LIBERTIES > 0
    }
}

/// Returns the stone that names a chain in findings. `chain` contains all its stones in order.
///
/// The stones join their left and upper neighbours one by one, row by row. Of two joined parts the
/// larger one keeps its stone; if they are equal, the later one does. Earlier versions chose the
/// stone in this way, so the output stays stable.
fn stone_in_findings(chain: &[Point]) -> Point {
    let mut parts: Vec<(usize, u32)> = (0..chain.len()).map(|stone| (stone, 1)).collect();
    let part_of = |parts: &[(usize, u32)], mut stone: usize| {
        while parts[stone].0 != stone {
            stone = parts[stone].0;
        }
        stone
    };
    for (stone, point) in chain.iter().enumerate() {
        for neighbour in [point.cell() - 1, point.cell() - STRIDE] {
            let Ok(other) = chain.binary_search_by_key(&neighbour, |point| point.cell()) else { continue };
            let (mut larger, mut smaller) = (part_of(&parts, stone), part_of(&parts, other));
            if larger != smaller {
                if parts[larger].1 < parts[smaller].1 {
                    std::mem::swap(&mut larger, &mut smaller);
                }
                parts[larger].1 += parts[smaller].1;
                parts[smaller].0 = larger;
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

/// The stones of a position, Black first. Used to confirm a repetition after a hash match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stones([PointSet; 2]);

impl Stones {
    /// Sets or empties a point.
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

    fn play(position: &mut Position, color: Color, a1: &str) -> RemovedStones {
        let point = Point::from_a1(a1, position.size()).unwrap();
        position.play(color, point, &mut Vec::new())
    }

    #[test]
    fn play_captures_before_it_counts_its_own_liberties() {
        let mut position = read(". O X\nO X .\nX . .").unwrap();
        assert_eq!(play(&mut position, Color::Black, "A3"), RemovedStones { captured: 2, suicide: 0 });
        assert_eq!(position, read("X . X\n. X .\nX . .").unwrap());
    }

    #[test]
    fn suicide_takes_the_whole_chain() {
        let mut position = read(". X O\nO O .").unwrap();
        assert_eq!(play(&mut position, Color::Black, "A2"), RemovedStones { captured: 0, suicide: 2 });
        assert_eq!(position, read(". . O\nO O .").unwrap());
    }

    #[test]
    fn setup_captures_nothing_but_reports_chains_without_liberties() {
        let position = read("X O\nO .").unwrap();
        assert_eq!(position.chains_without_liberties(), [Point::new(0, 0)]);
    }

    #[test]
    fn chain_is_named_by_a_stone_of_its_larger_part() {
        let named_stones = |diagram| read(diagram).unwrap().chains_without_liberties();
        assert_eq!(named_stones("X X O\nO O ."), [Point::new(1, 0)]);
        assert_eq!(named_stones("X X X O\nO X O .\n. O . ."), [Point::new(1, 0)]);
        assert_eq!(named_stones("X O\nX X"), [Point::new(1, 0), Point::new(0, 1)]);
        assert!(named_stones("X X O\nO . .").is_empty());
    }

    /// Compares plays with a full search of every chain, over random games.
    ///
    /// The boards are small, so captures are frequent.
    #[test]
    fn plays_remove_chains_without_liberties() {
        let mut seed = 11;
        for game in 0..240_u8 {
            let size = BoardSize::new(1 + game % 6, 1 + game / 6 % 5).unwrap();
            let mut position = Position::new(size);
            for turn in 0..120 {
                let random = split_mix(&mut seed);
                let point = Point::new((random >> 8) as u8 % size.width(), (random >> 16) as u8 % size.height());
                if position.stone(point).is_none() {
                    let color = Color::BOTH[(turn + (random >> 60) as usize / 12) % 2];
                    let (mut reference, mut removed) = (position.clone(), Vec::new());
                    let play_result = position.play(color, point, &mut removed);
                    reference.place([(point, Some(color))]);
                    let [captured, suicide] =
                        [color.opponent(), color].map(|color| take_off_dead(&mut reference, color));
                    assert_eq!((play_result.captured, play_result.suicide), (captured, suicide), "{position:?}");
                    assert_eq!((position.stones(), removed.len() as u32), (reference.stones(), captured + suicide));
                }
            }
        }
    }

    /// Removes all chains of a colour without liberties and returns their number of stones.
    fn take_off_dead(position: &mut Position, color: Color) -> u32 {
        let is_empty = |point: Point| position.stone(point).is_none();
        let has_liberty = |stone: Point| position.neighbours(stone).any(is_empty);
        let stones = position.size().iter().filter(|point| position.stone(*point) == Some(color));
        let dead: Vec<Point> = stones.filter(|point| !position.chain(*point).any(has_liberty)).collect();
        dead.iter().for_each(|stone| position.remove_stone(*stone));
        dead.len() as u32
    }

    /// Compares the liberties and the hash after plays with those of a rebuilt position,
    /// over random games.
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
                    Some(_) if random.is_multiple_of(3) => position.remove_stone(point),
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
        let compared_bits = !grid::CLEARED;
        for row in 0..=usize::from(position.size().height()) + 1 {
            let cells = |position: &Position| -> Vec<u8> {
                position.cells.row(row, STRIDE).iter().map(|cell| cell & compared_bits).collect()
            };
            assert_eq!(cells(&scratch), cells(position));
        }
        for point in position.size().iter() {
            let empty = position.neighbours(point).filter(|neighbour| position.stone(*neighbour).is_none()).count();
            assert_eq!(usize::from(position.cells[point.cell()] & LIBERTIES), empty);
        }
        assert!(position.chains_without_liberties().is_empty());
    }
}
