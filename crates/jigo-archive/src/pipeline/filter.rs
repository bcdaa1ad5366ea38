//! `--where`: comparisons of header columns, joined with `and`. For anything beyond that there is SQL on the tables.

use std::cmp::Ordering;

use jigo_core::record::Header;

/// Comparisons that have to hold all together.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter(Vec<Comparison>);

#[derive(Clone, Debug, PartialEq)]
struct Comparison {
    column: &'static str,
    operator: &'static str,
    value: Operand,
}

#[derive(Clone, Debug, PartialEq)]
enum Operand {
    Number(f64),
    Text(String),
}

/// Columns that hold numbers.
const NUMBERS: [&str; 6] = ["size", "width", "height", "komi", "handicap", "year"];
/// Columns that hold text, compared without regard to letter case.
const TEXTS: [&str; 10] =
    ["black", "white", "black_rank", "white_rank", "event", "date", "rules", "place", "result", "result_kind"];
/// Longer ones first, so that `<=` is not taken for `<`.
const OPERATORS: [&str; 7] = ["<=", ">=", "!=", "=", "<", ">", "~"];

/// Why a filter can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// No column stands where one should.
    #[error("there is no column '{0}' to compare; there are {list}", list = columns())]
    Column(String),
    /// No operator stands behind a column.
    #[error("'{0}' needs one of = != < <= > >= ~ (contains) behind it")]
    Operator(&'static str),
    /// A column of numbers is compared with something else.
    #[error("{0} is a number and can't be compared with '{1}'")]
    Number(&'static str, String),
    /// `~` is for text.
    #[error("{0} is a number, which contains nothing: use = != < <= > >=")]
    Contains(&'static str),
    /// Something else than `and` stands between comparisons.
    #[error("only 'and' joins comparisons, not '{0}'; text with blanks needs quotes")]
    Joint(String),
}

fn columns() -> String {
    [&NUMBERS[..], &TEXTS[..]].concat().join(", ")
}

impl Filter {
    /// Reads `size = 19 and komi = 7.5 and black ~ 'Lee'`.
    ///
    /// # Errors
    /// [`FilterError`] says what is wrong.
    pub fn parse(text: &str) -> Result<Filter, FilterError> {
        let mut comparisons = Vec::new();
        let mut rest = text.trim();
        loop {
            let (comparison, behind) = comparison(rest)?;
            comparisons.push(comparison);
            let (word, behind) = word(behind);
            if word.is_empty() {
                return Ok(Filter(comparisons));
            }
            if !word.eq_ignore_ascii_case("and") {
                return Err(FilterError::Joint(word));
            }
            rest = behind;
        }
    }

    /// Whether every comparison holds. One with a column that the record does not have never does.
    pub fn selects(&self, header: &Header) -> bool {
        self.0.iter().all(|comparison| comparison.holds(header))
    }
}

/// The first comparison of a text, and what stands behind it.
fn comparison(text: &str) -> Result<(Comparison, &str), FilterError> {
    let end = text.find(|c: char| !c.is_ascii_alphabetic() && c != '_').unwrap_or(text.len());
    let (name, rest) = (&text[..end], text[end..].trim_start());
    let known = NUMBERS.iter().chain(&TEXTS).find(|known| known.eq_ignore_ascii_case(name));
    let column = *known.ok_or_else(|| FilterError::Column(name.into()))?;
    let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
    let operator = *operator.ok_or(FilterError::Operator(column))?;
    let (value, rest) = word(&rest[operator.len()..]);
    let value = match NUMBERS.contains(&column) {
        true if operator == "~" => return Err(FilterError::Contains(column)),
        true => Operand::Number(value.parse().map_err(|_| FilterError::Number(column, value))?),
        false => Operand::Text(value.to_lowercase()),
    };
    Ok((Comparison { column, operator, value }, rest))
}

/// The first word of a text, without its quotes, and what stands behind it.
fn word(text: &str) -> (String, &str) {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|c| ['\'', '"'].contains(c));
    let quoted = quote.and_then(|quote| text[1..].split_once(quote));
    let (word, rest) = quoted.unwrap_or_else(|| text.split_once(char::is_whitespace).unwrap_or((text, "")));
    (word.into(), rest.trim_start())
}

impl Comparison {
    fn holds(&self, header: &Header) -> bool {
        let ordering = match &self.value {
            Operand::Number(value) => number(self.column, header).and_then(|cell| cell.partial_cmp(value)),
            Operand::Text(value) => {
                let cell = text(self.column, header).to_lowercase();
                if self.operator == "~" {
                    return cell.contains(value);
                }
                (!cell.is_empty()).then(|| cell.cmp(value))
            }
        };
        ordering.is_some_and(|ordering| match self.operator {
            "=" => ordering == Ordering::Equal,
            "!=" => ordering != Ordering::Equal,
            "<" => ordering == Ordering::Less,
            "<=" => ordering != Ordering::Greater,
            ">" => ordering == Ordering::Greater,
            _ => ordering != Ordering::Less,
        })
    }
}

fn number(column: &str, header: &Header) -> Option<f64> {
    let (width, height) = (header.size.width(), header.size.height());
    match column {
        "size" => (width == height).then_some(width.into()),
        "width" => Some(width.into()),
        "height" => Some(height.into()),
        "komi" => header.komi.map(|komi| f64::from(komi.0) / 2.0),
        "handicap" => Some(header.handicap.unwrap_or(0).into()),
        _ => year(&header.date),
    }
}

/// The first number of four digits in a date.
fn year(date: &str) -> Option<f64> {
    let mut numbers = date.split(|c: char| !c.is_ascii_digit());
    numbers.find(|digits| digits.len() == 4).and_then(|digits| digits.parse().ok())
}

fn text<'a>(column: &str, header: &'a Header) -> &'a str {
    match column {
        "black" => &header.black,
        "white" => &header.white,
        "black_rank" => &header.black_rank,
        "white_rank" => &header.white_rank,
        "event" => &header.event,
        "date" => &header.date,
        "rules" => &header.rules,
        "place" => &header.place,
        "result" => &header.result_text,
        _ => header.result.kind.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_core::board::BoardSize;
    use jigo_core::rules::HalfPoints;

    #[test]
    fn a_header_is_selected_where_every_comparison_holds() {
        let header = Header {
            size: BoardSize::square(13).unwrap(),
            komi: Some(HalfPoints(15)),
            date: "Published on 2016-03-09".into(),
            black: "Lee and Co".into(),
            ..Header::default()
        };
        for yes in [
            "size = 13",
            "size=13 and komi>=7.5 AND year >= 2010",
            "black = 'lee and co' and width < 19",
            "black ~ LEE",
            "handicap = 0 and result_kind = missing",
            "year != 2015",
        ] {
            assert!(Filter::parse(yes).unwrap().selects(&header), "{yes}");
        }
        for no in ["size = 19", "size = 13 and komi < 7.5", "white != lee", "white ~ lee", "year > 2016", "rules = x"] {
            assert!(!Filter::parse(no).unwrap().selects(&header), "{no}");
        }
    }

    #[test]
    fn what_is_no_filter_is_refused_with_its_reason() {
        let error = |text: &str| Filter::parse(text).unwrap_err();
        assert_eq!(error("sise = 9"), FilterError::Column("sise".into()));
        assert_eq!(error(""), FilterError::Column(String::new()));
        assert_eq!(error("size 9"), FilterError::Operator("size"));
        assert_eq!(error("komi = big"), FilterError::Number("komi", "big".into()));
        assert_eq!(error("komi ~ 7"), FilterError::Contains("komi"));
        assert_eq!(error("size = 9 or size = 13"), FilterError::Joint("or".into()));
        assert!(error("sise = 9").to_string().contains("there are size, width"));
    }
}
