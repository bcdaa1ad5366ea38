//! What a game's history is asked when a position comes back, answered in steps that do not grow with the game.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::history::Entry;
use crate::board::{Color, PositionHash, Stones};

/// Entries between two positions that are kept to begin undoing turns from. Few, under test, to be reached by short games.
pub(super) const SPACING: usize = if cfg!(test) { 4 } else { 1024 };

/// The first entries of a history by their positions. Few games ever ask, so nothing is hashed before a question.
#[derive(Default)]
pub(super) struct Recurrence {
    /// For the positions of the indexed entries, as hashes of what differs from the initial one, the latest entry.
    latest: HashMap<PositionHash, u32, BuildHasherDefault<KeyHasher>>,
    indexed: Vec<Indexed>,
    /// Entries whose stones were found to be those of an earlier one, which is the latest before it, in order.
    confirmed: Vec<(u32, u32)>,
    /// For every [`SPACING`]th entry the stones after it, where somebody went past them.
    kept: Vec<Option<Box<Stones>>>,
}

/// What is known of an entry.
#[derive(Clone, Copy)]
struct Indexed {
    hash: PositionHash,
    /// The entry before with the same hash.
    earlier: Option<u32>,
    occurrences: Occurrences,
    totals: Totals,
}

/// The latest entries with one position. Arrays hold Black's first.
#[derive(Clone, Copy, Default)]
pub(super) struct Occurrences {
    /// Left by this player, by a play or a pass.
    pub left_by: [Option<u32>; 2],
    /// Created by this player, by a play; the initial position is created by whoever has left it.
    pub created_by: [Option<u32>; 2],
    /// Followed by a turn of this player.
    pub followed_by: [Option<u32>; 2],
}

/// What the turns of a history add up to, from its first to one of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    /// Stones taken off the board, Black's first.
    pub lost: [u32; 2],
    /// Turns that took stones off, and those of them that took off one.
    pub captures: u32,
    pub single_captures: u32,
    /// Turns that took off stones of whoever made them.
    pub suicides: u32,
    pub passes: u32,
}

