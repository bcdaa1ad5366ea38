//! What is wrong, or worth knowing, about an input or a game.

pub mod code;

pub use code::{Code, FoundBy, MendKind, Mending, Severity};

use jigo_rules::board::{Color, Point};

/// One finding, not yet bound to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub code: Code,
    /// How bad it is here; a repetition is an error only where the rules forbid it.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// Names of the rulesets that the verdict was given under, joined with `;`; empty when no rules are involved.
    pub rules: String,
    /// The earlier position that came back.
    pub repetition: Option<RepeatedPosition>,
    /// What a reader needs to know beyond the code.
    pub detail: String,
    /// The way to its variation: which child, from 1, at every node with more than one; empty on the main line.
    pub variation: String,
}

/// Where in a game a finding is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Bytes from the start of the game, or of the input for a finding outside games.
    pub at: usize,
    /// The turn, B and W properties counted from 1; 0 is the setup. `None` outside the play.
    pub turn: Option<u32>,
    /// Whose turn or stone.
    pub color: Option<Color>,
    /// Which point.
    pub point: Option<Point>,
}

/// The earlier position that a play brought back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedPosition {
    /// The turn after which it stood before; 0 is the initial position.
    pub turn: u32,
    /// Turns in the cycle.
    pub cycle: usize,
    /// The repetition rules that forbid the play, joined with `;`.
    pub forbidden_by: String,
}

impl Finding {
    /// A finding of the code's own severity. A detail quotes what strangers wrote: control characters in it, which could steer a terminal,
    /// are shown as `·`.
    pub fn new(code: Code, place: Place, detail: impl Into<String>) -> Finding {
        let mut detail: String = detail.into();
        if detail.contains(char::is_control) {
            detail = detail.replace(char::is_control, "·");
        }
        Finding {
            code,
            severity: code.severity(),
            place,
            rules: String::new(),
            repetition: None,
            detail,
            variation: String::new(),
        }
    }
}

impl Place {
    /// A byte of the game or input, outside the play.
    pub fn byte(at: usize) -> Place {
        Place { at, ..Place::default() }
    }
}
