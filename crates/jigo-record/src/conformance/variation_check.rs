//! Checks of the nodes after the main line.

use std::ops::Range;

use super::declared::Scope;
use super::node_check::NodeChecker;
use super::node_place::{Kinds, NodePlace};
use super::turns_before;
use crate::finding::{Code, CodeSet};
use crate::record::Reading;
use crate::record::nodes::{Event, Node, NodeState, Tape};
use crate::sgf::Limits;
use crate::sgf::tokens::lexer::{Lexer, ScanBudget};

/// A variation: an open parenthesis and its nodes.
struct TreeState {
    /// The index of the tree that it branches off.
    parent: u32,
    /// Its number among the children of the parent, from 1.
    child: u32,
    /// The number of its children.
    children: u32,
    /// The turns before it.
    turns: u32,
    /// True if a node before it has game info.
    has_info: bool,
}

/// The longest path of a variation, in branches.
const MAX_PATH: usize = 1000;

/// Returns true if something follows the main line. Nearly all games have no variation, so only
/// their last parenthesis follows.
pub(super) fn exist(bytes: &[u8], reading: &Reading) -> bool {
    let rest = bytes.get(reading.nodes.end..).unwrap_or_default();
    !rest.iter().all(|byte| matches!(byte, b')' | b' ' | b'\r' | b'\n'))
}

/// Checks all nodes after the main line. `first_info` is the first node of the main line with game
/// info.
pub(super) fn check(
    checker: &mut NodeChecker,
    reading: &Reading,
    scope: Scope,
    first_info: Option<usize>,
    limits: Limits,
) {
    let bytes = checker.bytes;
    let scan_budget = ScanBudget::for_text(bytes.len());
    let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
    let mut trees = vec![TreeState { parent: 0, child: 1, children: 0, turns: 0, has_info: false }];
    let mut turns_before = turns_before(reading);
    for offset in &reading.nodes.branches {
        let parent = trees.len() - 1;
        let has_info = first_info.is_some_and(|info| info < *offset);
        trees[parent].children += 1;
        trees.push(TreeState { parent: parent as u32, child: 1, children: 0, turns: turns_before(*offset), has_info });
    }
    let depth = trees.len();
    let mut walk = TreeWalk {
        checker,
        is_read: scope == Scope::ReplayedTree,
        nodes_left: limits.nodes,
        current: Some(trees.len() - 1),
        is_begun: false,
        state: PathState { turns: 0, has_info: false },
        trees,
        trees_of_violations: Vec::new(),
    };
    let first = walk.checker.violations();
    walk.walk(Tape::from(lexer, reading.nodes.end, depth));
    let TreeWalk { trees, trees_of_violations, .. } = walk;
    for (finding, tree) in checker.findings_from(first).iter_mut().zip(trees_of_violations) {
        finding.variation = path(&trees, tree);
    }
}

/// Returns the path to a tree: the number of the child at every node with several children.
fn path(trees: &[TreeState], tree: usize) -> String {
    let mut numbers = Vec::new();
    let mut index = tree;
    while index > 0 && numbers.len() < MAX_PATH {
        let parent = trees[index].parent as usize;
        if trees[parent].children > 1 {
            numbers.push(trees[index].child.to_string());
        }
        index = parent;
    }
    numbers.reverse();
    numbers.join(".")
}

/// The state at the current node of a path.
#[derive(Clone, Copy)]
struct PathState {
    turns: u32,
    has_info: bool,
}

/// A walk over the text after the main line.
struct TreeWalk<'w, 'a> {
    checker: &'w mut NodeChecker<'a>,
    is_read: bool,
    nodes_left: u64,
    trees: Vec<TreeState>,
    /// The index of the innermost open tree.
    current: Option<usize>,
    /// True directly after the parenthesis of a variation.
    is_begun: bool,
    state: PathState,
    /// The tree of each violation.
    trees_of_violations: Vec<usize>,
}

impl TreeWalk<'_, '_> {
    fn walk(&mut self, mut tape: Tape) {
        while let (Some(current), Some(event)) = (self.current, tape.next()) {
            match event {
                Event::Open(offset) => {
                    if self.is_begun {
                        self.violate(Code::EmptyVariation, offset, NO_NODE, current);
                    }
                    self.open(current);
                    self.is_begun = true;
                }
                Event::EmptyTree(offset) => {
                    self.violate(Code::EmptyVariation, offset, "a variation without nodes", current);
                }
                Event::Diagram(_) => {}
                Event::Close(_) => {
                    self.close(current);
                    self.is_begun = false;
                }
                Event::Node(Node::Other { state: NodeState::Open, .. }) => return,
                Event::Node(node) => {
                    let Some(nodes_left) = self.nodes_left.checked_sub(1) else { return };
                    self.nodes_left = nodes_left;
                    self.is_begun = false;
                    self.node(node, current);
                }
                Event::Stray(offset) => {
                    if self.checker.bytes[offset] == b'[' && !tape.skip_value(offset) {
                        return;
                    }
                }
            }
        }
    }

    fn violate(&mut self, code: Code, offset: usize, detail: &str, tree: usize) {
        let first = self.checker.violations();
        self.checker.violate(code, offset, detail.into());
        self.trees_of_violations.resize(self.trees_of_violations.len() + self.checker.violations() - first, tree);
    }

    fn open(&mut self, current: usize) {
        self.trees[current].children += 1;
        let child = self.trees[current].children;
        let PathState { turns, has_info } = self.state;
        self.current = Some(self.trees.len());
        self.trees.push(TreeState { parent: current as u32, child, children: 0, turns, has_info });
    }

    fn close(&mut self, current: usize) {
        let TreeState { parent, turns, has_info, .. } = self.trees[current];
        // A sibling continues with the state before this variation.
        self.state = PathState { turns, has_info };
        self.current = (current > 0).then_some(parent as usize);
    }

    /// Checks a node.
    fn node(&mut self, node: Node, tree: usize) {
        let bytes = self.checker.bytes;
        match node {
            Node::Turn { offset, value, odd_clock, .. } => {
                self.state.turns += 1;
                let is_checked = self.is_read || self.checker.is_turn(&bytes[value.clone()]);
                let turn = (!is_checked).then(|| value.start - 2..value.end + 1);
                if let Some(body) = odd_clock.or(turn) {
                    self.body(offset, body, true, tree);
                }
            }
            Node::Other { offset, body, state: NodeState::Sound } => self.body(offset, body, false, tree),
            Node::Other { .. } => {}
        }
    }

    fn body(&mut self, offset: usize, body: Range<usize>, is_counted: bool, tree: usize) {
        let first = self.checker.violations();
        let place = NodePlace {
            offset,
            is_root: false,
            is_read: self.is_read,
            has_earlier_info: self.state.has_info,
            notes: &[],
            codes: CodeSet::EMPTY,
        };
        let Kinds { has_game_info, turns, .. } = self.checker.node(body, place);
        self.state.has_info |= has_game_info;
        if !is_counted {
            self.state.turns += turns;
        }
        self.checker.set_turn(first, self.state.turns);
        self.trees_of_violations.resize(self.trees_of_violations.len() + self.checker.violations() - first, tree);
    }
}

/// The detail about a variation that begins with a parenthesis.
pub(super) const NO_NODE: &str = "a variation begins with another one, without a node of its own";
