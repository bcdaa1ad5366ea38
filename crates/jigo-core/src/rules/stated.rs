//! RU text to a ruleset.

use std::borrow::Cow;

use serde_json::Value;

use super::half_points::HalfPoints;
use super::presets::{AREA, Preset};
use super::ruleset::{
    Axes, Button, HandicapBonus, LongCycle, RepetitionRule, RulesBasis, Ruleset, Scoring, Suicide, TerritoryReading,
};

/// What players and programs write into RU, and the preset they mean. Compared after [`normalise`].
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

/// KataGo's row `ancient-territory`, which no preset is: its name as players and programs write it, normalised, and its fields.
const ANCIENT_TERRITORY: (&str, &str) = ("ancientterritory", "koSIMPLEscoreTERRITORYtaxALLsui0");

/// The ruleset that RU names, or `None` where it is empty or names none that is known. `meant` are presets by the name that RU gives
/// them, or by none where RU is empty, with the ones that are played by: servers differ from the federations whose names they use.
///
/// Besides the names of the presets it knows KataGo's strings (`koSIMPLEscoreAREAtaxNONEsui0`) and JSON objects; like the presets'
/// own, their ko rules follow KataGo's documentation, and komi is not part of them.
pub fn stated(text: &str, meant: &[(&str, &'static str)]) -> Option<Ruleset> {
    let text = text.trim();
    if let Some(axes) = katago_text(text).or_else(|| katago_json(text)) {
        return Some(Ruleset { name: Cow::Owned(text.to_owned()), axes, basis: RulesBasis::Named });
    }
    let normal = normalise(text);
    if normal == ANCIENT_TERRITORY.0 {
        let axes = katago_text(ANCIENT_TERRITORY.1)?;
        return Some(Ruleset { name: Cow::Borrowed("ancient-territory"), axes, basis: RulesBasis::Named });
    }
    let named = NAMES.iter().find(|(_, names)| names.contains(&normal.as_str())).map(|(preset, _)| *preset);
    let name = named.unwrap_or(text);
    let preset = meant.iter().find(|(stated, _)| *stated == name).map_or(name, |(_, meant)| meant);
    Preset::find(preset).map(Preset::ruleset)
}

/// Small letters without spaces, `-`, `_`, `/`, `.` and a trailing word for "rules", up to the first comma.
fn normalise(text: &str) -> String {
    let lower = text.split([',', '，']).next().unwrap_or("").to_lowercase();
    let plain: String = lower.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '/' | '.')).collect();
    let endings = ["rules", "ruleset", "rule", "规则", "規則", "ルール"];
    endings.iter().find_map(|ending| plain.strip_suffix(ending)).unwrap_or(&plain).to_owned()
}

/// KataGo's string of fields without separators.
fn katago_text(text: &str) -> Option<Axes> {
    let mut rest = text.strip_prefix("ko").filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))?;
    let mut axes = KATAGO;
    axes.repetition = katago_ko(take(&mut rest, &["SIMPLE", "POSITIONAL", "SITUATIONAL"])?)?;
    let mut tax = "NONE";
    let mut score = "AREA";
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("score") {
            rest = after;
            score = take(&mut rest, &["AREA", "TERRITORY"])?;
        } else if let Some(after) = rest.strip_prefix("tax") {
            rest = after;
            tax = take(&mut rest, &["NONE", "SEKI", "ALL"])?;
        } else if let Some(after) = rest.strip_prefix("sui") {
            rest = after;
            axes.suicide = katago_suicide(take(&mut rest, &["0", "1"])? == "1");
        } else if let Some(after) = rest.strip_prefix("button") {
            rest = after;
            axes.button = katago_button(take(&mut rest, &["0", "1"])? == "1");
        } else if let Some(after) = rest.strip_prefix("whb") {
            rest = after;
            axes.handicap_bonus = katago_bonus(take(&mut rest, &["0", "N-1", "N"])?)?;
        } else {
            let after = rest.strip_prefix("fpok")?;
            rest = after;
            take(&mut rest, &["0", "1"])?;
        }
    }
    katago_count(axes, score, tax)
}

