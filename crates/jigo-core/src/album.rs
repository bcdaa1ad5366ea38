//! Pictures of a game: after a turn, around a repetition, at its end.

use std::collections::HashMap;

use crate::analyze::CountedEnding;
use crate::board::picture::Mark;
use crate::board::{BoardSize, Color, Picture, Point, Position};
use crate::finding::Finding;
use crate::record::{Coordinates, GameRecord, StepKind};
use crate::replay::{ReplayOptions, Replayer, Tally};
use crate::score::seki::territory;

/// A game to take pictures of.
pub struct Album<'a> {
    record: &'a GameRecord,
    options: ReplayOptions,
    /// The B and W properties in order, with the step each is.
    turns: Vec<(usize, Color, &'a Coordinates)>,
}

/// A moment of a game.
pub struct Moment {
    /// The stones.
    pub position: Position,
    /// What was counted up to here.
    pub tally: Tally,
}

/// The plays of a cycle on the position that it leads back to.
pub struct CyclePicture {
    /// The position, with numbers where the cycle's plays were made.
    pub picture: Picture,
    /// Plays on points that have an earlier one: their numbers with the first one's.
    pub again: Vec<(u32, u32)>,
    /// Numbers of the cycle's turns that are passes or can't be drawn.
    pub off_board: Vec<u32>,
}

