//! The words that shells complete for arguments that accept other texts as well.

use clap::builder::PossibleValue;

use jigo_archive::tables::TABLES;
use jigo_record::finding::Code;
use jigo_rules::presets::PRESETS;

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
