//! `--fail-if`: the condition that makes a run fail, as a comparison of counts or shares of games.
//!
//! ```text
//! gate       = all ("or" all)*
//! all        = comparison ("and" comparison)*
//! comparison = what (">" | ">=" | "<" | "<=" | "=") number ["%"]
//! what       = CODE | name of a code | class, the letter of codes
//!            | error | warning | info | found | replayed | stopped | unreadable
//! ```

use std::cmp::Ordering;
use std::fmt;

use jigo_record::finding::{Code, Severity};
use jigo_rules::suggestions::{similar_words, suggestion};

use super::totals::{Summary, class_index};

/// A condition on the counts of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// The alternatives. The condition is true if all comparisons of at least one alternative are
    /// true.
    alternatives: Vec<Vec<GateComparison>>,
}

#[derive(Clone, Debug, PartialEq)]
struct GateComparison {
    quantity: Quantity,
    /// The name as the user typed it.
    name: String,
    operator: &'static str,
    bound: Bound,
}

/// The count that a comparison uses.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Quantity {
    Code(Code),
    Class(usize),
    Severity(Severity),
    Found,
    Replayed,
    Stopped,
    Unreadable,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    Games(u64),
    /// A percentage of the games found.
    Percent(f64),
}

/// The reason why a text is not a valid gate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GateError(String);

const OPERATORS: [&str; 5] = [">=", "<=", ">", "<", "="];
const QUANTITY_WORDS: [(&str, Quantity); 7] = [
    ("error", Quantity::Severity(Severity::Error)),
    ("warning", Quantity::Severity(Severity::Warning)),
    ("info", Quantity::Severity(Severity::Info)),
    ("found", Quantity::Found),
    ("replayed", Quantity::Replayed),
    ("stopped", Quantity::Stopped),
    ("unreadable", Quantity::Unreadable),
];

impl Gate {
    /// Parses a gate such as `K002 > 0.1% or error > 0`.
    ///
    /// # Errors
    /// [`GateError`] describes the error.
    pub fn parse(text: &str) -> Result<Gate, GateError> {
        // Spaces around operators are optional.
        let mut spaced_text = String::new();
        let is_operator = |c: char| "<>=".contains(c);
        for (index, c) in text.char_indices() {
            let previous = text[..index].chars().next_back();
            if previous.is_some_and(|previous| is_operator(previous) != is_operator(c)) {
                spaced_text.push(' ');
            }
            spaced_text.push(c);
        }
        let mut words = spaced_text.split_whitespace().peekable();
        let mut alternatives = vec![Vec::new()];
        loop {
            let comparison = parse_comparison(&mut words)?;
            if let Some(all) = alternatives.last_mut() {
                all.push(comparison);
            }
            match words.next() {
                None => return Ok(Gate { alternatives }),
                Some(word) if word.eq_ignore_ascii_case("and") => {}
                Some(word) if word.eq_ignore_ascii_case("or") => alternatives.push(Vec::new()),
                Some(word) => return Err(GateError(format!("only 'and' and 'or' join comparisons, not '{word}'"))),
            }
        }
    }

    /// Returns the name of the first comparison that can never count anything.
    ///
    /// The run `can_find` certain codes and reports findings of at least `min_severity`.
    pub fn unused_comparison(&self, min_severity: Severity, can_find: impl Fn(Code) -> bool) -> Option<&str> {
        let is_findable = |code: Code| code.severity() >= min_severity && can_find(code);
        let can_count = |comparison: &&GateComparison| match comparison.quantity {
            Quantity::Code(code) => is_findable(code),
            Quantity::Class(class) => {
                Code::TABLE.iter().map(|row| row.code).any(|code| class_index(code) == class && is_findable(code))
            }
            Quantity::Severity(severity) => severity >= min_severity,
            Quantity::Found | Quantity::Replayed | Quantity::Stopped | Quantity::Unreadable => true,
        };
        self.alternatives
            .iter()
            .flatten()
            .find(|comparison| !can_count(comparison))
            .map(|comparison| comparison.name.as_str())
    }

    /// Returns the comparisons that are true, in words; `None` if the run passes the gate.
    pub fn failure_reason(&self, summary: &Summary) -> Option<String> {
        let is_true = |all: &&Vec<GateComparison>| all.iter().all(|comparison| comparison.is_true(summary));
        let true_alternatives: Vec<String> = self
            .alternatives
            .iter()
            .filter(is_true)
            .map(|all| all.iter().map(|comparison| comparison.description(summary)).collect::<Vec<_>>().join(" and "))
            .collect();
        (!true_alternatives.is_empty()).then(|| true_alternatives.join("; "))
    }
}

fn parse_comparison<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<GateComparison, GateError> {
    let Some(name) = words.next() else {
        return Err(GateError("a comparison such as 'error > 0' is missing".into()));
    };
    let quantity = parse_quantity(name)?;
    let operator_text = words.next().unwrap_or("the end");
    let operator = OPERATORS.into_iter().find(|operator| *operator == operator_text);
    let operator =
        operator.ok_or_else(|| GateError(format!("{name} needs one of > >= < <= = after it, not {operator_text}")))?;
    let number = words.next().unwrap_or("the end");
    let bound = match number.strip_suffix('%') {
        Some(share) => share.parse().ok().filter(|share| (0.0..=100.0).contains(share)).map(Bound::Percent),
        None => number.parse().ok().map(Bound::Games),
    };
    let bound = bound.ok_or_else(|| {
        GateError(format!("{name} is compared with a number of games or a share such as 0.1%, not with {number}"))
    })?;
    Ok(GateComparison { quantity, name: name.into(), operator, bound })
}

