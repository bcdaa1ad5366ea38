//! Settled positions: every chain is unconditionally alive or dead.

use crate::shape::cell_set::CellSet;
use crate::shape::grid::{Grid, with_words};
use jigo_rules::board::{Color, Point, PointSet, Position};

/// The part of the board that a colour keeps even if it always passes, as sets of points.
///
/// The chains are those of D. B. Benson, "Life in the Game of Go", Information Sciences 10 (1976):
/// the opponent cannot capture them with any number of consecutive plays. Benson's rules forbid
/// suicide. If suicide is legal, the opponent can remove its own stones from a region and return.
/// In that case a region is vital to a chain only if every point, not only every empty one, is next
/// to the chain. Chains that are pass-alive with legal suicide are also pass-alive without it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PassAlive<S = PointSet> {
    /// Stones of the pass-alive chains.
    pub stones: S,
    /// Pass-alive territory: empty points and opposing stones.
    ///
    /// It consists of the regions that border only on pass-alive chains and have at most one point
    /// that is not next to such a chain. An opposing chain can live there permanently only with two
    /// eyes, which are two empty points without neighbouring stones of the colour. Pass-alive
    /// chains stay on the board, so one such point is not enough, even after captures.
    ///
    /// Benson's condition for a vital region (every empty point is a liberty of one chain) is not
    /// sufficient here: capturing a large chain can give the opponent space to live.
    pub territory: S,
}

/// A maximal connected set of points without stones of the colour, with at least one empty point.
struct Region {
    /// The neighbouring chains by number, with the number of counting points next to each.
    chains: Vec<(usize, usize)>,
    /// Number of points that must all be next to a chain to make the region vital to it.
    required: usize,
}

/// The right of the opponent to make suicide plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpponentSuicide {
    /// The ruleset forbids suicide.
    Illegal,
    /// The opponent may remove its own stones.
    Legal,
}

/// Returns the chains that `color` cannot lose by passing, and their territory.
///
/// ```
/// use jigo_rules::{Color, diagram};
/// use jigo_score::{OpponentSuicide, pass_alive};
///
/// let position = diagram::read(". X . X .\nX X X X O").unwrap();
/// assert_eq!(pass_alive(&position, Color::Black, OpponentSuicide::Illegal).stones.len(), 6);
/// assert!(pass_alive(&position, Color::White, OpponentSuicide::Illegal).stones.is_empty());
/// ```
pub fn pass_alive(position: &Position, color: Color, suicide: OpponentSuicide) -> PassAlive {
    with_words!(position.size(), pass_alive_points, position, color, suicide)
}

fn pass_alive_points<const W: usize>(position: &Position, color: Color, suicide: OpponentSuicide) -> PassAlive {
    let grid = Grid::<W>::new(position.size());
    let stones = grid.stones(position);
    let PassAlive { stones, territory } = PassAlive::on(&grid, stones, color, suicide);
    PassAlive { stones: grid.points(&stones), territory: grid.points(&territory) }
}

impl<const W: usize> PassAlive<CellSet<W>> {
    /// Computes the result as sets of cells. `stones` is ordered Black first.
    fn on(grid: &Grid<W>, stones: [CellSet<W>; 2], color: Color, suicide: OpponentSuicide) -> PassAlive<CellSet<W>> {
        let nothing_alive = PassAlive { stones: CellSet::EMPTY, territory: CellSet::EMPTY };
        let (own_stones, other) = (stones[color.index()], stones[color.opponent().index()]);
        let other_points = grid.board.without(&own_stones);
        let empty = other_points.without(&other);
        let required = if suicide == OpponentSuicide::Legal { other_points } else { empty };
        // A region with a counting point next to no chain is vital to none. Usually this leaves
        // fewer than the two regions that a chain needs.
        let surroundings = grid.dilate(&own_stones);
        let barren = grid.flood(&required.without(&surroundings), &other_points);
        let parts: Vec<CellSet<W>> = grid.parts(other_points.without(&barren)).collect();
        if parts.len() < 2 {
            return nothing_alive;
        }
        let chains = Chains::new(grid, &own_stones);
        let parts = parts.into_iter().filter(|part| part.intersects(&empty));
        let mut regions: Vec<Region> = parts.map(|part| chains.region(&part, &surroundings, &required)).collect();
        let mut is_alive = vec![true; chains.stones.len()];
        while drop_chains(&regions, &mut is_alive) {
            regions.retain(|region| region.chains.iter().all(|&(chain, _)| is_alive[chain]));
        }
        if !is_alive.contains(&true) {
            return nothing_alive;
        }
        let living_chains = chains.stones.iter().zip(is_alive).filter(|(_, is_alive)| *is_alive);
        let stones = living_chains.fold(CellSet::EMPTY, |all, (chain, _)| all.union(chain));
        let (surroundings, dead_stones) = (grid.dilate(&stones), own_stones.without(&stones));
        let is_territory = |part: &CellSet<W>| {
            part.intersects(&surroundings)
                && part.without(&surroundings).len() <= 1
                && !grid.dilate(part).intersects(&dead_stones)
        };
        let territory =
            grid.parts(other_points).filter(is_territory).fold(CellSet::EMPTY, |all, part| all.union(&part));
        PassAlive { stones, territory }
    }
}

