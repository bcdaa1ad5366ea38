//! How the weights of the static evaluation come about; `fit/fit` runs all of it.
//!
//! `endings` and `corpus` write counted endings, one a line, with the dead stones as playouts have them; `rows` gives the features of their chains,
//! and `judge` says how they come out.

mod ending;

use std::collections::HashMap;
use std::io::{BufRead, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use ending::{Ending, Stated};
use jigo_core::analyze::Analyzer;
use jigo_core::board::Point;
use jigo_core::score::evaluation::{Evaluation, FIRST, LATER};
use jigo_core::score::{DeadSource, Decider};
use jigo_core::sgf::GameText;
use jigo_core::sgf::charset::Charset;
use jigo_core::sgf::split::Close;
use rayon::prelude::*;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["endings"] => endings_of_games("fit"),
        ["corpus", folder] => endings_of_corpus(Path::new(folder)),
        ["rows", "first"] => rows(None),
        ["rows", "later", odds] => rows(Some(odds)),
        ["judge", set] => judge(set),
        _ => bail!("jigo-fit endings | corpus FOLDER | rows first | rows later ODDS | judge odd|even"),
    }
}

/// A game that is one line.
fn text(line: &str) -> GameText<'_> {
    GameText::alone(line.as_bytes(), Close::Parenthesis, Charset::UTF8)
}

/// The value of a root property.
fn property<'t>(game: &'t str, name: &str) -> Option<&'t str> {
    let start = game.find(&format!("{name}["))? + name.len() + 1;
    Some(&game[start..start + game[start..].find(']')?])
}

/// What the header of a shared game says.
fn stated(game: &str, set: &str) -> Option<Stated> {
    let komi: f64 = property(game, "KM")?.parse().ok()?;
    let (winner, margin) = property(game, "RE")?.split_once('+')?;
    let margin: f64 = margin.parse().ok()?;
    let margin = if winner == "B" { margin } else { -margin };
    let source = property(game, "PC")?.to_owned();
    // TOM counts area where komi is 7.5.
    let area = source == "TOM" && komi == 7.5;
    Some(Stated { source, set: set.to_owned(), area, komi, recorded: margin + komi, engine: None })
}

fn write(games: Vec<(String, Stated)>) -> Result<()> {
    let lines: Vec<String> = games
        .into_par_iter()
        .map_init(Analyzer::default, |analyzer, (game, stated)| {
            Ending::of(&text(&game), stated, analyzer).map(|ending| ending.line())
        })
        .flatten()
        .collect();
    let mut out = std::io::stdout().lock();
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(())
}

/// Games on standard input, one a line.
fn endings_of_games(set: &str) -> Result<()> {
    let games: Vec<String> = std::io::stdin().lock().lines().collect::<Result<_, _>>()?;
    write(games.into_iter().filter_map(|game| stated(&game, set).map(|stated| (game, stated))).collect())
}

/// The games of the corpus whose margin is evidence: counted, between moves that belong to it, and no sentinel.
fn endings_of_corpus(folder: &Path) -> Result<()> {
    let mut collections: HashMap<String, Vec<String>> = HashMap::new();
    let mut games = Vec::new();
    for row in csv::Reader::from_path(folder.join("manifest.csv"))?.deserialize() {
        let row: HashMap<String, String> = row?;
        let sentinel = ["0", "0.0", "0.02", "0.03"].contains(&row["margin"].as_str());
        let elsewhere =
            row["oddities"].contains("roundmismatch") || row["setup_nodes"] != "0" || row["handicap"] != "0";
        if row["result_kind"] != "score" || row["truth_rule"].is_empty() || sentinel || elsewhere {
            continue;
        }
        if !collections.contains_key(&row["file"]) {
            let mut text = Vec::new();
            std::fs::File::open(folder.join(&row["file"]))?.read_to_end(&mut text)?;
            let lines = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
            collections.insert(row["file"].clone(), lines);
        }
        let area = row["truth_rule"] == "area";
        let year: u32 = row["date"].get(..4).and_then(|year| year.parse().ok()).context("no year")?;
        let stated = Stated {
            source: row["source"].clone(),
            set: if year % 2 == 1 { "odd" } else { "even" }.to_owned(),
            area,
            komi: row["komi"].parse()?,
            recorded: row["recorded_black_lead"].parse()?,
            engine: row[if area { "engine_area_lead" } else { "engine_territory_lead" }].parse().ok(),
        };
        games.push((collections[&row["file"]][row["game_index"].parse::<usize>()?].clone(), stated));
    }
    write(games)
}

/// The endings on standard input.
fn endings() -> Result<Vec<Ending>> {
    let lines: Vec<String> = std::io::stdin().lock().lines().collect::<Result<_, _>>()?;
    lines.par_iter().map(|line| Ending::read(line)).collect()
}

/// 32-bit floats of a file.
fn floats(path: &str) -> Result<Vec<f32>> {
    let bytes = std::fs::read(path)?;
    Ok(bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect())
}

