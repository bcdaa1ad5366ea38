//! The counts and examples of the report page, collected game by game in bounded memory.

mod contradicted;
mod example;
mod examples;
mod files;
mod groups;
mod players;

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use contradicted::{ContradictedResult, ContradictedResults};
pub use example::Example;
pub use examples::{BoardExample, Examples};
pub use files::{FileFigures, Files};
pub use groups::{Group, GroupKey};
pub use players::{PlayerFigures, Players};

use serde::{Deserialize, Serialize};

use super::fix_visitor::{FixCount, FixVisitor};
use super::serde_map;
use crate::partial_result::{PartialResult, merge_fields};
use crate::pipeline::{SourceFinding, VisitedGame, Visitor};
use crate::summary::CodeCounts;
use crate::visit::pairs::Pairs;
use jigo_core::analysis::comparison::{Change, comparisons};
use jigo_core::analysis::{GameReport, Outcome, Settings};
use jigo_core::audit::{MarginDifference, agrees};
use jigo_record::Rank;
use jigo_record::finding::{CodeSet, Finding};
use jigo_record::splitter::GameText;
use jigo_rules::HalfPoints;

/// Counts by key, in the order of the keys.
pub type Counter<K> = BTreeMap<K, u64>;

merge_fields! {
    /// The counts of a report; parts add up.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Figures {
        /// The number of games with each finding. A finding outside games counts its input.
        pub with_finding: CodeCounts,
        /// The number of games by their worst severity. [`Figures::clean`] counts games without
        /// findings.
        pub worst: [u64; 3],
        /// The number of games without a finding.
        pub clean: u64,
        /// Files by their findings.
        pub files: Files,
        /// Example games.
        pub examples: Examples,
        /// Recorded results by kind.
        #[serde(with = "serde_map")]
        pub results: Counter<Cow<'static, str>>,
        /// Games by the way in which play ends in the record.
        #[serde(with = "serde_map")]
        pub ends_of_play: Counter<Cow<'static, str>>,
        /// Games by the status of the ending.
        #[serde(with = "serde_map")]
        pub statuses: Counter<Cow<'static, str>>,
        /// Endings that were counted or doubtful, by the source of their dead stones.
        #[serde(with = "serde_map")]
        pub dead_sources: Counter<Cow<'static, str>>,
        /// Estimated endings by confidence; see [`CONFIDENCE_FROM`].
        pub confidences: [u64; CONFIDENCE_FROM.len()],
        /// Games by number of turns, in steps of [`TURNS_STEP`].
        #[serde(with = "serde_map")]
        pub turns: Counter<u32>,
        /// Games by recorded margin, in classes of [`MARGIN_STEP`] points. The key is 0 for a draw,
        /// positive if Black won and negative if White won.
        #[serde(with = "serde_map")]
        pub margins: Counter<i32>,
        /// Players by recorded rank, such as `5k`, two for each game; empty without a rank.
        #[serde(with = "serde_map")]
        pub ranks: Counter<String>,
        /// The fixes that the games offer.
        pub fixes: FixCount,
        /// Games by komi.
        #[serde(with = "serde_map")]
        pub komi: Counter<Option<HalfPoints>>,
        /// Games by ruleset; empty if it is unknown.
        #[serde(with = "serde_map")]
        pub rulesets: Counter<String>,
        /// Games by year.
        #[serde(with = "serde_map")]
        pub years: Counter<Option<u16>>,
        /// Games by columns and rows of the board.
        #[serde(with = "serde_map")]
        pub sizes: Counter<(u8, u8)>,
        /// Games by handicap stones.
        #[serde(with = "serde_map")]
        pub handicaps: Counter<u32>,
        /// Counted games by area minus strict territory, each Black minus White.
        #[serde(with = "serde_map")]
        pub differences: Counter<HalfPoints>,
        /// The number of counted games with a difference from each cause: parity, passes, handicap
        /// stones, setup, seki, dame.
        pub causes: [u64; 6],
        /// For each ruleset, the number of games whose recorded result equals the counted one (true) or
        /// differs (false).
        #[serde(with = "serde_map")]
        pub agreement: Counter<(String, bool)>,
        /// Games with a recorded result, in the order of [`Verdict`](jigo_core::audit::Verdict).
        pub verdicts: [u64; 5],
        /// Comparisons of rulesets.
        pub pairs: Pairs,
        /// General statistics by server and year.
        #[serde(with = "serde_map")]
        pub groups: BTreeMap<GroupKey, Group>,
        /// The players that the user lists.
        pub players: Players,
    }
}

/// The lower bounds of the confidence classes, in thousandths.
pub const CONFIDENCE_FROM: [u32; 5] = [0, 500, 700, 900, 970];
/// The number of turns per class of lengths.
pub const TURNS_STEP: u32 = 25;
/// The causes of [`Figures::causes`].
pub const CAUSES: [&str; 6] = ["parity", "passes", "handicap_stones", "setup", "seki", "dame"];

/// The maximum number of keys in a counter. Records may contain any number of different komi.
const MAX_KEYS: usize = 4096;

fn count<K: Ord>(counter: &mut Counter<K>, key: K) {
    *counter.entry(key).or_default() += 1;
}

