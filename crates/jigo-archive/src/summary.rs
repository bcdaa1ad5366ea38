//! What a run saw, in numbers that add up.

use std::fmt::Write as _;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use jigo_core::analyze::Outcome;
use jigo_core::finding::{Code, Finding, Severity};

/// Counts of a run or a part of it; parts add up with [`Summary::add`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Inputs looked at.
    pub sources: u64,
    /// Inputs named outright that could not be read.
    pub failed_sources: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Games that the splitter found.
    pub found: u64,
    /// Games replayed to the end.
    pub replayed: u64,
    /// Games replayed in part.
    pub stopped: u64,
    /// Games not replayed.
    pub unreadable: u64,
    /// Turns replayed.
    pub turns: u64,
    /// Findings reported, by code in the table's order.
    #[serde(with = "by_code")]
    pub findings: [u64; Code::TABLE.len()],
    /// Findings reported, by severity.
    pub severities: [u64; 3],
}

impl Default for Summary {
    fn default() -> Summary {
        Summary {
            sources: 0,
            failed_sources: 0,
            bytes: 0,
            found: 0,
            replayed: 0,
            stopped: 0,
            unreadable: 0,
            turns: 0,
            findings: [0; Code::TABLE.len()],
            severities: [0; 3],
        }
    }
}

impl Summary {
    /// Counts a game.
    pub fn game(&mut self, outcome: Outcome, turns: u32) {
        match outcome {
            Outcome::Replayed => self.replayed += 1,
            Outcome::Stopped => self.stopped += 1,
            Outcome::Unreadable => self.unreadable += 1,
        }
        self.turns += u64::from(turns);
    }

    /// Counts a finding that is reported.
    pub fn finding(&mut self, finding: &Finding) {
        self.findings[finding.code as usize] += 1;
        self.severities[finding.severity as usize] += 1;
    }

    /// Adds the counts of another part.
    pub fn add(&mut self, other: &Summary) {
        self.sources += other.sources;
        self.failed_sources += other.failed_sources;
        self.bytes += other.bytes;
        self.found += other.found;
        self.replayed += other.replayed;
        self.stopped += other.stopped;
        self.unreadable += other.unreadable;
        self.turns += other.turns;
        self.findings.iter_mut().zip(other.findings).for_each(|(sum, more)| *sum += more);
        self.severities.iter_mut().zip(other.severities).for_each(|(sum, more)| *sum += more);
    }

    /// Findings of severity error.
    pub fn errors(&self) -> u64 {
        self.severities[Severity::Error as usize]
    }

    /// Findings of any severity.
    pub fn all_findings(&self) -> u64 {
        self.severities.iter().sum()
    }

    /// Whether every game found was accounted for.
    pub fn closes(&self) -> bool {
        self.found == self.replayed + self.stopped + self.unreadable
    }

    /// The lines that end a run.
    pub fn text(&self, elapsed: Duration) -> String {
        let seconds = elapsed.as_secs_f64().max(1e-9);
        let mut text = String::new();
        let closes = if self.closes() { "=" } else { "but only" };
        // A String does not refuse to be written to.
        let _ = writeln!(text, "{} sources, {:.1} MB", self.sources, self.bytes as f64 / 1e6);
        let _ = writeln!(
            text,
            "{} games found {closes} {} replayed + {} stopped + {} unreadable, {} turns",
            self.found, self.replayed, self.stopped, self.unreadable, self.turns
        );
        let [infos, warnings, errors] = self.severities;
        let _ = writeln!(text, "{} findings: {errors} errors, {warnings} warnings, {infos} infos", self.all_findings());
        for row in Code::TABLE.iter().filter(|row| self.findings[row.code as usize] > 0) {
            let _ = writeln!(text, "{:>9}  {} {}", self.findings[row.code as usize], row.id, row.name);
        }
        let megabytes = self.bytes as f64 / 1e6;
        let _ = writeln!(
            text,
            "jigo {}: {errors} errors, {warnings} warnings, {infos} infos in {} games ({megabytes:.1} MB), {seconds:.2} s, {:.0} games/s",
            env!("CARGO_PKG_VERSION"),
            self.found,
            self.found as f64 / seconds
        );
        text
    }

    /// The counts as JSON; time is left out, so that equal inputs give equal bytes.
    pub fn json(&self) -> String {
        let by_code: serde_json::Map<String, serde_json::Value> = Code::TABLE
            .iter()
            .filter(|row| self.findings[row.code as usize] > 0)
            .map(|row| (row.id.to_owned(), self.findings[row.code as usize].into()))
            .collect();
        let [infos, warnings, errors] = self.severities;
        let value = serde_json::json!({
            "jigo": env!("CARGO_PKG_VERSION"),
            "sources": self.sources,
            "failed_sources": self.failed_sources,
            "bytes": self.bytes,
            "games": {
                "found": self.found,
                "replayed": self.replayed,
                "stopped": self.stopped,
                "unreadable": self.unreadable,
            },
            "turns": self.turns,
            "findings": { "error": errors, "warning": warnings, "info": infos, "by_code": by_code },
        });
        format!("{value:#}\n")
    }
}

/// Counts by code as a list: serde knows arrays of up to 32 only.
mod by_code {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Code;

    type Counts = [u64; Code::TABLE.len()];

    pub fn serialize<S: Serializer>(counts: &Counts, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(counts)
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Counts, D::Error> {
        let counts = Vec::deserialize(from)?;
        counts.try_into().map_err(|_| D::Error::custom("not as many counts as codes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_core::finding::Place;

    #[test]
    fn parts_add_up_and_a_lost_game_shows() {
        let mut whole = Summary { found: 2, ..Summary::default() };
        let mut part = Summary::default();
        part.game(Outcome::Replayed, 10);
        part.finding(&Finding::new(Code::Ko, Place::default(), ""));
        whole.add(&part);
        assert!(!whole.closes());
        assert!(whole.text(Duration::from_secs(1)).contains("2 games found but only 1 replayed"));
        whole.add(&part);
        assert!(whole.closes());
        assert_eq!((whole.errors(), whole.turns), (2, 20));
        assert!(whole.json().contains("\"K001\": 2"));
        let text = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<Summary>(&text).unwrap(), whole);
    }
}
