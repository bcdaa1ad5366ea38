//! The report on one game.

use super::settings::{KomiChoice, Settings};
use super::turns::TurnEffects;
use crate::audit::{Audit, AuditedGame, CountedEnding, MarginDifference, Unscored, audit};
use crate::pattern::PatternMatch;
use crate::similarity::{GameSketch, PackedTurn};
use jigo_record::finding::{Code, Finding, Place};
use jigo_record::formats::BareBoard;
use jigo_record::{Evaluation, GameDetails, Header};
use jigo_rules::board::Position;
use jigo_rules::select::Choice;
use jigo_rules::{Ruleset, Scoring, Tally};
use jigo_score::{Decider, Ending, FinalPosition, MarkedEnding, Remark, Score, UncountedReason};

/// The outcome of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// The replay reached the end of the record.
    Replayed,
    /// The replay stopped at a turn, or at damage that hides the rest.
    Stopped,
    /// The record is unreadable, so it was not replayed.
    #[default]
    Unreadable,
    /// Only the header was requested, so the game was not replayed.
    HeaderOnly,
}

/// The complete report on one game.
#[derive(Clone, Debug, Default)]
pub struct GameReport {
    /// The outcome of the replay.
    pub outcome: Outcome,
    /// The root properties.
    pub header: Header,
    /// The ruleset that the record names, or the assumed one.
    pub ruleset: Option<Ruleset>,
    /// The counts of the replay.
    pub tally: Tally,
    /// All findings, in the order of the record.
    pub findings: Vec<Finding>,
    /// The counted ending, or the reason why there is none; `None` if no count was requested.
    pub ending: Option<Result<CountedEnding, UncountedReason>>,
    /// The score under every requested ruleset, each once.
    pub scores: Vec<(Ruleset, Result<Score, Unscored>)>,
    /// The source of komi in the count.
    pub komi: KomiChoice,
    /// The comparison of the recorded result with the count; `None` if no count was requested or no
    /// result is recorded.
    pub audit: Option<Audit>,
    /// A hash that is equal for the eight symmetries of a game and differs if the colours are
    /// exchanged.
    ///
    /// 0 for an unreadable game, or if not requested.
    pub hash: u64,
    /// The turns of the main line and the changes by setup, in order, if requested.
    pub turns: Vec<TurnEffects>,
    /// The evaluations that programs wrote into the main line, if requested.
    pub evaluations: Vec<Evaluation>,
    /// The final position with its dead stones, if requested and if the game was replayed.
    pub position: Option<Box<Position>>,
    /// The data for comparisons with other games, if requested.
    pub sketch: Option<Box<GameSketch>>,
    /// The details of the root, if requested and readable.
    pub details: Option<Box<GameDetails>>,
    /// The turn of the first recorded pass, if requested.
    pub first_pass: Option<u32>,
    /// The stones after each requested turn that the game reached.
    pub positions: Vec<(u32, Vec<PackedTurn>)>,
    /// The matches of the searched pattern, those of the main line first.
    pub matches: Vec<PatternMatch>,
}

impl GameReport {
    /// Asks the sources for the dead stones of a position, and reports their failures.
    pub(super) fn decide(
        &mut self,
        decider: &mut Decider,
        final_position: FinalPosition<'_>,
        settings: &Settings,
    ) -> Result<Ending, UncountedReason> {
        let mut failures = Vec::new();
        let ending = decider.decide(final_position, &settings.dead, settings.engine.as_deref(), &mut failures);
        let failures = failures.into_iter().map(|error| Finding::new(Code::EngineFailed, Place::byte(0), error));
        self.findings.extend(failures);
        if ending.is_none() && decider.budget.is_spent() {
            let detail = out_of_time("the dead stones are unknown");
            self.findings.push(Finding::new(Code::SlowGame, Place::byte(0), detail));
        }
        ending.ok_or(UncountedReason::Unsettled)
    }

    /// Counts the ending under every requested ruleset, and compares the recorded result with it.
    pub(super) fn count(
        &mut self,
        position: &Position,
        decision: Result<Ending, UncountedReason>,
        second_opinion: SecondOpinion,
        settings: &Settings,
    ) {
        let ending = decision.and_then(|ending| {
            let counted_ending = CountedEnding::new(position, ending, &self.tally, settings.min_confidence);
            if counted_ending.counts.identity_holds(&self.tally) {
                return Ok(counted_ending);
            }
            let detail = format!("{:?}", counted_ending.counts);
            self.findings.push(Finding::new(Code::BrokenIdentity, Place::byte(0), detail));
            Err(UncountedReason::BrokenIdentity)
        });
        let unknown = Ruleset::unknown();
        self.komi = settings.komi;
        let komi = self.komi.for_header(&self.header);
        let scored_ruleset = self.ruleset.clone().map(|ruleset| self.header.counted_ruleset(ruleset));
        self.audit = self.audited(scored_ruleset.as_ref(), position, &ending, second_opinion, settings);
        self.findings.extend(self.audit.as_ref().and_then(|audit| audit.finding(&self.header)));
        for ruleset in resolve(&settings.scored_rulesets, scored_ruleset.as_ref().unwrap_or(&unknown)) {
            if ruleset == unknown {
                continue;
            }
            let scored = match &ending {
                Ok(counted_ending) => counted_ending.score(&self.tally, &ruleset.axes, komi),
                Err(reason) => Err(Unscored::Ending(*reason)),
            };
            self.scores.push((ruleset, scored));
        }
        self.ending = Some(ending);
    }

