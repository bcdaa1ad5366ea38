//! Words of the tables for the outcome of a game.

use super::{GameReport, Outcome};
use crate::audit::MarginDifference;
use jigo_record::finding::Code;
use jigo_score::UncountedReason;

impl GameReport {
    /// Returns the word for the way in which the record's play ends.
    pub fn end_of_play(&self) -> &'static str {
        match (self.outcome, self.tally.closing_passes) {
            (Outcome::Unreadable, _) => "unreadable",
            (Outcome::Stopped | Outcome::HeaderOnly, _) => "stopped",
            (Outcome::Replayed, _) if self.tally.turns == 0 => "no_turns",
            (Outcome::Replayed, 0) => "no_pass",
            (Outcome::Replayed, 1) => "one_pass",
            (Outcome::Replayed, _) => "two_passes",
        }
    }

    /// Returns the word for a counted ending, or for the reason why there is no count.
    pub fn status(&self) -> &'static str {
        match &self.ending {
            Some(Ok(ending)) if !ending.is_certain => UncountedReason::Doubtful.status(),
            Some(Ok(ending)) if ending.ending.source.is_estimate() => "estimated",
            Some(Ok(_)) => "counted",
            Some(Err(reason)) => reason.status(),
            None => "not_replayed",
        }
    }

    /// Returns the fault that prevents a count and that a person can correct: an unreadable row of a
    /// board, a chain without liberties, or dead stones that are not on the board.
    pub fn count_fault(&self) -> Option<String> {
        let code = match &self.ending {
            None => Code::UnreadablePosition,
            Some(Err(UncountedReason::WrongGivenStones)) => Code::GivenStones,
            Some(Err(UncountedReason::NoLiberties)) => Code::SetupWithoutLiberties,
            Some(_) => return None,
        };
        let fault = self.findings.iter().find(|finding| finding.code == code)?;
        let stone = fault.place.point.map(|point| format!("{}: ", point.to_a1(self.header.size)));
        Some(stone.unwrap_or_default() + &fault.detail)
    }

    /// Returns the difference between area and territory if the ending is confident.
    pub fn difference(&self) -> Option<MarginDifference> {
        let ending = self.ending.as_ref()?.as_ref().ok().filter(|ending| ending.is_certain)?;
        Some(MarginDifference::new(&ending.counts, &self.tally))
    }

    /// Returns the confidence of an estimated ending in thousandths, as in tables.
    pub fn confidence(&self) -> Option<u32> {
        let ending = self.ending.as_ref()?.as_ref().ok()?;
        let confidence = ending.ending.confidence?;
        Some((f64::from(confidence) * 1000.0).round_ties_even() as u32)
    }
}
