//! `[ReviewNode]` and `[ReviewComment]`: a tree of turns with comments.

use std::collections::BTreeMap;

use super::sections::UgfBoard;
use super::turn::{NumberedTurn, TurnNote};
use crate::formats::rewrite::SgfWriter;
use jigo_rules::board::Color;

/// The nodes of a review. Each comes after its parent.
pub(super) struct Review<'a> {
    nodes: Vec<ReviewNode>,
    comments: BTreeMap<u32, Vec<&'a str>>,
}

struct ReviewNode {
    offset: usize,
    id: u32,
    /// `None` for the first and the last node.
    color: Option<Color>,
    point: Option<(u32, u32)>,
    /// The main continuation.
    next: Option<usize>,
    /// Alternative continuations.
    variations: Vec<usize>,
}

impl<'a> Review<'a> {
    pub(super) fn from_lines(nodes: &[(usize, &'a str)], comments: &[(usize, &'a str)], board: UgfBoard) -> Review<'a> {
        let mut review = Review { nodes: Vec::new(), comments: BTreeMap::new() };
        // The parent of the next node, and the parents at which open variations began.
        let (mut parent, mut open_variations): (Option<usize>, Vec<Option<usize>>) = (None, Vec::new());
        let mut in_variation = false;
        for (offset, line) in nodes {
            let line = line.trim();
            if let Some(node) = node(*offset, line, board) {
                let index = review.nodes.len();
                review.nodes.push(node);
                if let Some(parent) = parent.map(|parent| &mut review.nodes[parent]) {
                    if in_variation || parent.next.is_some() {
                        parent.variations.push(index);
                    } else {
                        parent.next = Some(index);
                    }
                }
                (parent, in_variation) = (Some(index), false);
            } else if line.starts_with("VARIATIONEND") {
                (parent, in_variation) = (open_variations.pop().unwrap_or(parent), false);
            } else if line.starts_with("VARIATION") {
                open_variations.push(parent);
                in_variation = true;
            }
        }
        let mut open = None;
        for (_, line) in comments {
            if let Some(id) = line.trim_start().strip_prefix(".Comment,") {
                open = id.trim().parse().ok();
            } else if let Some(id) = open {
                review.comments.entry(id).or_default().push(line);
            }
        }
        review
    }

    /// Returns true if the main line of the review has exactly these turns.
    pub(super) fn has_main_line(&self, turns: &[NumberedTurn]) -> bool {
        let main_line = std::iter::successors((!self.nodes.is_empty()).then_some(0), |node| self.nodes[*node].next);
        let reviewed = main_line.map(|node| &self.nodes[node]).filter_map(|node| Some((node.color?, node.point)));
        !self.nodes.is_empty() && reviewed.eq(turns.iter().map(|turn| (turn.color, turn.point)))
    }

    /// Writes the tree. `notes` belong to turns of the main line, by number.
    pub(super) fn write(&self, mut notes: BTreeMap<u32, TurnNote>, writer: &mut SgfWriter) {
        enum Task {
            Node(usize, Option<u32>),
            Open,
            Close,
        }
        let mut tasks = vec![Task::Node(0, Some(0))];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open => writer.push_sgf(b"("),
                Task::Close => writer.push_sgf(b")"),
                Task::Node(index, number) => {
                    let node = &self.nodes[index];
                    let number = number.map(|number| number + u32::from(node.color.is_some()));
                    if let Some(color) = node.color {
                        writer.turn(node.offset, color, node.point);
                    }
                    let comment = self.comments.get(&node.id);
                    if node.color.is_some() || index == 0 {
                        let mut note = number.and_then(|number| notes.remove(&number)).unwrap_or_default();
                        comment.into_iter().flatten().for_each(|line| note.line(line));
                        note.write(writer);
                    } else if comment.is_some() {
                        writer.report_omission(node.offset, "a comment without a turn");
                    }
                    let next = node.next.map(|next| Task::Node(next, number));
                    if node.variations.is_empty() {
                        tasks.extend(next);
                        continue;
                    }
                    let variations = node.variations.iter().rev().map(|child| Task::Node(*child, None));
                    for branch in variations.chain(next) {
                        tasks.extend([Task::Close, branch, Task::Open]);
                    }
                }
            }
        }
    }
}

/// Parses `NODE,2,1,17,16`.
fn node(offset: usize, line: &str, board: UgfBoard) -> Option<ReviewNode> {
    let mut numbers = line.strip_prefix("NODE,")?.split(',').map(|part| part.trim().parse::<u32>());
    let mut number = || numbers.next()?.ok();
    let (id, color, column, row) = (number()?, number()?, number()?, number()?);
    let color = Color::BOTH.get((color as usize).wrapping_sub(1)).copied();
    Some(ReviewNode { offset, id, color, point: board.point(column, row), next: None, variations: Vec::new() })
}
