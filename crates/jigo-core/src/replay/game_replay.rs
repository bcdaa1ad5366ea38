//! The replay of one record, step by step.

use super::options::{OnIllegal, ReplayOptions};
use super::rulings::{count, judge};
use jigo_record::finding::{Code, Finding, Place, excerpt};
use jigo_record::{Coordinates, GameRecord, Setup, Step, StepKind};
use jigo_rules::board::{Color, Point, Position, Turn};
use jigo_rules::budget::Budget;
use jigo_rules::{ExhaustedLimit, PlaySequence, Referee, Ruleset, Tally, TurnFacts};

/// Number of plays between two tests of the budget.
const CHECK_INTERVAL: usize = 4096;
/// Number of setup stones outside the board, in one setup, that get a finding each.
const MAX_OFF_BOARD: usize = 32;

/// The limits that stop a replay before the end of the record.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'a> {
    /// Time limit.
    pub budget: &'a Budget,
    /// Largest number of findings.
    pub max_findings: u64,
}

impl Bounds<'_> {
    /// Returns the exhausted resource, if any, given the number of findings.
    fn shortage(self, findings: usize) -> Option<ExhaustedLimit> {
        if findings as u64 > self.max_findings {
            return Some(ExhaustedLimit::Findings);
        }
        self.budget.is_spent().then_some(ExhaustedLimit::Time)
    }
}

/// A replay in progress.
pub(super) struct GameReplay<'a> {
    referee: &'a mut Referee,
    bounds: Bounds<'a>,
    record: &'a GameRecord,
    judges: &'a [Ruleset],
    options: ReplayOptions,
    findings: &'a mut Vec<Finding>,
    /// Number of turns at the beginning that give the handicap, in any order.
    handicap_turns: u32,
    tally: Tally,
    /// Player to move, if the record determines it.
    next_player: Option<Color>,
    consecutive_passes: u32,
    /// Number of plays after two passes, and the index of their finding.
    resumptions: Option<(u32, usize)>,
    /// The steps after the latest group of consecutive setups.
    upcoming: UpcomingTurns,
}

/// The facts that a group of consecutive setups needs about later steps.
#[derive(Clone, Copy, Default)]
struct UpcomingTurns {
    /// Index of the step after the last setup.
    end: usize,
    /// Index of the last setup with PL, and the colour.
    to_play: Option<(usize, Color)>,
    /// Player of the turn after the setups.
    turn: Option<Color>,
}

impl UpcomingTurns {
    /// Returns the facts for the setup at `index`.
    ///
    /// Consecutive setups share one pass over the steps.
    fn after_setup(self, index: usize, record: &GameRecord) -> UpcomingTurns {
        if index < self.end {
            return self;
        }
        let mut upcoming = UpcomingTurns { end: index + 1, ..UpcomingTurns::default() };
        while let Some(step) = record.steps.get(upcoming.end) {
            match step.kind {
                StepKind::Setup(setup) => {
                    let to_play = record.setup(setup).to_play.map(|color| (upcoming.end, color));
                    upcoming.to_play = to_play.or(upcoming.to_play);
                }
                StepKind::Turn(color, _) => {
                    upcoming.turn = Some(color);
                    break;
                }
            }
            upcoming.end += 1;
        }
        upcoming
    }

    /// Returns the first player after the setup at `index`.
    ///
    /// PL of a later setup comes first, since a turn of the other player implies a pass. Then come
    /// `default`, the player to move at this setup, and the player of the first turn.
    fn first_to_move(&self, index: usize, default: Option<Color>) -> Option<Color> {
        let to_play = self.to_play.filter(|(setup, _)| *setup > index).map(|(_, color)| color);
        to_play.or(default).or(self.turn)
    }
}

