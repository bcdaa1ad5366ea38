//! Parsing of the RU property into a ruleset.

use std::borrow::Cow;

use serde_json::Value;

use super::half_points::HalfPoints;
use super::presets::{AREA, Preset};
use super::ruleset::{
    Axes, Button, DeadStones, HandicapBonus, LongCycle, RepetitionRule, RulesBasis, Ruleset, Scoring, Suicide,
    TerritoryReading,
};

/// The names that players and programs write into RU, by preset.
///
/// They are compared after [`normalise`].
const NAMES: &[(&str, &[&str])] = &[
    ("japanese", &["japanese", "jp", "ja", "jpn", "japan", "nihonkiin", "日本", "日本囲碁規約", "日本围棋", "日"]),
    ("chinese", &["chinese", "cn", "zh", "chn", "china", "中国", "中國", "中国围棋", "数子", "數子"]),
    ("chinese-psk", &["chinesekgs", "chineseogs", "chinesepsk"]),
    ("korean", &["korean", "ko", "kr", "kor", "korea", "한국", "韩国", "韓国", "韓國"]),
    ("aga", &["aga", "us", "americangoassociation"]),
    ("button", &["agabutton", "button"]),
    ("bga", &["bga", "british"]),
    ("french", &["french", "ffg", "fr"]),
    ("nz", &["nz", "newzealand"]),
    ("ing", &["goe", "ing", "sst", "应氏", "應氏"]),
    ("tromp-taylor", &["tromptaylor", "tt", "logical", "cgos"]),
    ("igs", &["igs", "pandanet"]),
    ("stone", &["ancient", "ancientarea", "stonescoring", "stone"]),
];

/// KataGo's row `ancient-territory`, which is not a preset: the normalised name that players and
/// programs write, and its fields.
const ANCIENT_TERRITORY: (&str, &str) = ("ancientterritory", "koSIMPLEscoreTERRITORYtaxALLsui0");

/// Returns the ruleset that RU names, or `None` if RU is empty or unknown.
///
/// `meanings` lists presets that replace others: pairs of the preset named by RU (empty for an
/// empty RU) and the preset in use. Servers' rules differ from those of the federations whose names
/// they use.
///
/// Besides names of presets the function accepts KataGo's strings (`koSIMPLEscoreAREAtaxNONEsui0`)
/// and JSON objects. Their ko rules follow KataGo's documentation, as those of the presets do. Komi
/// is not part of them.
pub fn parse_ru(text: &str, meanings: &[(&str, &'static str)]) -> Option<Ruleset> {
    let text = text.trim();
    if let Some(axes) = katago_text(text).or_else(|| katago_json(text)) {
        return Some(Ruleset { name: Cow::Owned(text.to_owned()), axes, basis: RulesBasis::Explicit });
    }
    let normal = normalise(text);
    if normal == ANCIENT_TERRITORY.0 {
        let axes = katago_text(ANCIENT_TERRITORY.1)?;
        return Some(Ruleset { name: Cow::Borrowed("ancient-territory"), axes, basis: RulesBasis::Explicit });
    }
    let preset_name = NAMES.iter().find(|(_, names)| names.contains(&normal.as_str())).map(|(preset, _)| *preset);
    let name = preset_name.unwrap_or(text);
    let preset = meanings.iter().find(|(recorded, _)| *recorded == name).map_or(name, |(_, replacement)| replacement);
    Preset::find(preset).map(Preset::ruleset)
}

/// The names of rules in FF\[4\] and, for presets that it does not name, those in wide use.
const STANDARD_NAMES: [(&str, &str); 7] = [
    ("japanese", "Japanese"),
    ("chinese", "Chinese"),
    ("korean", "Korean"),
    ("aga", "AGA"),
    ("nz", "NZ"),
    ("ing", "GOE"),
    ("tromp-taylor", "Tromp-Taylor"),
];

/// Returns the standard name of the rules that RU names; `None` if it names others or says more
/// than a name.
pub fn standard_ru(text: &str) -> Option<&'static str> {
    let ruleset = parse_ru(text, &[]).filter(|_| !text.contains([',', '，']))?;
    STANDARD_NAMES.iter().find(|(preset, _)| *preset == ruleset.name).map(|(_, name)| *name)
}

/// Converts a name to lower case, and removes spaces, `-`, `_`, `/`, `.`, a final word for "rules"
/// and everything after the first comma.
fn normalise(text: &str) -> String {
    let lower = text.split([',', '，']).next().unwrap_or("").to_lowercase();
    let compact: String = lower.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '/' | '.')).collect();
    let endings = ["rules", "ruleset", "rule", "规则", "規則", "ルール"];
    endings.iter().find_map(|ending| compact.strip_suffix(ending)).unwrap_or(&compact).to_owned()
}

