//! Causes: explanations of a recorded result that differs from the counted result.

use std::fmt;

use super::mark_faults::MarkFault;
use jigo_record::Header;
use jigo_rules::{HalfPoints, TerritoryReading};

/// An assumption under which the count gives the recorded result.
///
/// Every cause except [`Cause::Unknown`], [`Cause::Unfinished`] and [`Cause::DamagedTurns`] gives
/// exactly the recorded margin, or the recorded winner if RE has no margin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Another reading of the territory rules.
    Reading(TerritoryReading),
    /// The number of points that the players filled although the ruleset's reading leaves them
    /// open, or left open although the reading counts them as filled.
    PointsToFill(u32),
    /// The number of eyes in seki that were counted although the reading excludes them, or the
    /// reverse.
    EyesInSeki(u32),
    /// Another way of counting: the name of a ruleset, or of its axes.
    Rules(String),
    /// The group of this stone has the other status (alive instead of dead, or the reverse).
    Group(String),
    /// Another komi, namely this one.
    Komi(HalfPoints),
    /// Additional points that White received as compensation for handicap stones.
    Handicap(HalfPoints),
    /// Black and White were confused.
    ColorsSwapped(SwappedColors),
    /// The prisoners were not counted.
    Prisoners,
    /// The margin is recorded in zi, or was halved.
    Halved,
    /// Dead groups that the players left on the board as alive, each named by a stone.
    DeadStonesLeft(Vec<String>),
    /// Living groups that the players removed as dead, each named by a stone.
    LivingStonesTaken(Vec<String>),
    /// The players' marks (TB, TW) give the recorded result, and these faults of the marks explain
    /// the difference.
    Marks(Vec<MarkFault>),
    /// Turns are missing at the end, and they change the count by this many points.
    TurnsMissing(HalfPoints),
    /// The players closed open borders when they counted. This changed the count by this many
    /// points.
    OpenBorder(HalfPoints),
    /// The board has too many open points for a count.
    Unfinished,
    /// Turns are damaged, so the final position may differ from that of the game.
    DamagedTurns,
    /// The inner cause, assuming the named way of counting instead of the nearest one. Only for
    /// games without known rules.
    UnderRules(String, Box<Cause>),
    /// No known cause.
    Unknown,
}

/// The place where Black and White were confused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwappedColors {
    /// RE names the wrong player.
    Result,
    /// The stones have the wrong colours; result and komi are right.
    Stones,
}

impl Cause {
    /// Returns true if the record may be right as it is, without any error.
    pub fn is_innocent(&self, header: &Header) -> bool {
        match self {
            Cause::ColorsSwapped(_)
            | Cause::Prisoners
            | Cause::DeadStonesLeft(_)
            | Cause::LivingStonesTaken(_)
            | Cause::Marks(_)
            | Cause::Unfinished
            | Cause::DamagedTurns
            | Cause::Unknown => false,
            Cause::Komi(_) => header.is_komi_unrecorded(),
            Cause::UnderRules(_, cause) => cause.is_innocent(header),
            _ => true,
        }
    }

    /// Returns the stones that name the groups in dispute.
    pub fn stones(&self) -> Vec<&String> {
        match self {
            Cause::DeadStonesLeft(stones) | Cause::LivingStonesTaken(stones) => stones.iter().collect(),
            Cause::Marks(faults) => faults.iter().flat_map(|fault| &fault.points).collect(),
            Cause::Group(stone) => vec![stone],
            Cause::UnderRules(_, cause) => cause.stones(),
            _ => Vec::new(),
        }
    }

    /// Returns the cause without the way of counting that it assumes.
    pub fn unqualified(&self) -> &Cause {
        match self {
            Cause::UnderRules(_, cause) => cause.unqualified(),
            cause => cause,
        }
    }
}

/// Writes the short form that the tables contain.
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
            Cause::DeadStonesLeft(stones) => write!(f, "dead stones left: {}", stones.join(" and ")),
            Cause::LivingStonesTaken(stones) => write!(f, "living stones taken off: {}", stones.join(" and ")),
            Cause::Marks(faults) => {
                let faults: Vec<String> = faults.iter().map(MarkFault::to_string).collect();
                write!(f, "{}", faults.join(", "))
            }
            Cause::TurnsMissing(points) => write!(f, "turns missing at the end {points}"),
            Cause::OpenBorder(points) => write!(f, "open border {points}"),
            Cause::Unfinished => write!(f, "unfinished board"),
            Cause::DamagedTurns => write!(f, "damaged turns"),
            Cause::UnderRules(rules, cause) => write!(f, "{cause}, counted by {rules}"),
            Cause::Unknown => write!(f, "none found"),
        }
    }
}
