//! The annotations of a point of a picture.

use super::point::Color;

/// The contents of one drawn point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointContent {
    /// Stone on the point, if any.
    pub stone: Option<Color>,
    /// True for a dead stone, which is removed before counting.
    pub is_dead: bool,
    /// Player who owns this point under territory scoring.
    pub territory: Option<Color>,
    /// Player who owns this empty point under area scoring only.
    ///
    /// Such a point is an eye in seki or a point that the players still have to fill.
    pub area_only: Option<Color>,
    /// Mark that highlights the point.
    pub mark: Option<Mark>,
    /// Number of a play in a sequence, from 1, and its colour.
    ///
    /// The stone itself may have been captured since.
    pub number: Option<(u32, Color)>,
}

/// The reason to highlight a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The last turn played here.
    Last,
    /// A finding names this point.
    Finding,
}
