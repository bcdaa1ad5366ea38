//! The options of the limits: how much of an input is taken in.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;

use super::args::whole;
use jigo_archive::source::archive::MAX_NESTING;
use jigo_core::sgf::Limits;

/// Limits of what is read from a source. Whatever goes beyond one is a finding that names the option.
#[derive(Args, Debug)]
pub struct SourceLimitArgs {
    /// Read no game larger than SIZE, which is bytes, or with k, M, G or T behind it, 1G at most: D006
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SIZE", default_value_t = Size(Limits::default().game), value_parser = game_size)]
    pub max_game: Size,
    /// Unpack no more than SIZE from an archive, wanted or not: I013, as for the next three
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SIZE", default_value_t = Size(Limits::default().unpacked))]
    pub max_unpacked: Size,
    /// Unpack no more than N files of an archive
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().members, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_members: u64,
    /// Give up an archive that unpacks to more than N times its size
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().ratio, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_ratio: u64,
    /// Unpack archives in archives N levels deep, 100 at most
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().nesting, value_parser = whole::<u32>(0..=u64::from(MAX_NESTING)))]
    pub max_nesting: u32,
    /// Give up an archive whose headers want more than SIZE of memory for a dictionary, a window or a list of files: I013
    ///
    /// What is kept to find games that are there twice goes to temporary files (TMPDIR) beyond SIZE.
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SIZE", default_value_t = Size(Limits::default().memory))]
    pub max_memory: Size,
}

/// Limits of what is taken of a game or a line.
#[derive(Args, Debug)]
pub struct GameLimitArgs {
    /// Replay a game up to its Nth node; with --variations all, the nodes of the whole tree count: L001
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().nodes, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_nodes: u64,
    /// Follow variations in variations N levels deep: L002
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().depth, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_depth: u64,
    /// Replay no more than N turns in all variations of a game together; a stone set up counts as a turn: D007
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().variation_turns, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_variation_turns: u64,
    /// Take no more than N points from the setup and markup of a game; rectangles such as aa:ss count by their points: L003
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().points, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_points: u64,
    /// Replay a game up to its Nth finding: L008
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "N", default_value_t = Limits::default().findings, value_parser = whole::<u64>(0..=u64::MAX))]
    pub max_findings: u64,
    /// Leave out properties longer than SIZE; comments beside turns may have any length: L004
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SIZE", default_value_t = Size(Limits::default().property))]
    pub max_property: Size,
    /// Keep SIZE of a text in the root, such as RU, RE or a name: L005
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SIZE", default_value_t = Size(Limits::default().text))]
    pub max_text: Size,
    /// Read no line of bare positions longer than SIZE: L006
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SIZE", default_value_t = Size(Limits::default().line))]
    pub max_line: Size,
    /// Work no longer than SECONDS on a game, such as 10 or 0.5, which makes rows depend on the machine; without it --max-variation-turns
    /// and the number of playouts bound the time: L007
    #[arg(long, help_heading = "Limits", hide_short_help = true, value_name = "SECONDS", value_parser = seconds)]
    pub max_game_time: Option<Duration>,
}

/// A size of a game: jigo keeps places within a game as numbers of 32 bits.
fn game_size(text: &str) -> Result<Size, String> {
    let size: Size = text.parse()?;
    let limits = Limits { game: size.0, ..Limits::default() };
    if limits.game() == size.0 { Ok(size) } else { Err(format!("a game has {} at most", Size(limits.game()))) }
}

/// A time in seconds, above 0.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "it takes seconds, such as 10 or 0.5".into())
}

impl SourceLimitArgs {
    /// What the options ask for, and the usual limits of a game.
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

/// The options that ask for another limit than the usual one, as words of a command line.
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

/// What the options ask for.
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

/// A number of bytes, written with a unit of 1024 where it is a multiple: `16M`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

/// The units with the bits that they stand for, largest first.
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
        number
            .map(Size)
            .ok_or_else(|| "a size is a number of bytes, or one with k, M, G or T behind it, such as 16M".into())
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
    fn game_larger_than_its_places_is_refused() {
        assert_eq!(game_size("1G"), Ok(Size(1 << 30)));
        for refused in ["1073741825", "2G", "1T"] {
            assert_eq!(game_size(refused).unwrap_err(), "a game has 1G at most", "{refused}");
        }
    }

    #[test]
    fn sizes_are_read_with_their_units_and_written_back() {
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
