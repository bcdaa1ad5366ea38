//! A tree search in the part of a board that playouts leave in doubt.
//!
//! Upper confidence trees (Kocsis and Szepesvári, 2006) with the all-moves-as-first estimates of Gelly and Silver (2007).
//! A tree's leaves are valued by playouts over the whole board. Floats are added, divided and square roots are drawn, which
//! IEEE 754 fixes to the bit.

use super::board::Board;
use super::policy::{play_out, is_eye};
use super::tally::owner;

/// How many visits the estimate from all moves of a playout is worth.
const SHARED_VISITS: f32 = 30.0;
const EXPLORATION: f32 = 0.4;
/// Moves of a simulation that the shared estimates learn from.
const LEARNED: usize = 40;
const DEEPEST: usize = 60;

/// A move and what is known of it. Values are Black's.
#[derive(Clone, Copy, Default)]
struct Node {
    /// Where the move is played, 0 for a pass.
    cell: usize,
    visits: f32,
    sum: f32,
    shared_visits: f32,
    shared_sum: f32,
    /// The answers: where they start, how many there are.
    answers: (usize, usize),
}

pub(super) struct Search<'a, const W: usize> {
    pub(super) start: &'a Board<W>,
    pub(super) random: &'a mut u64,
    /// Cells where nothing is to be played.
    pub(super) closed: &'a [bool],
    /// The cells that the search plays on and whose owners count.
    pub(super) zone: &'a [usize],
}

impl<const W: usize> Search<'_, W> {
    /// Simulates with `first` to move, and adds the owners of the zone's cells over the second half of it to `sum`.
    pub(super) fn run(&mut self, first: u8, simulations: usize, sum: &mut [i64]) {
        let mut nodes = vec![Node::default()];
        let mut board = self.start.clone();
        let (mut path, mut trace, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        for simulation in 0..simulations {
            board.copy_from(self.start);
            trace.clear();
            let (color, passes) = self.descend(&mut nodes, &mut board, first, &mut path, &mut trace);
            if passes < 2 {
                let last = trace.last().map_or(0, |&(_, cell)| cell);
                play_out(&mut board, color, last, self.random, self.closed, &mut moves, Some(&mut trace));
            }
            let mut value = 0;
            for &cell in self.zone {
                let owner = owner(&board, cell);
                value += owner;
                if simulation >= simulations / 2 {
                    sum[cell] += owner;
                }
            }
            update(&mut nodes, &path, &trace, first, value as f32 / self.zone.len() as f32);
        }
    }

    fn descend(&self, nodes: &mut Vec<Node>, board: &mut Board<W>, first: u8, path: &mut Vec<usize>, trace: &mut Vec<(u8, usize)>) -> (u8, u32) {
        path.clear();
        path.push(0);
        let (mut color, mut passes, mut at) = (first, 0, 0);
        while passes < 2 && path.len() < DEEPEST {
            if nodes[at].answers.1 == 0 {
                if at != 0 && nodes[at].visits < 2.0 {
                    break;
                }
                self.expand(nodes, at, board, color);
            }
            at = select(nodes, at, color);
            path.push(at);
            let cell = nodes[at].cell;
            trace.push((color, cell));
            if cell == 0 {
                board.ko = 0;
                passes += 1;
            } else {
                board.play(color, cell);
                passes = 0;
            }
            color = 3 - color;
        }
        (color, passes)
    }

    fn expand(&self, nodes: &mut Vec<Node>, at: usize, board: &Board<W>, color: u8) {
        let first = nodes.len();
        nodes.push(Node::default());
        for &cell in self.zone {
            if board.is_legal(color, cell) && !is_eye(board, color, cell) {
                nodes.push(Node { cell, ..Node::default() });
            }
        }
        nodes[at].answers = (first, nodes.len() - first);
    }
}

fn select(nodes: &[Node], at: usize, color: u8) -> usize {
    let parent = nodes[at];
    let sign = if color == 1 { 1.0 } else { -1.0 };
    let unknown = if parent.visits > 0.0 { sign * parent.sum / parent.visits } else { 0.0 };
    let (first, count) = parent.answers;
    let urge = EXPLORATION * ((parent.visits + 1.0) / count as f32).sqrt();
    let mut best = (f32::MIN, first);
    for (index, node) in nodes.iter().enumerate().skip(first).take(count) {
        let own = if node.visits > 0.0 { sign * node.sum / node.visits } else { unknown };
        let value = if node.shared_visits > 0.0 {
            let weight = SHARED_VISITS / (SHARED_VISITS + node.visits);
            own * (1.0 - weight) + sign * node.shared_sum / node.shared_visits * weight
        } else { own };
        let urgent = value + urge / (1.0 + node.visits);
        if urgent > best.0 { best = (urgent, index); }
    }
    best.1
}

fn update(nodes: &mut [Node], path: &[usize], trace: &[(u8, usize)], first: u8, value: f32) {
    let mut color = first;
    for (depth, &at) in path.iter().enumerate() {
        nodes[at].visits += 1.0;
        nodes[at].sum += value;
        let (start, count) = nodes[at].answers;
        let later = &trace[depth.min(trace.len())..trace.len().min(depth + LEARNED)];
        for node in nodes.iter_mut().skip(start).take(count).filter(|node| node.cell != 0) {
            if let Some(&(player, _)) = later.iter().find(|turn| turn.1 == node.cell) {
                if player == color {
                    node.shared_visits += 1.0;
                    node.shared_sum += value;
                }
            }
        }
        color = 3 - color;
    }
}
