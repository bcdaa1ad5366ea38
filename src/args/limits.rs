//! `--max NAME=VALUE` on the command line: its parsers, and the help topic on limits.

use clap::builder::TypedValueParser;

use crate::args::OfferedValues;
use jigo_diagrams::text::wrap;
use jigo_run::config::limits::{LIMITS, Limit, LimitSetting};
use jigo_run::config::option_value::Typed;

/// Returns a parser for the limits on sources.
pub fn source_limit() -> impl TypedValueParser<Value = Typed<LimitSetting>> {
    // Shells complete the names, each with its `=`.
    let names = || {
        let limits = LIMITS.iter().filter(|limit| limit.is_of_sources());
        limits.map(|limit| (limit.prefix, limit.what)).collect()
    };
    OfferedValues(names).try_map(|text| LimitSetting::parse(&text, Limit::is_of_sources).and_then(|_| text.parse()))
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
        for line in wrap("      ", &format!("{}: {}", limit.what, limit.code.id()), 100) {
            text += &format!("{line}\n");
        }
    }
    text
}
