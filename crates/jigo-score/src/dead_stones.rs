//! The decision about dead stones, by one of several sources.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt;

use super::evaluation::{Judgement, judge, odds};
use super::markup::marked_dead_stones;
use super::pass_alive::settled_dead_stones;
use super::playout::{Estimate, estimate_rest};
use super::playout_input::PlayoutInput;
use jigo_rules::board::{BoardSize, Color, MarkedTerritory, Point, Position, Stones};
use jigo_rules::budget::Budget;

jigo_rules::named! {
    /// A source of dead stones.
    pub enum DeadSource {
        /// TB and TW of the record.
        Markup = "markup",
        /// The position itself, if every chain is decided.
        Settled = "settled",
        /// Static evaluation: features of chains and regions, if they leave no doubt.
        Static = "static",
        /// Playouts: random continuations, combined with the odds of static evaluation if it has
        /// any.
        Playouts = "playouts",
        /// A GTP engine.
        Engine = "engine",
        /// The user, who names the dead stones of a game or of a position.
        Provided = "given",
    }
}

impl DeadSource {
    /// The sources that users can select, with their names: all except the last.
    pub const SELECTABLE: &[(&'static str, DeadSource)] = match &DeadSource::NAMES {
        [selectable @ .., (_, DeadSource::Provided)] => selectable,
        all => all,
    };

    /// The default order of sources.
    pub const DEFAULT: [DeadSource; 4] =
        [DeadSource::Markup, DeadSource::Settled, DeadSource::Static, DeadSource::Playouts];

    /// Returns true for estimates. The players' own marks and proofs are not estimates.
    pub const fn is_estimate(self) -> bool {
        matches!(self, DeadSource::Static | DeadSource::Playouts | DeadSource::Engine)
    }
}

/// The dead stones of a final position.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The dead stones, sorted.
    pub dead: Vec<Point>,
    /// The source that decided.
    pub source: DeadSource,
    /// Probability, from 0 to 1, that these are the dead stones. `None` if the source gives no
    /// probability.
    pub confidence: Option<f32>,
    /// Stones in doubt, sorted.
    pub doubtful: Vec<Point>,
    /// The stones that a person names as in seki, sorted. Other groups in seki are found by shape.
    pub seki: Vec<Point>,
    /// True if too many points are open for a count.
    pub is_open: bool,
    /// The points that Black and White gain by playing first in an unsettled fight, Black's first.
    /// Each is the gain in area over the count. `None` if the search finds no such fight.
    pub gains_of_first: Option<[i32; 2]>,
}

impl Ending {
    /// Creates an ending without an estimate.
    pub fn without_estimate(dead: Vec<Point>, source: DeadSource) -> Ending {
        Ending {
            dead,
            source,
            confidence: None,
            doubtful: Vec::new(),
            seki: Vec::new(),
            is_open: false,
            gains_of_first: None,
        }
    }

    /// Returns true unless the dead stones are an estimate with less than this confidence.
    pub fn is_confident(&self, min_confidence: f32) -> bool {
        self.confidence.is_none_or(|confidence| confidence >= min_confidence)
    }

    /// Returns the dead stones, in arbitrary order, if the doubtful chains of `losing` are dead and
    /// those of the opponent are alive.
    pub fn dead_at_worst(&self, position: &Position, losing: Color) -> Vec<Point> {
        let is_doubtful = |point: &Point| self.doubtful.binary_search(point).is_ok();
        let certain = self.dead.iter().filter(|point| !is_doubtful(point)).copied();
        let losing_stones = self.doubtful.iter().filter(|point| position.stone(**point) == Some(losing)).copied();
        certain.chain(losing_stones).collect()
    }

    /// Returns the alternatives that differ in one doubtful chain, each with a stone of that chain.
    pub fn other_readings(&self, position: &Position) -> Vec<(Point, Vec<Point>)> {
        let toggled = |chain: &Vec<Point>| -> Vec<Point> {
            let (in_chain, remaining): (Vec<Point>, Vec<Point>) =
                self.dead.iter().partition(|point| chain.contains(point));
            if in_chain.is_empty() { [&remaining[..], chain].concat() } else { remaining }
        };
        let chains = position.chains(&self.doubtful);
        chains.iter().filter_map(|chain| Some((*chain.iter().min()?, toggled(chain)))).collect()
    }
}

/// An external source of dead stones, such as a GTP engine or a server's own judge.
pub trait Engine: fmt::Debug {
    /// Returns the dead stones of a position as whole chains, sorted.
    ///
    /// # Errors
    /// The reason for a failure, in words for the finding's detail. A spent budget is also a
    /// failure. The next position calls the engine again.
    fn dead(&mut self, position: &Position, budget: &Budget) -> Result<Vec<Point>, Box<dyn Error>>;
}

