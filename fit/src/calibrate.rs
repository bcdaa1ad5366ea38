//! Shares of correct endings by degree of decision, the basis of the playouts' confidence.

use jigo_score::playout::estimate;

use crate::training_data::{LabelledEnding, map_parallel};

/// The knots of the line that the confidence follows.
const KNOTS: [u8; 9] = [0, 2, 5, 10, 16, 25, 40, 70, 100];

/// Statistics of the games near one knot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Level {
    games: usize,
    right: usize,
    /// Sum of the confidences.
    confidence: f64,
}

impl Level {
    fn with(self, other: Level) -> Level {
        Level {
            games: self.games + other.games,
            right: self.right + other.right,
            confidence: self.confidence + other.confidence,
        }
    }

    fn share(self) -> f64 {
        self.right as f64 / self.games.max(1) as f64
    }
}

/// Prints statistics of the confirmed endings nearest to each knot.
///
/// The columns are the number of games, those that playouts alone get right, their share, the
/// nearest shares that never fall, and the mean confidence.
pub fn calibrate(endings: &[LabelledEnding]) {
    let confirmed: Vec<&LabelledEnding> = endings.iter().filter(|ending| ending.ending.facts.is_confirmed()).collect();
    let levels_by_degree = map_parallel(&confirmed, |ending| level(ending));
    let levels = KNOTS.map(|knot| {
        let nearest = levels_by_degree.iter().filter(|(degree, _)| nearest(*degree) == knot);
        nearest.fold(Level::default(), |all, (_, level)| all.with(*level))
    });
    println!("decided  games  right  thousandths  never falling  mean confidence");
    for ((knot, level), monotone) in KNOTS.iter().zip(levels).zip(make_monotone(&levels)) {
        let [share, monotone] = [level.share(), monotone].map(|share| 1000.0 * share);
        let mean = 1000.0 * level.confidence / level.games.max(1) as f64;
        println!("{knot:>7}{:>7}{:>7}{share:>13.1}{monotone:>15.1}{mean:>17.1}", level.games, level.right);
    }
}

/// Returns the degree of decision of an ending with its result.
fn level(labelled: &LabelledEnding) -> (u8, Level) {
    let result = estimate(&labelled.ending.position, labelled.ending.next);
    let is_correct = labelled.ending.lead(&result.dead) == labelled.ending.facts.recorded;
    (result.decision_degree, Level { games: 1, right: is_correct.into(), confidence: result.confidence.into() })
}

/// Returns the nearest knot. Of two knots at the same distance the lower one wins.
fn nearest(degree: u8) -> u8 {
    KNOTS.into_iter().min_by_key(|knot| knot.abs_diff(degree)).unwrap_or(0)
}

/// Returns the best approximation of the shares that never falls, by pooling adjacent violators.
fn make_monotone(levels: &[Level]) -> Vec<f64> {
    let mut pools: Vec<(Level, usize)> = Vec::new();
    for &level in levels {
        let mut pool = (level, 1);
        while let Some(previous) = pools.pop_if(|(previous, _)| pool.0.games == 0 || previous.share() >= pool.0.share())
        {
            pool = (previous.0.with(pool.0), previous.1 + pool.1);
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|(pool, size)| std::iter::repeat_n(pool.share(), size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_fall_are_taken_together() {
        let level = |games, correct| Level { games, right: correct, confidence: 0.0 };
        assert_eq!(make_monotone(&[level(4, 1), level(2, 2), level(2, 1), level(1, 1)]), [0.25, 0.75, 0.75, 1.0]);
        assert_eq!(make_monotone(&[level(2, 1), level(0, 0), level(1, 1)]), [0.5, 0.5, 1.0]);
    }

    #[test]
    fn ending_belongs_to_the_nearest_knot() {
        assert_eq!([0, 1, 2, 7, 8, 99].map(nearest), [0, 0, 2, 5, 10, 100]);
    }
}
