//! Headers in nodes after the root: values that the root lacks, and roots of other games.

use std::borrow::Cow;
use std::ops::Range;

use crate::finding::Code;
use crate::header::root_property::{RootProperty, Storage};
use crate::record::header::parse_size;
use crate::record::nodes::{self, MainLine, Node};
use crate::record::property::Property;
use crate::record::reader::Reader;
use crate::sgf::tokens::lexer::capitals;
use crate::{RecordedResult, StepKind};

/// The maximum number of properties that a finding names.
const MAX_NAMES: usize = 8;
/// The number of steps that are searched for a turn.
const CHECKED_STEPS: usize = 64;

impl Reader<'_> {
    /// Reads the header in a node of the main line after the root. It adds values that no earlier
    /// node has: SGF allows a header in any one node, and programs write RE into the last one.
    pub(super) fn later_header(&mut self, offset: usize, body: &Range<usize>, properties: &[Property]) {
        let texts = properties.iter().filter_map(|property| match property {
            Property::Header(name, text) => Some((*name, Cow::from(text))),
            _ => None,
        });
        let texts: Vec<_> = texts.collect();
        if texts.is_empty() || self.lexer().completes_root(offset) || self.begins_other_game(offset, body.clone(), &[])
        {
            return;
        }
        if self.reading.record.header.dialect.is_none() && !self.has_turns() {
            let dialect = self.dialect.resolve(texts.iter().map(|(name, text)| (*name, &**text)));
            self.reading.record.header.dialect = dialect;
        }
        for (name, text) in texts {
            if self.lacks(name) {
                self.header_value(name, &text, offset);
                self.later_names.push(name);
            }
        }
    }

    /// Returns true if the header has no value of this property.
    fn lacks(&self, name: &str) -> bool {
        let header = &self.reading.record.header;
        match RootProperty::find(name.as_bytes()).map(|property| property.storage) {
            Some(Storage::Text(text)) => (text.get)(header).trim().is_empty(),
            Some(Storage::Komi) => header.komi.is_none(),
            Some(Storage::Handicap) => header.handicap.is_none(),
            Some(Storage::Result) => header.result_text.trim().is_empty(),
            Some(Storage::Size | Storage::Nowhere) | None => false,
        }
    }

    /// Reports a node after the root if its header contradicts the root, or if it has root
    /// properties and the names of players after the first turn. Returns true if it does.
    ///
    /// A variation may contradict the values of `other_names`, which another variation has.
    pub(super) fn begins_other_game(&mut self, offset: usize, body: Range<usize>, other_names: &[&str]) -> bool {
        if self.lexer().completes_root(offset) {
            return false;
        }
        let (properties, _) = nodes::properties(&self.lexer(), body);
        let (mut names, mut of_root, mut is_new) = (Vec::new(), Vec::new(), false);
        for property in &properties {
            let Some(value) = property.values.first() else { continue };
            let name = capitals(&self.bytes[property.identifier.clone()]);
            let value = String::from_utf8_lossy(&self.bytes[value.clone()]);
            let name = String::from_utf8_lossy(&name).into_owned();
            if !other_names.contains(&&*name) && self.contradicts_root(&name, value.trim()) {
                names.push(name);
            } else if matches!(&*name, "GM" | "FF" | "SZ") {
                of_root.push(name);
            } else {
                is_new |= matches!(&*name, "PB" | "PW") && !value.trim().is_empty() && self.lacks(&name);
            }
        }
        let begins_variation = self.bytes[..offset].trim_ascii_end().ends_with(b"(");
        let is_root = !begins_variation || of_root.len() > 1 && of_root.iter().any(|name| name == "GM");
        if is_new && is_root && self.has_turns() {
            names.append(&mut of_root);
        }
        if names.is_empty() {
            return false;
        }
        names.truncate(MAX_NAMES);
        let detail = format!("{} after the root: another game may begin here", names.join(", "));
        self.note(Code::MisplacedNode, offset, detail);
        self.reading.nodes.second_headers.push(offset);
        true
    }

    /// Returns true if a turn precedes the current node. Any game has one among its first steps.
    fn has_turns(&self) -> bool {
        let mut first_steps = self.reading.record.steps.iter().take(CHECKED_STEPS);
        first_steps.any(|step| matches!(step.kind, StepKind::Turn(..)))
    }

    /// Returns true if the root has another value of a property that identifies a game or its board.
    fn contradicts_root(&self, name: &str, value: &str) -> bool {
        let header = &self.reading.record.header;
        let differs = |text: &str| !text.trim().is_empty() && text.trim() != value;
        match name {
            _ if value.is_empty() => false,
            "PB" => differs(&header.black),
            "PW" => differs(&header.white),
            "EV" => differs(&header.event),
            "DT" => differs(&header.date),
            "RE" => differs(&header.result_text) && RecordedResult::parse(value) != header.result,
            "GM" => value.parse() != Ok(1),
            "SZ" => parse_size(value).is_none_or(|(size, _)| size != header.size),
            _ => false,
        }
    }

    /// Reads the headers of the nodes before the first turn.
    pub(super) fn read_early_headers(&mut self, nodes: MainLine) {
        let is_turn = |property: &Property| matches!(property, Property::Turn(..) | Property::InvalidTurn(..));
        for node in nodes {
            let Node::Other { offset, body, state } = node else { return };
            let properties = self.parse(offset, body.clone(), state);
            self.later_header(offset, &body, &properties);
            if self.is_at_end() || properties.iter().any(is_turn) {
                return;
            }
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