/// A factory of [`Engine`] that each thread uses to start its own.
pub trait EngineFactory: fmt::Debug + Send + Sync {
    /// Starts an engine.
    fn start(&self) -> Box<dyn Engine>;
}

/// The minimum confidence to accept partial playouts without playouts of the whole board.
///
/// Below it, the part that seemed decided may be wrong. On games that the trees had not seen, 0.9
/// gives no better results. Without the second stage three fewer games of 12,000 are correct.
const CLEAR_CONFIDENCE: f32 = 0.7;
/// Largest confidence of an estimate that replaces another one. It is below the confidence at which
/// an estimate contradicts a recorded result.
const MAX_CONTRADICTED_CONFIDENCE: f32 = 0.8;

/// Returns the more confident of two estimates. The one of the part is doubtful.
fn more_confident(of_part: Estimate, of_whole: Estimate) -> Estimate {
    if of_whole.confidence <= of_part.confidence { of_part } else { confirmed_by_whole_board(of_part, of_whole) }
}

/// Returns the estimate of the part if the whole board has the same dead stones, and otherwise that
/// of the whole board with a limited confidence.
///
/// The estimate of the part is doubtful, or static evaluation contradicts it.
fn confirmed_by_whole_board(of_part: Estimate, of_whole: Estimate) -> Estimate {
    if of_whole.dead == of_part.dead {
        return of_part;
    }
    Estimate { confidence: of_whole.confidence.min(MAX_CONTRADICTED_CONFIDENCE), ..of_whole }
}

/// The number of cached estimates.
const CACHED_ESTIMATES: usize = 8;

/// Tries sources in order until one decides.
#[derive(Debug, Default)]
pub struct Decider {
    /// The time limit.
    pub budget: Budget,
    engine: Option<Box<dyn Engine>>,
    /// The latest estimates, by position, player to move and use of static evaluation.
    ///
    /// Equal positions have equal estimates. So duplicates of a game, and hostile files that repeat
    /// a short game, cost one estimate.
    estimates: VecDeque<CachedEstimate>,
}

/// An estimate with its input.
#[derive(Debug)]
struct CachedEstimate {
    size: BoardSize,
    stones: Stones,
    next: Color,
    /// True if static evaluation came before the playouts.
    has_judgement: bool,
    estimate: Estimate,
}

/// The last position of a game, whose dead stones a [`Decider`] finds.
#[derive(Clone, Copy, Debug)]
pub struct FinalPosition<'a> {
    /// The position.
    pub position: &'a Position,
    /// TB and TW of the record.
    pub markup: Option<&'a MarkedTerritory>,
    /// The player to move.
    pub next: Color,
}

impl Decider {
    /// Returns the ending of a position by the first source of `order` that decides it.
    ///
    /// TB and TW decide nothing if they contradict the board, if they mark only a part of it, or if
    /// jigo wrote them. A failing engine is skipped, and its error is added to `failures`. Without
    /// budget no source decides.
    pub fn decide(
        &mut self,
        final_position: FinalPosition<'_>,
        order: &[DeadSource],
        engine: Option<&dyn EngineFactory>,
        failures: &mut Vec<String>,
    ) -> Option<Ending> {
        let FinalPosition { position, markup, next } = final_position;
        // The judgement of static evaluation if it does not decide. Playouts use it.
        let mut judgement = None;
        order.iter().find_map(|source| match source {
            DeadSource::Markup => decide_by_markup(position, markup?),
            DeadSource::Settled => {
                settled_dead_stones(position).map(|dead| Ending::without_estimate(dead, DeadSource::Settled))
            }
            DeadSource::Static => match judge(position) {
                Judgement::Whole { dead, confidence } => {
                    Some(Ending { confidence: Some(confidence), ..Ending::without_estimate(dead, DeadSource::Static) })
                }
                undecided => {
                    judgement = Some(undecided);
                    None
                }
            },
            DeadSource::Playouts => self.estimate(position, next, judgement.take()).map(Ending::from),
            DeadSource::Engine => self.ask_engine(position, engine?, failures),
            DeadSource::Provided => None,
        })
    }

    /// Returns the ending that the engine reports, or adds its failure.
    fn ask_engine(
        &mut self,
        position: &Position,
        factory: &dyn EngineFactory,
        failures: &mut Vec<String>,
    ) -> Option<Ending> {
        let engine = self.engine.get_or_insert_with(|| factory.start());
        match engine.dead(position, &self.budget) {
            Ok(dead) => Some(Ending::without_estimate(dead, DeadSource::Engine)),
            Err(error) => {
                // A failure after the time limit needs no extra message.
                failures.extend((!self.budget.is_spent()).then(|| error.to_string()));
                None
            }
        }
    }