fn take<'a>(rest: &mut &'a str, words: &[&'a str]) -> Option<&'a str> {
    let word = words.iter().find(|word| rest.starts_with(**word))?;
    *rest = &rest[word.len()..];
    Some(word)
}

/// KataGo's JSON object of fields.
fn katago_json(text: &str) -> Option<Axes> {
    if !text.starts_with('{') {
        return None;
    }
    let fields: Value = serde_json::from_str(text).ok()?;
    let word = |name: &str| fields.get(name).and_then(Value::as_str);
    let flag = |name: &str| fields.get(name).and_then(Value::as_bool).unwrap_or(false);
    let mut axes = Axes { repetition: katago_ko(word("ko")?)?, ..KATAGO };
    axes.suicide = katago_suicide(flag("suicide"));
    axes.button = katago_button(flag("hasButton"));
    axes.handicap_bonus = katago_bonus(word("whiteHandicapBonus").unwrap_or("0"))?;
    katago_count(axes, word("score").or(word("scoring"))?, word("tax").unwrap_or("NONE"))
}

/// What KataGo's fields leave open.
const KATAGO: Axes = Axes { repetition: RepetitionRule::Ko, long_cycle: LongCycle::NoResult, ..AREA };

fn katago_ko(word: &str) -> Option<RepetitionRule> {
    match word {
        "SIMPLE" => Some(RepetitionRule::Ko),
        "POSITIONAL" => Some(RepetitionRule::Psk),
        "SITUATIONAL" => Some(RepetitionRule::Ssk),
        _ => None,
    }
}

fn katago_suicide(allowed: bool) -> Suicide {
    if allowed { Suicide::MultiStone } else { Suicide::Forbid }
}

fn katago_button(has_button: bool) -> Button {
    if has_button { Button::HalfPoint } else { Button::None }
}

fn katago_bonus(word: &str) -> Option<HandicapBonus> {
    HandicapBonus::NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, bonus)| *bonus)
}

fn katago_count(mut axes: Axes, score: &str, tax: &str) -> Option<Axes> {
    // KataGo plays territory out, so that points to fill are filled; with area they are stones in the end.
    axes.territory = match (tax, score) {
        ("NONE", _) => TerritoryReading::EveryRegion,
        (_, "TERRITORY") => TerritoryReading::Goscorer,
        _ => TerritoryReading::NoSeki,
    };
    (axes.scoring, axes.komi_even) = match (score, tax) {
        ("AREA", "NONE" | "SEKI") => (Scoring::Area, HalfPoints(15)),
        ("AREA", "ALL") => (Scoring::GroupTax, HalfPoints(15)),
        ("TERRITORY", "NONE" | "SEKI") => (Scoring::Territory, HalfPoints(13)),
        ("TERRITORY", "ALL") => (Scoring::TerritoryTax, HalfPoints(13)),
        _ => return None,
    };
    if axes.repetition != RepetitionRule::Ko {
        axes.long_cycle = LongCycle::Forbidden;
    }
    Some(axes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str, meant: &[(&str, &'static str)]) -> Option<String> {
        stated(text, meant).map(|ruleset| ruleset.name.into_owned())
    }

    #[test]
    fn names_are_known_in_all_their_spellings() {
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
    fn servers_may_mean_another_preset_by_a_name_or_by_none() {
        let meant = [("chinese", "chinese-psk"), ("", "igs")];
        assert_eq!(name("中国规则", &meant).as_deref(), Some("chinese-psk"));
        assert_eq!(name(" ", &meant).as_deref(), Some("igs"));
        assert_eq!(name("Japanese", &meant).as_deref(), Some("japanese"));
        assert_eq!(name("Custom", &meant), None);
    }

    #[test]
    fn katago_strings_and_objects_say_the_same() {
        let text = stated("koSITUATIONALscoreTERRITORYtaxSEKIsui1button1whbN-1", &[]).unwrap().axes;
        let json = r#"{"ko":"SITUATIONAL","score":"TERRITORY","tax":"SEKI","suicide":true,"hasButton":true,"whiteHandicapBonus":"N-1"}"#;
        assert_eq!(text, stated(json, &[]).unwrap().axes);
        assert_eq!(
            (text.repetition, text.suicide, text.territory),
            (RepetitionRule::Ssk, Suicide::MultiStone, TerritoryReading::Goscorer)
        );
        assert_eq!((text.button, text.handicap_bonus), (Button::HalfPoint, HandicapBonus::NMinusOne));
        assert!(stated("koSIMPLEscoreTERRITORYtaxSOMEsui0", &[]).is_none());
    }

    #[test]
    fn katago_names_of_ancient_rules_are_known() {
        assert_eq!(name("ancient-area", &[]).as_deref(), Some("stone"));
        let territory = stated("Ancient territory rules", &[]).unwrap();
        assert_eq!(territory.name, "ancient-territory");
        assert_eq!(territory.axes, stated("koSIMPLEscoreTERRITORYtaxALLsui0", &[]).unwrap().axes);
        assert_eq!((territory.axes.scoring, territory.axes.komi_even), (Scoring::TerritoryTax, HalfPoints(13)));
    }
}
