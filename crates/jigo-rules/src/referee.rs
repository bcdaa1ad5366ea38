//! The referee: makes one turn, and returns its effects and the verdict of a ruleset.

use super::history::fast_path::PlaySequence;
use super::history::{History, Repetition};
use super::ruleset::{Axes, Button, RepetitionRule, Ruleset, Suicide};
use crate::board::{Action, BoardSize, Color, Point, Position, RemovedStones, Turn};

/// The effects of a turn, independent of the ruleset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnFacts {
    /// Number of captured opposing stones.
    pub captured: u32,
    /// Number of own stones removed by suicide, including the played one.
    pub suicide: u32,
    /// Stone that was on the point before the play.
    pub replaced: Option<Color>,
    /// Earlier positions that the play recreated.
    pub repetition: Option<Repetition>,
}

/// The reason why a ruleset forbids a turn that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleViolation {
    /// The point was occupied.
    Occupied,
    /// The play removed its own chain, which the ruleset forbids for this number of stones.
    Suicide,
    /// The play retook a ko at once.
    Ko {
        /// History entry of the repeated position.
        repeats: usize,
    },
    /// The play recreated an earlier position.
    Superko {
        /// History entry of the repeated position.
        repeats: usize,
    },
}

/// The reason why [`Referee::try_turn`] refuses a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IllegalTurn {
    /// The point is off the board.
    #[error("the point is off the board")]
    OffBoard,
    /// The point is occupied.
    #[error("the point is occupied")]
    Occupied,
    /// The play would remove its own stones.
    #[error("suicide")]
    Suicide,
    /// The play would retake a ko at once.
    #[error("ko")]
    Ko,
    /// The play would recreate the position after this turn. 0 is the initial position.
    #[error("superko: it would bring back the position after turn {0}")]
    Superko(u32),
}

impl TurnFacts {
    fn new(removed: RemovedStones, repetition: Option<Repetition>, replaced: Option<Color>) -> TurnFacts {
        TurnFacts { captured: removed.captured, suicide: removed.suicide, replaced, repetition }
    }

    /// Returns the reason why a ruleset forbids this turn, if it does.
    ///
    /// Suicide comes before repetition. If a superko rule forbids retaking a ko at once, the fault
    /// is a ko.
    pub fn violation(&self, rules: &Axes) -> Option<RuleViolation> {
        if self.replaced.is_some() {
            return Some(RuleViolation::Occupied);
        }
        self.suicide_violation(rules.suicide).or_else(|| self.repetition_violation(rules))
    }

    fn suicide_violation(&self, rule: Suicide) -> Option<RuleViolation> {
        let allowed = match rule {
            Suicide::Forbid => self.suicide == 0,
            Suicide::MultiStone => self.suicide != 1,
            Suicide::Any => true,
        };
        (!allowed).then_some(RuleViolation::Suicide)
    }

    fn repetition_violation(&self, rules: &Axes) -> Option<RuleViolation> {
        let repetition = self.repetition?;
        // Taking the button lifts all bans (KataGo's aga-button clears the history of positions).
        // Each field of a repetition names the latest entry. So an entry before the button proves
        // that no later one forbids the play.
        let is_in_force = |repeats: &usize| rules.button != Button::HalfPoint || *repeats >= repetition.button;
        let repeats = repetition.forbidding_entry(rules.repetition).filter(is_in_force)?;
        match repetition.ko {
            Some(repeats) => Some(RuleViolation::Ko { repeats }),
            None => Some(RuleViolation::Superko { repeats }),
        }
    }
}

impl Repetition {
    /// Returns the earlier entry that makes `rule` forbid the play.
    pub fn forbidding_entry(&self, rule: RepetitionRule) -> Option<usize> {
        match rule {
            RepetitionRule::Unrestricted => None,
            RepetitionRule::Ko => self.ko,
            RepetitionRule::Psk => self.psk,
            RepetitionRule::Ssk => self.ssk,
            RepetitionRule::Own => self.own,
            RepetitionRule::Nssk => self.nssk,
            RepetitionRule::NsskKo => self.ko.or(self.nssk),
        }
    }

    /// Returns the repetition rules that forbid the play, in the order of
    /// [`RepetitionRule::NAMES`].
    ///
    /// `nssk+ko` is omitted because it combines two others.
    pub fn forbidding_rules(&self) -> impl Iterator<Item = RepetitionRule> + '_ {
        RepetitionRule::NAMES
            .into_iter()
            .map(|(_, rule)| rule)
            .filter(|rule| *rule != RepetitionRule::NsskKo && self.forbidding_entry(*rule).is_some())
    }
}

