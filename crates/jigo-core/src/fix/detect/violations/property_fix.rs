//! Fixes of single properties.

use std::ops::Range;

use super::node_text::NodeText;
use crate::fix::detect::root_edits::place_in_root;
use crate::fix::{Edit, Fix};
use jigo_record::conformance::standard_value::{current_property, has_lines, is_blank_number, standard_value};
use jigo_record::finding::Code;
use jigo_record::header::written_date::day_first;
use jigo_record::record::nodes::RawProperty;
use jigo_record::sgf::tokens::ff4::{PropertyRole, ValueForm, role};
use jigo_rules::HalfPoints;
use jigo_rules::board::{BoardSize, Point};

/// Fixes properties of one record.
pub(super) struct PropertyFixer<'a> {
    pub bytes: &'a [u8],
    pub root: &'a NodeText,
    pub size: BoardSize,
}

impl PropertyFixer<'_> {
    /// Returns the fix of a violation of the property at `offset`.
    pub(super) fn fix(&self, code: Code, node: &NodeText, offset: usize) -> Option<Fix> {
        let index = node.index_at(offset)?;
        let (property, name) = (&node.properties[index], node.names[index].as_slice());
        if self.bytes[property.identifier.clone()] != *name && code != Code::PropertyName {
            // D021 is about the name, and its fix comes first.
            return None;
        }
        match code {
            Code::ValueType => self.standard_form(code, property, name).or_else(|| self.wrong_type(property, name)),
            Code::ComposedValue | Code::PointForm => {
                self.standard_form(code, property, name).or_else(|| self.without_values(code, property, name))
            }
            Code::OutsideBoard => self.without_values(code, property, name),
            Code::SeveralValues => self.one_value(property, name),
            Code::RepeatedPoint => self.without_repeated_values(property, name),
            Code::DateForm => self.standard_form(code, property, name).or_else(|| self.day_first(property)),
            Code::UnknownFormat => self.known_format(property),
            Code::ObsoleteProperty if name == b"KI" => self.komi(node, property),
            Code::ObsoleteProperty => self.current_property(node, property, name),
            Code::RootProperty | Code::RepeatedGameInfo => self.out_of_node(code, property, name),
            // HA[1] may mean a game without komi.
            Code::ValueRange if role(name) == Some(PropertyRole::GameInfo) => None,
            Code::ValueRange | Code::AnnotationWithoutTurn | Code::PropertyName => {
                Some(Fix::with_edit(code, Edit::delete(property.range.clone())).into_unsafe())
            }
            _ => None,
        }
    }

    fn value(&self, range: &Range<usize>) -> &[u8] {
        &self.bytes[range.clone()]
    }

    fn values(&self, property: &RawProperty) -> Vec<&[u8]> {
        property.values.iter().map(|value| self.value(value)).collect()
    }

    /// Writes values in the form of FF\[4\] if their meaning is certain.
    fn standard_form(&self, code: Code, property: &RawProperty, name: &[u8]) -> Option<Fix> {
        if is_blank_number(name, &self.values(property)) {
            return Some(Fix::with_edit(code, Edit::delete(property.range.clone())));
        }
        let edit = |range: &Range<usize>| {
            let standard = standard_value(name, self.value(range))?;
            (standard.as_bytes() != self.value(range)).then(|| Edit::replace(range.clone(), standard))
        };
        let edits: Vec<Edit> = property.values.iter().filter_map(edit).collect();
        // No program reads a point with blanks between its letters.
        let is_unread = |edit: &Edit| self.value(&edit.range).trim_ascii().contains(&b' ');
        let is_point = code == Code::PointForm && edits.iter().any(is_unread);
        (!edits.is_empty()).then(|| Fix::safe(code, edits).unsafe_if(is_point))
    }

    /// Empties a property without a value, and deletes another one whose value says nothing to any
    /// program. Words in the header stay.
    fn wrong_type(&self, property: &RawProperty, name: &[u8]) -> Option<Fix> {
        if matches!(role(name)?, PropertyRole::Root | PropertyRole::GameInfo | PropertyRole::Turn(_)) {
            return None;
        }
        let edit = match (name, property.values.as_slice()) {
            (b"KO" | b"DO" | b"IT", [value]) => Edit::delete(value.clone()),
            _ => Edit::delete(property.range.clone()),
        };
        Some(Fix::with_edit(Code::ValueType, edit).into_unsafe())
    }

    /// Removes the values of a list that are not points of the board. Only an empty value says
    /// nothing.
    fn without_values(&self, code: Code, property: &RawProperty, name: &[u8]) -> Option<Fix> {
        if !ValueForm::for_property(name).is_list() {
            return None;
        }
        let is_wrong = |range: &&Range<usize>| !self.is_on_board(name, self.value(range));
        let wrong: Vec<Range<usize>> = property.values.iter().filter(is_wrong).cloned().collect();
        let is_empty = wrong.iter().all(|value| self.value(value).trim_ascii().is_empty());
        Some(Fix::safe(code, removals(property, &wrong)?).unsafe_if(!is_empty))
    }

    /// Returns true if a value of a list names points of the board.
    fn is_on_board(&self, name: &[u8], value: &[u8]) -> bool {
        let is_point = |text: &[u8]| match text.trim_ascii() {
            &[column, row] => Point::from_sgf(column, row).is_some_and(|point| self.size.contains(point)),
            _ => false,
        };
        let parts = value.iter().position(|byte| *byte == b':').map(|colon| (&value[..colon], &value[colon + 1..]));
        match (name, parts) {
            (b"LB", Some((point, _))) => is_point(point),
            (b"LB" | b"AR" | b"LN", None) => false,
            (_, Some((first, last))) => is_point(first) && is_point(last),
            (_, None) => is_point(value),
        }
    }

    /// Removes values that occur earlier in the same list, and lines without length.
    fn without_repeated_values(&self, property: &RawProperty, name: &[u8]) -> Option<Fix> {
        let mut distinct: Vec<&[u8]> = Vec::new();
        let (mut repeated, mut is_lost) = (Vec::new(), false);
        for range in property.values.iter().take(MAX_VALUES) {
            let value = self.value(range).trim_ascii();
            let is_point = matches!(name, b"AR" | b"LN")
                && value
                    .iter()
                    .position(|byte| *byte == b':')
                    .is_some_and(|colon| value[..colon] == value[colon + 1..]);
            if distinct.contains(&value) || is_point {
                repeated.push(range.clone());
                is_lost |= is_point;
            } else {
                distinct.push(value);
            }
        }
        Some(Fix::safe(Code::RepeatedPoint, removals(property, &repeated)?).unsafe_if(is_lost))
    }

    /// Joins the values of a text with lines, and keeps one of equal values. Of others, the first
    /// stays.
    fn one_value(&self, property: &RawProperty, name: &[u8]) -> Option<Fix> {
        let (first, others) = property.values.split_first()?;
        let is_same = others.iter().all(|other| self.value(other).trim_ascii() == self.value(first).trim_ascii());
        if has_lines(name) && !is_same {
            let gaps = property.values.windows(2).map(|pair| Edit::replace(pair[0].end..pair[1].start, "\n"));
            return Some(Fix::safe(Code::SeveralValues, gaps.collect()));
        }
        let fix = Fix::with_edit(Code::SeveralValues, Edit::delete(first.end + 1..property.range.end));
        Some(fix.unsafe_if(!is_same))
    }

    /// Writes a date whose day comes first, as in Europe. The other order is possible.
    fn day_first(&self, property: &RawProperty) -> Option<Fix> {
        let [value] = property.values.as_slice() else { return None };
        let date = day_first(std::str::from_utf8(self.value(value)).ok()?)?;
        Some(Fix::with_edit(Code::DateForm, Edit::replace(value.clone(), date.iso())).into_unsafe())
    }

    /// Writes FF\[4\] for an unknown version. A number with blanks is known.
    fn known_format(&self, property: &RawProperty) -> Option<Fix> {
        let [value] = property.values.as_slice() else { return None };
        let number = self.value(value).trim_ascii();
        let is_known = matches!(number, b"1" | b"2" | b"3" | b"4");
        let new = if is_known { number } else { b"4" };
        Some(Fix::with_edit(Code::UnknownFormat, Edit::replace(value.clone(), new)).unsafe_if(!is_known))
    }

    /// Writes LB for L and MA for M, unless the node has both.
    fn current_property(&self, node: &NodeText, property: &RawProperty, name: &[u8]) -> Option<Fix> {
        let (current, values) = current_property(name, &self.values(property))?;
        if node.has(current.as_bytes()) || node.only_property(name).is_none() {
            return None;
        }
        let text = format!("{current}[{}]", values.join("]["));
        Some(Fix::with_edit(Code::ObsoleteProperty, Edit::replace(property.range.clone(), text)))
    }

    /// Writes KM for KI in the root, the komi in half points. The record then has a komi that it
    /// lacked before.
    fn komi(&self, node: &NodeText, property: &RawProperty) -> Option<Fix> {
        let [value] = property.values.as_slice() else { return None };
        let half_points: i16 = std::str::from_utf8(self.value(value)).ok()?.trim().parse().ok()?;
        if node.at != self.root.at || node.has(b"KM") || node.only_property(b"KI").is_none() {
            return None;
        }
        let text = format!("KM[{}]", HalfPoints(half_points.into()));
        Some(Fix::with_edit(Code::ObsoleteProperty, Edit::replace(property.range.clone(), text)).into_unsafe())
    }

    /// Deletes a property of the root or of the game from a later node if the root says the same.
    /// Game info that the root lacks is moved there.
    fn out_of_node(&self, code: Code, property: &RawProperty, name: &[u8]) -> Option<Fix> {
        let deletion = Edit::delete(property.range.clone());
        let trimmed = |property: &RawProperty| -> Vec<&[u8]> {
            self.values(property).into_iter().map(<[u8]>::trim_ascii).collect()
        };
        if let Some(of_root) = self.root.only_property(name) {
            // The value of these three decides how the whole record is read.
            let is_certain = !matches!(name, b"FF" | b"GM" | b"CA");
            let is_same = is_certain && trimmed(of_root) == trimmed(property);
            let fix = Fix::with_edit(code, deletion);
            return (is_same || code == Code::RootProperty).then(|| fix.unsafe_if(!is_same));
        }
        if code == Code::RootProperty || self.root.has(name) {
            return Some(Fix::with_edit(code, deletion).into_unsafe());
        }
        let place = place_in_root(self.bytes, self.root.at)?;
        let insertion = Edit::insert(place, self.bytes[property.range.clone()].to_vec());
        Some(Fix::safe(code, vec![insertion, deletion]).into_unsafe())
    }
}

