//! A ruleset as a row of independent axes.

use std::borrow::Cow;

use super::half_points::HalfPoints;

crate::named! {
    /// The repetitions that a play may not make.
    pub enum RepetitionRule {
        /// Every repetition is legal.
        Unrestricted = "none" => "every position may come back (none)",
        /// A play may not recreate the position before the opponent's last turn.
        Ko = "ko" => "a play may not bring back the position before the opponent's last turn (ko)",
        /// Positional superko: a play may not recreate any earlier position.
        Psk = "psk" => "a play may not bring back any earlier position (positional superko, psk)",
        /// Situational superko: a play may not recreate an earlier position with the same player to
        /// move.
        Ssk = "ssk" => "a play may not bring back an earlier position with the same player to take the next turn (situational superko, ssk)",
        /// A play may not recreate a position that this player has left before, by a play or a
        /// pass.
        Own = "own" => "a play may not bring back a position that the same player has left, by a play or a pass (own)",
        /// Natural situational superko: a play may not recreate a position that this player has
        /// created by a play.
        Nssk = "nssk" => "a play may not bring back a position that the same player has created by a play (natural situational superko, nssk)",
        /// Natural situational superko plus the ko rule.
        NsskKo = "nssk+ko" => "a play may bring back neither the position before the opponent's last turn nor one that the same player has created by a play (nssk+ko)",
    }

    /// The consequence of a long cycle that the repetition rule allows.
    pub enum LongCycle {
        /// No consequence needed: the repetition rule forbids all cycles.
        Forbidden = "forbidden" => "long cycles are forbidden by the repetition rule",
        /// The game ends without a result (if both players agree).
        NoResult = "no-result" => "a long cycle ends the game without a result",
        /// The game is drawn.
        Draw = "draw" => "a long cycle is a draw",
        /// A referee or the event decides.
        Referee = "referee" => "a long cycle goes to the referee",
        /// Players may continue.
        Unrestricted = "unrestricted" => "long cycles may go on",
        /// Fighting and disturbing ko of the Ing rules, which need a judgement of life and death.
        IngJudgement = "judgement" => "cycles are fighting or disturbing, which needs a judgement of life and death",
        /// The text does not treat it.
        NotTreated = "not-treated" => "long cycles are not treated",
    }

    /// The chains that may be removed by suicide.
    pub enum Suicide {
        /// No chain.
        Forbid = "forbid" => "no play may take its own stones off the board",
        /// Chains of two or more stones.
        MultiStone = "multi" => "a play may take two or more of its own stones off the board, not one",
        /// All chains. For a single stone only the repetition rule applies.
        Any = "any" => "a play may take its own stones off the board",
    }

    /// The scoring method.
    pub enum Scoring {
        /// Living stones and surrounded points.
        Area = "area" => "living stones and surrounded points (area)",
        /// Surrounded points minus own lost stones.
        Territory = "territory" => "surrounded points less the own stones lost (territory)",
        /// Territory, with one stone paid for each pass.
        PassStones = "pass-stones" => "surrounded points less the own stones lost, and a stone for every pass (pass-stones)",
        /// Living stones and surrounded points, minus two for each living group.
        GroupTax = "group-tax" => "living stones and surrounded points less two for each living group (group-tax)",
        /// Surrounded points minus own lost stones, minus two for each living group.
        TerritoryTax = "territory-tax" => "surrounded points less the own stones lost, less two for each living group (territory-tax)",
    }

    /// The empty points surrounded by one colour that count as territory.
    ///
    /// Rule texts and servers differ; see [`RulesBasis`].
    pub enum TerritoryReading {
        /// All of them, including eyes of groups in seki and points still to fill.
        EveryRegion = "every-region",
        /// Those of groups that are not in seki, including points still to fill.
        NoSeki = "no-seki",
        /// Those of groups that are not in seki, without points still to fill, as
        /// lightvector/goscorer counts.
        Goscorer = "goscorer",
        /// As `goscorer`, but stones that only a gap in the opponent's wall separates are connected, as
        /// on KGS.
        Kgs = "kgs",
    }
}

/// The evidence that a game was counted by its ruleset's [`TerritoryReading`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulesBasis {
    /// The record or the user names the reading itself: axes or KataGo's fields.
    Explicit,
    /// The reading follows the text of the rules. Players who used the same name may have counted
    /// differently.
    Text,
    /// The reading follows the scoring of the server, measured or assumed.
    ///
    /// Of the `measured` games whose margin depends on the reading, `matching` have the margin of
    /// this reading.
    ServerScoring {
        /// Games with the margin of this reading.
        matching: u32,
        /// Games whose margin depends on the reading.
        measured: u32,
    },
}

