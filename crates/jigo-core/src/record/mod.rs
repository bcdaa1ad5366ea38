//! A game record: what its text says, before anybody replays it.

mod amount;
pub mod bare;
pub(crate) mod clock;
mod coordinates;
pub(crate) mod date;
pub mod dialect;
mod header;
pub mod kinds;
pub mod komi;
mod lists;
pub mod nodes;
pub(crate) mod practice;
pub(crate) mod property;
pub(crate) mod rank;
pub(crate) mod read;
pub(crate) mod result;
mod result_words;
mod rewrite;
mod root;
pub(crate) mod root_property;
pub mod stray_text;
pub mod variations;

pub(crate) use coordinates::in_small_letters;
pub use date::{Date, Precision};
pub use dialect::{Dialect, DialectChoice};
pub use header::size_text;
pub use practice::Practice;
pub use rank::Rank;
pub use read::{Reading, Unreadable};
pub use result::{ResultKind, ResultOddity, StatedResult, has_remark, margin_text};

use crate::board::{BoardSize, Color, Point};
use crate::rules::HalfPoints;

/// What the root says of the game, as text where nothing is calculated from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What it is written in, where that is known.
    pub dialect: Option<&'static Dialect>,
    /// SZ; 19x19 where it is missing.
    pub size: BoardSize,
    /// KM, where it is there and readable.
    pub komi: Option<HalfPoints>,
    /// KM is written in zi or hundredths, as Chinese records and servers do.
    pub komi_is_chinese: bool,
    /// HA, where it is there and readable.
    pub handicap: Option<u32>,
    /// RU as written; empty where it is missing, like all texts here.
    pub rules: String,
    /// RE as written.
    pub result_text: String,
    /// RE as understood.
    pub result: StatedResult,
    /// PB.
    pub black: String,
    /// PW.
    pub white: String,
    /// BR.
    pub black_rank: String,
    /// WR.
    pub white_rank: String,
    /// EV.
    pub event: String,
    /// DT.
    pub date: String,
    /// PC.
    pub place: String,
    /// AP.
    pub application: String,
    /// SO.
    pub source: String,
}

impl Header {
    /// The first date that DT names, as far as it goes, and how much of it is said.
    pub fn first_date(&self) -> Option<(Date, Precision)> {
        Date::read(&self.date)
    }

    /// The year of that date.
    pub fn year(&self) -> Option<u16> {
        self.first_date().map(|(date, _)| date.year)
    }

    /// Whether the record says nothing of komi, or is of a server that writes 0 where it did not record it.
    pub fn is_komi_unrecorded(&self) -> bool {
        let writes_zero = self.dialect.is_some_and(|dialect| dialect.unrecorded_komi);
        self.komi.is_none_or(|komi| writes_zero && komi == HalfPoints::ZERO)
    }
}

impl Default for Header {
    fn default() -> Header {
        Header {
            dialect: None,
            size: BoardSize::standard(),
            komi: None,
            komi_is_chinese: false,
            handicap: None,
            rules: String::new(),
            result_text: String::new(),
            result: StatedResult::missing(),
            black: String::new(),
            white: String::new(),
            black_rank: String::new(),
            white_rank: String::new(),
            event: String::new(),
            date: String::new(),
            place: String::new(),
            application: String::new(),
            source: String::new(),
        }
    }
}

/// A game as its main line tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// The root's properties.
    pub header: Header,
    /// Setup and turns of the main line in order.
    pub steps: Vec<Step>,
    /// The setups that steps name.
    pub setups: Vec<Setup>,
    /// The values, no longer than 40 characters, of turns that are [`Coordinates::Unreadable`].
    pub unreadable: Vec<Box<str>>,
    /// TB and TW of the last node, if it has any.
    pub territory: Option<MarkedTerritory>,
}

impl GameRecord {
    /// Makes this the record that says nothing, in the memory of the one that it was.
    pub fn clear(&mut self) {
        self.header.clear();
        self.steps.clear();
        self.setups.clear();
        self.unreadable.clear();
        self.territory = None;
    }

    /// The setup that a step names.
    pub fn setup(&self, index: u32) -> &Setup {
        &self.setups[index as usize]
    }

    /// Adds a setup as the last step.
    pub fn push_setup(&mut self, at: u32, setup: Setup) {
        self.steps.push(Step { at, what: StepKind::Setup(self.setups.len() as u32) });
        self.setups.push(setup);
    }
}

/// One step of the main line. A collection has millions of them, so they are small and what is rare stands in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Byte of its node's `;`, from the start of the game.
    pub at: u32,
    /// What happens.
    pub what: StepKind,
}

/// Setup or a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A B or W property.
    Turn(Color, Coordinates),
    /// The AB, AW, AE and PL properties of one node, by their place in [`GameRecord::setups`].
    Setup(u32),
}

/// The value of a B or W property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// A point of the board.
    Play(Point),
    /// A pass: empty, or `tt` on boards up to 19x19.
    Pass,
    /// A point outside the board.
    OffBoard(Point),
    /// No point at all: the place of its text in [`GameRecord::unreadable`].
    Unreadable(u32),
}

/// The setup of one node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Points with what is put on them, sorted, each once; points outside the board among them.
    pub stones: Vec<(Point, Option<Color>)>,
    /// PL.
    pub to_play: Option<Color>,
}

/// Points marked as territory or area at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkedTerritory {
    /// jigo counted it and wrote it down: it says nothing of what the players agreed on.
    pub is_counted: bool,
    /// TB, sorted.
    pub black: Vec<Point>,
    /// TW, sorted.
    pub white: Vec<Point>,
}

impl MarkedTerritory {
    /// Whether a point of a board is marked: empty marks, and those beside the board, say nothing.
    pub fn is_on(&self, size: BoardSize) -> bool {
        self.black.iter().chain(&self.white).any(|point| size.contains(*point))
    }
}
