//! Results of the estimates on recorded games, for several orders of sources.

use jigo_rules::board::Point;
use jigo_score::{DeadSource, Decider};

use crate::counted::{CountedEnding, Stated};
use crate::labelled::{LabelledEnding, map_parallel};

/// The default order, for endings without marks.
const DEFAULT: [DeadSource; 3] = [DeadSource::Settled, DeadSource::Static, DeadSource::Playouts];
/// Static evaluation decides no chain here, but its odds count together with the playouts.
const WITH_ODDS: [DeadSource; 2] = [DeadSource::Settled, DeadSource::Playouts];
/// The compared ways to estimate, in the order of `Found::leads`.
///
/// The last one produced the labels and does not use static evaluation.
const WAYS: [&str; 3] = ["settled,static,playouts", "settled,playouts", "playouts alone"];
const PLAYOUTS_ONLY: usize = 2;
/// Limits of the confidence ranges in the report.
const BOUNDS: [f32; 5] = [0.0, 0.5, 0.7, 0.9, 1.1];

/// The result for one ending.
struct Found<'e> {
    stated: &'e Stated,
    /// Source that decides the ending in the default order.
    by: DeadSource,
    /// Confidence of that source.
    confidence: f32,
    /// Black's lead in each way.
    leads: [f64; WAYS.len()],
}

impl Found<'_> {
    fn from_labelled(labelled: &LabelledEnding) -> Option<Found<'_>> {
        let ending = &labelled.ending;
        let (by, confidence, dead) = decide(ending, &DEFAULT)?;
        let (.., with_odds) = decide(ending, &WITH_ODDS)?;
        let leads = [&dead, &with_odds, &labelled.dead].map(|dead| ending.lead(dead));
        Some(Found { stated: &ending.stated, by, confidence, leads })
    }

    fn is_exact(&self, way: usize) -> bool {
        self.leads[way] == self.stated.recorded
    }

    fn has_winner(&self, way: usize) -> bool {
        self.stated.is_won_alike(self.leads[way])
    }
}

/// Returns the deciding source, its confidence and the dead stones.
fn decide(ending: &CountedEnding, order: &[DeadSource]) -> Option<(DeadSource, f32, Vec<Point>)> {
    let position = (&ending.position, None);
    let decided = Decider::default().decide(position, ending.next, order, None, &mut Vec::new())?;
    Some((decided.source, decided.confidence.unwrap_or(1.0), decided.dead))
}

/// Prints the results by server and for all games. Then compares the default order with playouts
/// alone and lists its errors.
pub fn judge(endings: &[LabelledEnding], set: &str) {
    let found: Vec<Found> = map_parallel(endings, Found::from_labelled).into_iter().flatten().collect();
    let mut sources: Vec<&str> = found.iter().map(|found| found.stated.source.as_str()).collect();
    sources.sort_unstable();
    sources.dedup();
    for source in sources {
        let games: Vec<&Found> = found.iter().filter(|found| found.stated.source == source).collect();
        report(&games, &format!("{set}, {source}"));
    }
    let games: Vec<&Found> = found.iter().collect();
    report(&games, set);
    confidences(&games);
    for by in [DeadSource::Static, DeadSource::Playouts] {
        let decided: Vec<&Found> = found.iter().filter(|found| found.by == by).collect();
        compare_with_playouts_only(&decided, 0, &format!("{}, decided by {}", WAYS[0], by.name()));
    }
    compare_with_playouts_only(&games, 1, WAYS[1]);
    for Found { stated, by, leads, .. } in
        found.iter().filter(|found| found.stated.is_confirmed() && !found.is_exact(0))
    {
        println!("{} by {}: counted {}, recorded {}", stated.source, by.name(), leads[0], stated.recorded);
    }
}

/// Counts the games that satisfy a condition.
fn count(games: &[&Found], is: impl Fn(&Found) -> bool) -> usize {
    games.iter().filter(|found| is(found)).count()
}

/// Formats a number and its percentage of the whole.
fn share(part: usize, whole: usize) -> String {
    format!("{part} ({:.2}%)", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Prints margins and winners in each way, the share of static evaluation, and the quality of high
/// confidences.
fn report(games: &[&Found], title: &str) {
    let confirmed: Vec<&Found> = games.iter().copied().filter(|found| found.stated.is_confirmed()).collect();
    println!("{title}: {} records, {} of them confirmed", games.len(), confirmed.len());
    for (way, name) in WAYS.iter().enumerate() {
        let right = |games: &[&Found]| {
            let margins = share(count(games, |found| found.is_exact(way)), games.len());
            let winners = share(count(games, |found| found.has_winner(way)), games.len());
            format!("margin {margins}, winner {winners}")
        };
        println!("  {name:<23}  confirmed: {}; all: {}", right(&confirmed), right(games));
    }
    let by_static = |found: &Found| found.by == DeadSource::Static;
    let (all, known) = (count(games, by_static), count(&confirmed, by_static));
    let wrong = count(&confirmed, |found| by_static(found) && !found.is_exact(0));
    println!(
        "  by static evaluation: {all} records; {} of the confirmed, {wrong} wrong",
        share(known, confirmed.len())
    );
    let is_sure = |found: &Found| found.confidence >= 0.9;
    let sure = count(&confirmed, is_sure);
    let right = share(count(&confirmed, |found| is_sure(found) && found.is_exact(0)), sure);
    let sure_games = share(count(games, is_sure), games.len());
    println!("  confidence of 0.9 and more: {sure_games} of the records; {right} of {sure} confirmed right");
}

/// Prints the number of correct endings in each range of confidence.
fn confidences(games: &[&Found]) {
    for bounds in BOUNDS.windows(2) {
        let is_in = |found: &Found| (bounds[0]..bounds[1]).contains(&found.confidence);
        let right = count(games, |found| is_in(found) && found.is_exact(0));
        let confirmed = count(games, |found| is_in(found) && found.stated.is_confirmed());
        let confirmed_right = count(games, |found| is_in(found) && found.stated.is_confirmed() && found.is_exact(0));
        let from = bounds[0];
        let all = count(games, is_in);
        println!(
            "  confidence from {from}: {all} games, {right} right; {confirmed_right} of {confirmed} confirmed right"
        );
    }
}

/// Prints the margins that a way wins and loses against playouts without static evaluation.
fn compare_with_playouts_only(games: &[&Found], way: usize, what: &str) {
    let won = count(games, |found| found.is_exact(way) && !found.is_exact(PLAYOUTS_ONLY));
    let lost = count(games, |found| !found.is_exact(way) && found.is_exact(PLAYOUTS_ONLY));
    println!("{what}: {won} margins won and {lost} lost against playouts alone, of {}", games.len());
}
