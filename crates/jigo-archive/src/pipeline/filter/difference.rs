//! The values because of which a game does not match a filter.

use jigo_core::analysis::GameReport;
use jigo_record::finding::{Code, Finding};

use super::column::{Cell, FilterColumn, FilteredGame};
use super::expression::Expression;

/// The maximum length of a value in characters. The rest of a longer text is omitted.
const MAX_VALUE_LENGTH: usize = 60;

/// A part of an expression that decides its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    /// The value of a column.
    Value(FilterColumn),
    /// A finding of the game.
    Found(Code),
    /// A finding that the game lacks.
    Missing(Code),
}

/// Returns the values that prevent these expressions from being true in a game, as in `komi = 5.5,
/// black_rank unknown`. Empty if all of them are true.
pub(super) fn differences<'a>(
    expressions: impl Iterator<Item = &'a Expression>,
    report: &GameReport,
    reported: &[&Finding],
) -> String {
    let game = FilteredGame::analyzed(report, reported);
    let mut differences = Vec::new();
    expressions.for_each(|expression| expression.collect_differences(game, true, &mut differences));
    let texts: Vec<String> = differences.iter().map(|difference| difference.text(game)).collect();
    texts.join(", ")
}

impl Expression {
    /// Collects the parts that prevent the expression from having the value `expected`, each once.
    ///
    /// A part that has the expected value does not prevent it. If the expression has another value,
    /// each other part of it contributes: all parts of `or` are then untrue, and so is at least one
    /// part of `and`.
    fn collect_differences(&self, game: FilteredGame<'_>, expected: bool, differences: &mut Vec<Difference>) {
        if self.decide(game) == Some(expected) {
            return;
        }
        let mut add = |difference| {
            if !differences.contains(&difference) {
                differences.push(difference);
            }
        };
        match self {
            Expression::Any(parts) | Expression::All(parts) => {
                parts.iter().for_each(|part| part.collect_differences(game, expected, differences));
            }
            Expression::Not(part) => part.collect_differences(game, !expected, differences),
            Expression::Compare(comparison) => add(Difference::Value(comparison.column)),
            Expression::Has(codes) if expected => codes.iter().take(1).for_each(|code| add(Difference::Missing(*code))),
            Expression::Has(codes) => {
                let reported = game.analysis.map_or(&[][..], |(_, reported)| reported);
                let found = |code: &&Code| reported.iter().any(|finding| finding.code == **code);
                codes.iter().filter(found).for_each(|code| add(Difference::Found(*code)));
            }
        }
    }
}

impl Difference {
    fn text(self, game: FilteredGame<'_>) -> String {
        match self {
            Difference::Value(column) => match column.value(game).as_ref().and_then(value_text) {
                Some(value) => format!("{} = {value}", column.name()),
                None => format!("{} unknown", column.name()),
            },
            Difference::Found(code) => format!("has({})", code.id()),
            Difference::Missing(code) => format!("not has({})", code.id()),
        }
    }
}

/// Returns a value as a filter writes it, or `None` if it is an empty text.
fn value_text(cell: &Cell<'_>) -> Option<String> {
    match cell {
        Cell::Number(number) => Some(number.to_string()),
        Cell::Word(word) => Some((*word).to_owned()),
        Cell::Severity(severity) => Some(severity.map_or("none", |severity| severity.name()).to_owned()),
        Cell::Flag(flag) => Some(flag.to_string()),
        Cell::Text(text) | Cell::Rank(text, _) | Cell::Date(text, _) | Cell::Result(text, _) => quoted(text),
    }
}

/// Returns a text with quotes if a filter needs them.
fn quoted(text: &str) -> Option<String> {
    let mut value: String = text.chars().take(MAX_VALUE_LENGTH).collect();
    if value.len() < text.len() {
        value.push('…');
    }
    let needs_quotes = value.contains(|c: char| c.is_whitespace() || "'\"()".contains(c));
    let quote = if value.contains('\'') { '"' } else { '\'' };
    match value.is_empty() {
        true => None,
        false if needs_quotes => Some(format!("{quote}{value}{quote}")),
        false => Some(value),
    }
}
