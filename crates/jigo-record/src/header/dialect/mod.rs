//! Dialects: how servers, collections and programs write records, how their records are recognised,
//! and which rules of the reader depend on it.
//!
//! [`DIALECTS`] contains only facts about individual dialects. Facts about all records, such as
//! passes written as `tt`, capitals, or TB and TW, are in the reader, since they mean the same in
//! all dialects.

mod root_marks;
pub(super) mod server_scoring;
pub(super) mod dialect_choice;

use jigo_rules::{DeadStones, Ruleset, TerritoryReading};
use root_marks::MarkForm::{Any, Text, Whole, Words};
use root_marks::RootMark;
use server_scoring::ServerScoring;

/// The unit of KM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KomiUnit {
    /// Unknown. Values from 100 on are hundredths, and quarters are zi.
    #[default]
    ByForm,
    /// Always points.
    Points,
    /// Whole numbers from 25 on are hundredths, and quarters are zi.
    Hundredths,
}

/// The way in which one server, collection or program writes records.
#[derive(Debug)]
pub struct Dialect {
    /// The name in the tables and for `--dialect`.
    pub name: &'static str,
    /// The server, collection or program.
    pub title: &'static str,
    pub(super) marks: &'static [RootMark],
    /// The unit of KM.
    pub komi: KomiUnit,
    /// True if `KM[0]` may mean that komi was not recorded.
    pub unrecorded_komi: bool,
    /// Pairs of presets: the one that RU names (empty without RU), and the one that the games use.
    pub rules: &'static [(&'static str, &'static str)],
    /// Root properties that it usually writes more than once.
    pub repeated: &'static [&'static str],
    /// Properties of the root under other names: the name, and the property that it means.
    pub aliases: &'static [(&'static str, &'static str)],
    /// True if margins below a tenth of a point are codes for an end of unrecorded kind.
    pub coded_margins: bool,
    /// True if the server writes the overtime of every game that has one, so that TM alone means
    /// none.
    pub writes_overtime: bool,
    /// True if GC contains `ranked` or `unranked` in a list.
    pub comment_tells_rating: bool,
    /// How the server treats dead stones if RU does not tell.
    pub dead_stones: DeadStones,
    /// True if all players are programs.
    pub only_programs: bool,
    /// True if records of counted games end with the players' passes. A record without them lacks
    /// its end.
    pub records_passes: bool,
    /// The server scoring of territory, the oldest first. Empty for programs and collections, and
    /// for servers without measurements.
    pub server_scoring: &'static [ServerScoring],
    /// The source of these facts.
    pub source: &'static str,
}

impl PartialEq for Dialect {
    fn eq(&self, other: &Dialect) -> bool {
        self.name == other.name
    }
}

impl Eq for Dialect {}

/// The rules of FF\[4\]. No record is recognised by it.
const FF4: Dialect = Dialect {
    name: "",
    title: "",
    marks: &[],
    komi: KomiUnit::ByForm,
    unrecorded_komi: false,
    rules: &[],
    repeated: &[],
    aliases: &[],
    coded_margins: false,
    writes_overtime: false,
    comment_tells_rating: false,
    dead_stones: DeadStones::Agreement,
    only_programs: false,
    records_passes: false,
    server_scoring: &[],
    source: "",
};

