//! The counts of a run, which add up.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::ops::{Index, IndexMut};
use std::time::Duration;

use anstyle::Style;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::partial_result::merge_fields;
use crate::row::line::{severity_style, visible};
use crate::row::schema::SCHEMA_VERSION;
use crate::source::SkippedFiles;
use jigo_core::analysis::Outcome;
use jigo_record::finding::{Code, CodeSet, Finding, Severity};

/// The severities, the highest first.
const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Info];

/// Returns a number with its noun: `1 error`, `2 errors`.
pub fn with_noun(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns a line with the number of findings or fixes of a code. The severity is coloured if
/// `color` is true.
pub fn code_line(code: Code, severity: Severity, count: u64, color: bool) -> String {
    let row = code.description();
    let style = if color { severity_style(severity) } else { Style::new() };
    format!("{count:>9}  {style}{:<7}{style:#}  {} {}\n", severity.name(), row.id, row.name)
}

merge_fields! {
    /// The counts of a run or of a part of it; parts add up.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Summary {
        /// The number of inputs.
        pub sources: u64,
        /// The number of inputs that the user named and that could not be read.
        pub failed_sources: u64,
        /// The number of bytes read.
        pub bytes: u64,
        /// The number of games that the splitter found.
        pub found: u64,
        /// The number of games replayed to the end.
        pub replayed: u64,
        /// The number of games replayed in part.
        pub stopped: u64,
        /// The number of games that were not replayed.
        pub unreadable: u64,
        /// The number of games of which only the header was read, as requested.
        pub header_only: u64,
        /// The number of turns replayed.
        pub turns: u64,
        /// The number of reported findings by severity and code. Rules may change the severity that a
        /// code usually has.
        pub findings: [CodeCounts; 3],
        /// The files in folders that were not read.
        #[serde(rename = "passed_over")]
        pub skipped_files: SkippedFiles,
        /// The number of games with reported findings, by kind of finding.
        pub games_with: GameCounts,
        /// The number of games that do not meet an expectation, by its name.
        pub unmet_expectations: BTreeMap<String, u64>,
        /// The number of games with a reported finding of severity error. Findings outside games don't
        /// count.
        pub games_with_errors: u64,
    }
}

/// The number of games with a reported finding of each kind.
///
/// A game counts once per kind, however many findings it has. A finding outside games counts like a
/// game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameCounts {
    /// Counts by code.
    pub codes: CodeCounts,
    /// Counts by class (the first letter of the code), from A.
    pub classes: [u64; LETTERS],
    /// Counts by severity.
    pub severities: [u64; 3],
}

/// The number of letters that codes can begin with.
const LETTERS: usize = 26;

/// Returns the index of the code's class in [`GameCounts::classes`].
pub(super) fn class_index(code: Code) -> usize {
    usize::from(code.class() - b'A')
}

merge_fields!(GameCounts { codes, classes, severities });

impl GameCounts {
    /// Counts a game with these findings, or one finding outside games.
    fn add_game<'a>(&mut self, findings: impl IntoIterator<Item = &'a Finding>) {
        let mut codes = CodeSet::default();
        let (mut classes, mut severities) = (0u32, 0u8);
        for finding in findings {
            codes.insert(finding.code);
            classes |= 1 << class_index(finding.code);
            severities |= 1 << finding.severity as u8;
        }
        codes.iter().for_each(|code| self.codes[code] += 1);
        let count = |counts: &mut [u64], set: u32| {
            counts.iter_mut().enumerate().for_each(|(index, count)| *count += u64::from(set >> index & 1));
        };
        if classes != 0 {
            count(&mut self.classes, classes);
            count(&mut self.severities, severities.into());
        }
    }

    fn json(&self) -> Value {
        let by_code = Code::TABLE.iter().map(|row| (row.id.to_owned(), self.codes[row.code]));
        let by_class = (b'A'..).map(|letter| char::from(letter).to_string()).zip(self.classes);
        let object = |counts: &mut dyn Iterator<Item = (String, u64)>| -> Map<String, Value> {
            counts.filter(|(_, count)| *count > 0).map(|(name, count)| (name, count.into())).collect()
        };
        let [infos, warnings, errors] = self.severities;
        serde_json::json!({
            "error": errors,
            "warning": warnings,
            "info": infos,
            "by_class": object(&mut by_class.into_iter()),
            "by_code": object(&mut by_code.into_iter()),
        })
    }
}