crate::named! {
    /// The treatment of dead stones at the end.
    pub enum DeadStones {
        /// The players agree on them and remove them.
        Agreement = "agreement" => "the players agree on them and remove them (agreement)",
        /// No stone is removed: a stone that is not captured lives.
        AsIs = "as-is" => "no stone is removed, a stone that is not captured lives (as-is)",
    }

    /// The value of the first pass.
    pub enum Button {
        /// No value.
        None = "none",
        /// Half a point for the player who passes first.
        HalfPoint = "half",
        /// Komi is half a point lower if Black passes first, and half a point higher if White does.
        Komi = "komi",
    }

    /// Points for White in a game with n handicap stones (n ≥ 2).
    pub enum HandicapBonus {
        /// No points.
        Zero = "0",
        /// n points.
        N = "n",
        /// n − 1 points.
        NMinusOne = "n-1",
    }

    /// The placement of handicap stones.
    pub enum HandicapPlacement {
        /// The traditional star points.
        Fixed = "fixed" => "stones on the traditional points",
        /// Any points.
        Free = "free" => "stones anywhere",
        /// Either, by agreement.
        FixedOrFree = "fixed-or-free" => "stones on the traditional points or anywhere",
        /// The ruleset has no handicap.
        None = "none" => "none foreseen",
    }

    /// The condition that ends the play.
    pub enum End {
        /// Two consecutive passes.
        TwoPasses = "two-passes" => "two passes",
        /// Three consecutive passes.
        ThreePasses = "three-passes" => "three passes",
        /// Agreement, in practice two passes.
        Agreement = "agreement" => "agreement, in practice two passes",
    }

    /// The first player after a dispute about the ending resumes the play.
    pub enum Resumption {
        /// The opponent of the player who passed last.
        OpponentOfLastPasser = "opponent-of-last-passer" => "the opponent of the last passer plays first after a dispute",
        /// The player who passed first.
        FirstPasser = "first-passer" => "the first passer plays first after a dispute",
        /// The player who passed last, who takes the pass back.
        LastPasser = "last-passer" => "after a dispute the last passer must play instead",
        /// The opponent of the player who requests it.
        OpponentOfRequester = "opponent-of-requester" => "the opponent of the player who asks to resume plays first",
        /// The player whose turn it is.
        TurnOrder = "turn-order" => "after a dispute the order of turns goes on",
        /// A referee decides instead.
        Referee = "referee" => "disputes go to the referee",
        /// Not specified by the text.
        Unspecified = "unspecified" => "who plays first after a dispute is not specified",
    }
}

/// The winner of an equal count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tie {
    /// Neither player: jigo.
    Draw,
    /// Black.
    Black,
}

/// A ruleset with its name.
///
/// Programs can create their own from changed [`Axes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// Name of the preset, or the text that defined the ruleset.
    pub name: Cow<'static, str>,
    /// The ruleset's axes.
    pub axes: Axes,
    /// Evidence for the reading of territory.
    pub basis: RulesBasis,
}

/// The axes of a ruleset, each independent of the others. The presets are rows of them.
///
/// Start custom rules from a preset. A later version may add an axis, which breaks code that lists
/// all of them, so use update syntax:
///
/// ```
/// use jigo_rules::{Axes, Ruleset, Suicide};
///
/// let chinese: Ruleset = "chinese".parse()?;
/// let axes = Axes { suicide: Suicide::Any, ..chinese.axes };
/// let house = Ruleset { name: "house".into(), axes, ..chinese };
/// assert_eq!(house.axes.scoring, chinese.axes.scoring);
/// # Ok::<(), jigo_rules::RulesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    /// Repetitions that a play may not make.
    pub repetition: RepetitionRule,
    /// Consequence of a cycle that `repetition` allows.
    pub long_cycle: LongCycle,
    /// Chains that may be removed by suicide.
    pub suicide: Suicide,
    /// Scoring method.
    pub scoring: Scoring,
    /// Empty points that count as territory.
    ///
    /// Under area scoring this decides whether eyes in seki count. Points still to fill count as
    /// area in any case.
    pub territory: TerritoryReading,
    /// Treatment of dead stones. The group tax needs living groups, so it ignores this axis.
    pub dead_stones: DeadStones,
    /// True if White takes the last turn, with one more pass if necessary.
    pub white_last: bool,
    /// Value of the first pass.
    pub button: Button,
    /// True if each player scores every point of an empty board. If false, neither scores any.
    pub empty_board_counts: bool,
    /// Komi of an even game.
    pub komi_even: HalfPoints,
    /// Komi of a game with two or more handicap stones.
    pub komi_handicap: HalfPoints,
    /// Points for White in a handicap game.
    pub handicap_bonus: HandicapBonus,
    /// Placement of handicap stones.
    pub handicap_placement: HandicapPlacement,
    /// Condition that ends the play.
    pub end: End,
    /// First player after a dispute.
    pub resumption: Resumption,
    /// Winner of an equal count.
    pub tie: Tie,
    /// True if results are given in zi (1 zi is 2 points).
    pub in_zi: bool,
}