/// The chains of a colour by number.
struct Chains<'a, const W: usize> {
    grid: &'a Grid<W>,
    stones: Vec<CellSet<W>>,
    /// Number of the chain on each cell, or [`NONE`].
    chain_of_cell: [[u16; 64]; W],
}

const NONE: u16 = u16::MAX;

impl<'a, const W: usize> Chains<'a, W> {
    fn new(grid: &'a Grid<W>, own: &CellSet<W>) -> Chains<'a, W> {
        let mut chains = Chains { grid, stones: Vec::new(), chain_of_cell: [[NONE; 64]; W] };
        let chain_of = chains.chain_of_cell.as_flattened_mut();
        for stone in own.iter() {
            if chain_of[stone] == NONE {
                let chain = grid.flood(&CellSet::from_iter([stone]), own);
                chain.iter().for_each(|cell| chain_of[cell] = chains.stones.len() as u16);
                chains.stones.push(chain);
            }
        }
        chains
    }

    /// Creates the region of `points`.
    ///
    /// `surroundings` contains the points next to a chain, and `required` the points that count.
    fn region(&self, points: &CellSet<W>, surroundings: &CellSet<W>, required: &CellSet<W>) -> Region {
        let mut contacts: Vec<Option<usize>> = vec![None; self.stones.len()];
        let chain_of = self.chain_of_cell.as_flattened();
        for cell in points.intersection(surroundings).iter() {
            let counts = usize::from(required.contains(cell));
            let neighbour_chains = self.grid.neighbours(cell).map(|neighbour| chain_of[neighbour]);
            for (side, chain) in neighbour_chains.into_iter().enumerate() {
                if chain != NONE && !neighbour_chains[..side].contains(&chain) {
                    *contacts[usize::from(chain)].get_or_insert(0) += counts;
                }
            }
        }
        let numbered = contacts.into_iter().enumerate();
        let chains = numbered.filter_map(|(chain, contacts)| Some((chain, contacts?))).collect();
        Region { chains, required: points.intersection(required).len() as usize }
    }
}

/// Marks the chains with fewer than two vital regions as not pass-alive. Returns true if there were
/// any.
///
/// A region is vital to a chain if all its counting points are next to the chain. A region without
/// an empty point, which setup can create, gives no liberty, is not vital to any chain and is not
/// in `regions`.
fn drop_chains(regions: &[Region], alive: &mut [bool]) -> bool {
    let mut vital = vec![0; alive.len()];
    for region in regions {
        for &(chain, contacts) in &region.chains {
            vital[chain] += usize::from(contacts == region.required);
        }
    }
    let mut has_dropped = false;
    for (alive, vital) in alive.iter_mut().zip(vital) {
        has_dropped |= *alive && vital < 2;
        *alive &= vital >= 2;
    }
    has_dropped
}

/// Returns true if a chain is clearly neither pass-alive nor dead. This test saves most positions
/// the search for regions.
///
/// Each region next to the chain has a point without a neighbouring stone of its colour, so none is
/// vital. Also, the chain lies in a region of the opponent with two neighbouring points that have
/// no neighbouring stone of the opponent. This is too much space for territory.
fn has_clearly_undecided_chain<const W: usize>(grid: &Grid<W>, stones: [CellSet<W>; 2]) -> bool {
    // A colour's stones, all other points, and those of the latter that are not next to the stones.
    let sides = stones.map(|own_stones| {
        let other_points = grid.board.without(&own_stones);
        (own_stones, other_points, other_points.without(&grid.dilate(&own_stones)))
    });
    let without_small_region = |color: Color| {
        let (own_stones, other_points, interior) = &sides[color.index()];
        let small = other_points.without(&grid.flood(interior, other_points));
        own_stones.without(&grid.flood(&grid.dilate(&small), own_stones))
    };
    let in_room = |opponent: Color| {
        let (_, other_points, interior) = &sides[opponent.index()];
        grid.flood(&interior.intersection(&grid.adjacent(interior, 1)), other_points)
    };
    Color::BOTH.into_iter().any(|color| without_small_region(color).intersects(&in_room(color.opponent())))
}

/// Returns the dead stones, in order, if every chain is pass-alive or inside the opponent's
/// pass-alive territory.
///
/// Returns `None` if the life of a chain is not decided. Empty points may still be open: dame
/// between pass-alive chains, or space in which a player could have lived but did not play. A board
/// without stones is settled with no dead stones. Suicide is considered legal, so the result is
/// valid under all rules.
///
/// ```
/// use jigo_rules::{Point, diagram};
/// use jigo_score::settled_dead_stones;
///
/// // A white stone in the territory of a chain with two eyes is dead.
/// let position = diagram::read(". X O . X\nX X X X X").unwrap();
/// assert_eq!(settled_dead_stones(&position), Some(vec![Point::new(2, 0)]));
/// // This race is not decided.
/// assert_eq!(settled_dead_stones(&diagram::read("X . O\nX . O").unwrap()), None);
/// ```
pub fn settled_dead_stones(position: &Position) -> Option<Vec<Point>> {
    with_words!(position.size(), settled_dead, position)
}

fn settled_dead<const W: usize>(position: &Position) -> Option<Vec<Point>> {
    let grid = Grid::<W>::new(position.size());
    let stones = grid.stones(position);
    if has_clearly_undecided_chain(&grid, stones) {
        return None;
    }
    let alive = Color::BOTH.map(|color| PassAlive::on(&grid, stones, color, OpponentSuicide::Legal));
    let mut all_dead = CellSet::EMPTY;
    for (color, own_stones) in Color::BOTH.into_iter().zip(stones) {
        let dead = own_stones.intersection(&alive[color.opponent().index()].territory);
        if !own_stones.without(&dead).without(&alive[color.index()].stones).is_empty() {
            return None;
        }
        all_dead.add(&dead);
    }
    Some(all_dead.iter().map(|cell| grid.point(cell)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::BoardSize;
    use jigo_rules::board::diagram::read;
    use jigo_rules::board::hash::split_mix;

    fn dead_of(diagram: &str) -> Option<Vec<String>> {
        settled_dead_stones(&read(diagram).unwrap()).map(|dead| dead.iter().map(Point::to_string).collect())
    }

    #[test]
    fn two_eyes_live_and_one_does_not() {
        let two_eyes = read(". X . X O").unwrap();
        assert_eq!(pass_alive(&two_eyes, Color::Black, OpponentSuicide::Illegal).stones, PointSet::EMPTY);
        let one_eye = read(". X . X .\nX X X X O").unwrap();
        assert_eq!(pass_alive(&one_eye, Color::Black, OpponentSuicide::Illegal).stones.len(), 6);
        assert_eq!(pass_alive(&one_eye, Color::Black, OpponentSuicide::Illegal).territory.len(), 4);
        assert_eq!(pass_alive(&one_eye, Color::White, OpponentSuicide::Illegal).stones, PointSet::EMPTY);
    }

    #[test]
    fn ending_is_settled_when_every_chain_lives_or_is_dead() {
        assert_eq!(dead_of(". X . X O .\nX X X X O O\n. . X O . O\n. . X O O O"), Some(vec![]));
        assert_eq!(dead_of(". X O . X\nX X X X X"), Some(vec!["ca".into()]));
        assert_eq!(dead_of("X . O\nX . O"), None);
    }

    /// The quick test may overlook an open position, but must never reject a settled one.
    #[test]
    fn quick_test_rejects_no_settled_position() {
        let mut seed = 5;
        let mut seen = [0, 0];
        for turns in 0..3_000 {
            let size = BoardSize::new(7, 7).unwrap();
            let mut position = Position::new(size);
            for turn in 0..turns % 500 {
                let random = split_mix(&mut seed);
                let point = Point::new((random >> 8) as u8 % 7, (random >> 16) as u8 % 7);
                let is_own_eye = position
                    .neighbours(point)
                    .all(|neighbour| position.stone(neighbour) == Some(Color::BOTH[turn % 2]));
                if position.stone(point).is_none() && !is_own_eye {
                    position.play(Color::BOTH[turn % 2], point, &mut Vec::new());
                }
            }
            let sides = Color::BOTH.map(|color| pass_alive(&position, color, OpponentSuicide::Legal));
            let is_decided = |point: Point| {
                let color_index = position.stone(point).map_or(0, |color| color.index());
                position.stone(point).is_none()
                    || sides[color_index].stones.contains(point)
                    || sides[1 - color_index].territory.contains(point)
            };
            let is_settled = size.iter().all(is_decided);
            let grid = Grid::<2>::new(size);
            assert!(
                !(is_settled && has_clearly_undecided_chain(&grid, grid.stones(&position))),
                "{}",
                jigo_rules::board::diagram::draw(&position)
            );
            seen[usize::from(is_settled)] += 1;
        }
        assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
    }

    #[test]
    fn board_without_stones_is_settled() {
        assert_eq!(dead_of(". .\n. ."), Some(vec![]));
    }

    #[test]
    fn stone_with_room_for_two_eyes_is_not_dead() {
        let text = ". X . . . . .\nX X . . O . .\n. X . . . . .\nX X . . . . .";
        assert_eq!(dead_of(text), None);
    }

    #[test]
    fn strangled_setup_stones_give_no_eye() {
        let position = read("O X .\nX X X\nX X X").unwrap();
        assert_eq!(pass_alive(&position, Color::Black, OpponentSuicide::Illegal).stones, PointSet::EMPTY);
    }

    /// Returns the stones of `color` in `position` that the opponent can capture with consecutive
    /// plays, by exhaustive search.
    fn losable(position: &Position, color: Color, suicide: OpponentSuicide) -> PointSet {
        let size = position.size();
        let all = PointSet::full_board(size);
        let start: PointSet = all.iter().filter(|&point| position.stone(point) == Some(color)).collect();
        let (mut seen, mut pending) = (std::collections::HashSet::from([position.hash()]), vec![position.clone()]);
        let mut lost = PointSet::EMPTY;
        while let Some(node) = pending.pop() {
            for point in all.iter().filter(|&point| node.stone(point).is_none()) {
                let (mut next, mut removed) = (node.clone(), Vec::new());
                if next.play(color.opponent(), point, &mut removed).suicide > 0 && suicide == OpponentSuicide::Illegal {
                    continue;
                }
                lost = lost.union(&removed.iter().copied().filter(|&stone| start.contains(stone)).collect());
                if seen.insert(next.hash()) {
                    pending.push(next);
                }
            }
        }
        lost
    }

    fn random_position(size: BoardSize, turns: u64, seed: &mut u64) -> Position {
        let mut position = Position::new(size);
        for _ in 0..turns {
            let random = split_mix(seed);
            let point = Point::new((random >> 8) as u8 % size.width(), (random >> 16) as u8 % size.height());
            if position.stone(point).is_none() {
                position.play(Color::BOTH[(random & 1) as usize], point, &mut Vec::new());
            }
        }
        position
    }

    /// Benson's theorem is an equivalence: exactly these chains survive if their owner passes.
    #[test]
    fn pass_alive_chains_agree_with_exhaustive_search() {
        let mut seed = 1976;
        let mut count = 0;
        for (width, height) in [(1, 5), (2, 3), (2, 4), (3, 3)] {
            let size = BoardSize::new(width, height).unwrap();
            for game in 0..150 {
                let position = random_position(size, 8 + game % 30, &mut seed);
                let both = |color| [OpponentSuicide::Illegal, OpponentSuicide::Legal].map(|suicide| (color, suicide));
                for (color, suicide) in Color::BOTH.into_iter().flat_map(both) {
                    let alive = pass_alive(&position, color, suicide).stones;
                    let own_stones: PointSet =
                        size.iter().filter(|&point| position.stone(point) == Some(color)).collect();
                    let unlosable = own_stones.without(&losable(&position, color, suicide));
                    assert_eq!(alive, unlosable, "{color:?} suicide {suicide:?} {position:?}");
                    count += alive.len();
                }
            }
        }
        assert!(count > 100, "{count}");
    }
}
