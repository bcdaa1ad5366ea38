//! Compares estimates with recorded margins, over all counted games of the corpus in the folder
//! `JIGO_CORPUS`, or of the generated ones. The folder has `manifest.csv` and collections with one
//! game a line. The code of the fit documents which games are evidence and how it computes a lead.

// A malformed corpus fails the test. The lint allows `unwrap` only in test functions, and most
// functions here are helpers.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use jigo_core::analysis::Analyzer;
use jigo_rules::board::Point;
use jigo_score::{DeadSource, Decider, FinalPosition};

use crate::support::corpus::{RecordedEnding, counted_games};

#[derive(Debug, Default)]
struct Counts {
    games: u32,
    exact: u32,
    /// Games with a confidence of at least 0.9.
    confident: u32,
    /// Games that static evaluation decides alone, and the wrong ones among them. Both count only
    /// games in which an engine agrees with the record.
    by_static: [u32; 2],
    /// Games in which an engine agrees with the record: all, exact, right winner, confident,
    /// confident and exact.
    agreed: [u32; 5],
    /// The misses among them, by the change that would correct each.
    misses: BTreeMap<&'static str, u32>,
}

/// Returns the change that would give a miss the recorded margin.
fn class_of(ending: &RecordedEnding, dead: &[Point]) -> &'static str {
    const LARGE: usize = 8;
    let position = &ending.position;
    let heads = position.size().iter().filter(|&point| position.chain(point).min() == Some(point));
    let chains: Vec<Vec<Point>> = heads.map(|head| position.chain(head).collect()).collect();
    let toggled = |dead: &[Point], chain: &[Point]| -> Vec<Point> {
        let (removed, remaining): (Vec<Point>, Vec<Point>) = dead.iter().partition(|point| chain.contains(point));
        if removed.is_empty() { [&remaining[..], chain].concat() } else { remaining }
    };
    let explains = |dead: &[Point]| ending.lead(dead) == ending.facts.recorded;
    let single_changes: Vec<&Vec<Point>> = chains.iter().filter(|chain| explains(&toggled(dead, chain))).collect();
    if let Some(largest) = single_changes.iter().max_by_key(|chain| chain.len()) {
        return match (largest.len() >= LARGE, dead.contains(&largest[0])) {
            (true, true) => "a large chain lives that was taken for dead",
            (true, false) => "a large chain is dead that was taken for alive",
            (false, _) => "a small chain has the other status",
        };
    }
    let several: Vec<&Vec<Point>> = chains.iter().filter(|chain| chain.len() > 2).collect();
    let has_pair = several.iter().enumerate().any(|(index, first)| {
        let without = toggled(dead, first);
        several[..index].iter().any(|second| explains(&toggled(&without, second)))
    });
    if has_pair {
        "two chains have the other status"
    } else {
        "three or more chains, or points that no player has closed"
    }
}

/// Returns the counts of the games of odd years and of even years.
fn count_by_years(folder: &Path, order: &[DeadSource]) -> BTreeMap<String, Counts> {
    let (mut decider, mut analyzer) = (Decider::default(), Analyzer::default());
    let mut all: BTreeMap<String, Counts> = BTreeMap::new();
    for (game, facts) in counted_games(folder).unwrap() {
        let counts = all.entry(facts.set.clone()).or_default();
        let ending = RecordedEnding::from_game(&game, facts, &mut analyzer).unwrap();
        let final_position = FinalPosition { position: &ending.position, markup: None, next: ending.next };
        let estimate = decider.decide(final_position, order, None, &mut Vec::new()).unwrap();
        let confident = estimate.confidence.unwrap_or(1.0) >= 0.9;
        let lead = ending.lead(&estimate.dead);
        let exact = lead == ending.facts.recorded;
        let winner = ending.facts.has_recorded_winner(lead);
        counts.games += 1;
        counts.exact += u32::from(exact);
        counts.confident += u32::from(confident);
        if ending.facts.is_confirmed() {
            if estimate.source == DeadSource::Static {
                counts.by_static[0] += 1;
                counts.by_static[1] += u32::from(!exact);
            }
            for (count, is_match) in counts.agreed.iter_mut().zip([true, exact, winner, confident, confident && exact])
            {
                *count += u32::from(is_match);
            }
            if !exact {
                *counts.misses.entry(class_of(&ending, &estimate.dead)).or_default() += 1;
            }
        }
    }
    all
}

/// Checks the results against the required bars. No weights were fitted to even years; odd years
/// must reach the same bars. The test covers all games, because half of them, three thousand, can
/// miss a bar by a single game.
fn assert_margins_match(order: &[DeadSource]) -> BTreeMap<String, Counts> {
    let all = count_by_years(&crate::support::corpus(), order);
    assert_eq!(all.keys().collect::<Vec<_>>(), ["even", "odd"]);
    for (years, counts) in &all {
        println!("{years}: {counts:?}");
        let [agreed, exact, winner, confident, exact_confident] = counts.agreed.map(f64::from);
        let games = f64::from(counts.games);
        assert!(f64::from(counts.exact) >= 0.93 * games, "{years}");
        assert!(exact >= 0.9985 * agreed, "{years}");
        assert!(winner >= 0.999 * agreed, "{years}");
        assert!(f64::from(counts.confident) >= 0.97 * games, "{years}");
        assert!(exact_confident >= 0.999 * confident, "{years}");
    }
    all
}

#[test]
fn margins_match_without_static_evaluation() {
    assert_margins_match(&[DeadSource::Settled, DeadSource::Playouts]);
}

#[test]
fn margins_match_with_static_evaluation_first() {
    for (years, counts) in assert_margins_match(&DeadSource::DEFAULT) {
        let [all, wrong] = counts.by_static;
        // Most generated games are proven.
        let decides_most = 2 * all > counts.agreed[0] || !crate::support::has_real_games();
        assert!(decides_most, "static evaluation decides most endings of {years} years");
        assert!(wrong <= 1, "{years}: {wrong} of {all} that static evaluation decides alone");
    }
}
