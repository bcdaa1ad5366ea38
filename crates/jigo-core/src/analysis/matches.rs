//! Matches of the searched pattern in one game.

use super::report::out_of_time;
use crate::pattern::{PatternMatch, PatternMatcher, PatternSearch, ReplayedGame};
use jigo_record::finding::{Code, Finding, Place};
use jigo_record::sgf::Limits;

/// Appends the matches in a game. Returns a finding if a limit ends the search early.
///
/// If only the first match is searched, a game that already has one is not searched again.
pub(super) fn find_matches(
    matcher: &mut PatternMatcher,
    search: &PatternSearch,
    game: &ReplayedGame<'_>,
    limits: Limits,
    matches: &mut Vec<PatternMatch>,
) -> Option<Finding> {
    if !search.options().returns_all && !matches.is_empty() {
        return None;
    }
    let limit = limits.findings.saturating_sub(matches.len() as u64);
    let mut found = matcher.find(search, game, limit.saturating_add(1));
    let is_too_many = found.len() as u64 > limit;
    found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    matches.append(&mut found);
    if is_too_many {
        let detail = format!("the pattern has more matches than --max findings={}", limits.findings);
        return Some(Finding::new(Code::TooManyFindings, Place::byte(0), detail));
    }
    let is_unfinished = game.budget.is_spent() && game.tally.exhausted.is_none();
    is_unfinished
        .then(|| Finding::new(Code::SlowGame, Place::byte(0), out_of_time("the pattern is not searched to the end")))
}
