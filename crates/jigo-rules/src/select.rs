//! Parsing of the `--rules` option into rulesets.

use std::borrow::Cow;
use std::str::FromStr;

use super::half_points::HalfPoints;
use super::presets::{PRESETS, Preset, TROMP_TAYLOR};
use super::ru_property::parse_ru;
use super::ruleset::{
    Axes, Button, DeadStones, HandicapBonus, LongCycle, RepetitionRule, RulesBasis, Ruleset, Scoring, Suicide,
    TerritoryReading,
};
use crate::suggestions::{nearest_words, similar_words, suggestion};

/// One ruleset selected by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The ruleset that each record names.
    Recorded,
    /// This ruleset, independent of the record.
    Fixed(Ruleset),
}

/// The reason why a text does not select rulesets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The name is not a preset.
    #[error("there is no ruleset '{name}'{}; {known}jigo rules lists all {}; recorded, all, KataGo strings and axes (repetition=psk) work", suggestion(.near), PRESETS.len())]
    Name {
        /// The unknown name.
        name: String,
        /// Similar names.
        near: Vec<&'static str>,
        /// If no name is similar, a part of the message that lists the nearest ones.
        known: String,
    },
    /// The axis does not exist.
    #[error("there is no axis '{name}'{}; the axes are {AXES}", suggestion(.near))]
    Axis {
        /// The unknown name.
        name: String,
        /// Similar names.
        near: Vec<&'static str>,
    },
    /// The axis does not have this value.
    #[error("{axis} can't be '{value}'{}; it takes {known}", suggestion(.near))]
    Value {
        /// The axis.
        axis: String,
        /// The unknown value.
        value: String,
        /// Similar values.
        near: Vec<&'static str>,
        /// All values.
        known: String,
    },
    /// `recorded`, `all` or a list, although one ruleset is required.
    #[error("'{0}' is not one ruleset")]
    NotOne(String),
    /// An axis follows a name for several rulesets.
    #[error(
        "'{axis}={value}' changes the ruleset before it, and '{name}' is not one; give it to one ruleset, as in nz,{axis}={value}, or put it first to change tromp-taylor"
    )]
    AxisOfSeveral {
        /// The axis.
        axis: String,
        /// Its value.
        value: String,
        /// `recorded` or `all`.
        name: &'static str,
    },
    /// The text is empty.
    #[error("no ruleset is named; try --rules japanese, or see jigo rules")]
    Empty,
}

/// The axes with an example each, for messages and help.
const AXES: &str = "repetition=psk, suicide=forbid, scoring=area, territory=no-seki, white-last=yes, button=half, komi=7.5, \
                        handicap-komi=0.5, bonus=n-1, long-cycle=draw, dead-stones=as-is";

/// Parses a comma-separated list of rulesets: presets, `recorded`, `all`, KataGo rules strings and
/// axes.
///
/// An axis changes the ruleset before it. Axes without a ruleset before them change tromp-taylor.
///
/// # Errors
/// [`RulesError`] names the mistake, similar names and the valid values.
pub fn select(text: &str) -> Result<Vec<Choice>, RulesError> {
    if text.trim_start().starts_with('{') {
        return parse_choice(text).map(|choice| vec![choice]);
    }
    let mut choices: Vec<Choice> = Vec::new();
    // The preceding word if no axis can follow it: `recorded` or `all`.
    let mut several = None;
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        if let Some((axis, value)) = part.split_once('=') {
            let (axis, value) = (axis.trim(), value.trim());
            if let Some(name) = several {
                return Err(RulesError::AxisOfSeveral { axis: axis.into(), value: value.into(), name });
            }
            modify(&mut choices, axis, value)?;
            continue;
        }
        several = ["recorded", "all"].into_iter().find(|name| part.eq_ignore_ascii_case(name));
        match several {
            Some("all") => choices.extend(PRESETS.iter().map(|preset| Choice::Fixed(preset.ruleset()))),
            _ => choices.push(parse_choice(part)?),
        }
    }
    if choices.is_empty() { Err(RulesError::Empty) } else { Ok(choices) }
}

