//! The options for limits on the input.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;

use crate::args::whole;
use jigo_archive::source::archive::MAX_NESTING;
use jigo_record::sgf::Limits;

/// Limits on reading a source. Exceeding a limit is a finding that names the option.
#[derive(Args, Debug)]
pub struct SourceLimitArgs {
    /// Skip games larger than SIZE, which is in bytes or ends with k, M, G or T, 1G at most: D006
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SIZE", default_value_t = Size(Limits::default().game), value_parser = game_size)]
    pub max_game: Size,
    /// Unpack at most SIZE from an archive, including unselected files: I013, as for the next three
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SIZE", default_value_t = Size(Limits::default().unpacked))]
    pub max_unpacked: Size,
    /// Unpack at most N files from an archive
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().members, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_members: u64,
    /// Give up an archive that unpacks to more than N times its size
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().ratio, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_ratio: u64,
    /// Unpack archives in archives up to N levels deep, 100 at most
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().nesting, value_parser = whole::<u32>(0..=u64::from(MAX_NESTING)))]
    pub max_nesting: u32,
    /// Give up an archive whose headers request more than SIZE of memory for a dictionary, a window
    /// or a list of files: I013
    ///
    /// Beyond SIZE, the search for duplicates uses temporary files (TMPDIR).
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SIZE", default_value_t = Size(Limits::default().memory))]
    pub max_memory: Size,
}

/// Limits on reading a game or a line.
#[derive(Args, Debug)]
pub struct GameLimitArgs {
    /// Replay at most N nodes of a game; with --variations all, count the nodes of the whole tree:
    /// L001
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().nodes, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_nodes: u64,
    /// Follow variations up to N levels deep: L002
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().depth, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_depth: u64,
    /// Replay at most N turns in all variations of a game together; each setup stone counts as a
    /// turn: D007
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().variation_turns, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_variation_turns: u64,
    /// Use at most N points from the setup and markup of a game; a rectangle such as aa:ss counts
    /// as its points: L003
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().points, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_points: u64,
    /// Stop replaying a game at its Nth finding: L008
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().findings, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_findings: u64,
    /// Skip properties longer than SIZE; comments beside turns may have any length: L004
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SIZE", default_value_t = Size(Limits::default().property))]
    pub max_property: Size,
    /// Keep at most SIZE of a text in the root, such as RU, RE or a name: L005
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SIZE", default_value_t = Size(Limits::default().text))]
    pub max_text: Size,
    /// Skip lines of bare positions longer than SIZE: L006
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SIZE", default_value_t = Size(Limits::default().line))]
    pub max_line: Size,
    /// Spend at most SECONDS on a game, such as 10 or 0.5, which makes rows depend on the machine;
    /// without it, --max-variation-turns and the number of playouts limit the time: L007
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SECONDS", value_parser = seconds)]
    pub max_game_time: Option<Duration>,
}

/// Parses the size of a game. Offsets within a game have 32 bits, which limits the size.
fn game_size(text: &str) -> Result<Size, String> {
    let size: Size = text.parse()?;
    let limits = Limits { game: size.0, ..Limits::default() };
    if limits.game() == size.0 { Ok(size) } else { Err(format!("a game has {} at most", Size(limits.game()))) }
}

/// Parses a time in seconds, above 0.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "it takes seconds, such as 10 or 0.5".into())
}

impl SourceLimitArgs {
    /// Returns the limits of these options, with the default limits for games.
    pub fn limits(&self) -> Limits {
        Limits {
            game: self.max_game.0,
            unpacked: self.max_unpacked.0,
            members: self.max_members,
            ratio: self.max_ratio,
            nesting: self.max_nesting,
            memory: self.max_memory.0,
            ..Limits::default()
        }
    }
}

/// Returns the options that differ from their defaults, as words of a command line.
pub fn unusual(source: &SourceLimitArgs, game: &GameLimitArgs) -> Vec<String> {
    let usual = Limits::default();
    let size = |given: Size, usual: u64| (given.0 != usual).then(|| given.to_string());
    let number = |given: u64, usual: u64| (given != usual).then(|| given.to_string());
    let all = [
        ("--max-game", size(source.max_game, usual.game)),
        ("--max-unpacked", size(source.max_unpacked, usual.unpacked)),
        ("--max-members", number(source.max_members, usual.members)),
        ("--max-ratio", number(source.max_ratio, usual.ratio)),
        ("--max-nesting", number(source.max_nesting.into(), usual.nesting.into())),
        ("--max-memory", size(source.max_memory, usual.memory)),
        ("--max-nodes", number(game.max_nodes, usual.nodes)),
        ("--max-depth", number(game.max_depth, usual.depth)),
        ("--max-variation-turns", number(game.max_variation_turns, usual.variation_turns)),
        ("--max-points", number(game.max_points, usual.points)),
        ("--max-findings", number(game.max_findings, usual.findings)),
        ("--max-property", size(game.max_property, usual.property)),
        ("--max-text", size(game.max_text, usual.text)),
        ("--max-line", size(game.max_line, usual.line)),
        ("--max-game-time", game.max_game_time.map(|time| time.as_secs_f64().to_string())),
    ];
    all.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", value?))).collect()
}

/// Returns the limits of these options.
pub fn limits(source: &SourceLimitArgs, game: &GameLimitArgs) -> Limits {
    Limits {
        nodes: game.max_nodes,
        depth: game.max_depth,
        variation_turns: game.max_variation_turns,
        points: game.max_points,
        findings: game.max_findings,
        property: game.max_property.0,
        text: game.max_text.0,
        line: game.max_line.0,
        game_time: game.max_game_time,
        ..source.limits()
    }
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

    #[test]
    fn game_larger_than_32_bit_offsets_is_refused() {
        assert_eq!(game_size("1G"), Ok(Size(1 << 30)));
        for refused in ["1073741825", "2G", "1T"] {
            assert_eq!(game_size(refused).unwrap_err(), "a game has 1G at most", "{refused}");
        }
    }

    #[test]
    fn sizes_with_units_are_parsed_and_displayed() {
        for (text, bytes, written) in [
            ("0", 0, "0"),
            ("1000", 1000, "1000"),
            ("4k", 4096, "4k"),
            ("4096", 4096, "4k"),
            ("16m", 16 << 20, "16M"),
            ("64G", 64 << 30, "64G"),
            ("3T", 3 << 40, "3T"),
        ] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
            assert_eq!(Size(bytes).to_string(), written);
        }
        for wrong in ["", "k", "-1", "1.5M", "16MB", "99999999T", "1 k"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }
}
