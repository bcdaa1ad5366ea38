//! Example games: a few for each code, with board diagrams.

use serde::{Deserialize, Serialize};

use jigo_core::analysis::GameReport;
use jigo_core::analysis::comparison::RulesetComparison;
use jigo_core::audit::{Audit, Cause, Verdict};
use jigo_core::diagrams::{GameDiagrams, LaterSetup, ending};
use jigo_core::replay::ReplayOptions;
use jigo_record::Reading;
use jigo_record::finding::{Code, Finding, Severity};
use jigo_record::splitter::GameText;
use jigo_rules::board::picture::Mark;
use jigo_rules::board::{Picture, Point};
use jigo_rules::{HalfPoints, format_margin};

/// The maximum number of examples per code, and of changed winners.
const MAX_EXAMPLES: usize = 6;
/// The maximum number of contradicted results.
const MAX_CONTRADICTED: usize = 100;
/// The maximum number of contradicted results with a diagram.
const MAX_CONTRADICTED_BOARDS: usize = 12;
/// The number of lines around a finding that a diagram shows.
const MARGIN_LINES: u8 = 5;
/// The maximum length of a cycle in a diagram.
const MAX_CYCLE: usize = 40;

/// An example game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// Its file.
    pub file: String,
    /// Its number in the file, from 1; `None` for a finding outside games.
    pub game: Option<u64>,
    /// The byte of its `(`, or of the stray text.
    pub offset: u64,
    /// The turn of the finding.
    pub turn: Option<u32>,
    /// A note for the reader.
    pub note: String,
}

/// A game whose recorded result contradicts the count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContradictedResult {
    /// True if every count has another winner.
    pub contradicts_winner: bool,
    /// The game.
    pub example: Example,
    /// The recorded result.
    pub stated: String,
    /// The counted final margin, Black minus White.
    pub counted: HalfPoints,
    /// The recorded margin minus the counted one; `None` if no margin is recorded.
    pub difference: Option<HalfPoints>,
    /// The ruleset of the count; empty if it is unknown.
    pub ruleset: String,
    /// The most probable cause of the difference.
    pub cause: String,
    /// The confidence of the count in thousandths; `None` without doubt.
    pub confidence: Option<u32>,
    /// The players.
    pub players: String,
    /// The final position with dead stones and territory, for the first games of the list. Rings
    /// mark the groups in dispute.
    pub board: Option<Picture>,
}

impl ContradictedResult {
    /// Returns the sort key: another winner first, then the largest difference.
    fn sort_key(&self) -> (bool, i32) {
        (self.contradicts_winner, self.difference.map_or(0, |difference| difference.0.abs()))
    }
}

/// A diagram of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardExample {
    /// The game and turn.
    pub example: Example,
    /// The code.
    pub code: Code,
    /// The severity of this finding.
    pub severity: Severity,
    /// The players.
    pub players: String,
    /// One or two boards with their captions.
    pub boards: Vec<(String, Picture)>,
    /// Plays whose numbers the diagram can't show.
    pub legend: String,
}

/// Example games by kind; the first ones of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Examples {
    /// Examples by code, in the order of the code table.
    by_code: Vec<Vec<Example>>,
    /// Diagrams of findings, in the order of the run.
    pub boards: Vec<BoardExample>,
    /// Games whose recorded result contradicts the count, the worst first.
    pub contradicted: Vec<ContradictedResult>,
    /// Games whose winner depends on the ruleset.
    pub winner_changes: Vec<Example>,
}

/// Codes that get a diagram.
const DRAWN_CODES: [Code; 9] = [
    Code::Ko,
    Code::Superko,
    Code::Repetition,
    Code::Occupied,
    Code::OffBoard,
    Code::SuicidePlay,
    Code::WrongColor,
    Code::SetupWithoutLiberties,
    Code::SetupInPlay,
];

fn push_limited(list: &mut Vec<Example>, example: Example) {
    if list.len() < MAX_EXAMPLES {
        list.push(example);
    }
}

impl Example {
    fn new(text: &GameText, turn: Option<u32>, note: String) -> Example {
        Example { file: text.file.to_owned(), game: Some(text.game), offset: text.offset, turn, note }
    }
}

impl Examples {
    /// Returns the examples of a code.
    pub fn for_code(&self, code: Code) -> &[Example] {
        self.by_code.get(code as usize).map_or(&[], Vec::as_slice)
    }

