//! The columns that a user chooses for a table, and tables with fewer columns.

use super::table::{Column, Table};
use jigo_rules::suggestions::{similar_words, suggestion};

/// The word for every column, those on request included.
const ALL: &str = "all";

/// A list of columns, such as `file,turn,winner`, `+winner` or `all`.
///
/// Without names, a table has its usual columns. A name after `+` adds a column to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnChoice {
    /// The names that replace the usual columns.
    names: Vec<String>,
    /// The names that are added.
    added: Vec<String>,
}

/// The error for a column that a table does not have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no column '{name}' in {table}{}; there are {}", suggestion(&similar_words(.name, .columns.iter().copied())), .columns.join(", "))]
pub struct UnknownColumn {
    name: String,
    table: &'static str,
    /// The names of the table's columns.
    columns: Vec<&'static str>,
}

impl UnknownColumn {
    pub(crate) fn new(name: &str, table: &'static Table) -> UnknownColumn {
        let columns = table.columns.iter().map(|column| column.name).collect();
        UnknownColumn { name: name.to_owned(), table: table.name, columns }
    }
}

impl ColumnChoice {
    /// Parses a list whose names are separated by commas.
    pub fn parse(list: &str) -> ColumnChoice {
        let mut choice = ColumnChoice::default();
        for name in list.split(',').map(str::trim) {
            match name.strip_prefix('+') {
                Some(added) => choice.added.push(added.to_owned()),
                None => choice.names.push(name.to_owned()),
            }
        }
        choice
    }

    /// Returns true if the table has its usual columns.
    pub fn is_usual(&self) -> bool {
        self.names.is_empty() && self.added.is_empty()
    }

    /// Checks that a table has every column of the list.
    ///
    /// # Errors
    /// [`UnknownColumn`] names the first other column.
    pub fn check(&self, table: &'static Table) -> Result<(), UnknownColumn> {
        let is_known = |name: &&String| *name == ALL || table.columns.iter().any(|column| column.name == **name);
        match self.names.iter().chain(&self.added).find(|name| !is_known(name)) {
            None => Ok(()),
            Some(name) => Err(UnknownColumn::new(name, table)),
        }
    }

    /// Returns true if the list contains a column.
    fn includes(&self, column: &Column) -> bool {
        let is_in = |names: &[String]| names.iter().any(|name| name == column.name || name == ALL);
        let is_usual = self.names.is_empty() && !column.on_request;
        is_usual || is_in(&self.names) || is_in(&self.added)
    }
}

impl Table {
    /// Returns the table with the columns of the choice, in the order of the table.
    #[must_use]
    pub fn with_columns(&self, choice: &ColumnChoice) -> Table {
        let chosen = self.columns.iter().enumerate().filter(|(_, column)| choice.includes(column));
        Table { written: chosen.map(|(index, _)| index).collect(), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Row;
    use crate::source::InputFormat;
    use crate::tables::TurnRow;

    fn names(list: &str) -> Vec<&'static str> {
        let choice = if list.is_empty() { ColumnChoice::default() } else { ColumnChoice::parse(list) };
        choice.check(TurnRow::TABLE).unwrap();
        TurnRow::TABLE.with_columns(&choice).written_columns().map(|column| column.name).collect()
    }

    #[test]
    fn names_replace_the_usual_columns_and_plus_adds_to_them() {
        let usual = names("");
        assert!(!usual.contains(&"winner"), "{usual:?}");
        assert_eq!(names("winner,turn, file"), ["file", "turn", "winner"]);
        assert_eq!(names("+winner"), [&usual[..], &["winner"]].concat());
        assert_eq!(names("turn,+winner"), ["turn", "winner"]);
        assert_eq!(names("all").len(), TurnRow::TABLE.columns.len());
    }

    #[test]
    fn table_by_identifiers_has_the_chosen_columns() {
        let by_id = TurnRow::TABLE.for_input(InputFormat::Arrow).with_columns(&ColumnChoice::parse("id"));
        assert_eq!(by_id.written_columns().map(|column| column.name).collect::<Vec<_>>(), ["id"]);
    }

    #[test]
    fn unknown_columns_are_errors() {
        for list in ["", "colour", "+", "file,,turn", "ALL"] {
            let error = ColumnChoice::parse(list).check(TurnRow::TABLE).unwrap_err();
            assert!(error.to_string().contains("; there are file, game, turn"), "{error}");
        }
        let error = ColumnChoice::parse("winer").check(TurnRow::TABLE).unwrap_err().to_string();
        assert!(error.starts_with("there is no column 'winer' in turns (did you mean winner?); there are"), "{error}");
    }
}
