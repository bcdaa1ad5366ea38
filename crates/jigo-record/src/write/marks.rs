//! A counted ending as a separate node, so that readers can't confuse it with the original record.

use super::node_properties::NodeProperties;
use super::node_text::{write_points, write_territory};
use super::value::value_from_text;
use crate::sgf::tokens::ff4::ValueForm;
use jigo_rules::board::{MarkedTerritory, Point};

/// The beginning of the comment on a counted ending.
pub const COMMENT_PREFIX: &str = "counted by jigo ";

/// A counted ending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// TB and TW.
    pub territory: MarkedTerritory,
    /// The dead stones, sorted. They become JIGODEAD.
    pub dead: Vec<Point>,
    /// The result in the form of RE; empty if no ruleset scores the ending.
    ///
    /// It becomes JIGORE, which identifies the node when the record is read again.
    pub result: String,
    /// A description of the count. It becomes the comment.
    pub comment: String,
}

impl Marks {
    /// Returns the text of the node, which follows the last node of the main line.
    pub(super) fn node(&self) -> String {
        let mut text = String::from(";");
        write_territory(&self.territory, &mut text);
        write_points("JIGODEAD", self.dead.iter().copied(), &mut text);
        // Even an empty JIGORE identifies the marks as jigo's.
        text.push_str(&format!("JIGORE[{}]", value_from_text(&self.result, ValueForm::SimpleText)));
        if !self.comment.is_empty() {
            text.push_str(&format!("C[{}]", value_from_text(&self.comment, ValueForm::Text)));
        }
        text
    }
}

/// Returns true if a node has only territory and the properties of [`Marks`]. jigo must not replace
/// properties from another source.
pub(super) fn is_counted_ending(others: &NodeProperties) -> bool {
    others.has("JIGORE")
        && others.all(|name, value| match name {
            "JIGORE" | "JIGODEAD" => true,
            "C" => value.starts_with(COMMENT_PREFIX),
            _ => false,
        })
}