/// Reads endings from standard input and writes a row for each chain: the game's number, whether it lives, whether the count is the recorded one,
/// and its features, all as 32-bit floats.
fn rows(odds: Option<&str>) -> Result<()> {
    let endings = endings()?;
    let mut odds = odds.map(floats).transpose()?.map(Vec::into_iter);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let features = if odds.is_some() { LATER } else { FIRST };
    out.write_all(&(features as u32).to_le_bytes())?;
    for (game, ending) in endings.iter().enumerate() {
        let mut evaluation = Evaluation::new(&ending.position).context("endings are fitted to on 19x19 alone")?;
        let right = f32::from(u8::from(ending.lead(&ending.dead) == ending.recorded));
        let mut push = |point: Point, row: &[f32]| {
            let lives = ending.dead.binary_search(&point).is_err();
            let head = [game as f32, f32::from(u8::from(lives)), right];
            head.iter().chain(row).try_for_each(|value| out.write_all(&value.to_le_bytes()))
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

/// How endings come out, those of one set: by static evaluation and playouts, and by playouts alone.
fn judge(set: &str) -> Result<()> {
    let endings: Vec<Ending> = endings()?.into_iter().filter(|ending| ending.set == set).collect();
    let order = [DeadSource::Settled, DeadSource::Static, DeadSource::Playouts];
    let found: Vec<Found> = endings
        .par_iter()
        .filter_map(|ending| {
            let mut failures = Vec::new();
            let decided = Decider::default().decide((&ending.position, None), ending.next, &order, None, &mut failures);
            decided.map(|decided| Found::of(ending, &decided))
        })
        .collect();
    let mut sources: Vec<&str> = found.iter().map(|found| found.source.as_str()).collect();
    sources.sort_unstable();
    sources.dedup();
    for source in sources.into_iter().chain([""]) {
        let games: Vec<&Found> = found.iter().filter(|found| source.is_empty() || found.source == source).collect();
        println!("{} {set}", if source.is_empty() { "all" } else { source });
        report(&games);
    }
    for by in [DeadSource::Static, DeadSource::Playouts] {
        let count = |is: &dyn Fn(&Found) -> bool| found.iter().filter(|found| found.by == by && is(found)).count();
        let won = count(&|found| found.exact && !found.playouts);
        let lost = count(&|found| !found.exact && found.playouts);
        println!("{}: {won} won and {lost} lost against playouts alone, of {}", by.name(), count(&|_| true));
    }
    for found in found.iter().filter(|found| found.confirmed && !found.exact) {
        let Found { source, by, lead, recorded, .. } = found;
        println!("{source} by {}: counted {lead}, recorded {recorded}", by.name());
    }
    Ok(())
}

/// What came of an ending.
struct Found {
    source: String,
    by: DeadSource,
    confidence: f32,
    /// Whether a strong network counts what the record says.
    confirmed: bool,
    exact: bool,
    winner: bool,
    /// The same by playouts alone.
    playouts: bool,
    lead: f64,
    recorded: f64,
}

impl Found {
    fn of(ending: &Ending, decided: &jigo_core::Ending) -> Found {
        let lead = ending.lead(&decided.dead);
        Found {
            source: ending.source.clone(),
            by: decided.source,
            confidence: decided.confidence.unwrap_or(1.0),
            confirmed: ending.engine == Some(ending.recorded),
            exact: lead == ending.recorded,
            winner: (lead > ending.komi) == (ending.recorded > ending.komi),
            playouts: ending.lead(&ending.dead) == ending.recorded,
            lead,
            recorded: ending.recorded,
        }
    }
}

fn report(games: &[&Found]) {
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let count = |is: &dyn Fn(&Found) -> bool| games.iter().filter(|found| is(found)).count();
    let confirmed = count(&|found| found.confirmed);
    let of_confirmed = |what: &str, is: &dyn Fn(&Found) -> bool| {
        let right = count(&|found| found.confirmed && is(found));
        println!("  {what}: {right} of {confirmed} confirmed, {:.3}%", share(right, confirmed));
    };
    of_confirmed("margin", &|found| found.exact);
    of_confirmed("winner", &|found| found.winner);
    of_confirmed("margin by playouts alone", &|found| found.playouts);
    println!("  margin of all: {:.2}% of {}", share(count(&|found| found.exact), games.len()), games.len());
    for by in [DeadSource::Settled, DeadSource::Static, DeadSource::Playouts] {
        let decided = count(&|found| found.by == by);
        let (known, wrong) = (
            count(&|found| found.by == by && found.confirmed),
            count(&|found| found.by == by && found.confirmed && !found.exact),
        );
        println!("  {}: {:.1}% of games, {wrong} of {known} confirmed wrong", by.name(), share(decided, games.len()));
    }
    for (low, high) in [(0.0, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.1)] {
        let is_in = |found: &Found| (low..high).contains(&found.confidence);
        let right = count(&|found| is_in(found) && found.confirmed && found.exact);
        println!(
            "  confidence from {low}: {:.2}% of games, {right} of {} confirmed right",
            share(count(&is_in), games.len()),
            count(&|found| is_in(found) && found.confirmed)
        );
    }
}
