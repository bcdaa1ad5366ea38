//! The files with the most games that have errors.

use serde::{Deserialize, Serialize};

use crate::partial_result::PartialResult;
use jigo_core::analysis::Outcome;
use jigo_record::finding::{Finding, Severity};

/// The counts of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFigures {
    /// Its name.
    pub name: String,
    /// The number of its games.
    pub games: u64,
    /// The number of games with a finding of severity error.
    pub games_with_errors: u64,
    /// The number of games that were not replayed.
    pub unreadable: u64,
    /// The number of findings by severity.
    pub findings: [u64; 3],
}

/// The files with the most games that have errors, then by errors and warnings. Of equal files the
/// first ones remain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Files {
    /// Completed files, the worst first, up to a limit.
    worst: Vec<FileFigures>,
    /// Incomplete files in order.
    ///
    /// For a part of a run these are all files: the first may have started earlier and the last may
    /// continue. For the whole run it is only the last file.
    open: Vec<FileFigures>,
    /// The number of files with games or findings.
    pub count: u64,
}

/// The maximum number of files.
const MAX_FILES: usize = 30;

impl FileFigures {
    /// Returns the sort key: games with errors, then errors, then warnings.
    fn rank(&self) -> [u64; 3] {
        [self.games_with_errors, self.findings[Severity::Error as usize], self.findings[Severity::Warning as usize]]
    }
}

impl Files {
    /// Counts a game.
    pub fn add_game(&mut self, file: &str, reported: &[&Finding], outcome: Outcome) {
        let entry = self.entry(file);
        entry.games += 1;
        let has_error = reported.iter().any(|finding| finding.severity == Severity::Error);
        entry.games_with_errors += u64::from(has_error);
        entry.unreadable += u64::from(outcome == Outcome::Unreadable);
        reported.iter().for_each(|finding| entry.findings[finding.severity as usize] += 1);
    }

    /// Counts a finding outside games.
    pub fn add_outside_finding(&mut self, file: &str, finding: &Finding) {
        self.entry(file).findings[finding.severity as usize] += 1;
    }

    /// Adds a complete file.
    pub fn add(&mut self, file: FileFigures) {
        self.rank_open_files();
        self.open.push(file);
    }

    fn entry(&mut self, file: &str) -> &mut FileFigures {
        if self.open.last().is_none_or(|last| last.name != file) {
            self.open.push(FileFigures { name: file.to_owned(), ..FileFigures::default() });
        }
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    fn rank_open_files(&mut self) {
        for file in self.open.drain(..) {
            self.count += 1;
            let index = self.worst.partition_point(|other| other.rank() >= file.rank());
            if index < MAX_FILES && file.rank() > [0; 3] {
                self.worst.insert(index, file);
                self.worst.truncate(MAX_FILES);
            }
        }
    }

    /// Returns the files with errors or warnings, the worst first.
    pub fn worst(&mut self) -> &[FileFigures] {
        self.rank_open_files();
        &self.worst
    }
}

impl PartialResult for Files {
    fn add_part(&mut self, next: Files) {
        for file in next.open {
            match self.open.last_mut() {
                Some(last) if last.name == file.name => {
                    last.games.add_part(file.games);
                    last.games_with_errors.add_part(file.games_with_errors);
                    last.unreadable.add_part(file.unreadable);
                    last.findings.add_part(file.findings);
                }
                _ => self.add(file),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_record::finding::{Code, Place};

    #[test]
    fn parts_of_a_file_add_up_and_the_worst_is_first() {
        let finding = |code: Code| Finding::new(code, Place::default(), "");
        let (error, warning) = (finding(Code::Occupied), finding(Code::SeveralTurns));
        let mut whole = Files::default();
        for part in [["a", "b"], ["b", "c"]] {
            let mut files = Files::default();
            for name in part {
                let findings: &[&Finding] = if name == "c" { &[&error, &error, &error] } else { &[&error, &warning] };
                files.add_game(name, findings, Outcome::Replayed);
            }
            whole.add_part(files);
        }
        let names: Vec<(&str, u64)> = whole.worst().iter().map(|file| (file.name.as_str(), file.games)).collect();
        // Two games with one error each are worse than one game with three.
        assert_eq!(names, [("b", 2), ("c", 1), ("a", 1)]);
        assert_eq!(whole.count, 3);
    }
}
