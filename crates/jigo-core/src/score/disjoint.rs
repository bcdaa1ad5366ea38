//! Disjoint sets of numbered items (union-find).
//!
//! `parents` contains each item's parent in a tree. The root is the smallest item of the set and
//! represents it.

/// Returns the representative of a set.
pub(super) fn find(parents: &mut [u16], mut one: u16) -> u16 {
    while parents[usize::from(one)] != one {
        parents[usize::from(one)] = parents[usize::from(parents[usize::from(one)])];
        one = parents[usize::from(one)];
    }
    one
}

/// Merges two sets.
pub(super) fn join(parents: &mut [u16], one: u16, other: u16) {
    let (one, other) = (find(parents, one), find(parents, other));
    parents[usize::from(one.max(other))] = one.min(other);
}
