//! The playouts of one position, and what they say of its chains.

use super::Estimate;
use super::board::{BORDER, Board, EMPTY, cell_of};
use super::policy::play_out;
use super::search::Search;
use crate::board::hash::split_mix;
use crate::board::{BoardSize, Color, Point, Position};
use crate::score::settled::PassAlive;

/// Playouts between two looks at the chains, half of them with each side to move first.
const ROUND: i64 = 16;
const MOST: i64 = 512;
/// A chain is decided when its mean owner is this many times as far from zero as chance alone would bring it.
const DECIDED: i64 = 4;

/// Who owned which cell at the end of playouts.
pub(super) struct Tally<const W: usize> {
    start: Board<W>,
    size: BoardSize,
    seed: u64,
    /// Cells of pass-alive territory.
    closed: Vec<bool>,
    /// For each cell, playouts in which it was Black's less those in which it was White's.
    sum: Vec<i64>,
    playouts: i64,
    feats: String,
    changed: Vec<(usize, i64)>,
}

fn env(n: &str, d: i64) -> i64 { std::env::var(n).ok().and_then(|s| s.parse().ok()).unwrap_or(d) }

/// The sign of a colour's cells in the sums.
fn sign(stone: u8) -> i64 {
    if stone == Color::Black as u8 { 1 } else { -1 }
}

impl<const W: usize> Tally<W> {
    pub(super) fn new(position: &Position, settled: &[PassAlive; 2]) -> Tally<W> {
        let size = position.size();
        let start = Board::<W>::new(position);
        let mut closed = vec![false; start.stone.len()];
        for point in settled.iter().flat_map(|side| side.territory.iter()) {
            closed[cell_of(size, point)] = true;
        }
        let hash = position.hash().0;
        let seed = (hash >> 64) as u64 ^ hash as u64;
        Tally { sum: vec![0; start.stone.len()], start, size, seed, closed, playouts: 0, feats: String::new(), changed: Vec::new() }
    }

    /// Plays until every chain is decided, or for as long as is worth while.
    pub(super) fn play(&mut self, next: Color) {
        let mut board = self.start.clone();
        let mut random = self.seed;
        let mut moves = Vec::new();
        split_mix(&mut random);
        let most = env("MOST", MOST); let dec = env("DEC", DECIDED);
        while self.playouts < most {
            for index in 0..ROUND {
                board.copy_from(&self.start);
                let first = if index % 2 == 0 { next } else { next.opponent() };
                play_out(&mut board, first as u8, 0, &mut random, &self.closed, &mut moves, None);
                for (cell, sum) in self.sum.iter_mut().enumerate() {
                    *sum += owner(&board, cell);
                }
            }
            self.playouts += ROUND;
            if self.heads().all(|head| self.is_decided(head, dec)) {
                break;
            }
        }
    }

    /// The chain's mean owner in percent, its own colour positive.
    fn mean(&self, chain: usize) -> i64 {
        self.held(chain) * 100 / (i64::from(self.start.chain_size(chain)) * self.playouts)
    }

    pub(super) fn search(&mut self, next: Color) {
        let doubt = env("DOUBT", 25);
        let sims = env("SIMS", 300) as usize;
        if sims == 0 { return; }
        let zmax = env("ZMAX", 60) as usize;
        let mut random = self.seed ^ 1;
        let mut done = vec![false; self.closed.len()];
        let heads: Vec<usize> = self.heads().collect();
        for head in heads {
            if done[head] || self.ko_fellow(head).is_some() || self.mean(head).abs() >= doubt { continue; }
            let zone = self.zone(head, env("LIM", 60));
            for &c in &zone { done[c] = true; }
            let empties = zone.iter().filter(|&&c| self.start.stone[c] == EMPTY).count();
            if empties > zmax { continue; }
            let mut sums = [vec![0; self.closed.len()], vec![0; self.closed.len()]];
            for (sum, first) in sums.iter_mut().zip([next, next.opponent()]) {
                Search { start: &self.start, random: &mut random, closed: &self.closed, zone: &zone }.run(first as u8, sims, sum);
            }
            let count = (sims - sims / 2) as i64;
            for &h in &zone {
                if self.start.stone[h] == EMPTY || self.start.head(h) != h { continue; }
                let s = sign(self.start.stone[h]);
                let k = i64::from(self.start.chain_size(h));
                let v = |sum: &[i64]| s * self.start.chain(h).map(|c| sum[c]).sum::<i64>() * 100 / (k * count);
                let (r, l, o) = (self.mean(h), v(&sums[0]), v(&sums[1]));
                self.feats += &format!("\nCHAIN {} {} {r} 0 {l} {o} {empties} {}", self.point(h).to_a1(self.size), k, self.start.liberty_count(h));
                let (w0, w1, w2) = (env("W0", 1), env("W1", 1), env("W2", 1));
                let m = (r * w0 + l * w1 + o * w2) / (w0 + w1 + w2);
                if r.abs() < env("DOUBT2", 60) { self.changed.push((h, m)); }
            }
        }
    }

