//! Kinds of findings: their severity, their source and their remedy.

mod code_set;
mod severity;
mod table;

pub use code_set::CodeSet;
use jigo_rules::suggestions::{similar_words, suggestion};
pub use severity::{FixDescription, FixSafety, Severity};
pub use table::{Code, Description};

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
    /// The search for right answers of problems.
    Problems,
    /// The comparison of games with each other.
    Copies,
    /// The comparison of a game with the expectations of a configuration file.
    Expectations,
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
    /// class, except that a count also needs no engine to use given stones.
    #[doc(hidden)]
    pub fn found_by(self) -> FoundBy {
        match self.class() {
            _ if self == Code::GivenStones => FoundBy::Count,
            b'A' => FoundBy::Expectations,
            b'C' => FoundBy::Copies,
            b'E' => FoundBy::Engine,
            b'R' => FoundBy::Count,
            b'T' => FoundBy::Problems,
            b'K' | b'P' | b'S' => FoundBy::Replay,
            _ => FoundBy::Reading,
        }
    }

    /// Returns true if the finding concerns a game but not a problem, which has no result and no
    /// rules: komi, handicap, results, rules, omitted passes, setup between turns, and repetitions
    /// that no rule forbids.
    #[doc(hidden)]
    pub fn is_of_games(self) -> bool {
        (Code::UnreadableKomi..=Code::ResultReason).contains(&self)
            || self.class() == b'R'
            || matches!(self, Code::ResultForm | Code::KomiForm | Code::Repetition)
            || matches!(self, Code::ImpliedPass | Code::TurnsAfterEnd | Code::SetupInPlay)
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
