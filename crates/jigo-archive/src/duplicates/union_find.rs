//! Groups of games (union-find).

use std::collections::BTreeMap;

/// The groups as trees: for each game its parent. A root is its own parent and identifies its
/// group. When two groups are joined, the smaller root remains.
pub(super) struct UnionFind(Vec<u32>);

impl UnionFind {
    /// Puts each of `games` games into a group with only that game.
    pub(super) fn new(games: usize) -> UnionFind {
        UnionFind((0..games as u32).collect())
    }

    pub(super) fn root(&mut self, mut game: u32) -> u32 {
        while self.0[game as usize] != game {
            let grandparent = self.0[self.0[game as usize] as usize];
            self.0[game as usize] = grandparent;
            game = grandparent;
        }
        game
    }

    pub(super) fn join(&mut self, first: u32, second: u32) {
        let roots = [self.root(first), self.root(second)];
        self.0[roots[0].max(roots[1]) as usize] = roots[0].min(roots[1]);
    }

    /// Returns the groups with at least two games, in the order of their first games.
    pub(super) fn groups(&mut self) -> Vec<Vec<u32>> {
        let mut trees: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for game in 0..self.0.len() as u32 {
            let root = self.root(game);
            if root != game {
                trees.entry(root).or_insert_with(|| vec![root]).push(game);
            }
        }
        trees.into_values().collect()
    }
}
