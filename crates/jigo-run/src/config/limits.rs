//! The limits on the input, which `--max NAME=VALUE` sets: their table, and the sizes in their
//! values.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::config::option_value::{Typed, integer_parser};
use jigo_archive::source::archive::MAX_NESTING;
use jigo_record::finding::Code;
use jigo_record::sgf::Limits;
use jigo_rules::suggestions::{similar_words, suggestion};

/// The part of the work that a limit applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitScope {
    /// Reading a source.
    Source,
    /// Reading and replaying a game or a line.
    Game,
}

/// The field of a limit, with the unit of its values.
#[derive(Clone, Copy, Debug)]
enum LimitField {
    Bytes(fn(&mut Limits) -> &mut u64),
    Count(fn(&mut Limits) -> &mut u64),
    Levels(fn(&mut Limits) -> &mut u32),
    Seconds(fn(&mut Limits) -> &mut Option<Duration>),
}

use LimitField::{Bytes, Count, Levels, Seconds};

/// A limit on the input.
#[derive(Debug)]
pub struct Limit {
    /// The name in `--max NAME=VALUE`, followed by `=`, as shells complete it.
    pub prefix: &'static str,
    /// The part of the work that the limit applies to.
    pub scope: LimitScope,
    /// The finding that reports an excess.
    pub code: Code,
    /// The effect, as a sentence about the value.
    pub what: &'static str,
    field: LimitField,
}

/// Defines a row of the table.
macro_rules! limit {
    ($scope:ident $name:literal $code:ident $what:literal $unit:ident($field:ident)) => {
        Limit {
            prefix: concat!($name, "="),
            scope: LimitScope::$scope,
            code: Code::$code,
            what: $what,
            field: $unit(|limits| &mut limits.$field),
        }
    };
}

/// All limits.
pub static LIMITS: [Limit; 15] = [
    limit!(Source "game" OversizedGame "Skip games larger than SIZE, 1G at most" Bytes(game)),
    limit!(Source "unpacked" ArchiveLimit "Unpack at most SIZE from an archive, including files that are not selected" Bytes(unpacked)),
    limit!(Source "members" ArchiveLimit "Unpack at most N files from an archive" Count(members)),
    limit!(Source "ratio" ArchiveLimit "Stop reading an archive that unpacks to more than N times its size" Count(ratio)),
    limit!(Source "nesting" ArchiveLimit "Unpack archives in archives up to N levels deep, 100 at most" Levels(nesting)),
    limit!(Source "memory" ArchiveLimit "Reject an archive whose headers request more than SIZE of memory for a dictionary, a window or a list of files; beyond SIZE, the search for duplicates uses temporary files (TMPDIR)" Bytes(memory)),
    limit!(Game "nodes" TooManyNodes "Replay at most N nodes of a game, or of its whole tree with --variations all" Count(nodes)),
    limit!(Game "depth" DeepVariations "Follow variations up to N levels deep" Count(depth)),
    limit!(Game "variation-turns" TooManyVariations "Replay at most N turns in all variations of a game together; each setup stone counts as a turn" Count(variation_turns)),
    limit!(Game "points" TooManyPoints "Use at most N points from the setup and markup of a game; a rectangle such as aa:ss counts as its points" Count(points)),
    limit!(Game "findings" TooManyFindings "Stop replaying a game after more than N findings" Count(findings)),
    limit!(Game "property" LongProperty "Skip properties longer than SIZE; comments of turns may have any length" Bytes(property)),
    limit!(Game "text" LongText "Keep at most SIZE of a text in the root, such as RU, RE or a name" Bytes(text)),
    limit!(Game "line" LongLine "Skip lines of bare positions longer than SIZE" Bytes(line)),
    limit!(Game "game-time" SlowGame "Spend at most SECONDS on a game, such as 10 or 0.5, which makes rows depend on the machine; by default, variation-turns and the number of playouts limit the time" Seconds(game_time)),
];

