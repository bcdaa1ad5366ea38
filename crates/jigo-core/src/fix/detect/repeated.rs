//! Fixes of repeated properties: lists and comments are joined; for others the first is kept.

use std::collections::HashSet;
use std::ops::Range;

use crate::fix::{Edit, Fix};
use jigo_record::finding::Code;
use jigo_record::record::nodes::RawProperty;
use jigo_record::sgf::tokens::ff4::{ValueForm, is_setup, role};

/// Returns one fix for each repeated property of a node for which `is_fixable` is true.
pub(in crate::fix) fn fixes(
    bytes: &[u8],
    all: &[RawProperty],
    names: &[Vec<u8>],
    is_fixable: impl Fn(&[u8]) -> bool,
) -> Vec<Fix> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|index| &names[*index]);
    let repetitions = order.chunk_by(|first, second| names[*first] == names[*second]);
    let repetitions = repetitions.filter(|indexes| is_fixable(&names[indexes[0]]));
    repetitions.filter_map(|indexes| fix(bytes, all, names, indexes)).collect()
}

/// Returns the fix of the properties with these indexes, which have the same name.
pub(super) fn fix(bytes: &[u8], all: &[RawProperty], names: &[Vec<u8>], indexes: &[usize]) -> Option<Fix> {
    let indexes: Vec<usize> = indexes.iter().copied().filter(|index| !all[*index].values.is_empty()).collect();
    let name = names[*indexes.first()?].as_slice();
    if indexes.len() < 2 || matches!(name, b"" | b"B" | b"W") {
        return None;
    }
    let repetitions: Vec<&RawProperty> = indexes.iter().map(|index| &all[*index]).collect();
    let fix = merge_properties(bytes, name, &repetitions)?;
    // Stones of another colour may replace the first ones, and the last ones may replace them.
    let between = &names[indexes[0]..indexes[indexes.len() - 1]];
    Some(fix.unsafe_if(is_setup(name) && between.iter().any(|other| is_setup(other) && other != name)))
}

/// Returns the fix of several properties with the same name, given in the order of the text.
fn merge_properties(bytes: &[u8], name: &[u8], repetitions: &[&RawProperty]) -> Option<Fix> {
    let (first, others) = repetitions.split_first()?;
    let values = |property: &RawProperty| property.values.iter().map(|value| &bytes[value.clone()]).collect::<Vec<_>>();
    let is_list = ValueForm::for_property(name).is_list();
    let is_blank = |property: &&RawProperty| values(property).iter().any(|value| value.trim_ascii().is_empty());
    if others.iter().all(|other| values(other) == values(first)) {
        let fix = Fix::safe(Code::RepeatedProperty, delete_property(others));
        // Equal values of a private property may be several events, such as lines of a chat.
        return Some(fix.unsafe_if(role(name).is_none()));
    }
    // A list without points removes marks.
    if is_list && !repetitions.iter().any(is_blank) {
        return join_values(bytes, repetitions, "", |property| property.identifier.end..property.range.end);
    }
    if name == b"C" && repetitions.iter().all(|property| property.values.len() == 1) {
        return join_values(bytes, repetitions, "\n", |property| property.values[0].start..property.range.end);
    }
    Some(Fix::safe(Code::RepeatedProperty, delete_property(others)).into_unsafe())
}

fn delete_property(properties: &[&RawProperty]) -> Vec<Edit> {
    properties.iter().map(|property| Edit::delete(property.range.clone())).collect()
}

/// Appends `part` of each other property to the first one. All parts must have the same end.
/// Repeated values of a list are removed.
fn join_values(
    bytes: &[u8],
    repetitions: &[&RawProperty],
    separator: &str,
    part: impl Fn(&RawProperty) -> Range<usize>,
) -> Option<Fix> {
    let (first, others) = repetitions.split_first()?;
    let is_list = separator.is_empty();
    let repeated = if is_list { repeated_values(bytes, repetitions) } else { Vec::new() };
    // A comment is extended before its bracket, and a list after it.
    let place = if is_list { first.range.end } else { first.values.last()?.end };
    let mut moved = Vec::new();
    for other in others {
        moved.extend_from_slice(separator.as_bytes());
        let range = part(other);
        let rest = without(bytes, range.clone(), &repeated);
        moved.extend_from_slice(if is_list { &rest } else { rest.strip_suffix(b"]")? });
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let before: String = repetitions.iter().map(|property| text(&bytes[property.range.clone()])).collect();
    let head = without(bytes, first.range.start..place, &repeated);
    let new_text = text(&head) + &text(&moved) + &text(&bytes[place..first.range.end]);
    // Adjacent text stays in place. In charsets other than UTF-8 only ASCII text can be moved.
    let is_next = |pair: &[&RawProperty]| bytes[pair[0].range.end..pair[1].range.start].trim_ascii().is_empty();
    let mut edits: Vec<Edit> = repeated.iter().cloned().map(Edit::delete).collect();
    if repetitions.windows(2).all(is_next) {
        edits.extend(repetitions.windows(2).map(|pair| {
            let start = if is_list { pair[0].range.end } else { pair[0].values[0].end };
            Edit::replace(start..part(pair[1]).start, separator)
        }));
    } else if moved.is_ascii() {
        edits.retain(|edit| edit.range.end <= first.range.end);
        edits.push(Edit::insert(place, moved));
        edits.extend(delete_property(others));
    } else {
        return None;
    }
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    Some(Fix::safe(Code::RepeatedProperty, edits).with_texts(before, new_text))
}

/// Returns the ranges, with brackets, of values that occur earlier in the same list.
fn repeated_values(bytes: &[u8], repetitions: &[&RawProperty]) -> Vec<Range<usize>> {
    let mut distinct = HashSet::new();
    let values =
        repetitions.iter().flat_map(|property| property.values.iter().map(|value| (value, property.range.end)));
    values
        .filter(|(value, _)| !distinct.insert(bytes[(*value).clone()].trim_ascii()))
        .map(|(value, end)| value.start - 1..(value.end + 1).min(end))
        .collect()
}

/// Returns the bytes of a range without some ranges, which are in order and do not overlap.
fn without(bytes: &[u8], range: Range<usize>, removed: &[Range<usize>]) -> Vec<u8> {
    let mut remaining = Vec::with_capacity(range.len());
    let mut offset = range.start;
    let first = removed.partition_point(|removed| removed.start < range.start);
    for removed in removed[first..].iter().take_while(|removed| removed.end <= range.end) {
        remaining.extend_from_slice(&bytes[offset..removed.start]);
        offset = removed.end;
    }
    remaining.extend_from_slice(&bytes[offset..range.end]);
    remaining
}