fn parse_quantity(name: &str) -> Result<Quantity, GateError> {
    if let Some((_, quantity)) = QUANTITY_WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(name)) {
        return Ok(*quantity);
    }
    let codes = Code::select(name);
    match codes[..] {
        [code] if name.len() > 1 => Ok(Quantity::Code(code)),
        [first, ..] if name.len() == 1 => Ok(Quantity::Class(class_index(first))),
        _ => {
            let names = Code::TABLE
                .iter()
                .flat_map(|row| [row.id, row.name])
                .chain(QUANTITY_WORDS.iter().map(|(word, _)| *word));
            let words = QUANTITY_WORDS.map(|(word, _)| word).join(", ");
            let hint = suggestion(&similar_words(name, names));
            Err(GateError(format!(
                "there is no '{name}'{hint}; a code, its name, a class such as K, or one of {words}"
            )))
        }
    }
}

impl GateComparison {
    fn count(&self, summary: &Summary) -> u64 {
        match self.quantity {
            Quantity::Code(code) => summary.games_with.codes[code],
            Quantity::Class(class) => summary.games_with.classes[class],
            Quantity::Severity(severity) => summary.games_with.severities[severity as usize],
            Quantity::Found => summary.found,
            Quantity::Replayed => summary.replayed,
            Quantity::Stopped => summary.stopped,
            Quantity::Unreadable => summary.unreadable,
        }
    }

    fn is_true(&self, summary: &Summary) -> bool {
        let count = self.count(summary);
        let ordering = match self.bound {
            Bound::Games(bound) => count.cmp(&bound),
            Bound::Percent(bound) => percentage(count, summary.found).total_cmp(&bound),
        };
        match self.operator {
            ">" => ordering == Ordering::Greater,
            ">=" => ordering != Ordering::Less,
            "<" => ordering == Ordering::Less,
            "<=" => ordering != Ordering::Greater,
            _ => ordering == Ordering::Equal,
        }
    }

    fn description(&self, summary: &Summary) -> String {
        let (count, games) = (self.count(summary), summary.found);
        let share = percentage(count, games);
        format!("{self} ({count} of {games} games, {share:.3}%)")
    }
}

impl fmt::Display for GateComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GateComparison { name, operator, bound, .. } = self;
        match bound {
            Bound::Games(games) => write!(f, "{name} {operator} {games}"),
            Bound::Percent(share) => write!(f, "{name} {operator} {share}%"),
        }
    }
}

/// Returns a percentage. There can be more findings outside games than games.
fn percentage(count: u64, games: u64) -> f64 {
    match (count, games) {
        (0, _) => 0.0,
        (_, 0) => 100.0,
        _ => count as f64 * 100.0 / games as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_record::finding::{Finding, Place};

    fn summary() -> Summary {
        let mut summary = Summary { found: 1000, replayed: 998, unreadable: 2, ..Summary::default() };
        let finding = |code| Finding::new(code, Place::default(), "");
        summary.add_findings(&[finding(Code::Ko), finding(Code::Ko), finding(Code::Superko)]);
        summary.add_findings(&[finding(Code::Ko)]);
        summary
    }

    #[test]
    fn gate_compares_counts_and_shares() {
        for (gate, is_met) in [
            ("K001 > 1", true),
            ("K001 > 2", false),
            ("ko>=2", true),
            ("K002 >= 0.1%", true),
            ("K002 > 0.1%", false),
            ("K > 1 and K002 > 5", false),
            ("K > 1 and K002 > 5 or unreadable = 2", true),
            ("found < 1001", true),
            ("ERROR > 0.2%", false),
            ("replayed<=99.8%", true),
            ("stopped > 0", false),
            ("P > 0 or D > 0 or info > 0", false),
        ] {
            assert_eq!(Gate::parse(gate).unwrap().failure_reason(&summary()).is_some(), is_met, "{gate}");
        }
        let reason = Gate::parse("K002>=0.1% or error>0").unwrap().failure_reason(&summary()).unwrap();
        assert_eq!(reason, "K002 >= 0.1% (1 of 1000 games, 0.100%); error > 0 (2 of 1000 games, 0.200%)");
    }

    #[test]
    fn empty_run_passes_unless_there_are_findings_outside_games() {
        let mut summary = Summary::default();
        assert_eq!(Gate::parse("error > 0% or K001 > 0").unwrap().failure_reason(&summary), None);
        summary.add_findings(&[Finding::new(Code::CorruptMember, Place::default(), "")]);
        assert!(Gate::parse("I012 > 50%").unwrap().failure_reason(&summary).is_some());
    }

    #[test]
    fn malformed_gate_reports_the_reason() {
        for (gate, reason) in [
            ("", "a comparison such as 'error > 0' is missing"),
            ("error", "error needs one of > >= < <= = after it, not the end"),
            ("error > ", "not with the end"),
            ("error > many", "not with many"),
            ("error > -1", "not with -1"),
            ("error > 101%", "not with 101%"),
            ("error > nan%", "not with nan%"),
            ("errors > 0", "there is no 'errors' (did you mean error"),
            ("K00 > 0", "there is no 'K00'"),
            ("error > 0 xor K > 0", "not 'xor'"),
            ("error > 0 and", "is missing"),
            ("error => 0", "not =>"),
        ] {
            let error = Gate::parse(gate).unwrap_err().to_string();
            assert!(error.contains(reason), "{gate}: {error}");
        }
    }
}
