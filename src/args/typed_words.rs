//! The words of a command line before clap parses them, and its errors that clap explains badly.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use jigo_run::process::quoted;

/// Inserts the command `show` if a path is in its place: `jigo game.sgf`.
pub fn with_show_before_paths(mut words: Vec<OsString>, command: &Command) -> Vec<OsString> {
    let is_command =
        |word: &OsString| word == "help" || command.get_subcommands().any(|other| *word == *other.get_name());
    let is_option = |word: &OsString| word.as_encoded_bytes().starts_with(b"-") && word != "-";
    let is_path = words.get(1).is_some_and(|first| match is_option(first) {
        true => !words[2..].iter().any(is_command) && words[2..].iter().any(|word| Path::new(word).exists()),
        false => !is_command(first) && names_path(first),
    });
    if is_path {
        words.insert(1, "show".into());
    }
    words
}

/// Returns true for a path, also for one that does not exist and can't be a mistyped command.
fn names_path(word: &OsStr) -> bool {
    word == "-" || Path::new(word).exists() || word.as_encoded_bytes().iter().any(|byte| b"./\\#!".contains(byte))
}

/// Returns the sentence on a word that is neither a command nor a file. `None` for other errors, and
/// if the word may be a mistyped command.
pub fn unknown_word(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let entries =
        std::fs::read_dir(".").into_iter().flatten().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let similar = entries.filter(|name| name.starts_with(word.as_str())).min();
    if similar.is_none() && error.get(ContextKind::SuggestedSubcommand).is_some() {
        return None;
    }
    let similar =
        similar.and_then(|name| quoted(&name)).map_or(String::new(), |name| format!("; did you mean {name}?"));
    Some(format!(
        "{word} is neither a command nor a file{similar} (a name with blanks needs quotes; jigo -h lists the commands)"
    ))
}

/// Returns the sentence on an option that the command lacks and others have. `None` for other
/// errors, and if clap suggests the same option in its longer or shorter form.
pub fn foreign_option(error: &clap::Error, command: &Command, words: &[OsString]) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let option = text(ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    let long = option.strip_prefix("--")?;
    let suggested = text(ContextKind::SuggestedArg).unwrap_or_default();
    if suggested.starts_with(option) || (!suggested.is_empty() && option.starts_with(suggested)) {
        return None;
    }
    let name = words.get(1)?.to_str().filter(|name| command.find_subcommand(name).is_some())?;
    let has_option = |other: &&Command| other.get_arguments().any(|argument| argument.get_long() == Some(long));
    let others = command.get_subcommands().filter(has_option).map(Command::get_name).collect::<Vec<_>>().join(", ");
    (!others.is_empty())
        .then(|| format!("jigo {name} has no {option}, which is an option of {others}; see jigo {name} --help"))
}