/// All dialects. The first match wins, so servers and collections come before the programs that
/// store their records.
pub const DIALECTS: &[Dialect] = &[
    Dialect {
        name: "fox",
        title: "Fox (foxwq, 野狐), and its records from YuanYu",
        marks: &[
            RootMark("AP", Words, "foxwq"),
            RootMark("AP", Words, "yuanyu"),
            RootMark("PC", Whole, "fox"),
            RootMark("PC", Words, "野狐"),
        ],
        komi: KomiUnit::Hundredths,
        unrecorded_komi: true,
        repeated: &["AP"],
        coded_margins: true,
        writes_overtime: true,
        source: "records of 2017 to 2026: AP[GNU Go:3.8] and AP[foxwq] in one root, KM[375] under RU[Chinese], KM[0]HA[0], RE[W+0.02]; \
                 KaTrain's correction of its komi",
        ..FF4
    },
    Dialect {
        name: "tygem",
        title: "Tygem (타이젬, 弈城)",
        marks: &[
            RootMark("PC", Words, "tygem"),
            RootMark("GN", Words, "tygem"),
            RootMark("PC", Words, "타이젬"),
            RootMark("PC", Words, "弈城"),
        ],
        server_scoring: &[ServerScoring {
            from: "",
            reading: Some(TerritoryReading::EveryRegion),
            measured: (164, 305),
            source: "3,000 games of 2005 to 2016; their records lack the last turns, so players may have filled points that are open in the record",
        }],
        source: "converted records of 2005 and 2006",
        ..FF4
    },
    Dialect {
        name: "tom",
        title: "TOM",
        marks: &[RootMark("PC", Whole, "tom"), RootMark("PC", Words, "tom对弈")],
        server_scoring: &[ServerScoring {
            from: "",
            reading: Some(TerritoryReading::EveryRegion),
            measured: (74, 89),
            source: "1,500 games of 2003 to 2011 with komi 6.5",
        }],
        source: "converted records of 2005 and 2006",
        ..FF4
    },
    Dialect {
        name: "cyberoro",
        title: "Cyberoro (오로), WBaduk",
        marks: &[
            RootMark("PC", Words, "cyberoro"),
            RootMark("PC", Words, "wbaduk"),
            RootMark("PC", Words, "orozone"),
            RootMark("PC", Words, "오로"),
        ],
        komi: KomiUnit::Points,
        rules: &[("", "korean")],
        source: "NGF records of 2006 to 2017, with www.cyberoro.com, www.orozone.com or www.wbaduk.com in the fifth line; the server has one set of rules",
        ..FF4
    },
    Dialect {
        name: "kgs",
        title: "KGS Go Server",
        marks: &[RootMark("PC", Words, "kgs"), RootMark("PC", Words, "gokgs"), RootMark("SO", Words, "gokgs")],
        komi: KomiUnit::Points,
        rules: &[("chinese", "chinese-psk"), ("nz", "nz-kgs")],
        writes_overtime: true,
        records_passes: true,
        server_scoring: &[ServerScoring {
            from: "",
            reading: Some(TerritoryReading::Kgs),
            measured: (276, 291),
            source: "2,744 confidently estimated games of 2001 to 2003 and 2015; 132 of 136 in 1,188 games of 2006",
        }],
        source: "KGS help, supported rule sets; records of 2007 to 2026, PC[The KGS Go Server at http://www.gokgs.com/]",
        ..FF4
    },
    Dialect {
        name: "ogs",
        title: "Online Go Server",
        marks: &[RootMark("PC", Words, "ogs"), RootMark("PC", Words, "online-go"), RootMark("SO", Words, "online-go")],
        komi: KomiUnit::Points,
        rules: &[("chinese", "chinese-psk"), ("nz", "nz-kgs")],
        writes_overtime: true,
        comment_tells_rating: true,
        server_scoring: &[
            ServerScoring {
                from: "",
                reading: Some(TerritoryReading::EveryRegion),
                measured: (37, 41),
                source: "331 games of about 2013 with audited results; strict seki was an option, and off",
            },
            ServerScoring {
                from: "2024-06-17",
                reading: None,
                measured: (0, 0),
                source: "online-go.com PR 2719 and goban PR 164, written on 14 and 17 June 2024; the server changed in the following weeks",
            },
            ServerScoring {
                from: "2024-07-01",
                reading: Some(TerritoryReading::Goscorer),
                measured: (0, 0),
                source: "the same pull requests: the server uses goscorer itself; no game measured",
            },
        ],
        source: "the rules engine of OGS; records of 2014 to 2026, PC[OGS: https://online-go.com/game/N]",
        ..FF4
    },
    Dialect {
        name: "igs",
        title: "IGS / Pandanet",
        marks: &[
            RootMark("PC", Words, "igs"),
            RootMark("PC", Words, "pandanet"),
            RootMark("US", Words, "igs pandanet"),
            RootMark("GN", Words, "igs"),
            RootMark("PC", Words, "panda-net"),
            RootMark("AP", Words, "gopanda2"),
            RootMark("AP", Words, "panda-egg"),
        ],
        komi: KomiUnit::Points,
        rules: &[("", "igs"), ("japanese", "igs")],
        source: "records of 2014 to 2025, PC[IGS:  igs.joyjoy.net 6969]KM[6.500000] without RU, PC[IGS-PandaNet]; the server has one set of rules",
        ..FF4
    },
    Dialect {
        name: "cgos",
        title: "Computer Go Server",
        marks: &[RootMark("PC", Words, "cgos"), RootMark("SO", Words, "cgos"), RootMark("AP", Words, "cgos")],
        komi: KomiUnit::Points,
        rules: &[("", "chinese-psk"), ("chinese", "chinese-psk")],
        dead_stones: DeadStones::AsIs,
        only_programs: true,
        source: "the server's rules: area, positional superko, no suicide, no stone removed at the end",
        ..FF4
    },
    Dialect {
        name: "go4go",
        title: "Go4Go.net",
        marks: &[RootMark("SO", Words, "go4go"), RootMark("PC", Words, "go4go")],
        source: "records of 2005 to 2023, SO[Go4Go.net] without GM, SZ and RU",
        ..FF4
    },
    Dialect {
        name: "gogod",
        title: "GoGoD",
        marks: &[RootMark("SO", Words, "gogod"), RootMark("US", Words, "gogod"), RootMark("US", Words, "gogod95")],
        source: "records with SO[GoGoD] and US[GoGoD95]",
        ..FF4
    },
    Dialect {
        name: "oro",
        title: "Oro, the Nihon Ki-in and Sina: records of professional games",
        marks: &[RootMark("TE", Text, ""), RootMark("RD", Any, ""), RootMark("KO", Text, ""), RootMark("HD", Any, "")],
        aliases: &[("TE", "EV"), ("RD", "DT"), ("KO", "KM"), ("HD", "HA")],
        source: "records of 2001 to 2012: (TE[…]RD[2009-09-11]KO[6.5]RE[黑中盘胜], with a root that lacks its semicolon; \
                 diagrams (RN[…]PT[4];B[pd]… between the turns of the game begin again at turn 1",
        ..FF4
    },
    Dialect {
        name: "multigo",
        title: "MultiGo",
        marks: &[RootMark("AP", Words, "multigo"), RootMark("MULTIGOGM", Any, "")],
        source: "records of versions 3.6 to 4.4, AP[MultiGo:4.4.4] and MULTIGOGM[1]",
        ..FF4
    },
    Dialect {
        name: "cgoban",
        title: "CGoban",
        marks: &[RootMark("AP", Words, "cgoban")],
        source: "records of versions 1 to 3, not from a server",
        ..FF4
    },
];

