//! A record under rulesets: every turn made, every finding named.

use crate::board::{Action, Color, Point, Position, Turn};
use crate::finding::{Code, Finding, Place, RepeatedPosition, Severity};
use crate::record::{Coordinates, GameRecord, Setup, Step, StepKind};
use crate::rules::cycle::Cycle;
use crate::rules::{Fault, Referee, Repetition, Ruleset, TurnFacts};

/// What to do with a turn that a ruleset forbids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnIllegal {
    /// Make it and go on, as FF[4] demands.
    #[default]
    Play,
    /// Stop before it.
    Stop,
}

/// How to replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayOptions {
    /// What to do with a turn that a ruleset forbids.
    pub on_illegal: OnIllegal,
    /// Nobody has left a position that was set up. Otherwise it is attributed to the player who is not to move, as if by a play.
    pub literal_setup: bool,
}

/// What the replay counted. Arrays hold Black's number first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// B and W properties seen, whatever they held.
    pub turns: u32,
    /// Stones played.
    pub plays: [u32; 2],
    /// Passes recorded.
    pub passes: [u32; 2],
    /// Passes left out of the record by a player who would have taken two turns in a row otherwise.
    pub implied_passes: [u32; 2],
    /// Stones that the player of this colour lost during play, to captures and suicides.
    pub lost: [u32; 2],
    /// Stones put down by setup less those it took off; a stone that a play replaced counts as taken off.
    pub setup: [i32; 2],
    /// Handicap stones: Black's setup in the root when White has none, else the turns Black takes before White's first,
    /// as far as HA covers them. 0 where it is less than 2.
    pub handicap: u32,
    /// Who took the first turn.
    pub first: Option<Color>,
    /// Who took the last turn.
    pub last: Option<Color>,
    /// Who took the first recorded pass of the game.
    pub first_passer: Option<Color>,
    /// Recorded passes at the end, without a play after them.
    pub closing_passes: u32,
    /// Turns that broke a rule judged by, or were off the board or unreadable.
    pub illegal: u32,
    /// Plays that brought back an earlier position.
    pub repetitions: u32,
    /// The turn before which the replay stopped.
    pub stopped_at: Option<u32>,
}

/// Replays games, one after the other, on the same board.
#[derive(Default)]
pub struct Replayer {
    referee: Referee,
}

impl Replayer {
    /// Replays `record`, judged by every ruleset of `judges`, and adds what it finds to `findings`.
    pub fn replay(
        &mut self,
        record: &GameRecord,
        judges: &[Ruleset],
        options: ReplayOptions,
        findings: &mut Vec<Finding>,
    ) -> Tally {
        self.referee.start(record.header.size);
        let mut game = Game {
            referee: &mut self.referee,
            judges,
            options,
            findings,
            allowed_run: record.header.handicap.unwrap_or(0),
            tally: Tally::default(),
            due: None,
            consecutive_passes: 0,
            run: 0,
            set_up_handicap: 0,
        };
        for (index, step) in record.steps.iter().enumerate() {
            game.step(step, &record.steps[index + 1..]);
            if game.tally.stopped_at.is_some() {
                break;
            }
        }
        game.close()
    }

    /// The position that the last replay ended with.
    pub fn position(&self) -> &Position {
        self.referee.position()
    }
}

/// What a ruleset says of a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Verdict {
    fault: Option<Fault>,
    /// The fault rests on a judgement that nobody has made.
    is_open: bool,
}

impl Verdict {
    fn of(facts: &TurnFacts, judge: &Ruleset) -> Verdict {
        let fault = facts.fault(&judge.axes);
        Verdict { fault, is_open: matches!(fault, Some(Fault::Superko { .. })) && judge.axes.needs_judgement() }
    }
}

struct Game<'a> {
    referee: &'a mut Referee,
    judges: &'a [Ruleset],
    options: ReplayOptions,
    findings: &'a mut Vec<Finding>,
    /// Turns that Black may take before White's first.
    allowed_run: u32,
    tally: Tally,
    /// Whose turn it is, as far as the record says.
    due: Option<Color>,
    consecutive_passes: u32,
    /// Black's turns before White's first.
    run: u32,
    /// Black's stones before the first turn, when White has none.
    set_up_handicap: u32,
}

