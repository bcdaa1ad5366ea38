//! Counted endings as lines of text: what is fitted to, and what fits are held against.

use anyhow::{Context, Result, anyhow};
use jigo_core::analyze::{Analyzer, Settings};
use jigo_core::board::{BoardSize, Color, Point, Position};
use jigo_core::score::playout::estimate;
use jigo_core::score::territory::flooded;
use jigo_core::sgf::GameText;

/// A final position with what its record says of it, and its dead stones as playouts have them.
pub struct Ending {
    /// The server.
    pub source: String,
    /// `fit`, `odd` or `even`: the games to fit to, and the corpus by year.
    pub set: String,
    /// Whether area was counted, rather than territory.
    pub area: bool,
    /// Points for White.
    pub komi: f64,
    /// Black's lead on the board, before komi, as the record has it.
    pub recorded: f64,
    /// The same as a strong network counts it, where that is known.
    pub engine: Option<f64>,
    /// Stones lost in play, Black's first.
    pub lost: [i64; 2],
    /// Who would have the next turn.
    pub next: Color,
    /// The stones.
    pub position: Position,
    /// The dead ones by playouts, sorted.
    pub dead: Vec<Point>,
    /// What the playouts think of that.
    pub confidence: f32,
}

/// What a record or a table says beside its moves.
pub struct Stated {
    pub source: String,
    pub set: String,
    pub area: bool,
    pub komi: f64,
    pub recorded: f64,
    pub engine: Option<f64>,
}

impl Ending {
    /// The ending of a game, estimated by playouts.
    pub fn of(text: &GameText, stated: Stated, analyzer: &mut Analyzer) -> Option<Ending> {
        let settings = Settings { position: true, ..Settings::default() };
        let report = analyzer.analyze(text, &settings);
        let position = (**report.position.as_ref()?).clone();
        let next = report.tally.last.map_or(Color::Black, Color::opponent);
        let lost = report.tally.lost.map(i64::from);
        let found = estimate(&position, next);
        let Stated { source, set, area, komi, recorded, engine } = stated;
        Some(Ending {
            source,
            set,
            area,
            komi,
            recorded,
            engine,
            lost,
            next,
            position,
            dead: found.dead,
            confidence: found.confidence,
        })
    }

    /// Black's lead before komi, as the servers count it: every region that touches one colour only is that colour's.
    pub fn lead(&self, dead: &[Point]) -> f64 {
        let count = flooded(&self.position, dead);
        let side = |color: Color| {
            let index = color.index();
            let territory = count.territory[index].len() as i64 - self.lost[index] - count.dead[index].len() as i64;
            if self.area { count.area(color) as i64 } else { territory }
        };
        (side(Color::Black) - side(Color::White)) as f64
    }

    /// The ending as a line.
    pub fn line(&self) -> String {
        let size = self.position.size();
        let cell = |point: Point| match (self.position.stone(point), self.dead.binary_search(&point).is_ok()) {
            (None, _) => '.',
            (Some(Color::Black), false) => 'X',
            (Some(Color::Black), true) => 'x',
            (Some(Color::White), false) => 'O',
            (Some(Color::White), true) => 'o',
        };
        let engine = self.engine.map_or("-".to_owned(), |lead| lead.to_string());
        let rule = if self.area { "area" } else { "territory" };
        let next = self.next.letter();
        let [black, white] = self.lost;
        let board: String = size.iter().map(cell).collect();
        let (source, set, komi, recorded) = (&self.source, &self.set, self.komi, self.recorded);
        let (width, height) = (size.width(), size.height());
        format!(
            "{source} {set} {rule} {komi} {recorded} {engine} {black} {white} {next} {} {width} {height} {board}",
            self.confidence
        )
    }

    /// Reads a line.
    pub fn read(line: &str) -> Result<Ending> {
        let cells: Vec<&str> = line.split(' ').collect();
        let [source, set, rule, komi, recorded, engine, black, white, next, confidence, width, height, board] =
            cells[..]
        else {
            return Err(anyhow!("{} cells instead of 13", cells.len()));
        };
        let size = BoardSize::new(width.parse()?, height.parse()?).context("no size of a board")?;
        let mut position = Position::new(size);
        let (mut dead, mut stones) = (Vec::new(), Vec::new());
        for (point, cell) in size.iter().zip(board.chars()) {
            let stone = match cell.to_ascii_uppercase() {
                'X' => Some(Color::Black),
                'O' => Some(Color::White),
                _ => None,
            };
            stones.push((point, stone));
            dead.extend(cell.is_ascii_lowercase().then_some(point));
        }
        position.place(stones);
        Ok(Ending {
            source: source.to_owned(),
            set: set.to_owned(),
            area: rule == "area",
            komi: komi.parse()?,
            recorded: recorded.parse()?,
            engine: engine.parse().ok(),
            lost: [black.parse()?, white.parse()?],
            next: if next == "W" { Color::White } else { Color::Black },
            position,
            dead,
            confidence: confidence.parse()?,
        })
    }
}
