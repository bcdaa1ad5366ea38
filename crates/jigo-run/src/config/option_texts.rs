//! Options as texts: read from keyword arguments and `jigo.toml`, written into commands to paste
//! and into the identity of a run.

use anyhow::{Result, anyhow, ensure};
use indexmap::IndexMap;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::config::options::{CONFLICTS, REQUIREMENTS};
use crate::process::{quoted, shell_word};
use jigo_rules::suggestions::{similar_words, suggestion};

/// An option: its name without `--`, and the text of its value. `None` sets a flag.
pub type Argument = (String, Option<String>);

/// Structures of options.
pub trait Options: Default + Serialize + DeserializeOwned {}

impl<T: Default + Serialize + DeserializeOwned> Options for T {}

/// Returns the names and serialized values of options, in the order of their declarations.
fn entries(options: &impl Serialize) -> IndexMap<String, Value> {
    // Texts, numbers and paths have a form in JSON, and names are texts.
    let json = serde_json::to_string(options).unwrap_or_default();
    serde_json::from_str(&json).unwrap_or_default()
}

/// Returns the names of options with the texts of their defaults. `None` if an option has no
/// default, or if it is a flag.
pub fn defaults<T: Options>() -> Vec<(String, Option<String>)> {
    let text = |value: Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    entries(&T::default()).into_iter().map(|(name, value)| (name, text(value))).collect()
}

/// Checks the value of one option.
///
/// # Errors
/// Returns a sentence with the possible values.
pub fn check<T: Options>((name, text): &Argument) -> Result<(), String> {
    serde_json::from_value::<T>(Value::Object(Map::from_iter([entry(name, text)])))
        .map(drop)
        .map_err(|error| error.to_string())
}

fn entry(name: &str, text: &Option<String>) -> (String, Value) {
    (name.to_owned(), text.clone().map_or(Value::Bool(true), Value::String))
}

/// Reads options. The last value of an option applies.
///
/// # Errors
/// Fails if an option is unknown or its value is invalid, and if options contradict each other.
pub fn read<T: Options>(arguments: &[Argument]) -> Result<T> {
    let known = defaults::<T>();
    for argument in arguments {
        let (name, _) = argument;
        let names = || known.iter().map(|(name, _)| name.as_str());
        ensure!(
            names().any(|known_name| known_name == name),
            "there is no option '{name}' for rows{}; options for files and terminals are for the command",
            suggestion(&similar_words(name, names()))
        );
        check::<T>(argument).map_err(|reason| anyhow!("--{name}: {reason}"))?;
    }
    Ok(serde_json::from_value(Value::Object(arguments.iter().map(|(name, text)| entry(name, text)).collect()))?)
}

/// Checks options that need or exclude others.
///
/// # Errors
/// Names both options.
pub fn check_relations(arguments: &[Argument]) -> Result<()> {
    let has = |name: &str| arguments.iter().any(|(argument, _)| argument == name);
    for (option, others) in CONFLICTS.iter().filter(|(option, _)| has(option)) {
        let other = others.iter().find(|other| has(other));
        ensure!(other.is_none(), "--{option} cannot be used with --{}", other.unwrap_or(&""));
    }
    for (option, needed) in REQUIREMENTS {
        ensure!(!has(option) || has(needed), "--{option} needs --{needed}");
    }
    Ok(())
}

