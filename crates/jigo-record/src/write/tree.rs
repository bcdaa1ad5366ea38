//! A tree of formatted nodes, and its layout.

use std::ops::Range;

/// The number of nodes on a line in the pretty layout.
const NODES_PER_LINE: usize = 10;
/// The length above which a node gets its own line in the pretty layout.
const MAX_NODE_LENGTH: usize = 60;
/// The nesting depth up to which variations are indented. More would fill the lines with blanks.
const MAX_INDENT: usize = 20;

/// A game tree. Nodes are numbered in the order of insertion.
#[derive(Debug, Default)]
pub(super) struct NodeTree {
    text: String,
    nodes: Vec<TreeNode>,
}

#[derive(Debug)]
struct TreeNode {
    text: Range<usize>,
    children: Vec<usize>,
}

/// A pending step of the output.
enum LayoutStep {
    Open(usize),
    Close,
}

impl NodeTree {
    /// Adds a node as the last child of `parent`, or as the root. `text` includes the `;`.
    pub(super) fn push(&mut self, parent: Option<usize>, text: &str) -> usize {
        let (start, node) = (self.text.len(), self.nodes.len());
        self.text.push_str(text);
        self.nodes.push(TreeNode { text: start..self.text.len(), children: Vec::new() });
        if let Some(parent) = parent {
            self.nodes[parent].children.push(node);
        }
        node
    }

    /// Replaces the text of a node.
    pub(super) fn replace(&mut self, node: usize, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.nodes[node].text = start..self.text.len();
    }

    /// Returns the last node of the main line; `None` without nodes.
    pub(super) fn last_main_line_node(&self) -> Option<usize> {
        let mut last = (!self.nodes.is_empty()).then_some(0)?;
        while let Some(child) = self.nodes[last].children.first() {
            last = *child;
        }
        Some(last)
    }

    /// Returns the text of the game from its `(` to its `)`.
    pub(super) fn text(&self, is_pretty: bool) -> String {
        let mut layout =
            Layout { text: String::with_capacity(self.text.len() + 16), is_pretty, depth: 0, nodes_on_line: 0 };
        // An explicit stack, since trees can be deeper than a thread's stack.
        let mut stack = Vec::new();
        if !self.nodes.is_empty() {
            stack.extend([LayoutStep::Close, LayoutStep::Open(0)]);
        }
        while let Some(step) = stack.pop() {
            match step {
                LayoutStep::Close => layout.close(),
                LayoutStep::Open(first) => {
                    layout.open();
                    let mut node = first;
                    loop {
                        let TreeNode { text, children } = &self.nodes[node];
                        // An empty node only marks the start or end of a line of play among
                        // variations.
                        if node == first || &self.text[text.clone()] != ";" {
                            layout.node(&self.text[text.clone()]);
                        }
                        let [child] = children[..] else {
                            let branches = children.iter().rev();
                            stack.extend(branches.flat_map(|child| [LayoutStep::Close, LayoutStep::Open(*child)]));
                            break;
                        };
                        node = child;
                    }
                }
            }
        }
        layout.text
    }
}

/// The text written so far.
struct Layout {
    text: String,
    is_pretty: bool,
    /// The number of open trees.
    depth: usize,
    /// The number of nodes on the last line.
    nodes_on_line: usize,
}

impl Layout {
    fn open(&mut self) {
        if self.depth > 0 {
            self.line();
        }
        self.text.push('(');
        self.depth += 1;
        self.nodes_on_line = 0;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.text.push(')');
        self.nodes_on_line = NODES_PER_LINE;
    }

    fn node(&mut self, text: &str) {
        let is_long = text.len() > MAX_NODE_LENGTH;
        if self.nodes_on_line >= NODES_PER_LINE || (is_long && self.nodes_on_line > 0) {
            self.line();
        }
        self.text.push_str(text);
        self.nodes_on_line = if is_long { NODES_PER_LINE } else { self.nodes_on_line + 1 };
    }

    fn line(&mut self) {
        if self.is_pretty {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n(' ', self.depth.saturating_sub(1).min(MAX_INDENT)));
        }
        self.nodes_on_line = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_are_written_in_parentheses() {
        let mut tree = NodeTree::default();
        let root = tree.push(None, ";A[]");
        let first = tree.push(Some(root), ";B[]");
        let second = tree.push(Some(first), ";C[]");
        tree.push(Some(second), ";D[]");
        tree.push(Some(first), ";E[]");
        assert_eq!(tree.text(false), "(;A[];B[](;C[];D[])(;E[]))");
        assert_eq!(tree.text(true), "(;A[];B[]\n(;C[];D[])\n(;E[]))");
        assert_eq!(tree.last_main_line_node(), Some(3));
        assert_eq!(NodeTree::default().text(false), "");
    }

    #[test]
    fn tree_deeper_than_any_stack_is_written() {
        let mut tree = NodeTree::default();
        let mut node = tree.push(None, ";");
        for _ in 0..200_000 {
            let child = tree.push(Some(node), ";B[aa]");
            tree.push(Some(node), ";B[bb]");
            node = child;
        }
        let text = tree.text(false);
        assert_eq!(text.matches('(').count(), text.matches(')').count());
        assert_eq!(text.matches('(').count(), 400_001);
    }
}
