//! What explains that a stated result is not the count.

use std::fmt;

use jigo_record::Header;
use jigo_rules::{HalfPoints, TerritoryReading};

/// What would have to be otherwise for the count to be the stated result. Everything but [`Cause::Unknown`] gives exactly the stated margin, or the
/// stated winner where there is no margin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Territory was read otherwise.
    Reading(TerritoryReading),
    /// The players filled so many points that the record leaves to be filled, or did not fill what it takes for filled.
    PointsToFill(u32),
    /// So many eyes in seki were counted, or not.
    EyesInSeki(u32),
    /// It was counted in another way: the name of a ruleset or its axes.
    Rules(String),
    /// The group of this stone has the other status.
    Group(String),
    /// Komi was this.
    Komi(HalfPoints),
    /// White's compensation for handicap was so many points more.
    Handicap(HalfPoints),
    /// Black and White changed places.
    ColorsSwapped(SwappedColors),
    /// Prisoners were left out of the count.
    Prisoners,
    /// The margin is stated in zi, or was halved.
    Halved,
    /// Turns are missing at the end that change the count by so many points.
    TurnsMissing(HalfPoints),
    /// The players closed borders, open by so many points, when they counted.
    OpenBorder(HalfPoints),
    /// Too much of the board is open for a count.
    Unfinished,
    /// This, where the game was counted so, and not in the way that comes nearest to what is stated: of a game whose rules nobody knows.
    By(String, Box<Cause>),
    /// Nothing that is known of.
    Unknown,
}

/// Where Black and White changed places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwappedColors {
    /// RE names the other player.
    Result,
    /// The stones have the other colour; result and komi are right.
    Stones,
}

impl Cause {
    /// Whether it speaks against nobody: the record may be right as it is.
    pub fn is_innocent(&self, header: &Header) -> bool {
        match self {
            Cause::ColorsSwapped(_) | Cause::Prisoners | Cause::Unfinished | Cause::Unknown => false,
            Cause::Komi(_) => header.is_komi_unrecorded(),
            Cause::By(_, cause) => cause.is_innocent(header),
            _ => true,
        }
    }

    /// The cause without the way of counting that it takes for granted.
    pub fn alone(&self) -> &Cause {
        match self {
            Cause::By(_, cause) => cause.alone(),
            cause => cause,
        }
    }
}

/// Short, in the words of the tables.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Reading(reading) => write!(f, "territory={}", reading.name()),
            Cause::PointsToFill(points) => write!(f, "points to fill {points}"),
            Cause::EyesInSeki(points) => write!(f, "eyes in seki {points}"),
            Cause::Rules(name) => write!(f, "counted by {name}"),
            Cause::Group(stone) => write!(f, "group {stone} has the other status"),
            Cause::Komi(komi) => write!(f, "komi {komi}"),
            Cause::Handicap(points) => write!(f, "handicap compensation {points}"),
            Cause::ColorsSwapped(SwappedColors::Result) => write!(f, "colors swapped in RE"),
            Cause::ColorsSwapped(SwappedColors::Stones) => write!(f, "colors swapped on the board"),
            Cause::Prisoners => write!(f, "prisoners not counted"),
            Cause::Halved => write!(f, "margin halved or in zi"),
            Cause::TurnsMissing(points) => write!(f, "turns missing at the end {points}"),
            Cause::OpenBorder(points) => write!(f, "open border {points}"),
            Cause::Unfinished => write!(f, "unfinished board"),
            Cause::By(rules, cause) => write!(f, "{cause}, counted by {rules}"),
            Cause::Unknown => write!(f, "none found"),
        }
    }
}
