//! Headers in nodes after the root, which may be roots of other games.

use std::ops::Range;

use crate::finding::Code;
use crate::record::nodes;
use crate::record::reader::Reader;
use crate::sgf::tokens::lexer::capitals;

/// The maximum number of properties that a finding names.
const MAX_NAMES: usize = 8;

impl Reader<'_> {
    /// Reports a header in a node after the root.
    ///
    /// Variations may have a header if the root has none, and some programs write properties of
    /// roots into them.
    pub(super) fn second_header(&mut self, offset: usize, body: Range<usize>) {
        if self.lexer().completes_root(offset) {
            return;
        }
        let (properties, _) = nodes::properties(&self.lexer(), body);
        let header = &self.reading.record.header;
        let of_root = |name: &[u8]| match name {
            b"PB" => Some(&header.black),
            b"PW" => Some(&header.white),
            b"EV" => Some(&header.event),
            b"RE" => Some(&header.result_text),
            b"DT" => Some(&header.date),
            _ => None,
        };
        let root_has_header = [&b"PB"[..], b"PW", b"EV", b"RE", b"DT"]
            .iter()
            .any(|name| of_root(name).is_some_and(|text| !text.is_empty()));
        let (mut names, mut of_board) = (Vec::new(), Vec::new());
        for property in &properties {
            let name = capitals(&self.bytes[property.identifier.clone()]);
            let value = property.values.first().map_or(&b""[..], |value| self.bytes[value.clone()].trim_ascii());
            let is_other = |text: &String| !value.is_empty() && value != text.trim().as_bytes();
            if root_has_header && of_root(&name).is_some_and(is_other) {
                names.push(String::from_utf8_lossy(&name).into_owned());
            } else if matches!(&*name, b"GM" | b"FF" | b"SZ") {
                of_board.push(String::from_utf8_lossy(&name).into_owned());
            }
        }
        let begins_variation = self.bytes[..offset].trim_ascii_end().ends_with(b"(");
        if !begins_variation || of_board.len() > 1 && of_board.iter().any(|name| name == "GM") {
            names.append(&mut of_board);
        }
        if !names.is_empty() {
            names.truncate(MAX_NAMES);
            let detail = format!("{} after the root: another game may begin here", names.join(", "));
            self.note(Code::MisplacedNode, offset, detail);
            self.reading.nodes.second_headers.push(offset);
        }
    }

    /// Reports a setup after the `)` at `offset`, after which the main line continues. Another game
    /// may begin there.
    pub(super) fn setup_after_end(&mut self, offset: usize) {
        let is_gap = |byte: &u8| byte.is_ascii_whitespace() || *byte == b')';
        let next = offset + self.bytes[offset..].iter().take_while(|byte| is_gap(byte)).count();
        let lexer = self.lexer();
        let begins_with_turn = lexer.begins_node(next).is_none_or(|name| matches!(&*capitals(name), b"B" | b"W"));
        if !begins_with_turn && lexer.has_any_name(next, &[b"AB", b"AW"]) {
            self.note(Code::MisplacedNode, next, "a setup after the end of the game: another game may begin here");
        }
    }
}
