//! The tree of a problem: the turns of all variations, and the answers that are marked.

use std::ops::Range;

use super::answer_marks::AnswerMarks;
use super::nodes::{Event, Tape};
use super::reader::Reader;
use crate::sgf::Limits;
use crate::sgf::tokens::scan_budget::ScanBudget;
use crate::{GameRecord, Reading, Step, StepKind};
use jigo_rules::board::Color;
use jigo_rules::budget::Budget;

/// The tree of a problem.
#[derive(Debug, Default)]
pub struct SolutionTree {
    /// The nodes in the order of the text: each after its parent.
    pub nodes: Vec<SolutionNode>,
    /// The steps of all nodes, in the same order. They are not one line of play.
    pub record: GameRecord,
    /// The player who solves the problem: the one that PL of the first position names, or else the
    /// player of the first turn.
    pub solver: Option<Color>,
}

/// A node of the tree.
#[derive(Debug)]
pub struct SolutionNode {
    /// The offset of its `;` from the start of the game.
    pub offset: usize,
    /// The index of the node before it.
    pub parent: Option<usize>,
    /// Its number among the children of its parent, from 1.
    pub child: u32,
    /// The number of its children.
    pub children: u32,
    /// The indices of its steps.
    steps: Range<usize>,
    /// Its annotations.
    pub marks: AnswerMarks,
}

impl SolutionTree {
    /// Reads a game whose text is UTF-8. Returns `None` if a limit, the budget or damage hides a
    /// part of the tree.
    pub fn read(bytes: &[u8], limits: Limits, budget: &Budget) -> Option<SolutionTree> {
        let scan_budget = ScanBudget::for_text(bytes.len());
        let mut reading = Reading::default();
        let mut reader = Reader::new(bytes, &scan_budget, limits, &mut reading);
        let mut tree = SolutionTree::default();
        // The node before each open parenthesis.
        let (mut open_trees, mut current) = (Vec::new(), None);
        let mut tape = Tape::new(reader.lexer());
        while let Some(event) = tape.next() {
            match event {
                Event::Open(_) => open_trees.push(current),
                Event::Close(_) => {
                    current = open_trees.pop().flatten();
                    if open_trees.is_empty() {
                        break;
                    }
                }
                Event::Node(node) => {
                    let (offset, body) = (node.offset(), node.start()..tape.position());
                    let first_step = reader.reading.record.steps.len();
                    reader.read_node(node);
                    current = Some(tree.add(offset, first_step, current, &reader.reading.record));
                    let added = tree.nodes.last_mut()?;
                    let player = reader.reading.record.steps[first_step..].iter().find_map(Step::turn);
                    added.marks = AnswerMarks::of_node(bytes, body, player.map(|(color, _)| color), tree.solver);
                }
                Event::EmptyTree(_) | Event::Diagram(_) | Event::Stray(_) => {}
            }
            if tree.nodes.len() as u64 > limits.nodes || budget.is_spent() || reader.is_at_end() {
                return None;
            }
        }
        tree.record = reading.record;
        Some(tree)
    }

    /// Adds a node whose steps are the last ones of `record`. Returns its index.
    fn add(&mut self, offset: usize, first_step: usize, parent: Option<usize>, record: &GameRecord) -> usize {
        let child = parent.map_or(1, |parent| {
            self.nodes[parent].children += 1;
            self.nodes[parent].children
        });
        let steps = first_step..record.steps.len();
        let mut players = record.steps[steps.clone()].iter().filter_map(|step| match step.kind {
            StepKind::Turn(color, _) => Some(color),
            StepKind::Setup(setup) => record.setup(setup).to_play,
        });
        self.solver = self.solver.or_else(|| players.next());
        self.nodes.push(SolutionNode { offset, parent, child, children: 0, steps, marks: AnswerMarks::default() });
        self.nodes.len() - 1
    }

    /// Returns the setup and turns of a node.
    pub fn steps(&self, node: usize) -> &[Step] {
        &self.record.steps[self.nodes[node].steps.clone()]
    }

    /// Returns a node and its ancestors, the root last.
    pub fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(node), |node| self.nodes[*node].parent)
    }

    /// Returns the number of the child at every node with several children on the way to a node.
    /// Returns nothing for a node of the main line.
    pub fn path(&self, node: usize) -> Vec<u32> {
        let is_choice = |node: &usize| self.nodes[*node].parent.is_some_and(|parent| self.nodes[parent].children > 1);
        let mut path: Vec<u32> = self.ancestors(node).filter(is_choice).map(|node| self.nodes[node].child).collect();
        path.reverse();
        if path.iter().all(|child| *child == 1) { Vec::new() } else { path }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> SolutionTree {
        SolutionTree::read(text.as_bytes(), Limits::default(), &Budget::default()).unwrap()
    }

    #[test]
    fn nodes_have_their_parents_and_paths() {
        let tree = tree("(;SZ[9]AB[aa](;W[bb](;B[cc])(;B[dd]C[RIGHT];W[ee]))(;W[ff]))");
        let parents: Vec<_> = tree.nodes.iter().map(|node| node.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(3), Some(0)]);
        let paths: Vec<_> = (0..6).map(|node| tree.path(node)).collect();
        assert_eq!(paths, [vec![], vec![], vec![], vec![1, 2], vec![1, 2], vec![2]]);
        assert_eq!(tree.solver, Some(Color::White));
        assert_eq!((tree.steps(0).len(), tree.steps(4).len()), (1, 1));
        assert!(tree.nodes[3].marks.is_right && !tree.nodes[4].marks.is_right);
    }

    #[test]
    fn pl_names_the_solver() {
        assert_eq!(tree("(;SZ[9]AB[aa]PL[W];B[bb])").solver, Some(Color::White));
        assert_eq!(tree("(;SZ[9]AB[aa])").solver, None);
    }

    #[test]
    fn incomplete_tree_is_none() {
        let read = |text: &str, limits| SolutionTree::read(text.as_bytes(), limits, &Budget::default()).is_none();
        assert!(read("(;SZ[9];B[aa];W[bb])", Limits { nodes: 2, ..Limits::default() }));
        assert!(read("(;SZ[9];B[aa];W[bb", Limits::default()));
    }
}
