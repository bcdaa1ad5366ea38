//! One game, whole: text in, report out. Pure, and where a panic is caught.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::board::Point;
use crate::board::hash::split_mix;
use crate::contradiction::contradictions;
use crate::finding::{Code, Finding, Place};
use crate::input::GameText;
use crate::input::decode::{self, Decoded};
use crate::record::variations::side_variations;
use crate::record::{Coordinates, GameRecord, Header, Reading, StepKind};
use crate::replay::{ReplayOptions, Replayer, Tally};
use crate::report::summary::Outcome;
use crate::rules::select::Choice;
use crate::rules::stated::stated;
use crate::rules::{HalfPoints, Ruleset};
use crate::score::count::{NoScore, Score, score};
use crate::score::{Counts, Ending, Uncounted, ended_otherwise};

/// Where komi comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KomiChoice {
    /// The record's, the ruleset's where the record has none.
    #[default]
    Recorded,
    /// The ruleset's.
    Preset,
    /// This one.
    Fixed(HalfPoints),
}

/// What to do with every game.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Rulesets that turns are judged by.
    pub judges: Vec<Choice>,
    /// Rulesets that endings are counted under; empty where nothing is counted.
    pub counted: Vec<Choice>,
    /// The ruleset of records that name none.
    pub assumed: Option<Ruleset>,
    /// Where komi comes from.
    pub komi: KomiChoice,
    /// How games are replayed.
    pub replay: ReplayOptions,
    /// Replay every variation, each with a history of its own; the main line alone otherwise.
    pub all_variations: bool,
    /// Calculate [`GameReport::hash`].
    pub game_hash: bool,
    /// Count the final position of games that did not end by counting, too.
    pub all_endings: bool,
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
    /// The same for the eight symmetries of a game, another for its colour-swapped twin. 0 for an unreadable game, or where it was not
    /// asked for.
    pub hash: u64,
}

/// An ending with its dead stones decided and the points counted.
#[derive(Clone, Debug)]
pub struct CountedEnding {
    /// The dead stones and who says so.
    pub ending: Ending,
    /// What is on the board without them.
    pub counts: Counts,
}

/// Why a game has no score under a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unscored {
    /// The position has no count.
    Ending(Uncounted),
    /// The ruleset needs to know more than the record says.
    Ruleset(NoScore),
}

/// Analyses games, one after the other.
#[derive(Default)]
pub struct Analyzer {
    replayer: Replayer,
}

impl Analyzer {
    /// Reads, replays and counts one game. A panic on the way becomes a finding, and the game is unreadable.
    pub fn analyze(&mut self, text: &GameText, settings: &Settings) -> GameReport {
        let analysis = catch_unwind(AssertUnwindSafe(|| self.analyze_unguarded(text, settings)));
        analysis.unwrap_or_else(|panic| {
            self.replayer = Replayer::default();
            let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            GameReport::unreadable(Header::default(), vec![Finding::new(Code::InternalError, Place::byte(0), message)])
        })
    }

    fn analyze_unguarded(&mut self, text: &GameText, settings: &Settings) -> GameReport {
        let decoded = Decoded::new(text.bytes, text.charset);
        let read = GameText { bytes: &decoded.text, ..*text };
        let mut report = self.analyze_decoded(&read, settings);
        for finding in &mut report.findings {
            finding.place.at = decoded.source(finding.place.at);
        }
        let of_text = decode::findings(text, &decoded);
        if !of_text.is_empty() {
            report.findings.splice(0..0, of_text);
        }
        report
    }

    /// Findings name bytes of the decoded text.
    fn analyze_decoded(&mut self, text: &GameText, settings: &Settings) -> GameReport {
        let Reading { record, mut findings, unreadable, cut_short } = Reading::decoded(text, text.bytes);
        if unreadable.is_some() {
            return GameReport::unreadable(record.header, findings);
        }
        let header = &record.header;
        let recorded = stated(&header.rules, &[&header.place, &header.source, &header.application]);
        let asks_record = settings.judges.contains(&Choice::Recorded) || settings.counted.contains(&Choice::Recorded);
        if recorded.is_none() && settings.assumed.is_none() && asks_record {
            findings.push(Finding::new(Code::UnknownRules, Place::byte(0), format!("RU[{}]", header.rules)));
        }
        if header.komi.is_none() && !findings.iter().any(|finding| finding.code == Code::UnreadableKomi) {
            findings.push(Finding::new(Code::MissingKomi, Place::byte(0), "no KM"));
        }
        let ruleset = recorded.or_else(|| settings.assumed.clone());
        let judges = resolve(&settings.judges, ruleset.as_ref().unwrap_or(&Ruleset::unknown()));
        let tally = self.replayer.replay(&record, &judges, settings.replay, &mut findings);
        contradictions(&record, &tally, ruleset.as_ref(), &mut findings);
        let hash = if settings.game_hash { game_hash(&record) } else { 0 };
        let stopped = cut_short || tally.stopped_at.is_some();
        let mut report = GameReport {
            outcome: if stopped { Outcome::Stopped } else { Outcome::Replayed },
            hash,
            ruleset,
            tally,
            findings,
            ending: None,
            scores: Vec::new(),
            header: Header::default(),
        };
        if !settings.counted.is_empty() {
            self.count(&record, settings, cut_short, &mut report);
        }
        if settings.all_variations {
            self.side_variations(text, &judges, settings, &mut report.findings);
        }
        report.header = record.header;
        report
    }

