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
