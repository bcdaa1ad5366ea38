//! Boosted decision trees as tables.

/// A decision tree whose inner nodes compare a feature with a bound.
pub(super) struct Tree {
    /// Feature, bound, child for values up to the bound, and child for larger values.
    ///
    /// A child is the index of an inner node, or a leaf if negative. The first leaf is -1.
    pub(super) nodes: &'static [(u8, f32, i8, i8)],
    /// The leaves' contributions to the logarithm of the odds.
    pub(super) leaves: &'static [f32],
}

/// The features of a group by number.
///
/// The length is a power of two, so that an index needs no check.
pub(super) type Row = [f32; ROW];
pub(super) const ROW: usize = 64;

/// The same tree with all leaves at one depth, stored level by level.
///
/// The number of leaves is `LEAVES`, a power of two. The index of the next node is computed,
/// because unpredictable branches cost more than the comparisons.
pub(super) struct LevelTree<const LEAVES: usize> {
    /// One node fewer than leaves; the last entry is not used.
    features: [u8; LEAVES],
    bounds: [f32; LEAVES],
    leaves: [f32; LEAVES],
}

impl<const LEAVES: usize> LevelTree<LEAVES> {
    const EMPTY: LevelTree<LEAVES> =
        LevelTree { features: [0; LEAVES], bounds: [f32::INFINITY; LEAVES], leaves: [0.0; LEAVES] };

    const fn new(tree: &Tree) -> LevelTree<LEAVES> {
        let mut level = LevelTree::EMPTY;
        level.lay_out(tree, 0, if tree.nodes.is_empty() { -1 } else { 0 });
        level
    }

    /// Lays out the subtree of `node` at `index`.
    const fn lay_out(&mut self, tree: &Tree, index: usize, node: i8) {
        let is_leaf = node < 0;
        if index >= LEAVES - 1 {
            assert!(is_leaf, "the tree is deeper than LEAVES allows");
            self.leaves[index + 1 - LEAVES] = tree.leaves[node.unsigned_abs() as usize - 1];
            return;
        }
        let (mut low, mut high) = (node, node);
        if !is_leaf {
            (self.features[index], self.bounds[index], low, high) = tree.nodes[node as usize];
        }
        self.lay_out(tree, 2 * index + 1, low);
        self.lay_out(tree, 2 * index + 2, high);
    }

    #[inline]
    fn value(&self, row: &Row) -> f32 {
        let mut index = 0;
        for level in 0..LEAVES.trailing_zeros() {
            let node = (1 << level) - 1 + index;
            index = index << 1 | usize::from(row[usize::from(self.features[node]) % ROW] > self.bounds[node]);
        }
        self.leaves[index]
    }
}

/// Lays out all trees of a table.
pub(super) const fn level_trees<const LEAVES: usize, const COUNT: usize>(trees: &[Tree]) -> [LevelTree<LEAVES>; COUNT] {
    let mut levels = [const { LevelTree::EMPTY }; COUNT];
    let mut index = 0;
    while index < COUNT {
        levels[index] = LevelTree::new(&trees[index]);
        index += 1;
    }
    levels
}

/// Returns the sum of all trees for each row.
pub(super) fn sums<const LEAVES: usize>(trees: &[LevelTree<LEAVES>], rows: &[Row]) -> Vec<f32> {
    let mut sums = vec![0.0; rows.len()];
    for tree in trees {
        sums.iter_mut().zip(rows).for_each(|(sum, row)| *sum += tree.value(row));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::*;
    use jigo_rules::board::hash::split_mix;

    /// Creates the same test rows as `fit/table.py`.
    fn generated_rows(features: usize) -> Vec<Row> {
        let mut state = 23;
        let mut value = || ((split_mix(&mut state) >> 32) % 320) as f32 / 8.0 - 10.0;
        (0..16).map(|_| std::array::from_fn(|feature| if feature < features { value() } else { 0.0 })).collect()
    }

    /// Compares the results with those of LightGBM, which fitted the trees, on the same rows.
    #[test]
    fn trees_agree_with_lightgbm() {
        let passes = [
            (sums(&FIRST_TREES, &generated_rows(FIRST_FEATURES)), weights_first::GENERATED_ROW_SUMS),
            (sums(&SECOND_TREES, &generated_rows(LATER_FEATURES)), weights_second::GENERATED_ROW_SUMS),
            (sums(&THIRD_TREES, &generated_rows(LATER_FEATURES)), weights_third::GENERATED_ROW_SUMS),
        ];
        for (found, expected) in passes {
            let differing = found.iter().zip(expected).filter(|(found, expected)| (**found - expected).abs() > 1e-3);
            assert_eq!(differing.count(), 0, "{found:?} {expected:?}");
            assert!(found.iter().any(|odds| *odds > 1.0) && found.iter().any(|odds| *odds < -1.0), "{found:?}");
        }
    }

    #[test]
    fn bound_belongs_to_the_lower_side_and_trees_add_up() {
        const TREES: &[Tree] = &[
            Tree { nodes: &[(0, 1.5, -1, 1), (1, 0.0, -2, -3)], leaves: &[-1.0, 2.0, 4.0] },
            Tree { nodes: &[(1, 3.0, -1, -2)], leaves: &[0.25, 0.5] },
        ];
        static LEVELS: [LevelTree<8>; 2] = level_trees(TREES);
        let row = |first: f32, second: f32| std::array::from_fn(|feature| [first, second, 0.0][feature.min(2)]);
        assert_eq!(sums(&LEVELS, &[row(1.5, 9.0), row(2.0, 0.0), row(2.0, 0.5)]), [-0.5, 2.25, 4.25]);
    }
}
