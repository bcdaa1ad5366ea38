//! Kinds of findings: their severity, their source and their remedy.

mod table;

use serde::{Deserialize, Serialize};

use jigo_rules::suggestions::{similar_words, suggestion};
pub use table::Code;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Severity {
    /// Worth knowing; not a flaw.
    Info,
    /// The record is unusual or required interpretation.
    Warning,
    /// The record is damaged, or violates the rules that judge it. Sets exit code 1.
    Error,
}

impl Severity {
    /// Returns the word in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// The analysis step that produces a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// Reading of inputs and headers, which every run does.
    Reading,
    /// The replay of the turns.
    Replay,
    /// The count of endings and its comparison with recorded results.
    Count,
    /// The engine's answer about dead stones.
    Engine,
    /// The comparison of games with each other.
    Copies,
}

/// The description of a code.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Description {
    /// The code.
    pub code: Code,
    /// The stable identifier: a letter for the subject and three digits.
    pub id: &'static str,
    /// The name.
    pub name: &'static str,
    /// The severity, unless the rules determine another.
    pub severity: Severity,
    /// The meaning.
    pub what: &'static str,
    /// The reason why it matters.
    pub why: &'static str,
    /// The recommended action.
    pub remedy: &'static str,
    /// The fix that `jigo fix` applies.
    pub fix: Option<FixDescription>,
}

/// The fix for a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixDescription {
    /// The safety of the fix.
    pub safety: FixSafety,
    /// The description of the fix.
    pub what: &'static str,
}

/// The safety of a fix: whether it preserves the content of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixSafety {
    /// Turns, setup and the meaning of the header stay the same.
    Safe,
    /// The fix depends on a judgement.
    Unsafe,
    /// Safe or unsafe, depending on the record.
    Either,
    /// jigo suggests corrections and applies one only on request.
    Suggested,
}

impl FixSafety {
    /// Returns the word in texts.
    pub const fn name(self) -> &'static str {
        match self {
            FixSafety::Safe => "safe",
            FixSafety::Unsafe => "unsafe",
            FixSafety::Either => "safe or unsafe",
            FixSafety::Suggested => "suggested",
        }
    }

    /// Returns true if a safe fix is possible.
    pub const fn has_safe(self) -> bool {
        matches!(self, FixSafety::Safe | FixSafety::Either)
    }

    /// Returns true if an unsafe fix is possible.
    pub const fn has_unsafe(self) -> bool {
        matches!(self, FixSafety::Unsafe | FixSafety::Either)
    }
}

impl Code {
    /// The codes of recorded results that a fix can change, the most severe first.
    pub const RESULT_CODES: [Code; 3] = [Code::WinnerContradicted, Code::MarginContradicted, Code::ResultExplained];

    /// Returns the description of this code.
    ///
    /// ```
    /// let code = jigo_record::Code::select("K002")[0];
    /// let description = code.description();
    /// assert_eq!((description.id, description.name), ("K002", "superko"));
    /// assert!(description.why.ends_with('.'));
    /// ```
    pub fn description(self) -> &'static Description {
        // The macro writes the enum and the table in the same order.
        &Code::TABLE[self as usize]
    }

    /// Returns the stable identifier.
    pub fn id(self) -> &'static str {
        self.description().id
    }

    /// Returns the class: the first letter of the identifier, from `A` to `Z`.
    pub fn class(self) -> u8 {
        // A test checks that every identifier begins with a capital letter, so the index can't
        // fail.
        self.id().as_bytes()[0]
    }

    /// Returns the analysis step that produces this finding. It is the same for all codes of a
    /// class.
    #[doc(hidden)]
    pub fn found_by(self) -> FoundBy {
        match self.class() {
            b'C' => FoundBy::Copies,
            b'E' => FoundBy::Engine,
            b'R' => FoundBy::Count,
            b'K' | b'P' | b'S' => FoundBy::Replay,
            _ => FoundBy::Reading,
        }
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// Returns the severity, unless the rules determine another.
    pub fn severity(self) -> Severity {
        self.description().severity
    }

    /// Returns the codes that `text` selects: by identifier, by name, or by a prefix of identifiers
    /// such as `K`. Case does not matter.
    ///
    /// An empty or unknown text selects none.
    ///
    /// ```
    /// let codes = jigo_record::Code::select("K");
    /// let names: Vec<_> = codes.into_iter().map(|code| code.name()).collect();
    /// assert_eq!(names, ["ko", "superko", "repetition"]);
    /// ```
    pub fn select(text: &str) -> Vec<Code> {
        let upper = text.to_ascii_uppercase();
        let matches = |row: &&Description| {
            !text.is_empty() && (row.id.starts_with(&upper) || row.name.eq_ignore_ascii_case(text))
        };
        Code::TABLE.iter().filter(matches).map(|row| row.code).collect()
    }

    /// Returns a question with similar codes and names, for a message about an unknown code. Empty
    /// if nothing is similar.
    pub fn suggestion(text: &str) -> String {
        suggestion(&similar_words(text, Code::TABLE.iter().flat_map(|row| [row.id, row.name])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_names_are_unique_sorted_and_select_their_code() {
        for (index, row) in Code::TABLE.iter().enumerate() {
            assert_eq!(row.code as usize, index);
            assert_eq!(Code::select(row.id), [row.code]);
            assert_eq!(Code::select(row.name), [row.code]);
            let (letter, digits) = row.id.split_at(1);
            assert!(digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_digit()), "{}", row.id);
            assert!(row.code.class().is_ascii_uppercase() && letter.as_bytes() == [row.code.class()], "{}", row.id);
            if index > 0 {
                assert!(Code::TABLE[index - 1].id < row.id, "{} is out of order", row.id);
            }
            for sentence in [row.what, row.why, row.remedy] {
                assert!(sentence.ends_with('.') && sentence.len() > 7, "{}: {sentence}", row.id);
            }
        }
    }

    #[test]
    fn prefix_selects_its_codes_and_nonsense_none() {
        assert_eq!(Code::select("k"), [Code::Ko, Code::Superko, Code::Repetition]);
        assert!(Code::select("").is_empty());
        assert!(Code::select("Q9").is_empty());
    }
}
