//! Reproduction commands: the inputs and options of a run as command lines to paste.

use std::path::Path;

use crate::args::{CountArgs, EndingArgs, InputArgs, MIN_CONFIDENCE, RunArgs, default_dead};
use crate::html::Inputs;
use jigo_archive::named_value::NamedValue;
use jigo_archive::source::{ID_COLUMN, InputFormat, RECORD_COLUMN, Source, SourceKind};
use jigo_core::audit::MIN_CONTRADICTION_CONFIDENCE;
use jigo_run::config::limits::changed_limits;
use jigo_run::config::options::ErrorListing;
use jigo_run::config::values::{
    DEFAULT_ASSUMED_RULESET, DEFAULT_DIALECT, DEFAULT_INPUT_FORMAT, DEFAULT_KOMI, DEFAULT_ON_ILLEGAL, DEFAULT_SEVERITY,
    DEFAULT_SHARD, DEFAULT_VARIATIONS, ENGINE_TIMEOUT, NamedCodes, ON_ILLEGAL, SEVERITIES, VARIATIONS,
};
use jigo_run::process::shell::{quoted, shell_word};
use jigo_run::run_fingerprint::FileStamp;
use serde::Serialize;
use serde_json::Value;

/// The longest list of words in characters. Longer lists are not offered for pasting.
const MAX_COMMAND_LENGTH: usize = 2000;
/// The longest input names on a line for a terminal, in characters. Longer names are omitted.
const MAX_LINE_LENGTH: usize = 200;

/// A list of options and paths under construction.
#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    /// Adds an option unless it has its default value.
    fn option(&mut self, name: &str, value: &str, default: &str) {
        // Only text with a NUL can't be quoted, and no argument contains one.
        if let Some(value) = shell_word(value).filter(|_| value != default) {
            self.0.push(format!("{name} {value}"));
        }
    }

    fn number(&mut self, name: &str, value: Option<u64>) {
        self.0.extend(value.map(|value| format!("{name} {value}")));
    }

    fn flag(&mut self, name: &str, is_set: bool) {
        self.0.extend(is_set.then(|| name.to_owned()));
    }

    /// Adds a path. Returns `None` if it is not Unicode, because a page can't contain it.
    fn path(&mut self, option: &str, path: &Path) -> Option<()> {
        let path = quoted(path.to_str()?)?;
        self.0.push(format!("{option}{path}"));
        Some(())
    }
}

/// Returns the inputs of a run with the options that select, read and count games. `count` is
/// present if the run counts endings.
pub fn inputs(input: &InputArgs, run: &RunArgs, count: Option<&CountArgs>, sources: &[Source]) -> Inputs {
    let is_piped = |source: &&Source| matches!(source.kind, SourceKind::Stream(_));
    let piped_names: Vec<String> = sources.iter().filter(is_piped).map(|source| source.name.clone()).collect();
    let words = words(input, run).filter(|words| piped_names.is_empty() && words.len() <= MAX_COMMAND_LENGTH);
    let reading_options = reading_words_with_files(input, run);
    let ending_options = count.map_or(String::new(), |count| ending_words(&count.ending).0.join(" "));
    let counting_options = count.map_or(String::new(), counting_words);
    let single_file = match sources {
        [Source { name, kind: SourceKind::File(..) | SourceKind::Table(..), .. }] => Some(name.clone()),
        _ => None,
    };
    let reading_options = reading_options.map(|words| words.0.join(" "));
    let is_fixable = run.limit.is_none() && matches!(input.input_format, InputFormat::Auto | InputFormat::Sgf);
    Inputs { words, reading_options, ending_options, counting_options, single_file, is_fixable, piped_names }
}

/// The options that affect the rows of a run. A run that resumes another one has the same.
#[derive(Serialize)]
pub struct RowOptions {
    reading: String,
    headers: Option<FileStamp>,
    selecting: String,
    counting: Option<String>,
    configuration: Option<Value>,
}

impl RowOptions {
    /// Returns the options of a run. `count` is present if it counts endings.
    pub fn new(input: &InputArgs, run: &RunArgs, count: Option<&CountArgs>) -> RowOptions {
        RowOptions {
            reading: reading_words(input, run).0.join(" "),
            headers: input.headers.as_deref().map(FileStamp::new),
            selecting: selecting_words(input, run).0.join(" "),
            counting: count.map(counting_words),
            configuration: run.config.file().map(|file| file.json()),
        }
    }
}

/// Returns the options that decide how any command finds, reads and judges a game.
fn reading_words_with_files(input: &InputArgs, run: &RunArgs) -> Option<Words> {
    let mut words = reading_words(input, run);
    if let Some(headers) = &input.headers {
        words.path("--headers ", headers)?;
    }
    if let Some(config) = run.config.path() {
        words.path("--config ", config)?;
    }
    words.flag("--no-config", run.config.no_config);
    Some(words)
}

/// Returns the options of [`reading_words_with_files`] apart from those that name files. They
/// include the defaults of the configuration file.
fn reading_words(input: &InputArgs, run: &RunArgs) -> Words {
    let (judging, mut words) = (&run.judging, Words::default());
    words.option("--column", &input.column, RECORD_COLUMN);
    words.option("--id-column", &input.id_column, ID_COLUMN);
    words.option("--rules", judging.rules.as_deref().unwrap_or_default(), "");
    words.option("--assume-rules", &judging.assume_rules, DEFAULT_ASSUMED_RULESET);
    words.option("--dialect", &judging.dialect, DEFAULT_DIALECT);
    words.flag("--literal-setup", judging.literal_setup);
    words.0.extend(changed_limits(&input.limits));
    words
}