    /// Collects examples from the reported findings of a game.
    pub(super) fn add_game(&mut self, text: &GameText, report: &GameReport, reported: &[&Finding]) {
        self.by_code.resize(Code::TABLE.len(), Vec::new());
        let mut has_example = [false; Code::TABLE.len()];
        for finding in reported {
            if !std::mem::replace(&mut has_example[finding.code as usize], true) {
                let note = finding.detail.clone();
                // `jigo show` does not count the turns of variations.
                let turn = finding.place.turn.filter(|_| finding.variation.is_empty());
                push_limited(&mut self.by_code[finding.code as usize], Example::new(text, turn, note));
            }
        }
        self.add_boards(text, report, reported);
    }

    /// Draws the first finding of each code.
    fn add_boards(&mut self, text: &GameText, report: &GameReport, reported: &[&Finding]) {
        let mut reading = None;
        for finding in reported {
            let is_short = finding.repetition.as_ref().is_none_or(|repeated| repeated.cycle <= MAX_CYCLE);
            let is_drawn = DRAWN_CODES.contains(&finding.code) && finding.variation.is_empty() && is_short;
            let (Some(turn), true, false) = (finding.place.turn, is_drawn, self.has_board(finding.code)) else {
                continue;
            };
            let reading = reading.get_or_insert_with(|| Reading::from_text(text));
            let diagrams = GameDiagrams::new(&reading.record, ReplayOptions::default());
            let (boards, legend) = draw(&diagrams, finding, turn);
            self.boards.push(BoardExample {
                example: Example::new(text, Some(turn), finding.detail.clone()),
                code: finding.code,
                severity: finding.severity,
                players: players(report),
                boards,
                legend,
            });
        }
    }

    fn has_board(&self, code: Code) -> bool {
        self.boards.iter().any(|board| board.code == code)
    }

    /// Collects a finding outside games.
    pub(super) fn add_outside_finding(&mut self, file: &str, offset: u64, finding: &Finding) {
        self.by_code.resize(Code::TABLE.len(), Vec::new());
        let (file, note) = (file.to_owned(), finding.detail.clone());
        push_limited(&mut self.by_code[finding.code as usize], Example { file, game: None, offset, turn: None, note });
    }

    /// Collects a game whose recorded result contradicts the count.
    pub(super) fn add_contradicted(&mut self, text: &GameText, report: &GameReport, audit: &Audit) {
        let (Verdict::Contradicted, Some(counted_result)) = (audit.verdict, audit.counted) else { return };
        let game = ContradictedResult {
            contradicts_winner: audit.contradicts_winner,
            example: Example::new(text, None, String::new()),
            stated: audit.recorded.clone(),
            counted: counted_result,
            difference: audit.difference,
            ruleset: audit.ruleset.clone(),
            cause: audit.causes.first().map_or(String::new(), |cause| cause.to_string()),
            confidence: audit.confidence.map(|confidence| (confidence * 1000.0).round() as u32),
            players: players(report),
            board: None,
        };
        let has_board = self.contradicted_index(&game) < MAX_CONTRADICTED_BOARDS;
        let board = if has_board { disputed_board(text, report, audit) } else { None };
        self.insert_contradicted(ContradictedResult { board, ..game });
    }

    /// Returns the place of a game in the list of contradicted results.
    fn contradicted_index(&self, game: &ContradictedResult) -> usize {
        self.contradicted.partition_point(|other| other.sort_key() >= game.sort_key())
    }

    fn insert_contradicted(&mut self, game: ContradictedResult) {
        let index = self.contradicted_index(&game);
        self.contradicted.insert(index, game);
        self.contradicted.truncate(MAX_CONTRADICTED);
        if let Some(game) = self.contradicted.get_mut(MAX_CONTRADICTED_BOARDS) {
            game.board = None;
        }
    }

    /// Collects a game whose winner depends on the ruleset.
    pub(super) fn add_winner_change(&mut self, text: &GameText, comparison: &RulesetComparison) {
        let [first_ruleset, second_ruleset] = comparison.rulesets;
        let margins = comparison.scores.map(|scores| scores.map(|score| score.black_minus_white()));
        let Some([first, second]) = margins else { return };
        let note = format!(
            "{} {}, {} {}",
            first_ruleset.name,
            format_margin(first),
            second_ruleset.name,
            format_margin(second)
        );
        push_limited(&mut self.winner_changes, Example::new(text, None, note));
    }

