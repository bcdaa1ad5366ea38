//! Which positions occurred, who left them and who created them.
//!
//! The question a superko rule asks is answered once for all rules ([`Repetition`]); which of them is in force is the
//! referee's business. The definitions are those of the superko literature: positional (Tromp–Taylor), situational (AGA),
//! "a position this player has left" (New Zealand), natural situational (French federation, BGA).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::board::{Action, Color, Played, Point, PointSet, Position, PositionHash, Turn};

/// A play that recreates an earlier position, seen by every repetition rule at once.
///
/// Each field names the latest entry of the history that makes the rule forbid the play, if any does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repetition {
    /// Basic ko: the position before the opponent's turn, or the one the play was made on.
    pub ko: Option<usize>,
    /// Positional superko: any earlier position. Always set: a repetition is one because of it.
    pub psk: Option<usize>,
    /// Situational superko: an earlier position from which the opponent took the next turn.
    pub ssk: Option<usize>,
    /// A position that this player has left before, by a play or a pass.
    pub own: Option<usize>,
    /// Natural situational superko: a position that this player has created before, by a play.
    pub nssk: Option<usize>,
}

/// One turn as the history keeps it, with the position it led to; entry 0 is the initial position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The position after the turn.
    pub hash: PositionHash,
    /// Who left this position; for entry 0 see [`History::start`].
    pub left_by: Option<Color>,
    /// Where the stone was put; `None` for a pass and for the initial position.
    pub point: Option<Point>,
    /// The stone that the play replaced, when it was made onto an occupied point.
    pub replaced: Option<Color>,
    /// Stones of Black and of White that the turn took off the board.
    pub lost: [u32; 2],
    /// The record's number of the turn: B and W properties from 1; an implied pass has that of the turn after it.
    pub turn: u32,
    /// Whether the position came about by a play.
    created: bool,
    /// End of this turn's stones in the list of removed ones.
    removed_end: usize,
    /// The entry before this one with the same hash.
    earlier: Option<usize>,
}

/// The positions of a game since its initial position or its last setup.
#[derive(Default)]
pub struct History {
    entries: Vec<Entry>,
    removed: Vec<Point>,
    emptied: PointSet,
    latest: HashMap<PositionHash, usize, BuildHasherDefault<KeyHasher>>,
    /// Entries below this one are in `latest`. Most games never ask, so nothing is indexed before a question.
    indexed: usize,
}

impl History {
    /// Begins anew with an initial position. `left_by` attributes it to a player as if by a play: for setup, by convention, the
    /// opponent of the first player to move, so that a ko standing in the setup can't be retaken at once. Nobody has left an
    /// empty board, whoever is named.
    pub fn start(&mut self, position: &Position, left_by: Option<Color>) {
        self.entries.clear();
        self.removed.clear();
        self.emptied = PointSet::EMPTY;
        self.indexed = 0;
        self.latest.clear();
        self.entries.push(Entry {
            hash: position.hash(),
            left_by: left_by.filter(|_| position.size().iter().any(|point| position.stone(point).is_some())),
            point: None,
            replaced: None,
            lost: [0; 2],
            turn: 0,
            created: true,
            removed_end: 0,
            earlier: None,
        });
    }

    /// All entries, the initial position first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The stones that entry `index` took off the board.
    pub fn removed(&self, index: usize) -> &[Point] {
        let start = index.checked_sub(1).map_or(0, |before| self.entries[before].removed_end);
        &self.removed[start..self.entries[index].removed_end]
    }

    /// Adds a pass.
    pub fn pass(&mut self, color: Color, turn: u32, position: &Position) {
        self.push(Turn::pass(color), turn, position, [0; 2], None);
    }