    /// Returns the cached or a new estimate of a position, or `None` if the budget is spent.
    fn estimate(&mut self, position: &Position, next: Color, judgement: Option<Judgement>) -> Option<Estimate> {
        let (size, stones) = (position.size(), position.stones());
        let has_judgement = judgement.is_some();
        let is_equal = |cached: &&CachedEstimate| {
            (cached.size, cached.next, cached.has_judgement) == (size, next, has_judgement) && cached.stones == stones
        };
        if let Some(cached) = self.estimates.iter().find(is_equal) {
            return Some(cached.estimate.clone());
        }
        let estimate = self.new_estimate(position, next, judgement)?;
        self.estimates.truncate(CACHED_ESTIMATES - 1);
        self.estimates.push_front(CachedEstimate { size, stones, next, has_judgement, estimate: estimate.clone() });
        Some(estimate)
    }

    /// Estimates the rest of a board with confident groups, and the whole board if there are none
    /// or if the first estimate is doubtful. Returns `None` if the budget is spent.
    fn new_estimate(&self, position: &Position, next: Color, judgement: Option<Judgement>) -> Option<Estimate> {
        let proofs = PlayoutInput::from_proofs(position);
        let run = |input: PlayoutInput| {
            let estimate = estimate_rest(position, next, &input, &self.budget);
            (!self.budget.is_spent()).then_some(estimate)
        };
        let confident = match judgement {
            Some(Judgement::Part(confident)) => *confident,
            // Playouts on open boards are unreliable, so only a few are run.
            Some(Judgement::Open) => return run(PlayoutInput { is_brief: true, ..proofs }),
            _ => return run(PlayoutInput { odds: odds(position), ..proofs }),
        };
        let of_part = run(proofs.clone().with_confident(&confident))?;
        let is_clear = of_part.confidence >= CLEAR_CONFIDENCE;
        if is_clear && !confident.contradicts(&of_part.dead) {
            return Some(of_part);
        }
        let of_whole = run(PlayoutInput { is_brief: true, odds: confident.odds, ..proofs })?;
        Some(if is_clear { confirmed_by_whole_board(of_part, of_whole) } else { more_confident(of_part, of_whole) })
    }
}

/// Returns the ending that TB and TW of the record mark, if they are complete and the players' own.
fn decide_by_markup(position: &Position, markup: &MarkedTerritory) -> Option<Ending> {
    if markup.is_counted || !markup.is_on_board(position.size()) {
        return None;
    }
    marked_dead_stones(position, markup).map(|dead| Ending::without_estimate(dead, DeadSource::Markup))
}

