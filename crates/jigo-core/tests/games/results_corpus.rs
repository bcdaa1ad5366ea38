//! Compares recorded results with counts, over games of the folder `JIGO_CORPUS`, or else the
//! generated ones: unchanged, and with one known error.

// A malformed corpus fails the test. The lint allows `unwrap` only in test functions, and most
// functions here are helpers.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use jigo_core::analysis::{Analyzer, GameReport, Settings};
use jigo_core::audit::{Cause, Verdict};
use jigo_record::finding::Severity;
use jigo_record::splitter::GameText;
use jigo_rules::HalfPoints;
use jigo_rules::select::Choice;
use jigo_score::DeadSource;

use crate::support::corpus::{RecordedFacts, counted_games};
use crate::support::generated::Random;
use crate::support::has_real_games;

/// Every third game is tested unchanged.
const STEP: usize = 3;
/// The number of games with each kind of error.
const WRONG_GAMES: usize = 75;

/// Returns the games of a corpus that are evidence. Choices that depended on games used odd years,
/// so these are the even years.
fn records(folder: &Path) -> Vec<(String, RecordedFacts)> {
    counted_games(folder).unwrap().into_iter().filter(|(_, facts)| facts.set == "even").collect()
}

fn analyze(analyzer: &mut Analyzer, sgf: &str) -> GameReport {
    let settings = Settings {
        scored_rulesets: vec![Choice::Recorded],
        dead: DeadSource::DEFAULT.to_vec(),
        min_confidence: 0.5,
        ..Settings::default()
    };
    let text = GameText::from_sgf(sgf);
    analyzer.analyze(&text, &settings).clone()
}

/// Returns true if a finding of family R is a warning or an error.
fn is_accused(report: &GameReport) -> bool {
    report.findings.iter().any(|finding| finding.code.id().starts_with('R') && finding.severity > Severity::Info)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ResultError {
    Winner,
    Margin,
    Komi,
    Colors,
}

/// Returns a root property that occurs once, with its name and brackets.
fn property<'t>(sgf: &'t str, name: &str) -> &'t str {
    let start = sgf.find(&format!("{name}[")).unwrap();
    &sgf[start..=start + sgf[start..].find(']').unwrap()]
}

/// Returns the record with one error, or `None` if the record can't have it. `random` is any
/// number.
fn with_error((sgf, facts): &(String, RecordedFacts), wrong: ResultError, random: u64) -> Option<String> {
    let result = property(sgf, "RE");
    let (winner, margin) = (&result[3..4], result[5..result.len() - 1].parse::<f64>().ok()?);
    let other = if winner == "B" { "W" } else { "B" };
    match wrong {
        // Half a point for the other player is a difference of one point: a missing turn, see below.
        ResultError::Winner => (margin > 0.5).then(|| sgf.replace(result, &format!("RE[{other}+{margin}]"))),
        ResultError::Margin => {
            let margin = margin + 10.0 + (random % 30) as f64;
            Some(sgf.replace(result, &format!("RE[{winner}+{margin}]")))
        }
        ResultError::Komi => {
            // A difference of one point in a record without passes is a missing turn.
            let others = [0.0, 5.5, 6.5, 7.5, 8.5, -facts.komi];
            let others: Vec<f64> = others.into_iter().filter(|komi| (komi - facts.komi).abs() > 1.0).collect();
            let komi = others[random as usize % others.len()];
            Some(sgf.replace(property(sgf, "KM"), &format!("KM[{komi}]")))
        }
        ResultError::Colors => {
            let swapped = sgf.replace(";B[", ";?[").replace(";W[", ";B[").replace(";?[", ";W[");
            // On an even board the result stays right.
            (facts.recorded != 0.0).then_some(swapped)
        }
    }
}

/// Returns true if a cause names the error in a record.
fn names(cause: &Cause, wrong: ResultError, komi: f64) -> bool {
    match (wrong, cause) {
        (ResultError::Komi, Cause::Komi(named)) => *named == HalfPoints((komi * 2.0) as i32),
        (ResultError::Winner | ResultError::Colors, Cause::ColorsSwapped(_)) => true,
        (ResultError::Margin, Cause::Unknown) => true,
        _ => false,
    }
}

