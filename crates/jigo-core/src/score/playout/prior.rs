//! How plausible a lead is at the end of a game that was counted.
//!
//! Whoever is far behind resigns, so a game that is counted is close: of 6,942 counted games of Tygem and TOM 77% end within
//! 10 points of even after komi and 99.5% within 40. A playout that ends far from even has therefore most likely given a
//! group to the wrong side, and counts for less. What all playouts agree on is not touched by this, nor does the recorded
//! result come into it. That is so between players who know when they have lost: on small boards beginners play most of the
//! games, and play them to the end, so there it is three times milder.

use crate::board::BoardSize;
use crate::score::known::Known;

/// Black's lead on the board in an even game, whose usual komi it is.
const FIRST_TURN: i64 = 7;
/// The weight of a playout that ends even.
const WEIGHT: i64 = 1000;
/// Points from even at which a playout counts half. Between 20 and 60 the choice makes little difference on the corpus.
const HALF: i64 = 40;
/// The same on small boards. Of 575 games of 9x9 and 13x13 with many errors seven come out with it that do not with 40, and none the other way round; without
/// any prior lone stones in large territory live.
const HALF_ON_SMALL: i64 = 120;
/// Points from even at which a lead is a fourth as plausible as an even one.
const FAR: f64 = 30.0;

/// Boards of 13x13 and less.
pub(super) fn is_small(size: BoardSize) -> bool {
    size.points() <= 13 * 13
}

/// What all playouts of a position have in common of their lead.
pub(super) struct LeadPrior {
    /// Black's pass-alive territory less White's, which no playout enters.
    settled: i64,
    /// Points from even at which a playout counts half.
    half: i64,
}

impl LeadPrior {
    pub(super) fn new(size: BoardSize, known: &Known) -> LeadPrior {
        LeadPrior { settled: known.lead(), half: if is_small(size) { HALF_ON_SMALL } else { HALF } }
    }

    /// The weight of a playout by Black's lead outside of pass-alive territory at its end: 1000 when it is even after
    /// komi, half of it 40 points from there, 120 on a small board, and never 0.
    pub(super) fn plausibility(&self, open: i64) -> i64 {
        let off = self.settled + open - FIRST_TURN;
        (WEIGHT * self.half * self.half / (self.half * self.half + off * off)).max(1)
    }
}

/// How plausible a lead of Black's is on 19x19, from 0 to 1: 1 when it is even after komi, a fourth of it 30 points from
/// there. It falls off far slower than the counts do, of which a hundredth are left there.
pub(super) fn plausible(lead: i64) -> f64 {
    let off = (lead - FIRST_TURN) as f64 / FAR;
    let near = 1.0 / (1.0 + off * off);
    near * near
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::read;

    #[test]
    fn far_leads_are_less_plausible_and_none_is_impossible() {
        let lead = LeadPrior { settled: 0, half: HALF };
        assert_eq!([7, 7 + 40, 7 - 40].map(|open| lead.plausibility(open)), [1000, 500, 500]);
        assert!((7..=361).map(|open| lead.plausibility(open)).is_sorted_by(|near, far| near >= far));
        assert!(lead.plausibility(-52 * 52) > 0);
    }

    #[test]
    fn an_even_lead_is_four_times_as_plausible_as_a_far_one() {
        assert_eq!([7, 37, -23].map(plausible), [1.0, 0.25, 0.25]);
        assert!((7..=361).map(plausible).is_sorted_by(|near, far| near > far));
    }

    #[test]
    fn what_is_settled_belongs_to_the_lead() {
        let position = read(". X .\nX X X\n. . .").unwrap();
        // Five points of territory and so many stones.
        let plausibility = |size, stones| LeadPrior::new(size, &Known::proved(&position)).plausibility(stones);
        assert_eq!(plausibility(BoardSize::standard(), 42), 500);
        assert_eq!(plausibility(position.size(), 122), 500);
        assert!(plausibility(position.size(), 42) > 800);
    }
}
