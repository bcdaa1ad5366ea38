//! `jigo explain`: the meaning of each finding, with an example.

use std::fmt::Write as _;
use std::io::{self, Write};

use anyhow::{Result, bail};

use super::show::text as show_text;
use clap::Args;
use jigo_archive::row::line::visible;
use jigo_core::analysis::{Analyzer, GameReport, Settings};
use jigo_core::diagrams::{GameDiagrams, LaterSetup};
use jigo_core::replay::ReplayOptions;
use jigo_diagrams::text::{Style, side_by_side};
use jigo_record::Reading;
use jigo_record::finding::code::Description;
use jigo_record::finding::{Code, Finding, FoundBy, Severity};
use jigo_record::splitter::{GameText, Piece, split_all};
use jigo_rules::board::Picture;
use jigo_rules::presets::PRESETS;
use jigo_rules::ruleset::{HandicapPlacement, Scoring};
use jigo_rules::select::Choice;
use jigo_rules::{Axes, HalfPoints};
use jigo_run::config::option_value::OptionValue as _;
use jigo_run::process::Exit;

use crate::args::{OfferedValues, examples};

/// List the finding codes, or explain one
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo explain" "all codes"
    "jigo explain K002" "the meaning of superko, why it matters, and what to do"
    "jigo explain D" "everything on damaged text"
))]
pub struct ExplainArgs {
    /// Explain this code, name, or group of codes that begin alike
    #[arg(value_parser = OfferedValues(Vec::<Code>::words), hide_possible_values = true)]
    pub code: Option<String>,
}

/// Explains the selected codes, or lists all of them.
///
/// # Errors
/// Fails if no code is selected, or standard output can't be written.
pub fn explain(args: &ExplainArgs) -> Result<Exit> {
    let mut out = io::stdout().lock();
    let Some(text) = args.code.as_deref() else {
        for row in Code::TABLE {
            writeln!(out, "{}  {:<8} {:<24} {}", row.id, row.severity.name(), row.name, row.what)?;
        }
        return Ok(Exit::Clean);
    };
    let codes = Code::select(text);
    if codes.is_empty() {
        bail!("there is no finding '{text}'{}; jigo explain lists them all", Code::suggestion(text));
    }
    for (index, row) in codes.iter().map(|code| code.description()).enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{} {} ({})", row.id, row.name, row.severity.name())?;
        writeln!(out, "\n  What      {}\n  Why       {}\n  What now  {}", row.what, row.why, row.remedy)?;
        writeln!(out, "  Rules     {}", rules(row))?;
        writeln!(out, "  Fix       {}", fix_of(row))?;
        write!(out, "{}", example(row.code))?;
    }
    Ok(Exit::Clean)
}

/// Analyses the games of the example of a code under the rulesets of `judges`, and passes each to `use_game`.
fn analyzed(record: &[u8], code: Code, judges: Vec<Choice>, mut use_game: impl FnMut(&GameText, &GameReport)) {
    let problems = code.found_by() == FoundBy::Problems;
    let settings = Settings { judges, all_variations: true, problems, ..Settings::default() };
    let mut game = 0;
    split_all(record, |piece| {
        if let Piece::Game(range, close, charset) = piece {
            game += 1;
            let (offset, bytes) = (range.start as u64, &record[range]);
            let text = GameText { file: "example", game, offset, ..GameText::single(bytes, close, charset) };
            use_game(&text, Analyzer::default().analyze(&text, &settings));
        }
    });
}

/// Returns the fix that `jigo fix` makes for a finding.
fn fix_of(row: &Description) -> String {
    match row.fix {
        Some(fix) => format!("{}: {}", fix.safety.name(), fix.what),
        None => "none".into(),
    }
}

/// Returns the rulesets that a finding depends on.
fn rules(row: &Description) -> String {
    let rulesets_if = |depends_on: &dyn Fn(&Axes) -> bool| -> String {
        let names = PRESETS.iter().filter(|preset| depends_on(&preset.axes)).map(|preset| preset.name);
        names.collect::<Vec<_>>().join(", ")
    };
    match row.code {
        Code::Ko | Code::Superko | Code::Repetition | Code::SuicidePlay => verdicts(row.code),
        Code::SuspectKomi => rulesets_if(&|axes| axes.komi_even != HalfPoints::ZERO),
        Code::RulesAgainstKomi => rulesets_if(&|axes| axes.scoring == Scoring::Territory),
        Code::HandicapFormation => rulesets_if(&|axes| axes.handicap_placement == HandicapPlacement::Fixed),
        _ if row.id.starts_with('P') || row.id.starts_with('S') => "the same under all of them".into(),
        _ => "none: it is about the record, not about the play".into(),
    }
}

