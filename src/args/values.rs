//! The words that options accept, and those that a shell completes.

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use jigo_archive::formats::{FORMATS, Format};

/// The values of `--format` of `schema`.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum SchemaFormatArg {
    /// One line per column, for people
    Text,
    /// A JSON array with one object per table
    Json,
}

/// The values of `--format` of `show`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowFormatArg {
    /// Boards and sentences, for people
    Text,
    /// A picture that browsers show
    Svg,
    /// A picture as pixels
    Png,
    /// A JSON object, for programs
    Json,
}

/// The values of `--progress` and `--color`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenArg {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl WhenArg {
    /// Returns the choice of the user, or `None` if it depends on the terminal.
    pub fn choice(self) -> Option<bool> {
        match self {
            WhenArg::Auto => None,
            WhenArg::Always => Some(true),
            WhenArg::Never => Some(false),
        }
    }
}

/// Defines an option's values from the table of formats, with the names of all formats that meet a
/// condition.
macro_rules! formats {
    ($(#[$about:meta])* $name:ident($fits:expr)) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub Format);

        impl ValueEnum for $name {
            fn value_variants<'a>() -> &'a [Self] {
                static FITTING: LazyLock<Vec<$name>> = LazyLock::new(|| {
                    let fits: fn(Format) -> bool = $fits;
                    FORMATS.iter().filter(|format| fits(**format)).map(|format| $name(*format)).collect()
                });
                &FITTING
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                let named = self.0.properties();
                let value = PossibleValue::new(named.name).help(named.summary);
                // JSON lines are the only JSON of rows.
                Some(if self.0 == Format::Jsonl { value.alias("json") } else { value })
            }
        }
    };
}

formats! {
    /// The values of `--format`.
    FormatArg(|_| true)
}

formats! {
    /// The values of `--format` of commands whose rows are not findings.
    TableFormatArg(|format| !format.properties().findings_only)
}

#[cfg(feature = "columnar")]
formats! {
    /// The values of `--format` of tables that contain bytes.
    BinaryFormatArg(|format| format.is_binary())
}
