//! The entries of `jigo.toml`. Errors name the file, the line and the key.

use std::fmt::Display;
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use anyhow::{Context, Error, Result, anyhow};
use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::option_texts;
use crate::config::option_value::OptionValue;
use crate::config::options::{
    CheckOptions, CountOptions, InputOptions, NormalizeOptions, REPLACEMENTS, RunOptions, TOML_KEYS,
};
use jigo_archive::pipeline::filter::{AnalysisStep, Filter};
use jigo_archive::pipeline::{Expectation, MAX_EXPECTATIONS};
use jigo_record::finding::Severity;
use jigo_rules::suggestions::{nearest_words, similar_words, suggestion};

/// The key of the expectations.
const EXPECT: &str = "expect";
/// The keys of an expectation.
const EXPECTATION_KEYS: [&str; 4] = ["name", "when", "that", "severity"];
/// The tables with names, and their key: the path of a list, relative to the folder of the file.
pub const NAME_LISTS: [&str; 3] = ["players", "events", "places"];
const ALIASES: &str = "aliases";
/// The option whose values add up, and whose value may be a table of limits.
pub const LIMITS: &str = "max";
/// The maximum length of an expectation's name in characters.
const MAX_NAME_LENGTH: usize = 100;

/// The options that a file can set.
#[derive(Default, Serialize, Deserialize)]
pub struct FileOptions {
    #[serde(flatten)]
    input: InputOptions,
    #[serde(flatten)]
    run: RunOptions,
    #[serde(flatten)]
    count: CountOptions,
    #[serde(flatten)]
    check: CheckOptions,
    #[serde(flatten)]
    normalize: NormalizeOptions,
}

/// A default of an option.
#[derive(Clone, Debug)]
pub struct OptionDefault {
    /// The name of the option without `--`.
    pub key: &'static str,
    /// The valid value, written as after the option.
    pub value: String,
    /// The line in the file, from 1.
    pub line: usize,
}

impl OptionDefault {
    /// Returns true if one of the given options replaces this default, besides the option itself.
    pub fn is_replaced(&self, is_given: impl Fn(&str) -> bool) -> bool {
        REPLACEMENTS.iter().any(|(key, option)| *key == self.key && is_given(option))
    }
}

/// An expectation as written in the file.
#[derive(Clone, Debug)]
pub struct ExpectationEntry {
    /// The expectation.
    pub expectation: Expectation,
    /// The text of `when`.
    pub when: Option<String>,
    /// The text of `that`.
    pub that: String,
    /// The line in the file, from 1.
    pub line: usize,
}

/// The entries of a file, in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct TomlEntries {
    pub(super) defaults: Vec<OptionDefault>,
    pub(super) expectations: Vec<ExpectationEntry>,
}

/// The text of a file with its name.
struct TomlText<'a> {
    name: &'a str,
    text: &'a str,
}

/// A key and its value with their places in the text.
type Entry<'a> = (&'a Spanned<std::borrow::Cow<'a, str>>, &'a Spanned<DeValue<'a>>);

/// The stack of the thread that parses a file, in bytes. Nested tables are dropped recursively, and
/// a small file can nest thousands of them by dotted keys in inline tables.
const STACK_BYTES: usize = 16 << 20;

/// Parses the text of a file with this name.
pub(super) fn parse(name: &str, text: &str) -> Result<TomlEntries> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("configuration".into()).stack_size(STACK_BYTES);
        let parser = builder.spawn_scoped(scope, || parse_entries(name, text)).context("cannot start a thread")?;
        parser.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Parses the text of a file on this thread.
fn parse_entries(name: &str, text: &str) -> Result<TomlEntries> {
    let toml = TomlText { name, text };
    let table = DeTable::parse(text).map_err(|error| toml.error(error.span().unwrap_or_default(), error.message()))?;
    let mut entries = TomlEntries::default();
    for (key, value) in sorted(table.get_ref()) {
        let name: &str = key.get_ref();
        match TOML_KEYS.iter().find(|key| **key == name) {
            Some(option) => entries.defaults.push(toml.option_default(option, value)?),
            None if name == EXPECT => entries.expectations = toml.expectations(value)?,
            None => return Err(toml.unknown_key(key, TOML_KEYS.into_iter().chain([EXPECT]).collect())),
        }
    }
    Ok(entries)
}

/// Returns the entries of a table in the order of the text.
fn sorted<'a>(table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'a>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

