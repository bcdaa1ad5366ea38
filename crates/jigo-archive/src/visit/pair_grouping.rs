//! Groups of games by columns of the games table.

use crate::pipeline::VisitedGame;
use crate::row::{Row, UnknownColumn, Value};
use crate::tables::GameRow;

/// Columns of the games table by which games are grouped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairGrouping {
    /// The names as the user chose them, separated by commas.
    pub(super) names: String,
    /// The indices of the columns.
    columns: Vec<usize>,
}

impl PairGrouping {
    /// Other names for columns.
    pub const ALIASES: [(&'static str, &'static str); 4] =
        [("server", "dialect"), ("board", "width,height"), ("rank", "black_rank,white_rank"), ("id", "file")];

    /// Parses a list of columns that commas separate.
    ///
    /// # Errors
    /// [`UnknownColumn`] names a column that the games table lacks.
    pub fn parse(names: &str) -> Result<PairGrouping, UnknownColumn> {
        let alias = |name: &str| PairGrouping::ALIASES.iter().find(|(alias, _)| *alias == name);
        let list: Vec<&str> =
            names.split(',').map(str::trim).map(|name| alias(name).map_or(name, |(_, columns)| columns)).collect();
        let list = list.join(",");
        let find = |name| GameRow::TABLE.columns.iter().position(|column| column.name == name);
        let columns = list.split(',').map(|name| find(name).ok_or_else(|| UnknownColumn::new(name, GameRow::TABLE)));
        Ok(PairGrouping { columns: columns.collect::<Result<_, _>>()?, names: names.to_owned() })
    }

    /// Returns the group of a game: the values of the columns.
    pub(super) fn group(&self, game: &VisitedGame<'_>) -> PairGroup {
        let mut values = vec![None; self.columns.len()];
        let row = GameRow::new(*game.text, game.report, game.reported.len());
        row.written_cells(self.columns.iter().copied().collect(), |index, value| {
            let chosen = self.columns.iter().zip(&mut values).filter(|(column, _)| **column == index);
            chosen.for_each(|(_, cell)| *cell = Some(GroupValue::from(value)));
        });
        values.into_iter().flatten().collect()
    }
}

/// The values that the games of a group share, in the order of the columns.
pub(super) type PairGroup = Vec<GroupValue>;

/// The value of a column that the games of a group share. Numbers sort as numbers, and unknown
/// values last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupValue {
    /// The value in units of its last digit, or 0 for a text.
    number: i64,
    text: String,
}

impl From<Value<'_>> for GroupValue {
    fn from(value: Value<'_>) -> GroupValue {
        let number = match value {
            Value::Empty => i64::MAX,
            Value::Integer(number) => number,
            value => value.unscaled().unwrap_or(0),
        };
        let mut text = String::new();
        value.append_to(&mut text);
        GroupValue { number, text: group_part(&text) }
    }
}

/// Returns the name of a group, in which semicolons separate the values.
pub(super) fn group_name(group: &PairGroup) -> String {
    group.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().join("; ")
}

/// Returns a value as a part of a group's name. Text that another group could also have is quoted.
fn group_part(text: &str) -> String {
    match text {
        "" => "unknown".to_owned(),
        "unknown" => format!("{text:?}"),
        _ if text.contains([';', '"']) || text.chars().any(char::is_control) => format!("{text:?}"),
        _ => text.to_owned(),
    }
}
