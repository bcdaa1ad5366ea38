//! Types for the values of options. Each type knows its texts, its range and its default, so the
//! command line, `jigo.toml` and keyword arguments accept the same values.

use std::fmt;
use std::ops::{Deref, RangeInclusive};
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use jigo_rules::suggestions::{similar_words, suggestion};

/// A type of the values of an option.
pub trait OptionValue: Clone + Send + Sync + Sized + 'static {
    /// True if [`words`](OptionValue::words) lists all values.
    const IS_CLOSED: bool = false;

    /// Parses a value as typed after the option.
    ///
    /// # Errors
    /// Returns a sentence with the possible values.
    fn parse(text: &str) -> Result<Self, String>;

    /// Returns the text of the default.
    fn default_text() -> String {
        String::new()
    }

    /// Returns words that shells complete, with their meanings.
    fn words() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
}

/// A value with its name and its meaning, for help texts.
pub struct NamedValue<T: 'static> {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) value: T,
}

/// Values with names.
pub trait NamedValues: Copy + Send + Sync + 'static {
    /// All values.
    const NAMES: &'static [NamedValue<Self>];
    /// The name of the default.
    const DEFAULT: &'static str = Self::NAMES[0].name;
}

/// Defines an enumeration whose values have names, or gives names to the values of an existing one.
/// The first value is the default, unless another name follows `=`.
macro_rules! named_values {
    ($(#[$about:meta])* pub enum $type:ident { $($variant:ident $name:literal $meaning:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $(#[doc = $meaning] $variant,)*
        }

        named_values!($type { $($variant $name $meaning,)* });
    };
    ($type:ident $(= $default:literal)? { $($(#[$cfg:meta])? $variant:ident $name:literal $meaning:literal,)* }) => {
        impl NamedValues for $type {
            const NAMES: &'static [NamedValue<$type>] =
                &[$($(#[$cfg])? NamedValue { name: $name, about: $meaning, value: $type::$variant }),*];
            $(const DEFAULT: &'static str = $default;)?
        }
    };
}
pub(crate) use named_values;

impl<T: NamedValues> OptionValue for T {
    const IS_CLOSED: bool = true;

    fn parse(text: &str) -> Result<T, String> {
        T::NAMES.iter().find(|entry| entry.name == text).map(|entry| entry.value).ok_or_else(|| {
            let names: Vec<&str> = T::NAMES.iter().map(|value| value.name).collect();
            let similar = suggestion(&similar_words(text, names.iter().copied()));
            format!("it is one of {}, not '{text}'{similar}", names.join(", "))
        })
    }

    fn default_text() -> String {
        T::DEFAULT.into()
    }

    fn words() -> Vec<(&'static str, &'static str)> {
        T::NAMES.iter().map(|value| (value.name, value.about)).collect()
    }
}

/// A value of an option with the text that sets it.
#[derive(Clone)]
pub struct Typed<T> {
    text: String,
    value: T,
}

impl<T> Deref for Typed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: OptionValue> FromStr for Typed<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Typed<T>, String> {
        Ok(Typed { value: T::parse(text)?, text: text.to_owned() })
    }
}

impl<T: OptionValue> Default for Typed<T> {
    #[expect(clippy::expect_used, reason = "the test `defaults_are_valid` parses the default of every option")]
    fn default() -> Typed<T> {
        T::default_text().parse().expect("a valid default")
    }
}

impl<T> fmt::Display for Typed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<T> fmt::Debug for Typed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl<T> Serialize for Typed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de, T: OptionValue> Deserialize<'de> for Typed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Typed<T>, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A whole number from MIN to MAX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer<const MIN: u64, const MAX: u64, const DEFAULT: u64 = 0>(pub u64);

/// A whole number from 1.
pub type Count<const DEFAULT: u64 = 1> = Integer<1, { u64::MAX }, DEFAULT>;

impl<const MIN: u64, const MAX: u64, const DEFAULT: u64> OptionValue for Integer<MIN, MAX, DEFAULT> {
    fn parse(text: &str) -> Result<Self, String> {
        integer_parser(MIN..=MAX)(text).map(Integer)
    }

    fn default_text() -> String {
        DEFAULT.to_string()
    }
}

/// Returns a parser for whole numbers in a range. Its error names the range.
pub fn integer_parser<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text: &str| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        let is_large = text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_digit());
        number.ok_or_else(|| match (range.start(), range.end()) {
            (_, &u64::MAX) if is_large => format!("it takes a whole number, {} at most", u64::MAX),
            (min, &u64::MAX) => format!("it takes a whole number, {min} or more"),
            (min, max) => format!("it takes a whole number from {min} to {max}"),
        })
    }
}

/// Lists of values whose texts are separated by commas.
pub(super) mod list {
    use super::{Deserialize, Deserializer, OptionValue, Serializer, Typed};
    use serde::de::Error as _;

    pub(crate) fn serialize<T, S: Serializer>(values: &[Typed<T>], serializer: S) -> Result<S::Ok, S::Error> {
        let texts: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
        serializer.serialize_str(&texts.join(","))
    }

    pub(crate) fn deserialize<'de, T: OptionValue, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Typed<T>>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.split(',').map(|value| value.parse().map_err(D::Error::custom)).collect()
    }
}

/// The parsers of the command line.
#[cfg(feature = "cli")]
pub mod cli {
    use std::ffi::OsStr;

    use clap::builder::{
        PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser, ValueParser, ValueParserFactory,
    };
    use clap::{Arg, Command, Error};

    use super::{OptionValue, Typed};

    /// A parser that accepts any text. Shells complete the words, which are those of
    /// [`OptionValue::words`] or in the same form. Options with it hide their
    /// possible values in the help, because other values are possible.
    #[derive(Clone)]
    pub struct OfferedValues(pub fn() -> Vec<(&'static str, &'static str)>);

    impl TypedValueParser for OfferedValues {
        type Value = String;

        fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
            StringValueParser::new().parse_ref(command, arg, value)
        }

        fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
            let values = possible_values((self.0)());
            // Help texts would list the values of an option without words as well.
            if values.is_empty() { None } else { Some(Box::new(values.into_iter())) }
        }
    }

    impl<T: OptionValue> ValueParserFactory for Typed<T> {
        type Parser = ValueParser;

        fn value_parser() -> ValueParser {
            let parse = |text: String| text.parse::<Typed<T>>();
            match T::IS_CLOSED {
                true => PossibleValuesParser::new(possible_values(T::words())).try_map(parse).into(),
                false => OfferedValues(T::words).try_map(parse).into(),
            }
        }
    }

    fn possible_values(words: Vec<(&'static str, &'static str)>) -> Vec<PossibleValue> {
        let words = words.into_iter().map(|(word, about)| match about {
            "" => PossibleValue::new(word),
            about => PossibleValue::new(word).help(about),
        });
        words.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_text_and_name_their_range() {
        let number: Typed<Integer<1, 9>> = "007".parse().unwrap();
        assert_eq!((number.0, number.to_string()), (7, "007".into()));
        for (text, range) in [("10", "from 1 to 9"), ("-1", "from 1 to 9"), ("", "from 1 to 9")] {
            assert!("10".parse::<Typed<Integer<1, 9>>>().unwrap_err().ends_with(range), "{text}");
        }
        assert_eq!(Count::<1>::parse("0").unwrap_err(), "it takes a whole number, 1 or more");
    }
}
