//! Chains of a colour that can't be kept apart.

use super::scan::{EMPTY, Scan};
use crate::score::disjoint::{find, join};

/// Groups of linked chains.
pub(super) struct Links {
    /// For each part, the one that stands for its group.
    parent: Vec<u16>,
    groups: Vec<Group>,
}

/// What a group has.
#[derive(Clone, Copy, Default)]
pub(super) struct Group {
    pub(super) chains: f32,
    pub(super) stones: f32,
    pub(super) liberties: f32,
    pub(super) eyes: f32,
    pub(super) eye_points: f32,
}

impl Links {
    /// Links chains that share two liberties, or one in a region that is all their colour's.
    pub(super) fn new(scan: &Scan, touches: &[u8], near: &[u8]) -> Links {
        let mut parent: Vec<u16> = (0..scan.parts.len() as u16).collect();
        let mut shared: Vec<(u16, u16)> = Vec::with_capacity(256);
        for region in (0..scan.parts.len()).filter(|&part| scan.parts[part].color == EMPTY) {
            let is_own = touches[region] != 3;
            if is_own {
                let mut chains = scan.beside(region).iter().map(|&(chain, _)| chain);
                if let Some(first) = chains.next() {
                    chains.for_each(|chain| join(&mut parent, first, chain));
                }
                continue;
            }
            for &cell in scan.cells(region) {
                if near[usize::from(cell)] == 0 {
                    continue;
                }
                let around = scan.around(usize::from(cell));
                for (index, &one) in around.iter().enumerate() {
                    for &next in &around[..index] {
                        let (a, b) = (scan.of[one], scan.of[next]);
                        let is_pair =
                            scan.stone[one] == scan.stone[next] && a != b && [1, 2].contains(&scan.stone[one]);
                        if is_pair {
                            shared.push((a.min(b), a.max(b)));
                        }
                    }
                }
            }
        }
        shared.sort_unstable();
        for pair in shared.windows(2).filter(|pair| pair[0] == pair[1]) {
            join(&mut parent, pair[0].0, pair[0].1);
        }
        let mut links = Links { parent, groups: vec![Group::default(); scan.parts.len()] };
        links.add_up(scan, touches);
        links
    }

    fn add_up(&mut self, scan: &Scan, touches: &[u8]) {
        for (number, part) in scan.parts.iter().enumerate() {
            if part.color != EMPTY {
                let group = &mut self.groups[find(&mut self.parent, number as u16) as usize];
                group.chains += 1.0;
                group.stones += part.size() as f32;
                group.liberties += f32::from(part.liberties);
            } else if touches[number] != 3
                && let Some(&(chain, _)) = scan.beside(number).first()
            {
                let group = &mut self.groups[find(&mut self.parent, chain) as usize];
                group.eyes += 1.0;
                group.eye_points += part.size() as f32;
            }
        }
        for number in 0..self.parent.len() {
            self.parent[number] = find(&mut self.parent, number as u16);
        }
    }

    /// The group of a chain.
    pub(super) fn group(&self, chain: usize) -> Group {
        self.groups[usize::from(self.parent[chain])]
    }

    /// The number of a chain's group.
    pub(super) fn number(&self, chain: usize) -> usize {
        usize::from(self.parent[chain])
    }

    /// How many liberties the enemy next to a chain has at most that is linked to others.
    pub(super) fn closest_enemy(&self, scan: &Scan, chain: usize, enemy: u8) -> u8 {
        let beside = scan.beside(chain).iter().map(|&(part, _)| usize::from(part));
        let strongest = beside.filter(|&part| scan.parts[part].color == enemy).map(|part| self.group(part).eye_points);
        strongest.fold(0.0, f32::max).min(60.0) as u8
    }
}
