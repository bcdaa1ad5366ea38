//! The choice of a dialect, and its recognition by the root of a record.

use std::sync::LazyLock;

use super::root_marks::RootMark;
use super::{DIALECTS, Dialect};
use crate::header::root_property::{ROOT, RootProperty};

/// The choice of the dialect for reading records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DialectChoice {
    /// The dialect that each record shows.
    #[default]
    Auto,
    /// No dialect: read every record according to FF\[4\].
    None,
    /// This dialect.
    Fixed(&'static Dialect),
}

impl DialectChoice {
    /// Parses a choice: `auto`, `none` or the name of a dialect.
    pub fn parse(name: &str) -> Option<DialectChoice> {
        match name {
            "auto" => Some(DialectChoice::Auto),
            "none" => Some(DialectChoice::None),
            name => DIALECTS.iter().find(|dialect| dialect.name == name).map(DialectChoice::Fixed),
        }
    }

    /// Returns the dialect of a root with these properties, given by identifier and text.
    pub(crate) fn resolve<'t>(self, root: impl Iterator<Item = (&'static str, &'t str)>) -> Option<&'static Dialect> {
        match self {
            DialectChoice::Auto => detect(root),
            DialectChoice::None => None,
            DialectChoice::Fixed(dialect) => Some(dialect),
        }
    }
}

/// A mark with the index of its dialect in [`DIALECTS`] and the letters that a text must contain.
type PlacedMark = (usize, u32, &'static RootMark);

/// The marks in each of the properties of [`ROOT`], sorted by dialect.
static MARKS: LazyLock<[Vec<PlacedMark>; ROOT.len()]> = LazyLock::new(|| {
    let marks =
        DIALECTS.iter().enumerate().flat_map(|(index, dialect)| dialect.marks.iter().map(move |mark| (index, mark)));
    let placed: Vec<PlacedMark> = marks.map(|(index, mark)| (index, letters(mark.2), mark)).collect();
    ROOT.each_ref().map(|property| placed.iter().filter(|(_, _, mark)| mark.0 == property.name).copied().collect())
});

/// Returns a set of the letters in a text, one bit for each, ignoring case. Other characters share
/// the bits.
fn letters(text: &str) -> u32 {
    text.bytes().fold(0, |letters, byte| letters | 1 << (byte % 32))
}

/// Returns the first dialect with a mark in this root, given by identifier and text.
fn detect<'t>(root: impl Iterator<Item = (&'static str, &'t str)>) -> Option<&'static Dialect> {
    let mut first = DIALECTS.len();
    for (name, text) in root {
        let Some(property_index) = RootProperty::index(name.as_bytes()) else { continue };
        let text_letters = letters(text);
        let mut earlier_marks = MARKS[property_index].iter().take_while(|(dialect_index, ..)| *dialect_index < first);
        let matching =
            earlier_marks.find(|(_, mark_letters, mark)| mark_letters & !text_letters == 0 && mark.is_in(text));
        first = matching.map_or(first, |(dialect_index, ..)| *dialect_index);
    }
    DIALECTS.get(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(root: &[(&'static str, &str)]) -> Option<&'static str> {
        detect(root.iter().copied()).map(|dialect| dialect.name)
    }

    #[test]
    fn dialect_is_detected_by_marks_in_the_root() {
        let cases: [(&[(&str, &str)], &str); 23] = [
            (&[("AP", "GNU Go:3.8"), ("AP", "foxwq")], "fox"),
            (&[("AP", "YuanYu:")], "fox"),
            (&[("PC", "Fox")], "fox"),
            (&[("PC", "TYGEM")], "tygem"),
            (&[("GN", "TYGEM 123")], "tygem"),
            (&[("PC", " TOM ")], "tom"),
            (&[("AP", "CGoban:3"), ("PC", "The KGS Go Server at http://www.gokgs.com/")], "kgs"),
            (&[("PC", "http://www.gokgs.com/")], "kgs"),
            (&[("PC", "The Kiseido Go Server (KGS) at http://kgs.kiseido.com/")], "kgs"),
            (&[("PC", "OGS: https://online-go.com/game/7"), ("AP", "Sabaki:0.52.1")], "ogs"),
            (&[("SO", "https://online-go.com/game/7")], "ogs"),
            (&[("PC", "IGS:  igs.joyjoy.net 6969")], "igs"),
            (&[("PC", "IGS-PandaNet")], "igs"),
            (&[("US", "Brought to you by IGS PANDANET")], "igs"),
            (&[("GN", "white-black(B) IGS")], "igs"),
            (&[("PC", "19x19 CGOS")], "cgos"),
            (&[("SO", "Go4Go.net"), ("AP", "MultiGo:4.2.4")], "go4go"),
            (&[("US", "GoGoD95")], "gogod"),
            (&[("MULTIGOGM", "1")], "multigo"),
            (&[("TE", "1st Cup"), ("KO", "6.5")], "oro"),
            (&[("RD", "2009-09-11"), ("AP", "CGoban:2")], "oro"),
            (&[("PC", "KGS"), ("HD", "2")], "kgs"),
            (&[("AP", "CGoban:2")], "cgoban"),
        ];
        for (root, expected) in cases {
            assert_eq!(name(root), Some(expected), "{root:?}");
        }
    }

    #[test]
    fn words_within_other_words_show_nothing() {
        for root in [
            ("PC", "Tommy's house"),
            ("PC", "Foxborough"),
            ("GN", "Wigs against hats"),
            ("PC", "the frogs' pond"),
            ("AP", "lab-convert:1"),
            ("SO", "a catalogue"),
            ("EV", "KGS meeting"),
            ("TE", "1"),
            ("KO", ""),
            ("PC", ""),
        ] {
            assert_eq!(name(&[root]), None, "{root:?}");
        }
    }
}