impl TomlText<'_> {
    /// Returns the line of a place in the text, from 1.
    fn line(&self, span: &Range<usize>) -> usize {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    }

    fn error(&self, span: Range<usize>, message: impl Display) -> Error {
        anyhow!("{}:{}: {message}", self.name, self.line(&span))
    }

    fn unknown_key(&self, key: &Spanned<impl AsRef<str>>, known: Vec<&str>) -> Error {
        let name = key.get_ref().as_ref();
        let similar = match similar_words(name, known.iter().copied()) {
            similar if similar.is_empty() => nearest_words(name, known.iter().copied()).into_iter().take(1).collect(),
            similar => similar,
        };
        let shown: String = name.chars().take(60).map(|c| if c.is_control() { '·' } else { c }).collect();
        self.error(
            key.span(),
            format!("there is no key '{shown}'{}; there are {}", suggestion(&similar), known.join(", ")),
        )
    }

    fn option_default(&self, key: &'static str, value: &Spanned<DeValue<'_>>) -> Result<OptionDefault> {
        let text = match value.get_ref() {
            DeValue::Table(table) if NAME_LISTS.contains(&key) => self.name_list(key, table, value.span())?,
            DeValue::Table(table) if key == LIMITS => {
                let limits = sorted(table).into_iter().map(|(name, value)| -> Result<String> {
                    let text = scalar(value.get_ref());
                    let text = text
                        .ok_or_else(|| self.error(value.span(), "max: a limit is a number or a text such as '16M'"));
                    Ok(format!("{}={}", name.get_ref(), text?))
                });
                limits.collect::<Result<Vec<String>>>()?.join(",")
            }
            _ if NAME_LISTS.contains(&key) => {
                let message = format!("{key}: the value is a table; write {{ aliases = '{key}.csv' }}");
                return Err(self.error(value.span(), message));
            }
            DeValue::Array(values) => {
                let texts: Option<Vec<String>> = values.iter().map(|value| scalar(value.get_ref())).collect();
                texts.ok_or_else(|| self.error(value.span(), format!("{key}: the list contains only texts")))?.join(",")
            }
            other => scalar(other).ok_or_else(|| {
                self.error(value.span(), format!("{key}: the value is a text, a number or a list of texts"))
            })?,
        };
        let value_error = |reason: &str| self.error(value.span(), format!("{key}: {reason}"));
        if text.contains(char::is_control) {
            return Err(value_error("a value contains no control characters"));
        }
        if key == "dead" && text.split(',').any(|source| source.trim() == "engine") {
            return Err(value_error(
                "engine needs --engine, which is for the command line: a file can't start a program",
            ));
        }
        option_texts::check::<FileOptions>(&(key.into(), Some(text.clone()))).map_err(|reason| value_error(&reason))?;
        Ok(OptionDefault { key, value: text, line: self.line(&value.span()) })
    }

    /// Returns the path of a list of names.
    fn name_list(&self, key: &str, table: &DeTable<'_>, span: Range<usize>) -> Result<String> {
        if let Some((key, _)) = sorted(table).into_iter().find(|(key, _)| key.get_ref() != ALIASES) {
            return Err(self.unknown_key(key, vec![ALIASES]));
        }
        match table.get(ALIASES).map(Spanned::get_ref) {
            Some(DeValue::String(path)) if !path.is_empty() => Ok(path.to_string()),
            _ => {
                Err(self.error(span, format!("{key}: aliases is the path of a CSV file with the columns id and name")))
            }
        }
    }

    fn expectations(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<ExpectationEntry>> {
        const FORM: &str = "expect: write each expectation below a line [[expect]]";
        let DeValue::Array(array) = value.get_ref() else { return Err(self.error(value.span(), FORM)) };
        let mut entries: Vec<ExpectationEntry> = Vec::new();
        for value in array.iter() {
            let DeValue::Table(table) = value.get_ref() else { return Err(self.error(value.span(), FORM)) };
            let entry = self.expectation(table, value.span())?;
            let name = &entry.expectation.name;
            if let Some(other) = entries.iter().find(|other| other.expectation.name == *name) {
                let message = format!("name: the expectation in line {} is called '{name}' as well", other.line);
                return Err(self.error(value.span(), message));
            }
            if entries.len() == MAX_EXPECTATIONS {
                return Err(self.error(value.span(), format!("there are more than {MAX_EXPECTATIONS} expectations")));
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    fn expectation(&self, table: &DeTable<'_>, span: Range<usize>) -> Result<ExpectationEntry> {
        let (mut name, mut when, mut that, mut severity) = (None, None, None, Severity::Error);
        for (key, value) in sorted(table) {
            let text = || -> Result<&str> {
                match value.get_ref() {
                    DeValue::String(text) => Ok(&**text),
                    _ => Err(self.error(value.span(), format!("{}: the value is a text in quotes", key.get_ref()))),
                }
            };
            match &**key.get_ref() {
                "name" => name = Some(self.expectation_name(text()?, value.span())?),
                "when" => when = Some((text()?.to_owned(), self.filter("when", text()?, value.span())?)),
                "that" => that = Some((text()?.to_owned(), self.filter("that", text()?, value.span())?)),
                "severity" => severity = self.severity(text()?, value.span())?,
                _ => return Err(self.unknown_key(key, EXPECTATION_KEYS.into())),
            }
        }
        let missing = |key: &str| self.error(span.clone(), format!("{key}: the expectation has no such key"));
        let (that_text, that) = that.ok_or_else(|| missing("that"))?;
        let (when_text, when) = when.unzip();
        let expectation = Expectation { name: name.ok_or_else(|| missing("name"))?.into(), when, that, severity };
        Ok(ExpectationEntry { expectation, when: when_text, that: that_text, line: self.line(&span) })
    }

    fn expectation_name(&self, name: &str, span: Range<usize>) -> Result<String> {
        let is_name = !name.trim().is_empty() && name.chars().count() <= MAX_NAME_LENGTH;
        if is_name && !name.contains(char::is_control) {
            return Ok(name.to_owned());
        }
        let message = format!("name: it has 1 to {MAX_NAME_LENGTH} characters, without line ends or tabs");
        Err(self.error(span, message))
    }

    fn filter(&self, key: &str, text: &str, span: Range<usize>) -> Result<Filter> {
        let filter = Filter::parse(text).map_err(|error| self.error(span.clone(), format!("{key}: {error}")))?;
        let refusal = if filter.uses(AnalysisStep::Expectations) {
            "an expectation can't depend on another, as has(A001) does"
        } else if filter.uses(AnalysisStep::Duplicates) {
            "duplicates are known only after the last game; use jigo extract --dedupe"
        } else {
            return Ok(filter);
        };
        Err(self.error(span, format!("{key}: {refusal}")))
    }

    fn severity(&self, name: &str, span: Range<usize>) -> Result<Severity> {
        Severity::parse(name).map_err(|reason| self.error(span, format!("severity: {reason}")))
    }
}

/// Returns the text of a text or a number. `None` for any other value.
fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        _ => None,
    }
}
