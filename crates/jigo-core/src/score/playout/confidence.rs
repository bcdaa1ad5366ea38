//! How far an estimate can be trusted.

/// Thousandths of confidence by how decided the least decided chain is; in between, on the straight line.
///
/// Drawn along the shares of right endings among 3,056 counted games of odd years, 2003 to 2011, on Tygem and TOM in which the recorded margin is one that
/// an engine counts too: those whose file is named for an odd year; 68 others are of odd years by their date. What it is worth today: fit/README.md and docs/accuracy.md.
const KNOTS: [(i64, i64); 9] =
    [(0, 200), (2, 400), (5, 700), (10, 880), (16, 960), (25, 990), (40, 996), (70, 998), (100, 999)];
/// Chains with as many stones are large.
const LARGE: usize = 8;

/// How decided a chain is, from 0 to 100, by how often it is its own colour's, in percent, and its stones.
///
/// Most of what playouts get wrong without hesitation is a large chain that lives in a way they seldom find, so a
/// large chain counts two fifths of what a small one does.
pub(super) fn decided(status: i64, stones: usize) -> i64 {
    if stones >= LARGE && status.abs() < 100 { status.abs() * 2 / 5 } else { status.abs() }
}

/// The probability that the dead stones are right.
pub(super) fn confidence(least_decided: i64) -> f32 {
    let after = KNOTS.iter().position(|&(knot, _)| knot >= least_decided).unwrap_or(KNOTS.len() - 1);
    let ((left, low), (right, high)) = (KNOTS[after.saturating_sub(1)], KNOTS[after]);
    let thousandths = if right == left { high } else { low + (high - low) * (least_decided - left) / (right - left) };
    thousandths as f32 / 1000.0
}

/// Whether so many open points on a board of so many points are more than players leave when they stop: more than an eighth.
/// Counted games on 19x19 have a fourth of that, with rare exceptions.
pub(super) fn is_open(points: usize, open: usize) -> bool {
    8 * open > points
}

#[cfg(test)]
mod tests {
    use super::confidence;

    #[test]
    fn confidence_grows_with_what_is_decided() {
        let all: Vec<f32> = (0..=100).map(confidence).collect();
        assert!(all.is_sorted());
        assert_eq!((all[0], all[25], all[100]), (0.2, 0.99, 0.999));
    }
}
