//! Reproduction commands: the inputs and options of a run as command lines to paste.

use std::path::Path;

use crate::args::{InputArgs, RunArgs};
use crate::html::Inputs;
use jigo_archive::source::{InputFormat, Source, SourceKind};
use jigo_core::audit::MIN_CONTRADICTION_CONFIDENCE;
use jigo_run::config::option_texts::{Options, changed_words};
use jigo_run::config::options::CountOptions;
use jigo_run::config::run_request::ErrorListing;
use jigo_run::process::quoted;

/// The longest list of words in characters. Longer lists are not offered for pasting.
const MAX_COMMAND_LENGTH: usize = 2000;
/// The longest input names on a line for a terminal, in characters. Longer names are omitted.
const MAX_LINE_LENGTH: usize = 200;

/// Returns the inputs of a run with the options that select, read and count games. `count` is
/// present if the run counts endings.
pub fn inputs(run: &RunArgs, count: Option<&CountOptions>, sources: &[Source]) -> Inputs {
    let is_piped = |source: &&Source| matches!(source.kind, SourceKind::Stream(_));
    let piped_names: Vec<String> = sources.iter().filter(is_piped).map(|source| source.name.clone()).collect();
    let words =
        selection_words(run).zip(input_words(&run.input)).map(|(words, paths)| [words, paths].concat().join(" "));
    let words = words.filter(|words| piped_names.is_empty() && words.len() <= MAX_COMMAND_LENGTH);
    let single_file = match sources {
        [Source { name, kind: SourceKind::File(..) | SourceKind::Table(..), .. }] => Some(name.clone()),
        _ => None,
    };
    let folders = sources.iter().map(|source| &source.name[..source.name.rfind('/').map_or(0, |at| at + 1)]);
    let folder = folders.reduce(common_folder).filter(|folder| folder.len() > 1).map(str::to_owned);
    let is_text = matches!(*run.input.options.input_format, InputFormat::Auto | InputFormat::Sgf);
    let join = |words: Option<Vec<String>>| words.unwrap_or_default().join(" ");
    Inputs {
        words,
        reading_options: reading_words(run).map(|words| words.join(" ")),
        ending_options: join(count.and_then(|count| changed_words(&count.ending))),
        counting_options: join(count.and_then(changed_words)),
        single_file,
        folder,
        is_fixable: run.options.selection.limit.is_none() && is_text,
        piped_names,
    }
}

/// Returns the command line of a run with all options that affect its rows and differ from their
/// defaults. `own` are the name and the own options of the command. `count` is present if the run
/// counts endings.
///
/// Returns `None` if the inputs can't be read again or the words are too long to paste.
pub fn command_line(own: Option<Vec<String>>, run: &RunArgs, count: Option<&CountOptions>) -> Option<String> {
    let counting = count.map_or(Some(Vec::new()), changed_words)?;
    let words =
        [vec!["jigo".into()], own?, counting, selection_words(run)?, input_words(&run.input)?].concat().join(" ");
    Some(words).filter(|words| words.len() <= MAX_COMMAND_LENGTH)
}

/// Returns the name of a command and its own options that differ from their defaults.
pub fn own_words<T: Options>(name: &str, options: &T) -> Option<Vec<String>> {
    Some([vec![name.to_owned()], changed_words(options)?].concat())
}

/// Returns the folder that contains two folders. Each has a `/` at its end, or is empty.
fn common_folder<'a>(one: &'a str, other: &str) -> &'a str {
    let equal = one.split_inclusive('/').zip(other.split_inclusive('/')).take_while(|(one, other)| one == other);
    &one[..equal.map(|(part, _)| part.len()).sum()]
}

/// Returns the options that decide how any command finds, reads and judges a game. They include the
/// defaults of the configuration file.
fn reading_words(run: &RunArgs) -> Option<Vec<String>> {
    let mut words = [changed_words(&run.input.options.records)?, changed_words(&run.options.judging)?].concat();
    // Limits and files come last.
    words.sort_by_key(|word| ["--max ", "--headers "].iter().position(|last| word.starts_with(last)));
    if let Some(config) = run.config.path() {
        words.push(format!("--config {}", quoted(config.to_str()?)?));
    }
    words.extend(run.config.no_config.then(|| "--no-config".into()));
    Some(words)
}

/// Returns the options that read, judge and select games and findings, without the inputs.
fn selection_words(run: &RunArgs) -> Option<Vec<String>> {
    let mut words = changed_words(&run.input.options)?;
    words.retain(|word| word.starts_with("--input-format "));
    Some([reading_words(run)?, words, changed_words(&run.options.selection)?].concat())
}

/// Returns the words that name the inputs.
fn input_words(input: &InputArgs) -> Option<Vec<String>> {
    let mut words: Vec<String> = input.null.then(|| "--null".into()).into_iter().collect();
    if let Some(list) = &input.files_from {
        // A list from standard input can't be read again.
        let list = Some(list.as_path()).filter(|list| *list != Path::new("-"))?;
        words.push(format!("--files-from {}", quoted(list.to_str()?)?));
    }
    let paths: Option<Vec<String>> = input.paths.iter().map(|path| quoted(path.to_str()?)).collect();
    words.extend(paths?);
    Some(words)
}

