//! Chains of a colour that can't be kept apart.

use super::scan::{EMPTY, Scan, other};
use crate::score::disjoint::{find, join};

/// Groups of linked chains.
pub(super) struct ChainLinks {
    /// For each part, the one that stands for its group.
    parent: Vec<u16>,
    groups: Vec<LinkedChains>,
}

/// What a group has.
#[derive(Clone, Copy, Default)]
pub(super) struct LinkedChains {
    pub(super) chains: f32,
    pub(super) stones: f32,
    pub(super) liberties: f32,
    pub(super) eyes: f32,
    pub(super) eye_points: f32,
}

impl ChainLinks {
    /// Links chains that share two liberties, or one in a region that is all their colour's.
    pub(super) fn new(scan: &Scan, touches: &[u8]) -> ChainLinks {
        let mut parent: Vec<u16> = (0..scan.parts.len() as u16).collect();
        let mut shared: Vec<(u16, u16)> = Vec::with_capacity(256);
        let between = [1, 2].map(|color| scan.grid.beside(scan.stones(color), 2));
        let between = between[0].union(&between[1]);
        for region in (0..scan.parts.len()).filter(|&part| scan.parts[part].color == EMPTY) {
            if touches[region] == 3 {
                let cells = scan.parts[region].cells.intersection(&between);
                cells.iter().for_each(|cell| pairs(scan, cell, &mut shared));
                continue;
            }
            let mut chains = scan.beside(region).iter().map(|&(chain, _)| chain);
            if let Some(first) = chains.next() {
                chains.for_each(|chain| join(&mut parent, first, chain));
            }
        }
        shared.sort_unstable();
        for pair in shared.windows(2).filter(|pair| pair[0] == pair[1]) {
            join(&mut parent, pair[0].0, pair[0].1);
        }
        let mut links = ChainLinks { parent, groups: vec![LinkedChains::default(); scan.parts.len()] };
        links.add_up(scan, touches);
        links
    }

    fn add_up(&mut self, scan: &Scan, touches: &[u8]) {
        for (number, part) in scan.parts.iter().enumerate() {
            if part.color != EMPTY {
                let group = &mut self.groups[find(&mut self.parent, number as u16) as usize];
                group.chains += 1.0;
                group.stones += f32::from(part.size);
                group.liberties += f32::from(part.liberty_count);
            } else if touches[number] != 3
                && let Some(&(chain, _)) = scan.beside(number).first()
            {
                let group = &mut self.groups[find(&mut self.parent, chain) as usize];
                group.eyes += 1.0;
                group.eye_points += f32::from(part.size);
            }
        }
        for number in 0..self.parent.len() {
            self.parent[number] = find(&mut self.parent, number as u16);
        }
    }

    /// The group of a chain.
    pub(super) fn group(&self, chain: usize) -> LinkedChains {
        self.groups[usize::from(self.parent[chain])]
    }

    /// The number of a chain's group.
    pub(super) fn number(&self, chain: usize) -> usize {
        usize::from(self.parent[chain])
    }

    /// How many points the eyes have at most of an enemy group next to a chain.
    pub(super) fn strongest_enemy(&self, scan: &Scan, chain: usize) -> f32 {
        let beside = scan.beside(chain).iter().map(|&(part, _)| usize::from(part));
        let enemies = beside.filter(|&part| scan.parts[part].color == other(scan.parts[chain].color));
        enemies.map(|part| self.group(part).eye_points).fold(0.0, f32::max)
    }
}

/// Adds the pairs of chains of one colour next to a cell.
fn pairs(scan: &Scan, cell: usize, shared: &mut Vec<(u16, u16)>) {
    let mut around = [(0, 0); 4];
    let mut chains = 0;
    for near in scan.grid.neighbours(cell).into_iter().filter(|&near| scan.grid.board.contains(near)) {
        let (part, color) = (scan.of[near], scan.color(near));
        if color != EMPTY {
            let others = around[..chains].iter().filter(|other| other.0 == color && other.1 != part);
            shared.extend(others.map(|other| (part.min(other.1), part.max(other.1))));
            around[chains] = (color, part);
            chains += 1;
        }
    }
}
