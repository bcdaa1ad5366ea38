//! Kinds of findings: how bad each is, how it is found out, and what can be done about it.

mod table;

use serde::{Deserialize, Serialize};

use jigo_rules::suggest::{near, suggestion};
pub use table::Code;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// The record is odd or had to be interpreted.
    Warning,
    /// The record is damaged, or breaks the rules it is judged by. Sets exit code 1.
    Error,
}

impl Severity {
    /// The word in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// What a run has to do to find something out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// It reads inputs and headers, as every run does.
    Reading,
    /// It replays the turns.
    Replay,
    /// It counts endings and holds stated results against them.
    Count,
    /// It asks an engine which stones are dead.
    Engine,
    /// It holds games against each other.
    Copies,
}

/// The row of a code.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Description {
    /// The code.
    pub code: Code,
    /// Stable identifier: a letter for the subject and three digits.
    pub id: &'static str,
    /// The flaw's name.
    pub name: &'static str,
    /// How bad it is unless the rules say otherwise.
    pub severity: Severity,
    /// What it means.
    pub what: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What to do.
    pub remedy: &'static str,
    /// What `jigo fix` does about it.
    pub mending: Option<Mending>,
}

/// What can be done about a finding by changing the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mending {
    /// Whether that keeps what the record says.
    pub kind: MendKind,
    /// What is done.
    pub what: &'static str,
}

/// Whether a mend keeps what the record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MendKind {
    /// Turns, setup and the meaning of the header stay as they are.
    Safe,
    /// It rests on a judgement.
    Unsafe,
    /// It depends on the record which of the two.
    Either,
    /// Readings are proposed, and none is taken unless somebody says so.
    Proposed,
}

impl MendKind {
    /// The word in texts.
    pub const fn name(self) -> &'static str {
        match self {
            MendKind::Safe => "safe",
            MendKind::Unsafe => "unsafe",
            MendKind::Either => "safe or unsafe",
            MendKind::Proposed => "proposed",
        }
    }

    /// Whether there can be a safe mend.
    pub const fn has_safe(self) -> bool {
        matches!(self, MendKind::Safe | MendKind::Either)
    }

    /// Whether there can be one that rests on a judgement.
    pub const fn has_unsafe(self) -> bool {
        matches!(self, MendKind::Unsafe | MendKind::Either)
    }
}

impl Code {
    /// What is said of a stated result that can be mended, the gravest first.
    pub const OF_RESULTS: [Code; 3] = [Code::WinnerContradicted, Code::MarginContradicted, Code::ResultExplained];

    /// The row of this code.
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

    /// Stable identifier.
    pub fn id(self) -> &'static str {
        self.description().id
    }

    /// The class that it is of: its identifier's first letter, from `A` to `Z`.
    pub fn class(self) -> u8 {
        // Identifiers are made of a capital letter and digits, which a test holds.
        self.id().as_bytes()[0]
    }

    /// What finds it out: all codes of a class are found by the same.
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

    /// The flaw's name.
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// How bad it is unless the rules say otherwise.
    pub fn severity(self) -> Severity {
        self.description().severity
    }

    /// The codes that `text` selects: an identifier, a name, or the beginning of identifiers such as `K`. Letter case does
    /// not matter. Nothing is selected by an empty text or an unknown one.
    ///
    /// ```
    /// let names: Vec<_> = jigo_record::Code::select("K").into_iter().map(|code| code.name()).collect();
    /// assert_eq!(names, ["ko", "superko", "repetition"]);
    /// ```
    pub fn select(text: &str) -> Vec<Code> {
        let upper = text.to_ascii_uppercase();
        let matches = |row: &&Description| {
            !text.is_empty() && (row.id.starts_with(&upper) || row.name.eq_ignore_ascii_case(text))
        };
        Code::TABLE.iter().filter(matches).map(|row| row.code).collect()
    }

    /// A question with the codes and names that a text which selects none may have meant, for the end of a message; nothing where there are none.
    pub fn suggestion(text: &str) -> String {
        suggestion(&near(text, Code::TABLE.iter().flat_map(|row| [row.id, row.name])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_and_names_are_unique_and_sorted_and_lead_back_to_their_code() {
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
    fn a_prefix_selects_its_codes_and_nonsense_none() {
        assert_eq!(Code::select("k"), [Code::Ko, Code::Superko, Code::Repetition]);
        assert!(Code::select("").is_empty());
        assert!(Code::select("Q9").is_empty());
    }
}
