//! Edits of root properties.

use jigo_record::record::nodes::{MainLine, Node, RawProperty, properties};
use jigo_record::sgf::tokens::lexer::{Lexer, capitals};
use jigo_record::sgf::tokens::scan_budget::ScanBudget;

use crate::fix::Edit;

/// Sets a root property or inserts it. Returns `None` if it is repeated or has several values,
/// because the effective value is then unknown.
pub(in crate::fix) fn with_root_value(bytes: &[u8], identifier: &str, new: &str) -> Option<Edit> {
    let scan_budget = ScanBudget::for_text(bytes.len());
    let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
    let root = MainLine::from(lexer, 0).next()?;
    let all = match &root {
        Node::Turn { .. } => Vec::new(),
        Node::Other { body, .. } => properties(&lexer, body.clone()).0,
    };
    let matching: Vec<&RawProperty> =
        all.iter().filter(|property| name(bytes, property) == identifier.as_bytes()).collect();
    match matching.as_slice() {
        [] => Some(Edit::insert(place_in_root(bytes, root.offset())?, format!("{identifier}[{new}]"))),
        [single] if single.values.len() == 1 => Some(Edit::replace(single.values[0].clone(), new)),
        _ => None,
    }
}

/// The usual beginning of a root.
const GAME: &[u8] = b"GM[1]";

/// Returns the offset for a new property in a root whose `;` is at `offset`.
///
/// It is after a leading GM, which identifies the start of a game in damaged text. Returns `None`
/// before a value without a name, which would become a value of the new property.
pub(in crate::fix) fn place_in_root(bytes: &[u8], offset: usize) -> Option<usize> {
    let rest = bytes.get(offset..)?.strip_prefix(b";")?;
    let place = offset + 1 + if rest.starts_with(GAME) { GAME.len() } else { 0 };
    (bytes.get(Lexer::utf8(bytes).skip_space(place)) != Some(&b'[')).then_some(place)
}

/// Returns the significant letters of an identifier in capitals.
pub(in crate::fix) fn name(bytes: &[u8], property: &RawProperty) -> Vec<u8> {
    capitals(&bytes[property.identifier.clone()]).into_owned()
}

/// Returns true if an identifier contains the word "size".
pub(super) fn has_size(identifier: &[u8]) -> bool {
    identifier.to_ascii_lowercase().windows(4).any(|word| word == b"size")
}