/// Returns the options that differ from their defaults, as words of a command line: `--komi 6.5`.
/// Returns `None` if a path is not Unicode, because a page can't contain it.
pub fn changed_words<T: Options>(options: &T) -> Option<Vec<String>> {
    let defaults = entries(&T::default());
    let changed = entries(options).into_iter().zip(defaults).filter(|(value, default)| value != default);
    let mut words = Vec::new();
    for ((name, value), _) in changed {
        match &value {
            // Only text with a NUL can't be quoted, and no argument contains one.
            Value::String(text) => words.extend(shell_word(text).map(|text| format!("--{name} {text}"))),
            Value::Array(values) => {
                words.extend(values.iter().filter_map(Value::as_str).map(|text| format!("--{name} {text}")))
            }
            Value::Object(_) => words.push(format!("--{name} {}", quoted(value["path"].as_str()?)?)),
            _ => words.push(format!("--{name}")),
        }
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::options::{
        CheckOptions, CountOptions, DuplicatesOptions, FindOptions, InputOptions, NormalizeOptions, RunOptions,
        ScoreOptions, TOML_KEYS,
    };

    fn argument(name: &str, text: &str) -> Argument {
        (name.into(), Some(text.into()))
    }

    #[test]
    fn defaults_are_valid() {
        fn check_all<T: Options>() {
            for (name, text) in defaults::<T>() {
                assert_eq!(text.map_or(Ok(()), |text| check::<T>(&argument(&name, &text))), Ok(()), "{name}");
            }
            assert_eq!(changed_words(&T::default()), Some(Vec::new()));
        }
        check_all::<InputOptions>();
        check_all::<RunOptions>();
        check_all::<CountOptions>();
        check_all::<CheckOptions>();
        check_all::<ScoreOptions>();
        check_all::<DuplicatesOptions>();
        check_all::<FindOptions>();
        check_all::<NormalizeOptions>();
    }

    #[test]
    fn options_of_the_tables_exist() {
        let of_command = ["dead-stones", "seki", "position", "turn", "config", "no-config"];
        let known: Vec<String> = [
            defaults::<InputOptions>(),
            defaults::<RunOptions>(),
            defaults::<CountOptions>(),
            defaults::<CheckOptions>(),
            defaults::<ScoreOptions>(),
            defaults::<FindOptions>(),
            defaults::<NormalizeOptions>(),
        ]
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
        .collect();
        let related = CONFLICTS.iter().flat_map(|(option, others)| others.iter().chain([option]));
        let required = REQUIREMENTS.iter().flat_map(|(option, needed)| [option, needed]);
        for name in related.chain(required).chain(&TOML_KEYS) {
            assert!(known.iter().any(|known| known == name) || of_command.contains(name), "{name}");
        }
    }

    #[test]
    fn changed_options_are_words_to_paste() {
        let arguments = [
            argument("where", "size = 19"),
            argument("select", "K,P004"),
            argument("severity", "info"),
            argument("sample", "5"),
            argument("players", "-list.csv"),
            ("quiet".into(), None),
        ];
        let options: RunOptions = read(&arguments).unwrap();
        let expected = ["--players ./-list.csv", "--where 'size = 19'", "--select 'K,P004'", "--sample 5", "--quiet"];
        let words = changed_words(&options).unwrap();
        assert_eq!(words.iter().map(|word| word.replace('"', "'")).collect::<Vec<_>>(), expected);
        let input: InputOptions = read(&[argument("max", "nodes=50,property=2M")]).unwrap();
        assert_eq!(changed_words(&input).unwrap(), ["--max nodes=50", "--max property=2M"]);
    }

    #[test]
    fn wrong_options_are_named() {
        let error = |arguments: &[Argument]| {
            let read = read::<RunOptions>(arguments).and_then(|_| check_relations(arguments));
            read.unwrap_err().to_string()
        };
        assert!(error(&[argument("limt", "1")]).contains("'limt' for rows (did you mean limit?)"));
        assert_eq!(error(&[argument("limit", "0")]), "--limit: it takes a whole number, 1 or more");
        assert!(error(&[("limit".into(), None)]).starts_with("--limit: "));
        assert!(error(&[argument("quiet", "yes")]).starts_with("--quiet: "));
        assert_eq!(error(&[argument("seed", "1")]), "--seed needs --sample");
        assert_eq!(
            error(&[("exit-zero".into(), None), argument("fail-if", "error > 0")]),
            "--exit-zero cannot be used with --fail-if"
        );
    }
}
