//! `jigo schema`: the columns of the tables.

use std::io::{self, Write};

use anyhow::{Result, ensure};

use clap::Args;
use jigo_archive::row::{Table, schema};
use jigo_archive::tables::TABLES;
use jigo_run::process::Exit;

use crate::args::{OfferedValues, SchemaFormatArg, examples};
use jigo_rules::suggestions::{similar_words, suggestion};

/// List the columns of the tables, with their types
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo schema" "the columns of all tables"
    "jigo schema games --format json" "those of one, for a program"
))]
pub struct SchemaArgs {
    /// List this table only
    #[arg(value_parser = OfferedValues(names), hide_possible_values = true)]
    pub table: Option<String>,
    /// Set the format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: SchemaFormatArg,
}

/// Returns the names of the tables with their descriptions.
fn names() -> Vec<(&'static str, &'static str)> {
    TABLES.map(|table| (table.name, table.description)).into()
}

/// Lists the columns of one table or of all tables.
///
/// # Errors
/// Fails if there is no such table, or standard output can't be written.
pub fn schema(args: &SchemaArgs) -> Result<Exit> {
    let is_selected = |table: &&&Table| args.table.as_ref().is_none_or(|name| name == table.name);
    let tables: Vec<&Table> = TABLES.iter().filter(is_selected).copied().collect();
    let names = TABLES.map(|table| table.name).join(", ");
    let table_name = args.table.as_deref().unwrap_or_default();
    ensure!(
        !tables.is_empty(),
        "there is no table '{table_name}'{}; there are {names}",
        suggestion(&similar_words(table_name, TABLES.map(|table| table.name)))
    );
    let text = match args.format {
        SchemaFormatArg::Text => tables.iter().map(|table| schema::text(table)).collect::<Vec<_>>().join("\n"),
        SchemaFormatArg::Json => {
            format!(
                "{:#}\n",
                serde_json::Value::from(tables.iter().map(|table| schema::json(table)).collect::<Vec<_>>())
            )
        }
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(Exit::Clean)
}
