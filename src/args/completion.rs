//! Shell completion for options that also accept other texts than the listed words, such as
//! combinations of them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

use jigo_archive::pipeline::filter::FilterColumn;
use jigo_archive::tables::TABLES;
use jigo_record::finding::Code;
use jigo_record::header::dialect::DIALECTS;
use jigo_rules::presets::PRESETS;
use jigo_run::config::values::NamedCodes;
use jigo_score::DeadSource;

/// A parser that accepts any text. Shells complete the words. Options with it hide their possible
/// values in the help, because other values are possible.
#[derive(Clone)]
pub struct OfferedValues(pub fn() -> Vec<PossibleValue>);

impl TypedValueParser for OfferedValues {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter()))
    }
}

/// Returns a parser that accepts any name. An unknown name is reported with a suggestion after all
/// options are parsed.
pub fn named_codes() -> impl TypedValueParser<Value = NamedCodes> {
    OfferedValues(codes).map(NamedCodes::from)
}

fn words(words: &[&'static str]) -> Vec<PossibleValue> {
    words.iter().copied().map(PossibleValue::new).collect()
}

/// Returns the names of the rulesets.
pub fn presets() -> Vec<PossibleValue> {
    PRESETS.iter().map(|preset| PossibleValue::new(preset.name).help(preset.title)).collect()
}

/// Returns the values of `--rules`.
pub fn rulesets() -> Vec<PossibleValue> {
    [words(&["recorded", "all"]), presets()].concat()
}

/// Returns the values of `--assume-rules`.
pub fn assumed() -> Vec<PossibleValue> {
    [words(&["none"]), presets()].concat()
}

/// Returns the codes of findings.
pub fn codes() -> Vec<PossibleValue> {
    Code::TABLE.iter().map(|row| PossibleValue::new(row.id).help(row.name)).collect()
}

/// Returns the values of `--dialect`.
pub fn dialects() -> Vec<PossibleValue> {
    let values = DIALECTS.iter().map(|dialect| PossibleValue::new(dialect.name).help(dialect.title));
    words(&["auto", "none"]).into_iter().chain(values).collect()
}

/// Returns the values of `--dead`.
pub fn dead_sources() -> Vec<PossibleValue> {
    DeadSource::NAMES.iter().map(|(name, _)| PossibleValue::new(*name)).chain(words(&["none"])).collect()
}

/// Returns the values of `--komi` that are not numbers.
pub fn komi() -> Vec<PossibleValue> {
    words(&["recorded", "preset"])
}

/// Returns the columns for `--where`.
pub fn columns() -> Vec<PossibleValue> {
    FilterColumn::ALL.iter().map(|column| PossibleValue::new(column.name())).collect()
}

/// Returns the names of the tables.
pub fn tables() -> Vec<PossibleValue> {
    TABLES.iter().map(|table| PossibleValue::new(table.name).help(table.description)).collect()
}
