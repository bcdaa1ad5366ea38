//! The search for a pattern in one game.

use jigo_record::{GameRecord, Step};
use jigo_rules::board::Position;
use jigo_rules::budget::Budget;
use jigo_rules::{History, Ruleset, Tally};

use super::match_collector::{MatchCollector, NewPart};
use super::pattern_search::{PatternMatch, PatternSearch};
use super::placements::PlacementSearch;
use super::timeline::Timeline;
use crate::replay::{ReplayOptions, Replayer};

/// Finds a pattern in games one after the other and reuses its memory.
#[derive(Default)]
pub struct PatternMatcher {
    timeline: Timeline,
    placements: PlacementSearch,
    /// Replays games with setup between turns a second time, since their history is incomplete.
    replayer: Option<Box<Replayer>>,
}

/// A game after its replay.
pub(crate) struct ReplayedGame<'a> {
    /// The record.
    pub record: &'a GameRecord,
    /// The history of the replay.
    pub history: &'a History,
    /// The counts of the replay.
    pub tally: &'a Tally,
    /// The rulesets of the replay.
    pub judges: &'a [Ruleset],
    /// The options of the replay.
    pub options: ReplayOptions,
    /// The time budget of the game.
    pub budget: &'a Budget,
    /// The part of the game that no earlier variation contains.
    pub new_part: NewPart,
}

impl PatternMatcher {
    /// Returns the matches in a game, in the order of their turns: all of them, at most `limit`, or
    /// only the first one.
    pub(crate) fn find(&mut self, search: &PatternSearch, game: &ReplayedGame<'_>, limit: u64) -> Vec<PatternMatch> {
        let size = game.record.header.size;
        if search.views.iter().all(|viewed| viewed.corners(size).is_none()) {
            return Vec::new();
        }
        self.read_positions(game);
        let mut collector = MatchCollector::new(search, game.record, &self.timeline, game.new_part, limit);
        self.placements.search(&search.views, size, &self.timeline, game.budget, &mut collector);
        collector.into_matches()
    }

    fn read_positions(&mut self, game: &ReplayedGame<'_>) {
        if let Some(leading_setups) = Timeline::leading_setups(game.record) {
            self.timeline.read_history(game.record, leading_setups, game.history, game.tally);
            return;
        }
        let timeline = &mut self.timeline;
        timeline.start(game.record);
        let replayer = self.replayer.get_or_insert_default();
        replayer.budget.clone_from(game.budget);
        let mut before = Position::new(game.record.header.size);
        let observer = |step: &Step, tally: &Tally, after: &Position| {
            timeline.observe(step, tally, &mut before, after);
            0
        };
        let tally = replayer.replay_with_observer(game.record, game.judges, game.options, &mut Vec::new(), observer);
        timeline.close(&tally);
    }
}
