//! The table of FF\[4\] properties: the type of their values, and their role.
//!
//! All code about properties uses this table. `ROOT` lists the root properties that are stored. The
//! lexer has its own lists for damaged text.
//!
//! Source: the property index of FF\[4\], <https://www.red-bean.com/sgf/proplist.html>.

use jigo_rules::board::Color;

/// A property of FF\[4\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    /// The identifier: one or two capitals.
    pub name: &'static str,
    /// The type of its values.
    pub values: ValueKind,
    /// Its role.
    pub role: PropertyRole,
}

/// The type of a property's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Text with lines: comments, and values of unknown properties.
    Text,
    /// Text on one line.
    SimpleText,
    /// A whole number.
    Number,
    /// A number with a fraction.
    Real,
    /// The size of a board.
    Size,
    /// One word or an empty value: a colour, a degree, a turn.
    Word,
    /// Any number of points.
    Points,
    /// Any number of values with two parts, the first of which is a point.
    PointPairs,
}

/// The role of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyRole {
    /// A turn of this colour.
    Turn(Color),
    /// Setup of stones of this colour, or of empty points.
    Stones(Option<Color>),
    /// The player of the next turn.
    ToPlay,
    /// Points that belong to this colour at the end.
    Territory(Color),
    /// The time left.
    Clock,
    /// A fact or an opinion about a turn.
    TurnAnnotation,
    /// A comment on a position.
    Note,
    /// A mark on points.
    Mark,
    /// Other drawings and display settings.
    Markup,
    /// A fact about the record, allowed only in roots.
    Root,
    /// A fact about the game.
    GameInfo,
}

impl PropertyRole {
    /// Returns true if it changes the position or marks territory. Such properties are read in
    /// every node.
    pub const fn affects_board(self) -> bool {
        matches!(
            self,
            PropertyRole::Turn(_) | PropertyRole::Stones(_) | PropertyRole::ToPlay | PropertyRole::Territory(_)
        )
    }

    /// Returns true if it is a list of points that the reader uses: stones or territory.
    pub const fn is_read_list(self) -> bool {
        matches!(self, PropertyRole::Stones(_) | PropertyRole::Territory(_))
    }
}

impl ValueKind {
    /// Returns the type of a property's values; text for a property outside FF\[4\].
    pub const fn for_property(identifier: &str) -> ValueKind {
        match definition(identifier.as_bytes()) {
            Some(definition) => definition.values,
            None => ValueKind::Text,
        }
    }

    /// Returns true if a property lists values. If it is repeated, all values count.
    pub const fn is_list(self) -> bool {
        matches!(self, ValueKind::Points | ValueKind::PointPairs)
    }

    /// Returns true if a value is typed text, so that blanks around it belong to it.
    pub const fn is_text(self) -> bool {
        matches!(self, ValueKind::Text | ValueKind::SimpleText)
    }
}

const fn row(name: &'static str, values: ValueKind, role: PropertyRole) -> Definition {
    Definition { name, values, role }
}

/// All properties.
pub(crate) static PROPERTIES: [Definition; 67] = ROWS;

