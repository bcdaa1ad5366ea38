//! `jigo rules`: a table of the rulesets, or the description of one.

use std::io::{self, Write};

use anyhow::{Result, bail};

use clap::Args;
use jigo_rules::presets::{Preset, PresetGroup, SourceQuality};
use jigo_rules::ruleset::{Axes, Button, HandicapBonus, Scoring, TerritoryReading, Tie};
use jigo_rules::select::{Choice, select};
use jigo_run::process::Exit;

use crate::args::{OfferedValues, examples};
use jigo_run::config::values::presets;

/// List the rulesets, or describe one with its source
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo rules" "the rulesets as a table"
    "jigo rules nz" "one of them in words, with its source"
    "jigo rules aga,scoring=territory" "a ruleset of your own"
))]
pub struct RulesArgs {
    /// Describe this ruleset
    #[arg(value_parser = OfferedValues(presets), hide_possible_values = true)]
    pub name: Option<String>,
}

/// Prints the table, or describes one ruleset.
///
/// # Errors
/// Fails if there is no such ruleset, or standard output can't be written.
pub fn rules(args: &RulesArgs) -> Result<Exit> {
    let mut out = io::stdout().lock();
    match args.name.as_deref() {
        None => table(&mut out)?,
        Some(name) => match select(name)?.as_slice() {
            [Choice::Fixed(ruleset)] => match Preset::find(&ruleset.name) {
                Some(preset) => explain(&mut out, preset)?,
                None => {
                    writeln!(out, "{}\n", ruleset.name)?;
                    axes(&mut out, &ruleset.axes)?;
                }
            },
            _ => bail!("jigo rules explains one ruleset at a time; recorded differs from record to record"),
        },
    }
    Ok(Exit::Clean)
}

fn table(out: &mut impl Write) -> io::Result<()> {
    row(out, ["ruleset", "repetition", "suicide", "scoring", "territory", "komi", "hcap", "bonus", "title"])?;
    for (group, title) in PresetGroup::ALL {
        writeln!(out, "\n{title}:")?;
        group.presets().try_for_each(|preset| preset_row(out, preset))?;
    }
    writeln!(out, "\nhcap is komi with two handicap stones or more; bonus goes to White for n handicap stones.")?;
    writeln!(out, "jigo rules NAME explains one, with its source.")
}

fn row(out: &mut impl Write, cells: [&str; 9]) -> io::Result<()> {
    let [name, repetition, suicide, scoring, territory, komi, handicap, bonus, title] = cells;
    write!(out, "{name:<20} {repetition:<10} {suicide:<8} {scoring:<12} {territory:<12} ")?;
    writeln!(out, "{komi:>5} {handicap:>5} {bonus:<5}  {title}")
}

fn preset_row(out: &mut impl Write, Preset { name, axes, title, .. }: &Preset) -> io::Result<()> {
    let (repetition, suicide) = (axes.repetition.name(), axes.suicide.name());
    let (scoring, bonus) = (axes.scoring.name(), axes.handicap_bonus.name());
    let (komi, handicap) = (axes.komi_even.to_string(), axes.komi_handicap.to_string());
    row(out, [name, repetition, suicide, scoring, axes.territory.name(), &komi, &handicap, bonus, title])
}

fn explain(out: &mut impl Write, preset: &Preset) -> io::Result<()> {
    writeln!(out, "{}: {}\n", preset.name, preset.title)?;
    axes(out, &preset.axes)?;
    if !preset.territory.is_empty() {
        writeln!(out, "  {:<11}  {}: {}.", "Territory", preset.axes.territory.name(), preset.territory)?;
    }
    let (nearest, difference) = preset.nearest;
    writeln!(out, "  {:<11}  {nearest}: {difference}.", "Nearest")?;
    for (index, reading) in preset.interpretations.iter().enumerate() {
        writeln!(out, "  {:<11}  {reading}.", if index == 0 { "Our reading" } else { "" })?;
    }
    let confidence = match preset.source_quality {
        SourceQuality::Primary => "primary text or source code read",
        SourceQuality::Secondary => "secondary source read",
    };
    writeln!(out, "  {:<11}  {} ({confidence}).", "Source", preset.source)
}

fn axes(out: &mut impl Write, axes: &Axes) -> io::Result<()> {
    let line = |out: &mut dyn Write, subject: &str, text: &str| writeln!(out, "  {subject:<11}  {text}.");
    line(out, "Repetition", axes.repetition.description())?;
    line(out, "Cycles", axes.long_cycle.description())?;
    line(out, "Suicide", axes.suicide.description())?;
    line(out, "Count", &count(axes))?;
    line(out, "Dead stones", axes.dead_stones.description())?;
    line(out, "Komi", &komi(axes))?;
    line(out, "Handicap", &handicap(axes))?;
    line(out, "End", &format!("{}; {}", axes.end.description(), axes.resumption.description()))
}

fn count(axes: &Axes) -> String {
    let mut text = axes.scoring.description().to_owned();
    text.push_str(match (axes.territory, axes.scoring) {
        (_, Scoring::GroupTax) => "; eyes in seki do not count",
        (TerritoryReading::EveryRegion, Scoring::TerritoryTax) => {
            "; eyes in seki do not count, points still to fill do"
        }
        (TerritoryReading::EveryRegion, _) => "; eyes in seki count",
        (_, Scoring::Area) => "; eyes in seki do not count",
        (TerritoryReading::NoSeki, _) => "; eyes in seki do not count, points still to fill do",
        (TerritoryReading::Goscorer, _) => "; neither eyes in seki nor points still to fill count",
        (TerritoryReading::Kgs, _) => {
            "; neither eyes in seki nor points still to fill count, and no gap separates stones"
        }
    });
    if axes.white_last {
        text.push_str("; White takes the last turn, passing once more if need be");
    }
    if axes.empty_board_counts {
        text.push_str("; on an empty board both players score every point");
    }
    text.push_str(match axes.button {
        Button::None => "",
        Button::HalfPoint => "; half a point to the first player who passes, which allows earlier positions again",
        Button::Komi => "; komi is half a point less when Black passes first, half a point more when White does",
    });
    text
}

fn komi(axes: &Axes) -> String {
    let tie = if axes.tie == Tie::Black { "; Black wins ties" } else { "" };
    format!("{}, with handicap {}, where the record has none{tie}", axes.komi_even, axes.komi_handicap)
}

fn handicap(axes: &Axes) -> String {
    let bonus = match axes.handicap_bonus {
        // A territory count has no such bonus, so the reason for the bonus does not matter.
        _ if matches!(axes.scoring, Scoring::Territory | Scoring::PassStones | Scoring::TerritoryTax) => {
            "no compensation for White"
        }
        HandicapBonus::Zero => "no compensation for White",
        HandicapBonus::N => "n points for White",
        HandicapBonus::NMinusOne => "n - 1 points for White",
    };
    format!("{}; {bonus}", axes.handicap_placement.description())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_omit_rules_without_effect() {
        let aga = Preset::find("aga").unwrap().axes;
        assert!(handicap(&aga).contains("n - 1 points"));
        for scoring in [Scoring::Territory, Scoring::PassStones, Scoring::TerritoryTax] {
            assert!(handicap(&Axes { scoring, ..aga }).ends_with("no compensation for White"));
        }
        let taxed = Axes { scoring: Scoring::GroupTax, territory: TerritoryReading::EveryRegion, ..aga };
        assert!(count(&taxed).contains("eyes in seki do not count"));
        assert!(count(&Axes { scoring: Scoring::Area, ..taxed }).contains("eyes in seki count"));
    }
}
