//! Visitors that write the rows of one table.

use jigo_core::analyze::Settings;

use crate::pipeline::{Outside, Visited, Visitor};
use crate::source::InputFormat;
use crate::tables::formats::{Format, Rows};
use crate::tables::{Table, of_input};

/// Creates the rows of a game in a table.
pub trait ToRows: Sync {
    /// The table.
    const TABLE: &'static Table;

    /// See [`Visitor::ask`].
    fn ask(&self, _settings: &mut Settings) {}

    /// Appends the rows of a game.
    fn game(&self, game: &Visited<'_>, rows: &mut Rows);

    /// Appends the rows of a finding outside games.
    fn outside(&self, _found: &Outside<'_>, _rows: &mut Rows) {}
}

/// A visitor that writes the rows of a table in a format.
pub struct InTable<R: ToRows> {
    rows: R,
    format: Format,
    table: &'static Table,
}

impl<R: ToRows> InTable<R> {
    /// Returns a visitor for an input format. If the input consists of rows, their identifiers take
    /// the place of files in the table.
    pub fn new(rows: R, format: Format, input: InputFormat) -> InTable<R> {
        InTable { rows, format, table: of_input(R::TABLE, input) }
    }

    /// Returns the table of the rows.
    pub fn table(&self) -> &'static Table {
        self.table
    }
}

impl<R: ToRows> Visitor for InTable<R> {
    type Part = Rows;

    fn ask(&self, settings: &mut Settings) {
        self.rows.ask(settings);
        // The fingerprint of a finding contains the game's hash.
        settings.game_hash |= self.format == Format::Sarif;
    }

    fn part(&self) -> Rows {
        Rows::new(self.format, self.table)
    }

    fn game(&self, game: &Visited<'_>, part: &mut Rows) {
        self.rows.game(game, part);
    }

    fn outside(&self, found: &Outside<'_>, part: &mut Rows) {
        self.rows.outside(found, part);
    }
}