/// Parses KataGo's text, such as `koPOSITIONALscoreAREAtaxNONEsui1`.
fn katago_text(text: &str) -> Option<Axes> {
    const FIELDS: [(&str, &[&str]); 6] = [
        ("score", &["AREA", "TERRITORY"]),
        ("tax", &["NONE", "SEKI", "ALL"]),
        ("sui", &["0", "1"]),
        ("button", &["0", "1"]),
        ("whb", &["0", "N-1", "N"]),
        ("fpok", &["0", "1"]),
    ];
    let mut rest = text.strip_prefix("ko")?;
    let ko = take_word(&mut rest, &["SIMPLE", "POSITIONAL", "SITUATIONAL"])?;
    let mut values = FIELDS.map(|(_, words)| words[0]);
    while !rest.is_empty() {
        let field = FIELDS.iter().position(|(name, _)| rest.starts_with(name))?;
        rest = &rest[FIELDS[field].0.len()..];
        values[field] = take_word(&mut rest, FIELDS[field].1)?;
    }
    let [score, tax, suicide, button, bonus, friendly_pass] = values;
    let [allows_suicide, has_button, is_friendly_pass] = [suicide, button, friendly_pass].map(|flag| flag == "1");
    KataGoRules { ko, score, tax, bonus, allows_suicide, has_button, is_friendly_pass }.axes()
}

fn take_word<'a>(rest: &mut &'a str, words: &[&'a str]) -> Option<&'a str> {
    let word = words.iter().find(|word| rest.starts_with(**word))?;
    *rest = &rest[word.len()..];
    Some(word)
}

/// Parses KataGo's JSON object.
fn katago_json(text: &str) -> Option<Axes> {
    if !text.starts_with('{') {
        return None;
    }
    let fields: Value = serde_json::from_str(text).ok()?;
    let word = |name: &str| fields.get(name).and_then(Value::as_str);
    let flag = |name: &str| fields.get(name).and_then(Value::as_bool).unwrap_or(false);
    let rules = KataGoRules {
        ko: word("ko")?,
        score: word("score").or(word("scoring"))?,
        tax: word("tax").unwrap_or("NONE"),
        bonus: word("whiteHandicapBonus").unwrap_or("0"),
        allows_suicide: flag("suicide"),
        has_button: flag("hasButton"),
        is_friendly_pass: flag("friendlyPassOk"),
    };
    rules.axes()
}

/// KataGo's fields for rules. The words are its own.
struct KataGoRules<'a> {
    ko: &'a str,
    score: &'a str,
    tax: &'a str,
    bonus: &'a str,
    allows_suicide: bool,
    has_button: bool,
    is_friendly_pass: bool,
}

