//! The normal form of a game's text.
//!
//! The text is traversed node by node, like in `record/variations.rs`. The record reader interprets
//! each node, so the normal form has the same meaning as the text. Memory is proportional to the
//! text, and there is no recursion.

use super::form::Form;
use super::left_out::LeftOut;
use super::marks::{Marks, is_counted};
use super::node_text::{mark, root, set_up, turn};
use super::properties::{NodePlace, Properties};
use super::tree::NodeTree;
use crate::finding::Code;
use crate::formats::decode::Decoded;
use crate::formats::decoded;
use crate::record::nodes::{MainLine, Node, NodeState, begins_property, bytes_before_root, empty_tree, lost_semicolon};
use crate::record::read::Reader;
use crate::sgf::Limits;
use crate::sgf::lexer::Lexer;
use crate::sgf::scan_budget::ScanBudget;
use crate::splitter::{Close, GameText};
use crate::{DialectChoice, Header, Reading, Step, StepKind, Unreadable};

/// A record in its normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text from its `(` to its `)`.
    pub text: String,
    /// The parts of the record that FF\[4\] can't represent or that are unreadable.
    pub left_out: LeftOut,
}

/// Findings about content that the normal form omits.
const LOST: [Code; 4] = [Code::UnreadableProperty, Code::UnreadableNode, Code::LongProperty, Code::TooManyPoints];

/// Returns the normal form of a game. `marks` adds the counted ending.
///
/// # Errors
///
/// Returns an error if the text has no game of Go.
pub fn normal(
    text: &GameText,
    dialect: DialectChoice,
    limits: Limits,
    form: Form,
    marks: Option<&Marks>,
) -> Result<Written, Unreadable> {
    if text.close == Close::Oversized {
        return Err(Unreadable::Oversized);
    }
    let decoded = decoded(text);
    if decoded.is_encrypted {
        return Err(Unreadable::Encrypted);
    }
    let bytes = &*decoded.text;
    let mut reading = Reading::default();
    let scan_budget = ScanBudget::for_text(bytes.len());
    let mut reader = Reader::new(bytes, &scan_budget, limits, &mut reading);
    reader.dialect = dialect;
    let mut traversal = Walk {
        lexer: reader.lexer(),
        reader,
        form,
        tree: NodeTree::default(),
        nodes: 0,
        open_trees: Vec::new(),
        last_node: None,
        counted: Vec::new(),
        left_out: form.left_out(),
        stray: Vec::new(),
    };
    add_decoding_losses(&decoded, &mut traversal.left_out);
    traversal.walk(limits);
    traversal.finish(marks)
}

/// Adds the parts of a record that were lost before the traversal.
fn add_decoding_losses(decoded: &Decoded, left_out: &mut LeftOut) {
    left_out.add_if(decoded.damaged.is_some() || decoded.cut.is_some(), "bytes that are no characters");
    for finding in &decoded.findings {
        match finding.code {
            Code::LeftOut => left_out.add(&finding.detail),
            Code::UnreadableLine => left_out.add(finding.code.name()),
            _ => {}
        }
    }
}

/// The state of the traversal.
struct Walk<'a> {
    reader: Reader<'a>,
    lexer: Lexer<'a>,
    form: Form,
    tree: NodeTree,
    nodes: u64,
    open_trees: Vec<OpenParenthesis>,
    /// The node to which the next one belongs.
    last_node: Option<usize>,
    /// Nodes that contain only an ending that jigo counted.
    counted: Vec<usize>,
    left_out: LeftOut,
    /// The text outside nodes, if the form keeps it.
    stray: Vec<u8>,
}

/// An open parenthesis.
struct OpenParenthesis {
    /// The node before it.
    parent: Option<usize>,
    has_nodes: bool,
}

