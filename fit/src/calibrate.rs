//! How often endings are right by how decided their least decided chain is: where the confidence of playouts comes from.

use jigo_core::score::playout::estimate;

use crate::labelled::{LabelledEnding, each};

/// Where the shares are asked for: the knots of the line that the confidence follows.
const KNOTS: [u8; 9] = [0, 2, 5, 10, 16, 25, 40, 70, 100];

/// Games that are alike decided, and how many of them are right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Level {
    games: usize,
    right: usize,
    /// The sum of their confidences.
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

/// Prints for each knot the confirmed endings that are nearer to it than to the others, how many of them are right by playouts alone,
/// the same share as it never falls, and the mean of the confidences that they have.
pub fn calibrate(endings: &[LabelledEnding]) {
    let confirmed: Vec<&LabelledEnding> = endings.iter().filter(|ending| ending.ending.stated.is_confirmed()).collect();
    let found = each(&confirmed, |ending| level(ending));
    let levels = KNOTS.map(|knot| {
        let nearest = found.iter().filter(|(decided, _)| nearest(*decided) == knot);
        nearest.fold(Level::default(), |all, (_, level)| all.with(*level))
    });
    println!("decided  games  right  thousandths  never falling  mean confidence");
    for ((knot, level), rising) in KNOTS.iter().zip(levels).zip(rising(&levels)) {
        let [share, rising] = [level.share(), rising].map(|share| 1000.0 * share);
        let mean = 1000.0 * level.confidence / level.games.max(1) as f64;
        println!("{knot:>7}{:>7}{:>7}{share:>13.1}{rising:>15.1}{mean:>17.1}", level.games, level.right);
    }
}

/// How decided an ending is, and what came of it.
fn level(labelled: &LabelledEnding) -> (u8, Level) {
    let found = estimate(&labelled.ending.position, labelled.ending.next);
    let is_right = labelled.ending.lead(&found.dead) == labelled.ending.stated.recorded;
    (found.decided, Level { games: 1, right: is_right.into(), confidence: found.confidence.into() })
}

/// The knot next to how decided an ending is, the lower one of two.
fn nearest(decided: u8) -> u8 {
    KNOTS.into_iter().min_by_key(|knot| knot.abs_diff(decided)).unwrap_or(0)
}

/// The shares that come nearest to those of the levels and never fall: neighbours that fall are taken together (pool adjacent violators).
fn rising(levels: &[Level]) -> Vec<f64> {
    let mut pools: Vec<(Level, usize)> = Vec::new();
    for &level in levels {
        let mut pool = (level, 1);
        while let Some(before) = pools.pop_if(|(before, _)| pool.0.games == 0 || before.share() >= pool.0.share()) {
            pool = (before.0.with(pool.0), before.1 + pool.1);
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
        let level = |games, right| Level { games, right, confidence: 0.0 };
        assert_eq!(rising(&[level(4, 1), level(2, 2), level(2, 1), level(1, 1)]), [0.25, 0.75, 0.75, 1.0]);
        assert_eq!(rising(&[level(2, 1), level(0, 0), level(1, 1)]), [0.5, 0.5, 1.0]);
    }

    #[test]
    fn an_ending_belongs_to_the_nearest_knot() {
        assert_eq!([0, 1, 2, 7, 8, 99].map(nearest), [0, 0, 2, 5, 10, 100]);
    }
}
