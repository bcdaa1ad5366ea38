//! `jigo rules`: a table of the rulesets, or the description of one.

use std::io::{self, Write};

use anyhow::{Result, bail};

use clap::Args;
use jigo_rules::presets::{Preset, PresetGroup, SourceQuality};
use jigo_rules::ruleset::{
    Axes, Button, DeadStones, End, HandicapBonus, HandicapPlacement, LongCycle, RepetitionRule, Resumption, Scoring,
    Suicide, TerritoryReading, Tie,
};
use jigo_rules::select::{Choice, select};
use jigo_run::process::Exit;

use crate::args::{OfferedValues, examples, presets};

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
    line(out, "Repetition", repetition(axes.repetition))?;
    line(out, "Cycles", long_cycle(axes.long_cycle))?;
    line(out, "Suicide", suicide(axes.suicide))?;
    line(out, "Count", &count(axes))?;
    line(out, "Dead stones", dead_stones(axes.dead_stones))?;
    line(out, "Komi", &komi(axes))?;
    line(out, "Handicap", &handicap(axes))?;
    line(out, "End", &end(axes))
}

fn repetition(rule: RepetitionRule) -> &'static str {
    match rule {
        RepetitionRule::Unrestricted => "every position may come back (none)",
        RepetitionRule::Ko => "a play may not bring back the position before the opponent's last turn (ko)",
        RepetitionRule::Psk => "a play may not bring back any earlier position (positional superko, psk)",
        RepetitionRule::Ssk => {
            "a play may not bring back an earlier position with the same player to take the next turn (situational superko, ssk)"
        }
        RepetitionRule::Own => {
            "a play may not bring back a position that the same player has left, by a play or a pass (own)"
        }
        RepetitionRule::Nssk => {
            "a play may not bring back a position that the same player has created by a play (natural situational superko, nssk)"
        }
        RepetitionRule::NsskKo => {
            "a play may bring back neither the position before the opponent's last turn nor one that the same player has created by a play (nssk+ko)"
        }
    }
}

fn long_cycle(rule: LongCycle) -> &'static str {
    match rule {
        LongCycle::Forbidden => "long cycles are forbidden by the repetition rule",
        LongCycle::NoResult => "a long cycle ends the game without a result",
        LongCycle::Draw => "a long cycle is a draw",
        LongCycle::Referee => "a long cycle goes to the referee",
        LongCycle::Unrestricted => "long cycles may go on",
        LongCycle::IngJudgement => "cycles are fighting or disturbing, which needs a judgement of life and death",
        LongCycle::NotTreated => "long cycles are not treated",
    }
}

fn suicide(rule: Suicide) -> &'static str {
    match rule {
        Suicide::Forbid => "no play may take its own stones off the board",
        Suicide::MultiStone => "a play may take two or more of its own stones off the board, not one",
        Suicide::Any => "a play may take its own stones off the board",
    }
}

fn count(axes: &Axes) -> String {
    let counted_points = match axes.scoring {
        Scoring::Area => "living stones and surrounded points (area)",
        Scoring::Territory => "surrounded points less the own stones lost (territory)",
        Scoring::PassStones => "surrounded points less the own stones lost, and a stone for every pass (pass-stones)",
        Scoring::GroupTax => "living stones and surrounded points less two for each living group (group-tax)",
        Scoring::TerritoryTax => {
            "surrounded points less the own stones lost, less two for each living group (territory-tax)"
        }
    };
    let mut text = counted_points.to_owned();
    text.push_str(match (axes.territory, axes.scoring) {
        (_, Scoring::GroupTax) => "; eyes in seki do not count",
        (TerritoryReading::EveryRegion, Scoring::TerritoryTax) => {
            "; eyes in seki do not count, points still to fill do"
        }
        (TerritoryReading::EveryRegion, _) => "; eyes in seki count",
        (_, Scoring::Area) => "; eyes in seki do not count",
        (TerritoryReading::NoSeki, _) => "; eyes in seki do not count, points still to fill do",
        (TerritoryReading::Goscorer, _) => "; neither eyes in seki nor points still to fill count",
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

fn dead_stones(rule: DeadStones) -> &'static str {
    match rule {
        DeadStones::Agreement => "the players agree on them and remove them (agreement)",
        DeadStones::AsIs => "no stone is removed, a stone that is not captured lives (as-is)",
    }
}

fn komi(axes: &Axes) -> String {
    let tie = if axes.tie == Tie::Black { "; Black wins ties" } else { "" };
    format!("{}, with handicap {}, where the record has none{tie}", axes.komi_even, axes.komi_handicap)
}

fn handicap(axes: &Axes) -> String {
    let place = match axes.handicap_placement {
        HandicapPlacement::Fixed => "stones on the traditional points",
        HandicapPlacement::Free => "stones anywhere",
        HandicapPlacement::FixedOrFree => "stones on the traditional points or anywhere",
        HandicapPlacement::None => "none foreseen",
    };
    let bonus = match axes.handicap_bonus {
        // A territory count has no such bonus, so the reason for the bonus does not matter.
        _ if matches!(axes.scoring, Scoring::Territory | Scoring::PassStones | Scoring::TerritoryTax) => {
            "no compensation for White"
        }
        HandicapBonus::Zero => "no compensation for White",
        HandicapBonus::N => "n points for White",
        HandicapBonus::NMinusOne => "n - 1 points for White",
    };
    format!("{place}; {bonus}")
}

fn end(axes: &Axes) -> String {
    let end = match axes.end {
        End::TwoPasses => "two passes",
        End::ThreePasses => "three passes",
        End::Agreement => "agreement, in practice two passes",
    };
    let resumption = match axes.resumption {
        Resumption::OpponentOfLastPasser => "the opponent of the last passer plays first after a dispute",
        Resumption::FirstPasser => "the first passer plays first after a dispute",
        Resumption::LastPasser => "after a dispute the last passer must play instead",
        Resumption::OpponentOfRequester => "the opponent of the player who asks to resume plays first",
        Resumption::TurnOrder => "after a dispute the order of turns goes on",
        Resumption::Referee => "disputes go to the referee",
        Resumption::Unspecified => "who plays first after a dispute is not specified",
    };
    format!("{end}; {resumption}")
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
