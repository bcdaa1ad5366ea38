//! The history of positions: every position of a game, with the player who left it and the player
//! who created it.
//!
//! The history answers the questions of all superko rules at once ([`Repetition`]). The referee
//! decides which rule is in force. The definitions are those of the superko literature: positional
//! (Tromp–Taylor), situational (AGA), "a position this player has left" (New Zealand), natural
//! situational (French federation, BGA).

pub(crate) mod fast_path;

use super::position_index::{HistoryEntry, PositionIndex, Totals};
use crate::board::{Color, Point, PointSet, Position, PositionHash, RemovedStones, Stones};

/// The earlier positions that a play recreates, under every repetition rule.
///
/// Each field contains the latest history entry that makes its rule forbid the play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repetition {
    /// Basic ko: the position before the opponent's last turn, or the position before this play.
    pub ko: Option<usize>,
    /// Positional superko: any earlier position. Every `Repetition` has this entry.
    pub psk: Option<usize>,
    /// Situational superko: an earlier position followed by a turn of the opponent.
    pub ssk: Option<usize>,
    /// A position that this player has left before, by a play or a pass.
    pub own: Option<usize>,
    /// Natural situational superko: a position that this player has created before, by a play.
    pub nssk: Option<usize>,
    /// The entry of the pass that took the button, or 0 before that. Rulesets with a button allow
    /// the positions before this entry.
    pub button: usize,
}

/// The positions of a game since its initial position or its last setup.
#[derive(Default)]
pub struct History {
    entries: Vec<HistoryEntry>,
    removed: Vec<Point>,
    emptied_points: PointSet,
    index: PositionIndex,
    /// The entry of the first pass by a player, for rulesets with a button. 0 for a pass before the
    /// last setup.
    button: Option<usize>,
}

impl History {
    /// Starts a new history with an initial position.
    ///
    /// `left_by` attributes the position to a player, as if a play had created it. For setup this
    /// is by convention the opponent of the first player, so that a ko in the setup cannot be
    /// retaken at once. On an empty board `left_by` has no effect.
    pub fn start(&mut self, position: &Position, left_by: Option<Color>) {
        self.button = self.button.map(|_| 0);
        self.entries.clear();
        self.removed.clear();
        self.emptied_points = PointSet::EMPTY;
        self.index.clear();
        self.entries.push(HistoryEntry {
            left_by: left_by.filter(|_| position.size().iter().any(|point| position.stone(point).is_some())),
            point: None,
            replaced: None,
            lost: [0; 2],
            turn: 0,
            removed_end: 0,
        });
    }

    /// Returns all entries, the initial position first.
    pub fn entries(&self) -> &[HistoryEntry] {
        &self.entries
    }

    /// Returns the stones that entry `index` removed.
    pub fn removed_stones(&self, index: usize) -> &[Point] {
        let start = index.checked_sub(1).map_or(0, |previous| self.entries[previous].removed_end);
        &self.removed[start as usize..self.entries[index].removed_end as usize]
    }

    /// Makes the button available again, for a new game.
    pub fn return_button(&mut self) {
        self.button = None;
    }

    /// Adds a pass. The first one of a game takes the button.
    pub fn pass(&mut self, color: Color, turn: u32) {
        self.button = self.button.or(Some(self.entries.len()));
        self.add_implied_pass(color, turn);
    }

    /// Adds a pass that the record omits. It does not take the button.
    pub fn add_implied_pass(&mut self, color: Color, turn: u32) {
        self.push(color, None, turn, [0; 2], None);
    }

    /// Plays on `position` and adds the play, even if a rule forbids it.
    ///
    /// Returns the removed stones and the recreated positions, or `None` if there are neither, as
    /// for most plays. `replaced` is the stone that the caller has removed from the point.
    pub fn play(
        &mut self,
        position: &mut Position,
        color: Color,
        point: Point,
        turn: u32,
        replaced: Option<Color>,
    ) -> Option<(RemovedStones, Option<Repetition>)> {
        let is_untouched = position.is_untouched(point);
        let play_result = position.play(color, point, &mut self.removed);
        let is_new = self.add_play(color, point, turn, play_result, replaced, is_untouched);
        let repetition = if is_new { None } else { self.repetition(position) };
        (play_result != RemovedStones::default() || repetition.is_some() || replaced.is_some())
            .then_some((play_result, repetition))
    }

