//! The named rulesets as rows, each with its source and the quality of that source.

use std::borrow::Cow;

use super::half_points::HalfPoints;
use super::ruleset::{
    Axes, Button, DeadStones, End, HandicapBonus, HandicapPlacement, LongCycle, RepetitionRule, Resumption, RulesBasis,
    Ruleset, Scoring, Suicide, TerritoryReading, Tie,
};

/// The quality of the source that a row follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceQuality {
    /// The primary text or the source code of an implementation.
    Primary,
    /// A secondary source.
    Secondary,
}

/// The part of the list of rulesets that a preset belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PresetGroup {
    /// Federations and servers use the rules.
    Current,
    /// A text proposes or explains the rules.
    Text,
    /// The rules were used in the past, or for a single event.
    Historical,
}

impl PresetGroup {
    /// All groups with their titles, in the order of lists.
    pub const ALL: [(PresetGroup, &'static str); 3] = [
        (PresetGroup::Current, "Federations and servers"),
        (PresetGroup::Text, "Texts on the rules"),
        (PresetGroup::Historical, "Historical and special rules"),
    ];

    /// Returns the presets of the group.
    pub fn presets(self) -> impl Iterator<Item = &'static Preset> {
        PRESETS.iter().filter(move |preset| preset.group == self)
    }
}

/// A named ruleset.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Preset {
    /// Name on the command line and in the tables.
    pub name: &'static str,
    /// Short description.
    pub title: &'static str,
    /// The part of the list of rulesets that contains the row.
    pub group: PresetGroup,
    /// The text or implementation that the row follows.
    pub source: &'static str,
    /// Quality of the source. The parts of the row in `interpretations` have no source.
    pub source_quality: SourceQuality,
    /// The most similar preset and the difference from it.
    pub nearest: (&'static str, &'static str),
    /// Parts of the row that are our interpretation or choice, because the text is silent or
    /// ambiguous.
    pub interpretations: &'static [&'static str],
    /// Reason and source for `axes.territory`. Empty for rulesets that do not count territory.
    pub territory: &'static str,
    /// The ruleset's axes.
    pub axes: Axes,
}

impl Preset {
    /// Returns the preset called `name`.
    ///
    /// ```
    /// use jigo_rules::{Preset, Suicide};
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

