//! Disjoint sets of numbered items (union-find).
//!
//! `parents` contains each item's parent in a tree. The root is the smallest item of the set and
//! represents it.

/// Returns the representative of a set.
pub(crate) fn find(parents: &mut [u16], mut element: u16) -> u16 {
    while parents[usize::from(element)] != element {
        parents[usize::from(element)] = parents[usize::from(parents[usize::from(element)])];
        element = parents[usize::from(element)];
    }
    element
}

/// Merges two sets.
pub(crate) fn join(parents: &mut [u16], first: u16, second: u16) {
    let (first, second) = (find(parents, first), find(parents, second));
    parents[usize::from(first.max(second))] = first.min(second);
}
