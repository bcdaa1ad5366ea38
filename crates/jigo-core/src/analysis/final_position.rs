//! The count of a final position: that of a replayed game, or one without a game.

use std::sync::Arc;

use super::report::{GameReport, Outcome, SecondOpinion};
use super::settings::Settings;
use super::{Analyzer, add_board_facts, catch_panic};
use crate::audit::{MIN_CONTRADICTION_CONFIDENCE, uncounted_reason};
use jigo_record::finding::{Code, Finding, Place};
use jigo_record::formats::BareBoard;
use jigo_record::record::position_json::PositionRecord;
use jigo_record::{Header, ResultKind};
use jigo_rules::Tally;
use jigo_rules::board::Color;
use jigo_score::{DeadSource, Ending, FinalPosition, GivenStones, MarkedEnding, UncountedReason};

impl Analyzer {
    /// Counts a position that has no game. Its dead stones are taken as given.
    pub fn analyze_position(&mut self, position_json: &PositionRecord, settings: &Settings) -> GameReport {
        self.begin(settings);
        catch_panic(|| self.analyze_position_or_panic(position_json, settings)).unwrap_or_else(GameReport::failed)
    }

    fn analyze_position_or_panic(&mut self, position_json: &PositionRecord, settings: &Settings) -> GameReport {
        let given_ending = match &position_json.dead_stones {
            Some(dead) => match GivenStones::new(dead, &position_json.seki).ending(&position_json.position) {
                Ok(ending) => Some(ending),
                Err(error) => return GameReport::unreadable_position(&error.to_string()),
            },
            None => position_json.dead.clone().map(Ending::given),
        };
        let [by_black, by_white] = position_json.captured_by;
        let board = BareBoard {
            lost: [Some(by_white), Some(by_black)],
            handicap: position_json.handicap,
            dead: None,
            next: position_json.next,
        };
        let setup = Color::BOTH.map(|color| position_json.position.stone_count(color) as i32);
        let mut tally = Tally { setup, ..Tally::default() };
        add_board_facts(&mut tally, &board);
        let mut report = GameReport {
            outcome: Outcome::Replayed,
            tally,
            header: Header { size: position_json.position.size(), komi: position_json.komi, ..Header::default() },
            position: settings.position.then(|| Box::new(position_json.position.clone())),
            ..GameReport::default()
        };
        let position = &position_json.position;
        let final_position = FinalPosition { position, markup: None, next: position_json.next };
        let ending = match given_ending {
            Some(ending) => Ok(ending),
            None => report.decide(&mut self.decider, final_position, settings),
        };
        report.count(position, ending, SecondOpinion::default(), settings);
        report
    }

    /// Asks the sources for the dead stones of a replayed game.
    pub(super) fn decide(&mut self, settings: &Settings, board: Option<&BareBoard>) -> Result<Ending, UncountedReason> {
        let report = &mut self.report;
        let uncounted = uncounted_reason(report.header.result.kind, &report.tally);
        let named = board.and_then(|board| board.dead.as_ref()).map(|dead| Arc::new(GivenStones::new(dead, "")));
        let given_stones = settings.given_stones.clone().or(named);
        match uncounted {
            _ if report.outcome == Outcome::Stopped => return Err(UncountedReason::Stopped),
            _ if board.is_some()
                && report.findings.iter().any(|finding| finding.code == Code::SetupWithoutLiberties) =>
            {
                return Err(UncountedReason::NoLiberties);
            }
            _ if given_stones.is_some() || board.is_some() => {}
            Some(reason) if !settings.all_endings => return Err(reason),
            _ => {}
        }
        let position = self.replayer.position();
        if let Some(given_stones) = &given_stones {
            let given = given_stones.ending(position).map_err(|error| {
                report.findings.push(Finding::new(Code::GivenStones, Place::byte(0), error.to_string()));
                UncountedReason::WrongGivenStones
            })?;
            let own = self.own_ending(settings).filter(|own| own.is_confident(MIN_CONTRADICTION_CONFIDENCE));
            return Ok(match own {
                Some(own) => given.doubted_by(&own),
                None => given,
            });
        }
        let (markup, next) = (self.reading.record.territory.as_ref(), report.tally.next_player());
        report.decide(&mut self.decider, FinalPosition { position, markup, next }, settings)
    }

    /// Returns the record's marks and, if they decided the dead stones, the ending by those of the
    /// requested sources that are jigo's own.
    ///
    /// The engine is not asked, since users who prefer marks to an engine save its time.
    pub(super) fn second_opinion(&mut self, decided: Option<&Ending>, settings: &Settings) -> SecondOpinion {
        let position = self.replayer.position();
        let is_compared =
            matches!(self.report.header.result.kind, ResultKind::Score | ResultKind::Draw | ResultKind::Win);
        let markup = self.reading.record.territory.as_ref().filter(|_| decided.is_some() && is_compared);
        let Some(marked) = markup.and_then(|markup| MarkedEnding::new(position, markup)) else {
            return SecondOpinion::default();
        };
        let is_by_marks = decided.is_some_and(|ending| ending.source == DeadSource::Markup);
        SecondOpinion { marked: Some(marked), ending: if is_by_marks { self.own_ending(settings) } else { None } }
    }

    /// Returns the ending by those of the requested sources that are jigo's own.
    fn own_ending(&mut self, settings: &Settings) -> Option<Ending> {
        let is_own =
            |source: &DeadSource| matches!(source, DeadSource::Settled | DeadSource::Static | DeadSource::Playouts);
        let own_sources: Vec<DeadSource> = settings.dead.iter().copied().filter(is_own).collect();
        let (position, next) = (self.replayer.position(), self.report.tally.next_player());
        self.decider.decide(FinalPosition { position, markup: None, next }, &own_sources, None, &mut Vec::new())
    }
}
