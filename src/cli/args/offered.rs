//! What completion offers for flags that take more than a list of words: a text may be put together of them, or be another one.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

use jigo_archive::pipeline::filter::FilterColumn;
use jigo_archive::tables::TABLES;
use jigo_record::finding::Code;
use jigo_record::header::dialect::DIALECTS;
use jigo_rules::presets::PRESETS;
use jigo_score::DeadSource;

/// Takes any text; the words are what a shell completes. Flags with it hide their possible values, since these are not all.
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

/// A name of findings with the codes that it stands for; none where nothing is called or begins like that.
#[derive(Clone, Debug)]
pub struct NamedCodes {
    /// As it was given.
    pub name: String,
    /// In the order of the table.
    pub codes: Vec<Code>,
}

impl From<String> for NamedCodes {
    fn from(name: String) -> NamedCodes {
        NamedCodes { codes: Code::select(name.trim()), name }
    }
}

/// Takes any name of findings: what is none is told with a suggestion, once all flags are there.
pub fn named_codes() -> impl TypedValueParser<Value = NamedCodes> {
    OfferedValues(codes).map(NamedCodes::from)
}

fn words(words: &[&'static str]) -> Vec<PossibleValue> {
    words.iter().copied().map(PossibleValue::new).collect()
}

/// Rulesets by name.
pub fn presets() -> Vec<PossibleValue> {
    PRESETS.iter().map(|preset| PossibleValue::new(preset.name).help(preset.title)).collect()
}

/// What turns are judged and endings counted by.
pub fn rulesets() -> Vec<PossibleValue> {
    [words(&["recorded", "all"]), presets()].concat()
}

/// What stands for the ruleset of records that name none.
pub fn assumed() -> Vec<PossibleValue> {
    [words(&["none"]), presets()].concat()
}

/// Codes of findings.
pub fn codes() -> Vec<PossibleValue> {
    Code::TABLE.iter().map(|row| PossibleValue::new(row.id).help(row.name)).collect()
}

/// What records are written in.
pub fn dialects() -> Vec<PossibleValue> {
    let named = DIALECTS.iter().map(|dialect| PossibleValue::new(dialect.name).help(dialect.title));
    words(&["auto", "none"]).into_iter().chain(named).collect()
}

/// Who says which stones are dead.
pub fn dead_sources() -> Vec<PossibleValue> {
    DeadSource::NAMED.iter().map(|(name, _)| PossibleValue::new(*name)).chain(words(&["none"])).collect()
}

/// Komi that is no number.
pub fn komi() -> Vec<PossibleValue> {
    words(&["recorded", "preset"])
}

/// Columns that games are selected by.
pub fn columns() -> Vec<PossibleValue> {
    FilterColumn::ALL.iter().map(|column| PossibleValue::new(column.name())).collect()
}

/// Tables by name.
pub fn tables() -> Vec<PossibleValue> {
    TABLES.iter().map(|table| PossibleValue::new(table.name).help(table.what)).collect()
}