impl Limit {
    /// Returns the name in `--max NAME=VALUE`.
    pub fn name(&self) -> &'static str {
        self.prefix.trim_end_matches('=')
    }

    /// Returns true if the limit applies to reading a source.
    pub fn is_of_sources(&self) -> bool {
        self.scope == LimitScope::Source
    }

    /// Returns the word for the value in help texts.
    pub fn unit(&self) -> &'static str {
        match self.field {
            Bytes(_) => "SIZE",
            Count(_) | Levels(_) => "N",
            Seconds(_) => "SECONDS",
        }
    }

    /// Returns the default as text.
    pub fn default_text(&self) -> String {
        self.value(&mut Limits::default()).unwrap_or_else(|| "off".into())
    }

    /// Returns the value in these limits as it is typed. `None` if the limit is off.
    fn value(&self, limits: &mut Limits) -> Option<String> {
        match self.field {
            Bytes(field) => Some(Size(*field(limits)).to_string()),
            Count(field) => Some(field(limits).to_string()),
            Levels(field) => Some(field(limits).to_string()),
            Seconds(field) => field(limits).map(|time| time.as_secs_f64().to_string()),
        }
    }

    /// Sets the value in these limits.
    ///
    /// # Errors
    /// Returns a sentence with the possible values.
    fn set(&self, limits: &mut Limits, text: &str) -> Result<(), String> {
        match self.field {
            Bytes(field) => *field(limits) = text.parse::<Size>()?.0,
            Count(field) => *field(limits) = integer_parser(0..=u64::MAX)(text)?,
            Levels(field) => *field(limits) = integer_parser(0..=u64::from(MAX_NESTING))(text)?,
            Seconds(field) => *field(limits) = Some(seconds(text)?),
        }
        // Offsets within a game have 32 bits, which limits its size.
        let max_bytes = limits.game();
        if limits.game == max_bytes { Ok(()) } else { Err(format!("a game has {} at most", Size(max_bytes))) }
    }
}

/// Parses a time in seconds, above 0.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "it takes seconds, such as 10 or 0.5".into())
}

/// A value of `--max`.
#[derive(Clone, Debug)]
pub struct LimitSetting {
    limit: &'static Limit,
    value: String,
}

impl LimitSetting {
    /// Parses `NAME=VALUE`, for the limits that a command has.
    ///
    /// # Errors
    /// Returns a sentence with the possible names or values.
    pub fn parse(text: &str, is_offered: impl Fn(&Limit) -> bool) -> Result<LimitSetting, String> {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let names: Vec<&str> = LIMITS.iter().filter(|limit| is_offered(limit)).map(Limit::name).collect();
        let limit = LIMITS.iter().find(|limit| limit.name() == name && is_offered(limit)).ok_or_else(|| {
            let similar = suggestion(&similar_words(name, names.iter().copied()));
            format!("there is no limit '{name}'{similar}; there are {}", names.join(", "))
        })?;
        let value = value.ok_or_else(|| format!("the value is missing: write {}{}", limit.prefix, limit.unit()))?;
        limit.set(&mut Limits::default(), value).map_err(|reason| format!("{name}: {reason}"))?;
        Ok(LimitSetting { limit, value: value.to_owned() })
    }
}

/// Returns the limits of these options. The last value of a limit applies.
pub fn limits(settings: &[Typed<LimitSetting>]) -> Limits {
    let mut limits = Limits::default();
    for setting in settings {
        // `parse` has set this value successfully before.
        let _ = setting.limit.set(&mut limits, &setting.value);
    }
    limits
}

/// Returns the limits that differ from their defaults, each as `NAME=VALUE`.
pub fn changed_limits(settings: &[Typed<LimitSetting>]) -> Vec<String> {
    let (mut limits, mut defaults) = (limits(settings), Limits::default());
    let changed = LIMITS.iter().filter_map(|limit| {
        let value = limit.value(&mut limits).filter(|value| Some(value) != limit.value(&mut defaults).as_ref())?;
        Some(format!("{}{value}", limit.prefix))
    });
    changed.collect()
}