impl Figures {
    /// Counts a game with its reported findings.
    pub fn add_game(&mut self, text: &GameText, report: &GameReport, reported: &[&Finding]) {
        self.add_findings(reported);
        let worst = reported.iter().map(|finding| finding.severity).max();
        match worst {
            Some(severity) => self.worst[severity as usize] += 1,
            None => self.clean += 1,
        }
        self.files.add_game(text.file, reported, report.outcome);
        self.examples.add_game(text, report, reported);
        self.players.add_game(report);
        let header = &report.header;
        let server = header.dialect.map_or("", |dialect| dialect.name).to_owned();
        self.groups.entry((server, header.year())).or_default().add_part(Group::from_report(report, worst));
        count(&mut self.results, header.result.kind.name().into());
        count(&mut self.ends_of_play, report.end_of_play().into());
        count(&mut self.statuses, report.status().into());
        if self.komi.len() < MAX_KEYS || self.komi.contains_key(&header.komi) {
            count(&mut self.komi, header.komi);
        }
        count(&mut self.rulesets, report.ruleset.as_ref().map_or(String::new(), |ruleset| ruleset.name.to_string()));
        count(&mut self.years, header.year());
        header.result.black_minus_white.into_iter().for_each(|margin| count(&mut self.margins, margin_class(margin)));
        for rank in [&header.black_rank, &header.white_rank] {
            count(&mut self.ranks, Rank::parse(rank).map_or(String::new(), |rank| rank.to_string()));
        }
        if report.outcome != Outcome::Unreadable {
            count(&mut self.turns, report.tally.turns / TURNS_STEP * TURNS_STEP);
            count(&mut self.sizes, (header.size.width(), header.size.height()));
            count(&mut self.handicaps, report.tally.handicap.stones());
        }
        self.add_counts(text, report);
    }

    /// Counts the ending and the scores of a game.
    fn add_counts(&mut self, text: &GameText, report: &GameReport) {
        if let Some(Ok(ending)) = &report.ending {
            count(&mut self.dead_sources, ending.ending.source.name().into());
        }
        if let Some(confidence) = report.confidence() {
            let bucket = CONFIDENCE_FROM.iter().rposition(|lower_bound| confidence >= *lower_bound).unwrap_or(0);
            self.confidences[bucket] += 1;
        }
        if let Some(difference) = report.difference() {
            count(&mut self.differences, difference.total());
            let MarginDifference { parity, passes, handicap, setup, seki, dame, .. } = difference;
            for (sum, points) in self.causes.iter_mut().zip([parity, passes, handicap, setup, seki, dame]) {
                *sum += u64::from(points != HalfPoints::ZERO);
            }
        }
        for (ruleset, score) in &report.scores {
            if let Some(agrees) = score.as_ref().ok().and_then(|score| agrees(score, &report.header.result)) {
                count(&mut self.agreement, (ruleset.name.to_string(), agrees));
            }
        }
        if let Some(audit) = &report.audit {
            self.verdicts[audit.verdict as usize] += 1;
            self.examples.contradicted.add_game(text, report, audit);
        }
        self.pairs.add_game(report);
        if let Some(comparison) = comparisons(report).iter().find(|candidate| candidate.change() == Change::Winner) {
            self.examples.add_winner_change(text, report, comparison);
        }
    }

    /// Counts a finding outside games, at a byte of its file.
    pub fn add_outside_finding(&mut self, file: &str, byte: u64, finding: &Finding) {
        self.add_findings(&[finding]);
        self.files.add_outside_finding(file, finding);
        self.examples.add_outside_finding(file, byte, finding);
    }

    fn add_findings(&mut self, reported: &[&Finding]) {
        let codes: CodeSet = reported.iter().map(|finding| finding.code).collect();
        codes.iter().for_each(|code| self.with_finding[code] += 1);
    }
}

/// The visitor that collects the figures.
pub struct FiguresVisitor {
    /// The fixes to count. They are not made.
    pub fixes: FixVisitor,
}

impl Visitor for FiguresVisitor {
    type Accumulator = Box<Figures>;

    fn configure(&self, settings: &mut Settings) {
        settings.details |= settings.players.is_some();
    }

    fn start_batch(&self) -> Box<Figures> {
        Box::default()
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut Box<Figures>) {
        batch.add_game(game.text, game.report, game.reported);
        batch.fixes.add_part(self.fixes.count_fixes(game));
    }

    fn visit_finding(&self, finding: &SourceFinding<'_>, batch: &mut Box<Figures>) {
        batch.add_outside_finding(finding.file, finding.byte, finding.finding);
    }
}

/// The width of a class of margins in points.
pub const MARGIN_STEP: i32 = 5;
/// The number of the last class. It includes all larger margins.
pub const LAST_MARGIN_CLASS: i32 = 10;

/// Returns the class of a margin: 0 for a draw, 1 for up to [`MARGIN_STEP`] points and so on,
/// positive if Black won and negative if White won.
fn margin_class(black_minus_white: HalfPoints) -> i32 {
    let half_points = black_minus_white.0;
    let step = 2 * MARGIN_STEP.unsigned_abs();
    let class = half_points.unsigned_abs().div_ceil(step).min(LAST_MARGIN_CLASS.unsigned_abs());
    // The class is at most LAST_MARGIN_CLASS, so the conversion can't wrap.
    half_points.signum() * class as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_have_symmetric_classes() {
        let classes = [0, 1, 10, 11, 400, i32::MAX].map(|half_points| margin_class(HalfPoints(half_points)));
        assert_eq!(classes, [0, 1, 1, 2, 10, 10]);
        assert_eq!(
            [-1, -10, -11, i32::MIN].map(|half_points| margin_class(HalfPoints(half_points))),
            [-1, -1, -2, -10]
        );
    }
}