/// Parses one ruleset: the name of a preset, a KataGo rules string, or axes that change a preset.
///
/// ```
/// use jigo_rules::{HalfPoints, Ruleset};
///
/// let nz: Ruleset = "nz".parse()?;
/// assert_eq!(nz.axes.komi_even, HalfPoints::from_points(7));
/// let ours: Ruleset = "aga,komi=0.5".parse()?;
/// assert_eq!((ours.name.as_ref(), ours.axes.komi_even), ("aga komi=0.5", HalfPoints(1)));
/// let error = "japanes".parse::<Ruleset>().unwrap_err();
/// assert!(error.to_string().contains("did you mean japanese"));
/// # Ok::<(), jigo_rules::RulesError>(())
/// ```
impl FromStr for Ruleset {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Ruleset, RulesError> {
        match select(text)?.as_slice() {
            [Choice::Fixed(ruleset)] => Ok(ruleset.clone()),
            _ => Err(RulesError::NotOne(text.to_owned())),
        }
    }
}

/// Parses `recorded`, the name of a preset or a KataGo rules string.
fn parse_choice(name: &str) -> Result<Choice, RulesError> {
    if name.eq_ignore_ascii_case("recorded") {
        return Ok(Choice::Recorded);
    }
    let words = || PRESETS.iter().map(|preset| preset.name).chain(["recorded", "all"]);
    Preset::find(&name.to_lowercase())
        .map(Preset::ruleset)
        .or_else(|| parse_ru(name, &[]))
        .map(Choice::Fixed)
        .ok_or_else(|| RulesError::Name {
            name: name.into(),
            known: match similar_words(name, words()).as_slice() {
                [] => format!("the nearest are {}; ", nearest_words(name, words()).join(", ")),
                _ => String::new(),
            },
            near: similar_words(name, words()),
        })
}

/// Changes an axis of the last choice, or of tromp-taylor if there is none.
fn modify(choices: &mut Vec<Choice>, axis: &str, value: &str) -> Result<(), RulesError> {
    if choices.is_empty() {
        choices.push(Choice::Fixed(Ruleset { name: Cow::Borrowed(""), axes: TROMP_TAYLOR, basis: RulesBasis::Text }));
    }
    if let Some(Choice::Fixed(ruleset)) = choices.last_mut() {
        let before = ruleset.axes;
        set_axis(&mut ruleset.axes, axis, value)?;
        // `scoring` and `komi` imply values of other axes, but not in place of given ones.
        let is_given = |axis: &str| ruleset.name.to_lowercase().replace('_', "-").contains(&format!("{axis}="));
        if !axis.eq_ignore_ascii_case("white-last") && is_given("white-last") {
            ruleset.axes.white_last = before.white_last;
        }
        if axis.eq_ignore_ascii_case("komi") && is_given("handicap-komi") {
            ruleset.axes.komi_handicap = before.komi_handicap;
        }
        if matches!(axis.to_lowercase().as_str(), "territory" | "seki") {
            ruleset.basis = RulesBasis::Explicit;
        }
        ruleset.name = Cow::Owned(format!("{} {axis}={value}", ruleset.name).trim_start().to_owned());
    }
    Ok(())
}

fn set_axis(axes: &mut Axes, axis: &str, value: &str) -> Result<(), RulesError> {
    const YES_NO: [(&str, bool); 2] = [("yes", true), ("no", false)];
    // Former name of the axis `territory`, from the time when it had two values.
    const SEKI: [(&str, TerritoryReading); 2] =
        [("counted", TerritoryReading::EveryRegion), ("not-counted", TerritoryReading::Goscorer)];
    match axis.to_lowercase().replace('_', "-").as_str() {
        "repetition" => axes.repetition = parse_value(axis, value, &RepetitionRule::NAMES)?,
        "suicide" => axes.suicide = parse_value(axis, value, &Suicide::NAMES)?,
        "scoring" => {
            axes.scoring = parse_value(axis, value, &Scoring::NAMES)?;
            axes.white_last |= axes.scoring == Scoring::PassStones;
        }
        "territory" => axes.territory = parse_value(axis, value, &TerritoryReading::NAMES)?,
        "seki" => axes.territory = parse_value(axis, value, &SEKI)?,
        "white-last" => axes.white_last = parse_value(axis, value, &YES_NO)?,
        "button" => axes.button = parse_value(axis, value, &Button::NAMES)?,
        "bonus" => axes.handicap_bonus = parse_value(axis, value, &HandicapBonus::NAMES)?,
        "dead-stones" => axes.dead_stones = parse_value(axis, value, &DeadStones::NAMES)?,
        "long-cycle" => axes.long_cycle = parse_value(axis, value, &LongCycle::NAMES)?,
        "komi" => {
            (axes.komi_even, axes.komi_handicap) = (parse_half_points(axis, value)?, parse_half_points(axis, value)?)
        }
        "handicap-komi" => axes.komi_handicap = parse_half_points(axis, value)?,
        other => {
            let names = AXES.split(", ").map(|example| example.split('=').next().unwrap_or(example));
            return Err(RulesError::Axis { name: axis.into(), near: similar_words(other, names) });
        }
    }
    Ok(())
}

