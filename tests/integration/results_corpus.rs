//! Stated results against counts, over games of the folder that `JIGO_CORPUS` names: as they are, and made wrong in one known way.

// A malformed corpus is a failure of the test, and here only one function is marked as a test's own.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use jigo_core::analysis::{Analyzer, GameReport, Settings};
use jigo_core::audit::{Cause, Verdict};
use jigo_record::finding::Severity;
use jigo_record::sgf::charset::Charset;
use jigo_record::splitter::Close;
use jigo_record::splitter::GameText;
use jigo_rules::HalfPoints;
use jigo_rules::select::Choice;
use jigo_score::DeadSource;

use crate::support::counted::{Stated, counted_games};
use crate::support::generated::Random;

/// One game in so many is looked at as it is.
const STEP: usize = 3;
/// Games made wrong in each way.
const MADE_WRONG: usize = 75;

/// The games of a corpus that are evidence. What was chosen by looking at games was chosen on odd years; these are the even ones.
fn records(folder: &Path) -> Vec<(String, Stated)> {
    counted_games(folder).unwrap().into_iter().filter(|(_, stated)| stated.set == "even").collect()
}

fn analyze(analyzer: &mut Analyzer, sgf: &str) -> GameReport {
    let settings = Settings {
        counted: vec![Choice::Recorded],
        dead: DeadSource::DEFAULT.to_vec(),
        min_confidence: 0.5,
        ..Settings::default()
    };
    let text = GameText::alone(sgf.as_bytes(), Close::Parenthesis, Charset::UTF8);
    analyzer.analyze(&text, &settings).clone()
}

/// Whether a finding of family R accuses the record.
fn is_accused(report: &GameReport) -> bool {
    report.findings.iter().any(|finding| finding.code.id().starts_with('R') && finding.severity > Severity::Info)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wrong {
    Winner,
    Margin,
    Komi,
    Colors,
}

/// The value of a root property that stands there once, with its name and brackets.
fn property<'t>(sgf: &'t str, name: &str) -> &'t str {
    let start = sgf.find(&format!("{name}[")).unwrap();
    &sgf[start..=start + sgf[start..].find(']').unwrap()]
}

/// The record, wrong in one way; `random` is any number. `None` where it can't be made so.
fn made_wrong((sgf, stated): &(String, Stated), wrong: Wrong, random: u64) -> Option<String> {
    let result = property(sgf, "RE");
    let (winner, margin) = (&result[3..4], result[5..result.len() - 1].parse::<f64>().ok()?);
    let other = if winner == "B" { "W" } else { "B" };
    match wrong {
        Wrong::Winner => Some(sgf.replace(result, &format!("RE[{other}+{margin}]"))),
        Wrong::Margin => {
            let margin = margin + 10.0 + (random % 30) as f64;
            Some(sgf.replace(result, &format!("RE[{winner}+{margin}]")))
        }
        Wrong::Komi => {
            let others = [0.0, 5.5, 6.5, 7.5, -stated.komi];
            let others: Vec<f64> = others.into_iter().filter(|komi| *komi != stated.komi).collect();
            let komi = others[random as usize % others.len()];
            Some(sgf.replace(property(sgf, "KM"), &format!("KM[{komi}]")))
        }
        Wrong::Colors => {
            let swapped = sgf.replace(";B[", ";?[").replace(";W[", ";B[").replace(";?[", ";W[");
            // On an even board the result stays right.
            (stated.recorded != 0.0).then_some(swapped)
        }
    }
}

/// Whether a cause is the way in which a record was made wrong.
fn names(cause: &Cause, wrong: Wrong, komi: f64) -> bool {
    match (wrong, cause) {
        (Wrong::Komi, Cause::Komi(named)) => *named == HalfPoints((komi * 2.0) as i32),
        (Wrong::Winner | Wrong::Colors, Cause::ColorsSwapped(_)) => true,
        (Wrong::Margin, Cause::Unknown) => true,
        _ => false,
    }
}

