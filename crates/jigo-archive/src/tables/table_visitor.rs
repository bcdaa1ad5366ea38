//! Visitors that write the rows of one table.

use jigo_core::analysis::Settings;

use crate::formats::{Format, Rows};
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
