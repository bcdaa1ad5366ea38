//! Boosted decision trees as a table.

/// A tree in which every inner node asks whether a feature is at most a bound.
pub(super) struct Tree {
    /// Feature, bound, and where to go on when it is at most the bound and when it is more: an inner node, or a leaf, of which the first is -1.
    pub(super) nodes: &'static [(u8, f32, i8, i8)],
    /// What the leaves add to the logarithm of the odds.
    pub(super) leaves: &'static [f32],
}

/// What is known of a group, by the numbers of features. Those of the second pass are as many as fit, so that a feature's number needs no check.
pub(super) type Row = [f32; ROW];
pub(super) const ROW: usize = 64;

/// The same tree with all leaves at the same depth, of which 2 to that power are `LEAVES`, its nodes level by level, so that where to go on is computed:
/// what the processor can't foresee, a branch for each question, costs more than the questions.
pub(super) struct LevelTree<const LEAVES: usize> {
    /// One less than there are leaves; the last one is never asked.
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

    /// Lays out what is below a node, which stands at `at`.
    const fn lay_out(&mut self, tree: &Tree, at: usize, node: i8) {
        let is_leaf = node < 0;
        if at >= LEAVES - 1 {
            assert!(is_leaf, "a tree is deeper than that");
            self.leaves[at + 1 - LEAVES] = tree.leaves[node.unsigned_abs() as usize - 1];
            return;
        }
        let (mut low, mut high) = (node, node);
        if !is_leaf {
            (self.features[at], self.bounds[at], low, high) = tree.nodes[node as usize];
        }
        self.lay_out(tree, 2 * at + 1, low);
        self.lay_out(tree, 2 * at + 2, high);
    }

    #[inline]
    fn value(&self, row: &Row) -> f32 {
        let mut at = 0;
        for level in 0..LEAVES.trailing_zeros() {
            let asked = (1 << level) - 1 + at;
            at = at << 1 | usize::from(row[usize::from(self.features[asked]) % ROW] > self.bounds[asked]);
        }
        self.leaves[at]
    }
}

/// Lays out all trees of a table of so many.
pub(super) const fn by_level<const LEAVES: usize, const COUNT: usize>(trees: &[Tree]) -> [LevelTree<LEAVES>; COUNT] {
    let mut levels = [const { LevelTree::EMPTY }; COUNT];
    let mut at = 0;
    while at < COUNT {
        levels[at] = LevelTree::new(&trees[at]);
        at += 1;
    }
    levels
}

/// The sum of all trees for each row.
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
    use crate::board::hash::split_mix;
    use crate::score::evaluation::*;

    /// The rows that `fit/table.py` makes.
    fn made_up_rows(features: usize) -> Vec<Row> {
        let mut state = 23;
        let mut value = || ((split_mix(&mut state) >> 32) % 320) as f32 / 8.0 - 10.0;
        (0..16).map(|_| std::array::from_fn(|feature| if feature < features { value() } else { 0.0 })).collect()
    }

    /// What was fitted is what is used: LightGBM, which made the trees, and this code make the same of the same rows.
    #[test]
    fn the_trees_say_what_lightgbm_says() {
        let passes = [
            (sums(&FIRST_TREES, &made_up_rows(FIRST)), weights_first::MADE_UP),
            (sums(&SECOND_TREES, &made_up_rows(LATER)), weights_second::MADE_UP),
            (sums(&THIRD_TREES, &made_up_rows(LATER)), weights_third::MADE_UP),
        ];
        for (found, expected) in passes {
            let differ = found.iter().zip(expected).filter(|(found, expected)| (**found - expected).abs() > 1e-3);
            assert_eq!(differ.count(), 0, "{found:?} {expected:?}");
            assert!(found.iter().any(|odds| *odds > 1.0) && found.iter().any(|odds| *odds < -1.0), "{found:?}");
        }
    }

    #[test]
    fn a_bound_belongs_to_the_lower_side_and_trees_add_up() {
        const TREES: &[Tree] = &[
            Tree { nodes: &[(0, 1.5, -1, 1), (1, 0.0, -2, -3)], leaves: &[-1.0, 2.0, 4.0] },
            Tree { nodes: &[(1, 3.0, -1, -2)], leaves: &[0.25, 0.5] },
        ];
        static LEVELS: [LevelTree<8>; 2] = by_level(TREES);
        let row = |first: f32, second: f32| std::array::from_fn(|feature| [first, second, 0.0][feature.min(2)]);
        assert_eq!(sums(&LEVELS, &[row(1.5, 9.0), row(2.0, 0.0), row(2.0, 0.5)]), [-0.5, 2.25, 4.25]);
    }
}