    /// Adds an entry for a play that was made on the position. `is_untouched` is true if its point
    /// never had a stone before.
    ///
    /// Returns true if the latest turns prove that the play recreates no position.
    #[inline(always)]
    fn add_play(
        &mut self,
        color: Color,
        point: Point,
        turn: u32,
        play_result: RemovedStones,
        replaced: Option<Color>,
        is_untouched: bool,
    ) -> bool {
        let removed_start = self.entries.last().map_or(0, |previous| previous.removed_end as usize);
        let mut lost = [play_result.captured as u16, play_result.suicide as u16];
        if color == Color::Black {
            lost.reverse();
        }
        self.push(color, Some(point), turn, lost, replaced);
        for index in removed_start..self.removed.len() {
            self.emptied_points.insert(self.removed[index]);
        }
        if replaced.is_some() {
            self.emptied_points.insert(point);
        }
        // A stone on a point that never had one makes a new position, if the stone stays.
        is_untouched && play_result.suicide == 0 || self.is_last_position_new()
    }

    /// Returns true if the latest turns prove that the last one recreated no position.
    ///
    /// A play on a point that never had a stone creates a new position. The position stays new
    /// while the stone remains. So only positions since the latest such play can repeat, usually
    /// few or none.
    ///
    /// The repeated position must have contained the stone played last, which was removed since.
    /// Unless it was removed, no comparison is needed.
    fn is_last_position_new(&self) -> bool {
        const LATEST: usize = 32;
        let last = self.entries.len() - 1;
        let HistoryEntry { point: last_point, replaced, .. } = self.entries[last];
        let mut may_be_back = replaced.is_some();
        let mut first = last;
        while first > 0 && !self.placed_first_stone(first) {
            if last - first == LATEST {
                return false;
            }
            may_be_back |= self.removed_stone(first, last_point);
            first -= 1;
        }
        let mut difference = PositionHash::default();
        let is_other = |index| {
            difference = self.hash_after(difference, index);
            difference != PositionHash::default()
        };
        !may_be_back || (first + 1..=last).rev().all(is_other)
    }

    /// Returns true if turn `index` put a stone on a point that never had one.
    #[inline]
    fn placed_first_stone(&self, index: usize) -> bool {
        let HistoryEntry { point, replaced, .. } = self.entries[index];
        replaced.is_none() && point.is_some_and(|point| !self.emptied_points.contains(point))
    }

    /// Returns true if turn `index` removed the stone on this point.
    #[inline]
    fn removed_stone(&self, index: usize, point: Option<Point>) -> bool {
        self.entries[index].lost != [0; 2] && self.removed_stones(index).iter().any(|stone| Some(*stone) == point)
    }

    /// Undoes the last turn in the history and on `position`.
    ///
    /// # Panics
    /// If the history contains only the initial position.
    pub fn take_back(&mut self, position: &mut Position) {
        assert!(self.entries.len() > 1, "the initial position can't be taken back");
        let last = self.entries.len() - 1;
        let mut stones = Vec::with_capacity(8);
        self.undo(last, |point, stone| stones.push((point, stone)));
        if !stones.is_empty() {
            position.place(stones);
        }
        self.index.take_back(last);
        self.button = self.button.filter(|button| *button != last);
        self.removed.truncate(self.entries[last - 1].removed_end as usize);
        self.entries.pop();
    }

    #[inline]
    fn push(&mut self, color: Color, point: Option<Point>, turn: u32, lost: [u16; 2], replaced: Option<Color>) {
        let removed_end = self.removed.len() as u32;
        self.entries.push(HistoryEntry { left_by: Some(color), point, replaced, lost, turn, removed_end });
    }

    /// Returns the totals of the turns up to an entry.
    pub(super) fn totals(&self, entry: usize) -> Totals {
        self.index.totals(&self.entries, entry)
    }

