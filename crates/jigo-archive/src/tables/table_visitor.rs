//! Visitors that write the rows of one table, for each game or for all games together.

use jigo_core::analysis::Settings;

use crate::formats::{Format, Rows};
use crate::partial_result::PartialResult;
use crate::pipeline::{SourceFinding, VisitedGame, Visitor};
use crate::row::{ColumnChoice, Table};
use crate::source::InputFormat;

/// A table that is filled game by game.
pub trait GameTable: Sync {
    /// The table.
    const TABLE: &'static Table;

    /// See [`Visitor::configure`].
    fn configure(&self, _settings: &mut Settings) {}

    /// Appends the rows of a game.
    fn add_game(&self, game: &VisitedGame<'_>, rows: &mut Rows);

    /// Appends the rows of a finding outside games.
    fn add_finding(&self, _finding: &SourceFinding<'_>, _rows: &mut Rows) {}
}

/// A visitor that writes the rows of a table in a format.
pub struct TableVisitor<R: GameTable> {
    rows: R,
    format: Format,
    table: Table,
}

impl<R: GameTable> TableVisitor<R> {
    /// Returns a visitor for an input format, with the columns of the choice. If the input consists
    /// of rows, their identifiers take the place of files in the table.
    pub fn new(rows: R, format: Format, input: InputFormat, columns: &ColumnChoice) -> TableVisitor<R> {
        TableVisitor { rows, format, table: R::TABLE.for_input(input).with_columns(columns) }
    }

    /// Returns the table of the rows.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

impl<R: GameTable> Visitor for TableVisitor<R> {
    type Accumulator = Rows;

    fn configure(&self, settings: &mut Settings) {
        self.rows.configure(settings);
        // The fingerprint of a finding contains the game's hash.
        settings.game_hash |= self.format == Format::Sarif || self.table.has_games_columns();
        settings.details |= self.table.has_games_columns();
    }

    fn start_batch(&self) -> Rows {
        Rows::new(self.format, &self.table)
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut Rows) {
        self.rows.add_game(game, batch);
    }

    fn visit_finding(&self, finding: &SourceFinding<'_>, batch: &mut Rows) {
        self.rows.add_finding(finding, batch);
    }
}

/// A table whose rows follow from all games together, such as `diversity`.
///
/// The accumulator of a batch is its sum. The sums of all batches merge in input order.
pub trait Aggregate: Visitor<Accumulator: PartialResult> {
    /// The table.
    const TABLE: &'static Table;

    /// Checks after each batch that the sum so far is not too large.
    ///
    /// # Errors
    /// Fails with the remedy if it is.
    fn check(&self, _total: &Self::Accumulator) -> anyhow::Result<()> {
        Ok(())
    }

    /// Appends the rows of the sum of all batches.
    fn finish(&self, total: Self::Accumulator, rows: &mut Rows);
}
