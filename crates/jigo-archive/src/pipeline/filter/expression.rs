//! The expression tree of a filter.

use jigo_record::finding::Code;

use super::column::{AnalysisStep, FilteredGame};
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
        self.leaves().into_iter().filter_map(Expression::column).any(|(step, _)| step != AnalysisStep::Header)
    }

    /// Returns the parts that don't contain others: comparisons and findings.
    pub(super) fn leaves(&self) -> Vec<&Expression> {
        match self {
            Expression::Any(parts) | Expression::All(parts) => parts.iter().flat_map(Expression::leaves).collect(),
            Expression::Not(part) => part.leaves(),
            Expression::Compare(_) | Expression::Has(_) => vec![self],
        }
    }

    /// Returns the name of the column that a leaf uses, and the step that determines it.
    pub(super) fn column(&self) -> Option<(AnalysisStep, &'static str)> {
        match self {
            Expression::Compare(comparison) => Some((comparison.column.step(), comparison.column.name())),
            Expression::Has(codes) => codes.iter().map(|code| (AnalysisStep::for_finding(*code), "has")).max(),
            _ => None,
        }
    }

    /// Evaluates the expression to true, false or undecided (Kleene's logic). A decided result does
    /// not depend on the values of the undecided parts, such as those of the analysis before it.
    pub(super) fn decide(&self, game: FilteredGame<'_>) -> Option<bool> {
        match self {
            Expression::Not(part) => part.decide(game).map(|decided| !decided),
            Expression::Any(parts) => any(parts.iter().map(|part| part.decide(game))),
            // All parts are true unless any part is false.
            Expression::All(parts) => {
                any(parts.iter().map(|part| part.decide(game).map(|decided| !decided))).map(|any| !any)
            }
            Expression::Compare(comparison) => {
                let decide = |game| comparison.evaluate(comparison.column.value(game));
                comparison.column.alternatives(game).map_or_else(|| decide(game), |games| any(games.map(decide)))
            }
            Expression::Has(codes) => Some(game.analysis?.1.iter().any(|finding| codes.contains(&finding.code))),
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
