//! The configuration of a run: values of options, the options as a caller sets them, and
//! [`RunConfig`] with all defaults.

pub mod values;
pub mod limits;
pub mod options;
pub mod table_options;
mod run_config;

pub use run_config::{InputSources, RunConfig};
