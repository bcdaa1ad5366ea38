//! The parser of filters: a lexer and recursive descent.
//!
//! ```text
//! filter     = all ("or" all)*
//! all        = one ("and" one)*
//! one        = "not" one | "(" filter ")" | "has" "(" CODE | KIND ")"
//!            | column operator value | column of true or false
//! operator   = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~"
//! value      = 'text' | "text" | text without blanks
//! ```

use jigo_record::finding::{Code, Severity};
use jigo_record::{Date, Rank, ResultKind};
use jigo_rules::cycle::CycleKind;
use jigo_rules::suggestions::{similar_words, suggestion};

use super::column::{FilterColumn, FilterType, parse_result};
use super::comparison::{Comparison, Operand, Operator};
use super::expression::{Condition, Expression};

/// The maximum nesting of parentheses. Each level takes stack, and no real filter needs as many.
const MAX_DEPTH: usize = 100;

/// The reason why a text is not a valid filter, and its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}, at '{}' (character {})", .rest, .character)]
pub struct FilterError {
    /// The error and a correct alternative.
    what: String,
    /// The text at the error.
    rest: String,
    /// The position of the error in characters, from 1.
    character: usize,
}

/// Parses a filter to conditions, all of which a game must meet.
///
/// # Errors
/// [`FilterError`] contains the reason and the position.
pub(super) fn parse(text: &str) -> Result<Vec<Condition>, FilterError> {
    let mut parser = Parser { text, offset: 0, depth: 0 };
    let conditions = parser.conditions()?;
    parser.skip_blanks();
    match parser.rest().chars().next() {
        None => Ok(conditions),
        Some(')') => Err(parser.error("')' closes nothing")),
        Some(_) => {
            let (start, word) = (parser.offset, parser.word());
            parser.offset = start;
            let suggestion = match word {
                "&&" | "&" => " (write and)".into(),
                "||" | "|" => " (write or)".into(),
                _ => suggestion(&similar_words(word, ["and", "or"])),
            };
            Err(parser.error(format!(
                "only 'and' and 'or' join comparisons, not '{word}'{suggestion}; text with blanks needs quotes"
            )))
        }
    }
}