fn parse_value<T: Copy>(axis: &str, value: &str, names: &[(&'static str, T)]) -> Result<T, RulesError> {
    let lower = value.to_lowercase().replace('_', "-");
    names.iter().find(|(name, _)| *name == lower).map(|(_, meaning)| *meaning).ok_or_else(|| RulesError::Value {
        axis: axis.into(),
        value: value.into(),
        near: similar_words(value, names.iter().map(|(name, _)| *name)),
        known: names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
    })
}

fn parse_half_points(axis: &str, value: &str) -> Result<HalfPoints, RulesError> {
    HalfPoints::parse(value).map_err(|error| RulesError::Value {
        axis: axis.into(),
        value: value.into(),
        near: Vec::new(),
        known: format!("a number in half points: this one {error}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let choices = select(text).unwrap();
        choices
            .into_iter()
            .map(|choice| match choice {
                Choice::Recorded => "recorded".into(),
                Choice::Fixed(ruleset) => ruleset.name.into_owned(),
            })
            .collect()
    }

    #[test]
    fn lists_axes_and_all_are_understood() {
        assert_eq!(names("japanese, Chinese,recorded"), ["japanese", "chinese", "recorded"]);
        assert_eq!(names("all").len(), PRESETS.len());
        assert_eq!(names("repetition=psk,suicide=forbid"), ["repetition=psk suicide=forbid"]);
        assert_eq!(names("nz,aga,komi=7"), ["nz", "aga komi=7"]);
        assert_eq!(names("koSIMPLEscoreAREAtaxNONEsui0"), ["koSIMPLEscoreAREAtaxNONEsui0"]);
    }

    #[test]
    fn axes_change_only_the_named_rules() {
        let Choice::Fixed(ruleset) =
            select("repetition=nssk,suicide=any,scoring=pass-stones,komi=7").unwrap().remove(0)
        else {
            panic!("axes make a fixed ruleset");
        };
        let base = Preset::find("tromp-taylor").unwrap().axes;
        let expected = Axes {
            repetition: RepetitionRule::Nssk,
            scoring: Scoring::PassStones,
            white_last: true,
            komi_even: HalfPoints(14),
            komi_handicap: HalfPoints(14),
            ..base
        };
        assert_eq!(ruleset.axes, expected);
    }

    #[test]
    fn order_of_axes_changes_nothing() {
        let axes = |text: &str| match select(text).unwrap().remove(0) {
            Choice::Fixed(ruleset) => ruleset.axes,
            Choice::Recorded => panic!("{text}"),
        };
        for [first, second] in [["white-last=no", "scoring=pass-stones"], ["handicap_komi=0.5", "komi=6.5"]] {
            assert_eq!(axes(&format!("nz,{first},{second}")), axes(&format!("nz,{second},{first}")));
        }
        assert_eq!(axes("nz,handicap-komi=0.5,komi=6.5").komi_handicap, HalfPoints(1));
    }

    #[test]
    fn misspelt_rules_list_suggestions_and_choices() {
        let error = |text: &str| select(text).unwrap_err().to_string();
        assert!(error("japanes").contains("did you mean japanese"), "{}", error("japanes"));
        assert!(error("japanes").contains("repetition=psk"));
        for several in ["recorded,komi=5", "nz,all,komi=5,suicide=any"] {
            assert!(error(several).contains("give it to one ruleset, as in nz,komi=5"), "{}", error(several));
        }
        assert_eq!(names("komi=5,recorded,nz,komi=6"), ["komi=5", "recorded", "nz komi=6"]);
        assert!(error("repitition=psk").contains("did you mean repetition"));
        assert!(error("suicide=forbidden").contains("did you mean forbid"));
        assert!(error("komi=6.4").contains("0.5"));
        assert_eq!(select(" , "), Err(RulesError::Empty));
    }
}