/// A number of bytes. Multiples of 1024 are displayed with a unit: `16M`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

/// The units with their powers of two, largest first.
const UNITS: [(char, u32); 4] = [('T', 40), ('G', 30), ('M', 20), ('k', 10)];

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let unit = UNITS
            .iter()
            .find(|(letter, _)| text.ends_with([*letter, letter.to_ascii_lowercase(), letter.to_ascii_uppercase()]));
        let digits = if unit.is_some() { &text[..text.len() - 1] } else { text };
        let bits = unit.map_or(0, |(_, bits)| *bits);
        let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << bits));
        number.map(Size).ok_or_else(|| "a size is a number of bytes, or ends with k, M, G or T, such as 16M".into())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.iter().find(|(_, bits)| self.0 != 0 && self.0.trailing_zeros() >= *bits) {
            Some((letter, bits)) => write!(f, "{}{letter}", self.0 >> bits),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Typed<LimitSetting>, String> {
        text.parse()
    }

    #[test]
    fn game_larger_than_32_bit_offsets_is_refused() {
        assert_eq!(limits(&[parse("game=1G").unwrap()]).game, 1 << 30);
        for refused in ["1073741825", "2G", "1T"] {
            let error = parse(&format!("game={refused}")).unwrap_err();
            assert_eq!(error, "game: a game has 1G at most", "{refused}");
        }
    }

    #[test]
    fn last_value_of_a_limit_applies() {
        let settings = ["nodes=5", "text=1k", "nodes=7", "game-time=0.5"].map(|text| parse(text).unwrap());
        assert_eq!(changed_limits(&settings), ["nodes=7", "text=1k", "game-time=0.5"]);
        assert!(changed_limits(&[parse("nodes=1000000").unwrap()]).is_empty());
        let limits = limits(&settings);
        assert_eq!((limits.nodes, limits.text), (7, 1024));
    }

    #[test]
    fn every_limit_is_repeated_in_commands() {
        let value = |limit: &Limit| format!("{}{}", limit.prefix, if limit.unit() == "SIZE" { "3k" } else { "3" });
        for limit in &LIMITS {
            assert_eq!(changed_limits(&[parse(&value(limit)).unwrap()]), [value(limit)]);
        }
        let several: Vec<Typed<LimitSetting>> = LIMITS.iter().map(|limit| parse(&value(limit)).unwrap()).collect();
        assert_eq!(changed_limits(&several).len(), LIMITS.len());
    }

    #[test]
    fn mistakes_name_the_possible_limits() {
        let error = parse("node=5").unwrap_err();
        assert!(
            error.starts_with("there is no limit 'node' (did you mean nodes?); there are game, unpacked,"),
            "{error}"
        );
        assert_eq!(parse("nodes").unwrap_err(), "the value is missing: write nodes=N");
        assert_eq!(parse("nodes=1e6").unwrap_err(), "nodes: it takes a whole number, 0 or more");
        assert_eq!(parse("nesting=101").unwrap_err(), "nesting: it takes a whole number from 0 to 100");
        let error = LimitSetting::parse("nodes=5", Limit::is_of_sources).unwrap_err();
        assert!(error.ends_with("there are game, unpacked, members, ratio, nesting, memory"), "{error}");
    }

    #[test]
    fn sizes_with_units_are_parsed_and_displayed() {
        for (text, bytes, display) in [
            ("0", 0, "0"),
            ("1000", 1000, "1000"),
            ("4k", 4096, "4k"),
            ("4096", 4096, "4k"),
            ("16m", 16 << 20, "16M"),
            ("64G", 64 << 30, "64G"),
            ("3T", 3 << 40, "3T"),
        ] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
            assert_eq!(Size(bytes).to_string(), display);
        }
        for invalid in ["", "k", "-1", "1.5M", "16MB", "99999999T", "1 k"] {
            assert!(invalid.parse::<Size>().is_err(), "{invalid}");
        }
    }
}
