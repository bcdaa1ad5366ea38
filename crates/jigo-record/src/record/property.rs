//! Parser for the properties of one node. This is the only file that uses sgf-parse.

use std::borrow::Cow;

use sgf_parse::go::Prop;
use sgf_parse::{GameTree, SgfNode, SgfProp};

use super::nodes::first_value;
use crate::finding::Code;
use crate::header::root_property::{RootProperty, Storage};
use crate::sgf::tokens::ff4::{PropertyRole, ValueForm, role};
use crate::sgf::tokens::lexer::value_end;
use jigo_rules::board::point::letter_value;
use jigo_rules::board::{Color, Point, PointSet};

/// A property that jigo uses. Points may be off the board, and lists are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    /// B or W: a point, or `None` for an empty value.
    Turn(Color, Option<Point>),
    /// B or W with values that are not points.
    InvalidTurn(Color, Vec<String>),
    /// AB, AW or AE.
    Stones(Option<Color>, Vec<Point>),
    /// PL.
    ToPlay(Color),
    /// TB or TW.
    Territory(Color, Vec<Point>),
    /// The marked points of TR, SQ, CR, MA, SL or LB.
    Marks(Vec<Point>),
    /// The identifier and text of a header property.
    Header(&'static str, String),
    /// JIGORE or JIGODEAD: the node contains an ending that jigo counted.
    CountedEnding,
    /// The code and detail of a finding: an unusual form, or an unreadable property of the kinds
    /// above.
    Note(Code, String),
}

/// Parses the text of a node or of one property. Bytes that are not UTF-8 are replaced.
///
/// Lists with rectangles are parsed here: sgf-parse would expand and hash every single point, so a
/// few bytes would cost as much time as a game.
///
/// # Errors
///
/// Returns the message of sgf-parse if it rejects the whole text.
pub(crate) fn parse(text: &[u8]) -> Result<Vec<Property>, String> {
    let text = String::from_utf8_lossy(text);
    let (others, lists) = match has_rectangle(text.as_bytes()) {
        true => without_rectangles(&text),
        false => (text.clone(), Vec::new()),
    };
    let mut lists = lists.into_iter().peekable();
    let trees = sgf_parse::parse(&format!("(;{others})")).map_err(|error| error.to_string())?;
    let mut parsed = Vec::new();
    for tree in &trees {
        match tree {
            GameTree::GoGame(node) => {
                for (index, property) in node.properties().enumerate() {
                    while let Some(list) = lists.next_if(|list| list.place <= index) {
                        list.parse(&mut parsed);
                    }
                    parse_known(property, &mut parsed);
                }
                lists.by_ref().for_each(|list| list.parse(&mut parsed));
            }
            // The first GM counts. It is 1, but sgf-parse chose the kind of tree by another GM.
            // Parsing each property separately sees both.
            GameTree::Unknown(node) if other_game_number(node) == "1" => return Err("GM occurs twice".into()),
            GameTree::Unknown(node) => parsed.push(Property::Header("GM", other_game_number(node))),
        }
    }
    let size = parsed.iter_mut().find_map(|property| match property {
        Property::Header("SZ", size) => Some(size),
        _ => None,
    });
    if let (Some(size), Some(size_text)) = (size, written_size(&text)) {
        size_text.clone_into(size);
    }
    Ok(parsed)
}

/// Returns the first size in a node's text as written. sgf-parse returns only its meaning.
fn written_size(text: &str) -> Option<&str> {
    text.get(first_value(text.as_bytes(), 0..text.len(), b"SZ")?)
}

