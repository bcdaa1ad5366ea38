//! Example games: a few for each code, with board diagrams.

use serde::{Deserialize, Serialize};

use super::contradicted::ContradictedResults;
use super::example::Example;
use crate::partial_result::PartialResult;
use jigo_core::analysis::GameReport;
use jigo_core::analysis::comparison::RulesetComparison;
use jigo_core::diagrams::{GameDiagrams, LaterSetup};
use jigo_core::replay::ReplayOptions;
use jigo_record::Reading;
use jigo_record::finding::{Code, CodeSet, Finding, Severity};
use jigo_record::splitter::GameText;
use jigo_rules::board::{Mark, Picture};
use jigo_rules::format_margin;

/// The maximum number of examples per code, and of changed winners.
const MAX_EXAMPLES: usize = 6;
/// The number of lines around a finding that a diagram shows.
const MARGIN_LINES: u8 = 5;
/// The maximum length of a cycle in a diagram.
const MAX_CYCLE: usize = 40;

/// A diagram of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardExample {
    /// The game and turn.
    pub example: Example,
    /// The code.
    pub code: Code,
    /// The severity of this finding.
    pub severity: Severity,
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
    /// Games whose recorded result contradicts the count.
    pub contradicted: ContradictedResults,
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

impl Examples {
    /// Returns the examples of a code.
    pub fn for_code(&self, code: Code) -> &[Example] {
        self.by_code.get(code as usize).map_or(&[], Vec::as_slice)
    }

    /// Collects examples from the reported findings of a game.
    pub(super) fn add_game(&mut self, text: &GameText, report: &GameReport, reported: &[&Finding]) {
        self.by_code.resize(Code::TABLE.len(), Vec::new());
        let mut has_example = CodeSet::default();
        for finding in reported {
            if has_example.insert(finding.code) {
                let note = finding.detail.clone();
                let example = Example::new(text, report, finding.place.turn, note);
                let variation = finding.variation.clone();
                push_limited(&mut self.by_code[finding.code as usize], Example { variation, ..example });
            }
        }
        self.add_boards(text, report, reported);
    }

    /// Draws the first finding of each code.
    fn add_boards(&mut self, text: &GameText, report: &GameReport, reported: &[&Finding]) {
        let mut reading = None;
        for finding in reported {
            let is_short = finding.repetition.as_ref().is_none_or(|repeated| repeated.cycle.length <= MAX_CYCLE);
            let is_drawn = DRAWN_CODES.contains(&finding.code) && finding.variation.is_empty() && is_short;
            let (Some(turn), true, false) = (finding.place.turn, is_drawn, self.has_board(finding.code)) else {
                continue;
            };
            let reading = reading.get_or_insert_with(|| Reading::from_text(text));
            let diagrams = GameDiagrams::new(&reading.record, ReplayOptions::default());
            let (boards, legend) = draw(&diagrams, finding, turn);
            self.boards.push(BoardExample {
                example: Example::new(text, report, Some(turn), finding.detail.clone()),
                code: finding.code,
                severity: finding.severity,
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
        let example = Example { file, offset, note, ..Example::default() };
        push_limited(&mut self.by_code[finding.code as usize], example);
    }

    /// Collects a game whose winner depends on the ruleset.
    pub(super) fn add_winner_change(&mut self, text: &GameText, report: &GameReport, comparison: &RulesetComparison) {
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
        push_limited(&mut self.winner_changes, Example::new(text, report, None, note));
    }

    /// Returns each example alone, with its game. A report that is merged from others adds them in
    /// the order of their games.
    pub fn into_single(self) -> Vec<(Example, Examples)> {
        let alone = |place: &Example, fill: &dyn Fn(&mut Examples)| {
            let mut examples = Examples { by_code: vec![Vec::new(); Code::TABLE.len()], ..Examples::default() };
            fill(&mut examples);
            (place.clone(), examples)
        };
        let mut all = Vec::new();
        for (code, list) in self.by_code.iter().enumerate().take(Code::TABLE.len()) {
            all.extend(list.iter().map(|one| alone(one, &|examples| examples.by_code[code].push(one.clone()))));
        }
        all.extend(self.boards.iter().map(|one| alone(&one.example, &|examples| examples.boards.push(one.clone()))));
        let contradicted = self.contradicted.games().iter();
        all.extend(contradicted.map(|one| alone(&one.example, &|examples| examples.contradicted.insert(one.clone()))));
        all.extend(
            self.winner_changes.iter().map(|one| alone(one, &|examples| examples.winner_changes.push(one.clone()))),
        );
        all
    }

    /// Returns the diagrams, the worst severity first, then by code.
    pub fn worst_boards(&self) -> Vec<&BoardExample> {
        let mut boards: Vec<&BoardExample> = self.boards.iter().collect();
        boards.sort_by_key(|board| (std::cmp::Reverse(board.severity), board.code));
        boards
    }
}

impl PartialResult for Examples {
    fn add_part(&mut self, next: Examples) {
        self.by_code.resize(Code::TABLE.len(), Vec::new());
        for (list, more) in self.by_code.iter_mut().zip(next.by_code) {
            more.into_iter().for_each(|example| push_limited(list, example));
        }
        for board in next.boards {
            if !self.has_board(board.code) {
                self.boards.push(board);
            }
        }
        self.contradicted.add_part(next.contradicted);
        next.winner_changes.into_iter().for_each(|example| push_limited(&mut self.winner_changes, example));
    }
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
