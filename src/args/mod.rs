//! The options that commands share, as typed.

pub mod examples;
mod completion;
pub mod limits;
mod values;
mod groups;

use std::ops::RangeInclusive;

pub use completion::{NamedCodes, OfferedValues, codes, presets, tables};

pub use groups::{
    BaselineArgs, CountArgs, CountingArgs, EndingArgs, InputArgs, JudgingArgs, MIN_CONFIDENCE, OutputArgs, RunArgs,
    default_dead,
};
#[cfg(feature = "columnar")]
pub use values::BinaryFormatArg;
pub use values::{
    FormatArg, InputFormatArg, ListArg, OnIllegalArg, SchemaFormatArg, ScoreTableArg, SeverityArg, ShowFormatArg,
    TableArg, TableFormatArg, VariationsArg, WhenArg,
};

/// Returns a parser for whole numbers in a range. Its error names the range.
pub fn whole<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text: &str| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        let is_large = text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_digit());
        number.ok_or_else(|| match (range.start(), range.end()) {
            (_, &u64::MAX) if is_large => format!("it takes a whole number, {} at most", u64::MAX),
            (least, &u64::MAX) => format!("it takes a whole number, {least} or more"),
            (least, most) => format!("it takes a whole number from {least} to {most}"),
        })
    }
}
