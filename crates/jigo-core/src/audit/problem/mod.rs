//! Problems: the paths of their trees, and the answers that the records call right or wrong.
//!
//! A mark holds for its node and for the nodes after it, up to the next mark. The end of a path
//! without any mark has a meaning as well. If the record marks right answers, all others are wrong,
//! as on goproblems.com. If it marks only wrong ones, all others are right, as in uliGo. Without
//! marks, the first variation is the right answer, as in EasyGo.

mod position;
mod siblings;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use jigo_record::finding::{Code, Finding, Place};
use jigo_record::record::solution_tree::SolutionTree;
use jigo_record::record::variations::{Branches, EarlyEnd, too_many};
use jigo_record::sgf::Limits;
use jigo_record::{Coordinates, Step};
use jigo_rules::board::{Color, Point, PositionHash};
use jigo_rules::budget::Budget;

/// The judgement of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerVerdict {
    Right,
    Wrong,
    /// The solver may try again.
    Excluded,
}

/// The path to a node.
#[derive(Clone, Copy, Default)]
struct AnswerPath {
    turns: u32,
    /// The last turn.
    last: Option<(Color, Coordinates)>,
    /// The verdict of the last mark.
    verdict: Option<AnswerVerdict>,
    /// The last node that is marked as right.
    right_mark: Option<usize>,
}

/// What must be equal in two equal positions: the stones, the player of the last turn, and the
/// point of a ko.
type PositionKey = (PositionHash, Option<Color>, Option<Point>);

/// Returns the findings on a problem, sorted by code. Comparing the answers costs turns of
/// [`Limits::variation_turns`].
pub fn problem_findings(tree: &SolutionTree, limits: Limits, budget: &Budget) -> Vec<Finding> {
    let mut audit = ProblemAudit::new(tree, limits, budget);
    if audit.ends.is_empty() {
        return Vec::new();
    }
    audit.right_path();
    audit.ends_of_right_paths();
    audit.contradictory_marks();
    audit.siblings();
    let end = audit.early_end.map(|(code, offset, reason)| {
        Finding::new(code, Place::byte(offset), format!("answers after this byte are not judged: {reason}"))
    });
    audit.findings.extend(end);
    audit.findings
}

struct ProblemAudit<'a> {
    tree: &'a SolutionTree,
    paths: Vec<AnswerPath>,
    /// The last nodes of all paths with a turn.
    ends: Vec<usize>,
    marks_right: bool,
    marks_wrong: bool,
    /// True if a comment has a word of goproblems.com other than RIGHT.
    uses_goproblems: bool,
    limits: Limits,
    budget: &'a Budget,
    /// The turns that replays and the paths of findings may still use.
    turns_left: u64,
    early_end: Option<EarlyEnd>,
    findings: Vec<Finding>,
}

