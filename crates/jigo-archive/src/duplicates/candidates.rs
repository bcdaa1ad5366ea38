//! Candidate pairs: games with common keys, which are then compared turn by turn.

use std::io;

use jigo_core::similarity::{KEYS, SimilarityKeys};
use rayon::prelude::*;

use super::keyed_games::KeyedGames;
use super::union_find::UnionFind;

/// The maximum number of games with a common key that are all compared with each other. In a larger
/// group, games are compared if they also share another key.
const MAX_COMPARED: usize = 16;
/// The number of common keys at which games count as very similar. Their group is not split
/// further.
const MIN_COMMON_KEYS: usize = 4;
/// The maximum number of games in a group.
const MAX_GROUP: u16 = 4096;

/// Returns the candidate pairs in order, each once, with the earlier game first.
pub(super) fn find_pairs(games: &mut KeyedGames) -> io::Result<Vec<(u32, u32)>> {
    let buckets = std::mem::take(&mut games.buckets);
    let (mut pairs, mut pairs_before) = (Vec::new(), 0);
    for records in buckets.into_sorted() {
        let records = records?;
        for group in records.chunk_by(|first, second| first.0 == second.0).filter(|group| group.len() > 1) {
            let numbers = || group.iter().map(|(_, game)| *game);
            if group.len() <= MAX_COMPARED {
                add_all_pairs(games, &numbers().collect::<Vec<_>>(), &mut pairs);
                continue;
            }
            let members = numbers().map(|number| Ok((number, games.keys(number)?))).collect::<io::Result<Vec<_>>>()?;
            let members = pair_equal_turns(games, &members, &mut pairs);
            add_refined_pairs(games, &members, 0, &mut pairs);
        }
        // Many keys produce the same pair. Removing duplicates pays as soon as the list has
        // doubled.
        if pairs.len() > 2 * pairs_before {
            remove_repeated_pairs(&mut pairs);
            pairs_before = pairs.len();
        }
    }
    remove_repeated_pairs(&mut pairs);
    Ok(pairs)
}

fn remove_repeated_pairs(pairs: &mut Vec<(u32, u32)>) {
    pairs.par_sort_unstable();
    pairs.dedup();
}

/// Sorts pairs by connected group of games, so that few games are read twice.
///
/// A group has at most [`MAX_GROUP`] games: otherwise chance alone would connect nearly all games
/// of a large archive.
pub(super) fn sort_by_group(games: usize, pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let (mut groups, mut sizes) = (UnionFind::new(games), vec![1_u16; games]);
    for (first, second) in &pairs {
        let [first, second] = [first, second].map(|game| groups.root(*game));
        let size = sizes[first as usize].saturating_add(sizes[second as usize]);
        if first != second && size <= MAX_GROUP {
            groups.join(first, second);
            sizes[first.min(second) as usize] = size;
        }
    }
    // First the number of pairs in each group, then the start of each group.
    let mut starts = vec![0; games + 1];
    pairs.iter().for_each(|(first, _)| starts[groups.root(*first) as usize + 1] += 1);
    (1..starts.len()).for_each(|group| starts[group] += starts[group - 1]);
    let mut sorted = vec![(0, 0); pairs.len()];
    for pair in pairs {
        let start: &mut usize = &mut starts[groups.root(pair.0) as usize];
        sorted[*start] = pair;
        *start += 1;
    }
    sorted
}

/// Returns the pair with the earlier game first, unless the censuses rule it out.
fn checked_pair(games: &KeyedGames, first: u32, second: u32) -> Option<(u32, u32)> {
    games.may_be_equal(first, second).then_some((first.min(second), first.max(second)))
}

fn add_all_pairs(games: &KeyedGames, numbers: &[u32], pairs: &mut Vec<(u32, u32)>) {
    for (index, first) in numbers.iter().enumerate() {
        pairs.extend(numbers[index + 1..].iter().filter_map(|second| checked_pair(games, *first, *second)));
    }
}

/// Pairs games with equal turns one after the other, and returns one of each.
fn pair_equal_turns(
    games: &KeyedGames,
    members: &[(u32, SimilarityKeys)],
    pairs: &mut Vec<(u32, u32)>,
) -> Vec<(u32, SimilarityKeys)> {
    // Sort by content, so that the order of the input has no effect. Sort indices, because keys are
    // long.
    let sort_key = |(index, (number, keys)): (usize, &(u32, SimilarityKeys))| {
        (keys.turns(), games.facts(*number).text_hash, *number, index)
    };
    let mut sorted: Vec<_> = members.iter().enumerate().map(sort_key).collect();
    sorted.sort_unstable();
    for group in sorted.chunk_by(|first, second| first.0 == second.0) {
        pairs
            .extend(group.iter().zip(&group[1..]).filter_map(|(first, second)| checked_pair(games, first.2, second.2)));
    }
    sorted.dedup_by_key(|(turns, ..)| *turns);
    sorted.iter().map(|(.., index)| members[*index]).collect()
}

/// Adds the pairs of games that share another key, from the key `first_key` on.
fn add_refined_pairs(
    games: &KeyedGames,
    members: &[(u32, SimilarityKeys)],
    first_key: usize,
    pairs: &mut Vec<(u32, u32)>,
) {
    let Some((_, first)) = members.first() else { return };
    let is_common =
        |key: &usize| first.0[*key].is_some() && members.iter().all(|(_, keys)| keys.0[*key] == first.0[*key]);
    if (0..KEYS.len()).filter(is_common).count() >= MIN_COMMON_KEYS {
        return add_neighbour_pairs(games, members.iter().map(|(number, _)| *number).collect(), pairs);
    }
    for key in first_key..KEYS.len() {
        let mut games_by_key: Vec<(u64, usize)> =
            members.iter().enumerate().filter_map(|(index, (_, keys))| Some((keys.0[key]?, index))).collect();
        games_by_key.sort_unstable();
        for group in games_by_key.chunk_by(|first, second| first.0 == second.0) {
            // A key that all members share is the key of this group, or does not distinguish any of
            // them.
            if group.len() < 2 || group.len() == members.len() {
                continue;
            }
            let subgroup: Vec<(u32, SimilarityKeys)> = group.iter().map(|(_, index)| members[*index]).collect();
            match subgroup.len() {
                ..=MAX_COMPARED => {
                    add_all_pairs(games, &subgroup.iter().map(|(number, _)| *number).collect::<Vec<_>>(), pairs)
                }
                _ => add_refined_pairs(games, &subgroup, key + 1, pairs),
            }
        }
    }
}

/// Pairs each of many very similar games with the next few in the order of content.
fn add_neighbour_pairs(games: &KeyedGames, mut numbers: Vec<u32>, pairs: &mut Vec<(u32, u32)>) {
    numbers.sort_by_key(|number| games.content_order(*number));
    for (index, first) in numbers.iter().enumerate() {
        let neighbours = numbers[index + 1..].iter().take(MAX_COMPARED);
        pairs.extend(neighbours.filter_map(|second| checked_pair(games, *first, *second)));
    }
}