    /// Returns the ruleset with another treatment of dead stones. Its name is that of the preset
    /// with this treatment, or has the axis added as on the command line.
    pub fn with_dead_stones(mut self, dead_stones: DeadStones) -> Ruleset {
        if self.axes.dead_stones != dead_stones {
            self.axes.dead_stones = dead_stones;
            let preset = PRESETS.iter().find(|preset| preset.axes == self.axes && self.basis == RulesBasis::Text);
            let axis = || format!("{} dead-stones={}", self.name, dead_stones.name()).into();
            self.name = preset.map_or_else(axis, |preset| preset.name.into());
        }
        self
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
    dead_stones: DeadStones::Agreement,
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

const WHATS_GO_TEXT: Axes = Axes { komi_even: halves(0), handicap_placement: HandicapPlacement::None, ..TERRITORY };

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
    "the text does not mention seki or points to fill; read literally, every region of one colour counts";

/// Reason why pass stones leave no choice of a territory reading.
const PASS: &str = "enclosed points count, also in seki; filling one costs no more than the pass that it saves";

/// Reason for the Japanese reading: the text's score of a position in which both players have
/// passed.
const PLAYED_OUT: &str = "article 8: eye points of living stones that possess dame are not territory. A point to fill depends on an open dame: while that dame \
     is open, article 8 read literally makes the whole group seki; once it is filled, the point must be filled as well. No continuation \
     leaves it a point, and players settle this before they count, so it counts as filled. KGS counts this way under this name; TOM, and \
     OGS before June 2024, count every region (jigo dialects)";

/// All presets: first those of five texts without a federation, then the rulesets of federations
/// and servers, then historical and special ones.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "concise",
        title: "A short, concise ruleset of Go (Bill Taylor)",
        group: PresetGroup::Text,
        source: "Bill Taylor's text of this title, also on A. Flammenkamp's page, University of Bielefeld",
        source_quality: SourceQuality::Primary,
        nearest: ("nz", "only the score of an empty board and the first player after a dispute differ"),
        interpretations: &[
            "the text calls komi 7 usual, not fixed",
            "a position belongs to the player who left it by a play or a pass (comment 3)",
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
        group: PresetGroup::Text,
        source: "chapter 'Detailed rules' of an encyclopedia; author and address unknown",
        source_quality: SourceQuality::Primary,
        nearest: ("japanese", "every region counts, the text does not treat long cycles, handicap games have komi 0.5"),
        interpretations: &[
            "suicide is a parameter of the text: forbidden by default, or suicide=multi; suicide of a single stone is never allowed",
            "the text names komi 5.5, 6.5 and 7.5; jigo uses 6.5 if the record has none",
        ],
        territory: SILENT,
        axes: DETAILED,
    },
    Preset {
        name: "detailed-area",
        title: "Detailed rules, area variant (encyclopedia chapter)",
        group: PresetGroup::Text,
        source: "chapter 'Detailed rules' of an encyclopedia; author and address unknown",
        source_quality: SourceQuality::Primary,
        nearest: (
            "detailed-territory",
            "living stones count instead of prisoners; handicap stones are not compensated",
        ),
        interpretations: &[
            "suicide is a parameter of the text: forbidden by default, or suicide=multi; suicide of a single stone is never allowed",
            "the text names komi 5.5, 6.5 and 7.5; jigo uses 6.5 if the record has none",
        ],
        territory: "",
        axes: Axes { scoring: Scoring::Area, ..DETAILED },
    },
    Preset {
        name: "whats-go",
        title: "What's Go? (a German player's page)",
        group: PresetGroup::Text,
        source: "page 'What's Go?' of a German player; name and address unknown",
        source_quality: SourceQuality::Primary,
        nearest: ("japanese", "no komi, eyes in seki count, no rule for long cycles"),
        interpretations: &[
            "the text shows a ko in the middle of the board only; jigo also forbids a ko at the edge",
            "the text states no komi; jigo uses 0 if the record has none",
        ],
        territory: SILENT,
        axes: WHATS_GO_TEXT,
    },
    Preset {
        name: "whats-go-superko",
        title: "What's Go? with its unofficial super-ko",
        group: PresetGroup::Text,
        source: "page 'What's Go?' of a German player; name and address unknown",
        source_quality: SourceQuality::Primary,
        nearest: ("whats-go", "no position may occur twice"),
        interpretations: &["\"a position may not occur twice\" is read as positional superko"],
        territory: SILENT,
        axes: Axes { repetition: RepetitionRule::Psk, long_cycle: LongCycle::Forbidden, ..WHATS_GO_TEXT },
    },
    Preset {
        name: "quick-reference",
        title: "Go Rules Quick Reference (sample rulebook)",
        group: PresetGroup::Text,
        source: "'Go Rules Quick Reference', the rulebook of BoxTree's sample game; address unknown",
        source_quality: SourceQuality::Primary,
        nearest: ("bga", "komi 7, no ko rule in addition to superko, no handicap"),
        interpretations: &[
            "\"after any of your previous moves\" means plays here, since \"instead of making a move you can pass\"; quick-reference-own is the other reading",
            "komi 7 on every board size",
        ],
        territory: PASS,
        axes: QUICK_REFERENCE,
    },
    Preset {
        name: "quick-reference-own",
        title: "Go Rules Quick Reference, passes read as moves",
        group: PresetGroup::Text,
        source: "'Go Rules Quick Reference', the rulebook of BoxTree's sample game; address unknown",
        source_quality: SourceQuality::Primary,
        nearest: ("quick-reference", "a position that a player left by a pass may not return either"),
        interpretations: &["the text once counts passes as moves; this ruleset follows that"],
        territory: PASS,
        axes: Axes { repetition: RepetitionRule::Own, ..QUICK_REFERENCE },
    },
    Preset {
        name: "essentials",
        title: "The Essentials of Go (John H. Paquette), counted by area",
        group: PresetGroup::Text,
        source: "John H. Paquette, 'The Essentials of Go', 2005, revised 2025; our copy lacks its lists and figures",
        source_quality: SourceQuality::Primary,
        nearest: ("aga", "no komi, no pass stones, a disputed last pass is withdrawn"),
        interpretations: &[
            "jigo counts refinement 2 of the text (agreed dead stones): plain area",
            "our copy lacks the handicap formations; only the star points are known",
        ],
        territory: "",
        axes: ESSENTIALS,
    },
    Preset {
        name: "essentials-territory",
        title: "The Essentials of Go (John H. Paquette), counted by territory",
        group: PresetGroup::Text,
        source: "John H. Paquette, 'The Essentials of Go', 2005, revised 2025; our copy lacks its lists and figures",
        source_quality: SourceQuality::Primary,
        nearest: ("essentials", "refinement 3: territory minus own captured stones, without pass stones"),
        interpretations: &["the result can differ from the area count by one point, as footnote 4 of the text says"],
        territory: SILENT,
        axes: Axes { scoring: Scoring::Territory, ..ESSENTIALS },
    },
    Preset {
        name: "aga",
        title: "American Go Association",
        group: PresetGroup::Current,
        source: "AGA Concise Rules",
        source_quality: SourceQuality::Primary,
        nearest: ("quick-reference", "situational superko, komi 7.5, handicap compensated by n-1"),
        interpretations: &[
            "jigo counts area; with pass stones and White's last pass, territory gives the same margin (scoring=pass-stones)",
        ],
        territory: "",
        axes: AMERICAN,
    },
    Preset {
        name: "bga",
        title: "British Go Association",
        group: PresetGroup::Current,
        source: "BGA interpretation of the AGA rules, opening parts",
        source_quality: SourceQuality::Primary,
        nearest: ("aga", "natural situational superko and the ko rule"),
        interpretations: &[
            "players usually count territory with pass stones (scoring=pass-stones); the margin is that of area",
        ],
        territory: "",
        axes: Axes { repetition: RepetitionRule::NsskKo, ..AMERICAN },
    },
    Preset {
        name: "french",
        title: "French Go federation",
        group: PresetGroup::Current,
        source: "FFG rule text, jeudego.org",
        source_quality: SourceQuality::Primary,
        nearest: ("aga", "natural situational superko; pass stones only for the quick count"),
        interpretations: &["jigo does not use the quick count with pass stones; its margin equals that of area"],
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
        group: PresetGroup::Current,
        source: "Chinese rules 2002 through Sensei's Library; KataGo's row chinese",
        source_quality: SourceQuality::Secondary,
        nearest: ("chinese-psk", "only ko is forbidden; the referee decides long cycles"),
        interpretations: &[
            "the 2002 text forbids recurring positions in principle (art. 20), practice forbids ko and unbalanced cycles; jigo reports superko without judging it",
            "handicap is compensated by n points (n/2 zi)",
        ],
        territory: "",
        axes: CHINESE,
    },
    Preset {
        name: "chinese-psk",
        title: "Chinese rules as servers enforce them (KGS, OGS)",
        group: PresetGroup::Current,
        source: "KGS SAMEBOARD; KataGo's row chinese-kgs",
        source_quality: SourceQuality::Primary,
        nearest: ("chinese", "no position may return"),
        interpretations: &[],
        territory: "",
        axes: Axes { repetition: RepetitionRule::Psk, long_cycle: LongCycle::Forbidden, ..CHINESE },
    },
    Preset {
        name: "japanese",
        title: "Japanese rules 1989",
        group: PresetGroup::Current,
        source: "Nihon Kiin 1989 through secondary texts; KataGo's row japanese",
        source_quality: SourceQuality::Secondary,
        nearest: ("korean", "a long cycle ends the game without a result, if both players agree"),
        interpretations: &[
            "the ban on retaking a ko \"on the next move\" is read as the ko rule",
            "komi 6.5 since about 2002, 5.5 before; handicap games 0, or 0.5 on servers",
        ],
        territory: PLAYED_OUT,
        axes: JAPANESE,
    },
    Preset {
        name: "korean",
        title: "Korean rules 2016",
        group: PresetGroup::Current,
        source: "R. Jasiek's notes on the 2016 text, opening part",
        source_quality: SourceQuality::Secondary,
        nearest: ("japanese", "a long cycle is a draw"),
        interpretations: &["the draw by long cycle is our reading: other programs treat it as no result"],
        territory: "as japanese; we have not read the 2016 text on counting, and Tygem counts every region (jigo dialects)",
        axes: Axes { long_cycle: LongCycle::Draw, resumption: Resumption::Unspecified, ..JAPANESE },
    },
    Preset {
        name: "nz",
        title: "New Zealand Go Society",
        group: PresetGroup::Current,
        source: "go.org.nz rule text",
        source_quality: SourceQuality::Primary,
        nearest: ("concise", "no one scores an empty board; if players can't agree who resumes, all stones are alive"),
        interpretations: &[
            "\"after any of that player's previous moves\", with passes as moves, means positions that the player has left; servers use nz-kgs",
        ],
        territory: "",
        axes: NEW_ZEALAND,
    },
    Preset {
        name: "nz-kgs",
        title: "New Zealand rules as servers enforce them",
        group: PresetGroup::Current,
        source: "KGS help; KataGo's row new-zealand",
        source_quality: SourceQuality::Primary,
        nearest: ("nz", "situational superko, and no suicide of a single stone"),
        interpretations: &[],
        territory: "",
        axes: Axes { repetition: RepetitionRule::Ssk, suicide: Suicide::MultiStone, ..NEW_ZEALAND },
    },
    Preset {
        name: "tromp-taylor",
        title: "Tromp-Taylor, the logical rules",
        group: PresetGroup::Current,
        source: "tromp.github.io/go.html",
        source_quality: SourceQuality::Primary,
        nearest: ("chinese-psk", "suicide is legal, handicap is not compensated"),
        interpretations: &[
            "players agree on komi; jigo uses 7.5 if the record has none, and 0 with handicap",
            "players agree on dead stones, as they do in practice; the text removes none, see tromp-taylor-as-is",
        ],
        territory: "",
        axes: TROMP_TAYLOR,
    },
    Preset {
        name: "ing",
        title: "Ing SST rules 1991",
        group: PresetGroup::Current,
        source: "Ing 1991, opening parts",
        source_quality: SourceQuality::Primary,
        nearest: ("tromp-taylor", "komi 8 with Black winning ties, no suicide of a single stone"),
        interpretations: &[
            "fighting and disturbing ko require a judgement of life and death; jigo uses positional superko instead, and its findings require that judgement",
            "komi 0 in handicap games is our reading",
        ],
        territory: "",
        axes: ING,
    },
    Preset {
        name: "ing-simplified",
        title: "EGF Simplified Ing rules",
        group: PresetGroup::Current,
        source: "R. Jasiek, Simplified Ing rules of the European federation",
        source_quality: SourceQuality::Secondary,
        nearest: ("ing", "superko instead of the judgement of kos"),
        interpretations: &["positional superko and the order after a dispute are our reading"],
        territory: "",
        axes: Axes { long_cycle: LongCycle::Forbidden, resumption: Resumption::OpponentOfLastPasser, ..ING },
    },
    Preset {
        name: "igs",
        title: "IGS / Pandanet server",
        group: PresetGroup::Current,
        source: "R. Jasiek's text of the IGS rules; BGA comparison",
        source_quality: SourceQuality::Primary,
        nearest: ("japanese", "every region counts, cycles are allowed, three passes end the game"),
        interpretations: &["komi 0.5 in handicap games is our reading"],
        territory: "BGA comparison: eyes in seki count, and no rule removes points to fill; not measured",
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
        group: PresetGroup::Historical,
        source: "KataGo's group tax; Sensei's Library",
        source_quality: SourceQuality::Secondary,
        nearest: ("chinese", "two points less for each living group"),
        interpretations: &["the ko rule is our reading", "komi was 0 historically; 7.5 follows KataGo"],
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
        group: PresetGroup::Historical,
        source: "KataGo's row aga-button; Sensei's Library",
        source_quality: SourceQuality::Primary,
        nearest: ("aga", "komi 7, and half a point for the first player to pass"),
        interpretations: &["komi and compensation 0 in handicap games are our reading: KataGo gives n-1"],
        territory: "",
        axes: Axes { repetition: RepetitionRule::Ssk, button: Button::HalfPoint, komi_even: halves(14), ..AREA },
    },
    Preset {
        name: "wmsg",
        title: "World Mind Sports Games 2008",
        group: PresetGroup::Historical,
        source: "R. Jasiek's text of the WMSG rules",
        source_quality: SourceQuality::Secondary,
        nearest: ("button", "the half point is part of komi: 6.5 when Black passes first, 7.5 when White does"),
        interpretations: &["the text provides no handicap; komi stays the same with handicap stones"],
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
    Preset {
        name: "tromp-taylor-as-is",
        title: "Tromp-Taylor by the letter",
        group: PresetGroup::Current,
        source: "tromp.github.io/go.html; KataGo's friendlyPassOk",
        source_quality: SourceQuality::Primary,
        nearest: ("tromp-taylor", "no stone is removed at the end, so a stone that is not captured lives"),
        interpretations: &["players agree on komi; jigo uses 7.5 if the record has none, and 0 with handicap"],
        territory: "",
        axes: Axes { dead_stones: DeadStones::AsIs, ..TROMP_TAYLOR },
    },
];
