//! Counted games: which of a corpus are evidence, and what they say of their endings.
//!
//! The tests that hold endings and results against the corpus take in this file, too, so that they and the fit mean the same games.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result};
use jigo_core::analyze::{Analyzer, Settings};
use jigo_core::board::{Color, Point, Position};
use jigo_core::score::territory::flooded;
use jigo_core::sgf::GameText;
use jigo_core::sgf::charset::Charset;
use jigo_core::sgf::split::Close;

/// What a record or a table says beside its moves.
#[derive(Clone)]
pub struct Stated {
    /// The server.
    pub source: String,
    /// `fit`, `odd` or `even`: the games to fit to, and the corpus by the year of the game.
    pub set: String,
    /// Whether area was counted, rather than territory.
    pub area: bool,
    /// Points for White.
    pub komi: f64,
    /// Black's lead on the board, before komi, as the record has it.
    pub recorded: f64,
    /// The same as a strong network counts it, where that is known.
    pub engine: Option<f64>,
}

impl Stated {
    /// Whether a strong network counts what the record says.
    pub fn is_confirmed(&self) -> bool {
        self.engine == Some(self.recorded)
    }

    /// Whether a lead of Black's on the board has the recorded winner.
    pub fn is_won_alike(&self, lead: f64) -> bool {
        (lead > self.komi) == (self.recorded > self.komi)
    }
}

/// A final position with what its record says of it.
pub struct CountedEnding {
    /// What the record says.
    pub stated: Stated,
    /// Stones lost in play, Black's first.
    pub lost: [i64; 2],
    /// Who would have the next turn.
    pub next: Color,
    /// The stones.
    pub position: Position,
}

impl CountedEnding {
    /// The ending of a game, which is one line.
    pub fn of(game: &str, stated: Stated, analyzer: &mut Analyzer) -> Option<CountedEnding> {
        let text = GameText::alone(game.as_bytes(), Close::Parenthesis, Charset::UTF8);
        let report = analyzer.analyze(&text, &Settings { position: true, ..Settings::default() });
        let position = (**report.position.as_ref()?).clone();
        let next = report.tally.last.map_or(Color::Black, Color::opponent);
        Some(CountedEnding { stated, lost: report.tally.lost.map(i64::from), next, position })
    }

    /// Black's lead before komi, as the servers count it: every region that touches one colour only is that colour's.
    pub fn lead(&self, dead: &[Point]) -> f64 {
        let count = flooded(&self.position, dead);
        let side = |color: Color| {
            let index = color.index();
            let territory = count.territory[index].len() as i64 - self.lost[index] - count.dead[index].len() as i64;
            if self.stated.area { count.area(color) as i64 } else { territory }
        };
        (side(Color::Black) - side(Color::White)) as f64
    }
}

/// The games of a corpus whose margin is evidence, in the order of its manifest, each with what is stated of it.
pub fn counted_games(corpus: &Path) -> Result<Vec<(String, Stated)>> {
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
        games.push((game.clone(), stated(&row)?));
    }
    Ok(games)
}

/// Whether a row's margin is evidence: counted, between moves that belong to it, and no sentinel.
fn is_evidence(row: &HashMap<String, String>) -> bool {
    let sentinel = ["0", "0.0", "0.02", "0.03"].contains(&row["margin"].as_str());
    let elsewhere = row["oddities"].contains("roundmismatch") || row["setup_nodes"] != "0" || row["handicap"] != "0";
    row["result_kind"] == "score" && !row["truth_rule"].is_empty() && !sentinel && !elsewhere
}

/// What a row of the manifest says.
fn stated(row: &HashMap<String, String>) -> Result<Stated> {
    let area = row["truth_rule"] == "area";
    let year: u32 = row["date"].get(..4).and_then(|year| year.parse().ok()).context("no year")?;
    Ok(Stated {
        source: row["source"].clone(),
        set: if year % 2 == 1 { "odd" } else { "even" }.to_owned(),
        area,
        komi: row["komi"].parse()?,
        recorded: row["recorded_black_lead"].parse()?,
        engine: row[if area { "engine_area_lead" } else { "engine_territory_lead" }].parse().ok(),
    })
}
