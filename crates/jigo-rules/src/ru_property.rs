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

/// Converts a name to lower case, and removes spaces, `-`, `_`, `/`, `.`, a final word for "rules"
/// and everything after the first comma.
fn normalise(text: &str) -> String {
    let lower = text.split([',', '，']).next().unwrap_or("").to_lowercase();
    let compact: String = lower.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '/' | '.')).collect();
    let endings = ["rules", "ruleset", "rule", "规则", "規則", "ルール"];
    endings.iter().find_map(|ending| compact.strip_suffix(ending)).unwrap_or(&compact).to_owned()
}

/// Parses KataGo's rules string, which has fields without separators.
fn katago_text(text: &str) -> Option<Axes> {
    let mut rest = text.strip_prefix("ko").filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))?;
    let mut axes = KATAGO;
    axes.repetition = katago_ko(take_word(&mut rest, &["SIMPLE", "POSITIONAL", "SITUATIONAL"])?)?;
    let mut tax = "NONE";
    let mut score = "AREA";
    while !rest.is_empty() {
        if let Some(remaining) = rest.strip_prefix("score") {
            rest = remaining;
            score = take_word(&mut rest, &["AREA", "TERRITORY"])?;
        } else if let Some(remaining) = rest.strip_prefix("tax") {
            rest = remaining;
            tax = take_word(&mut rest, &["NONE", "SEKI", "ALL"])?;
        } else if let Some(remaining) = rest.strip_prefix("sui") {
            rest = remaining;
            axes.suicide = katago_suicide(take_word(&mut rest, &["0", "1"])? == "1");
        } else if let Some(remaining) = rest.strip_prefix("button") {
            rest = remaining;
            axes.button = katago_button(take_word(&mut rest, &["0", "1"])? == "1");
        } else if let Some(remaining) = rest.strip_prefix("whb") {
            rest = remaining;
            axes.handicap_bonus = katago_bonus(take_word(&mut rest, &["0", "N-1", "N"])?)?;
        } else {
            rest = rest.strip_prefix("fpok")?;
            axes.dead_stones = katago_dead_stones(take_word(&mut rest, &["0", "1"])? == "1");
        }
    }
    katago_count(axes, score, tax)
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
    let mut axes = Axes { repetition: katago_ko(word("ko")?)?, ..KATAGO };
    axes.suicide = katago_suicide(flag("suicide"));
    axes.button = katago_button(flag("hasButton"));
    axes.dead_stones = katago_dead_stones(flag("friendlyPassOk"));
    axes.handicap_bonus = katago_bonus(word("whiteHandicapBonus").unwrap_or("0"))?;
    katago_count(axes, word("score").or(word("scoring"))?, word("tax").unwrap_or("NONE"))
}

/// Axes that KataGo's fields do not determine, and its default of `friendlyPassOk`, false.
const KATAGO: Axes =
    Axes { repetition: RepetitionRule::Ko, long_cycle: LongCycle::NoResult, dead_stones: DeadStones::AsIs, ..AREA };

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

fn katago_dead_stones(is_friendly_pass: bool) -> DeadStones {
    if is_friendly_pass { DeadStones::Agreement } else { DeadStones::AsIs }
}

fn katago_button(has_button: bool) -> Button {
    if has_button { Button::HalfPoint } else { Button::None }
}

fn katago_bonus(word: &str) -> Option<HandicapBonus> {
    HandicapBonus::NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, bonus)| *bonus)
}

fn katago_count(mut axes: Axes, score: &str, tax: &str) -> Option<Axes> {
    // KataGo plays on until every point to fill is filled. Under territory scoring these points are
    // lost, under area scoring their stones count.
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
    if score == "TERRITORY" || tax != "NONE" {
        // Play goes on until the dead stones are captured, at no cost.
        axes.dead_stones = DeadStones::Agreement;
    }
    if axes.repetition != RepetitionRule::Ko {
        axes.long_cycle = LongCycle::Forbidden;
    }
    Some(axes)
}

#[cfg(test)]
mod tests {
    use super::*;

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
