//! What is reported of one game.

use super::ending::{CountedEnding, Unscored};
use super::turns::TurnTaken;
use super::{KomiChoice, Settings, out_of_time};
use crate::audit::{Audit, Decided, StatedGame, audit};
use crate::board::Position;
use crate::compare::{Sketch, Stone};
use crate::finding::{Code, Finding, Place};
use crate::record::Header;
use crate::replay::Tally;
use crate::rules::Ruleset;
use crate::rules::select::Choice;
use crate::score::{Ending, Score, Uncounted};

/// How a game came out of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Replayed to the end of its record.
    Replayed,
    /// Replayed up to a turn or to damage that hides the rest.
    Stopped,
    /// Not replayed at all.
    Unreadable,
    /// Not replayed, since nobody asked for more than its header.
    HeaderOnly,
}

/// Everything that is reported of one game.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// Whether and how far it was replayed.
    pub outcome: Outcome,
    /// What the root says.
    pub header: Header,
    /// The ruleset that the record names, or the assumed one.
    pub ruleset: Option<Ruleset>,
    /// What the replay counted.
    pub tally: Tally,
    /// All findings, in the order of the record.
    pub findings: Vec<Finding>,
    /// The counted ending, or why there is none; `None` where nothing was to be counted.
    pub ending: Option<Result<CountedEnding, Uncounted>>,
    /// The score under every ruleset asked for, each once.
    pub scores: Vec<(Ruleset, Result<Score, Unscored>)>,
    /// The stated result against the count; `None` where nothing was to be counted, or no result is stated.
    pub audit: Option<Audit>,
    /// The same for the eight symmetries of a game, another for its colour-swapped twin. 0 for an unreadable game, or where it was not
    /// asked for.
    pub hash: u64,
    /// The turns of the main line that were made and what setup changed, in their order, where they are asked for.
    pub turns: Vec<TurnTaken>,
    /// The last position, dead stones on it, where it is asked for and the game was replayed.
    pub position: Option<Box<Position>>,
    /// What of the game takes part in comparisons, where it is asked for.
    pub sketch: Option<Box<Sketch>>,
    /// The stones after the turns that were asked for, as far as the game went.
    pub positions: Vec<(u32, Vec<Stone>)>,
}

impl GameReport {
    pub(super) fn add_failures(&mut self, failures: Vec<String>) {
        let findings = failures.into_iter().map(|error| Finding::new(Code::EngineFailed, Place::byte(0), error));
        self.findings.extend(findings);
    }

    /// Says that there was no time to decide on dead stones, where that is so.
    pub(super) fn add_shortage(&mut self, is_short: bool) {
        let finding = || Finding::new(Code::SlowGame, Place::byte(0), out_of_time("nobody says which stones are dead"));
        self.findings.extend(is_short.then(finding));
    }

    /// Counts the ending under every ruleset asked for.
    pub(super) fn count(&mut self, position: &Position, decided: Result<Ending, Uncounted>, settings: &Settings) {
        let ending = decided.and_then(|ending| {
            let counted = CountedEnding::of(position, ending, &self.tally, settings.min_confidence);
            if counted.counts.identity_holds(&self.tally) {
                return Ok(counted);
            }
            let detail = format!("{:?}", counted.counts);
            self.findings.push(Finding::new(Code::BrokenIdentity, Place::byte(0), detail));
            Err(Uncounted::BrokenIdentity)
        });
        let unknown = Ruleset::unknown();
        let komi = match settings.komi {
            KomiChoice::Recorded => self.header.komi,
            KomiChoice::Preset => None,
            KomiChoice::Fixed(komi) => Some(komi),
        };
        let practised = self.ruleset.clone().map(|ruleset| match self.header.dialect {
            Some(dialect) => dialect.counted(ruleset, &self.header.date),
            None => ruleset,
        });
        self.audit = self.audited(practised.as_ref(), (position, &ending));
        self.findings.extend(self.audit.as_ref().and_then(|audit| audit.finding(&self.header)));
        for ruleset in resolve(&settings.counted, practised.as_ref().unwrap_or(&unknown)) {
            if ruleset == unknown {
                continue;
            }
            let scored = match &ending {
                Ok(counted) => counted.score(&self.tally, &ruleset.axes, komi),
                Err(reason) => Err(Unscored::Ending(*reason)),
            };
            self.scores.push((ruleset, scored));
        }
        self.ending = Some(ending);
    }

    /// Holds the stated result against the count.
    fn audited(
        &self,
        ruleset: Option<&Ruleset>,
        (position, ending): (&Position, &Result<CountedEnding, Uncounted>),
    ) -> Option<Audit> {
        let game = StatedGame { header: &self.header, tally: &self.tally, ruleset };
        let decided = ending.as_ref().map_err(|reason| *reason).map(|counted| Decided {
            position,
            ending: &counted.ending,
            counts: &counted.counts,
            other_readings: &counted.other_readings,
            is_sure: counted.is_sure,
        });
        let confidence = |ruleset: &Ruleset| ending.as_ref().ok().and_then(|counted| counted.confidence(ruleset));
        audit(&game, decided, confidence)
    }
}

impl Default for GameReport {
    fn default() -> GameReport {
        GameReport::unreadable(Header::default(), Vec::new())
    }
}

impl GameReport {
    /// Makes this a report of nothing. Header and findings are left for the caller to exchange.
    pub(super) fn clear(&mut self) {
        (self.outcome, self.hash) = (Outcome::Unreadable, 0);
        (self.ruleset, self.tally, self.ending, self.audit) = (None, Tally::default(), None, None);
        self.position = None;
        self.scores.clear();
        self.turns.clear();
        self.sketch = None;
        self.positions.clear();
    }

    /// The report of a line that is no position.
    pub fn unreadable_position(reason: &str) -> GameReport {
        let finding = Finding::new(Code::UnreadablePosition, Place::byte(0), reason);
        GameReport::unreadable(Header::default(), vec![finding])
    }

    /// The report of a line with more than `limit` bytes.
    pub fn long_line(limit: u64) -> GameReport {
        let detail = format!("longer than --max-line {limit}");
        GameReport::unreadable(Header::default(), vec![Finding::new(Code::LongLine, Place::byte(0), detail)])
    }

    /// The report of a game that jigo panicked on, with the panic's message.
    pub(super) fn failed(message: String) -> GameReport {
        GameReport::unreadable(Header::default(), vec![Finding::new(Code::InternalError, Place::byte(0), message)])
    }

    pub(super) fn unreadable(header: Header, findings: Vec<Finding>) -> GameReport {
        GameReport {
            outcome: Outcome::Unreadable,
            header,
            ruleset: None,
            tally: Tally::default(),
            findings,
            ending: None,
            scores: Vec::new(),
            audit: None,
            hash: 0,
            turns: Vec::new(),
            position: None,
            sketch: None,
            positions: Vec::new(),
        }
    }
}

/// The rulesets that choices stand for in a game, each name once.
pub(super) fn resolve(choices: &[Choice], recorded: &Ruleset) -> Vec<Ruleset> {
    let asks_record = choices.contains(&Choice::Recorded);
    let mut rulesets: Vec<Ruleset> = Vec::with_capacity(choices.len());
    for choice in choices {
        let ruleset = match choice {
            Choice::Recorded => recorded,
            // Under the same name it is the record's own, of which more is known.
            Choice::Fixed(ruleset) if ruleset.name == recorded.name && asks_record => recorded,
            Choice::Fixed(ruleset) => ruleset,
        };
        if !rulesets.iter().any(|other| other.name == ruleset.name) {
            rulesets.push(ruleset.clone());
        }
    }
    rulesets
}