const ROWS: [Definition; 67] = {
    use Color::{Black, White};
    use PropertyRole::{Clock, GameInfo, Mark, Markup, Note, Root, Stones, Territory, ToPlay, Turn, TurnAnnotation};
    use ValueKind::{Number, PointPairs, Points, Real, SimpleText, Size, Text, Word};
    [
        row("B", Word, Turn(Black)),
        row("W", Word, Turn(White)),
        row("KO", Word, TurnAnnotation),
        row("MN", Number, TurnAnnotation),
        row("BM", Word, TurnAnnotation),
        row("DO", Word, TurnAnnotation),
        row("IT", Word, TurnAnnotation),
        row("TE", Word, TurnAnnotation),
        row("BL", Real, Clock),
        row("WL", Real, Clock),
        row("OB", Number, Clock),
        row("OW", Number, Clock),
        row("AB", Points, Stones(Some(Black))),
        row("AW", Points, Stones(Some(White))),
        row("AE", Points, Stones(None)),
        row("PL", Word, ToPlay),
        row("TB", Points, Territory(Black)),
        row("TW", Points, Territory(White)),
        row("C", Text, Note),
        row("N", SimpleText, Note),
        row("DM", Word, Note),
        row("GB", Word, Note),
        row("GW", Word, Note),
        row("HO", Word, Note),
        row("UC", Word, Note),
        row("V", Real, Note),
        row("AR", PointPairs, Markup),
        row("LB", PointPairs, Mark),
        row("LN", PointPairs, Markup),
        row("CR", Points, Mark),
        row("DD", Points, Markup),
        row("MA", Points, Mark),
        row("SL", Points, Mark),
        row("SQ", Points, Mark),
        row("TR", Points, Mark),
        row("VW", Points, Markup),
        row("FG", SimpleText, Markup),
        row("PM", Number, Markup),
        row("FF", Number, Root),
        row("GM", Number, Root),
        row("SZ", Size, Root),
        row("CA", SimpleText, Root),
        row("AP", SimpleText, Root),
        row("ST", Number, Root),
        row("AN", SimpleText, GameInfo),
        row("BR", SimpleText, GameInfo),
        row("BT", SimpleText, GameInfo),
        row("CP", SimpleText, GameInfo),
        row("DT", SimpleText, GameInfo),
        row("EV", SimpleText, GameInfo),
        row("GC", Text, GameInfo),
        row("GN", SimpleText, GameInfo),
        row("HA", Number, GameInfo),
        row("KM", Real, GameInfo),
        row("ON", SimpleText, GameInfo),
        row("OT", SimpleText, GameInfo),
        row("PB", SimpleText, GameInfo),
        row("PC", SimpleText, GameInfo),
        row("PW", SimpleText, GameInfo),
        row("RE", SimpleText, GameInfo),
        row("RO", SimpleText, GameInfo),
        row("RU", SimpleText, GameInfo),
        row("SO", SimpleText, GameInfo),
        row("TM", Real, GameInfo),
        row("US", SimpleText, GameInfo),
        row("WR", SimpleText, GameInfo),
        row("WT", SimpleText, GameInfo),
    ]
};

/// Returns the index of a name of one or two capitals; for other names, an index that is too large.
const fn name_index(name: &[u8]) -> usize {
    let (first, second) = match *name {
        [first] => (first, b'@'),
        [first, second] if second != b'@' => (first, second),
        _ => return usize::MAX,
    };
    let (first, second) = (first.wrapping_sub(b'A') as usize, second.wrapping_sub(b'@') as usize);
    if first < 26 && second < 27 { first * 27 + second } else { usize::MAX }
}

/// The row of each name in the table; the table's length for unknown names.
static INDEX_OF_NAMES: [u8; 26 * 27] = index_of_names();

const fn index_of_names() -> [u8; 26 * 27] {
    let (mut indexes, mut index) = ([ROWS.len() as u8; 26 * 27], 0);
    while index < ROWS.len() {
        indexes[name_index(ROWS[index].name.as_bytes())] = index as u8;
        index += 1;
    }
    indexes
}

/// Returns the FF\[4\] property with this identifier, in capitals.
#[inline]
pub(crate) const fn definition(name: &[u8]) -> Option<&'static Definition> {
    let index = name_index(name);
    if index >= INDEX_OF_NAMES.len() {
        return None;
    }
    let row = INDEX_OF_NAMES[index] as usize;
    if row < PROPERTIES.len() { Some(&PROPERTIES[row]) } else { None }
}

/// Returns the role of the property with this identifier, in capitals; `None` outside FF\[4\].
#[inline]
pub const fn role(name: &[u8]) -> Option<PropertyRole> {
    match definition(name) {
        Some(definition) => Some(definition.role),
        None => None,
    }
}

/// Returns true if the property with this identifier, in capitals, sets up stones or empties
/// points.
#[inline]
pub const fn is_setup(name: &[u8]) -> bool {
    matches!(role(name), Some(PropertyRole::Stones(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::lexer;

    #[test]
    fn ff4_property_is_found_by_its_whole_name_in_capitals() {
        for property in &PROPERTIES {
            assert_eq!(definition(property.name.as_bytes()), Some(property));
        }
        for other in ["", "A", "X", "ab", "b", "A@", "@A", "ABC", "LT", "MULTIGOGM", "É"] {
            assert_eq!(definition(other.as_bytes()), None, "{other}");
        }
    }

    /// The lexer's lists must agree with the table.
    #[test]
    fn lexer_and_table_agree_on_text_and_root_properties() {
        for property in &PROPERTIES {
            let name = property.name.as_bytes();
            assert_eq!(lexer::ROOT.contains(&name), property.role == PropertyRole::Root, "{}", property.name);
            // Old records have words in TM. The values of CA and FG never contain brackets.
            let is_text = (property.values.is_text() && !matches!(name, b"CA" | b"FG")) || name == b"TM";
            assert_eq!(lexer::is_text(name), is_text, "{}", property.name);
            assert!(lexer::is_small(&name.to_ascii_lowercase()) && !lexer::is_small(name), "{}", property.name);
        }
    }
}
