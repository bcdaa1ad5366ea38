//! The compared data of a game, with two bytes for each turn.

use std::collections::HashMap;

use super::header_sketch::HeaderSketch;
use super::symmetry::View;
use jigo_record::record::clock::Clock;
use jigo_record::sgf::tokens::lexer::{Lexer, ScanBudget};
use jigo_record::{Coordinates, GameRecord, PlayerList, Step, StepKind};
use jigo_rules::board::{BoardSize, Color, Point, PointSet, Position};

/// A stone or a turn in 14 bits: its owner in the upper two and its place in the others.
///
/// A place is the row times 52 plus the column. Higher numbers mean a pass, an invalid point or a
/// setup between turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedTurn(pub(super) u16);

/// Number of bits of the place.
const PLACE_BITS: u32 = 12;
const ROW: u16 = BoardSize::MAX as u16;
/// The owner of a point that a setup empties.
const NO_OWNER: u16 = 3;

impl PackedTurn {
    const PASS: u16 = 4000;
    const UNREADABLE: u16 = 4001;
    const SETUP: u16 = 4002;
    /// Not a turn: the player who begins a problem.
    const FIRST_PLAYER: u16 = 4003;

    /// Number of possible values.
    pub(super) const COUNT: usize = 1 << (PLACE_BITS + 2);
    /// Number of possible places.
    pub(super) const PLACES: usize = 1 << PLACE_BITS;

    fn pack(color: Option<Color>, place: u16) -> PackedTurn {
        PackedTurn(color.map_or(NO_OWNER, |color| color as u16) << PLACE_BITS | place)
    }

    pub(super) fn stone(color: Option<Color>, point: Point) -> PackedTurn {
        PackedTurn::pack(color, u16::from(point.y()) * ROW + u16::from(point.x()))
    }

    /// Creates a turn from its coordinates in the record.
    pub(super) fn turn(color: Color, coordinates: Coordinates) -> PackedTurn {
        match coordinates {
            Coordinates::Play(point) | Coordinates::OffBoard(point) => PackedTurn::stone(Some(color), point),
            Coordinates::Pass => PackedTurn::pack(Some(color), PackedTurn::PASS),
            Coordinates::Unreadable(_) => PackedTurn::pack(Some(color), PackedTurn::UNREADABLE),
        }
    }

    /// Names the player who begins a problem, instead of a turn.
    pub(super) fn first_player(color: Option<Color>) -> PackedTurn {
        PackedTurn::pack(color, PackedTurn::FIRST_PLAYER)
    }

    pub(super) fn is_first_player(self) -> bool {
        self.place() == PackedTurn::FIRST_PLAYER
    }

    pub(super) fn place(self) -> u16 {
        self.0 & ((1 << PLACE_BITS) - 1)
    }

    /// Returns the same place without an owner.
    pub(super) fn without_owner(self) -> PackedTurn {
        PackedTurn(self.place())
    }

    pub(super) fn is_pass(self) -> bool {
        self.place() == PackedTurn::PASS
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the owner: the number of a colour, or 3 for a point emptied by setup.
    pub(super) fn owner(self) -> usize {
        usize::from(self.0 >> PLACE_BITS)
    }

    pub(super) fn is_of(self, color: Color) -> bool {
        self.owner() == color as usize
    }

    /// Returns the point on a board of `size`, or `None` if the place is not a point of it.
    pub(super) fn point(self, size: BoardSize) -> Option<Point> {
        let index = self.place();
        let point = (index < ROW * ROW).then(|| Point::new((index % ROW) as u8, (index / ROW) as u8))?;
        size.contains(point).then_some(point)
    }

    /// Returns the stone in another view, on a board of `size`.
    pub(super) fn in_view(self, view: View, size: BoardSize) -> PackedTurn {
        self.in_view_at(self.point(size), view, size)
    }

    /// Returns the stone in another view. `point` is its point on the board, if it has one.
    #[inline]
    pub(super) fn in_view_at(
        self,
        point: Option<Point>,
        View { symmetry, colors_swapped }: View,
        size: BoardSize,
    ) -> PackedTurn {
        let color = self.0 >> PLACE_BITS;
        let color = if colors_swapped && color != NO_OWNER { NO_OWNER - color } else { color };
        let index = point.map_or(self.place(), |point| {
            let (x, y) = symmetry.place(point, size);
            u16::from(y) * ROW + u16::from(x)
        });
        PackedTurn(color << PLACE_BITS | index)
    }
}

/// The compared data of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSketch {
    /// Board size, which is 19x19 if the record names none.
    pub size: BoardSize,
    /// Points set by the setup before the first turn, and the stones of a handicap, sorted.
    pub setup: Vec<PackedTurn>,
    /// The turns of the main line after the handicap. A setup between turns counts as a turn.
    pub turns: Vec<PackedTurn>,
    /// A hash of the player's clock at each turn, or 0 without one. Empty if the record has no
    /// clocks.
    pub clocks: Vec<u16>,
    /// The compared values of the header.
    pub header: HeaderSketch,
}

