//! An index of a game's history, which answers each question about a repetition in time independent
//! of the game's length.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::board::{Color, Point, PositionHash, Stones};

/// One turn of the history and the position after it.
///
/// Entry 0 is the initial position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// Player who left this position. For entry 0 see [`History::start`](super::History::start).
    pub left_by: Option<Color>,
    /// Point of the played stone. `None` for a pass and for the initial position.
    pub point: Option<Point>,
    /// Stone that the play replaced, if the point was occupied.
    pub replaced: Option<Color>,
    /// Stones that the turn removed, Black first.
    pub lost: [u16; 2],
    /// Number of the turn in the record: `B` and `W` properties from 1.
    ///
    /// An implied pass has the number of the turn before it.
    pub turn: u32,
    /// End of this turn's stones in the list of removed stones.
    pub(super) removed_end: u32,
}

/// Entries between two checkpoints: stored positions from which `undo_to` can start.
///
/// Tests use a small number, so that short games reach it.
pub(super) const SPACING: usize = if cfg!(test) { 4 } else { 1024 };

/// The index from positions to entries of a history.
///
/// Few games need it, so nothing is hashed before the first question.
#[derive(Default)]
pub(super) struct PositionIndex {
    /// The latest indexed entry of each position.
    ///
    /// The key is the hash of the difference from the initial position.
    latest: HashMap<PositionHash, u32, BuildHasherDefault<KeyHasher>>,
    indexed: Vec<IndexedEntry>,
    /// Entries whose stones are proven equal to those of an earlier entry, in order.
    ///
    /// The second number is the latest such earlier entry.
    confirmed: Vec<(u32, u32)>,
    /// The stones after every [`SPACING`]th entry that a search has passed.
    checkpoints: Vec<Option<Box<Stones>>>,
}

/// The indexed facts of an entry.
#[derive(Clone, Copy)]
struct IndexedEntry {
    hash: PositionHash,
    /// The latest earlier entry with the same hash.
    earlier: Option<u32>,
    occurrences: Occurrences,
    totals: Totals,
}

/// The latest entries with the same position. Arrays are ordered Black first.
#[derive(Clone, Copy, Default)]
pub(super) struct Occurrences {
    /// Left by this player, by a play or a pass.
    pub left_by: [Option<u32>; 2],
    /// Created by this player, by a play. The initial position counts as created by the player who
    /// left it.
    pub created_by: [Option<u32>; 2],
    /// Followed by a turn of this player.
    pub followed_by: [Option<u32>; 2],
}

/// Sums over the turns of a history, from the first to one of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    /// Removed stones, Black first.
    pub lost: [u32; 2],
    /// Turns that removed stones. `single_captures` counts those that removed one stone.
    pub captures: u32,
    pub single_captures: u32,
    /// Turns that removed stones of the player who made them.
    pub suicides: u32,
    pub passes: u32,
}

impl Totals {
    /// Returns these totals plus one more turn.
    pub(super) fn plus_entry(self, entry: &HistoryEntry) -> Totals {
        let lost = entry.lost.map(u32::from);
        let suicide = entry.left_by.is_some_and(|color| lost[color.index()] > 0);
        let stones = lost[0] + lost[1];
        Totals {
            lost: [self.lost[0] + lost[0], self.lost[1] + lost[1]],
            captures: self.captures + u32::from(stones > 0),
            single_captures: self.single_captures + u32::from(stones == 1),
            suicides: self.suicides + u32::from(suicide),
            passes: self.passes + u32::from(entry.point.is_none()),
        }
    }

    /// Returns the difference from `earlier`.
    pub(super) fn since(self, earlier: Totals) -> Totals {
        Totals {
            lost: [self.lost[0] - earlier.lost[0], self.lost[1] - earlier.lost[1]],
            captures: self.captures - earlier.captures,
            single_captures: self.single_captures - earlier.single_captures,
            suicides: self.suicides - earlier.suicides,
            passes: self.passes - earlier.passes,
        }
    }
}

impl PositionIndex {
    pub(super) fn clear(&mut self) {
        if !self.indexed.is_empty() {
            self.latest.clear();
            self.indexed.clear();
            self.confirmed.clear();
        }
        self.checkpoints.clear();
    }