#[derive(Debug, Default)]
struct ErrorCounts {
    games: u32,
    /// Records with any finding, and with a warning or an error.
    found: u32,
    accused: u32,
    /// Records whose first cause is the right one.
    named: u32,
    /// Other causes that came first.
    others: BTreeMap<String, u32>,
}

#[derive(Debug, Default)]
struct UnchangedCounts {
    games: u32,
    same: u32,
    explained: u32,
    accused: u32,
}

fn check_unchanged_games(
    records: &[(String, RecordedFacts)],
    analyzer: &mut Analyzer,
) -> (BTreeMap<String, UnchangedCounts>, UnchangedCounts) {
    let (mut by_source, mut confirmed) = (BTreeMap::new(), UnchangedCounts::default());
    for (sgf, facts) in records.iter().step_by(STEP) {
        let report = analyze(analyzer, sgf);
        let audit = report.audit.as_ref().unwrap();
        let of_source: &mut UnchangedCounts = by_source.entry(facts.source.clone()).or_default();
        for counts in [Some(of_source), facts.is_confirmed().then_some(&mut confirmed)].into_iter().flatten() {
            counts.games += 1;
            counts.same += u32::from(audit.verdict == Verdict::Same);
            counts.explained += u32::from(audit.verdict == Verdict::Explained);
            counts.accused += u32::from(is_accused(&report));
        }
    }
    (by_source, confirmed)
}

fn check_wrong_games(
    records: &[(String, RecordedFacts)],
    analyzer: &mut Analyzer,
) -> BTreeMap<ResultError, ErrorCounts> {
    let confirmed: Vec<&(String, RecordedFacts)> = records.iter().filter(|(_, facts)| facts.is_confirmed()).collect();
    let mut random = Random(18);
    let mut causes: BTreeMap<ResultError, ErrorCounts> = BTreeMap::new();
    for wrong in [ResultError::Winner, ResultError::Margin, ResultError::Komi, ResultError::Colors] {
        let causes = causes.entry(wrong).or_default();
        while causes.games < WRONG_GAMES as u32 {
            let record = confirmed[random.next() as usize % confirmed.len()];
            let Some(sgf) = with_error(record, wrong, random.next()) else { continue };
            let report = analyze(analyzer, &sgf);
            let audit = report.audit.as_ref().unwrap();
            causes.games += 1;
            causes.found += u32::from(report.findings.iter().any(|finding| finding.code.id().starts_with('R')));
            causes.accused += u32::from(is_accused(&report));
            match audit.causes.first() {
                Some(cause) if names(cause, wrong, record.1.komi) => causes.named += 1,
                other => {
                    let other = other.map_or(audit.verdict.name().to_owned(), Cause::to_string);
                    *causes.others.entry(other).or_default() += 1;
                }
            }
        }
    }
    causes
}

#[test]
fn wrong_results_are_found_and_right_ones_accepted() {
    let records = records(&crate::support::corpus());
    let mut analyzer = Analyzer::default();
    let (by_source, confirmed) = check_unchanged_games(&records, &mut analyzer);
    println!("{by_source:?}\nconfirmed {confirmed:?}");
    let share = |part: u32, all_games: u32| f64::from(part) / f64::from(all_games);
    for (source, games) in by_source {
        let minimum = if source == "TYGEM" { 0.912 } else { 0.97 };
        assert!(share(games.same, games.games) >= minimum, "{source}");
    }
    assert!(share(confirmed.accused, confirmed.games) <= 0.003);
    let causes = check_wrong_games(&records, &mut analyzer);
    causes.iter().for_each(|one| println!("{one:?}"));
    let sum = |of: fn(&ErrorCounts) -> u32| causes.values().map(of).sum::<u32>();
    assert!(share(sum(|causes| causes.found), sum(|causes| causes.games)) >= 0.99);
    // The margins of the generated games are smaller than those of real ones.
    let [accused, named] = if has_real_games() { [0.97, 0.9] } else { [0.9, 0.85] };
    assert!(share(sum(|causes| causes.accused), sum(|causes| causes.games)) >= accused);
    assert!(share(sum(|causes| causes.named), sum(|causes| causes.games)) >= named);
}
