//! Traversal of all variations of a game tree, one record after the other.

use std::ops::ControlFlow;

use super::nodes::{Event, MainLine, Node, Tape};
use super::reader::Reader;
use crate::finding::{Code, Finding, Place};
use crate::sgf::Limits;
use crate::sgf::tokens::lexer::{Lexer, ScanBudget};
use crate::{GameRecord, Reading, StepKind};
use jigo_rules::MarkedTerritory;
use jigo_rules::budget::Budget;

/// The branches that lead to a variation.
pub struct Branches<'a> {
    open_trees: &'a [OpenTree],
    /// The offset from which no node belongs to an earlier variation.
    pub offset: usize,
}

impl Branches<'_> {
    /// Returns the path to the variation's last node: the number of the child, from 1, at every
    /// node with several children, each with its offset.
    pub fn branch_choices(&self) -> Vec<(usize, u32)> {
        self.open_trees.iter().filter(|tree| tree.siblings > 1).map(|tree| (tree.offset, tree.child)).collect()
    }

    /// Formats the children of a path as in the tables.
    pub fn path(choices: &[(usize, u32)]) -> String {
        choices.iter().map(|(_, child)| child.to_string()).collect::<Vec<_>>().join(".")
    }
}

/// The turns that a variation used, in the unit of [`Limits::variation_turns`], or the reason to
/// stop.
pub type VisitFlow = ControlFlow<EarlyEnd, u64>;

/// The reached limit, the offset after which nothing is replayed, and a description.
pub type EarlyEnd = (Code, usize, String);

/// Returns the reason to stop when the variations after the byte `offset` have too many turns.
pub fn too_many(offset: usize, limits: Limits) -> EarlyEnd {
    let reason = format!("they have more than --max variation-turns={}", limits.variation_turns);
    (Code::TooManyVariations, offset, reason)
}

/// Returns the cost of replaying a record: its turns, and its setup stones, which are set up each
/// time.
fn turns_to_replay(record: &GameRecord) -> u64 {
    let turns = record.steps.iter().map(|step| match step.kind {
        StepKind::Turn(..) => 1,
        StepKind::Setup(setup) => 1 + record.setup(setup).stones.len() as u64,
    });
    turns.sum()
}

/// An open parenthesis, and the state to restore at its end.
struct OpenTree {
    offset: usize,
    /// The number of the child that it begins, from 1, and the number of children.
    child: u32,
    siblings: u32,
    children_seen: u32,
    steps: usize,
    territory: Option<MarkedTerritory>,
}

/// Calls `visit` with every variation except the main line, in the order of the text.
///
/// `visit` also receives the number of turns that it may use beyond the replay. Its record has all
/// steps from the root. Returns the findings in nodes outside the main line.
pub fn side_variations(
    bytes: &[u8],
    limits: Limits,
    budget: &Budget,
    visit: impl FnMut(&GameRecord, &Branches, u64) -> VisitFlow,
) -> Vec<Finding> {
    let scan_budget = ScanBudget::for_text(bytes.len());
    let mut reading = Reading::default();
    let reader = Reader::new(bytes, &scan_budget, limits, &mut reading);
    let lexer = reader.lexer();
    let mut walk = VariationWalk {
        reader,
        lexer,
        budget,
        siblings: siblings(lexer).into_iter(),
        open_trees: Vec::new(),
        variation_offset: 0,
        is_leaf: false,
        turns_left: limits.variation_turns,
        nodes_seen: 0,
        visit,
    };
    let walk_flow = walk.walk();
    // A variation is still open if the last parentheses are missing or a limit stopped the
    // traversal.
    let last_flow = if walk.is_leaf { walk.leaf() } else { ControlFlow::Continue(()) };
    let early_end = walk_flow.break_value().flatten().or(last_flow.break_value().flatten());
    let main_line_ends = first_leaf(lexer);
    let mut findings = reading.findings;
    findings.retain(|finding| finding.place.offset > main_line_ends);
    findings.extend(early_end.map(|(code, offset, reason)| {
        Finding::new(code, Place::byte(offset), format!("variations after this byte are not replayed: {reason}"))
    }));
    findings
}

/// The state of the traversal.
struct VariationWalk<'a, V> {
    reader: Reader<'a>,
    lexer: Lexer<'a>,
    budget: &'a Budget,
    /// The numbers of siblings for the remaining parentheses.
    siblings: std::vec::IntoIter<u32>,
    open_trees: Vec<OpenTree>,
    /// The offset from which no node belongs to an earlier variation; 0 in the main line.
    variation_offset: usize,
    /// True if the last node has no children so far.
    is_leaf: bool,
    /// The number of turns that variations may still use.
    turns_left: u64,
    nodes_seen: u64,
    visit: V,
}

/// The reason to stop early: a reached limit, or text without a valid tree.
type WalkFlow = ControlFlow<Option<EarlyEnd>>;

