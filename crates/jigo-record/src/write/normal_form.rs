//! The normal form of a game's text.
//!
//! The text is traversed node by node, like in `record/variations.rs`. The record reader interprets
//! each node, so the normal form has the same meaning as the text. Memory is proportional to the
//! text, and nothing recurses.

use super::marks::{Marks, is_counted_ending};
use super::node_properties::{NodeContext, NodeProperties};
use super::node_text::{root_text, turn_text, write_setup, write_territory};
use super::omissions::{Omissions, WriteOptions};
use super::tree::NodeTree;
use crate::finding::Code;
use crate::formats::decode::Decoded;
use crate::formats::decoded;
use crate::record::nodes::{Event, Node, NodeState, Tape};
use crate::record::reader::Reader;
use crate::sgf::Limits;
use crate::sgf::tokens::lexer::{Lexer, ScanBudget};
use crate::splitter::{Close, GameText};
use crate::{DialectChoice, Header, Reading, Step, StepKind, Unreadable};

/// A record in its normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalForm {
    /// The text from its `(` to its `)`.
    pub text: String,
    /// The parts of the record that FF\[4\] can't represent or that are unreadable.
    pub omissions: Omissions,
    /// The offset in the text in UTF-8 from which on nothing was read because of a limit.
    pub limit_offset: Option<usize>,
}

/// Findings about content that the normal form omits.
const OMISSION_CODES: [Code; 4] =
    [Code::UnreadableProperty, Code::UnreadableNode, Code::LongProperty, Code::TooManyPoints];

/// Returns the normal form of a game. `marks` adds the counted ending.
///
/// # Errors
///
/// Returns an error if the text has no game of Go.
pub fn normal_form(
    text: &GameText,
    dialect: DialectChoice,
    limits: Limits,
    options: WriteOptions,
    marks: Option<&Marks>,
) -> Result<NormalForm, Unreadable> {
    if text.close == Close::Oversized {
        return Err(Unreadable::Oversized);
    }
    let decoded = decoded(text);
    if let Some(reason) = decoded.unreadable {
        return Err(reason);
    }
    let bytes = &*decoded.text;
    let mut reading = Reading::default();
    let scan_budget = ScanBudget::for_text(bytes.len());
    let mut reader = Reader::new(bytes, &scan_budget, limits, &mut reading);
    reader.dialect = dialect;
    let mut traversal = Traversal {
        lexer: reader.lexer(),
        reader,
        options,
        tree: NodeTree::default(),
        nodes: 0,
        open_trees: Vec::new(),
        last_node: None,
        counted_nodes: Vec::new(),
        omissions: options.empty_omissions(),
        limit_offset: None,
        stray: Vec::new(),
    };
    add_decoding_losses(&decoded, &mut traversal.omissions);
    traversal.visit_nodes(limits);
    traversal.finish(marks)
}

/// Adds the parts of a record that were lost before the traversal.
fn add_decoding_losses(decoded: &Decoded, omissions: &mut Omissions) {
    omissions.add_if(decoded.damaged_offset.is_some() || decoded.cut_offset.is_some(), "bytes that are no characters");
    for finding in &decoded.findings {
        match finding.code {
            Code::LeftOut => omissions.add(&finding.detail),
            Code::UnreadableLine => omissions.add(finding.code.name()),
            _ => {}
        }
    }
}

/// The state of the traversal.
struct Traversal<'a> {
    reader: Reader<'a>,
    lexer: Lexer<'a>,
    options: WriteOptions,
    tree: NodeTree,
    nodes: u64,
    open_trees: Vec<OpenParenthesis>,
    /// The node to which the next one belongs.
    last_node: Option<usize>,
    /// Nodes that contain only an ending that jigo counted.
    counted_nodes: Vec<usize>,
    omissions: Omissions,
    limit_offset: Option<usize>,
    /// The text outside nodes, if the options keep it.
    stray: Vec<u8>,
}

/// An open parenthesis.
struct OpenParenthesis {
    /// The node before it.
    parent: Option<usize>,
    has_nodes: bool,
    has_trees: bool,
}

