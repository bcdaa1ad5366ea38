//! Games to look at: a few for each kind of finding, with their boards.

use serde::{Deserialize, Serialize};

use jigo_core::album::Album;
use jigo_core::analyze::GameReport;
use jigo_core::analyze::comparison::RulesetComparison;
use jigo_core::audit::{Audit, Verdict};
use jigo_core::board::Picture;
use jigo_core::finding::{Code, Finding, Severity};
use jigo_core::record::Reading;
use jigo_core::record::margin_text;
use jigo_core::replay::ReplayOptions;
use jigo_core::rules::HalfPoints;
use jigo_core::sgf::GameText;

/// Examples kept of each code and of changed winners.
const KEPT: usize = 6;
/// Contradicted results that are kept.
const KEPT_CONTRADICTED: usize = 100;
/// Lines of the board that are drawn around a finding.
const MARGIN: u8 = 5;
/// Longest cycle that is drawn.
const LONGEST_CYCLE: usize = 40;

/// A game to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// Its file.
    pub file: String,
    /// Its number in the file, from 1; `None` for a finding outside games.
    pub game: Option<u64>,
    /// Byte of its `(`, or of the text outside games.
    pub offset: u64,
    /// The turn to look at.
    pub turn: Option<u32>,
    /// What there is to see.
    pub note: String,
}

/// A game whose stated result the count contradicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contradicted {
    /// Whether every count has another winner.
    pub is_winner_other: bool,
    /// The game.
    pub example: Example,
    /// The result as stated.
    pub stated: String,
    /// The final margin that was counted, Black minus White.
    pub counted: HalfPoints,
    /// The stated margin less the counted one; `None` where none is stated.
    pub difference: Option<HalfPoints>,
    /// What was counted under; empty where nobody knows.
    pub ruleset: String,
    /// What explains the difference best.
    pub cause: String,
    /// How sure the count is, in thousandths; `None` where nothing is in doubt.
    pub confidence: Option<u32>,
}

impl Contradicted {
    /// Another winner first, then the widest difference.
    fn badness(&self) -> (bool, i32) {
        (self.is_winner_other, self.difference.map_or(0, |difference| difference.0.abs()))
    }
}

/// A finding drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardExample {
    /// Where it is.
    pub example: Example,
    /// What it is.
    pub code: Code,
    /// How bad it is here.
    pub severity: Severity,
    /// Who plays whom.
    pub players: String,
    /// Two boards with their captions.
    pub boards: Vec<(String, Picture)>,
    /// Plays that the numbers do not show.
    pub legend: String,
}

/// Games to look at, by what for; the first ones of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Examples {
    /// By code in the table's order.
    by_code: Vec<Vec<Example>>,
    /// Boards of findings, in the order of the run.
    pub boards: Vec<BoardExample>,
    /// Games whose stated result the count contradicts, the worst first.
    pub contradicted: Vec<Contradicted>,
    /// Games whose winner depends on the ruleset.
    pub winner_changes: Vec<Example>,
}

