//! Results of the estimates on recorded games, for several orders of sources.

use jigo_rules::board::Point;
use jigo_score::{DeadSource, Decider, FinalPosition};

use crate::corpus::{RecordedEnding, RecordedFacts};
use crate::training_data::{LabelledEnding, map_parallel};

/// The default order, for endings without marks.
const DEFAULT: [DeadSource; 3] = [DeadSource::Settled, DeadSource::Static, DeadSource::Playouts];
/// Static evaluation decides no chain here, but its odds count together with the playouts.
const WITH_ODDS: [DeadSource; 2] = [DeadSource::Settled, DeadSource::Playouts];
/// The compared ways to estimate, in the order of `EndingResult::leads`.
///
/// The last one produced the labels and does not use static evaluation.
const METHODS: [&str; 3] = ["settled,static,playouts", "settled,playouts", "playouts alone"];
const PLAYOUTS_ONLY: usize = 2;
/// Limits of the confidence ranges in the report.
const BOUNDS: [f32; 5] = [0.0, 0.5, 0.7, 0.9, 1.1];

/// The result for one ending.
struct EndingResult<'e> {
    facts: &'e RecordedFacts,
    /// Source that decides the ending in the default order.
    by: DeadSource,
    /// Confidence of that source.
    confidence: f32,
    /// Black's lead in each way.
    leads: [f64; METHODS.len()],
}

impl EndingResult<'_> {
    fn from_labelled(labelled: &LabelledEnding) -> Option<EndingResult<'_>> {
        let ending = &labelled.ending;
        let (by, confidence, dead) = decide(ending, &DEFAULT)?;
        let (.., with_odds) = decide(ending, &WITH_ODDS)?;
        let leads = [&dead, &with_odds, &labelled.dead].map(|dead| ending.lead(dead));
        Some(EndingResult { facts: &ending.facts, by, confidence, leads })
    }

    fn is_exact(&self, method: usize) -> bool {
        self.leads[method] == self.facts.recorded
    }

    fn has_winner(&self, method: usize) -> bool {
        self.facts.has_recorded_winner(self.leads[method])
    }
}

/// Returns the deciding source, its confidence and the dead stones.
fn decide(ending: &RecordedEnding, order: &[DeadSource]) -> Option<(DeadSource, f32, Vec<Point>)> {
    let final_position = FinalPosition { position: &ending.position, markup: None, next: ending.next };
    let ending_result = Decider::default().decide(final_position, order, None, &mut Vec::new())?;
    Some((ending_result.source, ending_result.confidence.unwrap_or(1.0), ending_result.dead))
}

/// Prints the results by server and for all games. Then compares the default order with playouts
/// alone and lists its errors.
pub fn print_quality(endings: &[LabelledEnding], set: &str) {
    let results: Vec<EndingResult> = map_parallel(endings, EndingResult::from_labelled).into_iter().flatten().collect();
    let mut sources: Vec<&str> = results.iter().map(|results| results.facts.source.as_str()).collect();
    sources.sort_unstable();
    sources.dedup();
    for source in sources {
        let games: Vec<&EndingResult> = results.iter().filter(|results| results.facts.source == source).collect();
        report(&games, &format!("{set}, {source}"));
    }
    let games: Vec<&EndingResult> = results.iter().collect();
    report(&games, set);
    confidences(&games);
    for by in [DeadSource::Static, DeadSource::Playouts] {
        let decided_games: Vec<&EndingResult> = results.iter().filter(|results| results.by == by).collect();
        compare_with_playouts_only(&decided_games, 0, &format!("{}, decided by {}", METHODS[0], by.name()));
    }
    compare_with_playouts_only(&games, 1, METHODS[1]);
    for EndingResult { facts, by, leads, .. } in
        results.iter().filter(|results| results.facts.is_confirmed() && !results.is_exact(0))
    {
        println!("{} by {}: counted {}, recorded {}", facts.source, by.name(), leads[0], facts.recorded);
    }
}

/// Counts the games that satisfy a condition.
fn count(games: &[&EndingResult], predicate: impl Fn(&EndingResult) -> bool) -> usize {
    games.iter().filter(|result| predicate(result)).count()
}

/// Formats a number and its percentage of the whole.
fn share(part: usize, whole: usize) -> String {
    format!("{part} ({:.2}%)", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Prints margins and winners in each way, the share of static evaluation, and the quality of high
/// confidences.
fn report(games: &[&EndingResult], title: &str) {
    let confirmed: Vec<&EndingResult> = games.iter().copied().filter(|result| result.facts.is_confirmed()).collect();
    println!("{title}: {} records, {} of them confirmed", games.len(), confirmed.len());
    for (method, name) in METHODS.iter().enumerate() {
        let correct = |games: &[&EndingResult]| {
            let margins = share(count(games, |result| result.is_exact(method)), games.len());
            let winners = share(count(games, |result| result.has_winner(method)), games.len());
            format!("margin {margins}, winner {winners}")
        };
        println!("  {name:<23}  confirmed: {}; all: {}", correct(&confirmed), correct(games));
    }
    let by_static = |result: &EndingResult| result.by == DeadSource::Static;
    let (all, known_games) = (count(games, by_static), count(&confirmed, by_static));
    let errors = count(&confirmed, |result| by_static(result) && !result.is_exact(0));
    println!(
        "  by static evaluation: {all} records; {} of the confirmed, {errors} wrong",
        share(known_games, confirmed.len())
    );
    let is_confident = |result: &EndingResult| result.confidence >= 0.9;
    let confident = count(&confirmed, is_confident);
    let correct = share(count(&confirmed, |result| is_confident(result) && result.is_exact(0)), confident);
    let sure_games = share(count(games, is_confident), games.len());
    println!("  confidence of 0.9 and more: {sure_games} of the records; {correct} of {confident} confirmed right");
}

/// Prints the number of correct endings in each range of confidence.
fn confidences(games: &[&EndingResult]) {
    for bounds in BOUNDS.windows(2) {
        let is_in = |result: &EndingResult| (bounds[0]..bounds[1]).contains(&result.confidence);
        let correct = count(games, |result| is_in(result) && result.is_exact(0));
        let confirmed = count(games, |result| is_in(result) && result.facts.is_confirmed());
        let confirmed_right = count(games, |result| is_in(result) && result.facts.is_confirmed() && result.is_exact(0));
        let lower = bounds[0];
        let all = count(games, is_in);
        println!(
            "  confidence from {lower}: {all} games, {correct} right; {confirmed_right} of {confirmed} confirmed right"
        );
    }
}

/// Prints the margins that a way wins and loses against playouts without static evaluation.
fn compare_with_playouts_only(games: &[&EndingResult], method: usize, title: &str) {
    let won = count(games, |result| result.is_exact(method) && !result.is_exact(PLAYOUTS_ONLY));
    let lost = count(games, |result| !result.is_exact(method) && result.is_exact(PLAYOUTS_ONLY));
    println!("{title}: {won} margins won and {lost} lost against playouts alone, of {}", games.len());
}
