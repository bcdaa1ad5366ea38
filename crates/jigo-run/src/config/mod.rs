//! The configuration of a run: values of options, configuration files, the options as a caller sets
//! them, and [`RunConfig`] with all defaults.

pub mod values;
pub mod limits;
pub mod option_keys;
mod toml_entries;
mod config_file;
pub mod expectation_presets;
pub mod options;
pub mod table_options;
mod run_config;

pub use config_file::{CONFIG_FILE, ConfigFile};
pub use run_config::{InputSources, RunConfig};
pub use toml_entries::ExpectationEntry;
