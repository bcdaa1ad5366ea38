//! Edits of root properties.

use jigo_record::record::nodes::{MainLine, Node, RawProperty, properties};
use jigo_record::sgf::tokens::lexer::{Lexer, capitals};
use jigo_record::sgf::tokens::scan_budget::ScanBudget;

use crate::fix::Edit;

/// The first node of a text.
pub(in crate::fix) struct Root {
    /// The offset of its `;`.
    offset: usize,
    pub(in crate::fix) properties: Vec<RawProperty>,
    /// The offset after the last property.
    pub(in crate::fix) end: usize,
}

impl Root {
    pub(in crate::fix) fn from_text(bytes: &[u8]) -> Option<Root> {
        let scan_budget = ScanBudget::for_text(bytes.len());
        let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
        let mut line = MainLine::from(lexer, 0);
        let root = line.next()?;
        let offset = root.offset();
        let body = match root {
            Node::Turn { offset, .. } => offset + 1..line.position(),
            Node::Other { body, .. } => body,
        };
        let (properties, _) = properties(&lexer, body.clone());
        let end = properties.last().map_or(body.start, |last| last.range.end);
        Some(Root { offset, properties, end })
    }
}

/// Sets a root property or inserts it. Returns `None` if it is repeated or has several values,
/// because the effective value is then unknown.
pub(in crate::fix) fn with_root_value(bytes: &[u8], identifier: &str, new: &str) -> Option<Edit> {
    let root = Root::from_text(bytes)?;
    let mut matching = root.properties.iter().filter(|property| name(bytes, property) == identifier.as_bytes());
    match (matching.next().map(|property| property.values.as_slice()), matching.next()) {
        (None, _) => Some(Edit::insert(place_in_root(bytes, root.offset)?, format!("{identifier}[{new}]"))),
        (Some([value]), None) => Some(Edit::replace(value.clone(), new)),
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
