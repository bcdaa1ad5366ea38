//! Cheap filters that reject most pairs of games before the comparison.

use std::sync::OnceLock;

use super::align::MAX_EDITS;
use super::class::OTHER_END;
use super::sketch::{GameSketch, PackedTurn};
use jigo_rules::board::{BoardSize, split_mix};

/// Number of compared turns of the shorter game.
const COMPARED_TURNS: usize = 32;
/// Largest number of turns of the shorter game after the common part: different last turns, plus
/// the shift by slips.
const MAX_REST: usize = OTHER_END + SHIFT;
/// Largest shift by slips, in turns.
const SHIFT: usize = MAX_EDITS as usize;
/// Largest number of turns without an equal one near their place: two for each slip, if it
/// exchanges turns.
const MAX_MISSING: u32 = 2 * MAX_EDITS as u32;
/// Number of kinds of turns.
const KINDS: usize = 64;

/// The distance from the edges of each turn's point.
///
/// Neither symmetries nor an exchange of colours change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    size: BoardSize,
    turns: Vec<u8>,
}

impl Outline {
    /// Computes the outline from a packed sketch. Returns `None` for invalid bytes.
    pub fn from_packed(bytes: &[u8]) -> Option<Outline> {
        let (size, turns) = GameSketch::packed_turns(bytes)?;
        let last_play = turns.clone().rposition(|turn| !turn.is_pass()).map_or(0, |last| last + 1);
        let turns = turns.take(last_play);
        let turns = match size == BoardSize::standard() {
            true => turns.map(|turn| standard_kinds()[usize::from(turn.place())]).collect(),
            false => turns.map(|turn| kind(turn, size)).collect(),
        };
        Some(Outline { size, turns })
    }

    /// Returns false if [`compare_records`](super::compare_records) cannot accept two games as one.
    /// Pairs with the same text are an exception.
    ///
    /// `compare_records` aligns one game with the other, in some view and with few edits, up to the
    /// last turns of the shorter one. So nearly all turns before those have a turn of their kind
    /// near their place in the other game. In two different games few turns do.
    pub fn can_match(&self, other: &Outline) -> bool {
        let (shorter, longer) = if self.turns.len() <= other.turns.len() { (self, other) } else { (other, self) };
        let is_square = shorter.size == longer.size && shorter.size.width() == shorter.size.height();
        // On other boards, a point off the board may be on it in another view.
        let Some(first) = shorter.turns.len().checked_sub(MAX_REST + COMPARED_TURNS).filter(|_| is_square) else {
            return true;
        };
        let start = first.saturating_sub(SHIFT);
        // One bit for each turn of a kind.
        let mut nearby = [0_u64; KINDS];
        for (index, kind) in
            longer.turns[start..longer.turns.len().min(first + COMPARED_TURNS + SHIFT)].iter().enumerate()
        {
            nearby[usize::from(*kind) % KINDS] |= 1 << (SHIFT + start - first + index);
        }
        let span = (1 << (2 * SHIFT + 1)) - 1;
        let missing = shorter.turns[first..first + COMPARED_TURNS].iter().enumerate();
        let missing = missing.filter(|(index, kind)| nearby[usize::from(**kind) % KINDS] >> index & span == 0);
        missing.count() as u32 <= MAX_MISSING
    }
}

/// Turns counted by a census.
const CENSUS_TURNS: usize = 96;
/// One bit in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Counts of the kinds among a game's first turns: eight counts of one byte, each for other kinds.
///
/// It is small enough to store for every game. 0 means that the game is too short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census(u64);

impl Census {
    /// Computes the census of the game with this outline.
    pub fn from_outline(Outline { size, turns }: &Outline) -> Census {
        let has_census = size.width() == size.height() && turns.len() >= CENSUS_TURNS + MAX_REST;
        let counts = |turns: &[u8]| turns.iter().map(|kind| split_mix(&mut u64::from(*kind)) & ONES).sum();
        Census(turns.get(..CENSUS_TURNS).filter(|_| has_census).map_or(0, counts))
    }

    /// Returns false if [`compare_records`](super::compare_records) cannot accept two games as one,
    /// like [`Outline::can_match`].
    ///
    /// One edit changes each count by at most one.
    pub fn can_match(self, other: Census) -> bool {
        let mut counts = self.0.to_le_bytes().into_iter().zip(other.0.to_le_bytes());
        self.0 == 0 || other.0 == 0 || counts.all(|(own, other)| own.abs_diff(other) <= MAX_EDITS)
    }
}

