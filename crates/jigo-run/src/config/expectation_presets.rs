//! Expectations that jigo contains, for `jigo extract --preset`.

use anyhow::Result;

use crate::config::config_file::ConfigFile;
use crate::config::option_value::{NamedValue, NamedValues};

/// Expectations for a purpose.
#[derive(Debug, PartialEq, Eq)]
pub struct ExpectationPreset {
    /// The name.
    pub name: &'static str,
    /// The expectations as the text of a configuration file.
    pub text: &'static str,
}

static TRAINING: ExpectationPreset = ExpectationPreset { name: "training", text: include_str!("training.toml") };

impl NamedValues for &'static ExpectationPreset {
    const NAMES: &'static [NamedValue<&'static ExpectationPreset>] =
        &[NamedValue { name: "training", about: "Games between people, to train a network", value: &TRAINING }];
}

impl ExpectationPreset {
    /// Parses the expectations.
    ///
    /// # Errors
    /// Fails if the text is faulty, which no build's is.
    pub fn parse(&self) -> Result<ConfigFile> {
        ConfigFile::parse(&format!("--preset {}", self.name), self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_expectations_and_no_options() {
        for NamedValue { name, value, .. } in <&ExpectationPreset>::NAMES {
            let file = value.parse().unwrap();
            assert_eq!((*name, file.defaults().len()), (value.name, 0));
            assert!(!file.expectation_entries().is_empty());
        }
    }
}
