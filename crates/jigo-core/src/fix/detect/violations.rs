//! Fixes of violations of the standard (class F), in all variations, and of repeated properties in
//! variations.
//!
//! The check of conformance names the property or the node of each violation. In a record with
//! other damage, a misread property may look like a violation, so all these fixes are then unsafe.

mod node_text;
mod property_fix;
mod split_node;

use super::charset_doubt::CharsetDoubt;
use super::repeated;
use crate::fix::{Edit, Fix};
use jigo_record::Reading;
use jigo_record::conformance::{self, Scope};
use jigo_record::finding::{Code, Finding, Severity};
use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::Limits;
use jigo_record::sgf::tokens::ff4::is_obsolete;
use jigo_record::sgf::tokens::lexer::{Lexer, ValueEnd};
use jigo_record::sgf::tokens::scan_budget::ScanBudget;
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
    let is_doubtful = CharsetDoubt::assess(text, decoded).exists();
    let mut fixes = Vec::new();
    for Finding { code, place, .. } in &violations {
        let node = nodes.partition_point(|node| node.at <= place.offset).checked_sub(1).map(|index| &nodes[index]);
        let fix = match code {
            Code::EmptyVariation => {
                empty_variation(bytes, place.offset).or_else(|| outer_parentheses(bytes, place.offset))
            }
            Code::NewerProperty => current_version(&nodes),
            Code::UnknownCharset => charset(text, root),
            _ => node.filter(|node| place.offset < node.end).and_then(|node| match code {
                Code::SetupWithMove => split_node::fix(bytes, node),
                Code::AnnotationConflict => property_fix::without_conflict(node),
                Code::RepeatedProperty => repeated_property(bytes, node, place.offset),
                _ => fixer.fix(*code, node, place.offset),
            }),
        };
        let Some(fix) = fix else { continue };
        let is_ascii = |edit: &Edit| edit.text.is_ascii() && bytes[edit.range.clone()].is_ascii();
        // In other charsets than UTF-8, only ASCII can be inserted.
        let is_encodable = |edit: &Edit| matches!(decoded.text, std::borrow::Cow::Borrowed(_)) || edit.text.is_ascii();
        if fix.edits.iter().all(is_encodable) {
            let is_in_doubt = is_damaged || is_doubtful && !fix.edits.iter().all(is_ascii);
            fixes.push(fix.unsafe_if(is_in_doubt));
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
    let name = &node.names[index];
    let is_second = node.names[..index].iter().filter(|earlier| *earlier == name).count() == 1;
    let turns = node.names.iter().filter(|name| matches!(name.as_slice(), b"B" | b"W")).count();
    if !is_second || turns > 1 {
        return None;
    }
    repeated::fixes(bytes, &node.properties, &node.names, |other| other == name.as_slice()).pop()
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
fn outer_parentheses(bytes: &[u8], inner: usize) -> Option<Fix> {
    let open = bytes[..inner].iter().rposition(|byte| !byte.is_ascii_whitespace())?;
    let close = end_of_trees(bytes, inner)?;
    // The outermost parentheses belong to the game.
    (open > 0 && bytes[open] == b'(').then(|| {
        let edits = [open, close].map(|offset| Edit::delete(offset..offset + 1));
        Fix::safe(Code::EmptyVariation, edits.into())
    })
}

/// Returns the offset of the `)` after the trees that begin at `start`, if only trees precede it.
fn end_of_trees(bytes: &[u8], start: usize) -> Option<usize> {
    let scan_budget = ScanBudget::for_text(bytes.len());
    let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
    let (mut offset, mut depth) = (start, 0_usize);
    while let Some(&byte) = bytes.get(offset) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(offset),
            b')' => depth -= 1,
            _ if depth == 0 && !byte.is_ascii_whitespace() => return None,
            b'[' => match lexer.first_value_end(offset) {
                ValueEnd::Closed(close, _) => offset = close,
                _ => return None,
            },
            _ => {}
        }
        offset += 1;
    }
    None
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