impl KataGoRules<'_> {
    fn axes(&self) -> Option<Axes> {
        let (repetition, long_cycle) = match self.ko {
            "SIMPLE" => (RepetitionRule::Ko, LongCycle::NoResult),
            "POSITIONAL" => (RepetitionRule::Psk, LongCycle::Forbidden),
            "SITUATIONAL" => (RepetitionRule::Ssk, LongCycle::Forbidden),
            _ => return None,
        };
        let (scoring, komi_even) = match (self.score, self.tax) {
            ("AREA", "NONE" | "SEKI") => (Scoring::Area, HalfPoints(15)),
            ("AREA", "ALL") => (Scoring::GroupTax, HalfPoints(15)),
            ("TERRITORY", "NONE" | "SEKI") => (Scoring::Territory, HalfPoints(13)),
            ("TERRITORY", "ALL") => (Scoring::TerritoryTax, HalfPoints(13)),
            _ => return None,
        };
        // KataGo plays on until every point to fill is filled. Under territory scoring these points
        // are lost, under area scoring their stones count.
        let territory = match (self.tax, self.score) {
            ("NONE", _) => TerritoryReading::EveryRegion,
            (_, "TERRITORY") => TerritoryReading::Goscorer,
            _ => TerritoryReading::NoSeki,
        };
        // Under territory scoring and taxes, play goes on until the dead stones are captured, at no
        // cost.
        let removes_dead_stones = self.is_friendly_pass || self.score == "TERRITORY" || self.tax != "NONE";
        let bonus = |(name, _): &(&str, HandicapBonus)| name.eq_ignore_ascii_case(self.bonus);
        let (_, handicap_bonus) = HandicapBonus::NAMES.into_iter().find(bonus)?;
        Some(Axes {
            repetition,
            long_cycle,
            suicide: if self.allows_suicide { Suicide::MultiStone } else { Suicide::Forbid },
            scoring,
            territory,
            dead_stones: if removes_dead_stones { DeadStones::Agreement } else { DeadStones::AsIs },
            button: if self.has_button { Button::HalfPoint } else { Button::None },
            komi_even,
            handicap_bonus,
            ..AREA
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_name_names_the_same_rules() {
        for (preset, name) in STANDARD_NAMES {
            assert_eq!((standard_ru(name), parse_ru(name, &[]).unwrap().name.as_ref()), (Some(name), preset));
        }
        for (text, name) in
            [("jp", Some("Japanese")), ("应氏规则", Some("GOE")), ("Chinese, Pair Go", None), ("igs", None)]
        {
            assert_eq!(standard_ru(text), name, "{text}");
        }
    }

    fn name(text: &str, meanings: &[(&str, &'static str)]) -> Option<String> {
        parse_ru(text, meanings).map(|ruleset| ruleset.name.into_owned())
    }

    #[test]
    fn preset_names_parse_in_all_spellings() {
        let cases = [
            ("Japanese", "japanese"),
            (" JP ", "japanese"),
            ("日本规则", "japanese"),
            ("Chinese, Pair Go", "chinese"),
            ("Tromp/Taylor", "tromp-taylor"),
            ("TrompTaylor", "tromp-taylor"),
            ("New Zealand", "nz"),
            ("GOE", "ing"),
            ("AGA rules", "aga"),
            ("한국", "korean"),
            ("essentials-territory", "essentials-territory"),
        ];
        for (text, preset) in cases {
            assert_eq!(name(text, &[]).as_deref(), Some(preset), "{text}");
        }
        for unknown in ["", "Custom", "?", "house rules", "{}", "koSOMETHING"] {
            assert_eq!(name(unknown, &[]), None, "{unknown}");
        }
    }

    #[test]
    fn server_presets_replace_named_and_missing_rules() {
        let meanings = [("chinese", "chinese-psk"), ("", "igs")];
        assert_eq!(name("中国规则", &meanings).as_deref(), Some("chinese-psk"));
        assert_eq!(name(" ", &meanings).as_deref(), Some("igs"));
        assert_eq!(name("Japanese", &meanings).as_deref(), Some("japanese"));
        assert_eq!(name("Custom", &meanings), None);
    }

    #[test]
    fn katago_strings_and_json_agree() {
        let text = parse_ru("koSITUATIONALscoreTERRITORYtaxSEKIsui1button1whbN-1", &[]).unwrap().axes;
        let json = r#"{"ko":"SITUATIONAL","score":"TERRITORY","tax":"SEKI","suicide":true,"hasButton":true,"whiteHandicapBonus":"N-1"}"#;
        assert_eq!(text, parse_ru(json, &[]).unwrap().axes);
        assert_eq!(
            (text.repetition, text.suicide, text.territory),
            (RepetitionRule::Ssk, Suicide::MultiStone, TerritoryReading::Goscorer)
        );
        assert_eq!((text.button, text.handicap_bonus), (Button::HalfPoint, HandicapBonus::NMinusOne));
        assert!(parse_ru("koSIMPLEscoreTERRITORYtaxSOMEsui0", &[]).is_none());
    }

    #[test]
    fn katago_names_of_ancient_rules_are_recognised() {
        assert_eq!(name("ancient-area", &[]).as_deref(), Some("stone"));
        let territory = parse_ru("Ancient territory rules", &[]).unwrap();
        assert_eq!(territory.name, "ancient-territory");
        assert_eq!(territory.axes, parse_ru("koSIMPLEscoreTERRITORYtaxALLsui0", &[]).unwrap().axes);
        assert_eq!((territory.axes.scoring, territory.axes.komi_even), (Scoring::TerritoryTax, HalfPoints(13)));
    }
}