impl<V: FnMut(&GameRecord, &Branches, u64) -> VisitFlow> VariationWalk<'_, V> {
    fn walk(&mut self) -> WalkFlow {
        for event in Tape::new(self.lexer) {
            match event {
                Event::Open(offset) => self.open_tree(offset)?,
                Event::Close(offset) => self.close_tree(offset)?,
                Event::Node(node) => self.node(node)?,
                Event::EmptyTree(_) | Event::Diagram(_) | Event::Stray(_) => {}
            }
            if self.reader.is_at_end() {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    fn open_tree(&mut self, offset: usize) -> WalkFlow {
        let child = self.open_trees.last_mut().map_or(1, |parent| {
            parent.children_seen += 1;
            parent.children_seen
        });
        if self.open_trees.len() as u64 > self.reader.limits.depth {
            // A single line is the main line, which is replayed.
            let is_branch = |tree: &OpenTree| tree.siblings > 1;
            if !self.open_trees.iter().any(is_branch) && self.siblings.as_slice().iter().all(|count| *count <= 1) {
                return ControlFlow::Break(None);
            }
            let reason = format!("they are nested deeper than --max depth={}", self.reader.limits.depth);
            return ControlFlow::Break(Some((Code::DeepVariations, offset, reason)));
        }
        let record = &self.reader.reading.record;
        let (steps, territory) = (record.steps.len(), record.territory.clone());
        let siblings = self.siblings.next().unwrap_or(1);
        self.open_trees.push(OpenTree { offset, child, siblings, children_seen: 0, steps, territory });
        ControlFlow::Continue(())
    }

    fn close_tree(&mut self, offset: usize) -> WalkFlow {
        if std::mem::take(&mut self.is_leaf) {
            self.leaf()?;
            self.variation_offset = offset;
        }
        let Some(closed) = self.open_trees.pop() else { return ControlFlow::Break(None) };
        self.reader.reading.record.steps.truncate(closed.steps);
        self.reader.reading.record.territory = closed.territory;
        ControlFlow::Continue(())
    }

    fn node(&mut self, node: Node) -> WalkFlow {
        let offset = node.offset();
        self.nodes_seen += 1;
        if self.budget.is_spent() {
            return ControlFlow::Break(Some((Code::SlowGame, offset, "--max game-time is over".into())));
        }
        if self.nodes_seen > self.reader.limits.nodes {
            let reason = format!("the tree has more than --max nodes={}", self.reader.limits.nodes);
            return ControlFlow::Break(Some((Code::TooManyNodes, offset, reason)));
        }
        self.reader.read_node(node);
        self.is_leaf = true;
        ControlFlow::Continue(())
    }

    /// Handles the end of a variation, and replays it unless it is the main line.
    fn leaf(&mut self) -> WalkFlow {
        if self.variation_offset == 0 {
            return ControlFlow::Continue(());
        }
        let (record, branches) =
            (&self.reader.reading.record, Branches { open_trees: &self.open_trees, offset: self.variation_offset });
        let Some(turns_left) = self.turns_left.checked_sub(turns_to_replay(record)) else {
            return ControlFlow::Break(Some(too_many(self.variation_offset, self.reader.limits)));
        };
        let spent_turns = (self.visit)(record, &branches, turns_left).map_break(Some)?;
        self.turns_left = turns_left.saturating_sub(spent_turns);
        ControlFlow::Continue(())
    }
}

/// Returns for each `(`, in order, the number of children of the node before it.
pub(super) fn siblings(lexer: Lexer) -> Vec<u32> {
    let mut counts: Vec<u32> = Vec::new();
    // For every open parenthesis, the indexes of its children in `counts`.
    let mut open_trees: Vec<Vec<usize>> = vec![Vec::new()];
    for event in Tape::new(lexer) {
        match event {
            Event::Open(_) => {
                if let Some(children) = open_trees.last_mut() {
                    children.push(counts.len());
                }
                counts.push(1);
                open_trees.push(Vec::new());
            }
            Event::Close(_) => {
                let children = open_trees.pop().unwrap_or_default();
                children.iter().for_each(|child| counts[*child] = children.len() as u32);
            }
            Event::Node(_) | Event::EmptyTree(_) | Event::Diagram(_) | Event::Stray(_) => {}
        }
    }
    counts
}

/// Returns the offset after the main line.
fn first_leaf(lexer: Lexer) -> usize {
    let mut nodes = MainLine::from(lexer, 0);
    while nodes.next().is_some() {}
    nodes.position()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Coordinates, StepKind};

    fn lines(text: &str) -> Vec<(String, String)> {
        let mut lines = Vec::new();
        side_variations(text.as_bytes(), Limits::default(), &Budget::default(), |record, branches, _| {
            let turns = record.steps.iter().map(|step| match step.kind {
                StepKind::Turn(_, Coordinates::Play(point)) => point.to_string(),
                _ => "-".into(),
            });
            let choices: Vec<String> = branches.branch_choices().iter().map(|(_, child)| child.to_string()).collect();
            lines.push((turns.collect::<Vec<_>>().join(" "), choices.join(".")));
            ControlFlow::Continue(0)
        });
        lines
    }

    #[test]
    fn later_variations_have_their_whole_line_and_path() {
        let text = "(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd];W[ee]))(;W[ff]))";
        let expected = [("aa bb dd ee", "1.2"), ("aa ff", "2")];
        assert_eq!(lines(text), expected.map(|(turns, path)| (turns.to_owned(), path.to_owned())));
        assert_eq!(lines("(;SZ[9];B[aa](;W[bb](;B[cc])))"), []);
        assert_eq!(lines("(;B[aa]"), []);
        assert_eq!(lines("(;B[aa](;W[bb])(;W[cc]").len(), 1);
    }

    #[test]
    fn spent_budget_replays_no_variation_and_reports_it() {
        let mut budget = Budget::default();
        budget.set_remaining_time(Some(std::time::Duration::ZERO));
        let text = b"(;SZ[9];B[aa](;W[bb])(;W[cc])(;W[dd]))";
        let findings = side_variations(text, Limits::default(), &budget, |_, _, _| panic!("a variation is replayed"));
        assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), [Code::SlowGame]);
    }

    #[test]
    fn findings_in_variations_are_returned_once() {
        let text = b"(;SZ[9];AB[zz9](;B[aa])(;AB[yy9];B[bb]))";
        let findings = side_variations(text, Limits::default(), &Budget::default(), |_, _, _| ControlFlow::Continue(0));
        assert_eq!(findings.len(), 1);
        assert!(findings[0].detail.contains("yy9"));
    }
}
