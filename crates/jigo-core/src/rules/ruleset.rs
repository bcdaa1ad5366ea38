//! A ruleset as a row of independent axes.

use std::borrow::Cow;

use super::half_points::HalfPoints;

/// Which repetitions of a position a play may not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepetitionRule {
    /// Every repetition is legal.
    Unrestricted,
    /// The position before the opponent's last turn may not come back at once.
    Ko,
    /// Positional superko: no earlier position.
    Psk,
    /// Situational superko: no earlier position with the same player to take the next turn.
    Ssk,
    /// No position that this player has left before, by play or pass.
    Own,
    /// Natural situational superko: no position that this player has created before by a play.
    Nssk,
    /// Natural situational superko and the ko rule beside it.
    NsskKo,
}

/// What a ruleset says of a long cycle that its repetition rule allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LongCycle {
    /// The repetition rule forbids all of them.
    Forbidden,
    /// The game ends without a result (when both players agree).
    NoResult,
    /// The game is drawn.
    Draw,
    /// A referee or the event decides.
    Referee,
    /// Nothing: players may go on.
    Unrestricted,
    /// Fighting and disturbing ko of the Ing rules: needs a judgement of life and death.
    IngJudgement,
    /// The text does not treat it.
    NotTreated,
}

/// Which plays may take their own chain off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// None.
    Forbid,
    /// Chains of two or more stones.
    MultiStone,
    /// Any; a single stone falls under the repetition rule alone.
    Any,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scoring {
    /// Living stones and surrounded points.
    Area,
    /// Surrounded points less the own stones lost.
    Territory,
    /// Territory, every pass costing a stone.
    PassStones,
    /// Living stones and surrounded points less two for each living group.
    GroupTax,
    /// Surrounded points less the own stones lost, less two for each living group.
    TerritoryTax,
}

/// Which of the empty points that one colour surrounds are its territory. Rule texts and servers differ, see [`RulesBasis`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TerritoryReading {
    /// All of them: eyes of groups in seki and points still to fill too.
    EveryRegion,
    /// Those of groups that are not in seki, points still to fill among them.
    NoSeki,
    /// Neither eyes of groups in seki nor points that have to be filled in the end, as lightvector/goscorer counts.
    Goscorer,
}

/// How far it is known that a game was counted by a ruleset's [`TerritoryReading`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesBasis {
    /// Whoever named the ruleset named the reading: axes, KataGo's fields.
    Named,
    /// The reading is what the text of the rules gives; players who used the same name may have counted by another.
    Text,
    /// The server that the game was played on counts so, or is thought to: `right` of the `of` measured games in which the readings
    /// differ have that margin.
    Practice {
        /// Games with the margin of the reading.
        right: u32,
        /// Games whose margin depends on the reading.
        of: u32,
    },
}

/// What taking the first pass is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Button {
    /// Nothing.
    None,
    /// Half a point to whoever passes first.
    HalfPoint,
    /// Komi is half a point less when Black passes first and half a point more when White does.
    Komi,
}

/// Points for White in a game with n handicap stones, n being 2 or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HandicapBonus {
    /// None.
    Zero,
    /// n points.
    N,
    /// n − 1 points.
    NMinusOne,
}

/// Where handicap stones go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HandicapPlacement {
    /// The traditional star points.
    Fixed,
    /// Anywhere.
    Free,
    /// Either, by agreement.
    FixedOrFree,
    /// The ruleset has no handicap.
    None,
}

/// What ends the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum End {
    /// Two passes in a row.
    TwoPasses,
    /// Three passes in a row.
    ThreePasses,
    /// Agreement, in practice two passes.
    Agreement,
}

/// Who plays first when a dispute about the ending resumes the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Resumption {
    /// The opponent of the player who passed last.
    OpponentOfLastPasser,
    /// The player who passed first.
    FirstPasser,
    /// The player who passed last, in place of the pass.
    LastPasser,
    /// The opponent of the player who asks for it.
    OpponentOfRequester,
    /// The order of turns goes on.
    TurnOrder,
    /// A referee decides instead.
    Referee,
    /// The text does not say.
    Unspecified,
}

/// Who wins an equal count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tie {
    /// Nobody: jigo.
    Draw,
    /// Black.
    Black,
}

/// A ruleset with its name. A program can make its own of [`Axes`] that it has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// The preset's name, or the text that made the ruleset.
    pub name: Cow<'static, str>,
    /// What it says.
    pub axes: Axes,
    /// How its reading of territory is known.
    pub basis: RulesBasis,
}

/// What a ruleset says. Every axis is independent of the others; the presets are rows of these.
///
/// Rules that no preset has are those of one with other axes. A version with another axis breaks whoever names all of them, so write
/// them as an update:
///
/// ```
/// use jigo_core::{Axes, Ruleset, Suicide};
///
/// let chinese: Ruleset = "chinese".parse()?;
/// let house = Ruleset { name: "house".into(), axes: Axes { suicide: Suicide::Any, ..chinese.axes }, ..chinese };
/// assert_eq!(house.axes.scoring, chinese.axes.scoring);
/// # Ok::<(), jigo_core::NoRuleset>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    /// Repetitions that a play may not make.
    pub repetition: RepetitionRule,
    /// What happens in a cycle that `repetition` allows.
    pub long_cycle: LongCycle,
    /// Plays that take their own chain off the board.
    pub suicide: Suicide,
    /// What is counted.
    pub scoring: Scoring,
    /// Which empty points count as territory. Of area it says whether eyes in seki count: points still to fill are area either way.
    pub territory: TerritoryReading,
    /// Whether White takes the last turn, passing once more if need be.
    pub white_last: bool,
    /// What the first pass is worth.
    pub button: Button,
    /// Whether both players score every point of an empty board (else nobody scores any).
    pub empty_board_counts: bool,
    /// Komi of an even game.
    pub komi_even: HalfPoints,
    /// Komi of a game with two handicap stones or more.
    pub komi_handicap: HalfPoints,
    /// Points for White in a handicap game.
    pub handicap_bonus: HandicapBonus,
    /// Where handicap stones go.
    pub handicap_placement: HandicapPlacement,
    /// What ends the play.
    pub end: End,
    /// Who plays first after a dispute.
    pub resumption: Resumption,
    /// Who wins an equal count.
    pub tie: Tie,
    /// Whether results are stated in zi, of which one is two points.
    pub in_zi: bool,
}