impl<'a> ProblemAudit<'a> {
    fn new(tree: &'a SolutionTree, limits: Limits, budget: &'a Budget) -> ProblemAudit<'a> {
        let mut paths: Vec<AnswerPath> = Vec::with_capacity(tree.nodes.len());
        let (mut marks_right, mut marks_wrong) = (false, false);
        for (index, node) in tree.nodes.iter().enumerate() {
            let mut path = node.parent.map_or_else(AnswerPath::default, |parent| paths[parent]);
            for turn in tree.steps(index).iter().filter_map(Step::turn) {
                (path.turns, path.last) = (path.turns + 1, Some(turn));
            }
            // Comments on the first position are about the question.
            if path.turns > 0 {
                marks_right |= node.marks.is_right;
                marks_wrong |= node.marks.is_wrong;
                path.verdict = match node.marks {
                    marks if marks.is_right => Some(AnswerVerdict::Right),
                    marks if marks.is_wrong => Some(AnswerVerdict::Wrong),
                    marks if marks.is_excluded => Some(AnswerVerdict::Excluded),
                    _ => path.verdict,
                };
                path.right_mark = if node.marks.is_right { Some(index) } else { path.right_mark };
            }
            paths.push(path);
        }
        let is_end = |node: &usize| tree.nodes[*node].children == 0 && paths[*node].turns > 0;
        let ends = (0..tree.nodes.len()).filter(is_end).collect();
        let turns_left = limits.variation_turns;
        let uses_goproblems = tree.nodes.iter().any(|node| node.marks.is_of_goproblems);
        ProblemAudit {
            tree,
            paths,
            ends,
            marks_right,
            marks_wrong,
            uses_goproblems,
            limits,
            budget,
            turns_left,
            early_end: None,
            findings: Vec::new(),
        }
    }

    /// Returns true if the last turn of a path is the opponent's, and not a pass.
    fn is_opponents(&self, node: usize) -> bool {
        self.paths[node]
            .last
            .is_some_and(|(color, coordinates)| Some(color) != self.tree.solver && coordinates != Coordinates::Pass)
    }

    /// Returns the verdict on the last node of a path.
    fn verdict(&self, end: usize) -> Option<AnswerVerdict> {
        self.paths[end].verdict.or(match (self.marks_right, self.marks_wrong) {
            (true, _) => Some(AnswerVerdict::Wrong),
            (false, true) if !self.is_opponents(end) => Some(AnswerVerdict::Right),
            _ => None,
        })
    }

    /// Subtracts turns from the budget. Returns false after its end.
    fn spend(&mut self, turns: u64, node: usize) -> bool {
        let offset = self.tree.nodes[node].offset;
        if self.early_end.is_none() && self.budget.is_spent() {
            self.early_end = Some((Code::SlowGame, offset, "--max game-time is over".into()));
        }
        match self.turns_left.checked_sub(turns) {
            Some(turns_left) => self.turns_left = turns_left,
            None if self.early_end.is_none() => self.early_end = Some(too_many(offset, self.limits)),
            None => {}
        }
        self.early_end.is_none()
    }

    fn report(&mut self, code: Code, node: usize, detail: impl Into<String>) {
        if self.early_end.is_some() {
            return;
        }
        let path = self.tree.path(node);
        if !self.spend(1 + path.len() as u64, node) {
            return;
        }
        let AnswerPath { turns, last, .. } = self.paths[node];
        let point = last.and_then(|(_, coordinates)| match coordinates {
            Coordinates::Play(point) => Some(point),
            _ => None,
        });
        let offset = self.tree.nodes[node].offset;
        let place = Place { offset, turn: Some(turns), color: last.map(|(color, _)| color), point };
        let mut finding = Finding::new(code, place, detail);
        finding.variation = path_text(&path);
        self.findings.push(finding);
    }

    /// Looks for a right answer.
    fn right_path(&mut self) {
        if self.marks_right {
            return;
        }
        let is_right = |end: &usize| self.verdict(*end) == Some(AnswerVerdict::Right);
        let place = Place::byte(0);
        self.findings.push(if self.uses_goproblems {
            Finding::new(Code::NoRightPath, place, "the comments have words of goproblems, but no RIGHT")
        } else if !self.marks_wrong {
            Finding::new(Code::UnmarkedAnswer, place, "the first variation counts as the right answer")
        } else if self.ends.iter().any(is_right) {
            Finding::new(Code::UnmarkedAnswer, place, "all answers that are not marked as wrong count as right")
        } else {
            Finding::new(
                Code::NoRightPath,
                place,
                "no path that ends with the solver's turn is free of a mark for wrong",
            )
        });
    }

    /// Looks for marks of right answers after which every path ends with the opponent's turn.
    fn ends_of_right_paths(&mut self) {
        if !self.marks_right {
            let is_first_right = !self.marks_wrong && !self.uses_goproblems;
            if let Some(&end) = self.ends.first().filter(|end| is_first_right && self.is_opponents(**end)) {
                self.report(Code::OpponentMovedLast, end, "the first variation");
            }
            return;
        }
        let right_ends: Vec<usize> =
            self.ends.iter().copied().filter(|end| self.verdict(*end) == Some(AnswerVerdict::Right)).collect();
        let mut good_marks = HashSet::new();
        for end in right_ends.iter().filter(|end| !self.is_opponents(**end)) {
            let mut mark = self.paths[*end].right_mark;
            while let Some(node) = mark.filter(|node| good_marks.insert(*node)) {
                mark = self.tree.nodes[node].parent.and_then(|parent| self.paths[parent].right_mark);
            }
        }
        for end in right_ends {
            // Further ends after the same mark are not reported again.
            if self.paths[end].right_mark.is_some_and(|mark| good_marks.insert(mark)) {
                self.report(Code::OpponentMovedLast, end, "a path that is marked as right");
            }
        }
    }

    /// Compares all marked positions, and those at the ends of paths.
    fn contradictory_marks(&mut self) {
        let mut known: HashMap<PositionKey, [Option<usize>; 2]> = HashMap::new();
        for node in 0..self.tree.nodes.len() {
            let (path, marks) = (self.paths[node], self.tree.nodes[node].marks);
            let verdict = match path.verdict {
                _ if path.turns == 0 => None,
                Some(_) if marks.is_right && marks.is_wrong => {
                    self.report(Code::ContradictoryMarks, node, "right and wrong in one node");
                    None
                }
                verdict if marks.is_right || marks.is_wrong => verdict,
                _ if self.tree.nodes[node].children == 0 => self.verdict(node),
                _ => None,
            };
            let is_right = match verdict {
                Some(AnswerVerdict::Right) => true,
                Some(AnswerVerdict::Wrong) => false,
                _ => continue,
            };
            let Some((position, ko)) = self.position(node) else { return };
            let nodes = known.entry((position.hash(), path.last.map(|(color, _)| color), ko)).or_default();
            nodes[usize::from(is_right)].get_or_insert(node);
            let Some(other) = nodes[usize::from(!is_right)] else { continue };
            // Equal hashes are a suspicion, not a proof.
            if self.position(other).is_some_and(|(other, _)| other == position) {
                self.report_contradiction(node, other, is_right);
            }
        }
    }

    fn report_contradiction(&mut self, node: usize, other: usize, is_right: bool) {
        let word = |is_right, node: usize| match (is_right, self.paths[node].verdict) {
            (true, _) => "right",
            (false, Some(_)) => "wrong",
            (false, None) => "not marked as right",
        };
        let (verdict, opposite) = (word(is_right, node), word(!is_right, other));
        let path = self.tree.path(other);
        let place = if path.is_empty() { "the main line".into() } else { format!("variation {}", path_text(&path)) };
        let detail = format!(
            "{verdict} here, and {opposite} after turn {} of {place}: the same position",
            self.paths[other].turns
        );
        self.report(Code::ContradictoryMarks, node, detail);
    }
}

fn path_text(path: &[u32]) -> String {
    Branches::path(&path.iter().map(|child| (0, *child)).collect::<Vec<_>>())
}
