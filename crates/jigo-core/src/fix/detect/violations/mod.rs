//! Fixes of violations of the standard (class F), in all variations, and of repeated properties in
//! variations.
//!
//! The check of conformance names the property or the node of each violation. In a record with
//! other damage, a misread property may look like a violation, so all these fixes are then unsafe.

mod node_text;
mod property_fix;
mod split_node;

use std::collections::HashMap;

use super::repeated;
use crate::fix::{Edit, Fix};
use jigo_record::Reading;
use jigo_record::conformance::{self, Scope};
use jigo_record::finding::{Code, Finding, Severity};
use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::Limits;
use jigo_record::sgf::tokens::ff4::is_obsolete;
use jigo_record::sgf::tokens::lexer::{Lexer, ScanBudget, ValueEnd};
use jigo_record::splitter::{Close, GameText};
use node_text::NodeText;
use property_fix::PropertyFixer;

/// Returns the fixes of all violations.
pub(in crate::fix) fn fixes(text: &GameText, decoded: &Decoded, reading: &Reading, limits: Limits) -> Vec<Fix> {
    let bytes = &*decoded.text;
    let violations = distinct_violations(text, bytes, reading, limits);
    if violations.is_empty() {
        return Vec::new();
    }
    let nodes = NodeText::all(bytes);
    let Some(root) = nodes.first() else { return Vec::new() };
    let fixer = PropertyFixer { bytes, root, size: reading.record.header.size };
    let is_damaged = text.close != Close::Parenthesis
        || reading.is_truncated
        || reading.findings.iter().any(|finding| finding.code.severity() == Severity::Error);
    let mut closings = None;
    let mut fixes = Vec::new();
    for Finding { code, place, .. } in &violations {
        let node = nodes.partition_point(|node| node.at <= place.offset).checked_sub(1).map(|index| &nodes[index]);
        let fix = match code {
            Code::EmptyVariation => empty_variation(bytes, place.offset).or_else(|| {
                let closings = closings.get_or_insert_with(|| closings_of_trees(bytes));
                outer_parentheses(bytes, place.offset, closings)
            }),
            Code::NewerProperty => current_version(&nodes),
            Code::UnknownCharset => charset(text, root),
            _ => node.filter(|node| place.offset < node.end).and_then(|node| {
                match code {
                    Code::SetupWithMove => split_node::fix(bytes, node),
                    Code::AnnotationConflict => property_fix::without_conflict(node),
                    Code::RepeatedProperty => repeated_property(bytes, node, place.offset),
                    _ => fixer.fix(*code, node, place.offset),
                }
                .map(|fix| fix.unsafe_if(!node.is_plain(bytes)))
            }),
        };
        let Some(fix) = fix else { continue };
        // In other charsets than UTF-8, only ASCII can be inserted.
        let is_encodable = |edit: &Edit| matches!(decoded.text, std::borrow::Cow::Borrowed(_)) || edit.text.is_ascii();
        if fix.edits.iter().all(is_encodable) {
            fixes.push(fix.unsafe_if(is_damaged));
        }
    }
    fixes.dedup_by(|second, first| second.code == first.code && second.edits == first.edits);
    fixes
}

/// Returns one violation of each code for each offset, in the order of the text.
fn distinct_violations(text: &GameText, bytes: &[u8], reading: &Reading, limits: Limits) -> Vec<Finding> {
    let mut violations = conformance::check(text, bytes, reading, Scope::Tree, limits);
    violations.sort_by_key(|finding| (finding.place.offset, finding.code as usize));
    violations.dedup_by_key(|finding| (finding.place.offset, finding.code));
    violations
}

/// Merges the properties of a node with the name of the one at `offset`, which is the second of
/// them. In a node with several turns, each may belong to another turn.
fn repeated_property(bytes: &[u8], node: &NodeText, offset: usize) -> Option<Fix> {
    let index = node.index_at(offset)?;
    let same = node.with_name(&node.names[index]);
    let turns = node.with_name(b"B").len() + node.with_name(b"W").len();
    if same.get(1) != Some(&index) || turns > 1 {
        return None;
    }
    repeated::fix(bytes, &node.properties, &node.names, same)
}

/// Deletes a variation without nodes.
fn empty_variation(bytes: &[u8], offset: usize) -> Option<Fix> {
    let blanks = bytes.get(offset + 1..)?.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let close = offset + 1 + blanks;
    let is_empty = bytes[offset] == b'(' && bytes.get(close) == Some(&b')');
    is_empty.then(|| Fix::with_edit(Code::EmptyVariation, Edit::delete(offset..close + 1)))
}

/// Deletes the parentheses around variations that have no node before them. `inner` is the first of
/// these variations.
fn outer_parentheses(bytes: &[u8], inner: usize, closings: &HashMap<usize, usize>) -> Option<Fix> {
    let open = bytes[..inner].iter().rposition(|byte| !byte.is_ascii_whitespace())?;
    let close = *closings.get(&open)?;
    // The outermost parentheses belong to the game.
    (open > 0).then(|| {
        let edits = [open, close].map(|offset| Edit::delete(offset..offset + 1));
        Fix::safe(Code::EmptyVariation, edits.into())
    })
}

/// Returns the `(` and the `)` of each tree that consists of trees only, up to the first damaged
/// value.
fn closings_of_trees(bytes: &[u8]) -> HashMap<usize, usize> {
    let scan_budget = ScanBudget::for_text(bytes.len());
    let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
    let (mut closings, mut offset) = (HashMap::new(), 0);
    // The open trees, and whether they have only trees so far.
    let mut open: Vec<(usize, bool)> = Vec::new();
    while let Some(&byte) = bytes.get(offset) {
        match (byte, open.last_mut()) {
            (b'(', _) => open.push((offset, true)),
            (b')', Some(_)) => {
                let tree = open.pop().filter(|(_, has_only_trees)| *has_only_trees);
                closings.extend(tree.map(|(start, _)| (start, offset)));
            }
            (_, Some((_, has_only_trees))) => *has_only_trees &= byte.is_ascii_whitespace(),
            _ => {}
        }
        if byte == b'[' {
            match lexer.first_value_end(offset) {
                ValueEnd::Closed(close, _) => offset = close,
                _ => return closings,
            }
        }
        offset += 1;
    }
    closings
}

/// Writes FF\[4\]. This is unsafe if the record has properties that FF\[4\] does not define.
fn current_version(nodes: &[NodeText]) -> Option<Fix> {
    let value = nodes.first()?.only_value(b"FF")?;
    let has_obsolete = nodes.iter().flat_map(|node| &node.names).any(|name| is_obsolete(name));
    Some(Fix::with_edit(Code::NewerProperty, Edit::replace(value, "4")).unsafe_if(has_obsolete))
}

/// Writes the charset in which the text is read into CA.
fn charset(text: &GameText, root: &NodeText) -> Option<Fix> {
    let name = if text.bytes.is_ascii() { "UTF-8" } else { text.charset.encoding.name() };
    let value = root.only_value(b"CA")?;
    Some(Fix::with_edit(Code::UnknownCharset, Edit::replace(value, name)).into_unsafe())
}