impl TerritoryReading {
    /// Returns the readings by which games of an unknown server may have been counted, with their
    /// names. Only KGS counts by its reading.
    pub fn common() -> impl Iterator<Item = (&'static str, TerritoryReading)> {
        TerritoryReading::NAMES.into_iter().filter(|(_, reading)| *reading != TerritoryReading::Kgs)
    }

    /// Returns true if points that players still have to fill don't count.
    pub fn leaves_out_fill(self) -> bool {
        matches!(self, TerritoryReading::Goscorer | TerritoryReading::Kgs)
    }
}

impl RulesBasis {
    /// Returns the probability, from 0 to 1, that the players counted by this reading and not by
    /// another one.
    ///
    /// It applies to games whose margin depends on the reading. Without measurements it is 0.5.
    pub fn reading_probability(self) -> f32 {
        match self {
            RulesBasis::Explicit => 1.0,
            RulesBasis::ServerScoring { matching, measured } if measured > 0 => matching as f32 / measured as f32,
            RulesBasis::Text | RulesBasis::ServerScoring { .. } => 0.5,
        }
    }
}

impl Ruleset {
    /// Returns the ruleset with another reading of territory, which is added to the name as on the
    /// command line.
    pub fn with_territory_reading(mut self, reading: TerritoryReading, basis: RulesBasis) -> Ruleset {
        if self.axes.territory != reading {
            self.axes.territory = reading;
            self.name = Cow::Owned(format!("{} territory={}", self.name, reading.name()));
        }
        self.basis = basis;
        self
    }
}

impl HandicapBonus {
    /// Returns the points for White if Black has `stones` handicap stones. Fewer than two stones
    /// are not a handicap.
    pub fn points(self, stones: u32) -> HalfPoints {
        let stones = i32::try_from(stones).unwrap_or(i32::MAX / 4);
        match self {
            _ if stones < 2 => HalfPoints::ZERO,
            HandicapBonus::Zero => HalfPoints::ZERO,
            HandicapBonus::N => HalfPoints::from_points(stones),
            HandicapBonus::NMinusOne => HalfPoints::from_points(stones - 1),
        }
    }
}

impl Axes {
    /// Returns true if a superko hit is only a request for judgement.
    ///
    /// Positional superko replaces fighting and disturbing ko of the Ing rules, which depend on
    /// life and death.
    pub fn needs_judgement(&self) -> bool {
        self.long_cycle == LongCycle::IngJudgement
    }

    /// Returns true if the score does not depend on dead stones.
    pub fn counts_as_is(&self) -> bool {
        self.dead_stones == DeadStones::AsIs && !matches!(self.scoring, Scoring::GroupTax | Scoring::TerritoryTax)
    }

    /// Returns the komi of a game with `handicap` stones whose record has none.
    pub fn komi(&self, handicap: u32) -> HalfPoints {
        if handicap >= 2 { self.komi_handicap } else { self.komi_even }
    }
}

impl LongCycle {
    /// Returns the consequence of a play that the repetition rule allows although it repeats a
    /// position, for sentences.
    pub const fn consequence(self) -> &'static str {
        match self {
            LongCycle::Forbidden => "allowed",
            LongCycle::NoResult => "no result if the cycle goes on",
            LongCycle::Draw => "a draw if the cycle goes on",
            LongCycle::Referee => "a matter for the referee",
            LongCycle::Unrestricted => "allowed, as often as players like",
            LongCycle::IngJudgement => "a matter of life and death",
            LongCycle::NotTreated => "not treated",
        }
    }
}
