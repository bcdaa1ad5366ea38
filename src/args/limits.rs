//! `--max NAME=VALUE` on the command line: its parsers, and the help topic on limits.

use clap::builder::{PossibleValue, TypedValueParser};

use crate::args::completion::OfferedValues;
use jigo_run::config::limits::{LIMITS, Limit, LimitSetting};

/// Returns a parser for the limits on sources and games.
pub fn any_limit() -> impl TypedValueParser<Value = LimitSetting> {
    OfferedValues(|| completions(|_| true)).try_map(|text| LimitSetting::parse(&text, |_| true))
}

/// Returns a parser for the limits on sources.
pub fn source_limit() -> impl TypedValueParser<Value = LimitSetting> {
    OfferedValues(|| completions(Limit::is_of_sources)).try_map(|text| LimitSetting::parse(&text, Limit::is_of_sources))
}

/// Returns the names that shells complete, each with its `=`.
fn completions(is_offered: fn(&Limit) -> bool) -> Vec<PossibleValue> {
    let limits = LIMITS.iter().filter(|limit| is_offered(limit));
    limits.map(|limit| PossibleValue::new(limit.prefix).help(limit.what)).collect()
}

/// The name of the help topic on limits, as in `jigo help limits`.
pub const TOPIC: &str = "limits";

/// Returns the help topic on limits.
pub fn topic() -> String {
    let mut text = "\
Set limits on the input with --max NAME=VALUE

Usage: jigo COMMAND --max NAME=VALUE [--max NAME=VALUE]...

If the input exceeds a limit, a finding with the code below reports it, and the run continues.
SIZE is a number of bytes, or ends with k, M, G or T, such as 16M. The default is in brackets.
"
    .to_owned();
    for limit in &LIMITS {
        text += &format!("\n  {}{} [{}]\n", limit.prefix, limit.unit(), limit.default_text());
        let mut line = String::from("     ");
        for word in format!("{}: {}", limit.what, limit.code.id()).split(' ') {
            if line.len() + word.len() >= 100 {
                text += &format!("{line}\n");
                line = String::from("     ");
            }
            line += &format!(" {word}");
        }
        text += &format!("{line}\n");
    }
    text
}