    /// Adds the examples of the following part.
    pub(super) fn add(&mut self, other: Examples) {
        self.by_code.resize(Code::TABLE.len(), Vec::new());
        for (list, more) in self.by_code.iter_mut().zip(other.by_code) {
            more.into_iter().for_each(|example| push_limited(list, example));
        }
        for board in other.boards {
            if !self.has_board(board.code) {
                self.boards.push(board);
            }
        }
        other.contradicted.into_iter().for_each(|game| self.insert_contradicted(game));
        other.winner_changes.into_iter().for_each(|example| push_limited(&mut self.winner_changes, example));
    }

    /// Returns the diagrams, the worst severity first, then by code.
    pub fn worst_boards(&self) -> Vec<&BoardExample> {
        let mut boards: Vec<&BoardExample> = self.boards.iter().collect();
        boards.sort_by_key(|board| (std::cmp::Reverse(board.severity), board.code));
        boards
    }
}

/// Returns the names of the players of a game.
fn players(report: &GameReport) -> String {
    let name = |name: &str, default: &str| (if name.is_empty() { default } else { name }).to_owned();
    format!("{} – {}", name(&report.header.black, "Black"), name(&report.header.white, "White"))
}

/// Draws the final position of a game with its dead stones and territory, and rings on the groups
/// that the likeliest cause names.
fn disputed_board(text: &GameText, report: &GameReport, audit: &Audit) -> Option<Picture> {
    let counted_ending = report.ending.as_ref()?.as_ref().ok()?;
    let reading = Reading::from_text(text);
    let diagrams = GameDiagrams::new(&reading.record, ReplayOptions::default());
    let position = diagrams.moment_after(diagrams.turns(), LaterSetup::Included).position;
    let mut picture = ending(&position, counted_ending);
    for name in audit.causes.first().map_or(&[][..], Cause::stones) {
        let stone = Point::from_a1(name, position.size()).filter(|stone| position.stone(*stone).is_some());
        let chain = stone.into_iter().flat_map(|stone| position.chain(stone));
        chain.for_each(|point| picture.mark(point, Mark::Finding));
    }
    Some(picture)
}

/// Draws the board before and after a turn, or the repeated position and the cycle that leads back
/// to it.
fn draw(diagrams: &GameDiagrams, finding: &Finding, turn: u32) -> (Vec<(String, Picture)>, String) {
    if let Some(repetition) = &finding.repetition {
        let mut earlier = diagrams.picture_after(repetition.turn, LaterSetup::Omitted, &[]);
        let mut cycle = diagrams.cycle(repetition.turn, turn);
        let shown_points = diagrams.points(repetition.turn, turn);
        earlier.crop(&shown_points, MARGIN_LINES);
        cycle.picture.crop(&shown_points, MARGIN_LINES);
        let legend = cycle.legend();
        let cycle_length = turn - repetition.turn;
        let first_caption = match repetition.turn {
            0 => "the initial position".to_owned(),
            earlier => format!("after turn {earlier}"),
        };
        let second_caption =
            format!("the same after turn {turn}: turns {} to {turn} as 1 to {cycle_length}", repetition.turn + 1);
        return (vec![(first_caption, earlier), (second_caption, cycle.picture)], legend);
    }
    let is_setup = finding.code == Code::SetupInPlay;
    let later_setup = if is_setup { LaterSetup::Included } else { LaterSetup::Omitted };
    let mut after = diagrams.picture_after(turn, later_setup, &[finding]);
    let shown_points: Vec<_> =
        finding.place.point.into_iter().filter(|point| diagrams.size().contains(*point)).collect();
    after.crop(&shown_points, MARGIN_LINES);
    let Some(before) = turn.checked_sub(1).filter(|_| finding.code != Code::SetupInPlay) else {
        let caption = if turn == 0 { "before the first turn".into() } else { format!("set up after turn {turn}") };
        return (vec![(caption, after)], String::new());
    };
    let mut earlier = diagrams.picture_after(before, LaterSetup::Included, &[]);
    if let Some(point) = finding.place.point {
        earlier.mark(point, Mark::Finding);
    }
    earlier.crop(&shown_points, MARGIN_LINES);
    (vec![(format!("before turn {turn}"), earlier), (format!("after turn {turn}"), after)], String::new())
}