impl Totals {
    /// The same with one more turn.
    pub(super) fn with(self, entry: &Entry) -> Totals {
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

    /// What was added to `earlier`.
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

impl Recurrence {
    pub(super) fn clear(&mut self) {
        if !self.indexed.is_empty() {
            self.latest.clear();
            self.indexed.clear();
            self.confirmed.clear();
        }
        self.kept.clear();
    }

    /// Entries that are indexed.
    pub(super) fn len(&self) -> usize {
        self.indexed.len()
    }

    /// The hash of the last indexed entry.
    pub(super) fn last_hash(&self) -> PositionHash {
        self.indexed.last().map_or(PositionHash::default(), |last| last.hash)
    }

    /// The latest indexed entry with this hash.
    pub(super) fn latest(&self, hash: PositionHash) -> Option<usize> {
        self.latest.get(&hash).map(|entry| *entry as usize)
    }

    /// The latest entry before an indexed one with the same hash.
    pub(super) fn earlier(&self, entry: usize) -> Option<usize> {
        self.indexed[entry].earlier.map(|entry| entry as usize)
    }

    /// The latest entries with the position of an indexed one, up to it.
    pub(super) fn occurrences(&self, entry: usize) -> Occurrences {
        self.indexed[entry].occurrences
    }

    /// What the turns up to an entry add up to; those that are indexed need not be gone through.
    pub(super) fn totals(&self, entries: &[Entry], entry: usize) -> Totals {
        match self.indexed.get(entry) {
            Some(indexed) => indexed.totals,
            None => {
                let indexed = self.indexed.last().map_or(Totals::default(), |last| last.totals);
                entries[self.indexed.len()..=entry].iter().fold(indexed, Totals::with)
            }
        }
    }

    /// Says that the stones after `entry`, which is not indexed yet, are those after `earlier`, the latest entry of which that is true.
    pub(super) fn confirm(&mut self, entry: usize, earlier: usize) {
        self.confirmed.push((entry as u32, earlier as u32));
    }

    /// Indexes the next entry, which has this hash and which a turn of `follower` follows.
    pub(super) fn push(&mut self, entries: &[Entry], hash: PositionHash, follower: Option<Color>) {
        let index = self.indexed.len();
        let (entry, number) = (&entries[index], index as u32);
        let earlier = self.latest.insert(hash, number);
        let mut occurrences = earlier.and_then(|_| self.same_as(entry, number)).unwrap_or_default();
        if let Some(color) = entry.left_by {
            occurrences.left_by[color.index()] = Some(number);
            if index == 0 || entry.point.is_some() {
                occurrences.created_by[color.index()] = Some(number);
            }
        }
        if let Some(color) = follower {
            occurrences.followed_by[color.index()] = Some(number);
        }
        let before = self.indexed.last().map_or(Totals::default(), |last| last.totals);
        self.indexed.push(Indexed { hash, earlier, occurrences, totals: before.with(entry) });
    }

    /// The occurrences up to the latest entry before this one that has its position.
    fn same_as(&self, entry: &Entry, number: u32) -> Option<Occurrences> {
        let earlier = match entry.point {
            None => number.checked_sub(1)?,
            Some(_) => {
                let found = self.confirmed.binary_search_by_key(&number, |(entry, _)| *entry).ok()?;
                self.confirmed[found].1
            }
        };
        Some(self.indexed[earlier as usize].occurrences)
    }

    /// Forgets entry `last`, and who follows the one before.
    pub(super) fn take_back(&mut self, last: usize) {
        while self.indexed.len() >= last.max(1)
            && let Some(Indexed { hash, earlier, .. }) = self.indexed.pop()
        {
            match earlier {
                Some(earlier) => self.latest.insert(hash, earlier),
                None => self.latest.remove(&hash),
            };
        }
        self.confirmed.pop_if(|(entry, _)| *entry as usize == last);
        self.kept.truncate(last.div_ceil(SPACING));
    }

    /// The first kept position at or behind an entry, with its entry.
    pub(super) fn kept_behind(&self, entry: usize) -> Option<(usize, &Stones)> {
        let first = entry.div_ceil(SPACING);
        let found = (first..self.kept.len()).find_map(|place| Some((place, self.kept[place].as_deref()?)));
        found.map(|(place, stones)| (place * SPACING, stones))
    }

    /// Keeps the stones after an entry, if they are worth keeping.
    pub(super) fn keep(&mut self, entry: usize, stones: &Stones) {
        if !entry.is_multiple_of(SPACING) {
            return;
        }
        let place = entry / SPACING;
        if self.kept.len() <= place {
            self.kept.resize(place + 1, None);
        }
        self.kept[place].get_or_insert_with(|| Box::new(stones.clone()));
    }
}

/// The map's keys are random bits already.
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
    use crate::rules::cycle::Cycle;
    use crate::rules::{Referee, Repetition};

    /// Every answer by going through all earlier positions, stone by stone.
    fn by_hand(positions: &[Stones], entries: &[Entry]) -> Option<Repetition> {
        let last = entries.len() - 1;
        let color = entries[last].left_by.unwrap();
        let opponent = Some(color.opponent());
        let same: Vec<usize> = (0..last).rev().filter(|entry| positions[*entry] == positions[last]).collect();
        let latest = |is: &dyn Fn(usize) -> bool| same.iter().copied().find(|entry| is(*entry));
        same.first()?;
        Some(Repetition {
            ko: latest(&|at| at + 1 == last || (at + 2 == last && entries[last - 1].left_by == opponent)),
            psk: latest(&|_| true),
            ssk: latest(&|at| at + 1 < last && entries[at + 1].left_by == opponent),
            own: latest(&|at| entries[at].left_by == Some(color)),
            nssk: latest(&|at| entries[at].left_by == Some(color) && (at == 0 || entries[at].point.is_some())),
            button: (1..last).find(|at| entries[*at].point.is_none()).unwrap_or(0),
        })
    }

    /// On small boards positions come back all the time, further back than kept positions are apart.
    #[test]
    fn what_came_back_is_what_going_through_all_positions_finds() {
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
                let facts = referee.take(turn, number as u32);
                positions.push(referee.position().stones());
                let entries = referee.history().entries();
                if entries.last().is_some_and(|entry| entry.point.is_some()) {
                    assert_eq!(facts.repetition, by_hand(&positions, entries), "round {round}, turn {number}");
                }
                if let Some(first) = facts.repetition.and_then(|found| found.psk) {
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

    /// The same position over and over took the square of the turns, or their cube where one player took them all.
    #[test]
    fn a_position_that_comes_back_thousands_of_times_is_found_each_time() {
        let mut referee = Referee::new(BoardSize::standard());
        let (one, other) = (Point::new(0, 0), Point::new(5, 5));
        for number in 0..40_000_u32 {
            let point = if number < 20_000 { one } else { [one, other][number as usize % 2] };
            referee.take(Turn::play(Color::White, point), number + 1);
        }
        assert_eq!(referee.history().entries().len(), 40_001);
    }
}
