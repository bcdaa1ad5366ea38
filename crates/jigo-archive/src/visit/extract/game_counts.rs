//! The number of extracted and rejected games.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::partial_result::merge_fields;
use crate::summary::with_noun;
use crate::tables::{RejectKind, RejectReason};
use crate::visit::serde_map;

/// The number of games by destination. Each game is either extracted or rejected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractCount {
    /// Selected games that were written.
    pub extracted: u64,
    /// All other games.
    pub rejected: u64,
    /// Rejected games that were selected but have no normal form, because they contain no game of
    /// Go.
    pub without_form: u64,
    /// Extracted games of which some data could not be written.
    pub cut: u64,
    /// Extracted games with a marked ending.
    pub marked: u64,
    /// Games of another format that were written as SGF.
    pub converted: u64,
    /// Extracted games that took over values from their duplicates.
    pub merged: u64,
    /// Rejected games that exceed the limit on the size of a game. Their text is incomplete, so it
    /// is not written.
    pub oversized: u64,
    /// Inputs that could not be read to their end.
    pub unread: u64,
}

merge_fields!(ExtractCount { extracted, rejected, without_form, cut, marked, converted, merged, oversized, unread });

/// The number of rejected games by kind and reason. Each game counts once.
///
/// Errors count by their code, expectations by their name, and conditions by their text. The other
/// reasons count by their kind, so the number of entries does not grow with the archive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectCounts(#[serde(with = "serde_map")] BTreeMap<(RejectKind, String), u64>);

merge_fields!(RejectCounts { 0 });

impl RejectCounts {
    /// Counts a rejected game.
    pub fn add_game(&mut self, reason: &RejectReason<'_>) {
        let text = match reason.kind {
            RejectKind::Filter | RejectKind::Code | RejectKind::Expectation => reason.reason.as_ref(),
            _ => "",
        };
        *self.0.entry((reason.kind, text.to_owned())).or_default() += 1;
    }

    /// Returns the number of rejected games.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// Returns the counts in words, the largest first. `form` is what the games of the kind
    /// [`RejectKind::Form`] lack, such as `a normal form`.
    pub fn words(&self, form: &str) -> String {
        let mut counts: Vec<(&(RejectKind, String), u64)> =
            self.0.iter().map(|(reason, games)| (reason, *games)).collect();
        counts.sort_by_key(|(_, games)| Reverse(*games));
        let words = counts.into_iter().map(|((kind, reason), games)| match kind {
            RejectKind::Limit => format!("{games} after --limit"),
            RejectKind::List => format!("{games} not in --games"),
            RejectKind::Duplicate => with_noun(games, "duplicate"),
            RejectKind::Sample => format!("{games} not in --sample"),
            RejectKind::Filter => format!("{games} not where {reason}"),
            RejectKind::Code => format!("{games} with {reason}"),
            RejectKind::Expectation => format!("{games} against expectation {reason}"),
            RejectKind::Clean => format!("{games} without errors"),
            RejectKind::Size => format!("{games} larger than --max game"),
            RejectKind::Form => format!("{games} without {form}"),
            RejectKind::Omission => format!("{games} shortened"),
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partial_result::PartialResult;

    #[test]
    fn counts_of_parts_add_up_in_words_and_in_json() {
        let mut part = RejectCounts::default();
        for (kind, reason) in [
            (RejectKind::Duplicate, "a.sgf#1"),
            (RejectKind::Duplicate, "b.sgf#2"),
            (RejectKind::Code, "K001 ko"),
            (RejectKind::Code, "K002 superko"),
            (RejectKind::Filter, "size = 19"),
            (RejectKind::Form, ""),
        ] {
            part.add_game(&RejectReason::new(kind, reason));
        }
        let mut whole = part.clone();
        whole.add_game(&RejectReason::new(RejectKind::Code, "K002 superko"));
        whole.add_part(part);
        assert_eq!(whole.total(), 13);
        assert_eq!(
            whole.words("rows"),
            "4 duplicates, 3 with K002 superko, 2 not where size = 19, 2 with K001 ko, 2 without rows"
        );
        let text = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<RejectCounts>(&text).unwrap(), whole);
    }
}