/// The text and the byte position of the parser.
struct Parser<'a> {
    text: &'a str,
    offset: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    fn skip_blanks(&mut self) {
        self.offset = self.text.len() - self.rest().trim_start().len();
    }

    fn error(&self, message: impl Into<String>) -> FilterError {
        let rest = self.rest();
        let excerpt: String = if rest.is_empty() { "the end".into() } else { rest.chars().take(20).collect() };
        FilterError { what: message.into(), rest: excerpt, character: self.text[..self.offset].chars().count() + 1 }
    }

    /// Consumes a word of letters, digits and `_`, or a sequence of other characters except white
    /// space.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let is_word = rest.starts_with(is_name);
        let ends = |c: char| if is_word { !is_name(c) } else { is_name(c) || c.is_whitespace() };
        let end = rest.find(ends).unwrap_or(rest.len());
        self.offset += end;
        &rest[..end]
    }

    /// Consumes a word if it comes next, in upper or lower case. Returns true on success.
    fn take_word(&mut self, word: &str) -> bool {
        self.skip_blanks();
        let start = self.offset;
        let is_next = self.word().eq_ignore_ascii_case(word);
        if !is_next {
            self.offset = start;
        }
        is_next
    }

    fn take_symbol(&mut self, symbol: char) -> bool {
        self.skip_blanks();
        let is_next = self.rest().starts_with(symbol);
        self.offset += if is_next { symbol.len_utf8() } else { 0 };
        is_next
    }

    /// Parses the whole filter. The terms of a conjunction become one condition each.
    fn conditions(&mut self) -> Result<Vec<Condition>, FilterError> {
        let terms = self.terms()?;
        if !self.take_word("or") {
            return Ok(terms);
        }
        let mut parts = vec![all(terms), self.conjunction()?];
        while self.take_word("or") {
            parts.push(self.conjunction()?);
        }
        Ok(vec![Condition::new(Expression::Any(parts), self.text)])
    }

    fn disjunction(&mut self) -> Result<Expression, FilterError> {
        let mut parts = vec![self.conjunction()?];
        while self.take_word("or") {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Any(parts) })
    }

    fn conjunction(&mut self) -> Result<Expression, FilterError> {
        self.terms().map(all)
    }

    /// Parses terms that `and` joins.
    fn terms(&mut self) -> Result<Vec<Condition>, FilterError> {
        let mut terms = Vec::new();
        loop {
            self.skip_blanks();
            let start = self.offset;
            let expression = self.term()?;
            terms.push(Condition::new(expression, &self.text[start..self.offset]));
            if !self.take_word("and") {
                return Ok(terms);
            }
        }
    }

    fn term(&mut self) -> Result<Expression, FilterError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("this is nested too deeply"));
        }
        let expression = self.term_at_depth();
        self.depth -= 1;
        expression
    }

    fn term_at_depth(&mut self) -> Result<Expression, FilterError> {
        if self.take_word("not") {
            return Ok(Expression::Not(Box::new(self.term()?)));
        }
        let start = self.offset;
        if self.take_symbol('(') {
            let inner = self.disjunction()?;
            if !self.take_symbol(')') {
                return Err(self
                    .error(format!("the '(' at character {} is not closed", self.text[..start].chars().count() + 1)));
            }
            return Ok(inner);
        }
        if self.take_word("has") {
            return self.has_codes();
        }
        self.comparison()
    }

    fn has_codes(&mut self) -> Result<Expression, FilterError> {
        if !self.take_symbol('(') {
            return Err(self.error("has takes the code of a finding in parentheses, such as has(K002)"));
        }
        self.skip_blanks();
        let rest = self.rest();
        let Some(end) = rest.find(')') else {
            return Err(self.error("the '(' of has is not closed"));
        };
        let name = rest[..end].trim();
        let codes = Code::select(name);
        let cycle = CycleKind::WORDS.into_iter().find(|word| word.eq_ignore_ascii_case(name));
        let expression = match cycle.filter(|_| codes.is_empty()) {
            None if codes.is_empty() => {
                let names = Code::TABLE.iter().flat_map(|row| [row.id, row.name]).chain(CycleKind::WORDS);
                let hint = suggestion(&similar_words(name, names));
                return Err(self.error(format!("no finding is called '{name}'{hint}; see jigo explain")));
            }
            None => Expression::Has(codes),
            Some(cycle) => {
                let (column, operator) = (FilterColumn::CycleKind, Operator::Equal);
                Expression::Compare(Comparison { column, operator, value: Operand::Word(cycle) })
            }
        };
        self.offset += end + 1;
        Ok(expression)
    }

    fn comparison(&mut self) -> Result<Expression, FilterError> {
        self.skip_blanks();
        let start = self.offset;
        let name = self.word();
        let Some(column) = FilterColumn::ALL.iter().copied().find(|column| column.name().eq_ignore_ascii_case(name))
        else {
            self.offset = start;
            if !name.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                let problem =
                    if self.text.trim().is_empty() { "the filter is empty" } else { "a comparison is missing" };
                return Err(self.error(format!("{problem}: write one such as size = 19 or has(K002)")));
            }
            let names = || FilterColumn::ALL.iter().map(|column| column.name());
            let list: Vec<&str> = names().collect();
            let hint = suggestion(&similar_words(name, names()));
            return Err(self.error(format!("there is no column '{name}'{hint}; there are {}", list.join(", "))));
        };
        self.skip_blanks();
        let operator = match self.operator(column)? {
            None if column.column_type() == FilterType::Flag => {
                return Ok(Expression::Compare(Comparison {
                    column,
                    operator: Operator::Equal,
                    value: Operand::Flag(true),
                }));
            }
            None => {
                let message = format!("{} needs one of = != < <= > >= ~ (contains) after it", column.name());
                return Err(self.error(message));
            }
            Some(operator) => operator,
        };
        self.skip_blanks();
        let start = self.offset;
        let text = self.value()?;
        let value = value(column, operator, &text).map_err(|problem| {
            self.offset = start;
            self.error(problem)
        })?;
        Ok(Expression::Compare(Comparison { column, operator, value }))
    }

    /// Consumes an operator; returns `None` if there is none.
    fn operator(&mut self, column: FilterColumn) -> Result<Option<Operator>, FilterError> {
        let rest = self.rest();
        let end = rest.find(|c| !"=<>!~:".contains(c)).unwrap_or(rest.len());
        let symbols = &rest[..end];
        if symbols.is_empty() {
            return Ok(None);
        }
        let Some((_, operator)) = Operator::NAMES.iter().find(|(name, _)| *name == symbols) else {
            let intended = match symbols {
                "==" | "===" | ":" => "=",
                "<>" | "!" | "!==" | "=!" => "!=",
                "=<" => "<=",
                "=>" => ">=",
                "=~" | "~=" | "~~" => "~",
                _ => return Err(self.error(format!("'{symbols}' is no operator: use = != < <= > >= ~"))),
            };
            return Err(self.error(format!("'{symbols}' is no operator: write {} {intended}", column.name())));
        };
        self.offset += end;
        Ok(Some(*operator))
    }

    /// Consumes a quoted text, or a text up to white space or an unmatched closing parenthesis.
    fn value(&mut self) -> Result<String, FilterError> {
        let rest = self.rest();
        if let Some(quote) = rest.chars().next().filter(|c| ['\'', '"'].contains(c)) {
            let Some(length) = rest[1..].find(quote) else {
                return Err(self.error(format!("the {quote} that opens a text is not closed")));
            };
            self.offset += length + 2;
            if self.rest().starts_with(|c: char| !c.is_whitespace() && c != ')') {
                return Err(self.error("a blank is missing after a text in quotes"));
            }
            return Ok(rest[1..=length].to_owned());
        }
        let mut open_parentheses = 0;
        let end = rest.find(|c: char| {
            open_parentheses += i32::from(c == '(') - i32::from(c == ')');
            c.is_whitespace() || open_parentheses < 0
        });
        let end = end.unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error("a value is missing; an empty text is ''"));
        }
        self.offset += end;
        Ok(rest[..end].to_owned())
    }
}

