//! A tree of nodes that are text already, and how it is laid out.

use std::ops::Range;

/// Nodes on a line, where people read it.
const ON_A_LINE: usize = 10;
/// A node longer than this gets lines of its own there.
const LONG: usize = 60;
/// Variations within each other that are set in; deeper ones would be all blanks.
const MOST_INDENTED: usize = 20;

/// A game tree. Nodes are numbered in the order they came in.
#[derive(Debug, Default)]
pub(super) struct NodeTree {
    text: String,
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    text: Range<usize>,
    first_child: Option<usize>,
    last_child: Option<usize>,
    next_sibling: Option<usize>,
}

/// What is still to be written.
enum Next {
    Open(usize),
    Close,
}

impl NodeTree {
    /// Adds a node as the last child of another, or as the root; `text` is all of it with its `;`.
    pub(super) fn push(&mut self, parent: Option<usize>, text: &str) -> usize {
        let (from, node) = (self.text.len(), self.nodes.len());
        self.text.push_str(text);
        self.nodes.push(Node { text: from..self.text.len(), first_child: None, last_child: None, next_sibling: None });
        if let Some(parent) = parent {
            match self.nodes[parent].last_child.replace(node) {
                Some(before) => self.nodes[before].next_sibling = Some(node),
                None => self.nodes[parent].first_child = Some(node),
            }
        }
        node
    }

    /// Puts another text in the place of a node's.
    pub(super) fn replace(&mut self, node: usize, text: &str) {
        let from = self.text.len();
        self.text.push_str(text);
        self.nodes[node].text = from..self.text.len();
    }

    /// The last node of the main line; `None` without nodes.
    pub(super) fn last_of_main_line(&self) -> Option<usize> {
        let mut last = (!self.nodes.is_empty()).then_some(0)?;
        while let Some(child) = self.nodes[last].first_child {
            last = child;
        }
        Some(last)
    }

    /// The game's text, from its `(` to its `)`.
    pub(super) fn text(&self, is_pretty: bool) -> String {
        let mut out = Layout { text: String::with_capacity(self.text.len() + 16), is_pretty, depth: 0, on_line: 0 };
        // As a stack: trees can be deeper than any thread's.
        let mut to_do = Vec::new();
        if !self.nodes.is_empty() {
            to_do.extend([Next::Close, Next::Open(0)]);
        }
        while let Some(next) = to_do.pop() {
            match next {
                Next::Close => out.close(),
                Next::Open(first) => {
                    out.open();
                    let mut node = first;
                    loop {
                        let Node { text, first_child, .. } = &self.nodes[node];
                        // A node that says nothing stands for the end of a line, or its beginning, beside others.
                        if node == first || &self.text[text.clone()] != ";" {
                            out.node(&self.text[text.clone()]);
                        }
                        let Some(child) = *first_child else { break };
                        if self.nodes[child].next_sibling.is_some() {
                            let children = self.children(child);
                            to_do.extend(children.into_iter().rev().flat_map(|child| [Next::Close, Next::Open(child)]));
                            break;
                        }
                        node = child;
                    }
                }
            }
        }
        out.text
    }

    /// A child and its younger siblings.
    fn children(&self, first: usize) -> Vec<usize> {
        std::iter::successors(Some(first), |child| self.nodes[*child].next_sibling).collect()
    }
}

/// The text as far as it is written.
struct Layout {
    text: String,
    is_pretty: bool,
    /// Trees that are open.
    depth: usize,
    /// Nodes on the last line.
    on_line: usize,
}

impl Layout {
    fn open(&mut self) {
        if self.depth > 0 {
            self.line();
        }
        self.text.push('(');
        self.depth += 1;
        self.on_line = 0;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.text.push(')');
        self.on_line = ON_A_LINE;
    }

    fn node(&mut self, text: &str) {
        let is_long = text.len() > LONG;
        if self.on_line >= ON_A_LINE || (is_long && self.on_line > 0) {
            self.line();
        }
        self.text.push_str(text);
        self.on_line = if is_long { ON_A_LINE } else { self.on_line + 1 };
    }

    fn line(&mut self) {
        if self.is_pretty {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n(' ', self.depth.saturating_sub(1).min(MOST_INDENTED)));
        }
        self.on_line = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_children_stand_behind_their_parents_and_siblings_in_parentheses() {
        let mut tree = NodeTree::default();
        let root = tree.push(None, ";A[]");
        let one = tree.push(Some(root), ";B[]");
        let two = tree.push(Some(one), ";C[]");
        tree.push(Some(two), ";D[]");
        tree.push(Some(one), ";E[]");
        assert_eq!(tree.text(false), "(;A[];B[](;C[];D[])(;E[]))");
        assert_eq!(tree.text(true), "(;A[];B[]\n(;C[];D[])\n(;E[]))");
        assert_eq!(tree.last_of_main_line(), Some(3));
        assert_eq!(NodeTree::default().text(false), "");
    }

    #[test]
    fn a_tree_deeper_than_any_stack_is_written() {
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
