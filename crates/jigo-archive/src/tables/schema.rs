//! The schema of the tables, for people and for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::table::{Column, Kind, Table};

impl Kind {
    /// Its name in the documentation: `decimal(1)` has one digit behind the point.
    pub fn name(self) -> String {
        match self {
            Kind::Text => "string".into(),
            Kind::Word(_) => "enumeration".into(),
            Kind::Integer => "integer".into(),
            Kind::Decimal(scale) => format!("decimal({scale})"),
            Kind::Flag => "boolean".into(),
            Kind::Bytes => "binary".into(),
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

/// A table for people.
pub fn text(table: &Table) -> String {
    let mut text = format!("{}: {}\n\n", table.name, table.what);
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
    json!({ "table": table.name, "what": table.what, "columns": columns })
}

fn column_json(column: &Column) -> Value {
    let mut object = json!({
        "name": column.name,
        "type": column.kind.name().split('(').next(),
        "nullable": column.nullable,
        "meaning": column.meaning,
    });
    if let Kind::Decimal(scale) = column.kind {
        object["scale"] = scale.into();
    }
    if let Some(words) = column.kind.words() {
        object["values"] = words.into();
    }
    object
}
