//! `--config` and `--no-config`, and the defaults that the configuration file gives to options.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Id};

use jigo_run::config::options::{CONFLICTS, REQUIREMENTS};
use jigo_run::config::toml_entries::LIMITS;
use jigo_run::config::{CONFIG_FILE, ConfigFile};

/// The identifier of `--config`.
const CONFIG: &str = "config";

/// The options for the configuration file.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Run")]
pub struct ConfigArgs {
    /// Read defaults of options, and expectations, from FILE instead of jigo.toml
    ///
    /// Without this option, the file is jigo.toml in the working directory or in the nearest folder
    /// above. Options on the command line replace its defaults. jigo config prints the result.
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().map(ConfigArg::unread))]
    pub config: Option<ConfigArg>,
    /// Do not look for jigo.toml
    #[arg(long)]
    pub no_config: bool,
}

/// The value of `--config`.
#[derive(Clone, Debug)]
pub struct ConfigArg {
    /// The path on the command line. `None` if the file was found.
    path: Option<PathBuf>,
    /// The file. `None` until it is read, which [`configured_matches`] does.
    file: Option<Arc<ConfigFile>>,
}

impl ConfigArg {
    fn unread(path: PathBuf) -> ConfigArg {
        ConfigArg { path: Some(path), file: None }
    }
}

impl ConfigArgs {
    /// Returns the configuration file.
    pub fn file(&self) -> Option<Arc<ConfigFile>> {
        self.config.as_ref()?.file.clone()
    }

    /// Returns the path of the file.
    pub fn file_path(&self) -> Option<&Path> {
        Some(Path::new(self.config.as_ref()?.file.as_ref()?.name()))
    }

    /// Returns the path on the command line. `None` if the file was found, or if there is none.
    pub fn path(&self) -> Option<&Path> {
        self.config.as_ref()?.path.as_deref()
    }
}

/// Parses a command line. Options that it lacks have the defaults of the configuration file.
///
/// # Errors
/// Fails with a [`clap::Error`] if the command line is wrong, and with a sentence if the file is.
pub fn configured_matches(command: Command, words: Vec<OsString>) -> Result<ArgMatches> {
    let command = command.mut_subcommands(with_relations);
    let matches = command.clone().try_get_matches_from(words.clone())?;
    let Some((name, own_matches)) = matches.subcommand() else { return Ok(matches) };
    let Some(own_command) = command.find_subcommand(name).filter(|command| has_option(command, CONFIG)) else {
        return Ok(matches);
    };
    let Some(arg) = config_arg(own_matches)? else { return Ok(matches) };
    let file = arg.file.clone().unwrap_or_default();
    let (name, mut words) = (name.to_owned(), words);
    let has_limits = has_option(own_command, LIMITS);
    if let Some(place) = words.iter().position(|word| *word == *name).filter(|_| has_limits) {
        // A limit on the command line replaces the same limit of the file, but no other.
        let of_limits = file.defaults().iter().filter(|default| default.key == LIMITS);
        let of_limits = of_limits.map(|default| OsString::from(format!("--max={}", default.value)));
        drop(words.splice(place + 1..=place, of_limits));
    }
    let command = command.mut_subcommand(&name, |command| {
        let parser = PathBufValueParser::new().map(move |_| arg.clone());
        with_defaults(command, &file, own_matches)
            .mut_arg(CONFIG, |option| option.value_parser(parser).default_value(CONFIG_FILE))
    });
    Ok(command.try_get_matches_from(words)?)
}

/// Returns a command whose options need and exclude each other as declared.
fn with_relations(mut command: Command) -> Command {
    for (option, others) in CONFLICTS {
        let others: Vec<Id> = others.iter().filter_map(|other| id_of(&command, other)).collect();
        if let Some(id) = id_of(&command, option) {
            command = command.mut_arg(id, |option| option.conflicts_with_all(others));
        }
    }
    for (option, needed) in REQUIREMENTS {
        if let Some((id, needed)) = id_of(&command, option).zip(id_of(&command, needed)) {
            command = command.mut_arg(id, |option| option.requires(needed));
        }
    }
    command
}

/// Returns the identifier of an option.
fn id_of(command: &Command, long: &str) -> Option<Id> {
    command.get_arguments().find(|option| option.get_long() == Some(long)).map(|option| option.get_id().clone())
}

/// Returns true if a command has the option with this identifier. [`ArgMatches`] knows the options
/// of its command only in development builds.
fn has_option(command: &Command, id: &str) -> bool {
    command.get_arguments().any(|option| option.get_id() == id)
}

/// Returns the value of `--config` with the file that it names or, without it, the file that is
/// found. Returns `None` if there is none.
fn config_arg(matches: &ArgMatches) -> Result<Option<ConfigArg>> {
    let named = matches.get_one::<ConfigArg>(CONFIG);
    if matches.get_flag("no_config") {
        return Ok(None);
    }
    let named_path = named.and_then(|arg| arg.path.clone());
    let path = match &named_path {
        Some(path) => Some(path.clone()),
        // A folder that no longer exists contains no file.
        None => std::env::current_dir().ok().map(|folder| ConfigFile::find(&folder)).transpose()?.flatten(),
    };
    let file = path.map(|path| ConfigFile::read(&path)).transpose()?;
    Ok(file.map(|file| ConfigArg { path: named_path, file: Some(Arc::new(file)) }))
}

/// Returns a command whose options have the defaults of the file, except for options that another
/// option on the command line replaces.
fn with_defaults(mut command: Command, file: &ConfigFile, matches: &ArgMatches) -> Command {
    for default in file.defaults().iter().filter(|default| default.key != LIMITS) {
        let is_replaced = default.is_replaced(|option| {
            has_option(&command, option) && matches.value_source(option) == Some(ValueSource::CommandLine)
        });
        if let Some(id) = id_of(&command, default.key).filter(|_| !is_replaced) {
            command = command.mut_arg(id, |option| option.default_value(file.argument(default)));
        }
    }
    command
}