    /// The points around a doubtful chain
    fn zone(&self, from: usize, limit: i64) -> Vec<usize> {
        let few = env("FEW", 8) as u16;
        let b = &self.start;
        let mut inside = vec![false; b.stone.len()];
        let mut partner = vec![false; b.stone.len()];
        let mut zone = Vec::new();
        let mut todo = vec![from];
        inside[from] = true;
        while let Some(c) = todo.pop() {
            zone.push(c);
            let stone = b.stone[c] != EMPTY;
            let mut alive = [false; 4];
            if !stone { for m in b.neighbours(c) { if b.stone[m] != BORDER && b.stone[m] != EMPTY && self.mean(b.head(m)) >= limit && !partner[b.head(m)] { alive[usize::from(b.stone[m])] = true; } } }
            let weak = stone && self.mean(b.head(c)) < limit;
            let active = stone || !(alive[1] && alive[2]);
            for m in b.neighbours(c) {
                if b.stone[m] == BORDER || inside[m] || self.closed[m] { continue; }
                let take = if b.stone[m] == EMPTY { active } else if self.mean(b.head(m)) < limit { active } else {
                    if weak && b.stone[m] != b.stone[c] && b.liberty_count(m) <= few { partner[b.head(m)] = true; }
                    partner[b.head(m)]
                };
                if take { inside[m] = true; todo.push(m); }
            }
        }
        zone.sort_unstable();
        zone
    }

    /// One stone of each chain that is in the playouts.
    fn heads(&self) -> impl Iterator<Item = usize> + '_ {
        let is_stone = |cell: &usize| !matches!(self.start.stone[*cell], EMPTY | BORDER);
        (0..self.start.stone.len()).filter(is_stone).filter(|&cell| self.start.head(cell) == cell && !self.closed[cell])
    }

    /// How much of a chain its own colour owns at the end of a playout, summed over stones and playouts.
    fn held(&self, chain: usize) -> i64 {
        sign(self.start.stone[chain]) * self.start.chain(chain).map(|cell| self.sum[cell]).sum::<i64>()
    }

    fn is_decided(&self, chain: usize, dec: i64) -> bool {
        let (held, size) = (self.held(chain), i64::from(self.start.chain_size(chain)));
        held * held >= dec * dec * size * size * self.playouts || self.ko_fellow(chain).is_some()
    }

    /// For a stone that can be taken in a ko, a stone of a chain that the ko connects it with. Playouts win a ko as often
    /// as not; players leave it standing, or fill it, where the chains around are alive.
    fn ko_fellow(&self, stone: usize) -> Option<usize> {
        if self.start.chain_size(stone) != 1 || self.start.liberty_count(stone) != 1 {
            return None;
        }
        let color = self.start.stone[stone];
        let mouth = self.start.liberties_of(stone).next()?;
        let around = self.start.neighbours(mouth);
        let is_ko = around.iter().all(|&cell| [color, BORDER].contains(&self.start.stone[cell]));
        let fellows = around.into_iter().filter(|&cell| is_ko && cell != stone && self.start.stone[cell] == color);
        fellows.max_by_key(|&cell| self.start.chain_size(cell))
    }

    pub(super) fn estimate(&self, position: &Position, settled: &[PassAlive; 2]) -> Estimate {
        let (mut dead, mut doubtful) = (Vec::new(), Vec::new());
        let n = self.playouts;
        let mut worst = 100; let mut second = 100; let mut nd = 0; let mut ds = 0;
        for head in self.heads() {
            let decisive = self.ko_fellow(head).unwrap_or(head);
            let k = i64::from(self.start.chain_size(decisive));
            let mean = self.held(decisive) * 100 / (k * n);
            let mean = self.changed.iter().find(|c| c.0 == decisive).map_or(mean, |c| c.1);
            let points = || self.start.chain(head).map(|cell| self.point(cell));
            if mean < 0 { dead.extend(points()); }
            if decisive == head { if mean.abs() < worst { second = worst; worst = mean.abs(); } else { second = second.min(mean.abs()); } }
            if mean.abs() < 50 { nd += 1; ds += self.start.chain_size(head); doubtful.extend(points()); }
        }
        for color in Color::BOTH { for p in settled[color.index()].territory.iter() { if position.stone(p) == Some(color.opponent()) { dead.push(p); } } }
        dead.sort_unstable();
        doubtful.sort_unstable();
        let ownership = self.size.iter().map(|point| (self.sum[cell_of(self.size, point)] * 100 / n) as i8).collect();
        Estimate { dead, confidence: worst as f32 / 100.0, ownership, doubtful, feats: format!("n {n} worst {worst} second {second} nd {nd} ds {ds}{}", self.feats) }
    }

    fn point(&self, cell: usize) -> Point {
        let stride = self.start.stride;
        Point::new((cell % stride - 1) as u8, (cell / stride - 1) as u8)
    }
}

/// 1 for a cell that is Black's, -1 for White's, 0 for nobody's.
pub(super) fn owner<const W: usize>(board: &Board<W>, cell: usize) -> i64 {
    match board.stone[cell] {
        BORDER => 0,
        EMPTY => {
            let around = board.neighbours(cell).map(|near| board.stone[near]);
            if around.contains(&EMPTY) {
                return 0;
            }
            let touches = |color: Color| i64::from(around.contains(&(color as u8)));
            touches(Color::Black) - touches(Color::White)
        }
        stone => sign(stone),
    }
}
