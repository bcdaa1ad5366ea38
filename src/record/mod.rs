//! A game record: what its text says, before anybody replays it.

pub mod bare;
mod coordinates;
pub mod dialect;
mod header;
pub mod komi;
pub mod nodes;
pub mod property;
pub mod read;
pub mod result;
mod result_words;
pub mod variations;

pub use dialect::{Dialect, DialectChoice};
pub use read::{Reading, Unreadable};
pub use result::{Oddity, ResultKind, StatedResult};

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
    /// TB and TW of the last node, if it has any.
    pub territory: Option<MarkedTerritory>,
}

/// One step of the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Byte of its node's `;`, from the start of the game.
    pub at: usize,
    /// What happens.
    pub what: StepKind,
}

/// Setup or a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A B or W property.
    Turn(Color, Coordinates),
    /// The AB, AW, AE and PL properties of one node.
    Setup(Box<Setup>),
}

/// The value of a B or W property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// A point of the board.
    Play(Point),
    /// A pass: empty, or `tt` on boards up to 19x19.
    Pass,
    /// A point outside the board.
    OffBoard(Point),
    /// No point at all.
    Unreadable(Box<str>),
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
    /// TB, sorted.
    pub black: Vec<Point>,
    /// TW, sorted.
    pub white: Vec<Point>,
}
