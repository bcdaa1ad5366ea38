//! Boosted decision trees as a table.

/// A tree in which every inner node asks whether a feature is at most a bound.
pub(super) struct Tree {
    /// Feature, bound, and where to go on when it is at most the bound and when it is more: an inner node, or a leaf, of which the first is -1.
    pub(super) nodes: &'static [(u8, f32, i8, i8)],
    /// What the leaves add to the logarithm of the odds.
    pub(super) leaves: &'static [f32],
}

impl Tree {
    #[inline]
    fn value(&self, row: &[f32]) -> f32 {
        let mut at = 0;
        loop {
            let Some(&(feature, bound, low, high)) = self.nodes.get(at) else { return 0.0 };
            let next = if row[usize::from(feature)] <= bound { low } else { high };
            match usize::try_from(next) {
                Ok(node) => at = node,
                Err(_) => return self.leaves[usize::from(next.unsigned_abs()) - 1],
            }
        }
    }
}

/// The sum of all trees for a row.
pub(super) fn odds(trees: &[Tree], row: &[f32]) -> f32 {
    trees.iter().map(|tree| tree.value(row)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::hash::split_mix;
    use crate::score::evaluation::{FIRST, SECOND, weights_first, weights_second};

    /// The rows that `fit/table.py` makes.
    fn made_up_rows(features: usize) -> Vec<Vec<f32>> {
        let mut state = 23;
        let mut value = || ((split_mix(&mut state) >> 32) % 320) as f32 / 8.0 - 10.0;
        (0..16).map(|_| (0..features).map(|_| value()).collect()).collect()
    }

    /// What was fitted is what is used: LightGBM, which made the trees, and this code make the same of the same rows.
    #[test]
    fn the_trees_say_what_lightgbm_says() {
        let passes = [
            (weights_first::TREES, FIRST, weights_first::MADE_UP),
            (weights_second::TREES, SECOND, weights_second::MADE_UP),
        ];
        for (trees, features, expected) in passes {
            let found: Vec<f32> = made_up_rows(features).iter().map(|row| odds(trees, row)).collect();
            let differ = found.iter().zip(expected).filter(|(found, expected)| (**found - expected).abs() > 1e-3);
            assert_eq!(differ.count(), 0, "{found:?} {expected:?}");
            assert!(found.iter().any(|odds| *odds > 1.0) && found.iter().any(|odds| *odds < -1.0), "{found:?}");
        }
    }

    #[test]
    fn a_bound_belongs_to_the_lower_side_and_trees_add_up() {
        static TREES: [Tree; 2] = [
            Tree { nodes: &[(0, 1.5, -1, 1), (1, 0.0, -2, -3)], leaves: &[-1.0, 2.0, 4.0] },
            Tree { nodes: &[(1, 3.0, -1, -2)], leaves: &[0.25, 0.5] },
        ];
        assert_eq!([[1.5, 9.0], [2.0, 0.0], [2.0, 0.5]].map(|row| odds(&TREES, &row)), [-0.5, 2.25, 4.25]);
    }
}