    /// Returns the number of indexed entries.
    pub(super) fn len(&self) -> usize {
        self.indexed.len()
    }

    /// Returns the hash of the last indexed entry.
    pub(super) fn last_hash(&self) -> PositionHash {
        self.indexed.last().map_or(PositionHash::default(), |last| last.hash)
    }

    /// Returns the latest indexed entry with this hash.
    pub(super) fn latest(&self, hash: PositionHash) -> Option<usize> {
        self.latest.get(&hash).map(|entry| *entry as usize)
    }

    /// Returns the latest entry before an indexed one with the same hash.
    pub(super) fn earlier(&self, entry: usize) -> Option<usize> {
        self.indexed[entry].earlier.map(|entry| entry as usize)
    }

    /// Returns the latest entries with the position of an indexed entry, up to that entry.
    pub(super) fn occurrences(&self, entry: usize) -> Occurrences {
        self.indexed[entry].occurrences
    }

    /// Returns the totals of the turns up to an entry. Only entries that are not indexed are added
    /// up.
    pub(super) fn totals(&self, entries: &[HistoryEntry], entry: usize) -> Totals {
        match self.indexed.get(entry) {
            Some(indexed) => indexed.totals,
            None => {
                let indexed = self.indexed.last().map_or(Totals::default(), |last| last.totals);
                entries[self.indexed.len()..=entry].iter().fold(indexed, Totals::plus_entry)
            }
        }
    }

    /// Records that the stones after `entry` equal those after `earlier`.
    ///
    /// `entry` is not indexed yet, and `earlier` is the latest entry with these stones.
    pub(super) fn confirm(&mut self, entry: usize, earlier: usize) {
        self.confirmed.push((entry as u32, earlier as u32));
    }

    /// Indexes the next entry, which has this hash. `follower` is the player of the turn after it.
    pub(super) fn push(&mut self, entries: &[HistoryEntry], hash: PositionHash, follower: Option<Color>) {
        let index = self.indexed.len();
        let (entry, number) = (&entries[index], index as u32);
        let earlier = self.latest.insert(hash, number);
        let mut occurrences = earlier.and_then(|_| self.earlier_occurrences(entry, number)).unwrap_or_default();
        if let Some(color) = entry.left_by {
            occurrences.left_by[color.index()] = Some(number);
            if index == 0 || entry.point.is_some() {
                occurrences.created_by[color.index()] = Some(number);
            }
        }
        if let Some(color) = follower {
            occurrences.followed_by[color.index()] = Some(number);
        }
        let previous = self.indexed.last().map_or(Totals::default(), |last| last.totals);
        self.indexed.push(IndexedEntry { hash, earlier, occurrences, totals: previous.plus_entry(entry) });
    }

    /// Returns the occurrences of the entry's position, up to the latest earlier entry with this
    /// position.
    fn earlier_occurrences(&self, entry: &HistoryEntry, number: u32) -> Option<Occurrences> {
        let earlier = match entry.point {
            None => number.checked_sub(1)?,
            Some(_) => {
                let index = self.confirmed.binary_search_by_key(&number, |(entry, _)| *entry).ok()?;
                self.confirmed[index].1
            }
        };
        Some(self.indexed[earlier as usize].occurrences)
    }

    /// Removes entry `last` from the index, and the follower of the entry before it.
    pub(super) fn take_back(&mut self, last: usize) {
        while self.indexed.len() >= last.max(1)
            && let Some(IndexedEntry { hash, earlier, .. }) = self.indexed.pop()
        {
            match earlier {
                Some(earlier) => self.latest.insert(hash, earlier),
                None => self.latest.remove(&hash),
            };
        }
        self.confirmed.pop_if(|(entry, _)| *entry as usize == last);
        self.checkpoints.truncate(last.div_ceil(SPACING));
    }

    /// Returns the first checkpoint at or after an entry, with its entry.
    pub(super) fn checkpoint_after(&self, entry: usize) -> Option<(usize, &Stones)> {
        let first = entry.div_ceil(SPACING);
        let checkpoint =
            (first..self.checkpoints.len()).find_map(|index| Some((index, self.checkpoints[index].as_deref()?)));
        checkpoint.map(|(index, stones)| (index * SPACING, stones))
    }

