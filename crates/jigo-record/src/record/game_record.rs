//! Game records: the content of their texts before any replay.

use jigo_rules::board::{Color, MarkedTerritory, Point};

use crate::header::Header;

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

    /// Returns the players and the places of the turns.
    pub fn turns(&self) -> impl DoubleEndedIterator<Item = (Color, Coordinates)> {
        self.steps.iter().filter_map(Step::turn)
    }

    /// Returns the setup with this index.
    pub fn setup(&self, index: u32) -> &Setup {
        &self.setups[index as usize]
    }

    /// Adds a setup as the last step. `offset` is that of its node's `;`.
    pub fn push_setup(&mut self, offset: u32, setup: Setup) {
        self.steps.push(Step { offset, kind: StepKind::Setup(self.setups.len() as u32) });
        self.setups.push(setup);
    }
}

/// One step of the main line. Collections have millions of steps, so a step is small, and rare data
/// is in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The offset of its node's `;` from the start of the game.
    pub offset: u32,
    /// The kind of step.
    pub kind: StepKind,
}

impl Step {
    /// Returns the player and the place of a turn. Returns `None` for setup.
    pub fn turn(&self) -> Option<(Color, Coordinates)> {
        match self.kind {
            StepKind::Turn(color, coordinates) => Some((color, coordinates)),
            StepKind::Setup(_) => None,
        }
    }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
