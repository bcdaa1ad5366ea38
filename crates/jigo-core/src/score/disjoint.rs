//! Disjoint sets of what has numbers (union-find): `parents` has for each its parent in a tree, and the one without, the least of its set, stands for all.

/// The one that stands for a set.
pub(super) fn find(parents: &mut [u16], mut one: u16) -> u16 {
    while parents[usize::from(one)] != one {
        parents[usize::from(one)] = parents[usize::from(parents[usize::from(one)])];
        one = parents[usize::from(one)];
    }
    one
}

/// Makes two sets one.
pub(super) fn join(parents: &mut [u16], one: u16, other: u16) {
    let (one, other) = (find(parents, one), find(parents, other));
    parents[usize::from(one.max(other))] = one.min(other);
}
