//! What kind of cycle closed when a position came back.

use std::fmt;

use super::history::History;
use super::recurrence::Totals;

/// The turns between two occurrences of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Turns in the cycle, implied passes among them.
    pub length: usize,
    /// Black stones taken off the board in it.
    pub lost_black: u32,
    /// White stones taken off the board in it.
    pub lost_white: u32,
    /// What players call it.
    pub kind: CycleKind,
}

/// The names players have for cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleKind {
    /// One ko retaken at once.
    SingleKo,
    /// Two stones sent, one returned: the cheapest unbalanced cycle.
    SendingTwoReturningOne,
    /// Two kos taken in turn.
    DoubleKo,
    /// Three or more kos taken in turn.
    TripleKoOrMore,
    /// Both sides lose more than single stones, and equally many: chosei and its kin.
    EternalLife,
    /// A player passed in the cycle.
    PassCycle,
    /// A chain that took itself off the board brought the position back.
    Suicide,
    /// None of these.
    Other,
}

impl Cycle {
    /// The cycle that entry `last` closed by recreating the position of entry `first`.
    ///
    /// # Panics
    /// Unless `first < last` and both are entries of the history.
    pub fn between(history: &History, first: usize, last: usize) -> Cycle {
        assert!(first < last, "a cycle goes from a position to a later one");
        let turns = history.totals(last).since(history.totals(first));
        let [lost_black, lost_white] = turns.lost;
        Cycle { length: last - first, lost_black, lost_white, kind: kind(turns) }
    }

    /// Whether both sides lost equally many stones.
    pub fn is_balanced(&self) -> bool {
        self.lost_black == self.lost_white
    }
}

fn kind(turns: Totals) -> CycleKind {
    if turns.suicides > 0 {
        return CycleKind::Suicide;
    }
    if turns.passes > 0 {
        return CycleKind::PassCycle;
    }
    if turns.captures == turns.single_captures {
        // Every ko of the cycle is taken once by each side.
        return match turns.captures {
            2 => CycleKind::SingleKo,
            4 => CycleKind::DoubleKo,
            6.. => CycleKind::TripleKoOrMore,
            _ => CycleKind::Other,
        };
    }
    let [lost_black, lost_white] = turns.lost;
    match (lost_black.min(lost_white), lost_black.max(lost_white)) {
        (1, 2) => CycleKind::SendingTwoReturningOne,
        (less, more) if less == more => CycleKind::EternalLife,
        _ => CycleKind::Other,
    }
}

impl fmt::Display for CycleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CycleKind::SingleKo => "single ko",
            CycleKind::SendingTwoReturningOne => "sending two, returning one",
            CycleKind::DoubleKo => "double ko",
            CycleKind::TripleKoOrMore => "triple ko or more",
            CycleKind::EternalLife => "eternal life",
            CycleKind::PassCycle => "with a pass",
            CycleKind::Suicide => "with a suicide",
            CycleKind::Other => "of no special name",
        })
    }
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turns = if self.length == 1 { "turn" } else { "turns" };
        let balance = if self.is_balanced() { "balanced" } else { "unbalanced" };
        let Cycle { length, lost_black, lost_white, kind } = self;
        write!(f, "{balance} cycle of {length} {turns} ({kind}), Black lost {lost_black} and White {lost_white}")
    }
}