impl Game<'_> {
    fn step(&mut self, step: &Step, following: &[Step]) {
        match &step.what {
            StepKind::Setup(setup) => self.set_up(setup, step.at, following),
            StepKind::Turn(color, coordinates) => self.turn(*color, coordinates, step.at),
        }
    }

    fn set_up(&mut self, setup: &Setup, at: usize, following: &[Step]) {
        self.due = setup.to_play.or(if setup.stones.is_empty() { self.due } else { None });
        if setup.stones.is_empty() {
            return;
        }
        let turn = Some(self.tally.turns);
        if self.tally.turns > 0 {
            let detail = format!("after turn {}, on {}", self.tally.turns, count(setup.stones.len(), "point"));
            self.findings.push(Finding::new(Code::SetupInPlay, Place { turn, ..Place::byte(at) }, detail));
        }
        let size = self.referee.position().size();
        let mut stones = Vec::with_capacity(setup.stones.len());
        for &(point, stone) in &setup.stones {
            if !size.contains(point) {
                let place = Place { at, turn, color: stone, point: Some(point) };
                self.findings.push(Finding::new(Code::SetupOffBoard, place, format!("the board is {size}")));
                continue;
            }
            for (color, change) in [(self.referee.position().stone(point), -1), (stone, 1)] {
                if let Some(color) = color {
                    self.tally.setup[color.index()] += change;
                }
            }
            stones.push((point, stone));
        }
        // The player to move did not leave this position; see History::start.
        if self.tally.turns == 0 {
            self.set_up_handicap = if self.tally.setup[1] == 0 { self.tally.setup[0].unsigned_abs() } else { 0 };
        }
        let to_play = first_to_move(self.due, following);
        let left_by = to_play.filter(|_| !self.options.literal_setup).map(Color::opponent);
        self.referee.set_up(stones, left_by);
        for point in self.referee.position().chains_without_liberties() {
            let color = self.referee.position().stone(point);
            let place = Place { at, turn, color, point: Some(point) };
            self.findings.push(Finding::new(Code::SetupWithoutLiberties, place, "the chain of this stone"));
        }
    }

    fn turn(&mut self, color: Color, coordinates: &Coordinates, at: usize) {
        self.tally.turns += 1;
        let number = self.tally.turns;
        let place = Place { at, turn: Some(number), color: Some(color), point: None };
        if number == 1 {
            self.tally.first = Some(color);
        }
        self.check_order(color, place);
        self.due = Some(color.opponent());
        self.tally.last = Some(color);
        let action = match coordinates {
            Coordinates::Play(point) => Action::Play(*point),
            Coordinates::Pass => Action::Pass,
            Coordinates::OffBoard(point) => {
                let place = Place { point: Some(*point), ..place };
                let detail = format!("the board is {}", self.referee.position().size());
                return self.skip(Finding::new(Code::OffBoard, place, detail));
            }
            Coordinates::Unreadable(text) => {
                return self.skip(Finding::new(Code::UnreadableTurn, place, format!("{}[{text}]", color.letter())));
            }
        };
        let facts = self.referee.take(Turn { color, action }, number);
        match action {
            Action::Pass => self.passed(color),
            Action::Play(point) => self.played(color, point, facts, Place { point: Some(point), ..place }),
        }
    }

    /// A turn that can't be made.
    fn skip(&mut self, finding: Finding) {
        self.findings.push(finding);
        self.tally.illegal += 1;
        if self.options.on_illegal == OnIllegal::Stop {
            self.tally.stopped_at = Some(self.tally.turns);
        }
    }

    fn check_order(&mut self, color: Color, place: Place) {
        let opens = self.tally.turns == self.run + 1 && color == Color::Black;
        if opens {
            self.run += 1;
        }
        let is_handicap = opens && self.run > 1 && self.run <= self.allowed_run;
        if self.due != Some(color.opponent()) || is_handicap {
            return;
        }
        let other = color.opponent();
        let (mover, missing) = (color.name(), other.name());
        self.findings.push(Finding::new(
            Code::WrongColor,
            place,
            format!("{mover} took the turn, {missing} was to play"),
        ));
        self.findings.push(Finding::new(Code::ImpliedPass, place, format!("{missing} is taken to have passed before")));
        self.tally.illegal += 1;
        self.tally.implied_passes[other.index()] += 1;
        // The position the pass leaves is the one after the turn before.
        self.referee.take(Turn::pass(other), self.tally.turns - 1);
    }

    fn passed(&mut self, color: Color) {
        self.tally.passes[color.index()] += 1;
        self.tally.first_passer = self.tally.first_passer.or(Some(color));
        self.consecutive_passes += 1;
    }

    fn played(&mut self, color: Color, point: Point, facts: TurnFacts, place: Place) {
        if self.consecutive_passes >= 2 {
            let detail = format!("a play after {} passes in a row", self.consecutive_passes);
            self.findings.push(Finding::new(Code::TurnsAfterEnd, place, detail));
        }
        let is_quiet = facts.suicide == 0 && facts.replaced.is_none() && facts.repetition.is_none();
        let is_illegal = !is_quiet && self.judge(facts, place);
        self.tally.repetitions += u32::from(facts.repetition.is_some());
        self.tally.illegal += u32::from(is_illegal);
        if is_illegal && self.options.on_illegal == OnIllegal::Stop {
            self.referee.take_back();
            self.tally.stopped_at = Some(self.tally.turns);
            return;
        }
        self.consecutive_passes = 0;
        self.tally.plays[color.index()] += 1;
        self.tally.lost[color.index()] += facts.suicide;
        self.tally.lost[color.opponent().index()] += facts.captured;
        if let Some(replaced) = facts.replaced {
            self.tally.setup[replaced.index()] -= 1;
        }
        debug_assert!(facts.suicide > 0 || self.referee.position().stone(point) == Some(color));
    }

    /// Reports what the judges say of a turn, each verdict once, and whether any forbids it.
    fn judge(&mut self, facts: TurnFacts, place: Place) -> bool {
        if facts.replaced.is_some() {
            self.findings.push(Finding::new(Code::Occupied, place, "the stone there is replaced"));
            return true;
        }
        let mut verdicts: Vec<(Verdict, Vec<&Ruleset>)> = Vec::new();
        for judge in self.judges {
            let verdict = Verdict::of(&facts, judge);
            match verdicts.iter_mut().find(|(other, _)| *other == verdict) {
                Some((_, rulesets)) => rulesets.push(judge),
                None => verdicts.push((verdict, vec![judge])),
            }
        }
        for (verdict, rulesets) in &verdicts {
            self.findings.extend(self.verdict(facts, *verdict, rulesets, place));
        }
        verdicts.iter().any(|(verdict, _)| verdict.fault.is_some() && !verdict.is_open)
    }

    fn verdict(&self, facts: TurnFacts, verdict: Verdict, rulesets: &[&Ruleset], place: Place) -> Option<Finding> {
        let (code, repeats) = match (verdict.fault, facts.repetition) {
            (Some(Fault::Ko { repeats }), _) => (Code::Ko, Some(repeats)),
            (Some(Fault::Superko { repeats }), _) => (Code::Superko, Some(repeats)),
            (None, Some(repetition)) => (Code::Repetition, repetition.psk),
            (None, None) => return None,
            (Some(Fault::Suicide | Fault::Occupied), _) => (Code::SuicidePlay, None),
        };
        let mut finding = Finding::new(code, place, format!("{} removed", count(facts.suicide as usize, "stone")));
        finding.rules = rulesets.iter().map(|ruleset| ruleset.name.as_ref()).collect::<Vec<_>>().join(";");
        if let (Some(repeats), Some(repetition)) = (repeats, facts.repetition) {
            if verdict.is_open {
                finding.severity = Severity::Warning;
            }
            self.describe_repetition(&mut finding, repeats, &repetition, rulesets);
        }
        Some(finding)
    }

    fn describe_repetition(
        &self,
        finding: &mut Finding,
        repeats: usize,
        repetition: &Repetition,
        rulesets: &[&Ruleset],
    ) {
        let history = self.referee.history();
        let cycle = Cycle::between(history, repeats, history.entries().len() - 1);
        let turn = history.entries()[repeats].turn;
        finding.repetition = Some(RepeatedPosition {
            turn,
            cycle: cycle.length,
            forbidden_by: repetition.forbidding().collect::<Vec<_>>().join(";"),
        });
        let earlier = if turn == 0 { "the initial position".into() } else { format!("the position after turn {turn}") };
        finding.detail = format!("repeats {earlier}: {cycle}");
        if finding.severity < Severity::Error {
            for Ruleset { name, axes } in rulesets {
                finding.detail.push_str(&format!("; under {name} {}", axes.long_cycle.consequence()));
            }
        }
    }

    fn close(mut self) -> Tally {
        let stones = self.set_up_handicap.max(self.run.min(self.allowed_run));
        self.tally.handicap = if stones >= 2 { stones } else { 0 };
        self.tally.closing_passes = self.consecutive_passes;
        self.tally
    }
}

/// `1 stone`, `2 stones`.
fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Who moves first after a setup: the player who is said to be to play, since a turn of the other one implies a pass, or
/// else whoever takes the first turn.
fn first_to_move(mut due: Option<Color>, following: &[Step]) -> Option<Color> {
    for step in following {
        match &step.what {
            StepKind::Setup(setup) => due = setup.to_play.or(due),
            StepKind::Turn(color, _) => return due.or(Some(*color)),
        }
    }
    due
}
