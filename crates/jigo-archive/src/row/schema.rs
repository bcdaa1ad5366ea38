//! The schemas of the tables, for people and programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::table::{Column, ColumnType, Table};

/// The version of the columns of all tables. It increases when a column is removed or changes its
/// meaning or type, not when a column is added.
pub const SCHEMA_VERSION: u32 = 3;

impl ColumnType {
    /// Returns the name of the type in the documentation.
    pub fn name(self) -> &'static str {
        match self {
            ColumnType::Text | ColumnType::RepeatedText | ColumnType::Point => "string",
            ColumnType::Hash => "hash",
            ColumnType::Word(_) => "enumeration",
            ColumnType::Integer => "integer",
            ColumnType::Decimal(_) => "float",
            ColumnType::Date => "date",
            ColumnType::Flag => "boolean",
            ColumnType::Bytes => "binary",
        }
    }

    /// Returns true if columnar formats write the texts as a dictionary.
    fn is_dictionary(self) -> bool {
        matches!(self, ColumnType::RepeatedText | ColumnType::Point | ColumnType::Word(_))
    }

    /// Returns the allowed words of an enumeration.
    pub fn words(self) -> Option<&'static [&'static str]> {
        match self {
            ColumnType::Word(words) => Some(words),
            _ => None,
        }
    }
}

/// The maximum number of words in a column's description. `jigo explain` lists longer enumerations.
const MAX_LISTED_WORDS: usize = 12;

impl Column {
    /// Returns the meaning of the column, followed by its words.
    pub fn description(&self) -> String {
        match self.kind.words().filter(|words| words.len() <= MAX_LISTED_WORDS) {
            Some(words) => format!("{}: {}", self.meaning, words.join(", ")),
            None => self.meaning.into(),
        }
    }
}

impl Table {
    /// Returns a line such as `key: file, game`, or an empty text if the table has no key.
    fn key_in_words(&self) -> String {
        if self.key.is_empty() { String::new() } else { format!("key: {}\n", self.key.join(", ")) }
    }
}

/// Returns a table's schema for people.
pub fn text(table: &Table) -> String {
    let mut text = format!("{}: {}\n{}\n", table.name, table.description, table.key_in_words());
    let name_width = table.columns.iter().map(|column| column.name.len()).max().unwrap_or(0);
    for column in table.columns {
        let kind = column.kind.name();
        let empty = if column.nullable { "or empty" } else { "" };
        let request = if column.on_request { " (only on request)" } else { "" };
        // Writing to a String can't fail.
        let _ =
            writeln!(text, "  {:<name_width$}  {kind:<11} {empty:<8}  {}{request}", column.name, column.description());
    }
    text
}

/// Returns a table's schema as JSON.
pub fn json(table: &Table) -> Value {
    let columns: Vec<Value> = table.columns.iter().map(column_json).collect();
    json!({
        "table": table.name,
        "version": SCHEMA_VERSION,
        "what": table.description,
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
    if column.on_request {
        object["on_request"] = true.into();
    }
    if column.kind.is_dictionary() {
        object["dictionary"] = true.into();
    }
    if let ColumnType::Decimal(digits) = column.kind {
        object["digits"] = digits.into();
    }
    if let Some(words) = column.kind.words() {
        object["values"] = words.into();
    }
    object
}
