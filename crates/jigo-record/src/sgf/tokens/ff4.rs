//! The table of SGF properties: the type of their values, their role, and the versions of FF that
//! define them.
//!
//! All code about properties uses this table. `ROOT` lists the root properties that are stored. The
//! lexer has its own lists for damaged text.
//!
//! Sources: the property index of FF\[4\], <https://www.red-bean.com/sgf/proplist.html>, its
//! properties of Go, <https://www.red-bean.com/sgf/go.html>, and FF\[3\],
//! <https://www.red-bean.com/sgf/ff1_3/ff3.html>.

use jigo_rules::board::Color;

/// A property that a version of FF defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    /// The identifier: one or two capitals.
    pub name: &'static str,
    /// The long name of earlier versions, empty without one. If it begins with a capital, it is a
    /// long name only with capitals and small letters: in capitals it may be a program's property.
    pub long_name: &'static str,
    /// The form that the standard demands of its values.
    pub form: ValueForm,
    /// Its role.
    pub role: PropertyRole,
    /// The first version of FF that defines it.
    pub since: u8,
    /// The last version of FF that defines it.
    pub until: u8,
}

/// The form of a property's values in the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// No value between the brackets.
    Empty,
    /// A whole number within these bounds.
    Number(i64, i64),
    /// A number, perhaps with a fraction after a point.
    Real,
    /// `1` or `2`.
    Double,
    /// `B` or `W`.
    Color,
    /// Text on one line.
    SimpleText,
    /// Text with lines.
    Text,
    /// Days in the form of ISO 8601.
    Dates,
    /// The name of a charset.
    Charset,
    /// A name and a version, with a colon between them.
    Application,
    /// Nothing, or a number and a text with a colon between them.
    Figure,
    /// One side of a board, or two with a colon between them.
    Size,
    /// A point, or nothing for a pass.
    Turn,
    /// Winner and margin, or nothing.
    Result,
    /// A kind of overtime. The standard demands only text on one line.
    Overtime,
    /// At least one point, perhaps in rectangles.
    Points,
    /// Any number of points, perhaps in rectangles.
    PointsOrEmpty,
    /// At least one point with a text.
    Labels,
    /// At least one pair of points.
    Lines,
}

impl ValueForm {
    /// Returns the form of a property's values; text for a property outside FF\[4\].
    pub const fn for_property(identifier: &[u8]) -> ValueForm {
        match definition(identifier) {
            Some(definition) => definition.form,
            None => ValueForm::Text,
        }
    }

    /// Returns true if the property lists values. If it is repeated, all values count.
    pub const fn is_list(self) -> bool {
        matches!(self, ValueForm::Points | ValueForm::PointsOrEmpty | ValueForm::Labels | ValueForm::Lines)
    }

