//! The expression tree of a filter.

use jigo_record::finding::Code;

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
