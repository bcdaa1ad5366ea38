//! Boosted decision trees as a table.

/// A tree in which every inner node asks whether a feature is at most a bound.
pub(super) struct Tree {
    /// Feature, bound, and where to go on when it is at most the bound and when it is more: an inner node, or a leaf, of which the first is -1.
    pub(super) nodes: &'static [(u8, f32, i8, i8)],
    /// What the leaves add to the logarithm of the odds.
    pub(super) leaves: &'static [f32],
}

/// The most questions on the way to a leaf.
const DEPTH: usize = 5;
const INNER: usize = (1 << DEPTH) - 1;
const LEAVES: usize = 1 << DEPTH;

/// The same tree with all leaves at the same depth, its nodes level by level, so that where to go on is computed: what the processor can't foresee, a
/// branch for each question, costs more than the questions.
pub(super) struct LevelTree {
    /// The last one is never asked.
    features: [u8; INNER + 1],
    bounds: [f32; INNER + 1],
    leaves: [f32; LEAVES],
}

impl LevelTree {
    const fn new(tree: &Tree) -> LevelTree {
        let mut level =
            LevelTree { features: [0; INNER + 1], bounds: [f32::INFINITY; INNER + 1], leaves: [0.0; LEAVES] };
        let mut source = [-1_i8; INNER + LEAVES];
        if !tree.nodes.is_empty() {
            source[0] = 0;
        }
        let mut at = 0;
        while at < INNER {
            let (mut low, mut high) = (source[at], source[at]);
            if source[at] >= 0 {
                (level.features[at], level.bounds[at], low, high) = tree.nodes[source[at] as usize];
            }
            (source[2 * at + 1], source[2 * at + 2]) = (low, high);
            at += 1;
        }
        while at < INNER + LEAVES {
            assert!(source[at] < 0, "a tree is deeper than that");
            level.leaves[at - INNER] = tree.leaves[source[at].unsigned_abs() as usize - 1];
            at += 1;
        }
        level
    }

    #[inline]
    fn value(&self, row: &[f32]) -> f32 {
        let mut at = 0;
        for _ in 0..DEPTH {
            let asked = at & INNER;
            at = 2 * at + 1 + usize::from(row[usize::from(self.features[asked])] > self.bounds[asked]);
        }
        self.leaves[(at - INNER) & (LEAVES - 1)]
    }
}

/// Lays out all trees of a table of so many.
pub(super) const fn by_level<const COUNT: usize>(trees: &[Tree]) -> [LevelTree; COUNT] {
    let mut levels =
        [const { LevelTree { features: [0; INNER + 1], bounds: [0.0; INNER + 1], leaves: [0.0; LEAVES] } }; COUNT];
    let mut at = 0;
    while at < COUNT {
        levels[at] = LevelTree::new(&trees[at]);
        at += 1;
    }
    levels
}

/// The sum of all trees for each row.
pub(super) fn odds<const N: usize>(trees: &[LevelTree], rows: &[[f32; N]]) -> Vec<f32> {
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
    use crate::score::evaluation::{FIRST, FIRST_TREES, SECOND, SECOND_TREES, weights_first, weights_second};

    /// The rows that `fit/table.py` makes.
    fn made_up_rows<const N: usize>() -> Vec<[f32; N]> {
        let mut state = 23;
        let mut value = || ((split_mix(&mut state) >> 32) % 320) as f32 / 8.0 - 10.0;
        (0..16).map(|_| std::array::from_fn(|_| value())).collect()
    }

    /// What was fitted is what is used: LightGBM, which made the trees, and this code make the same of the same rows.
    #[test]
    fn the_trees_say_what_lightgbm_says() {
        let passes = [
            (odds(&FIRST_TREES, &made_up_rows::<FIRST>()), weights_first::MADE_UP),
            (odds(&SECOND_TREES, &made_up_rows::<SECOND>()), weights_second::MADE_UP),
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
        static LEVELS: [LevelTree; 2] = by_level(TREES);
        assert_eq!(odds(&LEVELS, &[[1.5, 9.0], [2.0, 0.0], [2.0, 0.5]]), [-0.5, 2.25, 4.25]);
    }
}