    /// Returns the earlier positions that the last entry, a play, recreates.
    #[cold]
    fn repetition(&mut self, position: &Position) -> Option<Repetition> {
        let last = self.entries.len() - 1;
        let index_before = self.index_before(last);
        let hash = self.hash_after(index_before, last);
        let color = self.entries[last].left_by?;
        let repeated = self.find_latest_equal(self.index.latest(hash)?, position)?;
        self.index.confirm(last, repeated);
        let occurrences = self.index.occurrences(repeated);
        // `last` is the play itself, so the turn after the position before it belongs to this
        // player.
        let opponent = color.opponent();
        let left_by_opponent = self.entries[last - 1].left_by == Some(opponent);
        let is_ko = repeated + 1 == last || (repeated + 2 == last && left_by_opponent);
        let index = |entry: Option<u32>| entry.map(|entry| entry as usize);
        Some(Repetition {
            ko: is_ko.then_some(repeated),
            psk: Some(repeated),
            ssk: index(occurrences.followed_by[opponent.index()]),
            own: index(occurrences.left_by[color.index()]),
            nssk: index(occurrences.created_by[color.index()]),
            button: self.button.unwrap_or(0),
        })
    }

    /// Returns the latest entry with these stones.
    ///
    /// The search starts at the indexed entry `candidate` and continues with earlier entries of the
    /// same hash.
    fn find_latest_equal(&mut self, candidate: usize, position: &Position) -> Option<usize> {
        let current = position.stones();
        let (mut stones, mut undone_to) = (current.clone(), self.entries.len() - 1);
        let mut candidate = Some(candidate);
        while let Some(entry) = candidate {
            self.undo_to(entry, &mut undone_to, &mut stones);
            if stones == current {
                return Some(entry);
            }
            candidate = self.index.earlier(entry); // Different positions with equal hashes.
        }
        None
    }

    /// Changes the stones after entry `undone` into those after `entry`.
    ///
    /// Checkpoints limit the number of steps.
    fn undo_to(&mut self, entry: usize, undone: &mut usize, stones: &mut Stones) {
        if let Some((start, checkpoint)) = self.index.checkpoint_after(entry).filter(|(start, _)| start < undone) {
            (*undone, *stones) = (start, checkpoint.clone());
        }
        while *undone > entry {
            self.undo(*undone, |point, stone| stones.set(point, stone));
            *undone -= 1;
            self.index.add_checkpoint(*undone, stones);
        }
    }

    /// Indexes the entries before `end` and returns the hash of the last one.
    fn index_before(&mut self, end: usize) -> PositionHash {
        let mut hash = self.index.last_hash();
        for index in self.index.len()..end {
            hash = self.hash_after(hash, index);
            self.index.push(&self.entries, hash, self.entries[index + 1].left_by);
        }
        hash
    }

    /// Returns the hash after turn `index` is made, or after it is undone: both change the hash in
    /// the same way.
    fn hash_after(&self, mut hash: PositionHash, index: usize) -> PositionHash {
        let HistoryEntry { left_by, point: Some(point), replaced, .. } = self.entries[index] else { return hash };
        let lost = self.removed_color(index);
        self.removed_stones(index).iter().for_each(|&stone| hash.toggle(lost, stone));
        replaced.into_iter().for_each(|color| hash.toggle(color, point));
        left_by.into_iter().for_each(|color| hash.toggle(color, point));
        hash
    }

    /// Calls `set` with the content of each point before turn `index`.
    fn undo(&self, index: usize, mut set: impl FnMut(Point, Option<Color>)) {
        let entry = &self.entries[index];
        let Some(point) = entry.point else { return };
        let lost = self.removed_color(index);
        for &stone in self.removed_stones(index) {
            set(stone, Some(lost));
        }
        set(point, entry.replaced);
    }

    /// Returns the colour of the stones that turn `index` removed.
    fn removed_color(&self, index: usize) -> Color {
        if self.entries[index].lost[Color::White.index()] > 0 { Color::White } else { Color::Black }
    }
}
