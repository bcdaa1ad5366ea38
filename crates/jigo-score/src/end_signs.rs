//! Signs that a game was played to its end.
//!
//! Playouts judge any position as if it were finished, and some truncated games look clear to them.
//! So two facts that do not come from playouts also count: the passes of the record, and the number
//! of points that touch both colours, since players leave few of them.

use super::Counts;
use super::dead_stones::Ending;
use super::playout::OPEN_BOARD_CONFIDENCE;
use jigo_rules::Tally;

/// A board without a pass is unfinished if its points that touch both colours exceed this share.
/// The value is the divisor of the board's points.
const DAME_SHARE_WITHOUT_PASS: u32 = 12;
/// With any number of passes, a board is unfinished if its points that touch both colours exceed
/// this share. The value is the divisor of the board's points.
const DAME_SHARE: u32 = 4;
/// A board has closed borders if its points that touch both colours don't exceed this share. The
/// value is the divisor of the board's points.
const CLOSED_SHARE: u32 = 12;
/// The largest number of board points per turn of a whole game. Players who count have made at
/// least one turn for this number of points.
const POINTS_PER_TURN: u32 = 2;

impl Ending {
    /// Returns the ending, marked as open if it is an estimate and nothing shows that the game
    /// ended. A position without turns stays as it is, because it has no record that could show the
    /// end.
    pub fn checked_for_end(self, counts: &Counts, tally: &Tally) -> Ending {
        let share = if tally.closing_passes == 0 { DAME_SHARE_WITHOUT_PASS } else { DAME_SHARE };
        let is_unfinished = self.source.is_estimate() && tally.turns > 0 && counts.dame * share > counts.points;
        if !is_unfinished {
            return self;
        }
        let confidence =
            self.confidence.map_or(OPEN_BOARD_CONFIDENCE, |confidence| confidence.min(OPEN_BOARD_CONFIDENCE));
        Ending { confidence: Some(confidence), is_open: true, ..self }
    }

    /// Returns true if at least two independent signs show that the game ended. Without them jigo
    /// contradicts no result.
    ///
    /// The signs are two passes, marked or proven dead stones, closed borders, and as many turns as
    /// a whole game has.
    pub fn shows_end(&self, counts: &Counts, tally: &Tally) -> bool {
        let signs = [
            tally.closing_passes >= 2,
            !self.source.is_estimate(),
            counts.dame * CLOSED_SHARE <= counts.points,
            tally.turns * POINTS_PER_TURN >= counts.points,
        ];
        counts.dame * DAME_SHARE <= counts.points && signs.iter().filter(|sign| **sign).count() >= 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeadSource;
    use jigo_rules::board::diagram::read;

    /// Two walls with a column of dame between them: 9 of 45 points.
    fn walls_apart() -> Counts {
        Counts::from_position(&read(&[". X . O ."; 9].join("\n")).unwrap(), &[])
    }

    fn estimate() -> Ending {
        Ending { confidence: Some(0.99), ..Ending::without_estimate(Vec::new(), DeadSource::Playouts) }
    }

    fn tally(turns: u32, closing_passes: u32) -> Tally {
        Tally { turns, closing_passes, ..Tally::default() }
    }

    #[test]
    fn estimate_of_a_board_with_many_dame_is_open_without_a_pass() {
        let counts = walls_apart();
        assert_eq!((counts.dame, counts.points), (9, 45));
        let unfinished = estimate().checked_for_end(&counts, &tally(40, 0));
        assert_eq!((unfinished.confidence, unfinished.is_open), (Some(OPEN_BOARD_CONFIDENCE), true));
        for finished in [tally(40, 1), tally(40, 2), tally(0, 0)] {
            assert_eq!(estimate().checked_for_end(&counts, &finished), estimate());
        }
        let marked = Ending::without_estimate(Vec::new(), DeadSource::Markup);
        assert_eq!(marked.clone().checked_for_end(&counts, &tally(40, 0)), marked);
    }

    #[test]
    fn estimate_of_a_mostly_dame_board_stays_open() {
        let counts = Counts::from_position(&read(&["X . . O"; 9].join("\n")).unwrap(), &[]);
        assert!(estimate().checked_for_end(&counts, &tally(40, 2)).is_open);
    }

    #[test]
    fn two_signs_show_the_end_of_a_game() {
        let (open, closed) = (walls_apart(), Counts::from_position(&read(&[". X O ."; 9].join("\n")).unwrap(), &[]));
        let shows_end = |counts: &Counts, turns, passes| estimate().shows_end(counts, &tally(turns, passes));
        assert!(shows_end(&closed, 5, 2) && shows_end(&closed, 30, 0) && shows_end(&open, 30, 2));
        assert!(!shows_end(&closed, 5, 0) && !shows_end(&open, 5, 2) && !shows_end(&open, 30, 1));
        assert!(Ending::without_estimate(Vec::new(), DeadSource::Settled).shows_end(&closed, &tally(0, 0)));
    }
}