    /// Returns true if a value is typed text, so that blanks around it belong to it.
    pub const fn is_text(self) -> bool {
        use ValueForm::{Application, Charset, Dates, Figure, Overtime, Result, SimpleText, Text};
        matches!(self, Text | SimpleText | Dates | Charset | Application | Figure | Result | Overtime)
    }
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
    /// Returns true if FF\[4\] allows it only in nodes without setup.
    pub(crate) const fn is_of_turn(self) -> bool {
        matches!(self, PropertyRole::Turn(_) | PropertyRole::TurnAnnotation | PropertyRole::Clock)
    }

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

impl Definition {
    /// Returns true if its long name means the same in every case.
    pub(super) fn has_long_name_in_any_case(&self) -> bool {
        self.long_name.starts_with(|first: char| first.is_ascii_lowercase())
    }
}

/// The last version of FF.
pub(crate) const LATEST: u8 = 4;

const fn row(
    name: &'static str,
    long_name: &'static str,
    form: ValueForm,
    role: PropertyRole,
    since: u8,
) -> Definition {
    Definition { name, long_name, form, role, since, until: LATEST }
}

const fn obsolete(name: &'static str, form: ValueForm, role: PropertyRole, since: u8, until: u8) -> Definition {
    Definition { until, ..row(name, "", form, role, since) }
}

/// Any whole number.
const ANY: ValueForm = ValueForm::Number(i64::MIN, i64::MAX);

/// All properties of FF\[4\].
pub(crate) static PROPERTIES: [Definition; 67] = {
    use Color::{Black, White};
    use PropertyRole::{Clock, GameInfo, Mark, Markup, Note, Root, Stones, Territory, ToPlay, Turn, TurnAnnotation};
    use ValueForm::{
        Application, Charset, Color as ColorValue, Dates, Double, Empty, Figure, Labels, Lines, Number, Overtime,
        Points, PointsOrEmpty, Real, Result, SimpleText, Size, Text, Turn as Point,
    };
    [
        row("B", "black", Point, Turn(Black), 1),
        row("W", "white", Point, Turn(White), 1),
        row("KO", "", Empty, TurnAnnotation, 3),
        row("MN", "Movenumber", ANY, TurnAnnotation, 3),
        row("BM", "Badmove", Double, TurnAnnotation, 1),
        row("DO", "Doubtful", Empty, TurnAnnotation, 3),
        row("IT", "Interesting", Empty, TurnAnnotation, 3),
        row("TE", "Tesuji", Double, TurnAnnotation, 1),
        row("BL", "blackleft", Real, Clock, 1),
        row("WL", "whiteleft", Real, Clock, 1),
        row("OB", "", ANY, Clock, 3),
        row("OW", "", ANY, Clock, 3),
        row("AB", "addblack", Points, Stones(Some(Black)), 1),
        row("AW", "addwhite", Points, Stones(Some(White)), 1),
        row("AE", "addempty", Points, Stones(None), 1),
        row("PL", "Player", ColorValue, ToPlay, 1),
        row("TB", "territoryblack", PointsOrEmpty, Territory(Black), 1),
        row("TW", "territorywhite", PointsOrEmpty, Territory(White), 1),
        row("C", "comment", Text, Note, 1),
        row("N", "Name", SimpleText, Note, 1),
        row("DM", "", Double, Note, 3),
        row("GB", "Goodblack", Double, Note, 1),
        row("GW", "Goodwhite", Double, Note, 1),
        row("HO", "Hotspot", Double, Note, 3),
        row("UC", "Unclear", Double, Note, 3),
        row("V", "", Real, Note, 1),
        row("AR", "", Lines, Markup, 4),
        row("LB", "Label", Labels, Mark, 3),
        row("LN", "", Lines, Markup, 4),
        row("CR", "Circle", Points, Mark, 3),
        row("DD", "", PointsOrEmpty, Markup, 4),
        row("MA", "Mark", Points, Mark, 3),
        row("SL", "Select", Points, Mark, 1),
        row("SQ", "Square", Points, Mark, 4),
        row("TR", "Triangle", Points, Mark, 3),
        row("VW", "", PointsOrEmpty, Markup, 1),
        row("FG", "Figure", Figure, Markup, 1),
        row("PM", "", Number(0, 2), Markup, 4),
        row("FF", "Fileformat", Number(1, 4), Root, 1),
        row("GM", "Game", Number(1, i64::MAX), Root, 1),
        row("SZ", "size", Size, Root, 1),
        row("CA", "", Charset, Root, 4),
        row("AP", "", Application, Root, 4),
        row("ST", "", Number(0, 3), Root, 4),
        row("AN", "Annotation", SimpleText, GameInfo, 3),
        row("BR", "blackrank", SimpleText, GameInfo, 1),
        row("BT", "blackteam", SimpleText, GameInfo, 3),
        row("CP", "Copyright", SimpleText, GameInfo, 3),
        row("DT", "date", Dates, GameInfo, 1),
        row("EV", "event", SimpleText, GameInfo, 1),
        row("GC", "gamecomment", Text, GameInfo, 1),
        row("GN", "gamename", SimpleText, GameInfo, 1),
        // FF[4] demands 2 or more. Servers write 0 for an even game, and no program trips over it.
        row("HA", "handicap", Number(0, i64::MAX), GameInfo, 1),
        row("KM", "komi", Real, GameInfo, 1),
        row("ON", "Opening", SimpleText, GameInfo, 3),
        row("OT", "Overtime", Overtime, GameInfo, 4),
        row("PB", "playerblack", SimpleText, GameInfo, 1),
        row("PC", "Place", SimpleText, GameInfo, 1),
        row("PW", "playerwhite", SimpleText, GameInfo, 1),
        row("RE", "result", Result, GameInfo, 1),
        row("RO", "round", SimpleText, GameInfo, 1),
        row("RU", "rules", SimpleText, GameInfo, 3),
        row("SO", "Source", SimpleText, GameInfo, 1),
        row("TM", "Time", Real, GameInfo, 1),
        row("US", "User", SimpleText, GameInfo, 1),
        row("WR", "whiterank", SimpleText, GameInfo, 1),
        row("WT", "whiteteam", SimpleText, GameInfo, 3),
    ]
};

/// The properties of earlier versions that FF\[4\] does not define.
static OBSOLETE: [Definition; 18] = {
    use PropertyRole::{Clock, GameInfo, Mark, Markup, Note, TurnAnnotation};
    use ValueForm::{Double, Empty, Points, Real, SimpleText, Turn};
    [
        obsolete("BS", ANY, GameInfo, 1, 3),
        obsolete("CH", Double, Note, 1, 3),
        obsolete("EL", ANY, Note, 1, 2),
        obsolete("EX", Turn, Note, 1, 2),
        obsolete("ID", SimpleText, GameInfo, 3, 3),
        obsolete("KI", ANY, GameInfo, 1, 2),
        obsolete("L", Points, Mark, 1, 2),
        obsolete("LT", Empty, Note, 3, 3),
        obsolete("M", Points, Mark, 1, 2),
        obsolete("OM", ANY, Clock, 3, 3),
        obsolete("OP", Real, Clock, 3, 3),
        obsolete("OV", Real, Clock, 3, 3),
        obsolete("RG", Points, Markup, 1, 3),
        obsolete("SC", Points, Markup, 1, 3),
        obsolete("SE", Points, Note, 3, 3),
        obsolete("SI", Double, TurnAnnotation, 3, 3),
        obsolete("TC", ANY, Note, 3, 3),
        obsolete("WS", ANY, GameInfo, 1, 3),
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
    let (mut indexes, mut index) = ([PROPERTIES.len() as u8; 26 * 27], 0);
    while index < PROPERTIES.len() {
        indexes[name_index(PROPERTIES[index].name.as_bytes())] = index as u8;
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

/// Returns the property with this identifier, in capitals, that FF\[4\] or an earlier version
/// defines.
#[inline]
pub(crate) fn definition_in_any_version(name: &[u8]) -> Option<&'static Definition> {
    definition(name).or_else(|| OBSOLETE.iter().find(|definition| definition.name.as_bytes() == name))
}

/// Returns true if only versions before FF\[4\] define the property with this identifier, in
/// capitals.
pub fn is_obsolete(name: &[u8]) -> bool {
    definition_in_any_version(name).is_some_and(|definition| definition.until < LATEST)
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
    use crate::sgf::tokens::lexer;

    #[test]
    fn ff4_property_is_found_by_its_whole_name_in_capitals() {
        for property in &PROPERTIES {
            assert_eq!(definition(property.name.as_bytes()), Some(property));
        }
        for other in ["", "A", "X", "ab", "b", "A@", "@A", "ABC", "LT", "MULTIGOGM", "É"] {
            assert_eq!(definition(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn obsolete_property_is_found_only_in_any_version() {
        for property in &OBSOLETE {
            assert_eq!(definition(property.name.as_bytes()), None, "{}", property.name);
            assert_eq!(definition_in_any_version(property.name.as_bytes()), Some(property));
        }
        assert_eq!(definition_in_any_version(b"XY"), None);
    }

    /// The lexer's lists must agree with the table.
    #[test]
    fn lexer_and_table_agree_on_text_and_root_properties() {
        for property in &PROPERTIES {
            let name = property.name.as_bytes();
            assert_eq!(lexer::ROOT.contains(&name), property.role == PropertyRole::Root, "{}", property.name);
            // Old records have words in TM. The values of CA and FG never contain brackets.
            let is_text = (property.form.is_text() && !matches!(name, b"CA" | b"FG")) || name == b"TM";
            assert_eq!(lexer::is_text(name), is_text, "{}", property.name);
            assert!(lexer::is_small(&name.to_ascii_lowercase()) && !lexer::is_small(name), "{}", property.name);
        }
    }
}