    /// Replays the variations beside the main line and adds what is found in the turns that none before them has.
    fn side_variations(
        &mut self,
        text: &GameText,
        judges: &[Ruleset],
        settings: &Settings,
        findings: &mut Vec<Finding>,
    ) {
        let mut found = Vec::new();
        let read = side_variations(text.bytes, |record, branches| {
            let already = found.len();
            self.replayer.replay(record, judges, settings.replay, &mut found);
            let mut new: Vec<Finding> =
                found.drain(already..).filter(|one| one.place.at >= branches.begins_at).collect();
            new.iter_mut().for_each(|finding| finding.variation = branches.path(finding.place.at));
            found.append(&mut new);
        });
        findings.extend(read);
        findings.append(&mut found);
    }

    /// Decides the ending and counts it under every ruleset asked for.
    fn count(&self, record: &GameRecord, settings: &Settings, cut_short: bool, report: &mut GameReport) {
        let otherwise = match ended_otherwise(record.header.result.kind, &report.tally) {
            _ if cut_short => Some(Uncounted::Stopped),
            Some(Uncounted::Stopped) => Some(Uncounted::Stopped),
            _ if settings.all_endings => None,
            reason => reason,
        };
        let position = self.replayer.position();
        let decided = match otherwise {
            Some(reason) => Err(reason),
            None => Ending::decide(position, record.territory.as_ref()).ok_or(Uncounted::Unsettled),
        };
        let ending = decided.and_then(|ending| {
            let counts = Counts::of(position, &ending.dead);
            if counts.identity_holds(&report.tally) {
                return Ok(CountedEnding { ending, counts });
            }
            report.findings.push(Finding::new(Code::BrokenIdentity, Place::byte(0), format!("{counts:?}")));
            Err(Uncounted::BrokenIdentity)
        });
        let unknown = Ruleset::unknown();
        let recorded = report.ruleset.as_ref().unwrap_or(&unknown);
        for ruleset in resolve(&settings.counted, recorded) {
            if ruleset == unknown {
                continue;
            }
            let komi = match settings.komi {
                KomiChoice::Recorded => record.header.komi,
                KomiChoice::Preset => None,
                KomiChoice::Fixed(komi) => Some(komi),
            };
            let scored = match &ending {
                Ok(counted) => score(&counted.counts, &report.tally, &ruleset.axes, komi).map_err(Unscored::Ruleset),
                Err(reason) => Err(Unscored::Ending(*reason)),
            };
            report.scores.push((ruleset, scored));
        }
        report.ending = Some(ending);
    }
}

impl GameReport {
    fn unreadable(header: Header, findings: Vec<Finding>) -> GameReport {
        GameReport {
            outcome: Outcome::Unreadable,
            header,
            ruleset: None,
            tally: Tally::default(),
            findings,
            ending: None,
            scores: Vec::new(),
            hash: 0,
        }
    }
}

/// The rulesets that choices stand for in a game, each name once.
fn resolve(choices: &[Choice], recorded: &Ruleset) -> Vec<Ruleset> {
    let mut rulesets: Vec<Ruleset> = Vec::with_capacity(choices.len());
    for choice in choices {
        let ruleset = match choice {
            Choice::Recorded => recorded,
            Choice::Fixed(ruleset) => ruleset,
        };
        if !rulesets.iter().any(|other| other.name == ruleset.name) {
            rulesets.push(ruleset.clone());
        }
    }
    rulesets
}

/// Mixes board size, setup and turns in order, for each of the eight symmetries, and takes the least.
fn game_hash(record: &GameRecord) -> u64 {
    let size = record.header.size;
    let least = (0..8).map(|symmetry| {
        let (width, height) =
            if symmetry & 4 != 0 { (size.height(), size.width()) } else { (size.width(), size.height()) };
        let place = |point: Point| {
            let x = if symmetry & 1 != 0 { size.width().wrapping_sub(1 + point.x()) } else { point.x() };
            let y = if symmetry & 2 != 0 { size.height().wrapping_sub(1 + point.y()) } else { point.y() };
            let (x, y) = if symmetry & 4 != 0 { (y, x) } else { (x, y) };
            u64::from(y) << 8 | u64::from(x)
        };
        let mut state = u64::from(width) << 8 | u64::from(height);
        let mut hash = 0;
        let mut mix = |word: u64| {
            state ^= word;
            hash = split_mix(&mut state);
            state = hash;
        };
        for step in &record.steps {
            match &step.what {
                StepKind::Turn(color, Coordinates::Play(point)) => mix((*color as u64) << 32 | place(*point)),
                StepKind::Turn(color, Coordinates::Pass) => mix((*color as u64) << 32 | 0xFFFF),
                StepKind::Turn(color, _) => mix((*color as u64) << 32 | 0xFFFE),
                StepKind::Setup(setup) => {
                    let stones = setup.stones.iter();
                    let mut placed: Vec<u64> = stones
                        .map(|(point, stone)| stone.map_or(3, |color| color as u64) << 40 | place(*point))
                        .collect();
                    placed.sort_unstable();
                    placed.into_iter().for_each(&mut mix);
                }
            }
        }
        hash
    });
    least.min().unwrap_or(0)
}
