//! The selection of games, and the games that it rejects.

use std::sync::Arc;

use super::filter::{AnalysisStep, Filter, FilteredGame};
use super::game_list::GameList;
use jigo_core::analysis::{GameReport, Settings};
use jigo_record::finding::{Finding, Severity};
use jigo_record::formats::decoded;
use jigo_record::splitter::GameText;
use jigo_record::{GameDetails, Reading};
use jigo_rules::board::split_mix;
use jigo_score::GivenStones;

/// The games to analyse. Other games are skipped and not counted.
///
/// The selection does not depend on the number of threads.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Selects about one game in this many, by a hash of its text and the seed.
    pub sample: Option<u64>,
    /// The seed of the sample. Each seed gives a different sample.
    pub seed: u64,
    /// The condition on the values of a game.
    pub filter: Option<Filter>,
    /// The condition on the errors of a game, after all others but the limit.
    pub errors: Option<ErrorFilter>,
    /// The listed games; all others are skipped.
    pub games: Option<Arc<GameList>>,
    /// The games to exclude.
    pub excluded_games: Option<Arc<GameList>>,
    /// The maximum number of games after all other conditions.
    pub limit: Option<u64>,
}

impl Selection {
    /// Returns true if every game is selected.
    pub fn selects_all(&self) -> bool {
        let Selection { sample, seed: _, filter, errors, games, excluded_games: excluded, limit } = self;
        let is_unfiltered = filter.is_none() && errors.is_none();
        sample.is_none() && is_unfiltered && games.is_none() && excluded.is_none() && limit.is_none()
    }

    /// Returns the dead stones that the list of games gives for a game.
    pub(super) fn given_stones(&self, text: &GameText) -> Option<Arc<GivenStones>> {
        self.games.as_ref()?.given_stones(text.file, text.game)
    }

    /// Returns the reason why a game is not selected, as far as its header tells. Ignores the
    /// limit.
    pub(super) fn rejection(&self, text: &GameText, settings: &Settings) -> Option<Rejection<'_>> {
        if self.games.as_ref().is_some_and(|games| !games.mark_if_listed(text.file, text.game)) {
            return Some(Rejection::Unlisted);
        }
        if self.excluded_games.as_ref().is_some_and(|games| games.mark_if_listed(text.file, text.game)) {
            return Some(Rejection::Excluded);
        }
        if self.sample.is_some_and(|share| !hash(text.bytes, self.seed).is_multiple_of(share)) {
            return Some(Rejection::Unsampled);
        }
        let filter = self.filter.as_ref().filter(|filter| filter.uses(AnalysisStep::Header))?;
        let (mut reading, decoded) = (Reading::default(), decoded(text));
        reading.read(text, &decoded.text, settings.dialect, settings.limits);
        let (header, is_readable) = (&reading.record.header, reading.unreadable.is_none());
        let players = settings.players.as_deref();
        let details = (is_readable && filter.needs_details())
            .then(|| GameDetails::of_game(&decoded.text, header, players, settings.limits));
        let game = FilteredGame { header, details: details.as_ref(), is_readable, analysis: None };
        filter.unmet_by_header(game).map(Rejection::Condition)
    }

    /// Returns the reason why an analysed game with these reported findings is not selected.
    pub(super) fn rejection_after_analysis<'a>(
        &'a self,
        report: &GameReport,
        reported: &'a [&'a Finding],
    ) -> Option<Rejection<'a>> {
        let unmet = self.filter.as_ref().and_then(|filter| filter.unmet_condition(report, reported));
        if let Some(condition) = unmet {
            return Some(Rejection::Condition(condition));
        }
        let errors = self.errors?;
        let has_errors = reported.iter().any(|finding| finding.severity == Severity::Error);
        match errors {
            ErrorFilter::Clean => has_errors.then_some(Rejection::Errors(reported)),
            ErrorFilter::Broken => (!has_errors).then_some(Rejection::NoError),
        }
    }
}

/// Returns a hash of some bytes, independent of their address.
///
/// The hash detects damage but not forgery: bytes with a given hash are easy to construct.
pub fn hash(bytes: &[u8], seed: u64) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let last = Some(&last).filter(|_| !rest.is_empty());
    let mut state = seed;
    words.iter().chain(last).fold(bytes.len() as u64, |hash, word| {
        state ^= u64::from_le_bytes(*word);
        hash.rotate_left(5) ^ split_mix(&mut state)
    })
}

/// A game that the run does not select.
#[derive(Clone, Copy)]
pub struct RejectedGame<'a> {
    /// The game's text and its position in the source.
    pub text: &'a GameText<'a>,
    /// The reason.
    pub rejection: Rejection<'a>,
}

/// The reason why a game is not selected: the first one in the order of the variants.
#[derive(Clone, Copy, Debug)]
pub enum Rejection<'a> {
    /// Another run analyses the game's shard.
    OtherShard,
    /// The run already has its maximum number of games.
    Limit,
    /// The list of games does not contain the game.
    Unlisted,
    /// The game is excluded by file and number.
    Excluded,
    /// The game is not in the sample.
    Unsampled,
    /// The game does not meet this condition of the filter, whose text is as the user typed it.
    Condition(&'a str),
    /// The game has errors among these reported findings, and only games without are selected.
    Errors(&'a [&'a Finding]),
    /// The game has no error, and only games with one are selected.
    NoError,
}

/// The selection of games by their reported findings of severity error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorFilter {
    /// Selects games without an error.
    Clean,
    /// Selects games with an error.
    Broken,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_their_share_and_differ_by_seed() {
        let games: Vec<String> = (0..10_000).map(|game| format!("(;GM[1]C[{game}])")).collect();
        let selected =
            |seed: u64| games.iter().map(|game| hash(game.as_bytes(), seed).is_multiple_of(10)).collect::<Vec<_>>();
        let [first, second] = [selected(0), selected(1)];
        let shared = first.iter().zip(&second).filter(|(in_first, in_second)| **in_first && **in_second).count();
        for sample in [&first, &second] {
            let count = sample.iter().filter(|selected| **selected).count();
            assert!((900..1100).contains(&count), "{count}");
        }
        assert!((50..150).contains(&shared), "{shared}");
    }
}
