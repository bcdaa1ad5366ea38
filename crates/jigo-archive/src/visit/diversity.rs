//! The number of different positions in the games of an archive.

use jigo_core::analyze::Settings;
use jigo_core::compare::least_position;

use crate::pipeline::{Visited, Visitor};
use crate::tables::DiversityRow;

/// The turns after which positions are counted.
const AFTER: [u32; 8] = [1, 2, 5, 10, 20, 30, 50, 100];

/// Hashes of the positions after each of these turns, eight bytes per game and turn.
#[derive(Clone, Debug, Default)]
pub struct Diversity([Vec<u64>; AFTER.len()]);

impl Diversity {
    /// Adds the positions of other games.
    pub fn add(&mut self, other: Diversity) {
        self.0.iter_mut().zip(other.0).for_each(|(all, more)| all.extend(more));
    }

    /// Returns the counts, one row per turn.
    pub fn rows(self) -> Vec<DiversityRow> {
        let row = |(turn, mut hashes): (u32, Vec<u64>)| {
            hashes.sort_unstable();
            let (mut positions, mut most_common) = (0, 0);
            for same in hashes.chunk_by(|one, other| one == other) {
                positions += 1;
                most_common = most_common.max(same.len() as u64);
            }
            DiversityRow { turn, games: hashes.len() as u64, positions, most_common }
        };
        AFTER.into_iter().zip(self.0).map(row).collect()
    }
}

/// The visitor that collects positions.
pub struct OfDiversity;

impl Visitor for OfDiversity {
    type Part = Diversity;

    fn ask(&self, settings: &mut Settings) {
        settings.positions = &AFTER;
    }

    fn part(&self) -> Diversity {
        Diversity::default()
    }

    fn game(&self, game: &Visited<'_>, part: &mut Diversity) {
        let size = game.report.header.size;
        for (turn, stones) in &game.report.positions {
            if let Some(place) = AFTER.iter().position(|known| known == turn) {
                part.0[place].push(least_position(size, stones));
            }
        }
    }
}
