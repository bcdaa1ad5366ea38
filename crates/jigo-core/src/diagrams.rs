//! Pictures of a game: after a turn, around a repetition, at its end.

use std::collections::HashMap;

use crate::analysis::CountedEnding;
use crate::replay::{ReplayOptions, Replayer};
use jigo_record::finding::Finding;
use jigo_record::{Coordinates, GameRecord};
use jigo_rules::Tally;
use jigo_rules::board::picture::Mark;
use jigo_rules::board::{BoardSize, Color, Picture, Point, Position};

/// The use of setup between a turn and the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaterSetup {
    /// The setup is on the board.
    Included,
    /// The setup is not on the board yet.
    Omitted,
}

/// A game from which pictures are made.
pub struct GameDiagrams<'a> {
    record: &'a GameRecord,
    options: ReplayOptions,
    /// The `B` and `W` properties in order, each with the index of its step.
    turns: Vec<(usize, (Color, Coordinates))>,
}

/// The state of a game after a turn.
pub struct Moment {
    /// The stones.
    pub position: Position,
    /// The counts so far.
    pub tally: Tally,
}

/// The plays of a cycle, drawn on the repeated position.
pub struct CycleDiagram {
    /// The position with the number of each play.
    pub picture: Picture,
    /// Plays on a point that already has a number, with that number.
    pub repeated_points: Vec<(u32, u32)>,
    /// Numbers of turns that are passes.
    pub passes: Vec<u32>,
    /// Numbers of turns that are off the board or unreadable.
    pub off_board: Vec<u32>,
}

