//! Visitors that write the rows of one table.

use jigo_core::analyze::Settings;

use crate::pipeline::{Outside, Visited, Visitor};
use crate::source::InputFormat;
use crate::tables::formats::{Format, Rows};
use crate::tables::{Table, of_input};

/// Which rows a game has in a table.
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

/// Writes the rows of a table in a format.
pub struct InTable<R: ToRows> {
    rows: R,
    format: Format,
    table: &'static Table,
}

impl<R: ToRows> InTable<R> {
    /// A visitor of games that inputs of this kind hold: the table of rows of records has their identifiers in place of the file.
    pub fn new(rows: R, format: Format, input: InputFormat) -> InTable<R> {
        InTable { rows, format, table: of_input(R::TABLE, input) }
    }

    /// The table that the rows are of.
    pub fn table(&self) -> &'static Table {
        self.table
    }
}

impl<R: ToRows> Visitor for InTable<R> {
    type Part = Rows;

    fn ask(&self, settings: &mut Settings) {
        self.rows.ask(settings);
        // What findings are known again by has the game's hash in it.
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
