//! Findings: flaws and noteworthy facts of an input or a game.

pub mod code;

pub use code::{Code, CodeSet, FixDescription, FixSafety, FoundBy, Severity};

use std::sync::Arc;

use jigo_rules::Repetition;
use jigo_rules::board::{Color, Point};
use jigo_rules::cycle::Cycle;

/// One finding, before it is assigned to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of finding.
    pub code: Code,
    /// The severity in this case. A repetition is an error only if the rules forbid it.
    pub severity: Severity,
    /// The place in the game or input.
    pub place: Place,
    /// The names of the rulesets that judged, joined with `;`; empty if no rules are involved.
    pub rules: String,
    /// The earlier position that was repeated.
    pub repetition: Option<Box<RepeatedPosition>>,
    /// Details beyond the code.
    pub detail: String,
    /// The number of findings that differ only in their place, if this one represents them.
    pub more: usize,
    /// The path to the variation: the number of the child, from 1, at every node with several
    /// children. Empty on the main line.
    pub variation: String,
    /// The name of the expectation that the game does not meet. `None` for all codes but
    /// [`Code::UnmetExpectation`].
    pub expectation: Option<Arc<str>>,
}

/// The place of a finding in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The offset in bytes from the start of the game, or of the input for a finding outside games.
    pub offset: usize,
    /// The turn: B and W properties counted from 1; 0 is the setup. `None` outside the play.
    pub turn: Option<u32>,
    /// The colour of the turn or stone.
    pub color: Option<Color>,
    /// The point.
    pub point: Option<Point>,
}

/// An earlier position that a play repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedPosition {
    /// The turn after which the position occurred first; 0 is the initial position.
    pub turn: u32,
    /// The turns from that position to this one.
    pub cycle: Cycle,
    /// The earlier positions by repetition rule, with [`Repetition::forbidding_rules`].
    pub repetition: Repetition,
}

impl Finding {
    /// Returns a finding with the code's own severity.
    ///
    /// Details quote untrusted text. Control characters, which could steer a terminal, are replaced
    /// by `·`.
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
            more: 0,
            variation: String::new(),
            expectation: None,
        }
    }

    /// Returns the name: that of the expectation, or else of the code.
    pub fn name(&self) -> &str {
        self.expectation.as_deref().unwrap_or(self.code.name())
    }
}

impl Place {
    /// Returns the place of a byte of the game or input, outside the play.
    pub fn byte(offset: usize) -> Place {
        Place { offset, ..Place::default() }
    }
}

/// Returns the first 40 characters of a text, for a detail that quotes it.
#[doc(hidden)]
pub fn excerpt(text: &[u8]) -> String {
    String::from_utf8_lossy(text).chars().take(40).collect()
}
