//! `jigo config`: the configuration and its sources.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;

use crate::args::{ConfigArgs, examples};
use jigo_run::config::expectation_presets::ExpectationPreset;
use jigo_run::config::option_value::Typed;
use jigo_run::config::options::TOML_KEYS;
use jigo_run::config::toml_entries::{FileOptions, LIMITS, NAME_LISTS};
use jigo_run::config::values::DEFAULT_RULESETS;
use jigo_run::config::{ConfigFile, ExpectationEntry, option_texts};
use jigo_run::process::Exit;

/// Print the defaults of options and the expectations, with the line of jigo.toml that sets each
///
/// The output is a valid jigo.toml.
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo config" "the configuration for this folder"
    "jigo config --print training > training.toml" "the expectations of jigo extract --preset training, to change them"
))]
pub struct ConfigCommandArgs {
    /// Print the expectations of this preset instead
    #[arg(long, value_name = "PRESET")]
    pub print: Option<Typed<&'static ExpectationPreset>>,
    /// The options for the configuration file.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// Prints the configuration, or a preset.
///
/// # Errors
/// Fails if standard output can't be written.
pub fn config(args: &ConfigCommandArgs) -> Result<Exit> {
    let text = match (&args.print, args.config.file()) {
        (Some(preset), _) => preset.text.to_owned(),
        (None, Some(file)) => format!("# {}\n\n{}", file.name(), effective_text(&file)),
        (None, None) => format!("# There is no jigo.toml.\n\n{}", effective_text(&ConfigFile::default())),
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Clean)
}

/// Returns all options with their values and sources, and the expectations.
fn effective_text(file: &ConfigFile) -> String {
    let mut text = String::new();
    let defaults = option_texts::defaults::<FileOptions>();
    for key in TOML_KEYS {
        let set = file.defaults().iter().find(|default| default.key == key);
        let default = defaults.iter().find(|(name, _)| name == key).and_then(|(_, default)| default.as_deref());
        text += &match (set, default) {
            (Some(set), _) => with_comment(&assignment(key, &set.value), &format!("line {}", set.line)),
            (None, Some(default)) => with_comment(&assignment(key, default), "default"),
            (None, None) => with_comment(&format!("# {key}"), &format!("default: {}", default_note(key))),
        };
    }
    text.extend(file.expectation_entries().iter().map(expectation_text));
    text
}

/// Returns the meaning of an option without a value.
fn default_note(key: &str) -> String {
    match key {
        "rules" => format!("turns: recorded; endings: {DEFAULT_RULESETS}"),
        "select" => "all findings".into(),
        LIMITS => "see jigo help limits".into(),
        _ => "none".into(),
    }
}

/// Returns a key with its value.
fn assignment(key: &str, value: &str) -> String {
    match key {
        key if NAME_LISTS.contains(&key) => format!("{key} = {{ aliases = {} }}", quoted(value)),
        _ => format!("{key} = {}", quoted(value)),
    }
}

fn expectation_text(entry: &ExpectationEntry) -> String {
    let mut text = format!("\n{}", with_comment("[[expect]]", &format!("line {}", entry.line)));
    let expectation = &entry.expectation;
    let fields = [
        ("name", Some(&*expectation.name)),
        ("when", entry.when.as_deref()),
        ("that", Some(entry.that.as_str())),
        ("severity", Some(expectation.severity.name())),
    ];
    for (key, value) in fields {
        text.extend(value.map(|value| format!("{key} = {}\n", quoted(value))));
    }
    text
}

/// Returns a line with a comment.
fn with_comment(line: &str, comment: &str) -> String {
    format!("{line:<32} # {comment}\n")
}

/// Returns a text as a string of TOML.
fn quoted(text: &str) -> String {
    if !text.contains(['"', '\\']) && !text.contains(char::is_control) {
        return format!("\"{text}\"");
    }
    if !text.contains('\'') && !text.contains(char::is_control) {
        return format!("'{text}'");
    }
    let escaped: String = text.chars().map(escaped).collect();
    format!("\"{escaped}\"")
}

/// Returns a character as it is written in a basic string of TOML.
fn escaped(c: char) -> String {
    match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_configuration_is_the_same_configuration() {
        let text = "komi = 6.5\nselect = ['K', 'H001']\nmax = { nodes = 7 }\nplayers.aliases = 'p.csv'\n[[expect]]\nname = \"a \\\"b\\\" 'c' \\\\\"\n\
                    when = \"\"\"event ~ 'x'\n and black ~ \"y\" \"\"\"\nthat = 'komi = 6.5'\nseverity = 'info'\n";
        let file = ConfigFile::parse("first", text).unwrap();
        let printed = effective_text(&file);
        let again = ConfigFile::parse("printed", &printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
        assert_eq!(again.json()["expect"], file.json()["expect"]);
        for (name, value) in file.json()["options"].as_object().unwrap() {
            assert_eq!(again.json()["options"][name], *value, "{name}");
        }
    }
}
