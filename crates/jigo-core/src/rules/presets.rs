//! The named rulesets as rows, each with its source and the quality of that source.

use std::borrow::Cow;

use super::half_points::HalfPoints;
use super::ruleset::{
    Axes, Button, End, HandicapBonus, HandicapPlacement, LongCycle, RepetitionRule, Resumption, RulesBasis, Ruleset,
    Scoring, Suicide, TerritoryReading, Tie,
};

/// The quality of the source that a row follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Confidence {
    /// The primary text or the source code of an implementation.
    Primary,
    /// A secondary source.
    Secondary,
}

/// A named ruleset.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Preset {
    /// Name on the command line and in the tables.
    pub name: &'static str,
    /// Short description.
    pub title: &'static str,
    /// The text or implementation that the row follows.
    pub source: &'static str,
    /// Quality of the source. The entries of `readings` are exceptions.
    pub confidence: Confidence,
    /// The most similar preset and the difference from it.
    pub nearest: (&'static str, &'static str),
    /// Parts of the row that are our interpretation or choice, because the text is silent or
    /// ambiguous.
    pub readings: &'static [&'static str],
    /// Reason and source for `axes.territory`. Empty for rulesets that do not count territory.
    pub territory: &'static str,
    /// The ruleset's axes.
    pub axes: Axes,
}