    /// Stores the stones after an entry if it is a multiple of [`SPACING`].
    pub(super) fn add_checkpoint(&mut self, entry: usize, stones: &Stones) {
        if !entry.is_multiple_of(SPACING) {
            return;
        }
        let index = entry / SPACING;
        if self.checkpoints.len() <= index {
            self.checkpoints.resize(index + 1, None);
        }
        self.checkpoints[index].get_or_insert_with(|| Box::new(stones.clone()));
    }
}

/// A hasher that returns the key itself, because keys are already random bits.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }
    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{BoardSize, Point, Turn};
    use crate::cycle::Cycle;
    use crate::{Referee, Repetition};

    /// Answers every question by comparing the stones of all earlier positions.
    fn by_comparison(positions: &[Stones], entries: &[HistoryEntry]) -> Option<Repetition> {
        let last = entries.len() - 1;
        let color = entries[last].left_by.unwrap();
        let opponent = Some(color.opponent());
        let equal_entries: Vec<usize> = (0..last).rev().filter(|entry| positions[*entry] == positions[last]).collect();
        let latest = |predicate: &dyn Fn(usize) -> bool| equal_entries.iter().copied().find(|entry| predicate(*entry));
        equal_entries.first()?;
        Some(Repetition {
            ko: latest(&|earlier| {
                earlier + 1 == last || (earlier + 2 == last && entries[last - 1].left_by == opponent)
            }),
            psk: latest(&|_| true),
            ssk: latest(&|earlier| earlier + 1 < last && entries[earlier + 1].left_by == opponent),
            own: latest(&|earlier| entries[earlier].left_by == Some(color)),
            nssk: latest(&|earlier| {
                entries[earlier].left_by == Some(color) && (earlier == 0 || entries[earlier].point.is_some())
            }),
            button: (1..last).find(|earlier| entries[*earlier].point.is_none()).unwrap_or(0),
        })
    }

    /// On these small boards, positions repeat often.
    ///
    /// The distance of the repetitions exceeds [`SPACING`].
    #[test]
    fn repetitions_agree_with_comparing_all_positions() {
        let mut seed = 1;
        let mut random = |below: u64| crate::board::hash::split_mix(&mut seed) % below;
        for round in 0..400 {
            let size = BoardSize::new(1 + random(2) as u8, 2).unwrap();
            let mut referee = Referee::new(size);
            let mut positions = vec![referee.position().stones()];
            for number in 1..60 {
                let color = if random(3) == 0 { Color::BOTH[random(2) as usize] } else { Color::BOTH[number % 2] };
                let point = Point::new(random(size.width().into()) as u8, random(size.height().into()) as u8);
                let turn = if random(8) == 0 { Turn::pass(color) } else { Turn::play(color, point) };
                let facts = referee.make_turn(turn, number as u32);
                positions.push(referee.position().stones());
                let entries = referee.history().entries();
                if entries.last().is_some_and(|entry| entry.point.is_some()) {
                    assert_eq!(facts.repetition, by_comparison(&positions, entries), "round {round}, turn {number}");
                }
                if let Some(first) = facts.repetition.and_then(|repetition| repetition.psk) {
                    let lost = |color: Color| {
                        entries[first + 1..].iter().map(|entry| u32::from(entry.lost[color.index()])).sum::<u32>()
                    };
                    let cycle = Cycle::between(referee.history(), first, entries.len() - 1);
                    assert_eq!([cycle.lost_black, cycle.lost_white], [lost(Color::Black), lost(Color::White)]);
                }
                if random(5) == 0 {
                    referee.take_back();
                    positions.pop();
                }
            }
        }
    }

    /// Guards against quadratic time for a position that repeats throughout, and against cubic time
    /// if one player takes all turns.
    #[test]
    fn position_repeated_40000_times_takes_linear_time() {
        let mut referee = Referee::new(BoardSize::standard());
        let (first, second) = (Point::new(0, 0), Point::new(5, 5));
        for number in 0..40_000_u32 {
            let point = if number < 20_000 { first } else { [first, second][number as usize % 2] };
            referee.make_turn(Turn::play(Color::White, point), number + 1);
        }
        assert_eq!(referee.history().entries().len(), 40_001);
    }
}