fn other_game_number(node: &SgfNode<sgf_parse::unknown_game::Prop>) -> String {
    match node.get_property("GM") {
        Some(sgf_parse::unknown_game::Prop::GM(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// Converts a property if jigo uses it.
fn parse_known(property: &Prop, parsed: &mut Vec<Property>) {
    parsed.push(match property {
        Prop::B(turn) => Property::Turn(Color::Black, point_of(turn)),
        Prop::W(turn) => Property::Turn(Color::White, point_of(turn)),
        Prop::AB(points) => Property::Stones(Some(Color::Black), sorted(points)),
        Prop::AW(points) => Property::Stones(Some(Color::White), sorted(points)),
        Prop::AE(points) => Property::Stones(None, sorted(points)),
        Prop::TB(points) => Property::Territory(Color::Black, sorted(points)),
        Prop::TW(points) => Property::Territory(Color::White, sorted(points)),
        Prop::TR(points) | Prop::SQ(points) | Prop::CR(points) | Prop::MA(points) | Prop::SL(points) => {
            Property::Marks(sorted(points))
        }
        Prop::LB(labels) => Property::Marks(sorted(labels.iter().map(|(point, _)| point))),
        Prop::PL(color) => Property::ToPlay(match color {
            sgf_parse::Color::Black => Color::Black,
            sgf_parse::Color::White => Color::White,
        }),
        Prop::Unknown(name, _) if matches!(name.as_str(), "JIGORE" | "JIGODEAD") => Property::CountedEnding,
        Prop::Invalid(name, values) => return parse_invalid(name, values, parsed),
        _ => match RootProperty::find(property.identifier().as_bytes()) {
            Some(root_property) => Property::Header(root_property.name, text(property)),
            None => return,
        },
    });
}

/// Returns the text of a root property.
///
/// All FF\[4\] root properties are here, so a new property only needs a row in
/// [`ROOT`](crate::header::root_property::ROOT).
fn text(property: &Prop) -> String {
    match property {
        Prop::FF(number) | Prop::GM(number) | Prop::HA(number) | Prop::ST(number) => number.to_string(),
        Prop::KM(number) | Prop::TM(number) => number.to_string(),
        Prop::SZ((width, height)) => format!("{width}:{height}"),
        Prop::AP((name, version)) => format!("{}:{}", name.text, version.text),
        Prop::C(text) | Prop::GC(text) => text.text.clone(),
        #[rustfmt::skip]
        Prop::AN(text) | Prop::BR(text) | Prop::BT(text) | Prop::CA(text) | Prop::CP(text) | Prop::DT(text) | Prop::EV(text)
        | Prop::GN(text) | Prop::ON(text) | Prop::OT(text) | Prop::PB(text) | Prop::PC(text) | Prop::PW(text) | Prop::RE(text)
        | Prop::RO(text) | Prop::RU(text) | Prop::SO(text) | Prop::US(text) | Prop::WR(text) | Prop::WT(text) => {
            text.text.clone()
        },
        Prop::Unknown(_, values) => values.join(", "),
        _ => String::new(),
    }
}

/// Returns true if a value in a node's text is a rectangle such as `aa:ss`.
fn has_rectangle(text: &[u8]) -> bool {
    memchr::memchr_iter(b':', text).any(|colon| is_rectangle(&text[..colon], &text[colon..]))
}

fn is_rectangle(before: &[u8], after: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    matches!(before, [.., b'[', left, top] if is_letter(left) && is_letter(top))
        && matches!(after, [b':', right, bottom, b']', ..] if is_letter(right) && is_letter(bottom))
}

/// A list of points with a rectangle.
struct RectangleList {
    /// The number of other properties before it.
    place: usize,
    name: String,
    values: Vec<String>,
}

/// Returns the text without its lists that have rectangles, and these lists.
fn without_rectangles(text: &str) -> (Cow<'_, str>, Vec<RectangleList>) {
    let bytes = text.as_bytes();
    let (mut others, mut lists) = (String::with_capacity(text.len()), Vec::new());
    let (mut offset, mut place) = (0, 0);
    while let Some(bracket) = memchr::memchr(b'[', &bytes[offset..]).map(|length| offset + length) {
        let (mut end, mut values) = (bracket, Vec::new());
        while bytes.get(end) == Some(&b'[')
            && let Some(close) = value_end(bytes, end + 1)
        {
            values.push(&text[end + 1..close]);
            end = close + 1 + bytes[close + 1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        }
        let written = &text[offset..bracket];
        let name: String = written.chars().filter(char::is_ascii_uppercase).collect();
        let is_list = written.is_ascii()
            && matches!(ValueForm::for_property(name.as_bytes()), ValueForm::Points | ValueForm::PointsOrEmpty);
        // Without a closing bracket, nothing more can be checked.
        let end = if end == bracket { text.len() } else { end };
        if is_list && has_rectangle(&bytes[bracket..end]) {
            lists.push(RectangleList { place, name, values: values.into_iter().map(unescaped).collect() });
        } else {
            others.push_str(&text[offset..end]);
            place += 1;
        }
        offset = end;
    }
    others.push_str(&text[offset..]);
    (others.into(), lists)
}

/// Returns a value as sgf-parse reads it, without its backslashes.
fn unescaped(value: &str) -> String {
    let mut is_escaped = false;
    let is_kept = |c: &char| {
        is_escaped = *c == '\\' && !is_escaped;
        !is_escaped
    };
    value.chars().filter(is_kept).collect()
}

impl RectangleList {
    /// Parses the list like sgf-parse: as a whole or not at all. Corners may have any order,
    /// however.
    fn parse(self, parsed: &mut Vec<Property>) {
        let RectangleList { name, values, .. } = self;
        let Some(role) = role(name.as_bytes()) else { return };
        let mut points = PointSet::EMPTY;
        if !values.iter().all(|value| add_points(value, &mut points)) {
            if role.is_read_list() {
                parse_invalid(&name, &values, parsed);
            }
            return;
        }
        let values = if role.is_read_list() { &values[..] } else { &[] };
        let detail = |value: &String| Some(format!("{name}[{value}] is read as {name}[{}]", rectangle_form(value)?));
        parsed.extend(values.iter().find_map(detail).map(|detail| Property::Note(Code::RectangleForm, detail)));
        parsed.extend(Property::listed(role, points.iter().collect()));
    }
}

impl Property {
    /// Returns the property for a list of points with this role; `None` if jigo does not use it.
    fn listed(role: PropertyRole, points: Vec<Point>) -> Option<Property> {
        match role {
            PropertyRole::Stones(stone) => Some(Property::Stones(stone, points)),
            PropertyRole::Territory(color) => Some(Property::Territory(color, points)),
            PropertyRole::Mark => Some(Property::Marks(points)),
            _ => None,
        }
    }
}

/// Adds the point or rectangle of a value. Returns false if the value is neither.
fn add_points(value: &str, points: &mut PointSet) -> bool {
    let (first, last) = value.split_once(':').unwrap_or((value, value));
    let corners = rectangle(first, last);
    corners.map(|corners| points.insert_rectangle(corners)).is_some()
}

/// Returns true if the values of a list repeat a point.
pub(crate) fn repeats_point<'v>(values: impl Iterator<Item = &'v [u8]>) -> bool {
    let mut seen = PointSet::EMPTY;
    let mut values = values.filter_map(|value| std::str::from_utf8(value).ok());
    values.any(|value| {
        let mut points = PointSet::EMPTY;
        add_points(value.trim(), &mut points) && {
            let is_repeated = points.intersects(&seen);
            seen = seen.union(&points);
            is_repeated
        }
    })
}

/// Returns the upper left and the lower right corner of a rectangle, given by any two opposite
/// corners.
fn rectangle(first: &str, last: &str) -> Option<[Point; 2]> {
    Some(corners(point(first.as_bytes())?, point(last.as_bytes())?))
}

/// Parses a point: two letters.
pub(crate) fn point(value: &[u8]) -> Option<Point> {
    let &[column, row] = value else { return None };
    Point::from_sgf(column, row)
}

/// Returns the upper left and the lower right corner, given by any two opposite corners.
pub(crate) fn corners(point: Point, other: Point) -> [Point; 2] {
    let (left, right) = (point.x().min(other.x()), point.x().max(other.x()));
    [Point::new(left, point.y().min(other.y())), Point::new(right, point.y().max(other.y()))]
}

/// Returns a rectangle in the form of FF\[4\]. A single point is written as itself.
pub(crate) fn rectangle_text(point: Point, other: Point) -> String {
    let [first, last] = corners(point, other);
    if first == last { first.to_string() } else { format!("{first}:{last}") }
}

/// Returns the FF\[4\] form of a rectangle that has its corners in another order or is a single
/// point. `None` for other values.
pub fn rectangle_form(value: &str) -> Option<String> {
    let (first, last) = value.split_once(':')?;
    let [first, last] = rectangle(first, last)?;
    let standard = rectangle_text(first, last);
    (standard != value).then_some(standard)
}

/// Returns the values of a text property as one text. Equal values are one.
fn joined_values(values: &[String]) -> String {
    match values {
        [first, others @ ..] if others.iter().all(|value| value.trim() == first.trim()) => first.clone(),
        _ => values.join(", "),
    }
}

fn unparsed(name: &str, value: &str) -> Property {
    Property::Note(Code::UnreadableProperty, format!("{name}[{value}] is left out"))
}

/// Recovers the usable parts of a property whose value sgf-parse rejects.
fn parse_invalid(name: &str, values: &[String], parsed: &mut Vec<Property>) {
    let list = match role(name.as_bytes()) {
        Some(PropertyRole::Turn(color)) => return parsed.push(Property::InvalidTurn(color, values.to_vec())),
        Some(PropertyRole::ToPlay) => {
            let color = if let [value] = values { parse_color(value) } else { None };
            return parsed.push(color.map_or_else(|| unparsed(name, &values.join("][")), Property::ToPlay));
        }
        Some(list) if list.is_read_list() => list,
        _ => {
            let Some(property) = RootProperty::find(name.as_bytes()) else { return };
            let text = match property.storage {
                Storage::Text(_) => joined_values(values),
                _ => values.join(", "),
            };
            return parsed.push(Property::Header(property.name, text));
        }
    };
    let mut points = Vec::new();
    for value in values {
        match value.trim().as_bytes() {
            bytes if point(bytes).is_some() => points.extend(point(bytes)),
            b"" => {}
            bytes => parsed.push(match blank_point(bytes) {
                Some(point) => {
                    points.push(point);
                    Property::Note(Code::OddCoordinates, format!("{name}[{value:?}] is read as {point}"))
                }
                None => unparsed(name, value),
            }),
        }
    }
    points.sort();
    parsed.extend(Property::listed(list, points));
}

/// Returns the point that a value names despite white space or a line end in it.
fn blank_point(value: &[u8]) -> Option<Point> {
    let letters: Vec<u8> = value.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    point(&letters)
}

/// Returns the colour of a PL in the forms that programs write besides `B` and `W`.
pub(crate) fn parse_color(value: &str) -> Option<Color> {
    match value.trim().to_ascii_lowercase().as_str() {
        "1" | "b" | "black" => Some(Color::Black),
        "2" | "w" | "white" => Some(Color::White),
        _ => None,
    }
}

fn point_of(turn: &sgf_parse::go::Move) -> Option<Point> {
    match turn {
        sgf_parse::go::Move::Pass => None,
        sgf_parse::go::Move::Move(point) => Some(Point::new(point.x, point.y)),
    }
}

fn sorted<'a>(points: impl IntoIterator<Item = &'a sgf_parse::go::Point>) -> Vec<Point> {
    let mut sorted: Vec<Point> = points.into_iter().map(|point| Point::new(point.x, point.y)).collect();
    sorted.sort();
    sorted
}

/// Returns an upper bound for the number of points in a node's text.
///
/// A value of two characters counts as one point, and a rectangle such as `aa:ss` as all of its
/// points. sgf-parse would expand it, so a few bytes can mean thousands of points.
pub(crate) fn max_points(body: &[u8]) -> u64 {
    let letter = |byte: u8| letter_value(byte).map(u64::from);
    let point_count = |value: &[u8]| -> Option<u64> {
        match *value {
            [left, top, b':', right, bottom, ..] => {
                let (columns, rows) = (letter(right)?.abs_diff(letter(left)?), letter(bottom)?.abs_diff(letter(top)?));
                Some((columns + 1) * (rows + 1))
            }
            [_, _, b']', ..] => Some(1),
            _ => None,
        }
    };
    memchr::memchr_iter(b'[', body).filter_map(|bracket| point_count(&body[bracket + 1..])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::root_property::ROOT;
    use crate::sgf::tokens::ff4::PROPERTIES;

    /// Returns a root property as sgf-parse reads it. Another property in the node rules out the
    /// fast path.
    fn header(name: &str, value: &str) -> Option<String> {
        let parsed = parse(format!("AB[aa]{name}[{value}]").as_bytes()).unwrap();
        parsed.into_iter().find_map(|property| match property {
            Property::Header(property_name, text) if property_name == name => Some(text),
            _ => None,
        })
    }

    #[test]
    fn every_root_property_survives_sgf_parse() {
        for property in &ROOT {
            let (value, parsed) = match ValueForm::for_property(property.name.as_bytes()) {
                ValueForm::Number(..) if property.name == "GM" => ("1", "1"),
                ValueForm::Number(..) => ("4", "4"),
                ValueForm::Real => ("6.50", "6.5"),
                ValueForm::Size => ("13", "13"),
                _ if property.name == "AP" => ("jigo:0", "jigo:0"),
                _ => ("some words", "some words"),
            };
            assert_eq!(header(property.name, value).as_deref(), Some(parsed), "{}", property.name);
        }
    }

    /// A new header property must need only a row of the table.
    #[test]
    fn every_property_that_roots_have_has_a_text() {
        for property in
            PROPERTIES.iter().filter(|property| matches!(property.role, PropertyRole::Root | PropertyRole::GameInfo))
        {
            let value = if property.name == "AP" { "1:1" } else { "2" };
            assert!(!text(&Prop::new(property.name.into(), vec![value.into()])).is_empty(), "{}", property.name);
        }
    }
}
