//! The classes of recorded margins.

use jigo_rules::HalfPoints;

/// The width of a class of margins in points.
pub const MARGIN_STEP: i32 = 5;
/// The number of the last class. It includes all larger margins.
pub const LAST_MARGIN_CLASS: i32 = 10;

/// Returns the class of a margin: 0 for a draw, 1 for up to [`MARGIN_STEP`] points and so on,
/// positive if Black won and negative if White won.
pub(super) fn margin_class(black_minus_white: HalfPoints) -> i32 {
    let half_points = black_minus_white.0;
    let step = 2 * MARGIN_STEP.unsigned_abs();
    let class = half_points.unsigned_abs().div_ceil(step).min(LAST_MARGIN_CLASS.unsigned_abs());
    // The class is at most LAST_MARGIN_CLASS, so the conversion can't wrap.
    half_points.signum() * class as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_have_symmetric_classes() {
        let classes = [0, 1, 10, 11, 400, i32::MAX].map(|half_points| margin_class(HalfPoints(half_points)));
        assert_eq!(classes, [0, 1, 1, 2, 10, 10]);
        assert_eq!(
            [-1, -10, -11, i32::MIN].map(|half_points| margin_class(HalfPoints(half_points))),
            [-1, -1, -2, -10]
        );
    }
}