    /// Adds a remark to the scores of a board without a game that may lack facts: a line can't be
    /// read, or the captured stones are unknown and count.
    pub(super) fn remark_on_board(&mut self, board: &BareBoard, has_unreadable_line: bool) {
        for (ruleset, score) in &mut self.scores {
            let counts_captures = matches!(ruleset.axes.scoring, Scoring::Territory | Scoring::TerritoryTax);
            let remark = match (has_unreadable_line, board.lost) {
                (true, _) => Remark::UnreadableLine,
                (false, [None, _] | [_, None]) if counts_captures => Remark::UnknownCaptures,
                _ => continue,
            };
            if let Ok(score) = score {
                score.remark = Some(remark);
            }
        }
    }

    /// Returns true if the record's faults may have changed the final position: turns are lost,
    /// can't be made or are out of order, or stones are set up during play.
    fn has_damaged_turns(&self) -> bool {
        let damages_position = |finding: &Finding| {
            matches!(
                finding.code,
                Code::UnreadableNode
                    | Code::UnreadableLine
                    | Code::MisplacedNode
                    | Code::FusedGames
                    | Code::Occupied
                    | Code::OffBoard
                    | Code::UnreadableTurn
                    | Code::WrongColor
                    | Code::SetupOffBoard
            )
        };
        self.tally.setups_in_play > 0 || self.findings.iter().any(damages_position)
    }

    /// Compares the recorded result with the count, or with the second opinion if that overrules it.
    fn audited(
        &self,
        ruleset: Option<&Ruleset>,
        position: &Position,
        ending: &Result<CountedEnding, UncountedReason>,
        second_opinion: SecondOpinion,
        settings: &Settings,
    ) -> Option<Audit> {
        let SecondOpinion { marked, ending: unmarked } = second_opinion;
        let unmarked =
            unmarked.map(|ending| CountedEnding::new(position, ending, &self.tally, settings.min_confidence));
        let is_damaged = self.has_damaged_turns();
        let (header, tally) = (&self.header, &self.tally);
        let game = AuditedGame { header, tally, ruleset, position, marked: marked.as_ref(), is_damaged };
        let by_decision = audit(&game, ending.as_ref().map_err(|reason| *reason));
        let without_marks = unmarked.as_ref().and_then(|unmarked| audit(&game, Ok(unmarked)));
        match (by_decision, without_marks) {
            (by_decision, Some(own)) if own.overrules(by_decision.as_ref()) => Some(own),
            (Some(by_marks), Some(own)) => {
                let disputed = own.marked.filter(|marked| !marked.faults.is_empty());
                Some(Audit { marked: disputed.or(by_marks.marked), ..by_marks })
            }
            (by_decision, _) => by_decision,
        }
    }

    /// Empties the report for the next game, except for the header and the findings, which the
    /// caller exchanges.
    ///
    /// The lists keep their memory.
    pub(super) fn clear(&mut self) {
        let GameReport { header, findings, mut scores, mut turns, mut positions, mut matches, .. } =
            std::mem::take(self);
        scores.clear();
        turns.clear();
        positions.clear();
        matches.clear();
        *self = GameReport { header, findings, scores, turns, positions, matches, ..GameReport::default() };
    }

    /// Returns the report on a line that is not a position.
    pub fn unreadable_position(reason: &str) -> GameReport {
        GameReport::unreadable(Code::UnreadablePosition, reason.to_owned())
    }

    /// Returns the report on a line with more than `limit` bytes.
    pub fn long_line(limit: u64) -> GameReport {
        GameReport::unreadable(Code::LongLine, format!("longer than --max line={limit}"))
    }

    /// Returns the report on a game that caused a panic, with the panic's message.
    pub(super) fn failed(message: String) -> GameReport {
        GameReport::unreadable(Code::InternalError, message)
    }

    fn unreadable(code: Code, detail: String) -> GameReport {
        GameReport { findings: vec![Finding::new(code, Place::byte(0), detail)], ..GameReport::default() }
    }

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

/// The marks of a record, and a count that does not use them.
#[derive(Default)]
pub(super) struct SecondOpinion {
    /// The final position as the record marks it.
    pub(super) marked: Option<MarkedEnding>,
    /// The ending by jigo's own sources if the marks decided the dead stones.
    pub(super) ending: Option<Ending>,
}

/// Replaces choices by the rulesets that they mean in a game. Each name occurs once.
pub(super) fn resolve(choices: &[Choice], recorded: &Ruleset) -> Vec<Ruleset> {
    let includes_recorded = choices.contains(&Choice::Recorded);
    let mut rulesets: Vec<Ruleset> = Vec::with_capacity(choices.len());
    for choice in choices {
        let ruleset = match choice {
            Choice::Recorded => recorded,
            // A ruleset with the same name is the record's own, with more details known. Without
            // `recorded` in the list, it counts as named.
            Choice::Fixed(ruleset)
                if ruleset.name == recorded.name && (includes_recorded || ruleset.axes == recorded.axes) =>
            {
                recorded
            }
            Choice::Fixed(ruleset) => ruleset,
        };
        if !rulesets.iter().any(|other| other.name == ruleset.name) {
            rulesets.push(ruleset.clone());
        }
    }
    rulesets
}

/// Returns the detail of a finding about the consequence of a spent time budget.
pub(super) fn out_of_time(step: &str) -> String {
    format!("--max game-time is over: {step}")
}
