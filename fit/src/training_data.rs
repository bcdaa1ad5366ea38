//! Counted endings labelled with the dead stones that playouts find, one line of text each.
//!
//! They serve for fitting and for judging the fit.

use anyhow::{Context, Result, anyhow};
use jigo_core::analysis::Analyzer;
use jigo_rules::board::{BoardSize, Color, Point, Position};
use jigo_score::playout::estimate;
use rayon::prelude::*;

use crate::corpus::{RecordedEnding, RecordedFacts};

/// Applies a function to all items in parallel and returns the results in order.
pub fn map_parallel<'i, I: Sync, T: Send>(items: &'i [I], function: impl Fn(&'i I) -> T + Sync) -> Vec<T> {
    items.par_iter().map(|item| call_in_separate_frame(&function, item)).collect()
}

/// Calls `function` in a separate stack frame.
///
/// Inlined frames would become part of rayon's, which can nest deeply, and `function` has large
/// frames.
#[inline(never)]
fn call_in_separate_frame<'i, I, T>(function: &impl Fn(&'i I) -> T, item: &'i I) -> T {
    function(item)
}

/// A counted ending labelled with the dead stones that playouts alone find.
pub struct LabelledEnding {
    /// The ending.
    pub ending: RecordedEnding,
    /// The dead stones by playouts alone, sorted.
    pub dead: Vec<Point>,
    /// Confidence of the playouts.
    pub confidence: f32,
}

impl LabelledEnding {
    /// Replays a game and estimates its ending.
    pub fn from_game(game: &str, facts: RecordedFacts, analyzer: &mut Analyzer) -> Option<LabelledEnding> {
        let ending = RecordedEnding::from_game(game, facts, analyzer)?;
        let estimate_result = estimate(&ending.position, ending.next);
        Some(LabelledEnding { ending, dead: estimate_result.dead, confidence: estimate_result.confidence })
    }

    /// Returns true if the lead by these labels is the recorded one.
    pub fn is_right(&self) -> bool {
        self.ending.lead(&self.dead) == self.ending.facts.recorded
    }

    /// Formats the ending as a line.
    pub fn line(&self) -> String {
        let RecordedEnding { facts, lost: [black, white], next, position } = &self.ending;
        let RecordedFacts { source, set, area, komi, recorded, engine } = facts;
        let size = position.size();
        let cell = |point: Point| match (position.stone(point), self.dead.binary_search(&point).is_ok()) {
            (None, _) => '.',
            (Some(Color::Black), false) => 'X',
            (Some(Color::Black), true) => 'x',
            (Some(Color::White), false) => 'O',
            (Some(Color::White), true) => 'o',
        };
        let engine = engine.map_or("-".to_owned(), |lead| lead.to_string());
        let rule = if *area { "area" } else { "territory" };
        let next = next.letter();
        let board: String = size.iter().map(cell).collect();
        let (width, height) = (size.width(), size.height());
        format!(
            "{source} {set} {rule} {komi} {recorded} {engine} {black} {white} {next} {} {width} {height} {board}",
            self.confidence
        )
    }

    /// Parses a line.
    pub fn read(line: &str) -> Result<LabelledEnding> {
        let cells: Vec<&str> = line.split(' ').collect();
        let [source, set, rule, komi, recorded, engine, black, white, next, confidence, width, height, board] =
            cells[..]
        else {
            return Err(anyhow!("{} cells instead of 13", cells.len()));
        };
        let size = BoardSize::new(width.parse()?, height.parse()?).context("no size of a board")?;
        let (position, dead) = stones(size, board);
        let facts = RecordedFacts {
            source: source.to_owned(),
            set: set.to_owned(),
            area: rule == "area",
            komi: komi.parse()?,
            recorded: recorded.parse()?,
            engine: engine.parse().ok(),
        };
        let next = if next == "W" { Color::White } else { Color::Black };
        let ending = RecordedEnding { facts, lost: [black.parse()?, white.parse()?], next, position };
        Ok(LabelledEnding { ending, dead, confidence: confidence.parse()? })
    }
}

/// Parses the points of a board. Lower case means a dead stone.
fn stones(size: BoardSize, board: &str) -> (Position, Vec<Point>) {
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
    let mut position = Position::new(size);
    position.place(stones);
    (position, dead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn training_line_round_trips() {
        let line = "TOM odd area 7.5 2 -3 1 2 W 0.99 3 2 .XxoO.";
        let parsed = LabelledEnding::read(line).unwrap();
        assert_eq!(parsed.line(), line);
        assert_eq!(parsed.dead, [Point::new(2, 0), Point::new(0, 1)]);
        assert!(LabelledEnding::read("TOM odd").is_err());
    }
}
