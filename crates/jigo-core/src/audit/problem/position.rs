//! The position after the path to a node.

use super::ProblemAudit;
use jigo_record::{Coordinates, Step, StepKind};
use jigo_rules::board::{Point, Position};

impl ProblemAudit<'_> {
    /// Replays the path to a node. Returns the position, and the point of a ko. Returns `None` after
    /// the end of the budget.
    pub(super) fn position(&mut self, node: usize) -> Option<(Position, Option<Point>)> {
        let mut path: Vec<usize> = self.tree.ancestors(node).collect();
        path.reverse();
        let tree = self.tree;
        let steps: Vec<&Step> = path.iter().flat_map(|node| tree.steps(*node)).collect();
        if !self.spend((path.len() + steps.len()) as u64, node) {
            return None;
        }
        let size = tree.record.header.size;
        let (mut position, mut ko, mut removed) = (Position::new(size), None, Vec::new());
        for step in steps {
            ko = None;
            match step.kind {
                StepKind::Turn(color, Coordinates::Play(point)) => {
                    removed.clear();
                    position.place([(point, None)]);
                    let captured = position.play(color, point, &mut removed).captured;
                    // Otherwise a stone that retakes does not bring back the position.
                    let is_ko = captured == 1
                        && position.chain(point).nth(1).is_none()
                        && position.liberties(point, 2).len() == 1;
                    ko = removed.first().copied().filter(|_| is_ko);
                }
                StepKind::Turn(..) => {}
                StepKind::Setup(setup) => {
                    let stones = tree.record.setup(setup).stones.iter().copied();
                    position.place(stones.filter(|(point, _)| size.contains(*point)));
                }
            }
        }
        Some((position, ko))
    }
}
