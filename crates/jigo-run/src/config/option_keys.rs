//! The keys of `jigo.toml` that set the defaults of options: their table, and the texts of their
//! values.

use crate::config::limits::LimitSetting;
use crate::config::values::{self, NamedCodes, reported_codes};
use jigo_archive::named_value::NamedValue;
use jigo_score::{DeadSource, MIN_CONFIDENCE};

/// The form of a value in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// A text or a number.
    Single,
    /// A text with commas, or a list of texts.
    List,
    /// A table of limits, or a list of texts such as `nodes=5000`.
    Limits,
    /// A table with the key `aliases`: the path of a list of players, relative to the folder of the
    /// file.
    Players,
}

/// A key that sets the default of an option.
pub struct OptionKey {
    /// The name, which is that of the option without `--`.
    pub name: &'static str,
    /// The form of its value.
    pub form: ValueForm,
    /// The value without the key, as typed after the option; or a description in parentheses, if no
    /// text has the same meaning.
    pub default: fn() -> String,
    /// An option that replaces the key if it is on the command line, besides the option of the key.
    pub replaced_by: Option<&'static str>,
    check: fn(&str) -> Result<(), String>,
}

/// All keys.
pub static OPTION_KEYS: [OptionKey; 15] = [
    key(
        "rules",
        ValueForm::List,
        || format!("(turns: recorded; endings: {})", values::DEFAULT_RULESETS),
        |text| checked(values::rulesets(text)),
    ),
    key(
        "assume-rules",
        ValueForm::Single,
        || values::DEFAULT_ASSUMED_RULESET.into(),
        |text| checked(values::assumed_ruleset(text)),
    ),
    key("dialect", ValueForm::Single, || values::DEFAULT_DIALECT.into(), |text| checked(values::dialect(text))),
    key("on-illegal", ValueForm::Single, || values::DEFAULT_ON_ILLEGAL.into(), |text| named(values::ON_ILLEGAL, text)),
    key("variations", ValueForm::Single, || values::DEFAULT_VARIATIONS.into(), |text| named(values::VARIATIONS, text)),
    key("komi", ValueForm::Single, || values::DEFAULT_KOMI.into(), |text| checked(values::komi(text))),
    key("dead", ValueForm::List, || DeadSource::DEFAULT.map(DeadSource::name).join(","), dead),
    key("min-confidence", ValueForm::Single, || MIN_CONFIDENCE.to_string(), confidence),
    key(
        "select",
        ValueForm::List,
        || "(all findings)".into(),
        |text| checked(reported_codes(&NamedCodes::list(text), &[])),
    ),
    OptionKey {
        // Findings that a user selects on the command line are not ignored by the file.
        replaced_by: Some("select"),
        ..key(
            "ignore",
            ValueForm::List,
            || "(none)".into(),
            |text| checked(reported_codes(&[], &NamedCodes::list(text))),
        )
    },
    key("severity", ValueForm::Single, || values::DEFAULT_SEVERITY.into(), |text| named(values::SEVERITIES, text)),
    key("column", ValueForm::Single, || jigo_archive::source::RECORD_COLUMN.into(), |_| Ok(())),
    key("id-column", ValueForm::Single, || jigo_archive::source::ID_COLUMN.into(), |_| Ok(())),
    key("max", ValueForm::Limits, || "(see jigo help limits)".into(), limits),
    // The last key, since a table of its own ends the keys without a table.
    key("players", ValueForm::Players, || "(none)".into(), |_| Ok(())),
];

const fn key(
    name: &'static str,
    form: ValueForm,
    default: fn() -> String,
    check: fn(&str) -> Result<(), String>,
) -> OptionKey {
    OptionKey { name, form, default, replaced_by: None, check }
}

impl OptionKey {
    /// Returns the key with this name.
    pub fn find(name: &str) -> Option<&'static OptionKey> {
        OPTION_KEYS.iter().find(|key| key.name == name)
    }

    /// Checks a value, written as after the option.
    ///
    /// # Errors
    /// Returns a sentence with the possible values.
    pub fn check(&self, value: &str) -> Result<(), String> {
        if value.contains(char::is_control) {
            return Err("a value contains no control characters".into());
        }
        (self.check)(value).map_err(|reason| {
            // The messages of some options begin with the option.
            let option = format!("--{}", self.name);
            let rest = reason.strip_prefix(&option).map(|rest| rest.trim_start_matches(':').trim_start());
            rest.map_or_else(|| reason.clone(), str::to_owned)
        })
    }
}

impl std::fmt::Debug for OptionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A default of an option.
#[derive(Clone, Debug)]
pub struct OptionDefault {
    /// The key.
    pub key: &'static OptionKey,
    /// The valid value, written as after the option.
    pub value: String,
    /// The line in the file, from 1.
    pub line: usize,
}

fn checked<T>(result: anyhow::Result<T>) -> Result<(), String> {
    result.map(drop).map_err(|error| format!("{error:#}"))
}

fn named<T>(all: &'static [NamedValue<T>], text: &str) -> Result<(), String> {
    match all.iter().any(|value| value.name == text) {
        true => Ok(()),
        false => {
            let names: Vec<&str> = all.iter().map(|value| value.name).collect();
            Err(format!("it is one of {}, not '{text}'", names.join(", ")))
        }
    }
}

/// Checks the sources of dead stones. The file can't start an engine, so no engine is among them.
fn dead(text: &str) -> Result<(), String> {
    let sources = values::dead_sources(text).map_err(|error| format!("{error:#}"))?;
    match sources.contains(&DeadSource::Engine) {
        true => Err("engine needs --engine, which is for the command line: a file can't start a program".into()),
        false => Ok(()),
    }
}

fn confidence(text: &str) -> Result<(), String> {
    let confidence = text.parse::<f32>().ok().filter(|confidence| (0.0..=1.0).contains(confidence));
    confidence.map(drop).ok_or_else(|| format!("it is a number from 0 to 1, not '{text}'"))
}

fn limits(text: &str) -> Result<(), String> {
    text.split(',').try_for_each(|limit| LimitSetting::parse(limit, |_| true).map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_valid_value_or_a_description() {
        for key in &OPTION_KEYS {
            let default = (key.default)();
            assert!(default.starts_with('(') || key.check(&default).is_ok(), "{key:?}: {default}");
            assert!(OptionKey::find(key.name).is_some_and(|found| found.name == key.name));
        }
    }

    #[test]
    fn message_on_a_value_does_not_name_the_option_twice() {
        let message = |name: &str, value: &str| OptionKey::find(name).unwrap().check(value).unwrap_err();
        assert!(message("dialect", "kgss").starts_with("takes auto, none"), "{}", message("dialect", "kgss"));
        assert!(!message("rules", "agaa").contains("--"), "{}", message("rules", "agaa"));
        assert_eq!(message("severity", "erorr"), "it is one of error, warning, info, not 'erorr'");
        assert!(message("dead", "markup,engine").contains("can't start a program"));
        assert!(message("max", "nodes=x").contains("nodes"));
        assert!(message("ignore", "Q9").contains("no finding"));
    }
}
