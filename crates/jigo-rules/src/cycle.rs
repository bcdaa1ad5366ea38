//! Classification of the cycle that a repetition closes.

use std::fmt;

use super::history::History;
use super::position_index::Totals;

/// The turns between two occurrences of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Turns in the cycle, including implied passes.
    pub length: usize,
    /// Black stones removed during the cycle.
    pub lost_black: u32,
    /// White stones removed during the cycle.
    pub lost_white: u32,
    /// Kind of cycle, by the name that players use.
    pub kind: CycleKind,
}

crate::named! {
    /// The kinds of cycles that have names among players.
    pub enum CycleKind {
        /// One ko, retaken at once.
        SingleKo = "single-ko",
        /// Two stones sent and one returned: the shortest unbalanced cycle.
        SendingTwoReturningOne = "sending-two-returning-one",
        /// Two kos, taken alternately.
        DoubleKo = "double-ko",
        /// Three or more kos, taken alternately.
        TripleKoOrMore = "triple-ko",
        /// Both sides lose the same number of stones, in captures of more than one (chosei and
        /// similar shapes).
        EternalLife = "eternal-life",
        /// A cycle with a pass.
        PassCycle = "pass",
        /// A cycle with a suicide, which restored the position.
        Suicide = "suicide",
        /// Any other cycle.
        Other = "other",
    }
}

impl CycleKind {
    /// Returns the kind in words.
    fn in_words(self) -> String {
        match self {
            CycleKind::SendingTwoReturningOne => "sending two, returning one".into(),
            CycleKind::TripleKoOrMore => "triple ko or more".into(),
            CycleKind::PassCycle | CycleKind::Suicide => format!("with a {}", self.name()),
            CycleKind::Other => "of no special name".into(),
            CycleKind::SingleKo | CycleKind::DoubleKo | CycleKind::EternalLife => self.name().replace('-', " "),
        }
    }
}

impl Cycle {
    /// Describes the cycle that entry `last` closes by recreating the position of entry `first`.
    ///
    /// # Panics
    /// Unless `first < last` and both are entries of the history.
    pub fn between(history: &History, first: usize, last: usize) -> Cycle {
        assert!(first < last, "a cycle goes from a position to a later one");
        let totals = history.totals(last).since(history.totals(first));
        let [lost_black, lost_white] = totals.lost;
        Cycle { length: last - first, lost_black, lost_white, kind: kind(totals) }
    }

    /// Returns true if both sides lost the same number of stones.
    pub fn is_balanced(&self) -> bool {
        self.lost_black == self.lost_white
    }
}

/// Classifies a cycle by the totals of its turns.
fn kind(totals: Totals) -> CycleKind {
    if totals.suicides > 0 {
        return CycleKind::Suicide;
    }
    if totals.passes > 0 {
        return CycleKind::PassCycle;
    }
    if totals.captures == totals.single_captures {
        // Each side takes every ko of the cycle once.
        return match totals.captures {
            2 => CycleKind::SingleKo,
            4 => CycleKind::DoubleKo,
            6.. => CycleKind::TripleKoOrMore,
            _ => CycleKind::Other,
        };
    }
    let [lost_black, lost_white] = totals.lost;
    match (lost_black.min(lost_white), lost_black.max(lost_white)) {
        (1, 2) => CycleKind::SendingTwoReturningOne,
        (fewer, more) if fewer == more => CycleKind::EternalLife,
        _ => CycleKind::Other,
    }
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turns = if self.length == 1 { "turn" } else { "turns" };
        let balance = if self.is_balanced() { "balanced" } else { "unbalanced" };
        let Cycle { length, lost_black, lost_white, .. } = self;
        let kind = self.kind.in_words();
        write!(f, "{balance} cycle of {length} {turns} ({kind}), Black lost {lost_black} and White {lost_white}")
    }
}