impl Preset {
    /// Returns the preset called `name`.
    ///
    /// ```
    /// use jigo_core::{Preset, Suicide};
    ///
    /// let preset = Preset::find("tromp-taylor").unwrap();
    /// assert_eq!(preset.axes.suicide, Suicide::Any);
    /// assert!(!preset.source.is_empty());
    /// ```
    pub fn find(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Returns the ruleset of this row.
    pub fn ruleset(&self) -> Ruleset {
        Ruleset { name: Cow::Borrowed(self.name), axes: self.axes, basis: RulesBasis::Text }
    }
}

impl Ruleset {
    /// Returns the ruleset for games whose rules are unknown.
    ///
    /// It forbids ko and suicide, as nearly all rulesets do, and has no superko.
    pub fn unknown() -> Ruleset {
        Ruleset { name: Cow::Borrowed("none"), axes: TERRITORY, basis: RulesBasis::Text }
    }
}

const fn halves(halves: i32) -> HalfPoints {
    HalfPoints(halves)
}

/// The simplest area scoring. The rows below name their differences from it.
pub(super) const AREA: Axes = Axes {
    repetition: RepetitionRule::Psk,
    long_cycle: LongCycle::Forbidden,
    suicide: Suicide::Forbid,
    scoring: Scoring::Area,
    territory: TerritoryReading::EveryRegion,
    white_last: false,
    button: Button::None,
    empty_board_counts: false,
    komi_even: halves(15),
    komi_handicap: halves(0),
    handicap_bonus: HandicapBonus::Zero,
    handicap_placement: HandicapPlacement::Free,
    end: End::TwoPasses,
    resumption: Resumption::Unspecified,
    tie: Tie::Draw,
    in_zi: false,
};

/// The simplest territory scoring, with prisoners.
const TERRITORY: Axes = Axes {
    repetition: RepetitionRule::Ko,
    long_cycle: LongCycle::NotTreated,
    scoring: Scoring::Territory,
    komi_even: halves(13),
    handicap_placement: HandicapPlacement::Fixed,
    ..AREA
};

const AMERICAN: Axes = Axes {
    repetition: RepetitionRule::Ssk,
    white_last: true,
    komi_handicap: halves(1),
    handicap_bonus: HandicapBonus::NMinusOne,
    handicap_placement: HandicapPlacement::FixedOrFree,
    resumption: Resumption::OpponentOfLastPasser,
    ..AREA
};

const DETAILED: Axes = Axes { komi_handicap: halves(1), ..TERRITORY };

const WHATS_GO: Axes = Axes { komi_even: halves(0), handicap_placement: HandicapPlacement::None, ..TERRITORY };

const QUICK_REFERENCE: Axes = Axes {
    repetition: RepetitionRule::Nssk,
    long_cycle: LongCycle::Forbidden,
    scoring: Scoring::PassStones,
    white_last: true,
    komi_even: halves(14),
    komi_handicap: halves(14),
    handicap_placement: HandicapPlacement::None,
    ..TERRITORY
};

const ESSENTIALS: Axes = Axes {
    repetition: RepetitionRule::Ssk,
    komi_even: halves(0),
    handicap_placement: HandicapPlacement::Fixed,
    resumption: Resumption::LastPasser,
    ..AREA
};

const JAPANESE: Axes = Axes {
    long_cycle: LongCycle::NoResult,
    territory: TerritoryReading::Goscorer,
    resumption: Resumption::OpponentOfRequester,
    ..TERRITORY
};

const CHINESE: Axes = Axes {
    repetition: RepetitionRule::Ko,
    long_cycle: LongCycle::Referee,
    handicap_bonus: HandicapBonus::N,
    handicap_placement: HandicapPlacement::FixedOrFree,
    resumption: Resumption::Referee,
    in_zi: true,
    ..AREA
};

const NEW_ZEALAND: Axes =
    Axes { repetition: RepetitionRule::Own, suicide: Suicide::Any, komi_even: halves(14), end: End::Agreement, ..AREA };

/// The base for axes on the command line without a ruleset before them.
pub(super) const TROMP_TAYLOR: Axes = Axes { suicide: Suicide::Any, ..AREA };

const ING: Axes = Axes {
    long_cycle: LongCycle::IngJudgement,
    suicide: Suicide::MultiStone,
    komi_even: halves(16),
    tie: Tie::Black,
    ..AREA
};

/// Reason to count every region if the text is silent.
const SILENT: &str =
    "the text is silent on seki and on points still to fill: read literally, every region of one colour counts";

/// Reason why pass stones leave no choice of a territory reading.
const PASS: &str = "points that a player encloses count, in seki too; filling one costs no more than the pass it saves";

/// Score under the Japanese text of a position in which both players have passed.
const PLAYED_OUT: &str = "article 8: eye points of stones that are alive but possess dame are no territory. A point still to fill hangs on an open \
     dame: as long as that is open, the letter of article 8 makes the whole group seki; once it is closed, the point has to be filled. No way \
     of playing on leaves it a point, and players are to settle such things before they count, so it counts as filled. \
     KGS counts so under this name; TOM, and OGS before June 2024, count every region (jigo dialects)";

/// All presets: first those of five texts without a federation, then the rulesets of federations
/// and servers.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "concise",
        title: "A short, concise ruleset of Go (Bill Taylor)",
        source: "Bill Taylor's text of this title, which also stands on A. Flammenkamp's page, University of Bielefeld",
        confidence: Confidence::Primary,
        nearest: ("nz", "the two differ only in how an empty board counts and in who plays first after a dispute"),
        readings: &[
            "komi 7 is called usual, not fixed",
            "a position counts as generated by the player who left it, by a play or a pass (comment 3)",
        ],
        territory: "",
        axes: Axes {
            repetition: RepetitionRule::Own,
            suicide: Suicide::Any,
            empty_board_counts: true,
            komi_even: halves(14),
            resumption: Resumption::FirstPasser,
            ..AREA
        },
    },
    Preset {
        name: "detailed-territory",
        title: "Detailed rules, territory variant (encyclopedia chapter)",
        source: "chapter 'Detailed rules' of an encyclopedia, whose author and address are not known",
        confidence: Confidence::Primary,
        nearest: ("japanese", "every region counts, long cycles are not treated, handicap games have komi 0.5"),
        readings: &[
            "suicide is a parameter of the text: forbidden by default, else suicide=multi; a single stone is never allowed",
            "komi 5.5, 6.5 and 7.5 are all named: 6.5 where the record has none",
        ],
        territory: SILENT,
        axes: DETAILED,
    },
    Preset {
        name: "detailed-area",
        title: "Detailed rules, area variant (encyclopedia chapter)",
        source: "chapter 'Detailed rules' of an encyclopedia, whose author and address are not known",
        confidence: Confidence::Primary,
        nearest: (
            "detailed-territory",
            "counts living stones instead of prisoners; handicap stones are not compensated",
        ),
        readings: &[
            "suicide is a parameter of the text: forbidden by default, else suicide=multi; a single stone is never allowed",
            "komi 5.5, 6.5 and 7.5 are all named: 6.5 where the record has none",
        ],
        territory: "",
        axes: Axes { scoring: Scoring::Area, ..DETAILED },
    },
    Preset {
        name: "whats-go",
        title: "What's Go? (a German player's page)",
        source: "page 'What's Go?' of a German player, whose name and address are not known",
        confidence: Confidence::Primary,
        nearest: ("japanese", "no komi, eyes in seki count, nothing on long cycles"),
        readings: &[
            "the text draws a ko in the middle of the board only: a ko at the edge is forbidden all the same",
            "no komi is stated: 0 where the record has none",
        ],
        territory: SILENT,
        axes: WHATS_GO,
    },
    Preset {
        name: "whats-go-superko",
        title: "What's Go? with its unofficial super-ko",
        source: "page 'What's Go?' of a German player, whose name and address are not known",
        confidence: Confidence::Primary,
        nearest: ("whats-go", "no position may occur twice"),
        readings: &["\"a position may not occur twice\" is read as positional superko"],
        territory: SILENT,
        axes: Axes { repetition: RepetitionRule::Psk, long_cycle: LongCycle::Forbidden, ..WHATS_GO },
    },
    Preset {
        name: "quick-reference",
        title: "Go Rules Quick Reference (sample rulebook)",
        source: "'Go Rules Quick Reference', the rulebook of BoxTree's sample game, whose address is not known",
        confidence: Confidence::Primary,
        nearest: ("bga", "komi 7, no ko rule beside the superko, no handicap"),
        readings: &[
            "\"after any of your previous moves\" is read as plays, since \"instead of making a move you can pass\": quick-reference-own is the other reading",
            "komi 7 on every board size",
        ],
        territory: PASS,
        axes: QUICK_REFERENCE,
    },
    Preset {
        name: "quick-reference-own",
        title: "Go Rules Quick Reference, passes read as moves",
        source: "'Go Rules Quick Reference', the rulebook of BoxTree's sample game, whose address is not known",
        confidence: Confidence::Primary,
        nearest: ("quick-reference", "positions that a player left by a pass may not come back either"),
        readings: &["the text speaks once of the number of moves with passes counted: this row follows that"],
        territory: PASS,
        axes: Axes { repetition: RepetitionRule::Own, ..QUICK_REFERENCE },
    },
    Preset {
        name: "essentials",
        title: "The Essentials of Go (John H. Paquette), counted by area",
        source: "John H. Paquette, 'The Essentials of Go', 2005, revised 2025; its lists and figures are lost in the copy that was read",
        confidence: Confidence::Primary,
        nearest: ("aga", "no komi, no pass stones, a disputed last pass is taken back"),
        readings: &[
            "refinement 2 of the text (agreed dead stones) is counted: plain area",
            "the handicap formations were lost from the text we have: only the star points are known",
        ],
        territory: "",
        axes: ESSENTIALS,
    },
    Preset {
        name: "essentials-territory",
        title: "The Essentials of Go (John H. Paquette), counted by territory",
        source: "John H. Paquette, 'The Essentials of Go', 2005, revised 2025; its lists and figures are lost in the copy that was read",
        confidence: Confidence::Primary,
        nearest: ("essentials", "refinement 3: territory less the own stones captured, without pass stones"),
        readings: &["can differ from the area count by the usual point, as the text's footnote 4 says"],
        territory: SILENT,
        axes: Axes { scoring: Scoring::Territory, ..ESSENTIALS },
    },
    Preset {
        name: "aga",
        title: "American Go Association",
        source: "AGA Concise Rules",
        confidence: Confidence::Primary,
        nearest: ("quick-reference", "situational superko, komi 7.5, handicap compensated by n-1"),
        readings: &[
            "area is counted; with pass stones and White's last pass territory gives the same margin (scoring=pass-stones)",
        ],
        territory: "",
        axes: AMERICAN,
    },
    Preset {
        name: "bga",
        title: "British Go Association",
        source: "BGA interpretation of the AGA rules, opening parts",
        confidence: Confidence::Primary,
        nearest: ("aga", "natural situational superko with the ko rule beside it"),
        readings: &[
            "players usually count territory with pass stones (scoring=pass-stones); the margin is that of area",
        ],
        territory: "",
        axes: Axes { repetition: RepetitionRule::NsskKo, ..AMERICAN },
    },
    Preset {
        name: "french",
        title: "French Go federation",
        source: "FFG rule text, jeudego.org",
        confidence: Confidence::Primary,
        nearest: ("aga", "natural situational superko; pass stones only for the quick count"),
        readings: &["the quick count with pass stones is not used: its margin is that of area"],
        territory: "",
        axes: Axes {
            repetition: RepetitionRule::Nssk,
            white_last: false,
            handicap_placement: HandicapPlacement::Fixed,
            resumption: Resumption::TurnOrder,
            ..AMERICAN
        },
    },
    Preset {
        name: "chinese",
        title: "Chinese rules as practised",
        source: "Chinese rules 2002 through Sensei's Library; KataGo's row chinese",
        confidence: Confidence::Secondary,
        nearest: ("chinese-psk", "only the ko is forbidden; long cycles go to the referee"),
        readings: &[
            "the 2002 text forbids recurring positions in principle (art. 20); practice forbids the ko and unbalanced cycles: superko hits are reported, not judged",
            "handicap is compensated by n points (n/2 zi)",
        ],
        territory: "",
        axes: CHINESE,
    },
    Preset {
        name: "chinese-psk",
        title: "Chinese rules as servers enforce them (KGS, OGS)",
        source: "KGS SAMEBOARD; KataGo's row chinese-kgs",
        confidence: Confidence::Primary,
        nearest: ("chinese", "no position may come back at all"),
        readings: &[],
        territory: "",
        axes: Axes { repetition: RepetitionRule::Psk, long_cycle: LongCycle::Forbidden, ..CHINESE },
    },
    Preset {
        name: "japanese",
        title: "Japanese rules 1989",
        source: "Nihon Kiin 1989 through secondary texts; KataGo's row japanese",
        confidence: Confidence::Secondary,
        nearest: ("korean", "a long cycle ends the game without a result, if both players agree"),
        readings: &[
            "the ban on retaking a ko \"on the next move\" is read as the ko rule",
            "komi 6.5 since about 2002, 5.5 before; handicap games 0, on servers 0.5",
        ],
        territory: PLAYED_OUT,
        axes: JAPANESE,
    },
    Preset {
        name: "korean",
        title: "Korean rules 2016",
        source: "R. Jasiek's notes on the 2016 text, opening part",
        confidence: Confidence::Secondary,
        nearest: ("japanese", "a long cycle is a draw"),
        readings: &["the draw by long cycle is our reading: other programs treat it as no result"],
        territory: "as japanese; the part of the 2016 text on counting was not read, and Tygem counts every region (jigo dialects)",
        axes: Axes { long_cycle: LongCycle::Draw, resumption: Resumption::Unspecified, ..JAPANESE },
    },
    Preset {
        name: "nz",
        title: "New Zealand Go Society",
        source: "go.org.nz rule text",
        confidence: Confidence::Primary,
        nearest: ("concise", "an empty board scores nobody; no agreement on who resumes leaves all stones alive"),
        readings: &[
            "\"after any of that player's previous moves\", passes being moves: positions the player has left; servers use nz-kgs",
        ],
        territory: "",
        axes: NEW_ZEALAND,
    },
    Preset {
        name: "nz-kgs",
        title: "New Zealand rules as servers enforce them",
        source: "KGS help; KataGo's row new-zealand",
        confidence: Confidence::Primary,
        nearest: ("nz", "situational superko, and a single stone may not take itself off"),
        readings: &[],
        territory: "",
        axes: Axes { repetition: RepetitionRule::Ssk, suicide: Suicide::MultiStone, ..NEW_ZEALAND },
    },
    Preset {
        name: "tromp-taylor",
        title: "Tromp-Taylor, the logical rules",
        source: "tromp.github.io/go.html",
        confidence: Confidence::Primary,
        nearest: ("chinese-psk", "suicide is legal, handicap is not compensated"),
        readings: &["komi is by agreement: 7.5 where the record has none, 0 with handicap"],
        territory: "",
        axes: TROMP_TAYLOR,
    },
    Preset {
        name: "ing",
        title: "Ing SST rules 1991",
        source: "Ing 1991, opening parts",
        confidence: Confidence::Primary,
        nearest: ("tromp-taylor", "komi 8 with Black winning ties, no suicide of a single stone"),
        readings: &[
            "fighting and disturbing ko need a judgement of life and death: positional superko stands in for them and its hits need that judgement",
            "komi 0 in handicap games is our reading",
        ],
        territory: "",
        axes: ING,
    },
    Preset {
        name: "ing-simplified",
        title: "EGF Simplified Ing rules",
        source: "R. Jasiek, Simplified Ing rules of the European federation",
        confidence: Confidence::Secondary,
        nearest: ("ing", "superko instead of the judgement on kos"),
        readings: &["positional superko and the order after a dispute are our reading"],
        territory: "",
        axes: Axes { long_cycle: LongCycle::Forbidden, resumption: Resumption::OpponentOfLastPasser, ..ING },
    },
    Preset {
        name: "igs",
        title: "IGS / Pandanet server",
        source: "R. Jasiek's text of the IGS rules; BGA comparison",
        confidence: Confidence::Primary,
        nearest: ("japanese", "every region counts, cycles may go on, three passes end the play"),
        readings: &["komi 0.5 in handicap games is our reading"],
        territory: "the comparison of the BGA: eyes in seki count; nothing takes points still to fill away; not measured",
        axes: Axes {
            long_cycle: LongCycle::Unrestricted,
            komi_handicap: halves(1),
            end: End::ThreePasses,
            ..TERRITORY
        },
    },
    Preset {
        name: "stone",
        title: "Stone scoring, the ancient count",
        source: "KataGo's group tax; Sensei's Library",
        confidence: Confidence::Secondary,
        nearest: ("chinese", "two points less for each living group"),
        readings: &["the ko rule is our reading", "komi was 0 historically; 7.5 is KataGo's"],
        territory: "",
        axes: Axes {
            repetition: RepetitionRule::Ko,
            long_cycle: LongCycle::Referee,
            scoring: Scoring::GroupTax,
            territory: TerritoryReading::NoSeki,
            ..AREA
        },
    },
    Preset {
        name: "button",
        title: "Button Go",
        source: "KataGo's row aga-button; Sensei's Library",
        confidence: Confidence::Primary,
        nearest: ("aga", "komi 7 and half a point to whoever passes first"),
        readings: &["komi and compensation 0 in handicap games are our reading: KataGo gives n-1"],
        territory: "",
        axes: Axes { repetition: RepetitionRule::Ssk, button: Button::HalfPoint, komi_even: halves(14), ..AREA },
    },
    Preset {
        name: "wmsg",
        title: "World Mind Sports Games 2008",
        source: "R. Jasiek's text of the WMSG rules",
        confidence: Confidence::Secondary,
        nearest: ("button", "the half point is part of komi: 6.5 when Black passes first, 7.5 when White does"),
        readings: &["no handicap is foreseen: komi stays the same with handicap stones"],
        territory: "",
        axes: Axes {
            long_cycle: LongCycle::Referee,
            button: Button::Komi,
            komi_even: halves(14),
            komi_handicap: halves(14),
            handicap_placement: HandicapPlacement::None,
            resumption: Resumption::TurnOrder,
            ..AREA
        },
    },
];