/// Returns the command which lists the errors of a run without findings, and the file that then
/// contains them.
///
/// Returns `None` for bare positions, because no such command reads them.
pub fn error_listing(run: &RunArgs, count: Option<&CountOptions>) -> Option<ErrorListing> {
    if *run.input.options.input_format == InputFormat::Positions {
        return None;
    }
    let mut selecting = selection_words(run).unwrap_or_default();
    selecting.retain(|word| !word.starts_with("--severity "));
    let inputs = input_words(&run.input).map(|words| words.join(" "));
    let accusing = count.map(contradiction_options).unwrap_or_default();
    let (command, place) = match count {
        None => ("jigo check", ""),
        Some(_) if accusing.is_empty() => ("jigo check --results", ""),
        // Among the commands that list findings, only `report` has the options of counting.
        Some(_) => ("jigo report --out errors", " in errors/findings.csv"),
    };
    let words = [command.to_owned(), "--severity error".into()].into_iter();
    let words: Vec<String> = words.chain(accusing).chain(selecting).collect();
    let inputs = inputs.filter(|words| words.len() <= MAX_LINE_LENGTH);
    Some(ErrorListing { command: words.join(" "), inputs, place })
}

/// Returns the counting options that decide which results are contradicted: the sources of dead
/// stones, and the confidence that they need.
fn contradiction_options(count: &CountOptions) -> Vec<String> {
    let mut words = changed_words(count).unwrap_or_default();
    let is_low = count.ending.min_confidence.0 <= MIN_CONTRADICTION_CONFIDENCE;
    words.retain(|word| match word.split(' ').next() {
        Some("--komi") => false,
        Some("--min-confidence") => !is_low,
        // An engine may fail at any ending, which is a finding as well.
        Some("--all-endings") => count.ending.engine.is_some(),
        _ => true,
    });
    words
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::commands::Cli;

    /// Options that do not affect rows: destinations, messages and speed. A reproduction command
    /// needs none of them.
    const RUN_OPTIONS: [&str; 17] = [
        "out",
        "resume",
        "format",
        "force",
        "jobs",
        "progress",
        "quiet",
        "exit-zero",
        "fail-if",
        "safe-text",
        "help",
        "verbose",
        "stdin-name",
        "files-from",
        "headers",
        "duplicates",
        "null",
    ];

    /// A value other than the default for each other flag.
    const VALUES: [(&str, &str); 27] = [
        ("config", "other.toml"),
        ("no-config", ""),
        ("input-format", "sgf"),
        ("column", "text"),
        ("players", "players.csv"),
        ("id-column", "name"),
        ("rules", "aga"),
        ("assume-rules", "nz"),
        ("dialect", "kgs"),
        ("on-illegal", "stop"),
        ("variations", "all"),
        ("literal-setup", ""),
        ("select", "K,P"),
        ("ignore", "H008"),
        ("severity", "error"),
        ("shard", "1/2"),
        ("limit", "5"),
        ("sample", "3"),
        ("seed", "4"),
        ("where", "size = 9"),
        ("komi", "0.5"),
        ("dead", "markup,engine"),
        ("engine", "some engine"),
        ("engine-timeout", "7"),
        ("min-confidence", "0.75"),
        ("all-endings", ""),
        ("max", "nodes=10"),
    ];

    #[test]
    fn every_option_that_affects_rows_is_pasted() {
        let command = Cli::command();
        let flags = |name: &str| -> Vec<String> {
            let flags = command.find_subcommand(name).unwrap().get_arguments().filter_map(clap::Arg::get_long);
            flags.filter(|flag| !RUN_OPTIONS.contains(flag)).map(str::to_owned).collect()
        };
        let of_show = flags("show");
        for flag in flags("report") {
            let (_, value) = VALUES.iter().find(|(name, _)| *name == flag).unwrap_or_else(|| panic!("--{flag} is new"));
            let option = format!("--{flag}");
            let line = ["jigo", "report", "--out", "x", "games", &option]
                .into_iter()
                .chain(Some(*value).filter(|value| !value.is_empty()))
                .chain((flag == "seed").then_some("--sample=3"));
            let crate::commands::Command::Report(args) = Cli::try_parse_from(line).unwrap().command else { panic!() };
            let counting = &args.counting;
            let Inputs { words, reading_options, ending_options, counting_options, .. } =
                inputs(&counting.run, Some(&counting.count), &[]);
            let show_command = of_show.contains(&flag).then(|| reading_options.unwrap() + " " + &ending_options);
            for words in [words.unwrap() + " " + &counting_options].into_iter().chain(show_command) {
                let words = shlex::split(&words).unwrap();
                let index = words.iter().position(|word| *word == option);
                let index = index.unwrap_or_else(|| panic!("{option} is not in {words:?}"));
                assert!(value.is_empty() || words[index + 1] == *value, "{words:?}");
            }
        }
    }
}
