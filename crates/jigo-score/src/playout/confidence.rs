//! Calibration of the confidence of an estimate.

/// The maximum confidence of an estimate of an open board. No games exist to fit it. The value
/// says that such an estimate is a guess.
pub(crate) const OPEN_BOARD_CONFIDENCE: f32 = 0.1;

/// Confidence in thousandths for the least decided chain's degree of decision, interpolated
/// linearly.
///
/// The values follow the shares of correct endings among 3,056 counted games on Tygem and TOM from
/// odd years between 2003 and 2011 whose recorded margin is one that an engine counts too. The year
/// is that in the file's name; 68 other games are of odd years by their date. fit/README.md and
/// docs/accuracy.md show the current quality.
const KNOTS: [(i64, i64); 9] =
    [(0, 200), (2, 400), (5, 700), (10, 880), (16, 960), (25, 990), (40, 996), (70, 998), (100, 999)];
/// Smallest number of stones of a large chain.
const MIN_LARGE_CHAIN: usize = 8;

/// Returns the degree of decision of a chain, from 0 to 100.
///
/// `status` says how often the chain's own colour owns it, in percent. Most clear errors of
/// playouts concern large chains that live in a way which playouts rarely find. Therefore a large
/// chain counts only two fifths.
pub(super) fn decision_degree(status: i64, stones: usize) -> i64 {
    if stones >= MIN_LARGE_CHAIN && status.abs() < 100 { status.abs() * 2 / 5 } else { status.abs() }
}

/// Returns the probability that the dead stones are correct.
pub(super) fn confidence(least_decided: i64) -> f32 {
    let next_knot = KNOTS.iter().position(|&(knot, _)| knot >= least_decided).unwrap_or(KNOTS.len() - 1);
    let ((left_degree, left_confidence), (right_degree, right_confidence)) =
        (KNOTS[next_knot.saturating_sub(1)], KNOTS[next_knot]);
    let thousandths = if right_degree == left_degree {
        right_confidence
    } else {
        left_confidence
            + (right_confidence - left_confidence) * (least_decided - left_degree) / (right_degree - left_degree)
    };
    thousandths as f32 / 1000.0
}

/// Returns true if more than an eighth of the points are open, which is more than players leave at
/// the end.
///
/// With rare exceptions, counted games on 19x19 have at most a quarter of this.
pub(super) fn is_open(points: usize, open_points: usize) -> bool {
    8 * open_points > points
}

#[cfg(test)]
mod tests {
    use super::confidence;

    #[test]
    fn confidence_grows_with_decision() {
        let all: Vec<f32> = (0..=100).map(confidence).collect();
        assert!(all.is_sorted());
        assert_eq!((all[0], all[25], all[100]), (0.2, 0.99, 0.999));
    }
}