impl GameSketch {
    /// Creates the sketch of a record. `text` contains the bytes that its steps refer to, and
    /// `players` lists players by name.
    pub(crate) fn from_record(record: &GameRecord, text: &[u8], players: Option<&PlayerList>) -> GameSketch {
        let header = HeaderSketch::from_header(&record.header, players);
        // The stones of a handicap are set up or played.
        let prefix = record.handicap();
        let is_handicap = prefix.handicap.stones() > 0;
        let steps = if is_handicap { &record.steps[prefix.steps..] } else { &record.steps[..] };
        let handicap = prefix.stones.iter().filter(|_| is_handicap);
        // A later setup replaces an earlier one.
        let mut setup_stones: HashMap<Point, Option<Color>> =
            handicap.map(|point| (point, Some(Color::Black))).collect();
        let mut sketch = GameSketch {
            size: record.header.size,
            setup: Vec::new(),
            turns: Vec::with_capacity(record.steps.len()),
            clocks: Vec::new(),
            header,
        };
        for step in steps {
            match step.kind {
                StepKind::Turn(color, coordinates) => sketch.turns.push(PackedTurn::turn(color, coordinates)),
                StepKind::Setup(_) if !sketch.turns.is_empty() => {
                    sketch.turns.push(PackedTurn::pack(None, PackedTurn::SETUP))
                }
                StepKind::Setup(setup) => setup_stones.extend(record.setup(setup).stones.iter().copied()),
            }
        }
        let stones = setup_stones.into_iter().filter(|(_, color)| color.is_some());
        sketch.setup.extend(stones.map(|(point, color)| PackedTurn::stone(color, point)));
        sketch.setup.sort_unstable();
        if memchr::memmem::find(text, b"BL[").is_some() || memchr::memmem::find(text, b"WL[").is_some() {
            sketch.clocks = clocks(steps, text);
        }
        sketch.play_single_stone();
        sketch
    }

    /// Turns a single stone of Black, which HA[1] may set up, into Black's first turn.
    fn play_single_stone(&mut self) {
        let [stone] = self.setup[..] else { return };
        if stone.is_of(Color::Black) && self.turns.first().is_some_and(|turn| turn.is_of(Color::White)) {
            self.setup.clear();
            self.turns.insert(0, stone);
            if !self.clocks.is_empty() {
                self.clocks.insert(0, 0);
            }
        }
    }

    /// Returns the turns without the passes at the end, which many records omit.
    pub fn turns_without_final_passes(&self) -> &[PackedTurn] {
        let end = self.turns.iter().rposition(|turn| !turn.is_pass()).map_or(0, |last| last + 1);
        &self.turns[..end]
    }

    /// Returns true if the game has neither setup nor plays.
    pub fn is_blank(&self) -> bool {
        self.setup.is_empty() && self.turns_without_final_passes().is_empty()
    }
}

