//! Pictures of a game: after a turn, around a repetition, at its end.

use crate::analysis::CountedEnding;
use crate::replay::{ReplayOptions, Replayer};
use jigo_record::finding::Finding;
use jigo_record::{Coordinates, GameRecord};
use jigo_rules::Tally;
use jigo_rules::board::{BoardSize, Color, Mark, Picture, Point, Position};

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

/// Turns, drawn as numbers on a position.
pub struct NumberedDiagram {
    /// The position with the number of each play.
    pub picture: Picture,
    /// Plays on a point that already shows another stone, with the number or coordinates of that
    /// stone.
    pub repeated_points: Vec<(u32, String)>,
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

    /// Draws the turns after `first_turn` up to `last_turn` as numbers from 1.
    ///
    /// The board is the position after `last_turn`, which equals the one after `first_turn`.
    pub fn cycle(&self, first_turn: u32, last_turn: u32) -> NumberedDiagram {
        let position = self.moment_after(last_turn, LaterSetup::Omitted).position;
        let mut diagram = NumberedDiagram::new(Picture::from_position(&position));
        for turn in first_turn + 1..=last_turn {
            diagram.add(turn - first_turn, self.turn(turn));
        }
        if let Some(point) = self.point(last_turn) {
            diagram.picture.mark(point, Mark::Finding);
        }
        diagram
    }

    /// Draws the turns from `first_turn`, at least 1, to `last_turn` as a printed diagram does: with
    /// their numbers on their stones, on the board before them. Captured stones stay.
    pub fn printed(&self, first_turn: u32, last_turn: u32) -> NumberedDiagram {
        let position = self.moment_after(first_turn.saturating_sub(1), LaterSetup::Included).position;
        let mut diagram = NumberedDiagram::new(Picture::from_position(&position));
        for turn in first_turn..=last_turn {
            let shown = self.turn(turn);
            let stone = self.point(turn).and_then(|point| diagram.picture.point_mut(point)?.stone);
            match (shown, stone, self.point(turn)) {
                (_, Some(_), Some(point)) => diagram.repeated_points.push((turn, diagram.name(point))),
                (Some((color, _)), None, Some(point)) => {
                    diagram.add(turn, shown);
                    if let Some(content) = diagram.picture.point_mut(point) {
                        content.stone = Some(color);
                    }
                }
                _ => diagram.add(turn, shown),
            }
        }
        diagram
    }

    /// Returns the stones of a picture that are no longer there after a turn: their numbers in
    /// ascending order, then the coordinates of stones without one.
    pub fn removed(&self, diagram: &NumberedDiagram, turn: u32) -> Vec<String> {
        let position = self.moment_after(turn, LaterSetup::Omitted).position;
        let picture = &diagram.picture;
        let is_removed =
            |point: &Point| picture.point(*point).stone.is_some_and(|stone| position.stone(*point) != Some(stone));
        let mut points: Vec<Point> = self.size().iter().filter(is_removed).collect();
        points.sort_by_key(|point| picture.point(*point).number.map_or(u32::MAX, |(number, _)| number));
        points.into_iter().map(|point| diagram.name(point)).collect()
    }

    /// Returns the points of the plays after turn `first_turn` up to turn `last_turn`.
    pub fn points(&self, first_turn: u32, last_turn: u32) -> Vec<Point> {
        (first_turn + 1..=last_turn).filter_map(|turn| self.point(turn)).collect()
    }
}

impl NumberedDiagram {
    fn new(picture: Picture) -> NumberedDiagram {
        NumberedDiagram { picture, repeated_points: Vec::new(), passes: Vec::new(), off_board: Vec::new() }
    }

    /// Adds a turn with this number. The first number of a point remains.
    fn add(&mut self, number: u32, turn: Option<(Color, Coordinates)>) {
        let (color, point) = match turn {
            Some((color, Coordinates::Play(point))) => (color, point),
            Some((_, Coordinates::Pass)) => return self.passes.push(number),
            _ => return self.off_board.push(number),
        };
        match self.picture.point_mut(point) {
            Some(content) if content.number.is_none() => content.number = Some((number, color)),
            Some(_) => self.repeated_points.push((number, self.name(point))),
            None => {}
        }
    }

    /// Returns the number on a point, or its coordinates without one.
    fn name(&self, point: Point) -> String {
        let number = self.picture.point(point).number;
        number.map_or_else(|| point.to_a1(self.picture.size()), |(number, _)| number.to_string())
    }

    /// Returns the turns that have no number on the board, such as `3 at 1` and `5 passes`.
    pub fn entries(&self) -> Vec<String> {
        let repeated = self.repeated_points.iter().map(|(number, first)| format!("{number} at {first}"));
        let passes = self.passes.iter().map(|number| format!("{number} passes"));
        let off_board = self.off_board.iter().map(|number| format!("{number} off the board"));
        repeated.chain(passes).chain(off_board).collect()
    }

    /// Describes the first of these turns, such as `3 at 1, 5 passes, 7 off the board`.
    ///
    /// Returns an empty text if all turns have one.
    pub fn legend(&self) -> String {
        let mut parts = self.entries();
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
    use jigo_record::splitter::GameText;
    use jigo_rules::board::diagram::draw;

    fn record(sgf: &str) -> GameRecord {
        Reading::from_text(&GameText::from_sgf(sgf)).record
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
    fn printed_diagram_keeps_captured_stones_and_lists_retaken_points() {
        let ko = include_str!("../../../fixtures/findings/K001-ko.sgf");
        let record = record(ko.trim());
        let diagrams = GameDiagrams::new(&record, ReplayOptions::default());
        let printed = diagrams.printed(1, 10);
        let stones = printed.picture.size().iter().filter(|point| printed.picture.point(*point).stone.is_some());
        assert_eq!(stones.count(), 9);
        assert_eq!(printed.entries(), ["10 at 8"]);
        assert_eq!(diagrams.removed(&printed, 10), ["9"]);
        let retaken = diagrams.printed(9, 10);
        assert_eq!(
            (retaken.entries(), diagrams.removed(&retaken, 9)),
            (vec!["10 at C3".to_owned()], vec!["C3".to_owned()])
        );
    }

    #[test]
    fn legend_distinguishes_passes_from_turns_off_the_board() {
        let record = record("(;SZ[9];B[aa];W[];B[zz];W[bb])");
        let diagrams = GameDiagrams::new(&record, ReplayOptions::default());
        assert_eq!(diagrams.cycle(0, 4).legend(), "2 passes, 3 off the board");
    }
}
