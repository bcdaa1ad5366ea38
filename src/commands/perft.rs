//! `jigo perft`: counts of legal turn sequences.

use std::io::{self, Write};

use anyhow::{Context, Result, bail};

use crate::turn_sequences::{complete_games, sequences};
use clap::{ArgGroup, Args};
use jigo_rules::board::BoardSize;
use jigo_rules::select::{Choice, select};
use jigo_run::process::Exit;

use crate::args::{OfferedValues, examples};
use jigo_run::config::option_value::integer_parser;
use jigo_run::config::values::presets;

/// Count legal turn sequences on an empty board, to verify the referee
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("counted").args(["depth", "games"]).required(true))]
#[command(after_help = examples!(
    "jigo perft 2x2 --depth 8 --rules aga" "turn sequences of 1 to 8 turns"
    "jigo perft 1x3 --games" "complete games"
))]
pub struct PerftArgs {
    /// Set the board: columns x rows, such as 2x3
    #[arg(value_name = "WxH")]
    pub size: String,
    /// Count sequences of 1 to N turns; print length and count in one line each
    // The recursion is N levels deep. A larger N would have more sequences than a run can count.
    #[arg(long, value_name = "N", value_parser = integer_parser::<u64>(0..=1000))]
    pub depth: Option<u64>,
    /// Count complete games, which end with two passes
    #[arg(long)]
    pub games: bool,
    /// Set the ruleset: a name or axes
    #[arg(long, value_name = "R", default_value = "tromp-taylor", value_parser = OfferedValues(presets), hide_possible_values = true)]
    pub rules: String,
}

/// Prints the number of legal turn sequences of each length, or of complete games.
///
/// # Errors
/// Fails if the board or the ruleset is invalid, or if games may be endless under it.
pub fn perft(args: &PerftArgs) -> Result<Exit> {
    let size = board_size(&args.size)
        .with_context(|| format!("'{}' is not a board size; give columns x rows, such as 2x3", args.size))?;
    let rulesets = select(&args.rules).context("--rules")?;
    let [Choice::Fixed(ruleset)] = rulesets.as_slice() else { bail!("--rules takes one ruleset here") };
    let mut out = io::stdout().lock();
    if let Some(depth) = args.depth {
        for (index, count) in sequences(size, &ruleset.axes, depth as usize).iter().enumerate() {
            writeln!(out, "{} {count}", index + 1)?;
        }
        return Ok(Exit::Clean);
    }
    match complete_games(size, &ruleset.axes) {
        Some(games) => writeln!(out, "{games}")?,
        None => {
            bail!("under {} games need not end: complete games can be counted with a superko rule only", ruleset.name)
        }
    }
    Ok(Exit::Clean)
}

fn board_size(text: &str) -> Option<BoardSize> {
    let (width, height) = text.split_once(['x', 'X'])?;
    BoardSize::new(width.parse().ok()?, height.parse().ok()?)
}
