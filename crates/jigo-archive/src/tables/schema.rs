//! The schema of the tables, for people and for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::table::{Column, Kind, Table};
use crate::summary::SCHEMA_VERSION;

impl Kind {
    /// Its name in the documentation.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Text => "string",
            Kind::Word(_) => "enumeration",
            Kind::Integer => "integer",
            Kind::Decimal(_) => "float",
            Kind::Date => "date",
            Kind::Flag => "boolean",
            Kind::Bytes => "binary",
        }
    }

    /// The words that may stand in the column.
    pub fn words(self) -> Option<&'static [&'static str]> {
        match self {
            Kind::Word(words) => Some(words),
            _ => None,
        }
    }
}

/// More words than these are listed by `jigo explain` rather than beside the column.
const WORDS_SHOWN: usize = 12;

impl Column {
    /// What it means, with its words.
    pub fn description(&self) -> String {
        match self.kind.words().filter(|words| words.len() <= WORDS_SHOWN) {
            Some(words) => format!("{}: {}", self.meaning, words.join(", ")),
            None => self.meaning.into(),
        }
    }
}

impl Table {
    /// `key: file, game`, with the end of the line; nothing where no columns are one.
    fn key_in_words(&self) -> String {
        if self.key.is_empty() { String::new() } else { format!("key: {}\n", self.key.join(", ")) }
    }
}

/// A table for people.
pub fn text(table: &Table) -> String {
    let mut text = format!("{}: {}\n{}\n", table.name, table.what, table.key_in_words());
    let name_width = table.columns.iter().map(|column| column.name.len()).max().unwrap_or(0);
    for column in table.columns {
        let kind = column.kind.name();
        let empty = if column.nullable { "or empty" } else { "" };
        // A String does not refuse to be written to.
        let _ = writeln!(text, "  {:<name_width$}  {kind:<11} {empty:<8}  {}", column.name, column.description());
    }
    text
}

/// A table as JSON.
pub fn json(table: &Table) -> Value {
    let columns: Vec<Value> = table.columns.iter().map(column_json).collect();
    json!({
        "table": table.name,
        "version": SCHEMA_VERSION,
        "what": table.what,
        "key": table.key,
        "columns": columns,
    })
}

fn column_json(column: &Column) -> Value {
    let mut object = json!({
        "name": column.name,
        "type": column.kind.name(),
        "nullable": column.nullable,
        "meaning": column.meaning,
    });
    if let Kind::Decimal(digits) = column.kind {
        object["digits"] = digits.into();
    }
    if let Some(words) = column.kind.words() {
        object["values"] = words.into();
    }
    object
}
