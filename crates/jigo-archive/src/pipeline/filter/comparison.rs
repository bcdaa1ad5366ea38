//! Comparisons of a column with a value: true, false, or undecided if the cell is empty or too
//! vague.

use std::cmp::Ordering;

use jigo_record::finding::Severity;
use jigo_record::{Date, Rank, RecordedResult, ResultKind};

use super::column::{Cell, FilterColumn};

/// A comparison of a column with a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Comparison {
    pub(super) column: FilterColumn,
    pub(super) operator: Operator,
    pub(super) value: Operand,
}

/// The value to compare with. It has the type of the column, except that `~` compares with a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operand {
    Number(f64),
    /// A text in lower case.
    Text(String),
    Word(&'static str),
    Rank(Rank),
    Date(Date),
    Result(RecordedResult),
    Severity(Option<Severity>),
    Flag(bool),
}

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Contains,
}

impl Operator {
    /// The operators by their symbols.
    pub(super) const NAMES: [(&str, Operator); 7] = [
        ("=", Operator::Equal),
        ("!=", Operator::Unequal),
        ("<", Operator::Less),
        ("<=", Operator::AtMost),
        (">", Operator::Greater),
        (">=", Operator::AtLeast),
        ("~", Operator::Contains),
    ];

    fn accepts(self, ordering: Ordering) -> bool {
        match self {
            Operator::Equal | Operator::Contains => ordering == Ordering::Equal,
            Operator::Unequal => ordering != Ordering::Equal,
            Operator::Less => ordering == Ordering::Less,
            Operator::AtMost => ordering != Ordering::Greater,
            Operator::Greater => ordering == Ordering::Greater,
            Operator::AtLeast => ordering != Ordering::Less,
        }
    }
}

impl Comparison {
    /// Returns the result for a cell; `None` if the cell is empty or too vague.
    pub(super) fn evaluate(&self, cell: Option<Cell>) -> Option<bool> {
        let accept = |ordering: Option<Ordering>| ordering.map(|ordering| self.operator.accepts(ordering));
        match (cell?, &self.value) {
            (cell, Operand::Text(part)) if self.operator == Operator::Contains => Some(cell_contains(&cell, part)),
            (Cell::Number(cell), Operand::Number(value)) => accept(cell.partial_cmp(value)),
            (Cell::Text(cell), Operand::Text(value)) => {
                accept((!cell.is_empty()).then(|| cell.to_lowercase().as_str().cmp(value)))
            }
            (Cell::Word(cell), Operand::Word(value)) => accept(Some(cell.cmp(value))),
            (Cell::Rank(_, rank), Operand::Rank(value)) => accept(rank.map(|rank| rank.cmp(value))),
            (Cell::Date(_, date), Operand::Date(value)) => compare_dates(self.operator, date?, *value),
            (Cell::Result(_, result), Operand::Result(value)) => {
                Some(self.operator.accepts(compare_results(&result, value)?))
            }
            (Cell::Severity(cell), Operand::Severity(value)) => accept(Some(cell.cmp(value))),
            (Cell::Flag(cell), Operand::Flag(value)) => accept(Some(cell.cmp(value))),
            // The parser gives each value the type of its column.
            _ => None,
        }
    }
}

/// Returns true if a cell's text contains `part`, which is in lower case.
fn cell_contains(cell: &Cell, part: &str) -> bool {
    let text = match cell {
        Cell::Text(text) | Cell::Rank(text, _) | Cell::Date(text, _) | Cell::Result(text, _) => text,
        Cell::Word(word) => word,
        Cell::Number(_) | Cell::Severity(_) | Cell::Flag(_) => return false,
    };
    text.to_lowercase().contains(part)
}

/// Returns `Equal` if both results have the same kind, winner and margin; `None` if no result is
/// recorded.
fn compare_results(first: &RecordedResult, second: &RecordedResult) -> Option<Ordering> {
    let result_key = |result: &RecordedResult| (result.kind, result.winner, result.black_minus_white);
    let is_recorded = first.kind != ResultKind::Missing;
    is_recorded.then(|| if result_key(first) == result_key(second) { Ordering::Equal } else { Ordering::Less })
}

