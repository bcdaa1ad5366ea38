//! Options of a replay.

/// The reaction to a turn that a ruleset forbids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnIllegal {
    /// Make the turn and continue, as FF\[4\] demands.
    #[default]
    Play,
    /// Stop before the turn.
    Stop,
}

/// Options of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Reaction to a turn that a ruleset forbids.
    pub on_illegal: OnIllegal,
    /// Attributes a position after setup to no player.
    ///
    /// If false, the position counts as created by the opponent of the player to move, as if by a
    /// play.
    pub literal_setup: bool,
}
