//! Counted endings with their dead stones by playouts, as lines of text: what is fitted to, and what fits are held against.

use anyhow::{Context, Result, anyhow};
use jigo_core::analyze::Analyzer;
use jigo_core::board::{BoardSize, Color, Point, Position};
use jigo_core::score::playout::estimate;
use rayon::prelude::*;

use crate::counted::{CountedEnding, Stated};

/// What is made of each item, in their order, on all threads.
pub fn each<'i, I: Sync, T: Send>(items: &'i [I], make: impl Fn(&'i I) -> T + Sync) -> Vec<T> {
    items.par_iter().map(|item| apart(&make, item)).collect()
}

/// Not inlined, as what makes it has large frames, and many of rayon's, which they would be part of, may lie on top of each other.
#[inline(never)]
fn apart<'i, I, T>(make: &impl Fn(&'i I) -> T, item: &'i I) -> T {
    make(item)
}

/// A counted ending with the labels of its chains: who is dead by playouts alone, without static evaluation.
pub struct LabelledEnding {
    /// The ending.
    pub ending: CountedEnding,
    /// The dead stones by playouts alone, sorted.
    pub dead: Vec<Point>,
    /// What the playouts think of that.
    pub confidence: f32,
}

impl LabelledEnding {
    /// The ending of a game, estimated.
    pub fn of(game: &str, stated: Stated, analyzer: &mut Analyzer) -> Option<LabelledEnding> {
        let ending = CountedEnding::of(game, stated, analyzer)?;
        let found = estimate(&ending.position, ending.next);
        Some(LabelledEnding { ending, dead: found.dead, confidence: found.confidence })
    }

    /// Whether the count by the labels is the recorded one.
    pub fn is_right(&self) -> bool {
        self.ending.lead(&self.dead) == self.ending.stated.recorded
    }

    /// The ending as a line.
    pub fn line(&self) -> String {
        let CountedEnding { stated, lost: [black, white], next, position } = &self.ending;
        let Stated { source, set, area, komi, recorded, engine } = stated;
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

    /// Reads a line.
    pub fn read(line: &str) -> Result<LabelledEnding> {
        let cells: Vec<&str> = line.split(' ').collect();
        let [source, set, rule, komi, recorded, engine, black, white, next, confidence, width, height, board] =
            cells[..]
        else {
            return Err(anyhow!("{} cells instead of 13", cells.len()));
        };
        let size = BoardSize::new(width.parse()?, height.parse()?).context("no size of a board")?;
        let (position, dead) = stones(size, board);
        let stated = Stated {
            source: source.to_owned(),
            set: set.to_owned(),
            area: rule == "area",
            komi: komi.parse()?,
            recorded: recorded.parse()?,
            engine: engine.parse().ok(),
        };
        let next = if next == "W" { Color::White } else { Color::Black };
        let ending = CountedEnding { stated, lost: [black.parse()?, white.parse()?], next, position };
        Ok(LabelledEnding { ending, dead, confidence: confidence.parse()? })
    }
}

/// The stones of a board point by point, and which are dead: those in small letters.
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
    fn a_line_is_read_as_it_was_written() {
        let line = "TOM odd area 7.5 2 -3 1 2 W 0.99 3 2 .XxoO.";
        let read = LabelledEnding::read(line).unwrap();
        assert_eq!(read.line(), line);
        assert_eq!(read.dead, [Point::new(2, 0), Point::new(0, 1)]);
        assert!(LabelledEnding::read("TOM odd").is_err());
    }
}