/// Codes that are worth a board.
const DRAWN: [Code; 9] = [
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

fn keep(list: &mut Vec<Example>, example: Example) {
    if list.len() < KEPT {
        list.push(example);
    }
}

impl Example {
    fn of(text: &GameText, turn: Option<u32>, note: String) -> Example {
        Example { file: text.file.to_owned(), game: Some(text.game), offset: text.offset, turn, note }
    }
}

impl Examples {
    /// The examples of a code.
    pub fn of(&self, code: Code) -> &[Example] {
        self.by_code.get(code as usize).map_or(&[], Vec::as_slice)
    }

    /// Looks through the reported findings of a game.
    pub(super) fn game(&mut self, text: &GameText, report: &GameReport, reported: &[&Finding]) {
        self.by_code.resize(Code::TABLE.len(), Vec::new());
        let mut seen = [false; Code::TABLE.len()];
        for finding in reported {
            if !std::mem::replace(&mut seen[finding.code as usize], true) {
                let note = finding.detail.clone();
                // Turns of variations are not those that jigo show counts.
                let turn = finding.place.turn.filter(|_| finding.variation.is_empty());
                keep(&mut self.by_code[finding.code as usize], Example::of(text, turn, note));
            }
        }
        self.boards(text, report, reported);
    }

    /// Draws the first finding of each kind.
    fn boards(&mut self, text: &GameText, report: &GameReport, reported: &[&Finding]) {
        let mut reading = None;
        for finding in reported {
            let is_short = finding.repetition.as_ref().is_none_or(|repeated| repeated.cycle <= LONGEST_CYCLE);
            let is_drawn = DRAWN.contains(&finding.code) && finding.variation.is_empty() && is_short;
            let (Some(turn), true, false) = (finding.place.turn, is_drawn, self.has_board(finding.code)) else {
                continue;
            };
            let reading = reading.get_or_insert_with(|| Reading::of(text));
            let album = Album::new(&reading.record, ReplayOptions::default());
            let (boards, legend) = draw(&album, finding, turn);
            let header = &report.header;
            let name = |name: &str, otherwise: &str| (if name.is_empty() { otherwise } else { name }).to_owned();
            self.boards.push(BoardExample {
                example: Example::of(text, Some(turn), finding.detail.clone()),
                code: finding.code,
                severity: finding.severity,
                players: format!("{} – {}", name(&header.black, "Black"), name(&header.white, "White")),
                boards,
                legend,
            });
        }
    }

    fn has_board(&self, code: Code) -> bool {
        self.boards.iter().any(|board| board.code == code)
    }

    /// Keeps a finding outside games.
    pub(super) fn outside(&mut self, file: &str, offset: u64, finding: &Finding) {
        self.by_code.resize(Code::TABLE.len(), Vec::new());
        let (file, note) = (file.to_owned(), finding.detail.clone());
        keep(&mut self.by_code[finding.code as usize], Example { file, game: None, offset, turn: None, note });
    }

    /// Keeps a game whose stated result the count contradicts.
    pub(super) fn contradicted(&mut self, text: &GameText, audit: &Audit) {
        let (Verdict::Contradicted, Some(counted)) = (audit.verdict, audit.counted) else { return };
        self.keep_contradicted(Contradicted {
            is_winner_other: audit.is_winner_other,
            example: Example::of(text, None, String::new()),
            stated: audit.stated.clone(),
            counted,
            difference: audit.difference,
            ruleset: audit.ruleset.clone(),
            cause: audit.causes.first().map_or(String::new(), |cause| cause.to_string()),
            confidence: audit.confidence.map(|confidence| (confidence * 1000.0).round() as u32),
        });
    }

    fn keep_contradicted(&mut self, game: Contradicted) {
        let place = self.contradicted.partition_point(|other| other.badness() >= game.badness());
        self.contradicted.insert(place, game);
        self.contradicted.truncate(KEPT_CONTRADICTED);
    }

    /// Keeps a game whose winner depends on the ruleset.
    pub(super) fn winner_changes(&mut self, text: &GameText, comparison: &RulesetComparison) {
        let [one, other] = comparison.rulesets;
        let margins = comparison.scores.map(|scores| scores.map(|score| score.black_minus_white()));
        let Some([first, second]) = margins else { return };
        let note = format!("{} {}, {} {}", one.name, margin_text(first), other.name, margin_text(second));
        keep(&mut self.winner_changes, Example::of(text, None, note));
    }

    /// Adds the part that follows.
    pub(super) fn add(&mut self, other: Examples) {
        self.by_code.resize(Code::TABLE.len(), Vec::new());
        for (list, more) in self.by_code.iter_mut().zip(other.by_code) {
            more.into_iter().for_each(|example| keep(list, example));
        }
        for board in other.boards {
            if !self.has_board(board.code) {
                self.boards.push(board);
            }
        }
        other.contradicted.into_iter().for_each(|game| self.keep_contradicted(game));
        other.winner_changes.into_iter().for_each(|example| keep(&mut self.winner_changes, example));
    }

    /// The boards, the worst findings first, then by code and in the order of the run.
    pub fn worst_boards(&self) -> Vec<&BoardExample> {
        let mut boards: Vec<&BoardExample> = self.boards.iter().collect();
        boards.sort_by_key(|board| (std::cmp::Reverse(board.severity), board.code));
        boards
    }
}

/// The board before and after a turn, or the repeated position and the cycle that leads back to it.
fn draw(album: &Album, finding: &Finding, turn: u32) -> (Vec<(String, Picture)>, String) {
    if let Some(repeated) = &finding.repetition {
        let mut earlier = album.picture_after(repeated.turn, false, &[]);
        let mut cycle = album.cycle(repeated.turn, turn);
        let around = album.points(repeated.turn, turn);
        earlier.crop(&around, MARGIN);
        cycle.picture.crop(&around, MARGIN);
        let legend = cycle.legend();
        let numbers = turn - repeated.turn;
        let first = match repeated.turn {
            0 => "the initial position".to_owned(),
            earlier => format!("after turn {earlier}"),
        };
        let second = format!("the same after turn {turn}: turns {} to {turn} as 1 to {numbers}", repeated.turn + 1);
        return (vec![(first, earlier), (second, cycle.picture)], legend);
    }
    let mut after = album.picture_after(turn, finding.code == Code::SetupInPlay, &[finding]);
    let around: Vec<_> = finding.place.point.into_iter().filter(|point| album.size().contains(*point)).collect();
    after.crop(&around, MARGIN);
    let Some(before) = turn.checked_sub(1).filter(|_| finding.code != Code::SetupInPlay) else {
        let caption = if turn == 0 { "before the first turn".into() } else { format!("set up after turn {turn}") };
        return (vec![(caption, after)], String::new());
    };
    let mut earlier = album.picture_after(before, true, &[]);
    if let Some(point) = finding.place.point {
        earlier.mark(point, jigo_core::board::picture::Mark::Finding);
    }
    earlier.crop(&around, MARGIN);
    (vec![(format!("before turn {turn}"), earlier), (format!("after turn {turn}"), after)], String::new())
}
