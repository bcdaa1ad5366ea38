//! The variations off the main line of a game.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::matches::find_matches;
use super::settings::Settings;
use super::{Analyzer, too_many_findings};
use crate::pattern::{NewPart, ReplayedGame};
use jigo_record::finding::{Code, Finding};
use jigo_record::record::variations::{self, Branches, VisitFlow, side_variations};
use jigo_record::sgf::Limits;
use jigo_record::splitter::GameText;
use jigo_rules::{ExhaustedLimit, Ruleset};

/// The cost of a finding in turns, for [`Limits::variation_turns`].
const FINDING_TURNS: u64 = 1;

impl Analyzer {
    /// Replays the variations off the main line and reports findings in turns that no earlier
    /// variation contains.
    ///
    /// A finding costs as much as one turn. Its path also costs one turn for each number in it.
    /// Without that, the output could grow with the product of findings and variations.
    pub(super) fn side_variations(&mut self, text: &GameText, judges: &[Ruleset], settings: &Settings) {
        let (mut findings, mut match_limit) = (Vec::new(), None);
        let mut findings_of_text =
            side_variations(text.bytes, settings.limits, &self.budget, |record, branches, max_turns| {
                let previous_count = findings.len();
                let tally = self.replayer.replay(record, judges, settings.replay, &mut findings);
                let is_exhausted = tally.exhausted;
                if let Some(search) = &settings.pattern {
                    let matches = &mut self.report.matches;
                    let game = ReplayedGame {
                        record,
                        history: self.replayer.history(),
                        tally: &tally,
                        judges,
                        options: settings.replay,
                        budget: &self.budget,
                        new_part: NewPart::after_offset(record, branches.offset),
                    };
                    let earlier_matches = matches.len();
                    let reached = find_matches(&mut self.matcher, search, &game, settings.limits, matches);
                    // Several variations can reach the same limit.
                    match_limit = match_limit.take().or(reached);
                    if matches.len() > earlier_matches {
                        let variation = Branches::path(&branches.branch_choices());
                        matches[earlier_matches..].iter_mut().for_each(|found| found.variation.clone_from(&variation));
                    }
                }
                let mut new = findings.split_off(previous_count);
                let flow = name_variations(&mut new, branches, max_turns, settings.limits);
                findings.append(&mut new);
                if is_exhausted == Some(ExhaustedLimit::Findings) && flow.is_continue() {
                    let detail = too_many_findings(settings.limits);
                    return ControlFlow::Break((Code::TooManyFindings, branches.offset, detail));
                }
                flow
            });
        // The reading of the main line reports the damage of all nodes.
        let reported: HashSet<(usize, &str)> =
            self.report.findings.iter().map(|finding| (finding.place.offset, &*finding.detail)).collect();
        findings_of_text.retain(|finding| !reported.contains(&(finding.place.offset, &*finding.detail)));
        self.report.findings.extend(findings_of_text);
        self.report.findings.append(&mut findings);
        self.report.findings.extend(match_limit);
    }
}

/// Removes findings before a variation, and names the variation of the others. Returns the turns
/// that this uses, or the end at the first finding beyond `max_turns`.
fn name_variations(findings: &mut Vec<Finding>, branches: &Branches, max_turns: u64, limits: Limits) -> VisitFlow {
    let mut spent_turns = FINDING_TURNS * findings.len() as u64;
    let choices = if findings.is_empty() { Vec::new() } else { branches.branch_choices() };
    findings.retain(|finding| finding.place.offset >= branches.offset);
    for index in 0..findings.len() {
        let finding = &mut findings[index];
        let path_length = choices.partition_point(|(offset, _)| *offset < finding.place.offset);
        spent_turns += path_length as u64;
        if spent_turns > max_turns {
            let offset = finding.place.offset;
            findings.truncate(index);
            return ControlFlow::Break(variations::too_many(offset, limits));
        }
        finding.variation = Branches::path(&choices[..path_length]);
    }
    ControlFlow::Continue(spent_turns)
}