impl<'a> GameReplay<'a> {
    /// Creates a replay before the first step of `record`.
    pub(super) fn new(
        referee: &'a mut Referee,
        bounds: Bounds<'a>,
        record: &'a GameRecord,
        judges: &'a [Ruleset],
        options: ReplayOptions,
        findings: &'a mut Vec<Finding>,
    ) -> GameReplay<'a> {
        referee.start(record.header.size);
        let prefix = record.handicap();
        GameReplay {
            referee,
            bounds,
            record,
            judges,
            options,
            findings,
            handicap_turns: prefix.turns,
            tally: Tally { handicap: prefix.handicap, ..Tally::default() },
            next_player: None,
            consecutive_passes: 0,
            resumptions: None,
            upcoming: UpcomingTurns::default(),
        }
    }

    /// Makes all steps, or stops at a limit or an illegal turn.
    ///
    /// `observer` receives steps with the counts so far (without closing passes) and
    /// the position, and returns the number of steps to skip.
    pub(super) fn run(&mut self, mut observer: impl FnMut(&Step, &Tally, &Position) -> usize) {
        let steps = self.record.steps.as_slice();
        self.tally.first = self.record.turns().next().map(|(color, _)| color);
        let (mut index, mut steps_to_skip) = (0, 0_usize);
        while index < steps.len() && self.tally.stopped_at.is_none() {
            if let Some(shortage) = self.bounds.shortage(self.findings.len()) {
                (self.tally.stopped_at, self.tally.exhausted) = (Some(self.tally.turns + 1), Some(shortage));
                return;
            }
            let run_end = steps.len().min(index + CHECK_INTERVAL.min(steps_to_skip.saturating_add(1)));
            let count = self.make_quiet_plays(&steps[index..run_end]);
            if count == 0 {
                self.step(index);
            }
            let count = count.max(1);
            index += count;
            if count <= steps_to_skip {
                steps_to_skip -= count;
            } else if self.tally.stopped_at.is_none() {
                steps_to_skip = observer(&steps[index - 1], &self.tally, self.referee.position());
            }
        }
    }

    /// Makes the leading quiet plays of alternating players, which cause no findings. This is the
    /// hot path.
    ///
    /// Returns the number of steps made. The last of them may be a play that was not quiet.
    fn make_quiet_plays(&mut self, steps: &[Step]) -> usize {
        let Some(first) = self.next_player else { return 0 };
        if self.consecutive_passes > 0 || self.tally.turns < self.handicap_turns {
            return 0;
        }
        let play = |step: &Step| match step.kind {
            StepKind::Turn(color, Coordinates::Play(point)) => Some((color, point)),
            _ => None,
        };
        let sequence = PlaySequence { steps, play, first_player: first, first_turn: self.tally.turns + 1 };
        let (count, last) = self.referee.make_quiet_plays(sequence, &mut self.tally.lost);
        let quiet_count = count - u32::from(last.is_some());
        self.tally.turns += count;
        self.tally.plays[first.index()] += quiet_count.div_ceil(2);
        self.tally.plays[first.opponent().index()] += quiet_count / 2;
        if let Some(Step { offset, kind: StepKind::Turn(color, Coordinates::Play(point)) }) =
            steps[..count as usize].last()
        {
            (self.tally.last, self.next_player) = (Some(*color), Some(color.opponent()));
            if let Some(facts) = last {
                self.after_play(*color, *point, facts, *offset as usize);
            }
        }
        count as usize
    }

    /// Makes any step.
    fn step(&mut self, index: usize) {
        let step = self.record.steps[index];
        match step.kind {
            StepKind::Turn(color, coordinates) => self.turn(color, coordinates, step.offset as usize),
            StepKind::Setup(setup) => self.set_up(self.record.setup(setup), step.offset as usize, index),
        }
    }

    #[cold]
    fn set_up(&mut self, setup: &Setup, offset: usize, index: usize) {
        let size = self.referee.position().size();
        // Setup stones off the board change neither the player to move nor the position.
        let has_stones = setup.stones.iter().any(|&(point, _)| size.contains(point));
        self.next_player = setup.to_play.or(if has_stones { None } else { self.next_player });
        let turn = Some(self.tally.turns);
        if has_stones && self.tally.turns > 0 {
            let detail = format!("after turn {}, on {}", self.tally.turns, count(setup.stones.len(), "point"));
            self.findings.push(Finding::new(Code::SetupInPlay, Place { turn, ..Place::byte(offset) }, detail));
        }
        self.upcoming = self.upcoming.after_setup(index, self.record);
        let removes_dead_stones = self.removes_dead_stones(setup);
        if has_stones && self.tally.turns > 0 && !removes_dead_stones {
            self.tally.setups_in_play += 1;
        }
        let (stones, off_board_stones): (Vec<_>, Vec<_>) =
            setup.stones.iter().copied().partition(|&(point, _)| size.contains(point));
        self.count_setup(&stones, removes_dead_stones);
        self.off_board(&off_board_stones, offset);
        if !has_stones {
            return;
        }
        let to_play = self.upcoming.first_to_move(index, self.next_player);
        // The player to move did not leave this position; see History::start.
        let previous_color = to_play.filter(|_| !self.options.literal_setup).map(Color::opponent);
        self.referee.set_up(stones, previous_color);
        for point in self.referee.position().chains_without_liberties() {
            let color = self.referee.position().stone(point);
            let place = Place { offset, turn, color, point: Some(point) };
            self.findings.push(Finding::new(Code::SetupWithoutLiberties, place, "the chain of this stone"));
        }
    }

    /// Counts the stones that a setup places, and those that it removes as prisoners or as setup.
    fn count_setup(&mut self, stones: &[(Point, Option<Color>)], removes_dead_stones: bool) {
        for &(point, stone) in stones {
            match self.referee.position().stone(point) {
                Some(dead) if removes_dead_stones => self.tally.lost[dead.index()] += 1,
                Some(removed) => self.tally.setup[removed.index()] -= 1,
                None => {}
            }
            if let Some(placed) = stone {
                self.tally.setup[placed.index()] += 1;
            }
        }
    }

    /// Returns true if a setup only removes stones and no turn follows.
    ///
    /// Editors remove dead stones so when players count. The stones are prisoners.
    fn removes_dead_stones(&self, setup: &Setup) -> bool {
        self.tally.turns > 0 && self.upcoming.turn.is_none() && setup.stones.iter().all(|(_, stone)| stone.is_none())
    }

    /// Reports setup stones outside the board, the first [`MAX_OFF_BOARD`] of them one by one.
    ///
    /// A rectangle of a few bytes can contain thousands of points.
    fn off_board(&mut self, stones: &[(Point, Option<Color>)], offset: usize) {
        let (turn, size) = (Some(self.tally.turns), self.referee.position().size());
        for (index, &(point, color)) in stones.iter().enumerate().take(MAX_OFF_BOARD) {
            let omitted_count = stones.len() - MAX_OFF_BOARD.min(stones.len());
            let detail = match (index + 1 == MAX_OFF_BOARD, omitted_count) {
                (true, 1..) => {
                    format!("the board is {size}; {} of this node are outside it", count(omitted_count, "more point"))
                }
                _ => format!("the board is {size}"),
            };
            let place = Place { offset, turn, color, point: Some(point) };
            self.findings.push(Finding::new(Code::SetupOffBoard, place, detail));
        }
    }

    /// Makes any turn.
    ///
    /// A play has no effect other than its stone if it is in order, on an empty point, removes no
    /// stone and recreates no position.
    fn turn(&mut self, color: Color, coordinates: Coordinates, offset: usize) {
        self.tally.turns += 1;
        let number = self.tally.turns;
        if self.next_player == Some(color.opponent()) && number > self.handicap_turns {
            self.out_of_order(color, self.place(color, offset));
            if self.tally.stopped_at.is_some() {
                return;
            }
        }
        self.next_player = Some(color.opponent());
        self.tally.last = Some(color);
        match coordinates {
            Coordinates::Play(point) => {
                let facts = self.referee.play(color, point, number);
                if facts.is_some() || self.consecutive_passes > 0 {
                    self.after_play(color, point, facts.unwrap_or_default(), offset);
                } else {
                    self.tally.plays[color.index()] += 1;
                }
            }
            Coordinates::Pass => {
                self.referee.make_turn(Turn::pass(color), number);
                self.after_pass(color);
            }
            Coordinates::OffBoard(_) | Coordinates::Unreadable(_) => self.skip(color, coordinates, offset),
        }
    }

    /// Returns the place of the turn at byte `offset`.
    fn place(&self, color: Color, offset: usize) -> Place {
        Place { offset, turn: Some(self.tally.turns), color: Some(color), point: None }
    }

    /// Reports a turn that cannot be made.
    #[cold]
    fn skip(&mut self, color: Color, coordinates: Coordinates, offset: usize) {
        let place = self.place(color, offset);
        self.findings.push(match coordinates {
            Coordinates::OffBoard(point) => {
                let detail = format!("the board is {}", self.referee.position().size());
                Finding::new(Code::OffBoard, Place { point: Some(point), ..place }, detail)
            }
            Coordinates::Unreadable(text) => {
                let text = excerpt(self.record.unreadable[text as usize].as_bytes());
                Finding::new(Code::UnreadableTurn, place, format!("{}[{text}]", color.letter()))
            }
            Coordinates::Play(_) | Coordinates::Pass => return,
        });
        // The player did not pass, so the earlier passes do not end the game.
        self.consecutive_passes = 0;
        self.tally.illegal += 1;
        if self.options.on_illegal == OnIllegal::Stop {
            self.tally.stopped_at = Some(self.tally.turns);
        }
    }

    #[cold]
    fn out_of_order(&mut self, color: Color, place: Place) {
        let opponent = color.opponent();
        let (mover, missing) = (color.name(), opponent.name());
        self.findings.push(Finding::new(
            Code::WrongColor,
            place,
            format!("{mover} took the turn, {missing} was to play"),
        ));
        self.tally.illegal += 1;
        if self.options.on_illegal == OnIllegal::Stop {
            self.tally.stopped_at = Some(self.tally.turns);
            return;
        }
        self.findings.push(Finding::new(Code::ImpliedPass, place, format!("{missing} is taken to have passed before")));
        self.tally.implied_passes[opponent.index()] += 1;
        // The implied pass leaves the position after the previous turn.
        self.referee.add_implied_pass(opponent, self.tally.turns - 1);
    }

    #[cold]
    fn after_pass(&mut self, color: Color) {
        self.tally.passes[color.index()] += 1;
        if self.tally.turns > self.handicap_turns {
            self.tally.first_passer = self.tally.first_passer.or(Some(color));
        }
        self.consecutive_passes += 1;
    }

    /// Handles a play that removes stones, recreates a position or follows a pass.
    #[cold]
    fn after_play(&mut self, color: Color, point: Point, facts: TurnFacts, offset: usize) {
        let place = Place { point: Some(point), ..self.place(color, offset) };
        if self.consecutive_passes >= 2 {
            self.note_resumption(place);
        }
        let is_quiet = facts.suicide == 0 && facts.replaced.is_none() && facts.repetition.is_none();
        let is_illegal = !is_quiet && judge(self.judges, facts, place, self.referee.history(), self.findings);
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
    }

    /// Reports a play after two passes.
    ///
    /// A record of trial sequences contains hundreds of them, so one finding counts them all.
    fn note_resumption(&mut self, place: Place) {
        let (count, first) = self.resumptions.unwrap_or((0, self.findings.len()));
        if count == 0 {
            let detail = format!("a play after {} passes in a row", self.consecutive_passes);
            self.findings.push(Finding::new(Code::TurnsAfterEnd, place, detail));
        }
        self.resumptions = Some((count + 1, first));
    }

    /// Finishes the replay and returns its counts.
    pub(super) fn close(mut self) -> Tally {
        if let Some((count @ 2.., first)) = self.resumptions {
            self.findings[first].detail.push_str(&format!("; the first of {count} times"));
        }
        self.tally.closing_passes = self.consecutive_passes;
        self.tally
    }
}
