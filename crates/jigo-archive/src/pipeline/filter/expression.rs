//! The expression tree of a filter.

use jigo_record::finding::Code;

use super::column::{AnalysisStep, AnalyzedGame, Cell, FilterColumn};
use super::comparison::Comparison;

/// The expression tree of a filter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Any(Vec<Expression>),
    All(Vec<Expression>),
    Not(Box<Expression>),
    Compare(Comparison),
    /// True if at least one of these codes is reported.
    Has(Vec<Code>),
}

/// A condition that a game must meet, and its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Condition {
    pub(super) expression: Expression,
    /// The text as the user typed it, without blanks at its ends.
    pub(super) text: String,
}

impl Condition {
    pub(super) fn new(expression: Expression, text: &str) -> Condition {
        Condition { expression, text: text.trim().to_owned() }
    }
}

impl Expression {
    /// Returns true if the expression uses values that only the analysis determines.
    pub(super) fn uses_analysis(&self) -> bool {
        let mut columns = Vec::new();
        self.collect_columns(&mut columns);
        columns.iter().any(|(step, _)| *step != AnalysisStep::Header)
    }

    /// Collects the names of the used columns and the step that determines each.
    pub(super) fn collect_columns(&self, columns: &mut Vec<(AnalysisStep, &'static str)>) {
        match self {
            Expression::Any(parts) | Expression::All(parts) => {
                parts.iter().for_each(|part| part.collect_columns(columns))
            }
            Expression::Not(part) => part.collect_columns(columns),
            Expression::Compare(comparison) => columns.push((comparison.column.step(), comparison.column.name())),
            Expression::Has(codes) => {
                columns.extend(
                    codes.iter().map(|code| (AnalysisStep::for_finding(*code), "has")).max_by_key(|(step, _)| *step),
                );
            }
        }
    }

    /// Collects the columns that the expression compares, each at its first occurrence.
    pub(super) fn compared_columns(&self, columns: &mut Vec<FilterColumn>) {
        match self {
            Expression::Any(parts) | Expression::All(parts) => {
                parts.iter().for_each(|part| part.compared_columns(columns))
            }
            Expression::Not(part) => part.compared_columns(columns),
            Expression::Compare(comparison) if columns.contains(&comparison.column) => {}
            Expression::Compare(comparison) => columns.push(comparison.column),
            Expression::Has(_) => {}
        }
    }

    /// Evaluates the expression for an analysed game.
    pub(super) fn decide_game(&self, game: AnalyzedGame<'_>) -> Option<bool> {
        let has = |codes: &[Code]| Some(game.reported.iter().any(|finding| codes.contains(&finding.code)));
        self.decide(&|column| column.game_value(game), &has)
    }

    /// Evaluates the expression to true, false or undecided (Kleene's logic). A decided result does
    /// not depend on the values of the undecided parts.
    pub(super) fn decide<'a>(
        &self,
        cell: &impl Fn(FilterColumn) -> Option<Cell<'a>>,
        has: &impl Fn(&[Code]) -> Option<bool>,
    ) -> Option<bool> {
        match self {
            Expression::Not(part) => part.decide(cell, has).map(|decided| !decided),
            Expression::Any(parts) => any(parts.iter().map(|part| part.decide(cell, has))),
            // All parts are true unless any part is false.
            Expression::All(parts) => {
                any(parts.iter().map(|part| part.decide(cell, has).map(|decided| !decided))).map(|any| !any)
            }
            Expression::Compare(comparison) => comparison.evaluate(cell(comparison.column)),
            Expression::Has(codes) => has(codes),
        }
    }
}

/// Returns true if one part is true, and false if all parts are false. Otherwise the result is
/// undecided.
fn any(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(false);
    for part in parts {
        match part {
            Some(true) => return Some(true),
            Some(false) => {}
            None => result = None,
        }
    }
    result
}
