//! The duplicates of a run as rows, findings and counts.

use std::collections::{BTreeSet, HashSet};

use jigo_core::similarity::{Class, HeaderField, RecordComparison};
use jigo_record::finding::{Code, Finding, Place};
use serde_json::{Map, Value};

use super::keyed_games::KeyedGames;
use crate::pipeline::without_dot_slash;
use crate::tables::{DuplicateRow, GameFacts};
use crate::visit::extract::{DropReason, DropReasons};

/// A game with a duplicate.
#[derive(Debug)]
pub struct ClusterMember {
    pub(super) cluster: u64,
    pub(super) game: u32,
    pub(super) keep: bool,
    pub(super) compared_with: Option<(u32, RecordComparison)>,
    pub(super) reason: String,
}

/// The duplicates of a run.
pub struct DuplicateSet {
    /// The games that were compared.
    pub games: KeyedGames,
    /// One row per game, by cluster, with the representative first.
    pub members: Vec<ClusterMember>,
    /// The games that may be copies of games in several clusters, and these.
    pub(super) ambiguous: BTreeSet<u32>,
}

impl DuplicateSet {
    /// Returns the table row of a game.
    fn row<'a>(&'a self, member: &'a ClusterMember) -> DuplicateRow<'a> {
        let file_and_game = |number: u32| (self.games.file(number), self.games.facts(number).game);
        let (file, game) = file_and_game(member.game);
        let GameFacts { offset, turns, .. } = *self.games.facts(member.game);
        DuplicateRow {
            cluster: member.cluster,
            location: (file, game, offset),
            turns,
            keep: member.keep,
            compared_with: member.compared_with.as_ref().map(|(other, comparison)| (file_and_game(*other), comparison)),
            reason: &member.reason,
        }
    }

    /// Returns the table rows of all games.
    pub fn rows(&self) -> impl Iterator<Item = DuplicateRow<'_>> {
        self.members.iter().map(|member| self.row(member))
    }

    /// Returns the games that are not to be kept, by file and number.
    ///
    /// Rows may have the same identifier. Then a file and number can belong to a game to keep as
    /// well, and is left out.
    pub fn dropped_games(&self) -> impl Iterator<Item = (&str, u64)> {
        let name = |number: u32| (without_dot_slash(self.games.file(number)), self.games.facts(number).game);
        let dropped: HashSet<u32> =
            self.members.iter().filter(|member| !member.keep).map(|member| member.game).collect();
        let mut names: HashSet<(&str, u64)> = dropped.iter().map(|number| name(*number)).collect();
        let kept = (0..self.games.len() as u32).filter(|number| !names.is_empty() && !dropped.contains(number));
        let kept: Vec<u32> = kept.filter(|number| names.contains(&name(*number))).collect();
        for number in kept {
            names.remove(&name(number));
        }
        names.into_iter()
    }

    /// Returns the reasons for the games that are not to be kept.
    pub fn drop_reasons(&self) -> DropReasons {
        let mut reasons = DropReasons::default();
        let mut representative = String::new();
        for member in &self.members {
            let DuplicateRow { location: (file, game, _), compared_with, reason, .. } = self.row(member);
            if member.keep {
                // The representative is the first game of its cluster.
                representative = format!("{file}#{game}");
                continue;
            }
            let class = compared_with.map_or("duplicate", |(_, comparison)| comparison.class.name());
            let detail = format!("{class}; {reason}").into();
            reasons.insert(file, game, DropReason { representative: representative.as_str().into(), detail });
        }
        reasons
    }

    /// Returns the finding on a game that is a duplicate or a collision of another.
    ///
    /// The tuple contains the file, the number and byte of the game, the line of its `(`, and the
    /// finding.
    pub fn finding(&self, member: &ClusterMember) -> Option<(&str, (u64, u64), u64, Finding)> {
        let (other, comparison) = member.compared_with.as_ref()?;
        let mut detail = format!("{}#{}", self.games.file(*other), self.games.facts(*other).game);
        let view = if comparison.view.is_identity() { String::new() } else { comparison.view.to_string() };
        let edits = if comparison.edits == 0 { String::new() } else { format!("{} edits", comparison.edits) };
        let common = format!("{} turns in common", comparison.common_turns);
        let has_other_colors = comparison.conflicting.contains(HeaderField::Colors);
        let colors = if has_other_colors { "other colors from a turn on".to_owned() } else { String::new() };
        [common, view, edits, colors]
            .iter()
            .filter(|part| !part.is_empty())
            .for_each(|part| detail += &format!(", {part}"));
        let GameFacts { game, offset, line, .. } = *self.games.facts(member.game);
        Some((
            self.games.file(member.game),
            (game, offset),
            line,
            Finding::new(code_of(comparison.class), Place::byte(0), detail),
        ))
    }

    /// Returns the number of duplicates by class.
    ///
    /// The class describes the relation to the representative. Collisions are pairs or groups of
    /// different games.
    pub fn counts(&self) -> [u64; Class::NAMES.len()] {
        let mut counts = [0; Class::NAMES.len()];
        self.members
            .iter()
            .filter_map(|member| member.compared_with.as_ref())
            .for_each(|(_, comparison)| counts[comparison.class as usize] += 1);
        counts
    }

    /// Returns the same counts by finding code.
    pub fn counts_by_code(&self) -> impl Iterator<Item = (Code, u64)> {
        let counts = self.counts();
        Class::NAMES.into_iter().map(move |(_, class)| (code_of(class), counts[class as usize]))
    }

    /// Returns the number of duplicates, without collisions.
    pub fn duplicate_count(&self) -> u64 {
        self.counts()[..Class::Collision as usize].iter().sum()
    }

    /// Returns the number of games that occur at least twice, each counted once.
    pub fn cluster_count(&self) -> u64 {
        let is_duplicate = |member: &&ClusterMember| {
            member.compared_with.as_ref().is_some_and(|(_, comparison)| comparison.class != Class::Collision)
        };
        self.members
            .chunk_by(|first, second| first.cluster == second.cluster)
            .filter(|members| members.iter().any(|member| is_duplicate(&member)))
            .count() as u64
    }

    /// Returns the same counts as JSON.
    pub fn json(&self) -> Value {
        let by_class =
            Class::NAMES.iter().zip(self.counts()).map(|((name, _), games)| ((*name).to_owned(), games.into()));
        serde_json::json!({ "again": self.duplicate_count(), "clusters": self.cluster_count(), "by_class": by_class.collect::<Map<_, _>>() })
    }
}

/// Returns the finding code of a class.
pub(super) fn code_of(class: Class) -> Code {
    match class {
        Class::Identical => Code::IdenticalCopy,
        Class::Same => Code::SameGame,
        Class::Symmetric => Code::SymmetricCopy,
        Class::Prefix => Code::CutCopy,
        Class::Variant => Code::VariantCopy,
        Class::Collision => Code::SameTurns,
    }
}