impl Dialect {
    /// Describes the marks by which records are recognised.
    pub fn describe_marks(&self) -> String {
        let descriptions = self.marks.iter().map(|RootMark(name, form, text)| match form {
            Whole => format!("{name}[{text}]"),
            Words => format!("{name} with {text}"),
            Text => format!("{name} with text"),
            Any => (*name).to_owned(),
        });
        descriptions.collect::<Vec<_>>().join(", ")
    }

    /// Returns a recorded ruleset in the way in which the server counted on that date.
    pub fn with_server_scoring(&self, ruleset: Ruleset, date: &str) -> Ruleset {
        let ruleset = match self.dead_stones {
            DeadStones::AsIs => ruleset.with_dead_stones(DeadStones::AsIs),
            DeadStones::Agreement => ruleset,
        };
        match ServerScoring::at_date(self.server_scoring, date) {
            Some(server_scoring) => server_scoring.apply(ruleset),
            None => ruleset,
        }
    }

    /// Returns the property that a name in the root means.
    pub fn meaning<'n>(&self, name: &'n str) -> &'n str {
        self.aliases.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, meaning)| meaning)
    }

    /// Describes the differences from FF\[4\]; empty without differences.
    pub fn describe_differences(&self) -> String {
        let mut readings = Vec::new();
        match self.komi {
            KomiUnit::ByForm => {}
            KomiUnit::Points => readings.push("KM is always in points".to_owned()),
            KomiUnit::Hundredths => {
                readings.push("KM is in hundredths of points, or of zi if a quarter remains".into());
            }
        }
        if self.unrecorded_komi {
            readings.push("KM[0] may mean an unrecorded komi".into());
        }
        readings.extend(self.rules.iter().map(|(recorded, meaning)| match *recorded {
            "" => format!("a missing RU means {meaning}"),
            recorded => format!("RU[{recorded}] means {meaning}"),
        }));
        if self.dead_stones == DeadStones::AsIs {
            readings.push("no stone is removed before the count".into());
        }
        readings.extend(self.aliases.iter().map(|(name, meaning)| format!("{name} means {meaning}")));
        readings.extend(self.repeated.iter().map(|name| format!("{name} may occur twice")));
        if self.coded_margins {
            readings.push("RE[W+0.02] means a win without a margin".into());
        }
        readings.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::root_property::RootProperty;
    use super::dialect_choice::DialectChoice;
    use super::*;

    #[test]
    fn names_are_unique_and_every_row_has_a_mark_and_a_source() {
        for (index, dialect) in DIALECTS.iter().enumerate() {
            assert_eq!(DialectChoice::parse(dialect.name), Some(DialectChoice::Fixed(dialect)));
            assert!(DIALECTS[..index].iter().all(|other| other.name != dialect.name));
            assert!(dialect.marks.iter().all(|mark| RootProperty::find(mark.0.as_bytes()).is_some()));
            assert!(!dialect.marks.is_empty() && !dialect.source.is_empty() && !dialect.title.is_empty());
            let is_small = |mark: &RootMark| !mark.2.bytes().any(|byte| byte.is_ascii_uppercase());
            assert!(dialect.marks.iter().all(is_small), "{}", dialect.name);
            assert!(dialect.server_scoring.is_sorted_by_key(|scoring| scoring.from), "{}", dialect.name);
            assert!(dialect.server_scoring.iter().all(|scoring| !scoring.source.is_empty()), "{}", dialect.name);
            for (recorded, meaning) in dialect.rules {
                let is_preset = |name: &str| jigo_rules::Preset::find(name).is_some();
                assert!((recorded.is_empty() || is_preset(recorded)) && is_preset(meaning), "{}", dialect.name);
            }
        }
        assert_eq!(DialectChoice::parse("esperanto"), None);
        assert_eq!(DialectChoice::None.resolve([("PC", "TOM")].into_iter()), None);
    }
}
