//! The words of a command line before clap parses them, and its errors that clap explains badly.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// What to use instead of an option that a command lacks.
const REPLACEMENTS: [(&str, &str, &str); 4] = [
    ("fix", "--format", "the suffix of --log FILE sets the format of its rows, and --diff prints the changes"),
    ("score", "--results", "--table results compares recorded results with the counts"),
    ("report", "--results", "it always compares recorded results with the counts"),
    ("check", "--dead", "--results counts with the usual sources of dead stones; jigo score sets others"),
];

/// Inserts the command `show` if a path is in its place: `jigo game.sgf`.
pub fn with_show_before_paths(mut words: Vec<OsString>, command: &Command) -> Vec<OsString> {
    let is_command =
        |word: &OsString| word == "help" || command.get_subcommands().any(|other| *word == *other.get_name());
    let is_option = |word: &&OsString| word.as_encoded_bytes().starts_with(b"-") && *word != "-";
    let is_path = match words.get(1) {
        Some(first) if is_option(&first) => {
            let others = || words.iter().skip(2);
            !others().any(is_command) && others().any(|word| Path::new(word).exists())
        }
        Some(first) => !is_command(first) && names_path(first),
        None => false,
    };
    if is_path {
        words.insert(1, "show".into());
    }
    words
}

/// Returns true for a path, also for one that does not exist and can't be a mistyped command.
fn names_path(word: &OsStr) -> bool {
    let is_no_command = |byte: &u8| b"./\\#!".contains(byte);
    word == "-" || Path::new(word).exists() || word.as_encoded_bytes().iter().any(is_no_command)
}

/// Returns the sentence on an option that the command lacks and others have. `None` for other
/// errors, and if clap suggests the same option in its longer or shorter form.
pub fn foreign_option(error: &clap::Error, command: &Command, words: &[OsString]) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let option = text(ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    let suggested = text(ContextKind::SuggestedArg).unwrap_or_default();
    if suggested.starts_with(option) || (!suggested.is_empty() && option.starts_with(suggested)) {
        return None;
    }
    let name =
        command.get_subcommands().map(Command::get_name).find(|name| words.get(1).is_some_and(|word| word == name))?;
    let has_option =
        |other: &&Command| other.get_arguments().any(|argument| argument.get_long() == option.strip_prefix("--"));
    let others: Vec<&str> = command.get_subcommands().filter(has_option).map(Command::get_name).collect();
    if others.is_empty() {
        return None;
    }
    let replacement =
        REPLACEMENTS.iter().find(|(of_command, of_option, _)| (*of_command, *of_option) == (name, option));
    let advice = match replacement {
        Some((.., replacement)) => (*replacement).to_owned(),
        None => format!("it is an option of {}", others.join(", ")),
    };
    Some(format!("jigo {name} has no {option}: {advice}; see jigo {name} --help"))
}
