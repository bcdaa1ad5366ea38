//! Disjoint sets of numbered items (union-find).
//!
//! `parents` contains each item's parent in a tree. The root is the smallest item of the set and
//! represents it.

/// Returns the representative of the set that contains an item.
pub(crate) fn find(parents: &mut [u16], mut item: u16) -> u16 {
    while parents[usize::from(item)] != item {
        parents[usize::from(item)] = parents[usize::from(parents[usize::from(item)])];
        item = parents[usize::from(item)];
    }
    item
}

/// Merges the sets that contain two items.
pub(crate) fn join(parents: &mut [u16], first: u16, second: u16) {
    let (first, second) = (find(parents, first), find(parents, second));
    parents[usize::from(first.max(second))] = first.min(second);
}