impl Traversal<'_> {
    fn visit_nodes(&mut self, limits: Limits) {
        let bytes = self.lexer.bytes;
        let mut tape = Tape::new(self.lexer);
        while !self.reader.is_at_end()
            && let Some(event) = tape.next()
        {
            let can_continue = match event {
                Event::Open(offset) => self.open_tree(offset, limits),
                Event::Close(_) => self.close_tree(),
                Event::Node(node) => self.add_node(node, tape.position(), limits),
                Event::EmptyTree(_) => true,
                Event::Diagram(offset) => {
                    let text = &bytes[offset..tape.position()];
                    self.omissions.add_text("a diagram that begins again at turn 1", || lossy_text(text));
                    true
                }
                Event::Stray(offset) => {
                    self.add_stray_byte(bytes[offset]);
                    true
                }
            };
            if !can_continue {
                return;
            }
        }
        if self.reader.reading.is_truncated {
            self.omissions.add_text("the end of the record", || lossy_text(&bytes[tape.position()..]));
        }
    }

    /// Opens a tree at its `(`. Returns false at the maximum depth.
    fn open_tree(&mut self, offset: usize, limits: Limits) -> bool {
        let bytes = self.lexer.bytes;
        if self.open_trees.len() as u64 > limits.depth {
            self.omissions.add_text("variations beyond --max depth", || lossy_text(&bytes[offset..]));
            self.limit_offset = Some(offset);
            return false;
        }
        if let Some(outer) = self.open_trees.last_mut() {
            outer.has_trees = true;
        }
        self.open_trees.push(OpenParenthesis { parent: self.last_node, has_nodes: false, has_trees: false });
        true
    }

    /// Closes a tree. Returns false at the end of the game.
    fn close_tree(&mut self) -> bool {
        if self.options.is_main_line_only {
            return false;
        }
        let Some(OpenParenthesis { parent, has_nodes, has_trees }) = self.open_trees.pop() else { return false };
        if !has_nodes && !has_trees && parent.is_some() {
            // The main line ends here, and FF[4] has no trees without nodes. Trees within a tree
            // without nodes belong to the node before it.
            self.tree.push(parent, ";");
        }
        self.last_node = parent;
        true
    }

    /// Adds a node, which ends at `end`. Returns false at the maximum number of nodes.
    fn add_node(&mut self, node: Node, end: usize, limits: Limits) -> bool {
        self.nodes += 1;
        if self.nodes > limits.nodes {
            let bytes = self.lexer.bytes;
            self.omissions.add_text("nodes beyond --max nodes", || lossy_text(&bytes[node.offset()..]));
            self.limit_offset = Some(node.offset());
            return false;
        }
        if self.open_trees.is_empty() {
            self.open_trees.push(OpenParenthesis { parent: None, has_nodes: false, has_trees: false });
        }
        let is_first = self.open_trees.last_mut().is_some_and(|tree| !std::mem::replace(&mut tree.has_nodes, true));
        self.last_node = self.write_node(node, end, self.last_node, is_first);
        true
    }

    /// Adds a byte of text outside nodes.
    fn add_stray_byte(&mut self, byte: u8) {
        self.omissions.add_if(!byte.is_ascii_whitespace(), "text outside nodes");
        // An extra parenthesis carries no information.
        let is_stray = self.omissions.keeps_texts() && byte != b')' && !byte.is_ascii_whitespace();
        self.stray.extend(is_stray.then_some(byte));
    }

    /// Adds the counted ending and returns the written game.
    fn finish(self, marks: Option<&Marks>) -> Result<NormalForm, Unreadable> {
        let Traversal { mut tree, reader, options, counted_nodes, mut omissions, limit_offset, stray, .. } = self;
        omissions.keep_text(|| lossy_text(&stray));
        let reading = reader.reading;
        if let Some(reason) = reading.unreadable {
            return Err(reason);
        }
        let end = tree.last_main_line_node();
        let end =
            end.unwrap_or_else(|| tree.push(None, &root_text(&Header::default(), &NodeProperties::default(), options)));
        match marks {
            Some(marks) if counted_nodes.contains(&end) => tree.replace(end, &marks.node()),
            Some(marks) => {
                tree.push(Some(end), &marks.node());
            }
            None => {}
        }
        for finding in reading.findings.iter().filter(|finding| OMISSION_CODES.contains(&finding.code)) {
            omissions.add(finding.code.name());
        }
        Ok(NormalForm { text: tree.text(options.is_pretty), omissions, limit_offset })
    }

    /// Writes a node's content as one or several nodes and returns the last of them. `end` is the
    /// offset after the node.
    fn write_node(&mut self, node: Node, end: usize, parent: Option<usize>, is_first: bool) -> Option<usize> {
        let is_root = self.reader.in_root;
        let mut others = self.read_node(node, end, is_root);
        let record = &mut self.reader.reading.record;
        let steps = std::mem::take(&mut record.steps);
        let setups = std::mem::take(&mut record.setups);
        let territory = record.territory.take();
        let is_counted_node = !is_root && steps.is_empty() && is_counted_ending(&others);
        let mut text = String::new();
        if is_root {
            let turn_properties = others.take_turn_properties();
            text = root_text(&record.header, &others, self.options);
            others = turn_properties;
        }
        let has_setup = steps.first().is_some_and(|step| matches!(step.kind, StepKind::Setup(_)));
        let (first, after_turns) = setups.split_at(usize::from(has_setup));
        if let Some(setup) = first.first() {
            begin_node(&mut text);
            write_setup(setup, &mut text);
        }
        let mut last = self.write_turns(&steps, &others, &mut text, parent);
        if let Some(setup) = after_turns.first() {
            last = Some(self.tree.push(last, &text));
            text = String::from(";");
            write_setup(setup, &mut text);
        }
        if let Some(territory) = territory {
            begin_node(&mut text);
            write_territory(&territory, &mut text);
        }
        self.reader.reading.record.unreadable.clear();
        if text.is_empty() && !is_first {
            return last;
        }
        begin_node(&mut text);
        let node = self.tree.push(last, &text);
        self.counted_nodes.extend(is_counted_node.then_some(node));
        Some(node)
    }

    /// Reads a node into the record and returns the properties that the record does not store.
    fn read_node(&mut self, node: Node, end: usize, is_root: bool) -> NodeProperties {
        let (body, is_closed) = match &node {
            Node::Turn { offset, .. } => (offset + 1..end, true),
            Node::Other { body, state, .. } => (body.clone(), *state != NodeState::Open),
        };
        let is_only_turn = matches!(node, Node::Turn { .. }) && body.len() == "B[dd]".len();
        if !(is_root && self.reader.read_standard_root().is_some()) {
            self.reader.read_node(node);
        }
        if is_only_turn {
            return NodeProperties::default();
        }
        let header = &self.reader.reading.record.header;
        let max_property = self.reader.limits.property;
        let (bytes, root, options) = (self.lexer.bytes, is_root.then_some(header), self.options);
        let context = NodeContext { bytes, root, size: header.size, max_property, options };
        let others = NodeProperties::from_node(&self.lexer, body, is_closed, context);
        self.omissions.append(&others.omissions);
        others
    }

    /// Writes the turns of a node. The last turn gets the node's other properties.
    ///
    /// `text` is the node under construction. Returns the last finished node.
    fn write_turns(
        &mut self,
        steps: &[Step],
        others: &NodeProperties,
        text: &mut String,
        parent: Option<usize>,
    ) -> Option<usize> {
        let (mut last, mut has_turn) = (parent, false);
        for (color, coordinates) in steps.iter().filter_map(Step::turn) {
            // Two turns need two nodes, and so do setup and a turn.
            if !text.is_empty() {
                last = Some(self.tree.push(last, text));
                text.clear();
            }
            text.push(';');
            text.push_str(&turn_text(&self.reader.reading.record, color, coordinates));
            has_turn = true;
        }
        if has_turn || !others.is_empty() {
            begin_node(text);
            others.write("", text);
        }
        last
    }
}

fn lossy_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Begins a node if `text` is empty.
fn begin_node(text: &mut String) {
    if text.is_empty() {
        text.push(';');
    }
}
