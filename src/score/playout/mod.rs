//! Ownership by playouts.

mod board;
mod policy;

use crate::board::hash::split_mix;
use crate::board::{Color, Point, Position};
use board::{Board, EMPTY, cell_of, cells_of};
use policy::Game;

/// What playouts say of a final position.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The dead stones, in the order of points.
    pub dead: Vec<Point>,
    /// How probable it is that the margin under these dead stones is exact, from 0 to 1.
    pub confidence: f32,
    /// For each point of the board, row by row, 100 when it ended as Black's in every playout, -100 when as White's.
    pub ownership: Vec<i8>,
    feats: String,
}

impl Estimate {
    /// scratch
    pub fn features(&self) -> String { self.feats.clone() }
    /// scratch
    pub fn teire_correction(&self) -> i32 { 0 }
}

/// Estimates which stones are dead.
pub fn estimate(position: &Position, next: Color) -> Estimate {
    if cells_of(position.size()) <= 7 * 64 { estimate_with::<7>(position, next) } else { estimate_with::<45>(position, next) }
}

fn estimate_with<const W: usize>(position: &Position, next: Color) -> Estimate {
    let size = position.size();
    let start = Board::<W>::new(position);
    let mut board = start.clone();
    let mut state = position.hash().0 as u64;
    let mut random = split_mix(&mut state);
    let closed = vec![false; start.stone.len()];
    let mut sum = vec![0i32; start.stone.len()];
    let n: i32 = std::env::var("N").map_or(64, |s| s.parse().unwrap_or(64));
    for i in 0..n {
        board.copy_from(&start);
        let first = if i % 2 == 0 { next } else { next.opponent() };
        Game::new(&mut board, &mut random, &closed).run(first as u8);
        for p in size.iter() {
            let c = cell_of(size, p);
            sum[c] += owner(&board, c);
        }
    }
    let mut dead = Vec::new();
    let mut seen = vec![false; start.stone.len()];
    let mut worst = 100;
    for p in size.iter() {
        let c = cell_of(size, p);
        let Some(color) = board::color(start.stone[c]) else { continue };
        if seen[start.head(c)] { continue; }
        seen[start.head(c)] = true;
        let total: i32 = start.chain(c).map(|s| sum[s]).sum();
        let total = if color == Color::Black { total } else { -total };
        let mean = total * 100 / (n * i32::from(start.chain_size(c)));
        worst = worst.min(mean.abs());
        if mean < 0 {
            dead.extend(start.chain(c).map(|s| point_of(size, s)));
        }
    }
    dead.sort();
    Estimate {
        dead,
        confidence: worst as f32 / 100.0,
        ownership: size.iter().map(|p| (sum[cell_of(size, p)] * 100 / n) as i8).collect(),
        feats: format!("worst {worst}"),
    }
}

fn point_of(size: crate::board::BoardSize, cell: usize) -> Point {
    let stride = usize::from(size.width()) + 1;
    Point::new((cell % stride - 1) as u8, (cell / stride - 1) as u8)
}

/// 1 for Black's, -1 for White's, 0 for nobody's.
fn owner<const W: usize>(board: &Board<W>, cell: usize) -> i32 {
    match board.stone[cell] {
        1 => 1,
        2 => -1,
        _ => {
            let mut touch = [false; 4];
            for n in board.neighbours(cell) { touch[usize::from(board.stone[n])] = true; }
            if touch[usize::from(EMPTY)] { return 0; }
            i32::from(touch[1]) - i32::from(touch[2])
        }
    }
}
