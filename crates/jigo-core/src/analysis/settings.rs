//! Settings for the analysis.

use std::sync::Arc;

use crate::pattern::PatternSearch;
use crate::replay::ReplayOptions;
use jigo_record::sgf::Limits;
use jigo_record::splitter::Index;
use jigo_record::{DialectChoice, Header, PlayerList};
use jigo_rules::select::Choice;
use jigo_rules::{HalfPoints, Ruleset};
use jigo_score::{DeadSource, EngineFactory, GivenStones};

/// The source of komi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KomiChoice {
    /// The record's komi, or the ruleset's if the record has none.
    #[default]
    Recorded,
    /// The ruleset's komi.
    Preset,
    /// This komi.
    Fixed(HalfPoints),
}

impl KomiChoice {
    /// Returns the komi of a game, or `None` for the ruleset's.
    pub(crate) fn for_header(self, header: &Header) -> Option<HalfPoints> {
        match self {
            KomiChoice::Recorded => header.known_komi(),
            KomiChoice::Preset => None,
            KomiChoice::Fixed(komi) => Some(komi),
        }
    }
}

/// Settings for the analysis of every game.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The rulesets that judge the turns.
    pub judges: Vec<Choice>,
    /// The rulesets that score the endings; if empty, nothing is counted.
    pub scored_rulesets: Vec<Choice>,
    /// The ruleset of records that name none.
    pub assumed_ruleset: Option<Ruleset>,
    /// The source of komi.
    pub komi: KomiChoice,
    /// The dialect of the records.
    pub dialect: DialectChoice,
    /// Options of the replay.
    pub replay: ReplayOptions,
    /// Replay every variation, each with its own history, instead of only the main line.
    pub all_variations: bool,
    /// Judge records as problems. This needs all variations.
    pub problems: bool,
    /// The sources of dead stones, in the order of their use.
    pub dead: Vec<DeadSource>,
    /// The dead stones that the user names. They replace the sources of dead stones, and the last
    /// position is counted for any recorded result.
    pub given_stones: Option<Arc<GivenStones>>,
    /// The engine for the source `engine`.
    pub engine: Option<Arc<dyn EngineFactory>>,
    /// The minimum confidence of an estimated ending, from 0 to 1. Endings below it have no score.
    pub min_confidence: f32,
    /// Compute [`GameReport::hash`](super::GameReport::hash).
    pub game_hash: bool,
    /// Also count the final position of games that did not end by counting.
    pub all_endings: bool,
    /// The limits on games and archives.
    pub limits: Limits,
    /// Store [`GameReport::turns`](super::GameReport::turns).
    pub turns: bool,
    /// Store [`GameReport::evaluations`](super::GameReport::evaluations).
    pub evaluations: bool,
    /// The headers for games without a header.
    pub index: Option<Arc<Index>>,
    /// The players by the names that the user lists for them.
    pub players: Option<Arc<PlayerList>>,
    /// Store [`GameReport::details`](super::GameReport::details) and
    /// [`GameReport::first_pass`](super::GameReport::first_pass).
    pub details: bool,
    /// Store [`GameReport::position`](super::GameReport::position).
    pub position: bool,
    /// Store [`GameReport::sketch`](super::GameReport::sketch).
    pub sketch: bool,
    /// The turns after which [`GameReport::positions`](super::GameReport::positions) stores the
    /// stones, in ascending order.
    pub positions: &'static [u32],
    /// Store [`GameReport::matches`](super::GameReport::matches) of this search.
    pub pattern: Option<Arc<PatternSearch>>,
    /// Read headers only. Turns are neither read nor replayed, judged or counted.
    pub header_only: bool,
}
