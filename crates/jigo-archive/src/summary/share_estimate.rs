//! Shares of games with their uncertainty.

/// A share of games with the limits of its 95 % interval, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareEstimate {
    /// The share.
    pub share: f32,
    /// The lower limit.
    pub low: f32,
    /// The upper limit.
    pub high: f32,
}

impl ShareEstimate {
    /// Returns the share of `part` in `whole` with the limits of its 95 % interval (Wilson 1927).
    /// `None` if `whole` is 0.
    pub fn new(part: u64, whole: u64) -> Option<ShareEstimate> {
        const QUANTILE: f64 = 1.959_963_985;
        if whole == 0 {
            return None;
        }
        let (games, square) = (whole as f64, QUANTILE * QUANTILE);
        let share = part as f64 / games;
        let center = (share + square / (2.0 * games)) / (1.0 + square / games);
        let spread =
            QUANTILE / (1.0 + square / games) * (share * (1.0 - share) / games + square / (4.0 * games * games)).sqrt();
        Some(ShareEstimate {
            share: share as f32,
            low: (center - spread).max(0.0) as f32,
            high: (center + spread).min(1.0) as f32,
        })
    }
}
