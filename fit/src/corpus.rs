//! Counted games: the games of a corpus that serve as evidence, with their recorded facts.
//!
//! The integration tests include this file, so that tests and fit use the same games.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result};
use jigo_core::analysis::{Analyzer, Settings};
use jigo_record::splitter::GameText;
use jigo_rules::board::{Color, Point, Position};
use jigo_score::shape::territory::flood_territory;

/// The facts about a game in its record or in the manifest, apart from its moves.
#[derive(Clone)]
pub struct RecordedFacts {
    /// Server.
    pub source: String,
    /// `fit` for a game to fit to; `odd` or `even` for a game of the corpus, by its year.
    pub set: String,
    /// True if area was counted, false for territory.
    pub area: bool,
    /// Points for White.
    pub komi: f64,
    /// Black's recorded lead on the board, before komi.
    pub recorded: f64,
    /// The same lead as counted by a strong network, if known.
    pub engine: Option<f64>,
}

impl RecordedFacts {
    /// Returns true if a strong network's count equals the recorded lead.
    pub fn is_confirmed(&self) -> bool {
        self.engine == Some(self.recorded)
    }

    /// Returns true if a lead of Black's on the board gives the recorded winner.
    pub fn has_recorded_winner(&self, lead: f64) -> bool {
        (lead > self.komi) == (self.recorded > self.komi)
    }
}

/// A final position with its recorded facts.
pub struct RecordedEnding {
    /// Recorded facts.
    pub facts: RecordedFacts,
    /// Stones lost during play, Black first.
    pub lost: [i64; 2],
    /// Player to move.
    pub next: Color,
    /// The stones.
    pub position: Position,
}

impl RecordedEnding {
    /// Replays a game, given as one line, and returns its ending.
    pub fn from_game(game: &str, facts: RecordedFacts, analyzer: &mut Analyzer) -> Option<RecordedEnding> {
        let text = GameText::from_sgf(game);
        let report = analyzer.analyze(&text, &Settings { position: true, ..Settings::default() });
        let position = (**report.position.as_ref()?).clone();
        let next = report.tally.last.map_or(Color::Black, Color::opponent);
        Some(RecordedEnding { facts, lost: report.tally.lost.map(i64::from), next, position })
    }

    /// Returns Black's lead before komi, counted as the servers do.
    ///
    /// Every region that touches only one colour belongs to that colour.
    pub fn lead(&self, dead: &[Point]) -> f64 {
        let count = flood_territory(&self.position, dead);
        let side = |color: Color| {
            let index = color.index();
            let territory = count.territory[index].len() as i64 - self.lost[index] - count.dead[index].len() as i64;
            if self.facts.area { count.area(color) as i64 } else { territory }
        };
        (side(Color::Black) - side(Color::White)) as f64
    }
}

/// Reads the games of a corpus whose margin is evidence, in the order of its manifest.
pub fn counted_games(corpus: &Path) -> Result<Vec<(String, RecordedFacts)>> {
    let mut collections: HashMap<String, Vec<String>> = HashMap::new();
    let mut games = Vec::new();
    for row in csv::Reader::from_path(corpus.join("manifest.csv"))?.deserialize() {
        let row: HashMap<String, String> = row?;
        if !is_evidence(&row) {
            continue;
        }
        if !collections.contains_key(&row["file"]) {
            let text = std::fs::read(corpus.join(&row["file"]))?;
            let lines = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
            collections.insert(row["file"].clone(), lines);
        }
        let game = &collections[&row["file"]][row["game_index"].parse::<usize>()?];
        games.push((game.clone(), recorded_facts(&row)?));
    }
    Ok(games)
}

/// Returns true if a row's margin is evidence.
///
/// The game ended by counting, its moves are complete and belong to it, and the margin is not a
/// placeholder value.
fn is_evidence(row: &HashMap<String, String>) -> bool {
    let sentinel = ["0", "0.0", "0.02", "0.03"].contains(&row["margin"].as_str());
    let elsewhere = row["oddities"].contains("roundmismatch") || row["setup_nodes"] != "0" || row["handicap"] != "0";
    row["result_kind"] == "score" && !row["truth_rule"].is_empty() && !sentinel && !elsewhere
}

/// Converts a row of the manifest.
fn recorded_facts(row: &HashMap<String, String>) -> Result<RecordedFacts> {
    let area = row["truth_rule"] == "area";
    let year: u32 = row["date"].get(..4).and_then(|year| year.parse().ok()).context("no year")?;
    Ok(RecordedFacts {
        source: row["source"].clone(),
        set: if year % 2 == 1 { "odd" } else { "even" }.to_owned(),
        area,
        komi: row["komi"].parse()?,
        recorded: row["recorded_black_lead"].parse()?,
        engine: row[if area { "engine_area_lead" } else { "engine_territory_lead" }].parse().ok(),
    })
}
