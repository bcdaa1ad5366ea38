//! A hash that is equal for the eight symmetries of a game.

use crate::similarity::Symmetry;
use jigo_record::{Coordinates, GameRecord, StepKind};
use jigo_rules::board::{Point, split_mix};

/// Returns the least of the eight hashes of board size, setup and turns, one for each symmetry.
pub(super) fn game_hash(record: &GameRecord) -> u64 {
    let size = record.header.size;
    let smallest = Symmetry::all().map(|symmetry| {
        let (width, height) = symmetry.size(size);
        let position_in_view = |point: Point| {
            let (x, y) = symmetry.place(point, size);
            u64::from(y) << 8 | u64::from(x)
        };
        let mut state = u64::from(width) << 8 | u64::from(height);
        let mut hash = 0;
        let mut add_word = |word: u64| {
            state ^= word;
            hash = split_mix(&mut state);
            state = hash;
        };
        for step in &record.steps {
            match step.kind {
                StepKind::Turn(color, Coordinates::Play(point)) => {
                    add_word((color as u64) << 32 | position_in_view(point))
                }
                StepKind::Turn(color, Coordinates::Pass) => add_word((color as u64) << 32 | 0xFFFF),
                StepKind::Turn(color, _) => add_word((color as u64) << 32 | 0xFFFE),
                StepKind::Setup(setup) => {
                    let stones = record.setup(setup).stones.iter();
                    let mut stones_in_view: Vec<u64> = stones
                        .map(|(point, stone)| stone.map_or(3, |color| color as u64) << 40 | position_in_view(*point))
                        .collect();
                    stones_in_view.sort_unstable();
                    stones_in_view.into_iter().for_each(&mut add_word);
                }
            }
        }
        hash
    });
    smallest.min().unwrap_or(0)
}