#[derive(Debug, Default)]
struct Found {
    games: u32,
    /// Any finding, and one that accuses.
    found: u32,
    accused: u32,
    /// The first cause is the right one.
    named: u32,
    /// Other causes that were named first.
    others: BTreeMap<String, u32>,
}

#[derive(Debug, Default)]
struct AsTheyAre {
    games: u32,
    same: u32,
    explained: u32,
    accused: u32,
}

fn as_they_are(records: &[(String, Stated)], analyzer: &mut Analyzer) -> (BTreeMap<String, AsTheyAre>, AsTheyAre) {
    let (mut by_source, mut confirmed) = (BTreeMap::new(), AsTheyAre::default());
    for (sgf, stated) in records.iter().step_by(STEP) {
        let report = analyze(analyzer, sgf);
        let audit = report.audit.as_ref().unwrap();
        let of_source: &mut AsTheyAre = by_source.entry(stated.source.clone()).or_default();
        for counts in [Some(of_source), stated.is_confirmed().then_some(&mut confirmed)].into_iter().flatten() {
            counts.games += 1;
            counts.same += u32::from(audit.verdict == Verdict::Same);
            counts.explained += u32::from(audit.verdict == Verdict::Explained);
            counts.accused += u32::from(is_accused(&report));
        }
    }
    (by_source, confirmed)
}

fn wrong_ones(records: &[(String, Stated)], analyzer: &mut Analyzer) -> BTreeMap<Wrong, Found> {
    let confirmed: Vec<&(String, Stated)> = records.iter().filter(|(_, stated)| stated.is_confirmed()).collect();
    let mut random = Random(18);
    let mut found: BTreeMap<Wrong, Found> = BTreeMap::new();
    for wrong in [Wrong::Winner, Wrong::Margin, Wrong::Komi, Wrong::Colors] {
        let found = found.entry(wrong).or_default();
        while found.games < MADE_WRONG as u32 {
            let record = confirmed[random.next() as usize % confirmed.len()];
            let Some(sgf) = made_wrong(record, wrong, random.next()) else { continue };
            let report = analyze(analyzer, &sgf);
            let audit = report.audit.as_ref().unwrap();
            found.games += 1;
            found.found += u32::from(report.findings.iter().any(|finding| finding.code.id().starts_with('R')));
            found.accused += u32::from(is_accused(&report));
            match audit.causes.first() {
                Some(cause) if names(cause, wrong, record.1.komi) => found.named += 1,
                other => {
                    let other = other.map_or(audit.verdict.name().to_owned(), Cause::to_string);
                    *found.others.entry(other).or_default() += 1;
                }
            }
        }
    }
    found
}

#[test]
fn results_made_wrong_are_found_and_right_ones_are_not_accused() {
    let Some(folder) = crate::support::corpus() else { return };
    let records = records(Path::new(&folder));
    let mut analyzer = Analyzer::default();
    let (by_source, confirmed) = as_they_are(&records, &mut analyzer);
    println!("{by_source:?}\nconfirmed {confirmed:?}");
    let share = |part: u32, whole: u32| f64::from(part) / f64::from(whole);
    for (source, least) in [("TOM", 0.97), ("TYGEM", 0.912)] {
        assert!(share(by_source[source].same, by_source[source].games) >= least, "{source}");
    }
    assert!(share(confirmed.accused, confirmed.games) <= 0.003);
    let found = wrong_ones(&records, &mut analyzer);
    found.iter().for_each(|one| println!("{one:?}"));
    let sum = |of: fn(&Found) -> u32| found.values().map(of).sum::<u32>();
    assert!(share(sum(|found| found.found), sum(|found| found.games)) >= 0.99);
    assert!(share(sum(|found| found.accused), sum(|found| found.games)) >= 0.97);
    assert!(share(sum(|found| found.named), sum(|found| found.games)) >= 0.9);
}
