//! A counted ending as a node of its own, so that nobody takes it for what the record says.

use super::game::{list, mark};
use super::properties::Properties;
use super::value::of_text;
use crate::sgf::ff4::ValueKind;
use jigo_rules::board::MarkedTerritory;
use jigo_rules::board::Point;

/// What the words of a counted ending begin with.
pub const WORDS: &str = "counted by jigo ";

/// A counted ending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// TB and TW.
    pub territory: MarkedTerritory,
    /// The dead stones, sorted; they become JIGODEAD.
    pub dead: Vec<Point>,
    /// The result in the form of RE; it becomes JIGORE, by which the node is known when it is read again. Empty where no ruleset counts it.
    pub result: String,
    /// How it was counted, in words; it becomes the comment.
    pub words: String,
}

impl Marks {
    /// The node, to stand behind the last one.
    pub(super) fn node(&self) -> String {
        let mut text = String::from(";");
        mark(&self.territory, &mut text);
        list("JIGODEAD", self.dead.iter().copied(), &mut text);
        // Without a result, too, this says whose marks they are.
        text.push_str(&format!("JIGORE[{}]", of_text(&self.result, ValueKind::SimpleText)));
        if !self.words.is_empty() {
            text.push_str(&format!("C[{}]", of_text(&self.words, ValueKind::Text)));
        }
        text
    }
}

/// Whether a node has nothing beside territory but what [`Marks`] write: what somebody else put there is not jigo's to replace.
pub(super) fn is_counted(others: &Properties) -> bool {
    others.has("JIGORE")
        && others.all(|name, value| match name {
            "JIGORE" | "JIGODEAD" => true,
            "C" => value.starts_with(WORDS),
            _ => false,
        })
}
