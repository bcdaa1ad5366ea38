//! Games to look at: a few for each kind of finding, with their boards.

use serde::{Deserialize, Serialize};

use jigo_core::album::Album;
use jigo_core::analyze::GameReport;
use jigo_core::analyze::comparison::Comparison;
use jigo_core::audit::{Audit, Verdict};
use jigo_core::board::Picture;
use jigo_core::finding::{Code, Finding, Severity};
use jigo_core::record::Reading;
use jigo_core::record::margin_text;
use jigo_core::replay::ReplayOptions;
use jigo_core::rules::HalfPoints;
use jigo_core::sgf::GameText;

/// Examples kept of each code, of contradicted results and of changed winners.
const KEPT: usize = 6;
/// Boards kept of each code and length of cycle.
const BOARDS_OF_A_KIND: usize = 1;
/// Kinds of boards kept of each code.
const KINDS_OF_A_CODE: usize = 3;
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
    /// How far the stated margin is from the count; 0 where none is stated.
    pub off_by: HalfPoints,
    /// The game, with what is stated and what was counted.
    pub example: Example,
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
    /// Turns of the repeated cycle; `None` where no position is repeated.
    pub cycle: Option<usize>,
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
                keep(&mut self.by_code[finding.code as usize], Example::of(text, finding.place.turn, note));
            }
        }
        self.boards(text, report, reported);
    }

    /// Draws the findings that are of a new kind.
    fn boards(&mut self, text: &GameText, report: &GameReport, reported: &[&Finding]) {
        let mut reading = None;
        for finding in reported {
            let cycle = finding.repetition.as_ref().map(|repeated| repeated.cycle);
            let is_drawn = DRAWN.contains(&finding.code) && finding.variation.is_empty();
            let (Some(turn), true, true) = (finding.place.turn, is_drawn, self.is_new(finding.code, cycle)) else {
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
                cycle,
                boards,
                legend,
            });
        }
    }

    fn is_new(&self, code: Code, cycle: Option<usize>) -> bool {
        let of_code = || self.boards.iter().filter(|board| board.code == code);
        let of_kind = of_code().filter(|board| board.cycle == cycle).count();
        let mut kinds: Vec<Option<usize>> = of_code().map(|board| board.cycle).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let is_short = cycle.is_none_or(|length| length <= LONGEST_CYCLE);
        is_short && of_kind < BOARDS_OF_A_KIND && (kinds.contains(&cycle) || kinds.len() < KINDS_OF_A_CODE)
    }

    /// Keeps a finding outside games.
    pub(super) fn outside(&mut self, file: &str, offset: u64, finding: &Finding) {
        self.by_code.resize(Code::TABLE.len(), Vec::new());
        let (file, note) = (file.to_owned(), finding.detail.clone());
        keep(&mut self.by_code[finding.code as usize], Example { file, game: None, offset, turn: None, note });
    }

    /// Keeps a game whose stated result the count contradicts.
    pub(super) fn contradicted(&mut self, text: &GameText, report: &GameReport, audit: &Audit) {
        let (Verdict::Contradicted, Some(counted)) = (audit.verdict, audit.counted) else { return };
        let stated = report.header.result.black_minus_white;
        let cause = audit.causes.first().map_or(String::new(), |cause| format!("; cause: {cause}"));
        let ruleset = if audit.ruleset.is_empty() { String::new() } else { format!(" by {}", audit.ruleset) };
        let note = format!("stated {}; counted {}{ruleset}{cause}", report.header.result_text, margin_text(counted));
        self.keep_contradicted(Contradicted {
            is_winner_other: audit.is_winner_other,
            off_by: HalfPoints(stated.map_or(0, |stated| (stated - counted).0.abs())),
            example: Example::of(text, None, note),
        });
    }

    fn keep_contradicted(&mut self, game: Contradicted) {
        let badness = |game: &Contradicted| (game.is_winner_other, game.off_by);
        let place = self.contradicted.partition_point(|other| badness(other) >= badness(&game));
        self.contradicted.insert(place, game);
        self.contradicted.truncate(KEPT);
    }

    /// Keeps a game whose winner depends on the ruleset.
    pub(super) fn winner_changes(&mut self, text: &GameText, comparison: &Comparison) {
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
            if self.is_new(board.code, board.cycle) {
                self.boards.push(board);
            }
        }
        other.contradicted.into_iter().for_each(|game| self.keep_contradicted(game));
        other.winner_changes.into_iter().for_each(|example| keep(&mut self.winner_changes, example));
    }

    /// The boards, the worst findings first, then by code and in the order of the run.
    pub fn worst_boards(&self) -> Vec<&BoardExample> {
        let mut boards: Vec<&BoardExample> = self.boards.iter().collect();
        boards.sort_by_key(|board| (std::cmp::Reverse(board.severity), board.code, board.cycle));
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
