//! The nodes of a text with their properties.

use std::cell::OnceCell;
use std::ops::Range;

use crate::fix::detect::root_edits::{is_plain_node, name};
use jigo_record::record::nodes::{RawProperty, properties};
use jigo_record::sgf::tokens::lexer::{Lexer, Oddity, ScanBudget, ValueEnd};

/// A node of any variation.
pub(super) struct NodeText {
    /// The offset of its `;`.
    pub at: usize,
    /// The offset after it.
    pub end: usize,
    pub properties: Vec<RawProperty>,
    /// The names of the properties in capitals.
    pub names: Vec<Vec<u8>>,
    /// The indexes of the properties, sorted by their names.
    by_name: Vec<usize>,
    /// True if the node follows the grammar of FF\[4\]; empty if nothing depended on it.
    is_plain: OnceCell<bool>,
}

impl NodeText {
    /// Returns the nodes of a text up to the first damaged value.
    pub(super) fn all(bytes: &[u8]) -> Vec<NodeText> {
        let scan_budget = ScanBudget::for_text(bytes.len());
        let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
        let mut nodes = Vec::new();
        let (mut offset, mut open) = (0, None);
        while let Some(&byte) = bytes.get(offset) {
            match byte {
                b';' | b'(' | b')' => {
                    nodes.extend(open.take().map(|at| NodeText::new(&lexer, at, offset)));
                    open = (byte == b';').then_some(offset);
                }
                b'[' => match lexer.first_value_end(offset) {
                    ValueEnd::Closed(close, Oddity::None) => offset = close,
                    _ => return nodes,
                },
                _ => {}
            }
            offset += 1;
        }
        nodes
    }

    fn new(lexer: &Lexer, at: usize, end: usize) -> NodeText {
        let (properties, _) = properties(lexer, at + 1..end);
        let names: Vec<Vec<u8>> = properties.iter().map(|property| name(lexer.bytes, property)).collect();
        let mut by_name: Vec<usize> = (0..names.len()).collect();
        by_name.sort_by_key(|index| &names[*index]);
        NodeText { at, end, properties, names, by_name, is_plain: OnceCell::new() }
    }

    /// Returns true if the node follows the grammar of FF\[4\].
    pub(super) fn is_plain(&self, bytes: &[u8]) -> bool {
        *self.is_plain.get_or_init(|| is_plain_node(bytes, self.at + 1..self.end))
    }

    /// Returns the index of the property that begins at an offset.
    pub(super) fn index_at(&self, offset: usize) -> Option<usize> {
        let index = self.properties.binary_search_by_key(&offset, |property| property.range.start).ok()?;
        (!self.properties[index].values.is_empty()).then_some(index)
    }

    /// Returns the indexes of the properties with this name.
    pub(super) fn with_name(&self, name: &[u8]) -> &[usize] {
        let start = self.by_name.partition_point(|index| self.names[*index].as_slice() < name);
        let rest = &self.by_name[start..];
        &rest[..rest.partition_point(|index| self.names[*index] == name)]
    }

    /// Returns the only property with this name.
    pub(super) fn only_property(&self, name: &[u8]) -> Option<&RawProperty> {
        match self.with_name(name) {
            [index] => Some(&self.properties[*index]),
            _ => None,
        }
    }

    /// Returns the only value of the only property with this name.
    pub(super) fn only_value(&self, name: &[u8]) -> Option<Range<usize>> {
        match self.only_property(name)?.values.as_slice() {
            [value] => Some(value.clone()),
            _ => None,
        }
    }

    /// Returns true if a property has this name.
    pub(super) fn has(&self, name: &[u8]) -> bool {
        !self.with_name(name).is_empty()
    }
}