impl<'a> Album<'a> {
    /// The pictures of a record replayed with these options.
    pub fn new(record: &'a GameRecord, options: ReplayOptions) -> Album<'a> {
        let turn = |(index, step): (usize, &'a crate::record::Step)| match &step.what {
            StepKind::Turn(color, coordinates) => Some((index, *color, coordinates)),
            StepKind::Setup(_) => None,
        };
        Album { record, options, turns: record.steps.iter().enumerate().filter_map(turn).collect() }
    }

    /// The board's size.
    pub fn size(&self) -> BoardSize {
        self.record.header.size
    }

    /// How many turns there are.
    pub fn turns(&self) -> u32 {
        self.turns.len() as u32
    }

    /// Who takes a turn, from 1, and what with; `None` for 0 and beyond the last.
    pub fn turn(&self, turn: u32) -> Option<(Color, &'a Coordinates)> {
        let index = (turn as usize).checked_sub(1)?;
        self.turns.get(index).map(|(_, color, coordinates)| (*color, *coordinates))
    }

    /// Where the stone of a turn was put.
    pub fn point(&self, turn: u32) -> Option<Point> {
        match self.turn(turn)?.1 {
            Coordinates::Play(point) => Some(*point),
            _ => None,
        }
    }

    /// The game after so many turns, and after setup that follows them where `with_setup` says so; 0 is the game before its first turn,
    /// whose setup is always made.
    pub fn after(&self, turn: u32, with_setup: bool) -> Moment {
        let last_step = |turn: u32| self.turns.get((turn as usize).wrapping_sub(1)).map(|(index, ..)| *index + 1);
        let next_turn = self.turns.get(turn as usize).map_or(self.record.steps.len(), |(index, ..)| *index);
        let steps = if with_setup || turn == 0 { next_turn } else { last_step(turn).unwrap_or(next_turn) };
        let mut part = self.record.clone();
        part.steps.truncate(steps);
        let mut replayer = Replayer::default();
        let tally = replayer.replay(&part, &[], self.options, &mut Vec::new());
        Moment { position: replayer.position().clone(), tally }
    }

    /// The board after a turn, with its play and the points of its findings marked.
    pub fn picture_after(&self, turn: u32, with_setup: bool, findings: &[&Finding]) -> Picture {
        let mut picture = Picture::of(&self.after(turn, with_setup).position);
        if let Some(point) = self.point(turn) {
            picture.mark(point, Mark::Last);
        }
        for point in findings.iter().filter_map(|finding| finding.place.point) {
            picture.mark(point, Mark::Finding);
        }
        picture
    }

    /// The turns after `from` up to `to` as numbers on the position after `to`, which is the one after `from` again.
    pub fn cycle(&self, from: u32, to: u32) -> CyclePicture {
        let mut picture = Picture::of(&self.after(to, false).position);
        let mut first_at: HashMap<Point, u32> = HashMap::new();
        let (mut again, mut off_board) = (Vec::new(), Vec::new());
        for turn in from + 1..=to {
            let number = turn - from;
            let Some((color, Coordinates::Play(point))) = self.turn(turn) else {
                off_board.push(number);
                continue;
            };
            match first_at.get(point) {
                Some(first) => again.push((number, *first)),
                None => {
                    first_at.insert(*point, number);
                    if let Some(shown) = picture.at_mut(*point) {
                        shown.number = Some((number, color));
                    }
                }
            }
        }
        if let Some(point) = self.point(to) {
            picture.mark(point, Mark::Finding);
        }
        CyclePicture { picture, again, off_board }
    }

    /// The points played on in the turns after `from` up to `to`.
    pub fn points(&self, from: u32, to: u32) -> Vec<Point> {
        (from + 1..=to).filter_map(|turn| self.point(turn)).collect()
    }
}

impl CyclePicture {
    /// `3 at 1, 5 passes` for what the numbers on the board do not show; empty where they show all.
    pub fn legend(&self) -> String {
        let again = self.again.iter().map(|(number, first)| format!("{number} at {first}"));
        let passes = self.off_board.iter().map(|number| format!("{number} passes"));
        let mut parts: Vec<String> = again.chain(passes).collect();
        const SHOWN: usize = 12;
        if parts.len() > SHOWN {
            let left = parts.len() - SHOWN;
            parts.truncate(SHOWN);
            parts.push(format!("{left} more"));
        }
        parts.join(", ")
    }
}

/// The end of a game with dead stones and territory: the points that count wherever territory is counted, and those that only area counts.
pub fn ending(position: &Position, counted: &CountedEnding) -> Picture {
    let mut picture = Picture::of(position);
    let judged = territory(position, &counted.ending.dead);
    for point in position.size().iter() {
        let Some(shown) = picture.at_mut(point) else { continue };
        shown.is_dead = counted.ending.dead.binary_search(&point).is_ok();
        let of = |sets: &[crate::board::PointSet; 2]| {
            Color::BOTH.into_iter().find(|color| sets[color.index()].contains(point))
        };
        shown.territory = of(&judged.territory);
        shown.area_only = of(&judged.flooded.territory).filter(|_| shown.territory.is_none());
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram::draw;
    use crate::record::Reading;
    use crate::sgf::Charset;
    use crate::sgf::GameText;
    use crate::sgf::split::Close;

    fn record(sgf: &str) -> GameRecord {
        Reading::of(&GameText::alone(sgf.as_bytes(), Close::Parenthesis, Charset::UTF8)).record
    }

    #[test]
    fn moments_count_turns_and_setup_belongs_to_the_turn_before_where_asked_for() {
        let record = record("(;SZ[4:1]AB[aa];W[ca];AE[aa];B[ba])");
        let album = Album::new(&record, ReplayOptions::default());
        let board = |turn, with_setup| draw(&album.after(turn, with_setup).position);
        assert_eq!(album.turns(), 2);
        assert_eq!(board(0, false), "X . . .\n");
        assert_eq!(board(1, false), "X . O .\n");
        assert_eq!(board(1, true), ". . O .\n");
        assert_eq!(board(2, true), ". X O .\n");
    }

    #[test]
    fn a_cycle_is_numbered_and_says_what_its_numbers_hide() {
        let ko = include_str!("../../../fixtures/findings/K001-ko.sgf");
        let record = record(ko.trim());
        let album = Album::new(&record, ReplayOptions::default());
        let cycle = album.cycle(8, 10);
        let before = Picture::of(&album.after(8, false).position);
        assert_eq!(album.after(8, false).position, album.after(10, false).position);
        let numbers: Vec<_> = before.size().iter().filter_map(|point| cycle.picture.at(point).number).collect();
        assert_eq!(numbers, [(2, Color::White), (1, Color::Black)]);
        assert_eq!(cycle.legend(), "");
        let around = album.cycle(6, 10);
        assert_eq!(around.legend(), "4 at 2");
    }
}