impl Summary {
    /// Counts a game with its reported findings.
    pub fn add_game(&mut self, outcome: Outcome, turns: u32, reported: &[&Finding]) {
        match outcome {
            Outcome::Replayed => self.replayed += 1,
            Outcome::Stopped => self.stopped += 1,
            Outcome::Unreadable => self.unreadable += 1,
            Outcome::HeaderOnly => self.header_only += 1,
        }
        self.turns += u64::from(turns);
        self.games_with_errors += u64::from(reported.iter().any(|finding| finding.severity == Severity::Error));
        self.add_findings(reported.iter().copied());
    }

    /// Counts the reported findings of a game, or one outside games.
    pub fn add_findings<'a>(&mut self, findings: impl IntoIterator<Item = &'a Finding> + Clone) {
        for finding in findings.clone() {
            self.findings[finding.severity as usize][finding.code] += 1;
            if let Some(name) = &finding.expectation {
                *self.unmet_expectations.entry(name.to_string()).or_default() += 1;
            }
        }
        self.games_with.add_game(findings);
    }

    /// Counts duplicate games, which have no rows in the table of findings.
    pub fn add_duplicates(&mut self, code: Code, games: u64) {
        self.games_with.codes[code] += games;
        self.games_with.classes[class_index(code)] += games;
        self.games_with.severities[code.severity() as usize] += games;
    }

    /// Returns the number of findings of severity error.
    pub fn errors(&self) -> u64 {
        self.findings[Severity::Error as usize].total()
    }

    /// Returns the number of findings by severity.
    pub fn severities(&self) -> [u64; 3] {
        self.findings.each_ref().map(CodeCounts::total)
    }

    /// Returns the number of findings of a code.
    pub fn count(&self, code: Code) -> u64 {
        self.findings.iter().map(|counts| counts[code]).sum()
    }

    /// Returns the highest severity of the findings of a code; `None` if there are none.
    pub fn severity(&self, code: Code) -> Option<Severity> {
        SEVERITIES.into_iter().find(|severity| self.findings[*severity as usize][code] > 0)
    }

    /// Returns the number of reported findings about inputs, or parts of inputs, that could not be
    /// read. Their games are in no row.
    pub fn unread_inputs(&self) -> u64 {
        use Code::{ArchiveLimit, CorruptMember, EncryptedMember, UnreadableRow, UnreadableSource};
        let codes = [UnreadableSource, EncryptedMember, CorruptMember, ArchiveLimit, UnreadableRow];
        codes.into_iter().map(|code| self.count(code)).sum()
    }

    /// Returns the number of findings of any severity.
    pub fn all_findings(&self) -> u64 {
        self.severities().iter().sum()
    }

    /// Returns true if the four outcomes add up to the number of games found.
    pub fn is_balanced(&self) -> bool {
        self.found == self.replayed + self.stopped + self.unreadable + self.header_only
    }

    /// Returns the lines that end a run.
    ///
    /// `elapsed` is the time of this run. An earlier run had done the first `resumed_games` games,
    /// so they don't count for the speed. The severities of codes are coloured if `color` is true;
    /// other control characters are made visible.
    pub fn text(&self, elapsed: Duration, resumed_games: u64, color: bool) -> String {
        let findings = format!("{} in ", self.severities_in_words());
        self.counts_in_words(color) + &self.speed_line(&findings, elapsed, resumed_games)
    }

    /// Returns the lines on sources, games and findings, as [`Summary::text`] does.
    pub fn counts_in_words(&self, color: bool) -> String {
        let mut text = self.games_in_words();
        let severities = self.severities_in_words();
        let games = match self.games_with_errors {
            0 => String::new(),
            games => format!("; {} with errors", with_noun(games, "game")),
        };
        let _ = writeln!(text, "{}: {severities}{games}", with_noun(self.all_findings(), "finding"));
        for severity in SEVERITIES {
            let counts = &self.findings[severity as usize];
            let mut codes: Vec<Code> = counts.codes().collect();
            codes.sort_by_key(|code| Reverse(self.games_with.codes[*code]));
            for code in codes {
                text += &code_line(code, severity, counts[code], color);
                if code == Code::UnmetExpectation && self.severity(code) == Some(severity) {
                    for (name, games) in &self.unmet_expectations {
                        let _ = writeln!(text, "{games:>14}  {}", visible(name));
                    }
                }
            }
        }
        text
    }

    /// Returns the same lines for a run whose rows are about something else than findings.
    pub fn text_without_findings(&self, elapsed: Duration, resumed_games: u64) -> String {
        self.games_in_words() + &self.speed_line("", elapsed, resumed_games)
    }

    /// Returns the lines on sources and games.
    fn games_in_words(&self) -> String {
        let mut text = String::new();
        let relation = if self.is_balanced() { "=" } else { "but only" };
        // Writing to a String can't fail.
        let _ = writeln!(text, "{}, {:.1} MB", with_noun(self.sources, "source"), self.bytes as f64 / 1e6);
        if self.skipped_files.files() > 0 {
            let _ = writeln!(text, "skipped: {}; name a file to read it", self.skipped_files);
        }
        let (games, turns) = (with_noun(self.found, "game"), with_noun(self.turns, "turn"));
        let _ = writeln!(
            text,
            "{games} found {relation} {} replayed + {} stopped + {} unreadable{}, {turns}",
            self.replayed,
            self.stopped,
            self.unreadable,
            if self.header_only > 0 { format!(" + {} header only", self.header_only) } else { String::new() },
        );
        text
    }

    /// Returns the line on the speed, which is the last.
    fn speed_line(&self, findings: &str, elapsed: Duration, resumed_games: u64) -> String {
        let seconds = elapsed.as_secs_f64().max(1e-9);
        let (games, megabytes) = (with_noun(self.found, "game"), self.bytes as f64 / 1e6);
        format!(
            "jigo {}: {findings}{games} ({megabytes:.1} MB), {seconds:.2} s, {:.0} games/s\n",
            env!("CARGO_PKG_VERSION"),
            self.found.saturating_sub(resumed_games) as f64 / seconds
        )
    }

    /// Returns the counts in words: `1 error, 2 warnings, 0 infos`.
    pub fn severities_in_words(&self) -> String {
        let [infos, warnings, errors] = self.severities();
        format!("{}, {}, {}", with_noun(errors, "error"), with_noun(warnings, "warning"), with_noun(infos, "info"))
    }

    /// Returns the counts as JSON. They contain no time, so that equal inputs produce equal bytes.
    pub fn json(&self) -> String {
        format!("{:#}\n", self.value())
    }

    /// Returns the counts as JSON, extended by other results of the run.
    ///
    /// `files` contains the written tables with their rows, bytes and checksums. `configuration` is
    /// the parsed configuration file.
    pub fn json_with(
        &self,
        files: Map<String, Value>,
        duplicates: Option<Value>,
        configuration: Option<Value>,
    ) -> String {
        let mut value = self.value();
        value["files"] = files.into();
        if let Some(configuration) = configuration {
            value["configuration"] = configuration;
        }
        if let Some(duplicates) = duplicates {
            value["copies"] = duplicates;
        }
        format!("{value:#}\n")
    }

    fn value(&self) -> Value {
        let by_code: Map<String, Value> = Code::TABLE
            .iter()
            .filter(|row| self.count(row.code) > 0)
            .map(|row| (row.id.to_owned(), self.count(row.code).into()))
            .collect();
        let [infos, warnings, errors] = self.severities();
        let mut value = serde_json::json!({
            "jigo": env!("CARGO_PKG_VERSION"),
            "schema": SCHEMA_VERSION.to_string(),
            "sources": self.sources,
            "failed_sources": self.failed_sources,
            "bytes": self.bytes,
            "passed_over": { "files": self.skipped_files.files(), "by_suffix": self.skipped_files.by_suffix() },
            "games": {
                "found": self.found,
                "replayed": self.replayed,
                "stopped": self.stopped,
                "unreadable": self.unreadable,
                "with_errors": self.games_with_errors,
            },
            "turns": self.turns,
            "findings": { "error": errors, "warning": warnings, "info": infos, "by_code": by_code },
            "games_with": self.games_with.json(),
        });
        if self.header_only > 0 {
            value["games"]["header_only"] = self.header_only.into();
        }
        if !self.unmet_expectations.is_empty() {
            let by_name = self.unmet_expectations.iter().map(|(name, games)| (name.clone(), (*games).into()));
            value["games_with"]["by_expectation"] = by_name.collect::<Map<String, Value>>().into();
        }
        value
    }
}

