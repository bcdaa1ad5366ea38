//! Branches that begin with the same turn, and branches that can't be reached.

use std::collections::HashSet;

use super::ProblemAudit;
use jigo_record::Step;
use jigo_record::finding::Code;

impl ProblemAudit<'_> {
    /// Compares the first turns of sibling branches.
    pub(super) fn siblings(&mut self) {
        let nodes = &self.tree.nodes;
        let mut has_choice: Vec<bool> = nodes.iter().map(|node| node.marks.is_choice).collect();
        for index in (0..nodes.len()).rev() {
            if let Some(parent) = nodes[index].parent.filter(|_| has_choice[index]) {
                has_choice[parent] = true;
            }
        }
        let is_branch = |node: &usize| nodes[*node].parent.is_some_and(|parent| nodes[parent].children > 1);
        let mut branches: Vec<usize> = (0..nodes.len()).filter(is_branch).collect();
        branches.sort_by_key(|node| nodes[*node].parent);
        for siblings in branches.chunk_by(|first, second| nodes[*first].parent == nodes[*second].parent) {
            self.compare_siblings(siblings, &has_choice);
        }
    }

    fn compare_siblings(&mut self, siblings: &[usize], has_choice: &[bool]) {
        let (mut seen, mut first_player) = (HashSet::new(), None);
        let is_chosen = siblings.iter().any(|node| has_choice[*node]);
        for &node in siblings {
            let Some(turn) = self.tree.steps(node).iter().find_map(Step::turn) else { continue };
            let player = *first_player.get_or_insert(turn.0);
            if !seen.insert(turn) {
                self.report(Code::DoubledBranch, node, "an earlier branch begins with the same turn");
            } else if turn.0 != player {
                self.report(Code::UnreachableBranch, node, "the other branches begin with a turn of the other player");
            } else if is_chosen && !has_choice[node] && Some(player) != self.tree.solver {
                self.report(Code::UnreachableBranch, node, "other answers of the opponent are marked CHOICE");
            }
        }
    }
}
