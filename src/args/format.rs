//! The format of rows, chosen by `--format`, the name of `--output`, or the type of standard
//! output.

use std::io::IsTerminal;
use std::path::Path;

use anyhow::{Result, bail, ensure};

use crate::args::{OutputArgs, WhenArg};
use jigo_archive::formats::{FORMATS, Format, NamedFormat};
use jigo_run::process::shows_color;

/// Extensions of compressed files, which jigo does not write.
const COMPRESSED_EXTENSIONS: [&str; 7] = ["gz", "zst", "xz", "lzma", "bz2", "zip", "7z"];

/// Extensions of table formats that jigo does not write.
const FOREIGN_EXTENSIONS: [&str; 7] = ["tsv", "tab", "pq", "feather", "ipc", "xlsx", "ods"];

/// Returns the format of a log: JSON lines if its name ends with `.jsonl`, otherwise CSV.
///
/// # Errors
/// Fails if the name belongs to another format.
pub fn log_format(log: Option<&Path>) -> Result<Format> {
    let Some(path) = log else { return Ok(Format::Csv) };
    match format_of_name("--log", path, None)? {
        None | Some(Format::Csv) => Ok(Format::Csv),
        Some(Format::Jsonl) => Ok(Format::Jsonl),
        Some(_) => bail!("--log {}: a log is CSV or JSON lines, .csv or .jsonl", path.display()),
    }
}

/// Returns the format of a table whose rows are no findings, in the file that `option` names: CSV
/// if its name has no suffix of a format. `safe_text` protects texts in CSV.
///
/// # Errors
/// Fails if the name belongs to a compressed file, or to a format that is for findings only or that
/// this build does not write.
pub fn table_format(option: &str, path: &Path, safe_text: bool) -> Result<Format> {
    let format = format_of_name(option, path, None)?.unwrap_or(Format::Csv);
    let NamedFormat { name, findings_only, .. } = format.properties();
    ensure!(
        !findings_only,
        "{option} {}: {name} is a format for findings; use .csv, .jsonl or .parquet",
        path.display()
    );
    Ok(if safe_text && format == Format::Csv { Format::SafeCsv } else { format })
}

/// Returns the format of rows: the requested format, or the format of the output's name, or text on
/// a terminal and CSV elsewhere.
///
/// # Errors
/// Fails if the requested format contradicts the name, if a terminal can't display it, or if the
/// name belongs to a compressed file or to a format that this build does not write.
pub fn row_format(format_option: Option<Format>, safe_text: bool, output: &OutputArgs) -> Result<Format> {
    format_in(output.files.rows.as_deref(), format_option, safe_text, output.color)
}

/// Returns the format of rows in a file, or on standard output without one; see [`row_format`].
///
/// # Errors
/// As [`row_format`].
pub fn format_in(
    file: Option<&Path>,
    format_option: Option<Format>,
    safe_text: bool,
    color: WhenArg,
) -> Result<Format> {
    let format_by_name = file.map(|path| format_of_name("--output", path, format_option)).transpose()?.flatten();
    let to_terminal = file.is_none() && std::io::stdout().is_terminal();
    let text = Format::Text { color: is_colored(file, color) };
    Ok(match format_option.or(format_by_name) {
        Some(Format::Text { .. }) => text,
        Some(format) if to_terminal && format.is_binary() => {
            bail!("this format is not for a terminal: name a file with --output, or send it down a pipe")
        }
        Some(format) => format,
        None if to_terminal && !safe_text => text,
        None => Format::Csv,
    })
}

/// Returns the format of a file name, if it has one.
fn format_of_name(option: &str, path: &Path, format_option: Option<Format>) -> Result<Option<Format>> {
    let name = path.display();
    let Some(ending) = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()) else { return Ok(None) };
    if COMPRESSED_EXTENSIONS.contains(&ending.as_str()) {
        bail!("{option} {name}: jigo does not compress rows; leave out .{ending}, or send the rows down a pipe");
    }
    if FOREIGN_EXTENSIONS.contains(&ending.as_str()) {
        bail!("{option} {name}: jigo does not write .{ending}; jigo schema lists its tables");
    }
    if cfg!(not(feature = "columnar")) && ["parquet", "arrow", "arrows"].contains(&ending.as_str()) {
        bail!("{option} {name}: this jigo was built without Parquet and Arrow");
    }
    let mut fitting = FORMATS.iter().filter(|format| format.properties().suffixes.contains(&ending.as_str()));
    let Some(first) = fitting.clone().next() else { return Ok(None) };
    match format_option {
        Some(format_option) if fitting.all(|format| *format != format_option) => {
            let format_option = format_option.properties().name;
            bail!(
                "{option} {name} is the name of a {} file, and --format says {format_option}",
                first.properties().name
            )
        }
        Some(_) => Ok(None),
        None => Ok(Some(*first)),
    }
}

fn is_colored(file: Option<&Path>, color: WhenArg) -> bool {
    color.choice().unwrap_or_else(|| file.is_none() && shows_color(&std::io::stdout()))
}