/// Counts by code. serde supports arrays only up to a length of 32, so they are stored as a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<u64>", try_from = "Vec<u64>")]
pub struct CodeCounts([u64; Code::TABLE.len()]);

impl Default for CodeCounts {
    fn default() -> CodeCounts {
        CodeCounts([0; Code::TABLE.len()])
    }
}

impl Index<Code> for CodeCounts {
    type Output = u64;

    fn index(&self, code: Code) -> &u64 {
        &self.0[code as usize]
    }
}

impl IndexMut<Code> for CodeCounts {
    fn index_mut(&mut self, code: Code) -> &mut u64 {
        &mut self.0[code as usize]
    }
}

merge_fields!(CodeCounts { 0 });

impl CodeCounts {
    /// Returns the codes that occur, by severity, those of the highest counts first.
    pub fn by_severity(&self) -> Vec<Code> {
        let mut codes: Vec<Code> = self.codes().collect();
        codes.sort_by_key(|code| Reverse((code.severity(), self[*code])));
        codes
    }

    /// Returns the codes that occur.
    pub fn codes(&self) -> impl Iterator<Item = Code> {
        Code::TABLE.iter().map(|row| row.code).filter(|code| self[*code] > 0)
    }

    /// Returns the sum of all counts.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// Writes `I007 4, P006 3`.
impl fmt::Display for CodeCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = Code::TABLE.iter().filter(|row| self[row.code] > 0);
        let counts = counts.map(|row| format!("{} {}", row.id, self[row.code]));
        f.write_str(&counts.collect::<Vec<_>>().join(", "))
    }
}

