//! A tree search (UCT with AMAF) in the part of a board that playouts leave in doubt.
//!
//! It uses upper confidence trees (Kocsis and Szepesvári, 2006) with the all-moves-as-first
//! estimates of Gelly and Silver (2007). Playouts over the whole board evaluate the leaves. The
//! only operations on floats are those that IEEE 754 defines exactly, such as sums, quotients and
//! square roots.

use super::move_filter::is_eye;
use super::policy::Policy;
use jigo_rules::board::Color;
use jigo_rules::budget::Budget;

/// Number of visits that equal the weight of a move's AMAF value.
const VIRTUAL_VISITS: f32 = 30.0;
/// Weight of exploration, relative to the mean owner between -1 and 1.
const EXPLORATION: f32 = 0.4;
/// Number of moves of a simulation that update AMAF values.
const AMAF_HORIZON: usize = 40;
/// Largest number of moves of a simulation within the tree.
const DEEPEST: usize = 60;
/// Number of visits before a leaf gets children.
const VISITS_TO_EXPAND: f32 = 2.0;

/// A move and its statistics. Values are from Black's point of view.
#[derive(Clone, Copy, Default)]
struct Node {
    /// Cell of the move, or 0 for a pass.
    cell: usize,
    visits: f32,
    sum: f32,
    amaf_visits: f32,
    amaf_sum: f32,
    /// Index of the first child and number of children.
    children: (usize, usize),
}

pub(super) struct TreeSearch<'a, 'b, const W: usize> {
    policy: &'a mut Policy<'b, W>,
    /// The cells on which the search plays.
    zone: &'a [usize],
    /// The stones in question. The value of a simulation is the mean of their owners.
    stones: &'a [usize],
    nodes: Vec<Node>,
    /// The nodes of the current simulation, from the root.
    path: Vec<usize>,
}

impl<'a, 'b, const W: usize> TreeSearch<'a, 'b, W> {
    pub(super) fn new(policy: &'a mut Policy<'b, W>, zone: &'a [usize], stones: &'a [usize]) -> TreeSearch<'a, 'b, W> {
        TreeSearch { policy, zone, stones, nodes: vec![Node::default()], path: Vec::new() }
    }

    /// Runs simulations with `first` to move.
    ///
    /// Returns, for each cell, the simulations of the second half in which Black owned it minus
    /// those in which White did.
    pub(super) fn run(mut self, first: u8, simulations: usize, budget: &Budget) -> Vec<i64> {
        let mut sum = vec![0; self.policy.board.stone.len()];
        for simulation in 0..simulations {
            if budget.is_spent() {
                break;
            }
            self.policy.restart();
            if let Some(color) = self.descend(first) {
                let last = self.policy.trace.last().map_or(0, |&(_, cell)| cell);
                self.policy.play_out(color, last);
            }
            let board = &self.policy.board;
            if simulation >= simulations / 2 {
                self.zone.iter().for_each(|&cell| sum[cell] += board.owner(cell));
            }
            let value: i64 = self.stones.iter().map(|&cell| board.owner(cell)).sum();
            self.update(first, value as f32 / self.stones.len() as f32);
        }
        sum
    }

    /// Follows the most urgent moves to a leaf of the tree and expands it if it has enough visits.
    ///
    /// Returns the colour to move there, or `None` after two passes.
    fn descend(&mut self, first: u8) -> Option<u8> {
        self.path.clear();
        self.path.push(0);
        let (mut color, mut passes, mut node) = (first, 0, 0);
        while passes < 2 && self.path.len() < DEEPEST {
            if self.nodes[node].children.1 == 0 {
                if node != 0 && self.nodes[node].visits < VISITS_TO_EXPAND {
                    break;
                }
                self.expand(node, color);
            }
            node = self.select(node, color);
            self.path.push(node);
            let cell = self.nodes[node].cell;
            self.policy.trace.push((color, cell));
            if cell == 0 {
                self.policy.board.ko = 0;
                passes += 1;
            } else {
                self.policy.board.play(color, cell);
                passes = 0;
            }
            color = 3 - color;
        }
        (passes < 2).then_some(color)
    }

    /// Adds the children of a leaf: a pass, and every legal play that fills no eye.
    fn expand(&mut self, node: usize, color: u8) {
        let board = &self.policy.board;
        let first = self.nodes.len();
        self.nodes.push(Node::default());
        for &cell in self.zone {
            if board.is_legal(color, cell) && !is_eye(board, color, cell) {
                self.nodes.push(Node { cell, ..Node::default() });
            }
        }
        self.nodes[node].children = (first, self.nodes.len() - first);
    }

    /// Returns the most urgent child for the colour to move.
    ///
    /// The urgency is the child's value plus a bonus for few visits. A child without visits uses
    /// its parent's value.
    fn select(&self, parent: usize, color: u8) -> usize {
        let parent = self.nodes[parent];
        let sign = if color == Color::Black as u8 { 1.0 } else { -1.0 };
        let first_play_urgency = if parent.visits > 0.0 { sign * parent.sum / parent.visits } else { 0.0 };
        let (first, count) = parent.children;
        let exploration = EXPLORATION * ((parent.visits + 1.0) / count as f32).sqrt();
        let mut best = (f32::MIN, first);
        for (index, node) in self.nodes.iter().enumerate().skip(first).take(count) {
            let mut value = if node.visits > 0.0 { sign * node.sum / node.visits } else { first_play_urgency };
            if node.amaf_visits > 0.0 {
                let weight = VIRTUAL_VISITS / (VIRTUAL_VISITS + node.visits);
                value = value * (1.0 - weight) + sign * node.amaf_sum / node.amaf_visits * weight;
            }
            let urgency = value + exploration / (1.0 + node.visits);
            if urgency > best.0 {
                best = (urgency, index);
            }
        }
        best.1
    }

    /// Adds the value of the simulation to the nodes on its path.
    ///
    /// The value also counts for their children whose cell the same colour was the first to play
    /// later (AMAF).
    fn update(&mut self, first: u8, value: f32) {
        let trace = &self.policy.trace;
        let mut color = first;
        for (depth, &node_index) in self.path.iter().enumerate() {
            self.nodes[node_index].visits += 1.0;
            self.nodes[node_index].sum += value;
            let (start, count) = self.nodes[node_index].children;
            let later_moves = &trace[depth.min(trace.len())..trace.len().min(depth + AMAF_HORIZON)];
            for node in self.nodes[start..start + count].iter_mut().filter(|node| node.cell != 0) {
                if later_moves.iter().find(|turn| turn.1 == node.cell).is_some_and(|turn| turn.0 == color) {
                    node.amaf_visits += 1.0;
                    node.amaf_sum += value;
                }
            }
            color = 3 - color;
        }
    }
}
