//! The diversity table: the number of different positions after some turns of all games.

use std::fmt::{self, Write as _};

use super::Aggregate;
use crate::formats::Rows;
use crate::pipeline::{VisitedGame, Visitor};
use crate::row::line::Line;
use crate::row::shared_columns::{column, table};
use crate::row::{Cells, ColumnType, Row, Table};
use jigo_core::analysis::Settings;
use jigo_core::similarity::canonical_position_hash;

/// The number of different positions after a turn.
pub struct DiversityRow {
    /// The turn.
    pub turn: u32,
    /// The number of games with this turn.
    pub games: u64,
    /// The number of different positions after it. The eight symmetries of a position count as one.
    pub positions: u64,
    /// The number of games with the most common position.
    pub most_common: u64,
}

impl Row for DiversityRow {
    table! {
        "diversity", "one row for each of eight turns from 1 to 100, written by jigo duplicates --table diversity", |row|
        column("turn", ColumnType::Integer, "number of the turn, from 1").not_null() => row.turn,
        column("games", ColumnType::Integer, "games with at least this number of turns").not_null() => row.games,
        column("positions", ColumnType::Integer, "distinct positions after the turn; the eight symmetries of a position count as one").not_null() => row.positions,
        column("most_common", ColumnType::Integer, "games that share the commonest position").not_null() => row.most_common,
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let DiversityRow { turn, games, positions, most_common } = self;
        write!(line, "turn {turn:>3}: {positions} positions in {games} games, the commonest in {most_common}")
    }
}

/// The turns after which the table counts positions.
const COUNTED_TURNS: [u32; 8] = [1, 2, 5, 10, 20, 30, 50, 100];

/// Hashes of the positions after each of these turns, eight bytes per game and turn.
type PositionHashes = [Vec<u64>; COUNTED_TURNS.len()];

/// Counts the different positions after some turns.
pub struct Diversity;

impl Visitor for Diversity {
    type Accumulator = PositionHashes;

    fn configure(&self, settings: &mut Settings) {
        settings.positions = &COUNTED_TURNS;
    }

    fn start_batch(&self) -> PositionHashes {
        PositionHashes::default()
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut PositionHashes) {
        let size = game.report.header.size;
        for (turn, stones) in &game.report.positions {
            if let Some(index) = COUNTED_TURNS.iter().position(|counted_turn| counted_turn == turn) {
                batch[index].push(canonical_position_hash(size, stones));
            }
        }
    }
}

impl Aggregate for Diversity {
    const TABLE: &'static Table = DiversityRow::TABLE;

    fn finish(&self, total: PositionHashes, rows: &mut Rows) {
        COUNTED_TURNS.into_iter().zip(total).for_each(|(turn, hashes)| rows.push(&row(turn, hashes)));
    }
}

/// Returns the row of a turn, given the hash of each game's position after it.
fn row(turn: u32, mut hashes: Vec<u64>) -> DiversityRow {
    hashes.sort_unstable();
    let (mut positions, mut most_common) = (0, 0);
    for group in hashes.chunk_by(|first, second| first == second) {
        positions += 1;
        most_common = most_common.max(group.len() as u64);
    }
    DiversityRow { turn, games: hashes.len() as u64, positions, most_common }
}
