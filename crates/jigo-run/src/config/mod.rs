//! The configuration of a run: the options with their values, configuration files, the request of a
//! command, and [`RunConfig`] with all defaults.

pub mod option_value;
pub mod file_path;
pub mod limits;
pub mod values;
pub mod command_tables;
pub mod options;
pub mod option_texts;
pub mod toml_entries;
mod config_file;
pub mod expectation_presets;
pub mod run_request;
mod table_options;
mod run_config;

pub use config_file::{CONFIG_FILE, ConfigFile};
pub use run_config::{InputSources, RunConfig};
pub use toml_entries::ExpectationEntry;
