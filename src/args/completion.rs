//! Shell completion for options that also accept other texts than the listed words, such as
//! combinations of them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

use jigo_archive::tables::TABLES;
use jigo_record::finding::Code;
use jigo_rules::presets::PRESETS;

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

/// Returns the names of the rulesets.
pub fn presets() -> Vec<PossibleValue> {
    PRESETS.iter().map(|preset| PossibleValue::new(preset.name).help(preset.title)).collect()
}

/// Returns the codes of findings.
pub fn codes() -> Vec<PossibleValue> {
    Code::TABLE.iter().map(|row| PossibleValue::new(row.id).help(row.name)).collect()
}

/// Returns the names of the tables.
pub fn tables() -> Vec<PossibleValue> {
    TABLES.iter().map(|table| PossibleValue::new(table.name).help(table.description)).collect()
}
