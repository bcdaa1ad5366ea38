//! Fixes of repeated properties: lists and comments are joined; for others the first is kept.

use std::ops::Range;

use crate::fix::{Edit, Fix};
use jigo_record::finding::Code;
use jigo_record::record::nodes::RawProperty;
use jigo_record::sgf::ff4::ValueKind;

/// Returns one fix for each repeated property of a node for which `is_meant` is true.
pub(in crate::fix) fn fixes(
    bytes: &[u8],
    all: &[RawProperty],
    names: &[Vec<u8>],
    is_meant: impl Fn(&[u8]) -> bool,
) -> Vec<Fix> {
    let mut fixes = Vec::new();
    let mut order: Vec<usize> = (0..all.len()).filter(|index| !all[*index].values.is_empty()).collect();
    order.sort_by_key(|index| &names[*index]);
    for same in order.chunk_by(|one, other| names[*one] == names[*other]) {
        let name = names[same[0]].as_slice();
        if same.len() > 1 && !matches!(name, b"" | b"B" | b"W") && is_meant(name) {
            let same: Vec<&RawProperty> = same.iter().map(|index| &all[*index]).collect();
            fixes.extend(one_of(bytes, name, &same));
        }
    }
    fixes
}

/// Returns the fix of several properties with the same name, given in the order of the text.
fn one_of(bytes: &[u8], name: &[u8], same: &[&RawProperty]) -> Option<Fix> {
    let (first, others) = same.split_first()?;
    let values = |property: &RawProperty| property.values.iter().map(|value| &bytes[value.clone()]).collect::<Vec<_>>();
    let is_list = ValueKind::of(&String::from_utf8_lossy(name)).is_list();
    let is_blank = |property: &&RawProperty| values(property).iter().any(|value| value.trim_ascii().is_empty());
    if others.iter().all(|other| values(other) == values(first)) {
        return Some(Fix::safe(Code::RepeatedProperty, deleted(others)));
    }
    // A list without points removes marks.
    if is_list && !same.iter().any(is_blank) {
        return joined(bytes, same, "", |property| property.identifier.end..property.whole.end);
    }
    if name == b"C" && same.iter().all(|property| property.values.len() == 1) {
        return joined(bytes, same, "\n", |property| property.values[0].start..property.whole.end);
    }
    Some(Fix::safe(Code::RepeatedProperty, deleted(others)).into_unsafe())
}

fn deleted(properties: &[&RawProperty]) -> Vec<Edit> {
    properties.iter().map(|property| Edit::delete(property.whole.clone())).collect()
}

/// Appends `part` of each other property to the first one. All parts must have the same end.
fn joined(
    bytes: &[u8],
    same: &[&RawProperty],
    between: &str,
    part: impl Fn(&RawProperty) -> Range<usize>,
) -> Option<Fix> {
    let (first, others) = same.split_first()?;
    // A comment is extended before its bracket, and a list after it.
    let place = if between.is_empty() { first.whole.end } else { first.values.last()?.end };
    let mut moved = Vec::new();
    for other in others {
        let rest = &bytes[part(other)];
        moved.extend_from_slice(between.as_bytes());
        moved.extend_from_slice(if between.is_empty() { rest } else { rest.strip_suffix(b"]")? });
    }
    let text = |range: Range<usize>| String::from_utf8_lossy(&bytes[range]).into_owned();
    let before: String = same.iter().map(|property| text(property.whole.clone())).collect();
    let after = text(first.whole.start..place) + &String::from_utf8_lossy(&moved) + &text(place..first.whole.end);
    // Adjacent text stays in place. In charsets other than UTF-8 only ASCII text can be moved.
    let is_next = |pair: &[&RawProperty]| bytes[pair[0].whole.end..pair[1].whole.start].trim_ascii().is_empty();
    let edits = if same.windows(2).all(is_next) {
        let edits = same.windows(2).map(|pair| {
            let from = if between.is_empty() { pair[0].whole.end } else { pair[0].values[0].end };
            Edit::replace(from..part(pair[1]).start, between)
        });
        edits.collect()
    } else if moved.is_ascii() {
        let mut edits = vec![Edit::insert(place, moved)];
        edits.extend(deleted(others));
        edits
    } else {
        return None;
    };
    Some(Fix::safe(Code::RepeatedProperty, edits).with_texts(before, after))
}
