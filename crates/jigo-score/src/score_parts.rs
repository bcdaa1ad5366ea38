//! The arithmetic of a score: the parts that add up to the points of each player.

use jigo_rules::HalfPoints;

jigo_rules::named! {
    /// A part of a score.
    pub enum ScorePart {
        /// Living stones.
        Stones = "stones",
        /// Empty points that only this player surrounds, and the points of the opponent's dead
        /// stones.
        Territory = "territory",
        /// Stones that the player lost during play, subtracted.
        Captured = "captured",
        /// The player's dead stones, which the opponent removes at the end, subtracted.
        Dead = "dead",
        /// Stones that the player gave for passes, subtracted.
        Passes = "passes",
        /// The group tax, subtracted.
        Tax = "tax",
        /// The button.
        Button = "button",
        /// Komi.
        Komi = "komi",
        /// The compensation for handicap stones.
        Bonus = "bonus",
    }
}

/// The parts of a score, in half points. Subtracted parts are negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoreParts([[HalfPoints; 2]; 9]);

impl ScoreParts {
    /// Returns the parts with one part set for Black and White.
    #[must_use]
    pub(crate) fn with(mut self, part: ScorePart, points: [HalfPoints; 2]) -> ScoreParts {
        self.0[part as usize] = points;
        self
    }

    /// Returns the parts with one part set for Black and White, in whole points.
    #[must_use]
    pub(crate) fn with_points(self, part: ScorePart, points: [i32; 2]) -> ScoreParts {
        self.with(part, points.map(HalfPoints::from_points))
    }

    /// Returns a part, Black first.
    pub fn part(&self, part: ScorePart) -> [HalfPoints; 2] {
        self.0[part as usize]
    }

    /// Returns the points of each player, Black first.
    pub fn sum(&self) -> [HalfPoints; 2] {
        [0, 1].map(|side| self.0.iter().map(|points| points[side]).sum())
    }
}