/// Compares two dates, each of which may be a whole month or year.
///
/// The dates are equal if `cell` lies within `value`. The result is `None` if the cell is too
/// vague.
fn compare_dates(operator: Operator, cell: Date, value: Date) -> Option<bool> {
    let ((first, last), (start, end)) = (cell.days(), value.days());
    let decide = |is_true: bool, is_false: bool| if is_true { Some(true) } else { is_false.then_some(false) };
    let equal = || decide(start <= first && last <= end, last < start || end < first);
    let is_before = || decide(last < start, first >= start);
    let is_not_after = || decide(last <= end, first > end);
    match operator {
        Operator::Equal | Operator::Contains => equal(),
        Operator::Unequal => equal().map(|decided| !decided),
        Operator::Less => is_before(),
        Operator::AtLeast => is_before().map(|decided| !decided),
        Operator::AtMost => is_not_after(),
        Operator::Greater => is_not_after().map(|decided| !decided),
    }
}

#[cfg(test)]
mod tests {
    use jigo_core::analysis::{GameReport, Outcome};
    use jigo_record::Header;

    use super::*;
    use crate::pipeline::filter::Filter;
    use crate::pipeline::filter::column::{FilterType, FilteredGame};
    use crate::pipeline::filter::expression::Expression;

    #[test]
    fn vague_dates_decide_only_certain_comparisons() {
        let coarse = Header { date: "2016".into(), ..Header::default() };
        let takes = |text: &str| {
            let values = FilteredGame { header: &coarse, details: None, is_readable: true, analysis: None };
            Filter::parse(text).unwrap().unmet_by_header(values).is_none()
        };
        assert!(takes("date = 2016") && takes("date < 2017-01-01") && takes("date >= 2016-01-01"));
        for undecided in ["date = 2016-03", "date != 2016-03", "date < 2016-03", "date > 2016-03-01"] {
            assert!(!takes(undecided) && !takes(&format!("not {undecided}")), "{undecided}");
        }
    }

    /// Proves that the last arm of `evaluate` is unreachable: no column is compared with a value of
    /// another type.
    #[test]
    fn parsed_values_have_the_type_of_their_column() {
        let report = GameReport { outcome: Outcome::Replayed, ..GameReport::default() };
        for column in FilterColumn::ALL {
            let value = match column.column_type() {
                FilterType::Number => "1",
                FilterType::Text => "x",
                FilterType::Word(words) => words[0],
                FilterType::Rank => "1d",
                FilterType::Date => "2016",
                FilterType::Result => "B+R",
                FilterType::Severity => "none",
                FilterType::Flag => "true",
            };
            let filter = Filter::parse(&format!("{} = {value}", column.name())).unwrap();
            let Expression::Compare(comparison) = &filter.conditions[0].expression else { panic!("{filter:?}") };
            let cell = column.value(FilteredGame::analyzed(&report, &[]));
            let fits = match (&cell, &comparison.value) {
                (None, _) => true,
                (Some(Cell::Number(_)), value) => matches!(value, Operand::Number(_)),
                (Some(Cell::Text(_)), value) => matches!(value, Operand::Text(_)),
                (Some(Cell::Word(_)), value) => matches!(value, Operand::Word(_)),
                (Some(Cell::Rank(..)), value) => matches!(value, Operand::Rank(_)),
                (Some(Cell::Date(..)), value) => matches!(value, Operand::Date(_)),
                (Some(Cell::Result(..)), value) => matches!(value, Operand::Result(_)),
                (Some(Cell::Severity(_)), value) => matches!(value, Operand::Severity(_)),
                (Some(Cell::Flag(_)), value) => matches!(value, Operand::Flag(_)),
            };
            assert!(fits, "{}: {cell:?} against {:?}", column.name(), comparison.value);
        }
    }
}