/// Returns a hash of the player's clock at each turn, or 0 without one.
fn clocks(steps: &[Step], text: &[u8]) -> Vec<u16> {
    let scan_budget = ScanBudget::for_text(text.len());
    let mut last_seen = (usize::MAX, [Clock::default(); 2]);
    let mut clock_hash = |offset: usize, color: Option<Color>| -> u16 {
        if last_seen.0 != offset {
            last_seen =
                (offset, Clock::from_node(Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(text) }, offset));
        }
        let remaining = color.and_then(|color| last_seen.1[color.index()].milliseconds);
        // The upper bits of a product with an odd number depend on all bits of the clock. 0 means
        // no clock.
        remaining.map_or(0, |remaining| ((remaining as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as u16 | 1)
    };
    let mut has_turn = false;
    let of_step = |step: &Step| match step.kind {
        StepKind::Turn(color, _) => {
            has_turn = true;
            Some(clock_hash(step.offset as usize, Some(color)))
        }
        StepKind::Setup(_) => has_turn.then_some(0),
    };
    steps.iter().filter_map(of_step).collect()
}

/// Largest initial capacity of a snapshot, in stones.
const MAX_STONES: u32 = 128;

/// Snapshots of the stones on the board after selected turns.
#[derive(Debug)]
pub struct Snapshots<'a> {
    record: &'a GameRecord,
    /// Turns after which to take a snapshot, in order.
    turn_counts: &'a [u32],
    /// The snapshots taken so far: the number of turns and the stones.
    pub positions: Vec<(u32, Vec<PackedTurn>)>,
}

impl<'a> Snapshots<'a> {
    /// Creates an empty collection for snapshots after these turns.
    pub fn new(turn_counts: &'a [u32], record: &'a GameRecord) -> Snapshots<'a> {
        Snapshots { record, turn_counts, positions: Vec::new() }
    }

    /// Takes a snapshot if one is due after `turns`.
    ///
    /// Returns the number of turns to skip before the next call. `has_all_played_stones` means that
    /// the stone of every turn is still on the board.
    pub fn observe(&mut self, turns: u32, has_all_played_stones: bool, position: &Position) -> usize {
        if self.turn_counts.get(self.positions.len()) == Some(&turns) {
            let mut stones = Vec::with_capacity(turns.min(MAX_STONES) as usize);
            let has_all_played_stones = has_all_played_stones && self.record.setups.is_empty();
            // Faster than reading every point of the board.
            match self.record.steps.get(..turns as usize).filter(|_| has_all_played_stones) {
                Some(steps) => {
                    let turns = steps.iter().filter_map(Step::turn);
                    stones.extend(turns.map(|(color, coordinates)| PackedTurn::turn(color, coordinates)));
                }
                None => {
                    let occupied = PointSet::full_board(position.size()).without(&position.points_with(None));
                    stones.extend(occupied.iter().map(|point| PackedTurn::stone(position.stone(point), point)));
                }
            }
            self.positions.push((turns, stones));
        }
        let next = self.turn_counts.get(self.positions.len());
        next.map_or(usize::MAX, |next| next.saturating_sub(turns.saturating_add(1)) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each of the sixteen views, another view moves a stone back to its place.
    #[test]
    fn every_view_can_be_undone() {
        let size = BoardSize::new(7, 9).unwrap();
        for point in size.iter() {
            let stone = PackedTurn::stone(Some(Color::White), point);
            for view in View::all() {
                let in_view = stone.in_view(view, size);
                let (width, height) = view.symmetry.size(size);
                let is_restored = View::all().any(|inverse| {
                    inverse.colors_swapped == view.colors_swapped
                        && in_view.in_view(inverse, BoardSize::new(width, height).unwrap()) == stone
                });
                assert!(is_restored, "{point} {view}");
            }
        }
        let pass = PackedTurn::turn(Color::Black, Coordinates::Pass);
        let swapped = View { colors_swapped: true, ..View::default() };
        assert_eq!(pass.in_view(swapped, size), PackedTurn::turn(Color::White, Coordinates::Pass));
    }
}