/// Returns the rulesets that forbid the example, and those that allow it.
fn verdicts(code: Code) -> String {
    let mut forbid: Vec<String> = Vec::new();
    let judges = || PRESETS.iter().map(|preset| Choice::Fixed(preset.ruleset())).collect();
    analyzed(example_record(code).unwrap_or_default(), code, judges(), |_, report| {
        let against = report.findings.iter().filter(|finding| finding.severity > Severity::Info);
        forbid.extend(against.flat_map(|finding| finding.rules.split(';').map(str::to_owned)));
    });
    let (against, allowed): (Vec<&str>, Vec<&str>) =
        PRESETS.iter().map(|preset| preset.name).partition(|name| forbid.iter().any(|forbidding| forbidding == name));
    let list = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    format!("the example is forbidden by {}; allowed by {}", list(&against), list(&allowed))
}

/// Returns a board with the example, or its text with a mark below the finding.
fn example(code: Code) -> String {
    let Some(record) = example_record(code) else {
        return "  Example   none: a record alone does not show it\n".into();
    };
    let mut drawn = None;
    analyzed(record, code, vec![Choice::Recorded], |text, report| {
        let example_finding = report.findings.iter().find(|finding| finding.code == code);
        if let (Some(finding), None) = (example_finding, &drawn) {
            let on_main_line = Some(finding).filter(|finding| finding.variation.is_empty());
            let body = on_main_line
                .and_then(|finding| board(text, finding))
                .unwrap_or_else(|| excerpt(record, text.source_byte(finding.place.offset) as usize));
            drawn = Some(format!("  Example   {}\n\n{body}", show_text::finding(finding)));
        }
    });
    drawn.unwrap_or_else(|| format!("  Example   a file with this text\n\n{}", excerpt(record, usize::MAX)))
}

/// Returns the board of a finding on a turn or a setup stone, or the cycle of a repetition.
fn board(text: &GameText, finding: &Finding) -> Option<String> {
    let turn = finding.place.turn?;
    let record = Reading::from_text(text).record;
    let diagrams = GameDiagrams::new(&record, ReplayOptions::default());
    let mut blocks: Vec<(String, Picture)> = Vec::new();
    match &finding.repetition {
        Some(repetition) => {
            let cycle = diagrams.cycle(repetition.turn, turn).picture;
            let earlier = diagrams.picture_after(repetition.turn, LaterSetup::Omitted, &[]);
            blocks.push((format!("after turn {}", repetition.turn), earlier));
            blocks.push((format!("turns {} to {turn} as 1 to {}", repetition.turn + 1, turn - repetition.turn), cycle));
        }
        None => {
            if let Some(before) = turn.checked_sub(1) {
                blocks
                    .push((format!("after turn {before}"), diagrams.picture_after(before, LaterSetup::Included, &[])));
            }
            blocks.push((format!("after turn {turn}"), diagrams.picture_after(turn, LaterSetup::Included, &[finding])));
        }
    }
    let style = Style::default();
    let blocks: Vec<(String, Vec<String>)> =
        blocks.into_iter().map(|(caption, picture)| (caption, style.lines(&picture))).collect();
    let drawn = side_by_side(&blocks, 100);
    Some(drawn.trim_end().lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect())
}

/// Returns the lines of a record around a byte, with a mark below it.
fn excerpt(record: &[u8], offset: usize) -> String {
    /// The width of a line, and the characters before the mark in a longer one.
    const WIDTH: usize = 96;
    const BEFORE: usize = 60;
    let mut excerpt = String::new();
    let mut start = 0;
    for line in record.split_inclusive(|byte| *byte == b'\n') {
        let end = start + line.len();
        let is_marked = (start..end).contains(&offset) || (offset == record.len() && end == offset);
        let text = visible(String::from_utf8_lossy(line).trim_end());
        let column =
            visible(&String::from_utf8_lossy(&line[..offset.saturating_sub(start).min(line.len())])).chars().count();
        let skipped = if is_marked && column > WIDTH { column - BEFORE } else { 0 };
        let part: String = text.chars().skip(skipped).take(WIDTH).collect();
        // Writing to a String can't fail.
        let _ = writeln!(excerpt, "    {part}");
        if is_marked {
            let _ = writeln!(excerpt, "    {}^", " ".repeat(column - skipped));
        }
        start = end;
    }
    excerpt
}

/// The records with the codes of their findings. `build.rs` lists the fixtures.
const EXAMPLES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/examples.rs"));

/// Returns a record that has the finding. Returns `None` for codes that a single record can't show,
/// such as a damaged archive.
pub fn example_record(code: Code) -> Option<&'static [u8]> {
    EXAMPLES.iter().find(|(example_code, _)| *example_code == code.id()).map(|(_, record)| *record)
}
