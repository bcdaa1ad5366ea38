//! Conformance with SGF: checks of every property against the table of
//! [`ff4`](crate::sgf::tokens::ff4).
//!
//! The reader collects the nodes of the main line that have more than a turn, a sound clock and a
//! comment, and the properties of a root that it decoded in place. Only these are checked, so games
//! of servers cost almost nothing. The nodes after the main line belong to variations, which a
//! second walk checks.
//!
//! A violation that another finding reports is not repeated here. Records that declare FF\[1\] to
//! FF\[3\] are checked by the properties of their version; records without FF by FF\[4\], except
//! that properties of any version are allowed.
//!
//! Source: the specification of FF\[4\], <https://www.red-bean.com/sgf/sgf4.html>, and its
//! properties, <https://www.red-bean.com/sgf/properties.html>.

mod date_list;
mod declared;
mod node_check;
mod node_place;
mod plain_root;
mod point_list_check;
pub mod standard_value;
#[cfg(test)]
mod tests;
pub(crate) mod value_form;
mod variation_check;
mod violation;

use crate::finding::{Code, Finding};
use crate::record::Reading;
use crate::record::checked_nodes::NodeSpan;
use crate::record::nodes::{MainLine, Node, first_value, skipped_tree};
use crate::sgf::Limits;
use crate::sgf::tokens::lexer::Lexer;
use crate::splitter::{GameText, RecordKind};
use crate::{Coordinates, StepKind};
use declared::Declared;
pub use declared::Scope;
use node_check::NodeChecker;
use node_place::NodePlace;

/// Returns the violations of the standard in a game that `reading` contains. `bytes` is its decoded
/// text; offsets refer to it.
pub fn check(text: &GameText, bytes: &[u8], reading: &Reading, scope: Scope, limits: Limits) -> Vec<Finding> {
    if text.kind != RecordKind::default() || reading.unreadable.is_some() {
        return Vec::new();
    }
    let declared = Declared {
        size: reading.record.header.size,
        dialect: reading.record.header.dialect,
        version: declared_version(bytes, reading),
    };
    let plain_root = plain_root::has_game_info(bytes, &reading.nodes.root_properties, declared);
    let checks_variations = scope != Scope::Root && !reading.is_truncated && variation_check::exist(bytes, reading);
    if plain_root.is_some() && reading.nodes.is_only_root() && !declared.is_before_ff4() && !checks_variations {
        return Vec::new();
    }
    let mut checker = NodeChecker::new(bytes, declared, reading, limits);
    let first_info = main_line(&mut checker, reading, plain_root);
    if declared.is_before_ff4() {
        passes(&mut checker, reading);
    }
    let lexer = Lexer::utf8(bytes);
    for branch in [0].iter().chain(&reading.nodes.branches) {
        let next = lexer.skip_space(*branch + 1);
        if bytes.get(*branch) == Some(&b'(') && bytes.get(next) == Some(&b'(') && skipped_tree(&lexer, next).is_none() {
            checker.violate(Code::EmptyVariation, next, variation_check::NO_NODE.into());
        }
    }
    if checks_variations {
        variation_check::check(&mut checker, reading, scope, first_info, limits);
    }
    checker.into_findings()
}

/// Checks the collected nodes of the main line, except for a root that is already checked. Returns
/// the offset of the first one with game info.
fn main_line(checker: &mut NodeChecker, reading: &Reading, plain_root: Option<bool>) -> Option<usize> {
    let mut first_info = None;
    let mut turns_before = turns_before(reading);
    let mut notes: Vec<(usize, Code)> =
        reading.findings.iter().map(|finding| (finding.place.offset, finding.code)).collect();
    notes.sort_by_key(|(offset, _)| *offset);
    for &NodeSpan { offset, ref body, is_root } in &reading.nodes.spans {
        if let Some(has_game_info) = plain_root.filter(|_| is_root) {
            first_info = has_game_info.then_some(offset);
            continue;
        }
        let first_note = notes.partition_point(|(note, _)| *note < offset);
        let notes_end = notes.partition_point(|(note, _)| *note < body.end);
        let notes = &notes[first_note..notes_end];
        let codes = notes.iter().map(|(_, code)| *code).collect();
        let place = NodePlace { offset, is_root, is_read: true, has_earlier_info: first_info.is_some(), notes, codes };
        let first_violation = checker.violations();
        if checker.node(body.clone(), place).has_game_info {
            first_info.get_or_insert(offset);
        }
        checker.set_turn(first_violation, turns_before(offset + 1));
    }
    first_info
}

/// Returns a function from an offset on the main line to the number of turns before it. The offsets
/// must ascend.
fn turns_before(reading: &Reading) -> impl FnMut(usize) -> u32 {
    let mut steps = reading.record.steps.iter().peekable();
    let mut turns = 0;
    move |offset| {
        while let Some(step) = steps.next_if(|step| (step.offset as usize) < offset) {
            turns += u32::from(matches!(step.kind, StepKind::Turn(..)));
        }
        turns
    }
}

/// Reports passes without coordinates, which only FF\[4\] defines.
fn passes(checker: &mut NodeChecker, reading: &Reading) {
    let mut turns = 0;
    for step in &reading.record.steps {
        turns += u32::from(matches!(step.kind, StepKind::Turn(..)));
        if !matches!(step.kind, StepKind::Turn(_, Coordinates::Pass)) {
            continue;
        }
        let node = MainLine::from(Lexer::utf8(checker.bytes), step.offset as usize).next();
        if let Some(Node::Turn { offset, value, .. }) = node
            && value.is_empty()
        {
            let first = checker.violations();
            let detail = "a pass without coordinates, which only FF[4] defines; earlier versions have [tt]";
            checker.violate(Code::NewerProperty, offset, detail.into());
            checker.set_turn(first, turns);
        }
    }
}

/// Returns the version that the root declares, if it is one of FF\[1\] to FF\[4\].
fn declared_version(bytes: &[u8], reading: &Reading) -> Option<u8> {
    let value = if reading.nodes.root_properties.is_empty() {
        let root = reading.nodes.spans.iter().find(|span| span.is_root)?;
        first_value(bytes, root.body.clone(), b"FF")?
    } else {
        reading.nodes.root_properties.iter().find(|property| property.definition.name == "FF")?.value.clone()
    };
    let version = std::str::from_utf8(bytes[value].trim_ascii()).ok()?;
    version.parse().ok().filter(|version| (1..=4).contains(version))
}
