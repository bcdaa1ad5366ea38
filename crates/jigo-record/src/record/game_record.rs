//! Game records: the content of their texts before any replay.

use jigo_rules::HalfPoints;
use jigo_rules::board::{BoardSize, Color, MarkedTerritory, Point};

use crate::{Date, Dialect, Precision, StatedResult};

/// The root properties of a game. Values without a use in calculations remain texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The dialect of the record, if known.
    pub dialect: Option<&'static Dialect>,
    /// SZ; 19x19 if missing.
    pub size: BoardSize,
    /// KM, if present and readable.
    pub komi: Option<HalfPoints>,
    /// True if KM is in zi or hundredths, as in Chinese records and on Chinese servers.
    pub komi_is_chinese: bool,
    /// HA, if present and readable.
    pub handicap: Option<u32>,
    /// RU as written; empty if missing, like all texts here.
    pub rules: String,
    /// RE as written.
    pub result_text: String,
    /// RE as parsed.
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
    /// Returns the first date in DT and its precision.
    pub fn first_date(&self) -> Option<(Date, Precision)> {
        Date::read(&self.date)
    }

    /// Returns the year of that date.
    pub fn year(&self) -> Option<u16> {
        self.first_date().map(|(date, _)| date.year)
    }

    /// Returns true if the record has no komi, or a 0 from a server that writes 0 for an unrecorded
    /// komi.
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

/// The main line of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// The root properties.
    pub header: Header,
    /// The setup and turns of the main line, in order.
    pub steps: Vec<Step>,
    /// The setups that the steps refer to.
    pub setups: Vec<Setup>,
    /// The values of turns that are [`Coordinates::Unreadable`], at most 40 characters each.
    pub unreadable: Vec<Box<str>>,
    /// TB and TW of the last node, if present.
    pub territory: Option<MarkedTerritory>,
}

impl GameRecord {
    /// Empties the record and keeps its memory.
    pub fn clear(&mut self) {
        self.header.clear();
        self.steps.clear();
        self.setups.clear();
        self.unreadable.clear();
        self.territory = None;
    }

    /// Returns the setup with this index.
    pub fn setup(&self, index: u32) -> &Setup {
        &self.setups[index as usize]
    }

    /// Adds a setup as the last step.
    pub fn push_setup(&mut self, at: u32, setup: Setup) {
        self.steps.push(Step { at, what: StepKind::Setup(self.setups.len() as u32) });
        self.setups.push(setup);
    }
}

/// One step of the main line. Collections have millions of steps, so a step is small, and rare data
/// is in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The offset of its node's `;` from the start of the game.
    pub at: u32,
    /// The kind of step.
    pub what: StepKind,
}

/// Setup or a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A B or W property.
    Turn(Color, Coordinates),
    /// The AB, AW, AE and PL properties of one node, as an index into [`GameRecord::setups`].
    Setup(u32),
}

/// The value of a B or W property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// A point of the board.
    Play(Point),
    /// A pass: empty, or `tt` on boards up to 19x19.
    Pass,
    /// A point off the board.
    OffBoard(Point),
    /// Another text, as an index into [`GameRecord::unreadable`].
    Unreadable(u32),
}

/// The setup of one node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Points with their new content, sorted, each once. Points off the board are included.
    pub stones: Vec<(Point, Option<Color>)>,
    /// PL.
    pub to_play: Option<Color>,
}
