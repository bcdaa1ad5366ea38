//! How rows are written: what `--format` says, the name of `--output`, or what standard output is.

use std::io::IsTerminal;
use std::path::Path;

use anyhow::{Result, bail};

use super::args::{OutputArgs, WhenArg};
use jigo_archive::tables::formats::{FORMATS, Format};

/// Endings of names of packed files, which jigo does not write.
const PACKED: [&str; 7] = ["gz", "zst", "xz", "lzma", "bz2", "zip", "7z"];

/// Endings of names of tables that jigo does not write.
const OF_OTHERS: [&str; 7] = ["tsv", "tab", "pq", "feather", "ipc", "xlsx", "ods"];

/// The format of a log: JSON lines where its name ends so, else CSV.
///
/// # Errors
/// When the name is that of anything else.
pub fn of_log(log: Option<&Path>) -> Result<Format> {
    let Some(path) = log else { return Ok(Format::Csv) };
    match of_name("--log", path, None)? {
        None | Some(Format::Csv) => Ok(Format::Csv),
        Some(Format::Jsonl) => Ok(Format::Jsonl),
        Some(_) => bail!("--log {}: a log is CSV or JSON lines, .csv or .jsonl", path.display()),
    }
}

/// The format of rows: the one asked for, the one that the output's name ends with, or else text on a terminal and CSV anywhere else.
///
/// # Errors
/// When the format that is asked for is none that the name ends with, or one that a terminal can't show, and when the name is that of a packed file or of a
/// format that this build does not write.
pub fn of_rows(asked: Option<Format>, safe_text: bool, output: &OutputArgs) -> Result<Format> {
    let named = output.output.as_deref().map(|path| of_name("--output", path, asked)).transpose()?.flatten();
    let to_terminal = output.output.is_none() && std::io::stdout().is_terminal();
    let text = Format::Text { color: is_colored(output) };
    Ok(match asked.or(named) {
        Some(Format::Text { .. }) => text,
        Some(format) if to_terminal && format.is_binary() => {
            bail!("this format is not for a terminal: name a file with --output, or send it down a pipe")
        }
        Some(format) => format,
        None if to_terminal && !safe_text => text,
        None => Format::Csv,
    })
}

/// The format that a file's name asks for, if any.
fn of_name(option: &str, path: &Path, asked: Option<Format>) -> Result<Option<Format>> {
    let name = path.display();
    let Some(ending) = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()) else { return Ok(None) };
    if PACKED.contains(&ending.as_str()) {
        bail!("{option} {name}: jigo does not pack what it writes; leave .{ending} out, or send the rows down a pipe");
    }
    if OF_OTHERS.contains(&ending.as_str()) {
        bail!("{option} {name}: jigo does not write .{ending}; jigo schema lists what it writes");
    }
    if cfg!(not(feature = "columnar")) && ["parquet", "arrow", "arrows"].contains(&ending.as_str()) {
        bail!("{option} {name}: this jigo was built without Parquet and Arrow");
    }
    let mut named = FORMATS.iter().filter(|named| named.endings.contains(&ending.as_str()));
    let Some(first) = named.clone().next() else { return Ok(None) };
    match asked {
        Some(asked) if named.all(|named| named.format != asked) => {
            let asked = asked.named().name;
            bail!("{option} {name} is the name of a {} file, and --format says {asked}", first.name)
        }
        Some(_) => Ok(None),
        None => Ok(Some(first.format)),
    }
}

/// `--safe-text`.
pub fn safe(format: Format, is_safe: bool) -> Result<Format> {
    match (format, is_safe) {
        (format, false) => Ok(format),
        (Format::Csv, true) => Ok(Format::SafeCsv),
        _ => bail!("--safe-text is for --format csv: other formats are no spreadsheets"),
    }
}

/// As https://no-color.org says, any value of NO_COLOR but the empty one asks for no colours.
fn is_colored(output: &OutputArgs) -> bool {
    match output.color {
        WhenArg::Always => true,
        WhenArg::Never => false,
        WhenArg::Auto => output.output.is_none() && terminal_shows_color(),
    }
}

/// Whether standard output is a terminal that shows colours, and nobody refused them.
pub fn terminal_shows_color() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    std::io::stdout().is_terminal() && !refused
}