impl From<Estimate> for Ending {
    fn from(estimate: Estimate) -> Ending {
        let Estimate { dead, confidence, doubtful, is_open, .. } = estimate;
        Ending {
            confidence: Some(confidence),
            doubtful,
            is_open,
            ..Ending::without_estimate(dead, DeadSource::Playouts)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::diagram::read;

    fn decide(position: &Position, markup: Option<&MarkedTerritory>, order: &[DeadSource]) -> Option<Ending> {
        let final_position = FinalPosition { position, markup, next: Color::Black };
        Decider::default().decide(final_position, order, None, &mut Vec::new())
    }

    #[test]
    fn marks_of_the_players_decide_and_those_of_jigo_do_not() {
        let position = read("X X . O\nX O . O").unwrap();
        let markup = MarkedTerritory {
            black: vec![Point::new(0, 0), Point::new(1, 1), Point::new(9, 9)],
            white: vec![],
            is_counted: false,
        };
        let ending = decide(&position, Some(&markup), &[DeadSource::Markup]).unwrap();
        assert_eq!(ending, Ending::without_estimate(vec![Point::new(1, 1)], DeadSource::Markup));
        let counted_by_jigo = MarkedTerritory { is_counted: true, ..markup };
        assert_eq!(decide(&position, Some(&counted_by_jigo), &[DeadSource::Markup]), None);
    }

    #[test]
    fn first_deciding_source_wins_and_is_named() {
        const ORDER: [DeadSource; 3] = [DeadSource::Markup, DeadSource::Settled, DeadSource::Playouts];
        let settled = read(". X . X O .\nX X X X O O\nO O O O O .\n. O . O O O").unwrap();
        assert_eq!(decide(&settled, None, &ORDER).map(|ending| ending.source), Some(DeadSource::Settled));
        let open = read(". X . O .\n. X . O .\n. X . O .").unwrap();
        assert_eq!(decide(&open, None, &ORDER[..2]), None);
        assert_eq!(decide(&open, None, &ORDER).map(|ending| ending.source), Some(DeadSource::Playouts));
    }

    /// Creates a wall of each colour down the board, and white stones around a number of columns
    /// and rows in Black's corner.
    fn group_in_a_corner(columns: u8, rows: u8) -> Position {
        let wall = |x: u8| (0..19).map(move |row| Point::new(x, row));
        let surrounding = |x: u8, y: u8| {
            (0..=y).map(move |row| Point::new(x, row)).chain((0..x).map(move |column| Point::new(column, y)))
        };
        let black = wall(9).chain(surrounding(columns + 1, rows + 1)).map(|point| (point, Some(Color::Black)));
        let white = wall(10).chain(surrounding(columns, rows)).map(|point| (point, Some(Color::White)));
        let mut position = Position::new(BoardSize::standard());
        position.place(black.chain(white));
        position
    }

    /// Returns the groups that static evaluation leaves in doubt.
    fn groups_in_doubt() -> Vec<Position> {
        let groups = (1..=5).flat_map(|columns| (1..=4).map(move |rows| group_in_a_corner(columns, rows)));
        let groups: Vec<Position> =
            groups.filter(|position| decide(position, None, &[DeadSource::Static]).is_none()).collect();
        assert!(!groups.is_empty());
        groups
    }

    const AFTER_STATIC: [DeadSource; 2] = [DeadSource::Static, DeadSource::Playouts];

    #[test]
    fn partial_and_whole_board_playouts_agree() {
        for position in groups_in_doubt() {
            let whole = decide(&position, None, &[DeadSource::Playouts]).unwrap();
            let part = decide(&position, None, &AFTER_STATIC).unwrap();
            assert_eq!(part.source, DeadSource::Playouts);
            let is_clear = whole.confidence.is_some_and(|confidence| confidence > 0.9);
            assert!(!is_clear || part.dead == whole.dead, "{:?} {:?}", part.dead, whole.dead);
        }
    }

    /// Creates an estimate with one dead stone, in this column.
    fn estimate(stone: u8, confidence: f32) -> Estimate {
        Estimate {
            dead: vec![Point::new(stone, 0)],
            confidence,
            decision_degree: 0,
            doubtful: Vec::new(),
            is_open: false,
        }
    }

    #[test]
    fn more_confident_estimate_replaces_doubtful_one() {
        let (part, whole) = (estimate(1, 0.6), estimate(1, 0.99));
        assert_eq!(more_confident(part.clone(), whole), part);
        assert_eq!(more_confident(part.clone(), estimate(2, 0.5)), part);
        assert_eq!(more_confident(part.clone(), estimate(2, 0.99)), estimate(2, MAX_CONTRADICTED_CONFIDENCE));
        assert_eq!(more_confident(part, estimate(2, 0.7)), estimate(2, 0.7));
    }

    #[test]
    fn contradicted_estimate_needs_whole_board_confirmation() {
        let part = estimate(1, 0.99);
        assert_eq!(confirmed_by_whole_board(part.clone(), estimate(1, 0.3)), part);
        assert_eq!(confirmed_by_whole_board(part.clone(), estimate(2, 0.6)), estimate(2, 0.6));
        assert_eq!(confirmed_by_whole_board(part, estimate(2, 0.99)), estimate(2, MAX_CONTRADICTED_CONFIDENCE));
    }

    #[test]
    fn estimate_cache_key_includes_static_evaluation() {
        for position in groups_in_doubt() {
            let mut decider = Decider::default();
            let final_position = FinalPosition { position: &position, markup: None, next: Color::Black };
            let mut decide_by = |order: &[DeadSource]| decider.decide(final_position, order, None, &mut Vec::new());
            let [first, second, third] = [&AFTER_STATIC[1..], &AFTER_STATIC, &AFTER_STATIC[1..]].map(&mut decide_by);
            assert_eq!(first, third);
            assert_eq!(second, decide(&position, None, &AFTER_STATIC));
        }
    }

    #[test]
    fn readings_differ_in_one_doubtful_chain_each() {
        let position = read("X X . O O").unwrap();
        let all: Vec<Point> = position.size().iter().filter(|point| position.stone(*point).is_some()).collect();
        let ending =
            Ending { doubtful: all.clone(), ..Ending::without_estimate(all[2..].to_vec(), DeadSource::Playouts) };
        let readings = ending.other_readings(&position);
        assert_eq!(readings, [(all[0], [&all[2..], &all[..2]].concat()), (all[2], vec![])]);
        assert_eq!(ending.dead_at_worst(&position, Color::Black), all[..2]);
    }
}
