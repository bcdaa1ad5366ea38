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
    use crate::pattern::{BoardPattern, SearchOptions};
    use jigo_record::sgf::Charset;
    use jigo_record::splitter::{Close, GameText};

    fn text(sgf: &str) -> GameText<'_> {
        GameText::single(sgf.as_bytes(), Close::Parenthesis, Charset::UTF8)
    }

    /// Returns a search for every match of a diagram.
    fn search(diagram: &str) -> Arc<PatternSearch> {
        let options = SearchOptions { returns_all: true, ..SearchOptions::default() };
        Arc::new(PatternSearch::new(BoardPattern::from_diagram(diagram).unwrap(), options))
    }

    #[test]
    fn variations_report_only_their_own_matches() {
        let pattern = search("+---,|..,|.X");
        let sgf = "(;SZ[9];B[bb](;W[ee];B[hh])(;W[ff](;B[hb])(;B[bh])))";
        let settings = Settings { pattern: Some(pattern), all_variations: true, ..Settings::default() };
        let mut analyzer = Analyzer::default();
        let matches = &analyzer.analyze(&text(sgf), &settings).matches;
        let found: Vec<_> = matches.iter().map(|one| (one.turn, one.variation.as_str())).collect();
        assert_eq!(found, [(1, ""), (3, ""), (3, "2.1"), (3, "2.2")]);
    }

    #[test]
    fn matches_above_the_limit_are_reported() {
        let pattern = search(".");
        let mut settings = Settings { pattern: Some(pattern), ..Settings::default() };
        settings.limits.findings = 10;
        let mut analyzer = Analyzer::default();
        let report = analyzer.analyze(&text("(;SZ[9];B[bb])"), &settings);
        assert_eq!(report.matches.len(), 10);
        assert!(report.findings.iter().any(|finding| finding.detail.contains("--max findings=10")));
    }
}