/// Returns the conjunction of some terms.
fn all(mut terms: Vec<Condition>) -> Expression {
    match terms.len() {
        1 => terms.remove(0).expression,
        _ => Expression::All(terms.into_iter().map(|term| term.expression).collect()),
    }
}

/// Converts a text to a value of the column's type, or returns an error message.
fn value(column: FilterColumn, operator: Operator, text: &str) -> Result<Operand, String> {
    let name = column.name();
    let is_order = !matches!(operator, Operator::Equal | Operator::Unequal | Operator::Contains);
    let unordered = |of: &str| Err(format!("{name} is {of} and has no order: use = or !="));
    match column.column_type() {
        FilterType::Number | FilterType::Severity | FilterType::Flag if operator == Operator::Contains => {
            Err(format!("{name} is no text, which contains something: use = != < <= > >="))
        }
        _ if operator == Operator::Contains => Ok(Operand::Text(text.to_lowercase())),
        FilterType::Number => {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            number.map(Operand::Number).ok_or_else(|| format!("{name} is a number and can't be compared with '{text}'"))
        }
        FilterType::Text => Ok(Operand::Text(text.to_lowercase())),
        FilterType::Word(_) if is_order => unordered("a word"),
        FilterType::Word(words) => {
            let lower = text.to_lowercase();
            let known = words.iter().find(|word| **word == lower);
            let unknown = || {
                let meant = suggestion(&similar_words(text, words.iter().copied()));
                format!("{name} is never '{text}'{meant}; it is one of {}", words.join(", "))
            };
            known.map(|word| Operand::Word(word)).ok_or_else(unknown)
        }
        FilterType::Rank => {
            let rank = Rank::parse(text).map(Operand::Rank);
            rank.ok_or_else(|| {
                format!("'{text}' is no rank: 30k to 1k, 1d to 9d or 1p to 9p; {name} ~ looks for a text")
            })
        }
        FilterType::Date => {
            let date = Date::parse(text).map(Operand::Date);
            date.ok_or_else(|| format!("'{text}' is no date: 2016, 2016-03 or 2016-03-09; {name} ~ looks for a text"))
        }
        FilterType::Result if is_order => unordered("a result"),
        FilterType::Result => {
            let result = parse_result(text).filter(|result| result.kind != ResultKind::Missing).map(Operand::Result);
            let unknown =
                || format!("'{text}' is no result such as B+3.5, W+R, B+T, 0 or Void; {name} ~ looks for a text");
            result.ok_or_else(unknown)
        }
        FilterType::Severity => {
            parse_severity(text).ok_or_else(|| format!("{name} is one of none, info, warning, error; not '{text}'"))
        }
        FilterType::Flag if is_order => unordered("true or false"),
        FilterType::Flag => match text.to_lowercase().as_str() {
            "true" => Ok(Operand::Flag(true)),
            "false" => Ok(Operand::Flag(false)),
            _ => Err(format!("{name} is true or false, not '{text}'")),
        },
    }
}

fn parse_severity(text: &str) -> Option<Operand> {
    let known = [Severity::Info, Severity::Warning, Severity::Error];
    let found_severity = known.into_iter().find(|severity| severity.name().eq_ignore_ascii_case(text));
    let is_none = text.eq_ignore_ascii_case("none");
    (is_none || found_severity.is_some()).then_some(Operand::Severity(found_severity))
}
