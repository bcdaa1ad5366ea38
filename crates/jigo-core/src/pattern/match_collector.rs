//! The matches in one game: selects them, and adds their next turns.

use jigo_record::{Coordinates, GameRecord, StepKind};
use jigo_rules::board::Point;

use super::pattern_search::{NextPlace, NextTurn, PatternMatch, PatternSearch, ViewedPattern};
use super::timeline::{GamePosition, MatchEnd, Timeline};

/// The part of a game that no earlier variation contains.
#[derive(Clone, Copy)]
pub(crate) struct NewPart {
    /// The number of turns that belong to an earlier variation.
    pub shared_turns: u32,
    /// True if the new part begins with setup.
    pub begins_with_setup: bool,
}

impl NewPart {
    /// The whole main line.
    pub(crate) const MAIN_LINE: NewPart = NewPart { shared_turns: 0, begins_with_setup: true };

    /// Returns the part of a variation after a byte of the game.
    pub(crate) fn after_offset(record: &GameRecord, offset: usize) -> NewPart {
        let mut new_part = NewPart { shared_turns: 0, begins_with_setup: false };
        for step in &record.steps {
            match step.kind {
                StepKind::Turn(..) if (step.offset as usize) < offset => new_part.shared_turns += 1,
                StepKind::Turn(..) => break,
                StepKind::Setup(_) => new_part.begins_with_setup |= step.offset as usize >= offset,
            }
        }
        new_part
    }

    fn contains(self, position: &GamePosition) -> bool {
        let begins_here = self.begins_with_setup && position.is_setup && position.turn == self.shared_turns;
        position.turn > self.shared_turns || begins_here
    }

    /// Returns true if no earlier variation has the match that is reported at `turn`. At the
    /// branch, the position is the same, but the next turn is another.
    fn has_match(self, since: &GamePosition, turn: u32, next: Option<NextTurn>) -> bool {
        turn > self.shared_turns || self.contains(since) || turn == self.shared_turns && next.is_some()
    }
}

/// Collects matches and completes them with their next turns.
pub(super) struct MatchCollector<'a> {
    search: &'a PatternSearch,
    record: &'a GameRecord,
    timeline: &'a Timeline,
    new_part: NewPart,
    /// The last turn that still matters.
    pub(super) last_turn: u32,
    limit: usize,
    /// The matches, each with the number of its placement.
    matches: Vec<(usize, PatternMatch)>,
}

impl<'a> MatchCollector<'a> {
    /// Returns a collector without matches, for at most `limit` matches.
    pub(super) fn new(
        search: &'a PatternSearch,
        record: &'a GameRecord,
        timeline: &'a Timeline,
        new_part: NewPart,
        limit: u64,
    ) -> MatchCollector<'a> {
        let last_turn = *search.options().turns.end();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        MatchCollector { search, record, timeline, new_part, last_turn, limit, matches: Vec::new() }
    }

    /// Notes that a placement matches from this position on. If only the first match is searched,
    /// later turns no longer matter.
    pub(super) fn note_start(&mut self, position: &GamePosition) {
        let options = self.search.options();
        let is_match = position.turn >= *options.turns.start() && self.new_part.contains(position);
        if is_match && !self.search.needs_next() && !options.returns_all {
            self.last_turn = self.last_turn.min(position.turn);
        }
    }

    /// Adds a placement that matches from the position `since` on, if one of its turns is searched.
    pub(super) fn add(
        &mut self,
        viewed: &ViewedPattern,
        (number, corner): (usize, Point),
        since: GamePosition,
        end: MatchEnd,
    ) {
        if self.matches.len() >= self.limit {
            return;
        }
        let options = self.search.options();
        let first = since.turn.max(*options.turns.start());
        let last = end.turn.min(*options.turns.end());
        let next_after = |turn: u32| {
            let is_before_setup = end.is_by_setup && turn == end.turn;
            if is_before_setup { None } else { self.next_turn(viewed, corner, turn + 1) }
        };
        let found = if self.search.needs_next() {
            let mut candidates = (first..=last).map(|turn| (turn, next_after(turn)));
            candidates.find(|(_, next)| self.search.accepts_next(*next))
        } else {
            (first <= last).then(|| (first, next_after(first)))
        };
        let Some((turn, next)) = found.filter(|(turn, next)| self.new_part.has_match(&since, *turn, *next)) else {
            return;
        };
        if !options.returns_all {
            self.last_turn = self.last_turn.min(turn);
            self.matches.retain(|(_, earlier)| earlier.turn <= turn);
        }
        let next = next.map(|next| self.search.representative(next));
        let found = PatternMatch { turn, view: viewed.view, corner, next, variation: String::new() };
        self.matches.push((number, found));
    }

    /// Returns a turn of the record in the frame of the pattern.
    fn next_turn(&self, viewed: &ViewedPattern, corner: Point, number: u32) -> Option<NextTurn> {
        let (color, coordinates) = self.timeline.turn(self.record, number)?;
        let place = match coordinates {
            Coordinates::Play(point) => {
                viewed.original_point(corner, point).map_or(NextPlace::Elsewhere, NextPlace::Inside)
            }
            Coordinates::Pass => NextPlace::Pass,
            Coordinates::OffBoard(_) | Coordinates::Unreadable(_) => return None,
        };
        Some(NextTurn { color: if viewed.view.colors_swapped { color.opponent() } else { color }, place })
    }

    /// Returns the matches in the order of their turns and placements; only the first one if the
    /// search does not return all.
    pub(super) fn into_matches(mut self) -> Vec<PatternMatch> {
        self.matches.sort_by_key(|(number, found)| (found.turn, *number));
        let returned = if self.search.options().returns_all { usize::MAX } else { 1 };
        self.matches.into_iter().take(returned).map(|(_, found)| found).collect()
    }
}