impl Walk<'_> {
    fn walk(&mut self, limits: Limits) {
        let bytes = self.lexer.bytes;
        let mut offset = 0;
        while offset < bytes.len() && !self.reader.is_at_end() {
            let next = match bytes[offset] {
                b'(' if offset == 0 && lost_semicolon(bytes).is_some() => self.add_node(offset, limits),
                b'(' if empty_tree(&self.lexer, offset).is_some() => empty_tree(&self.lexer, offset),
                b'(' if self.lexer.opens_tree(offset) => self.open_tree(offset, limits),
                b')' if self.lexer.closes_tree(offset, self.open_trees.len()) => self.close_tree(offset),
                byte if byte == b';' || begins_property(&self.lexer, offset) => self.add_node(offset, limits),
                byte => {
                    self.add_stray_byte(byte);
                    Some(offset + 1)
                }
            };
            let Some(next) = next else { return };
            offset = next;
        }
        if self.reader.reading.is_truncated {
            self.left_out.add_text("the end of the record", || shown(&bytes[offset..]));
        }
    }

    /// Opens a tree at its `(`. Returns the next offset, or `None` at the maximum depth.
    fn open_tree(&mut self, offset: usize, limits: Limits) -> Option<usize> {
        let bytes = self.lexer.bytes;
        if self.open_trees.len() as u64 > limits.depth {
            self.left_out.add_text("variations beyond --max depth", || shown(&bytes[offset..]));
            return None;
        }
        self.open_trees.push(OpenParenthesis { parent: self.last_node, has_nodes: false });
        // Stray bytes before the root have no meaning.
        let stray_bytes = if offset == 0 { bytes_before_root(bytes) } else { None };
        Some(stray_bytes.map_or(offset + 1, |stray_bytes| stray_bytes.end))
    }

    /// Closes a tree at its `)`. Returns the next offset, or `None` at the end of the game.
    fn close_tree(&mut self, offset: usize) -> Option<usize> {
        if self.form.main_line {
            return None;
        }
        let OpenParenthesis { parent, has_nodes } = self.open_trees.pop()?;
        if !has_nodes && parent.is_some() {
            // The main line ends here, and FF[4] has no trees without nodes.
            self.tree.push(parent, ";");
        }
        self.last_node = parent;
        Some(offset + 1)
    }

    /// Adds the node at `offset`. Returns the next offset, or `None` if no node follows or at the
    /// maximum number of nodes.
    fn add_node(&mut self, offset: usize, limits: Limits) -> Option<usize> {
        self.nodes += 1;
        if self.nodes > limits.nodes {
            let bytes = self.lexer.bytes;
            self.left_out.add_text("nodes beyond --max nodes", || shown(&bytes[offset..]));
            return None;
        }
        let mut nodes = MainLine::from(self.lexer, offset);
        let node = nodes.next()?;
        if self.open_trees.is_empty() {
            self.open_trees.push(OpenParenthesis { parent: None, has_nodes: false });
        }
        let is_first = self.open_trees.last_mut().is_some_and(|tree| !std::mem::replace(&mut tree.has_nodes, true));
        let end = nodes.position();
        self.last_node = self.node(node, end, self.last_node, is_first);
        Some(end)
    }

    /// Adds a byte of text outside nodes.
    fn add_stray_byte(&mut self, byte: u8) {
        self.left_out.add_if(!byte.is_ascii_whitespace(), "text outside nodes");
        // An extra parenthesis carries no information.
        let is_kept = self.left_out.keeps_texts() && byte != b')' && !byte.is_ascii_whitespace();
        self.stray.extend(is_kept.then_some(byte));
    }

    /// Adds the counted ending and returns the written game.
    fn finish(self, marks: Option<&Marks>) -> Result<Written, Unreadable> {
        let Walk { mut tree, reader, form, counted, mut left_out, stray, .. } = self;
        left_out.keep_text(|| shown(&stray));
        let reading = reader.reading;
        if let Some(reason) = reading.unreadable {
            return Err(reason);
        }
        let end = tree.last_of_main_line();
        let end = end.unwrap_or_else(|| tree.push(None, &root(&Header::default(), &Properties::default(), form)));
        match marks {
            Some(marks) if counted.contains(&end) => tree.replace(end, &marks.node()),
            Some(marks) => {
                tree.push(Some(end), &marks.node());
            }
            None => {}
        }
        for finding in reading.findings.iter().filter(|finding| LOST.contains(&finding.code)) {
            left_out.add(finding.code.name());
        }
        Ok(Written { text: tree.text(form.is_pretty), left_out })
    }

    /// Writes a node's content as one or several nodes and returns the last of them. `end` is the
    /// offset after the node.
    fn node(&mut self, node: Node, end: usize, parent: Option<usize>, is_first: bool) -> Option<usize> {
        let is_root = self.reader.in_root;
        let mut others = self.read(node, end, is_root);
        let record = &mut self.reader.reading.record;
        let steps = std::mem::take(&mut record.steps);
        let setups = std::mem::take(&mut record.setups);
        let territory = record.territory.take();
        let is_counted = !is_root && steps.is_empty() && is_counted(&others);
        let mut text = String::new();
        if is_root {
            let turn_properties = others.take_of_turn();
            text = root(&record.header, &others, self.form);
            others = turn_properties;
        }
        if let Some(setup) = setups.first() {
            start(&mut text);
            set_up(setup, &mut text);
        }
        let last = self.turns(&steps, &others, &mut text, parent);
        if let Some(territory) = territory {
            start(&mut text);
            mark(&territory, &mut text);
        }
        self.reader.reading.record.unreadable.clear();
        if text.is_empty() && !is_first {
            return last;
        }
        start(&mut text);
        let node = self.tree.push(last, &text);
        self.counted.extend(is_counted.then_some(node));
        Some(node)
    }

    /// Reads a node into the record and returns the properties that the record does not store.
    fn read(&mut self, node: Node, end: usize, is_root: bool) -> Properties {
        let (body, is_closed) = match &node {
            Node::Turn { at, .. } => (at + 1..end, true),
            Node::Other { body, state, .. } => (body.clone(), *state != NodeState::Open),
        };
        let is_bare = matches!(node, Node::Turn { .. }) && body.len() == "B[dd]".len();
        if !(is_root && self.reader.plain_root().is_some()) {
            self.reader.read_node(node);
        }
        if is_bare {
            return Properties::default();
        }
        let header = &self.reader.reading.record.header;
        let max_property = self.reader.limits.property;
        let context = NodePlace { root: is_root.then_some(header), size: header.size, max_property, form: self.form };
        let others = Properties::from_node(&self.lexer, body, is_closed, context);
        self.left_out.append(&others.left_out);
        others
    }

    /// Writes the turns of a node. The last turn gets the node's other properties.
    ///
    /// `text` is the node under construction. Returns the last finished node.
    fn turns(
        &mut self,
        steps: &[Step],
        others: &Properties,
        text: &mut String,
        parent: Option<usize>,
    ) -> Option<usize> {
        let turns = steps.iter().filter_map(|step| match step.kind {
            StepKind::Turn(color, coordinates) => Some((color, coordinates)),
            StepKind::Setup(_) => None,
        });
        let (mut last, mut has_turn) = (parent, false);
        for (color, coordinates) in turns {
            // Two turns need two nodes, and so do setup and a turn.
            if !text.is_empty() {
                last = Some(self.tree.push(last, text));
                text.clear();
            }
            text.push(';');
            text.push_str(&turn(&self.reader.reading.record, color, coordinates));
            has_turn = true;
        }
        if has_turn || !others.is_empty() {
            start(text);
            others.write("", text);
        }
        last
    }
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Begins a node if `text` is empty.
fn start(text: &mut String) {
    if text.is_empty() {
        text.push(';');
    }
}
