//! A keyword and its effect on the options of a product.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::find_options::FindOptions;
use crate::config::limits::LimitSetting;
use crate::config::options::{Counting, RunOptions};
use crate::config::table_options::{CheckOptions, ScoreTable};
use jigo_archive::duplicates::KeepRule;

/// A product that a program can request, with the options of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// The tables of `jigo check`.
    Check,
    /// The tables of `jigo score`.
    Score,
    /// The games table of `jigo report`.
    Games,
    /// The table of `jigo duplicates`.
    Duplicates,
    /// The tables of `jigo find`.
    Find,
}

impl Product {
    /// Returns the product with this name.
    ///
    /// # Errors
    /// Fails if there is no such product.
    pub fn parse(name: &str) -> Result<Product> {
        Ok(match name {
            "check" => Product::Check,
            "score" => Product::Score,
            "games" => Product::Games,
            "duplicates" => Product::Duplicates,
            "find" => Product::Find,
            _ => bail!("only check, score, games, duplicates and find have rows for another program"),
        })
    }
}

/// An option as a keyword.
pub struct Keyword {
    /// The name, written as in the command.
    pub name: &'static str,
    /// The word for its value in messages. It is empty for a flag.
    pub value_name: &'static str,
    pub(super) products: &'static [Product],
    pub(super) action: Action,
}

/// The effect of a keyword.
pub(super) enum Action {
    /// Sets a flag.
    Flag(fn(&mut Options)),
    /// Parses a value. The error follows the sentence "invalid value … for …".
    Value(fn(&mut Options, &str) -> Result<(), String>),
    /// Parses a text. The error names the option.
    Text(fn(&mut Options, &str) -> Result<()>),
    /// Does not affect rows.
    None,
    /// Fails with a sentence, because the option is for the command only.
    Refusal(&'static str),
}

/// The options of a product before they are complete.
pub(super) struct Options {
    pub run: RunOptions,
    /// The limits in the order of their settings.
    pub limits: Vec<LimitSetting>,
    pub counting: Counting,
    pub check: CheckOptions,
    pub score: ScoreTable,
    pub keep: KeepRule,
    pub find: FindOptions,
    pub baseline: Option<PathBuf>,
    pub engine: Option<String>,
    pub engine_timeout: u64,
}

impl Keyword {
    /// Applies the keyword.
    pub(super) fn apply(&self, options: &mut Options, value: Option<&str>) -> Result<()> {
        let Keyword { name, value_name, .. } = self;
        match (value, value_name.is_empty()) {
            (Some(value), true) => bail!("unexpected value '{value}' for '--{name}' found; no more were expected"),
            (None, false) => bail!("a value is required for '--{name} <{value_name}>' but none was supplied"),
            _ => {}
        }
        let value = value.unwrap_or_default();
        match &self.action {
            Action::Flag(set) => set(options),
            Action::Text(set) => set(options, value)?,
            Action::Value(set) => {
                if let Err(reason) = set(options, value) {
                    bail!("invalid value '{value}' for '--{name} <{value_name}>'{reason}");
                }
            }
            Action::None => {}
            Action::Refusal(reason) => bail!("{reason}"),
        }
        Ok(())
    }
}