fn words(input: &InputArgs, run: &RunArgs) -> Option<String> {
    let Words(mut words) = selection_words(input, run)?;
    words.extend(input_words(input)?.0);
    Some(words.join(" "))
}

/// Returns the options that read, judge and select games and findings, without the inputs.
fn selection_words(input: &InputArgs, run: &RunArgs) -> Option<Words> {
    let mut words = reading_words_with_files(input, run)?;
    if let Some(players) = &run.players {
        words.path("--players ", players)?;
    }
    words.0.extend(selecting_words(input, run).0);
    Some(words)
}

/// Returns the options that select games and findings, and the parts of games.
fn selecting_words(input: &InputArgs, run: &RunArgs) -> Words {
    let mut words = Words::default();
    words.option("--input-format", NamedValue::name_of(InputFormat::NAMES, input.input_format), DEFAULT_INPUT_FORMAT);
    words.option("--where", run.filter.as_deref().unwrap_or_default(), "");
    words.option("--shard", &run.shard, DEFAULT_SHARD);
    words.option("--on-illegal", NamedValue::name_of(ON_ILLEGAL, run.on_illegal), DEFAULT_ON_ILLEGAL);
    words.option("--variations", NamedValue::name_of(VARIATIONS, run.variations), DEFAULT_VARIATIONS);
    words.option("--select", &join_names(&run.select), "");
    words.option("--ignore", &join_names(&run.ignore), "");
    words.option("--severity", NamedValue::name_of(SEVERITIES, run.severity), DEFAULT_SEVERITY);
    words.number("--limit", run.limit);
    words.number("--sample", run.sample);
    words.number("--seed", Some(run.seed).filter(|seed| *seed != 0));
    words
}

fn join_names(all: &[NamedCodes]) -> String {
    let names: Vec<&str> = all.iter().map(|selector| selector.name.as_str()).collect();
    names.join(",")
}

/// Returns the words that name the inputs.
fn input_words(input: &InputArgs) -> Option<Words> {
    let mut words = Words::default();
    words.flag("--null", input.null);
    if let Some(list) = &input.files_from {
        // A list from standard input can't be read again.
        words.path("--files-from ", Some(list.as_path()).filter(|list| *list != Path::new("-"))?)?;
    }
    input.paths.iter().try_for_each(|path| words.path("", path))?;
    Some(words)
}

/// Returns the command which lists the errors of a run without findings, and the file that then
/// contains them.
///
/// Returns `None` for bare positions, because no such command reads them.
pub fn error_listing(input: &InputArgs, run: &RunArgs, count: Option<&CountArgs>) -> Option<ErrorListing> {
    if input.input_format == InputFormat::Positions {
        return None;
    }
    let mut selecting = selection_words(input, run).unwrap_or_default();
    selecting.0.retain(|word| !word.starts_with("--severity "));
    let inputs = input_words(input).map(|words| words.0.join(" "));
    let accusing = count.map(contradiction_options).unwrap_or_default();
    let (command, place) = match count {
        None => ("jigo check", ""),
        Some(_) if accusing.0.is_empty() => ("jigo check --results", ""),
        // Among the commands that list findings, only `report` has the options of counting.
        Some(_) => ("jigo report --out errors", " in errors/findings.csv"),
    };
    let words = [command.to_owned(), "--severity error".into()].into_iter();
    let words: Vec<String> = words.chain(accusing.0).chain(selecting.0).collect();
    let inputs = inputs.filter(|words| words.len() <= MAX_LINE_LENGTH);
    Some(ErrorListing { command: words.join(" "), inputs, place })
}

/// Returns the counting options that decide which results are contradicted: the sources of dead
/// stones, and the confidence that they need.
fn contradiction_options(count: &CountArgs) -> Words {
    let mut words = ending_words(&count.ending);
    let is_irrelevant = |word: &String| {
        word.starts_with("--komi ")
            || word.starts_with("--min-confidence ") && count.ending.min_confidence <= MIN_CONTRADICTION_CONFIDENCE
    };
    words.0.retain(|word| !is_irrelevant(word));
    // An engine may fail at any ending, which is a finding as well.
    words.flag("--all-endings", count.all_endings && count.ending.engine.is_some());
    words
}

/// Returns the options that decide how an ending is counted.
fn ending_words(ending: &EndingArgs) -> Words {
    let mut words = Words::default();
    words.option("--komi", &ending.komi, DEFAULT_KOMI);
    words.option("--dead", &ending.dead, &default_dead());
    words.option("--engine", ending.engine.as_deref().unwrap_or_default(), "");
    words.option("--engine-timeout", &ending.engine_timeout.to_string(), &ENGINE_TIMEOUT.to_string());
    words.option("--min-confidence", &ending.min_confidence.to_string(), &MIN_CONFIDENCE.to_string());
    words
}

/// Returns the options that decide which endings are counted and how.
fn counting_words(count: &CountArgs) -> String {
    let mut words = ending_words(&count.ending);
    words.flag("--all-endings", count.all_endings);
    words.0.join(" ")
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
                inputs(&counting.input, &counting.run, Some(&counting.count), &[]);
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