/// The number of values of a list that are compared with each other.
const MAX_VALUES: usize = 400;

/// Keeps the first of the annotations of a node that exclude each other, and writes DO or IT for BM
/// with TE.
pub(super) fn without_conflict(node: &NodeText) -> Option<Fix> {
    const GROUPS: [[&[u8]; 4]; 2] = [[b"BM", b"DO", b"IT", b"TE"], [b"DM", b"GB", b"GW", b"UC"]];
    let mut edits: Vec<Edit> = Vec::new();
    for group in GROUPS {
        let is_in_group = |(_, name): &(&RawProperty, &Vec<u8>)| group.contains(&name.as_slice());
        let mut found = node.properties.iter().zip(&node.names).filter(is_in_group);
        let Some((first, name)) = found.next() else { continue };
        let others: Vec<(&RawProperty, &Vec<u8>)> = found.collect();
        edits.extend(others.iter().map(|(property, _)| Edit::delete(property.range.clone())));
        // FF[3] wrote a doubtful move as BM and TE, and an interesting one as TE and BM.
        let current = match (name.as_slice(), others.as_slice()) {
            (b"BM", [(_, other)]) if other.as_slice() == b"TE" => "DO[]",
            (b"TE", [(_, other)]) if other.as_slice() == b"BM" => "IT[]",
            _ => continue,
        };
        edits.push(Edit::replace(first.range.clone(), current));
    }
    edits.sort_by_key(|edit| edit.range.start);
    (!edits.is_empty()).then(|| Fix::safe(Code::AnnotationConflict, edits).into_unsafe())
}

/// Returns the deletions of some values of a property, or of the property if no value is left.
fn removals(property: &RawProperty, values: &[Range<usize>]) -> Option<Vec<Edit>> {
    if values.is_empty() {
        return None;
    }
    if values.len() == property.values.len() {
        return Some(vec![Edit::delete(property.range.clone())]);
    }
    Some(values.iter().map(|value| Edit::delete(value.start - 1..value.end + 1)).collect())
}