/// Returns the kinds of all places on the 19x19 board.
fn standard_kinds() -> &'static [u8; PackedTurn::PLACES] {
    static KINDS: OnceLock<[u8; PackedTurn::PLACES]> = OnceLock::new();
    KINDS.get_or_init(|| std::array::from_fn(|place| kind(PackedTurn(place as u16), BoardSize::standard())))
}

/// Returns a number that is the same for all points related by a symmetry of a square board.
///
/// On large boards, unrelated points may share a number.
fn kind(turn: PackedTurn, size: BoardSize) -> u8 {
    let Some(point) = turn.point(size) else { return KINDS as u8 - 1 };
    let from_edge = |coordinate: u8, length: u8| usize::from(coordinate.min(length - 1 - coordinate));
    let (x, y) = (from_edge(point.x(), size.width()), from_edge(point.y(), size.height()));
    let (nearer_edge, farther_edge) = (x.min(y), x.max(y));
    ((farther_edge * (farther_edge + 1) / 2 + nearer_edge) % (KINDS - 1)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similarity::{View, compare_records};
    use jigo_record::Coordinates;
    use jigo_rules::board::hash::split_mix;
    use jigo_rules::board::{Color, Point};

    fn sketch(size: BoardSize, turns: Vec<PackedTurn>) -> GameSketch {
        GameSketch { size, setup: Vec::new(), turns, clocks: Vec::new(), header: Default::default() }
    }

    fn can_match(own: &GameSketch, other: &GameSketch) -> [bool; 2] {
        let [own, other] = [own, other].map(|sketch| Outline::from_packed(&sketch.pack()).unwrap());
        let census = Census::from_outline(&own).can_match(Census::from_outline(&other));
        [census, own.can_match(&other) && other.can_match(&own)]
    }

    /// Checks that the filters never reject a pair that `compare_records` accepts.
    ///
    /// The games are random, in random views, with allowed and forbidden numbers of slips.
    #[test]
    fn filters_never_reject_a_pair_that_compare_accepts() {
        let mut seed = 5;
        let mut random = |below: usize| (split_mix(&mut seed) % below as u64) as usize;
        let (mut duplicates, mut rejected) = (0, [0; 2]);
        for round in 0..20_000 {
            let size = BoardSize::square([19, 19, 9, 3, 52][round % 5]).unwrap();
            let width = usize::from(size.width());
            let mut turn = |number: usize| {
                // Sometimes off the board.
                let column = random(width + round % 2).min(BoardSize::MAX as usize - 1);
                let point = Point::new(column as u8, random(width) as u8);
                let coordinates = if random(40) == 0 { Coordinates::Pass } else { Coordinates::Play(point) };
                PackedTurn::turn(Color::BOTH[number % 2], coordinates)
            };
            let turns: Vec<PackedTurn> = (0..40 + 3 * (round % 60)).map(&mut turn).collect();
            let mut others = turns.clone();
            for _ in 0..random(7) {
                let index = random(others.len() - 1);
                match random(5) {
                    0 => others[index] = others[index / 2],
                    1 => _ = others.remove(index),
                    2 => others.insert(index, others[index / 2]),
                    3 => others.swap(index, index + 1),
                    // Different last turns, or none, or the rest of the game.
                    _ => {
                        let from = if random(2) == 0 { others.len() - index.min(24) } else { index };
                        let last = random(2);
                        others[from..].reverse();
                        others.truncate(from.max(last * turns.len()).max(20));
                    }
                }
            }
            let view = View::all().nth(random(16)).unwrap();
            let others = others.into_iter().map(|turn| turn.in_view(view, size)).collect();
            let [one, other] = [sketch(size, turns), sketch(size, others)];
            let (can_match, is_pair) = (can_match(&one, &other), compare_records(&one, &other, false).is_some());
            assert!(can_match == [true; 2] || !is_pair, "round {round}: {can_match:?}");
            duplicates += u32::from(is_pair);
            rejected.iter_mut().zip(can_match).for_each(|(rejected, can_match)| *rejected += u32::from(!can_match));
        }
        assert!(
            duplicates > 5_000 && rejected.iter().all(|rejected| *rejected > 500),
            "{duplicates} are one, {rejected:?} are told apart"
        );
    }
}