/// A position with its history, which makes legal and illegal turns, as FF\[4\] demands.
///
/// In this example White sends two stones and Black returns one, so a position repeats:
///
/// ```
/// use jigo_rules::{Color, IllegalTurn, Point, Referee, Ruleset, Turn, diagram};
///
/// let start = diagram::read("X X . . .\nX X O . .\n. O . O .").unwrap();
/// let mut referee = Referee::new(start.size());
/// referee.set_up(start.size().iter().map(|point| (point, start.stone(point))), None);
/// let [japanese, psk]: [Ruleset; 2] =
///     ["japanese", "chinese-psk"].map(|name| name.parse().unwrap());
/// let play = |color, column| Turn::play(color, Point::new(column, 2));
/// assert!(referee.try_turn(play(Color::White, 0), &psk).is_ok());
/// assert_eq!(referee.try_turn(play(Color::Black, 2), &psk).unwrap().captured, 2);
/// assert_eq!(referee.try_turn(play(Color::White, 1), &psk), Err(IllegalTurn::Superko(0)));
/// assert!(referee.try_turn(play(Color::White, 1), &japanese).is_ok());
/// ```
pub struct Referee {
    position: Position,
    history: History,
}

impl Default for Referee {
    fn default() -> Referee {
        let mut referee = Referee { position: Position::new(BoardSize::standard()), history: History::default() };
        referee.start(BoardSize::standard());
        referee
    }
}

impl Referee {
    /// Creates a referee with an empty board.
    pub fn new(size: BoardSize) -> Referee {
        let mut referee = Referee::default();
        referee.start(size);
        referee
    }

    /// Starts a game on an empty board.
    pub fn start(&mut self, size: BoardSize) {
        self.position.clear(size);
        self.history.return_button();
        self.history.start(&self.position, None);
    }

    /// Sets points and starts a new history, since setup has no past positions.
    ///
    /// `left_by` attributes the new initial position to a player; see [`History::start`].
    pub fn set_up(&mut self, stones: impl IntoIterator<Item = (Point, Option<Color>)>, left_by: Option<Color>) {
        self.position.place(stones);
        self.history.start(&self.position, left_by);
    }

    /// Makes a turn, whether legal or not. `number` is the record's number of the turn.
    ///
    /// A play onto an occupied point replaces the stone. The point must be on the board.
    pub fn make_turn(&mut self, turn: Turn, number: u32) -> TurnFacts {
        match turn.action {
            Action::Play(point) => self.play(turn.color, point, number).unwrap_or_default(),
            Action::Pass => {
                self.history.pass(turn.color, number);
                TurnFacts::default()
            }
        }
    }

    /// Makes a pass that the record omits after turn `number`. It does not take the button.
    pub fn add_implied_pass(&mut self, color: Color, number: u32) {
        self.history.add_implied_pass(color, number);
    }

    /// Makes the leading quiet plays of a sequence, as [`History::make_quiet_plays`] does.
    #[inline]
    pub fn make_quiet_plays<S>(
        &mut self,
        sequence: PlaySequence<'_, S, impl Fn(&S) -> Option<(Color, Point)>>,
        lost: &mut [u32; 2],
    ) -> (u32, Option<TurnFacts>) {
        let (count, last) = self.history.make_quiet_plays(&mut self.position, sequence, lost);
        (count, last.map(|(removed, repetition)| TurnFacts::new(removed, repetition, None)))
    }