impl<'a> GameDiagrams<'a> {
    /// Creates the pictures of a record, replayed with these options.
    pub fn new(record: &'a GameRecord, options: ReplayOptions) -> GameDiagrams<'a> {
        let steps = record.steps.iter().enumerate();
        let turns = steps.filter_map(|(index, step)| Some((index, step.turn()?))).collect();
        GameDiagrams { record, options, turns }
    }

    /// Returns the board's size.
    pub fn size(&self) -> BoardSize {
        self.record.header.size
    }

    /// Returns the number of turns.
    pub fn turns(&self) -> u32 {
        self.turns.len() as u32
    }

    /// Returns the colour and coordinates of a turn, from 1. Returns `None` for 0 and after the
    /// last turn.
    pub fn turn(&self, turn: u32) -> Option<(Color, Coordinates)> {
        let index = (turn as usize).checked_sub(1)?;
        self.turns.get(index).map(|(_, turn)| *turn)
    }

    /// Returns the point of a turn if it is a play.
    pub fn point(&self, turn: u32) -> Option<Point> {
        match self.turn(turn)?.1 {
            Coordinates::Play(point) => Some(point),
            _ => None,
        }
    }

    /// Returns the state after `turn` turns. 0 is the state before the first turn, including its
    /// setup.
    ///
    /// The last setup before the first turn is always included.
    pub fn moment_after(&self, turn: u32, later_setup: LaterSetup) -> Moment {
        let last_step = |turn: u32| self.turns.get((turn as usize).wrapping_sub(1)).map(|(index, ..)| *index + 1);
        let next_turn = self.turns.get(turn as usize).map_or(self.record.steps.len(), |(index, ..)| *index);
        let steps = if later_setup == LaterSetup::Included || turn == 0 {
            next_turn
        } else {
            last_step(turn).unwrap_or(next_turn)
        };
        let mut part = self.record.clone();
        part.steps.truncate(steps);
        let mut replayer = Replayer::default();
        let tally = replayer.replay(&part, &[], self.options, &mut Vec::new());
        Moment { position: replayer.position().clone(), tally }
    }

    /// Draws the board after a turn and marks its play and the points of its findings.
    pub fn picture_after(&self, turn: u32, later_setup: LaterSetup, findings: &[&Finding]) -> Picture {
        let mut picture = Picture::from_position(&self.moment_after(turn, later_setup).position);
        if let Some(point) = self.point(turn) {
            picture.mark(point, Mark::Last);
        }
        for point in findings.iter().filter_map(|finding| finding.place.point) {
            picture.mark(point, Mark::Finding);
        }
        picture
    }

    /// Draws the turns after `first_turn` up to `last_turn` as numbers.
    ///
    /// The board is the position after `last_turn`, which equals the one after `first_turn`.
    pub fn cycle(&self, first_turn: u32, last_turn: u32) -> CycleDiagram {
        let mut picture = Picture::from_position(&self.moment_after(last_turn, LaterSetup::Omitted).position);
        let mut first_numbers: HashMap<Point, u32> = HashMap::new();
        let (mut repeated, mut passes, mut off_board) = (Vec::new(), Vec::new(), Vec::new());
        for turn in first_turn + 1..=last_turn {
            let number = turn - first_turn;
            let (color, point) = match self.turn(turn) {
                Some((color, Coordinates::Play(point))) => (color, point),
                Some((_, Coordinates::Pass)) => {
                    passes.push(number);
                    continue;
                }
                _ => {
                    off_board.push(number);
                    continue;
                }
            };
            match first_numbers.get(&point) {
                Some(first) => repeated.push((number, *first)),
                None => {
                    first_numbers.insert(point, number);
                    if let Some(content) = picture.point_mut(point) {
                        content.number = Some((number, color));
                    }
                }
            }
        }
        if let Some(point) = self.point(last_turn) {
            picture.mark(point, Mark::Finding);
        }
        CycleDiagram { picture, repeated_points: repeated, passes, off_board }
    }

    /// Returns the points of the plays after turn `first_turn` up to turn `last_turn`.
    pub fn points(&self, first_turn: u32, last_turn: u32) -> Vec<Point> {
        (first_turn + 1..=last_turn).filter_map(|turn| self.point(turn)).collect()
    }
}

impl CycleDiagram {
    /// Describes the turns that have no number on the board, such as `3 at 1, 5 passes, 7 off the
    /// board`.
    ///
    /// Returns an empty text if all turns have one.
    pub fn legend(&self) -> String {
        let repeated = self.repeated_points.iter().map(|(number, first)| format!("{number} at {first}"));
        let passes = self.passes.iter().map(|number| format!("{number} passes"));
        let off_board = self.off_board.iter().map(|number| format!("{number} off the board"));
        let mut parts: Vec<String> = repeated.chain(passes).chain(off_board).collect();
        const MAX_LEGEND_ENTRIES: usize = 12;
        if parts.len() > MAX_LEGEND_ENTRIES {
            let omitted = parts.len() - MAX_LEGEND_ENTRIES;
            parts.truncate(MAX_LEGEND_ENTRIES);
            parts.push(format!("{omitted} more"));
        }
        parts.join(", ")
    }
}

/// Draws the end of a game with dead stones and territory.
///
/// Points that count under territory scoring and points that only area scoring counts have
/// different marks.
pub fn ending(position: &Position, ending: &CountedEnding) -> Picture {
    let mut picture = Picture::from_position(position);
    let judged_territory = ending.ending.territory(position);
    for point in position.size().iter() {
        let Some(content) = picture.point_mut(point) else { continue };
        content.is_dead = ending.ending.dead.binary_search(&point).is_ok();
        let owner = |sets: &[jigo_rules::board::PointSet; 2]| {
            Color::BOTH.into_iter().find(|color| sets[color.index()].contains(point))
        };
        content.territory = owner(&judged_territory.territory);
        content.area_only = owner(&judged_territory.flooded.territory).filter(|_| content.territory.is_none());
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_record::Reading;
    use jigo_record::sgf::Charset;
    use jigo_record::splitter::{Close, GameText};
    use jigo_rules::board::diagram::draw;

    fn record(sgf: &str) -> GameRecord {
        Reading::from_text(&GameText::single(sgf.as_bytes(), Close::Parenthesis, Charset::UTF8)).record
    }

    #[test]
    fn setup_after_a_turn_is_optional() {
        let record = record("(;SZ[4:1]AB[aa];W[ca];AE[aa];B[ba])");
        let diagrams = GameDiagrams::new(&record, ReplayOptions::default());
        let board = |turn, later_setup| draw(&diagrams.moment_after(turn, later_setup).position);
        assert_eq!(diagrams.turns(), 2);
        assert_eq!(board(0, LaterSetup::Omitted), "X . . .\n");
        assert_eq!(board(1, LaterSetup::Omitted), "X . O .\n");
        assert_eq!(board(1, LaterSetup::Included), ". . O .\n");
        assert_eq!(board(2, LaterSetup::Included), ". X O .\n");
    }

    #[test]
    fn cycle_numbers_and_legend_cover_all_turns() {
        let ko = include_str!("../../../fixtures/findings/K001-ko.sgf");
        let record = record(ko.trim());
        let diagrams = GameDiagrams::new(&record, ReplayOptions::default());
        let cycle = diagrams.cycle(8, 10);
        let before = Picture::from_position(&diagrams.moment_after(8, LaterSetup::Omitted).position);
        assert_eq!(
            diagrams.moment_after(8, LaterSetup::Omitted).position,
            diagrams.moment_after(10, LaterSetup::Omitted).position
        );
        let numbers: Vec<_> = before.size().iter().filter_map(|point| cycle.picture.point(point).number).collect();
        assert_eq!(numbers, [(2, Color::White), (1, Color::Black)]);
        assert_eq!(cycle.legend(), "");
        let around = diagrams.cycle(6, 10);
        assert_eq!(around.legend(), "4 at 2");
    }

    #[test]
    fn legend_distinguishes_passes_from_turns_off_the_board() {
        let record = record("(;SZ[9];B[aa];W[];B[zz];W[bb])");
        let diagrams = GameDiagrams::new(&record, ReplayOptions::default());
        assert_eq!(diagrams.cycle(0, 4).legend(), "2 passes, 3 off the board");
    }
}