    /// Plays on `position`, adds the play, and says which earlier positions it recreates. The play is made whatever the answer.
    ///
    /// `replaced` is the stone that was on the point and that the caller has taken off.
    pub fn play(
        &mut self,
        position: &mut Position,
        (color, point): (Color, Point),
        turn: u32,
        replaced: Option<Color>,
    ) -> (Played, Option<Repetition>) {
        let removed_start = self.removed.len();
        let played = position.play(color, point, &mut self.removed);
        let mut lost = [0; 2];
        lost[color.index()] = played.suicide;
        lost[color.opponent().index()] = played.captured;
        self.push(Turn::play(color, point), turn, position, lost, replaced);
        // A position with a stone where none ever was before is new. Only a suicide leaves no stone, only a replaced
        // stone can bring one back without the point having been emptied.
        let may_repeat = played.suicide > 0 || replaced.is_some() || self.emptied.contains(point);
        for index in removed_start..self.removed.len() {
            self.emptied.insert(self.removed[index]);
        }
        if replaced.is_some() {
            self.emptied.insert(point);
        }
        (played, if may_repeat { self.repetition(position) } else { None })
    }

    /// Takes the last turn back from the history and from `position`.
    ///
    /// # Panics
    /// When only the initial position is left.
    pub fn take_back(&mut self, position: &mut Position) {
        assert!(self.entries.len() > 1, "the initial position can't be taken back");
        let last = self.entries.len() - 1;
        let mut stones = Vec::with_capacity(8);
        self.undo(last, |point, stone| stones.push((point, stone)));
        if !stones.is_empty() {
            position.place(stones);
        }
        let entry = self.entries[last];
        if self.indexed > last {
            match entry.earlier {
                Some(earlier) => self.latest.insert(entry.hash, earlier),
                None => self.latest.remove(&entry.hash),
            };
            self.indexed = last;
        }
        self.removed.truncate(self.entries[last - 1].removed_end);
        self.entries.pop();
    }

    fn push(&mut self, turn: Turn, number: u32, position: &Position, lost: [u32; 2], replaced: Option<Color>) {
        let point = match turn.action {
            Action::Play(point) => Some(point),
            Action::Pass => None,
        };
        self.entries.push(Entry {
            hash: position.hash(),
            left_by: Some(turn.color),
            point,
            replaced,
            lost,
            turn: number,
            created: point.is_some(),
            removed_end: self.removed.len(),
            earlier: None,
        });
    }

    /// The earlier positions that the last entry, a play, recreates.
    fn repetition(&mut self, position: &Position) -> Option<Repetition> {
        let last = self.entries.len() - 1;
        self.index_before(last);
        let color = self.entries[last].left_by?;
        let opponent = Some(color.opponent());
        let mut candidate = self.latest.get(&self.entries[last].hash).copied();
        let now = candidate.map(|_| position.stones())?;
        let (mut then, mut undone_to) = (now.clone(), last);
        let mut found = Repetition::default();
        while let Some(entry) = candidate {
            let there = self.entries[entry];
            candidate = there.earlier;
            while undone_to > entry {
                self.undo(undone_to, |point, stone| then.set(point, stone));
                undone_to -= 1;
            }
            if then != now {
                continue; // equal hashes of different positions
            }
            // `last` is the play itself, so the turn from the position before it is this player's.
            let ko = entry + 1 == last || (entry + 2 == last && self.entries[last - 1].left_by == opponent);
            let ssk = entry + 1 < last && self.entries[entry + 1].left_by == opponent;
            let own = there.left_by == Some(color);
            found.psk = found.psk.or(Some(entry));
            found.ko = found.ko.or(ko.then_some(entry));
            found.ssk = found.ssk.or(ssk.then_some(entry));
            found.own = found.own.or(own.then_some(entry));
            found.nssk = found.nssk.or((own && there.created).then_some(entry));
            if found.ssk.is_some() && found.nssk.is_some() {
                break; // a ko is among the latest two entries, an own position is found with a natural one
            }
        }
        found.psk.map(|_| found)
    }

    fn index_before(&mut self, end: usize) {
        for index in self.indexed..end {
            self.entries[index].earlier = self.latest.insert(self.entries[index].hash, index);
        }
        self.indexed = self.indexed.max(end);
    }

    /// Calls `set` with what has to stand on each point for turn `index` not to have happened.
    fn undo(&self, index: usize, mut set: impl FnMut(Point, Option<Color>)) {
        let entry = &self.entries[index];
        let (Some(color), Some(point)) = (entry.left_by, entry.point) else { return };
        let suicide = entry.lost[color.index()] > 0;
        let lost = if suicide { color } else { color.opponent() };
        for &stone in self.removed(index) {
            set(stone, Some(lost));
        }
        set(point, entry.replaced);
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