impl From<CodeCounts> for Vec<u64> {
    fn from(counts: CodeCounts) -> Vec<u64> {
        counts.0.to_vec()
    }
}

impl TryFrom<Vec<u64>> for CodeCounts {
    type Error = &'static str;

    fn try_from(counts: Vec<u64>) -> Result<CodeCounts, &'static str> {
        counts.try_into().map(CodeCounts).map_err(|_| "not as many counts as codes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partial_result::PartialResult;
    use jigo_record::finding::Place;

    #[test]
    fn parts_add_up_and_show_a_lost_game() {
        let mut whole = Summary { found: 2, ..Summary::default() };
        let mut part = Summary::default();
        let ko = Finding::new(Code::Ko, Place::default(), "");
        part.add_game(Outcome::Replayed, 10, &[&ko, &ko]);
        whole.add_part(part.clone());
        assert!(!whole.is_balanced());
        assert!(whole.text(Duration::from_secs(1), 0, false).contains("2 games found but only 1 replayed"));
        whole.add_part(part.clone());
        assert!(whole.is_balanced());
        assert_eq!((whole.errors(), whole.games_with_errors, whole.turns), (4, 2, 20));
        whole.add_findings([&Finding::new(Code::CorruptMember, Place::default(), "")]);
        assert!(
            whole
                .text(Duration::from_secs(1), 0, false)
                .contains(": 5 errors, 0 warnings, 0 infos; 2 games with errors\n")
        );
        let json: Value = serde_json::from_str(&whole.json()).unwrap();
        assert_eq!(
            (&json["findings"]["by_code"]["K001"], &json["games_with"]["by_code"]["K001"]),
            (&4.into(), &2.into())
        );
        assert_eq!((&json["games_with"]["by_class"]["K"], &json["games_with"]["error"]), (&2.into(), &3.into()));
        assert_eq!(json["games"]["with_errors"], 2);
        let text = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<Summary>(&text).unwrap(), whole);
    }

    #[test]
    fn game_counts_once_for_each_of_all_codes() {
        let findings: Vec<Finding> =
            Code::TABLE.iter().map(|row| Finding::new(row.code, Place::default(), "")).collect();
        let mut counts = GameCounts::default();
        counts.add_game(findings.iter().chain(&findings));
        assert_eq!(counts.codes.0, [1; Code::TABLE.len()]);
        assert_eq!(counts.severities, [1; 3]);
    }

    #[test]
    fn codes_are_listed_with_the_severity_of_their_findings() {
        let mut summary = Summary::default();
        let mut lowered = Finding::new(Code::Ko, Place::default(), "");
        lowered.severity = Severity::Warning;
        summary.add_findings([&lowered, &lowered]);
        assert!(summary.counts_in_words(false).contains("\n        2  warning  K001 ko\n"));
        assert_eq!((summary.severity(Code::Ko), summary.count(Code::Ko)), (Some(Severity::Warning), 2));
        summary.add_findings([&Finding::new(Code::Ko, Place::default(), "")]);
        let text = summary.counts_in_words(false);
        assert!(text.contains("        1  error    K001 ko\n        2  warning  K001 ko\n"), "{text}");
    }

    #[test]
    fn codes_are_listed_by_severity_and_then_by_games() {
        let mut summary = Summary::default();
        let finding = |code| Finding::new(code, Place::default(), "");
        let (size, komi, ko) = (finding(Code::MissingBoardSize), finding(Code::MissingKomi), finding(Code::Ko));
        summary.add_findings([&komi, &komi, &komi]);
        summary.add_findings([&size, &ko]);
        summary.add_findings([&size]);
        let listed = |color| summary.counts_in_words(color).lines().skip(3).map(str::to_owned).collect::<Vec<_>>();
        let plain = listed(false);
        assert!(plain[0].starts_with("        1  error    K001 ") && plain.len() == 3, "{plain:?}");
        assert!(plain[1].contains("2  ") && plain[2].contains("3  "), "{plain:?}");
        let colored = listed(true);
        assert!(colored[0].contains("\x1b[1m\x1b[31merror  \x1b[0m  K001 "), "{colored:?}");
    }
}