impl RepetitionRule {
    /// All of them with their names on the command line.
    pub const NAMED: [(&str, RepetitionRule); 7] = [
        ("none", RepetitionRule::Unrestricted),
        ("ko", RepetitionRule::Ko),
        ("psk", RepetitionRule::Psk),
        ("ssk", RepetitionRule::Ssk),
        ("own", RepetitionRule::Own),
        ("nssk", RepetitionRule::Nssk),
        ("nssk+ko", RepetitionRule::NsskKo),
    ];
}

impl Suicide {
    /// All of them with their names on the command line.
    pub const NAMED: [(&str, Suicide); 3] =
        [("forbid", Suicide::Forbid), ("multi", Suicide::MultiStone), ("any", Suicide::Any)];
}

impl Scoring {
    /// All of them with their names on the command line.
    pub const NAMED: [(&str, Scoring); 5] = [
        ("area", Scoring::Area),
        ("territory", Scoring::Territory),
        ("pass-stones", Scoring::PassStones),
        ("group-tax", Scoring::GroupTax),
        ("territory-tax", Scoring::TerritoryTax),
    ];
}

impl TerritoryReading {
    /// All of them with their names on the command line.
    pub const NAMED: [(&str, TerritoryReading); 3] = [
        ("every-region", TerritoryReading::EveryRegion),
        ("no-seki", TerritoryReading::NoSeki),
        ("goscorer", TerritoryReading::Goscorer),
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        name_of(&TerritoryReading::NAMED, self)
    }
}

impl RulesBasis {
    /// How probable it is, from 0 to 1, that a count whose number depends on the reading was made by this one. Where nobody has measured,
    /// neither of two readings is the likelier one.
    pub fn confidence(self) -> f32 {
        match self {
            RulesBasis::Named => 1.0,
            RulesBasis::Practice { right, of } if of > 0 => right as f32 / of as f32,
            RulesBasis::Text | RulesBasis::Practice { .. } => 0.5,
        }
    }
}

impl Ruleset {
    /// The same ruleset with another reading of territory, named as on the command line.
    pub fn read_as(mut self, reading: TerritoryReading, basis: RulesBasis) -> Ruleset {
        if self.axes.territory != reading {
            self.axes.territory = reading;
            self.name = Cow::Owned(format!("{} territory={}", self.name, reading.name()));
        }
        self.basis = basis;
        self
    }
}

impl HandicapBonus {
    /// All of them with their names on the command line.
    pub const NAMED: [(&str, HandicapBonus); 3] =
        [("0", HandicapBonus::Zero), ("n", HandicapBonus::N), ("n-1", HandicapBonus::NMinusOne)];

    /// Points for White when Black has `stones` handicap stones; one stone or none is no handicap.
    pub fn points(self, stones: u32) -> HalfPoints {
        let stones = i32::try_from(stones).unwrap_or(i32::MAX / 4);
        match self {
            _ if stones < 2 => HalfPoints::ZERO,
            HandicapBonus::Zero => HalfPoints::ZERO,
            HandicapBonus::N => HalfPoints::points(stones),
            HandicapBonus::NMinusOne => HalfPoints::points(stones - 1),
        }
    }
}

impl Button {
    /// All of them with their names on the command line.
    pub const NAMED: [(&str, Button); 3] =
        [("none", Button::None), ("half", Button::HalfPoint), ("komi", Button::Komi)];
}

impl LongCycle {
    /// All of them with their names on the command line.
    pub const NAMED: [(&str, LongCycle); 7] = [
        ("forbidden", LongCycle::Forbidden),
        ("no-result", LongCycle::NoResult),
        ("draw", LongCycle::Draw),
        ("referee", LongCycle::Referee),
        ("unrestricted", LongCycle::Unrestricted),
        ("judgement", LongCycle::IngJudgement),
        ("not-treated", LongCycle::NotTreated),
    ];
}

impl Axes {
    /// Whether a superko hit only says that somebody has to judge: positional superko stands in for Ing's fighting and
    /// disturbing ko, which rest on life and death.
    pub fn needs_judgement(&self) -> bool {
        self.long_cycle == LongCycle::IngJudgement
    }

    /// The komi of a game with so many handicap stones, where its record has none.
    pub fn komi(&self, handicap: u32) -> HalfPoints {
        if handicap >= 2 { self.komi_handicap } else { self.komi_even }
    }
}

impl LongCycle {
    /// What becomes of a game in which a position came back by a play that the repetition rule allows.
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

/// The name of a value in one of the `NAMED` tables.
pub fn name_of<T: PartialEq + Copy>(named: &[(&'static str, T)], value: T) -> &'static str {
    named.iter().find(|(_, other)| *other == value).map_or("", |(name, _)| name)
}