    /// Makes a turn if the ruleset allows it. Otherwise the position does not change.
    ///
    /// The caller decides whose turn it is, because rules for resumption and handicap differ. If a
    /// ruleset leaves a repetition to a judge (Ing), the turn is made and its facts contain the
    /// repetition.
    ///
    /// # Errors
    /// [`IllegalTurn`] with the reason.
    ///
    /// ```
    /// use jigo_rules::{BoardSize, Color, IllegalTurn, Point, Referee, Ruleset, Turn};
    ///
    /// let rules: Ruleset = "aga".parse().unwrap();
    /// let size = BoardSize::square(9).unwrap();
    /// let mut referee = Referee::new(size);
    /// let at = |text| Point::from_a1(text, size).unwrap();
    /// assert!(referee.try_turn(Turn::play(Color::Black, at("E5")), &rules).is_ok());
    /// let occupied = Turn::play(Color::White, at("E5"));
    /// assert_eq!(referee.try_turn(occupied, &rules), Err(IllegalTurn::Occupied));
    /// assert!(referee.try_turn(Turn::pass(Color::White), &rules).is_ok());
    /// assert_eq!(referee.position().stone(at("E5")), Some(Color::Black));
    /// ```
    pub fn try_turn(&mut self, turn: Turn, rules: &Ruleset) -> Result<TurnFacts, IllegalTurn> {
        if let Action::Play(point) = turn.action {
            if !self.position.size().contains(point) {
                return Err(IllegalTurn::OffBoard);
            }
            if self.position.stone(point).is_some() {
                return Err(IllegalTurn::Occupied);
            }
        }
        let number = self.history.entries().len() as u32;
        let facts = self.make_turn(turn, number);
        let illegal = match facts.violation(&rules.axes) {
            None => return Ok(facts),
            Some(RuleViolation::Superko { .. }) if rules.axes.needs_judgement() => return Ok(facts),
            Some(RuleViolation::Superko { repeats }) => IllegalTurn::Superko(self.history.entries()[repeats].turn),
            Some(RuleViolation::Ko { .. }) => IllegalTurn::Ko,
            Some(RuleViolation::Suicide) => IllegalTurn::Suicide,
            Some(RuleViolation::Occupied) => IllegalTurn::Occupied,
        };
        self.take_back();
        Err(illegal)
    }

    /// Makes a play, as [`Referee::make_turn`] does.
    ///
    /// Returns `None` if the play removes no stone and recreates no position, as most plays do.
    pub fn play(&mut self, color: Color, point: Point, number: u32) -> Option<TurnFacts> {
        let replaced = self.position.stone(point);
        if replaced.is_some() {
            self.remove_stone(point);
        }
        let (removed, repetition) = self.history.play(&mut self.position, color, point, number, replaced)?;
        Some(TurnFacts::new(removed, repetition, replaced))
    }

    #[cold]
    fn remove_stone(&mut self, point: Point) {
        self.position.remove_stone(point);
    }

    /// Undoes the last turn, in the history and on the board.
    ///
    /// # Panics
    /// If no turn was made since the start or the last setup.
    pub fn take_back(&mut self) {
        self.history.take_back(&mut self.position);
    }

    /// Returns the current position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the turns and positions since the start or the last setup.
    pub fn history(&self) -> &History {
        &self.history
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the verdict of a ruleset on the last of these columns on a board with one row.
    /// `None` is a pass. Black takes the first turn, and the players alternate.
    fn last_turn(width: u8, columns: &[Option<u8>], rules: &str) -> Result<(), IllegalTurn> {
        let ruleset: Ruleset = rules.parse().unwrap();
        let mut referee = Referee::new(BoardSize::new(width, 1).unwrap());
        let turns = columns.iter().enumerate().map(|(number, column)| {
            let color = Color::BOTH[number % 2];
            column.map_or(Turn::pass(color), |column| Turn::play(color, Point::new(column, 0)))
        });
        turns.map(|turn| referee.try_turn(turn, &ruleset).map(drop)).last().unwrap()
    }

    #[test]
    fn button_lifts_bans_on_earlier_positions() {
        // Black brings back the position after turn 1, and the pass lies between.
        let columns = [Some(0), Some(1), None, Some(2), Some(0)];
        assert_eq!(last_turn(3, &columns, "aga"), Err(IllegalTurn::Superko(1)));
        assert_eq!(last_turn(3, &columns, "wmsg"), Err(IllegalTurn::Superko(1)));
        assert_eq!(last_turn(3, &columns, "button"), Ok(()));
    }

    #[test]
    fn position_that_the_button_was_taken_in_stays_forbidden() {
        // Black brings back the position in which Black passed.
        let columns = [Some(1), Some(2), None, Some(0), Some(1)];
        assert_eq!(last_turn(4, &columns, "button"), Err(IllegalTurn::Ko));
    }

    #[test]
    fn only_the_first_pass_takes_the_button() {
        let columns = [None, None, Some(0), Some(1), None, Some(2)];
        let with_repetition: Vec<Option<u8>> = columns.iter().copied().chain([Some(0)]).collect();
        assert_eq!(last_turn(3, &with_repetition, "button"), Err(IllegalTurn::Superko(3)));
    }
}
