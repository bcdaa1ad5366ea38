//! How far an estimate can be trusted.

/// Thousandths of confidence by how decided the least decided chain is, in percent; in between, on the straight line.
///
/// Calibrated on 3,124 games of the odd years 2003 to 2011 on Tygem and TOM in which the recorded margin is one that an
/// engine counts too; the README has the reliability on games of the other years.
const KNOTS: [(i64, i64); 9] =
    [(0, 50), (2, 350), (5, 700), (10, 850), (16, 930), (25, 980), (50, 992), (70, 998), (100, 999)];

/// The probability that the dead stones are right.
pub(super) fn confidence(weakest: i64) -> f32 {
    let after = KNOTS.iter().position(|&(knot, _)| knot >= weakest).unwrap_or(KNOTS.len() - 1);
    let ((left, low), (right, high)) = (KNOTS[after.saturating_sub(1)], KNOTS[after]);
    let thousandths = if right == left { high } else { low + (high - low) * (weakest - left) / (right - left) };
    thousandths as f32 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::confidence;

    #[test]
    fn confidence_grows_with_what_is_decided() {
        let all: Vec<f32> = (0..=100).map(confidence).collect();
        assert!(all.is_sorted());
        assert_eq!((all[0], all[25], all[100]), (0.05, 0.98, 0.999));
    }
}
