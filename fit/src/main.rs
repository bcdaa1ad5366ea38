//! Fitting of the constants in jigo's estimates. `fit/fit` runs the commands that make the trees.
//!
//! - `endings` and `corpus` write counted endings, one a line, labelled with the dead stones that
//!   playouts alone find.
//! - `rows` writes the features of their groups.
//! - `judge` prints the quality of the estimates, and `alone` that of playouts alone.
//! - `calibrate` prints the shares of correct endings by degree of decision.

mod playouts_only;
mod calibrate;
mod corpus;
mod quality;
mod training_data;

use std::io::{BufRead, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use calibrate::calibrate;
use corpus::{RecordedFacts, counted_games};
use jigo_core::analysis::Analyzer;
use jigo_rules::board::Point;
use jigo_score::evaluation::{Evaluation, FIRST_FEATURES, LATER_FEATURES};
use playouts_only::print_playouts_only;
use quality::print_quality;
use training_data::{LabelledEnding, map_parallel};

const USAGE: &str =
    "jigo-fit endings | corpus FOLDER | rows first | rows later ODDS | judge SET | alone SET | calibrate SET
SET: odd, even or all years of a corpus, or of games to fit to every fourth, `held 0` to `held 3`";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["endings"] => endings_of_games("fit"),
        ["corpus", folder] => write(counted_games(Path::new(folder))?),
        ["rows", "first"] => rows(None),
        ["rows", "later", odds] => rows(Some(odds)),
        ["judge", ref set @ ..] => {
            print_quality(&selected_endings(set)?, &set.join(" "));
            Ok(())
        }
        ["alone", ref set @ ..] => {
            print_playouts_only(&selected_endings(set)?);
            Ok(())
        }
        ["calibrate", ref set @ ..] => {
            calibrate(&selected_endings(set)?);
            Ok(())
        }
        _ => bail!(USAGE),
    }
}

/// Reads the endings on standard input and selects a set of them.
fn selected_endings(set: &[&str]) -> Result<Vec<LabelledEnding>> {
    let fourth = |word: &str| word.parse().ok().filter(|fourth: &usize| *fourth < 4);
    let set = match *set {
        ["all"] => Set::All,
        [years @ ("odd" | "even")] => Set::Years(years),
        ["held", word] => Set::Held(fourth(word).context(USAGE)?),
        _ => bail!(USAGE),
    };
    let is_selected = |(game, labelled): &(usize, LabelledEnding)| match set {
        Set::All => true,
        Set::Years(years) => labelled.ending.facts.set == years,
        Set::Held(fourth) => game % 4 == fourth,
    };
    Ok(endings()?.into_iter().enumerate().filter(is_selected).map(|(_, labelled)| labelled).collect())
}

/// A selection of endings.
#[derive(Clone, Copy)]
enum Set<'w> {
    All,
    /// The endings of the corpus from odd years, or from even years.
    Years(&'w str),
    /// Every fourth ending, starting with this one.
    Held(usize),
}

/// Returns the value of a root property.
fn property<'t>(game: &'t str, name: &str) -> Option<&'t str> {
    let start = game.find(&format!("{name}["))? + name.len() + 1;
    Some(&game[start..start + game[start..].find(']')?])
}

/// Reads the facts in the header of a shared game.
fn recorded_facts(game: &str, set: &str) -> Option<RecordedFacts> {
    let komi: f64 = property(game, "KM")?.parse().ok()?;
    let (winner, margin) = property(game, "RE")?.split_once('+')?;
    let margin: f64 = margin.parse().ok()?;
    let margin = if winner == "B" { margin } else { -margin };
    let source = property(game, "PC")?.to_owned();
    // TOM counts area if komi is 7.5.
    let area = source == "TOM" && komi == 7.5;
    Some(RecordedFacts { source, set: set.to_owned(), area, komi, recorded: margin + komi, engine: None })
}

fn write(games: Vec<(String, RecordedFacts)>) -> Result<()> {
    let lines = map_parallel(&games, |(game, facts)| {
        LabelledEnding::from_game(game, facts.clone(), &mut Analyzer::default()).map(|ending| ending.line())
    });
    let mut output = std::io::stdout().lock();
    lines.iter().flatten().try_for_each(|line| writeln!(output, "{line}"))?;
    Ok(())
}

/// Reads games from standard input, one a line, and writes their endings.
fn endings_of_games(set: &str) -> Result<()> {
    let games: Vec<String> = std::io::stdin().lock().lines().collect::<Result<_, _>>()?;
    write(games.into_iter().filter_map(|game| recorded_facts(&game, set).map(|facts| (game, facts))).collect())
}

/// Reads endings from standard input.
fn endings() -> Result<Vec<LabelledEnding>> {
    let lines: Vec<String> = std::io::stdin().lock().lines().collect::<Result<_, _>>()?;
    map_parallel(&lines, |line| LabelledEnding::read(line)).into_iter().collect()
}

/// Reads a file of 32-bit floats.
fn floats(path: &str) -> Result<Vec<f32>> {
    let bytes = std::fs::read(path)?;
    Ok(bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect())
}

/// Reads endings from standard input and writes a row for each group.
///
/// A row contains the game's number, 1 if the group lives, 1 if the labels give the recorded lead,
/// and the group's features. All are 32-bit floats.
fn rows(odds: Option<&str>) -> Result<()> {
    let endings = endings()?;
    let mut odds = odds.map(floats).transpose()?.map(Vec::into_iter);
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    let features = if odds.is_some() { LATER_FEATURES } else { FIRST_FEATURES };
    output.write_all(&(features as u32).to_le_bytes())?;
    for (game, labelled) in endings.iter().enumerate() {
        let mut evaluation =
            Evaluation::new(&labelled.ending.position).context("endings are fitted to on 19x19 alone")?;
        let is_correct = f32::from(u8::from(labelled.is_right()));
        let mut push = |point: Point, row: &[f32]| {
            let lives = labelled.dead.binary_search(&point).is_err();
            let head = [game as f32, f32::from(u8::from(lives)), is_correct];
            head.iter().chain(row).try_for_each(|value| output.write_all(&value.to_le_bytes()))
        };
        if let Some(odds) = &mut odds {
            let chains: Vec<(Point, f32)> = evaluation.odds().collect();
            evaluation.set_odds(chains.into_iter().map(|(point, _)| (point, odds.next().unwrap_or(0.0))));
            evaluation.later_rows().iter().try_for_each(|(point, row)| push(*point, row))?;
        } else {
            evaluation.first_rows().try_for_each(|(point, row)| push(point, row))?;
        }
    }
    Ok(())
}
