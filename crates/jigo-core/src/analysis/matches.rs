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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::analysis::{Analyzer, Settings};
    use crate::pattern::{BoardPattern, NextPlace, SearchOptions};
    use jigo_record::splitter::GameText;

    /// Returns a search for every match of a diagram.
    fn search(diagram: &str) -> Arc<PatternSearch> {
        let options = SearchOptions { returns_all: true, ..SearchOptions::default() };
        Arc::new(PatternSearch::new(BoardPattern::from_diagram(diagram).unwrap(), options))
    }

    /// Returns turn, next turn and variation of each match.
    fn matches_in_variations(pattern: Arc<PatternSearch>, sgf: &str) -> Vec<String> {
        let settings = Settings { pattern: Some(pattern), all_variations: true, ..Settings::default() };
        let words = |found: &PatternMatch| {
            let next = found.next.map_or(String::new(), |next| {
                let place = match next.place {
                    NextPlace::Inside(point) => point.to_string(),
                    NextPlace::Elsewhere => "elsewhere".into(),
                    NextPlace::Pass => "pass".into(),
                };
                format!(" {} {place}", next.color.letter())
            });
            let variation = &found.variation;
            format!("{}{next}{}{variation}", found.turn, if variation.is_empty() { "" } else { " in " })
        };
        Analyzer::default().analyze(&GameText::from_sgf(sgf), &settings).matches.iter().map(words).collect()
    }

    #[test]
    fn variations_report_only_their_own_matches() {
        let found = matches_in_variations(search("+---,|..,|.X"), "(;SZ[9];B[bb];W[ee](;B[hh];W[gg])(;B[hb];W[gc]))");
        assert_eq!(found, ["1 W elsewhere", "3 W elsewhere", "3 W elsewhere in 2"]);
    }

    #[test]
    fn each_branch_after_a_match_has_its_next_turn() {
        let branches = "(;SZ[9];B[ee];W[cc](;B[ba])(;B[gg](;W[dd])(;W[ff];B[hh]))(;B[]))";
        let all = matches_in_variations(search("O..,...,..X"), branches);
        assert_eq!(all, ["2 B elsewhere", "2 B elsewhere in 2.1", "2 B pass in 3"]);
        let next_inside = |pattern: Arc<PatternSearch>| {
            let options = SearchOptions { needs_next_inside: true, ..pattern.options().clone() };
            Arc::new(PatternSearch::new(pattern.pattern().clone(), options))
        };
        // The pattern occurs before the branch, and only a variation plays inside.
        let found = matches_in_variations(next_inside(search("O..,...,..X")), branches);
        assert_eq!(found, ["3 W bb in 2.1"]);
    }

    #[test]
    fn searched_turns_of_a_variation_may_follow_a_shared_start() {
        let mut options = search("X").options().clone();
        options.turns = 3..=3;
        let pattern = Arc::new(PatternSearch::new(BoardPattern::from_diagram("+--,|X").unwrap(), options));
        let found = matches_in_variations(pattern, "(;SZ[9];B[aa];W[cc](;B[dd])(;B[ee];W[ff]))");
        assert_eq!(found, ["3", "3 W elsewhere in 2"]);
    }

    #[test]
    fn matches_above_the_limit_are_reported() {
        let pattern = search(".");
        let mut settings = Settings { pattern: Some(pattern), ..Settings::default() };
        settings.limits.findings = 10;
        let mut analyzer = Analyzer::default();
        let report = analyzer.analyze(&GameText::from_sgf("(;SZ[9];B[bb])"), &settings);
        assert_eq!(report.matches.len(), 10);
        assert!(report.findings.iter().any(|finding| finding.detail.contains("--max findings=10")));
    }
}
