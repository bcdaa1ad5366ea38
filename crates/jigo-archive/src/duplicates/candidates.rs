//! Candidate pairs: games with common keys, which are then compared turn by turn.

use std::io;

use jigo_core::similarity::{KEYS, SimilarityKeys};
use rayon::prelude::*;

use super::keyed_games::KeyedGames;
use super::union_find::UnionFind;

/// The maximum number of games with a common key that are all compared with each other. In a larger
/// group, games are compared if they also share another key.
const MAX_COMPARED: usize = 16;
/// The number of common keys from which games count as alike. Such a group is not split further.
const MIN_COMMON_KEYS: usize = 4;
/// The maximum number of games in a group.
const MAX_GROUP: u16 = 4096;

/// Returns the candidate pairs in order, each once, with the earlier game first.
pub(super) fn find_pairs(games: &mut KeyedGames) -> io::Result<Vec<(u32, u32)>> {
    let buckets = std::mem::take(&mut games.buckets);
    let (mut pairs, mut pairs_before) = (Vec::new(), 0);
    for records in buckets.into_sorted() {
        let records = records?;
        for same in records.chunk_by(|one, other| one.0 == other.0).filter(|same| same.len() > 1) {
            let numbers = || same.iter().map(|(_, game)| *game);
            if same.len() <= MAX_COMPARED {
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
    let (mut forest, mut sizes) = (UnionFind::new(games), vec![1_u16; games]);
    for (one, other) in &pairs {
        let [one, other] = [one, other].map(|game| forest.root(*game));
        let size = sizes[one as usize].saturating_add(sizes[other as usize]);
        if one != other && size <= MAX_GROUP {
            forest.join(one, other);
            sizes[one.min(other) as usize] = size;
        }
    }
    // First the number of pairs in each group, then the start of each group.
    let mut places = vec![0; games + 1];
    pairs.iter().for_each(|(one, _)| places[forest.root(*one) as usize + 1] += 1);
    (1..places.len()).for_each(|group| places[group] += places[group - 1]);
    let mut sorted = vec![(0, 0); pairs.len()];
    for pair in pairs {
        let place: &mut usize = &mut places[forest.root(pair.0) as usize];
        sorted[*place] = pair;
        *place += 1;
    }
    sorted
}

/// Returns the pair with the earlier game first, unless the censuses rule it out.
fn checked_pair(games: &KeyedGames, one: u32, other: u32) -> Option<(u32, u32)> {
    games.may_be_equal(one, other).then_some((one.min(other), one.max(other)))
}

fn add_all_pairs(games: &KeyedGames, numbers: &[u32], pairs: &mut Vec<(u32, u32)>) {
    for (place, one) in numbers.iter().enumerate() {
        pairs.extend(numbers[place + 1..].iter().filter_map(|other| checked_pair(games, *one, *other)));
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
    let in_order = |(place, (number, keys)): (usize, &(u32, SimilarityKeys))| {
        (keys.turns(), games.entry(*number).text, *number, place)
    };
    let mut ordered: Vec<_> = members.iter().enumerate().map(in_order).collect();
    ordered.sort_unstable();
    for same in ordered.chunk_by(|one, other| one.0 == other.0) {
        pairs.extend(same.iter().zip(&same[1..]).filter_map(|(one, other)| checked_pair(games, one.2, other.2)));
    }
    ordered.dedup_by_key(|(turns, ..)| *turns);
    ordered.iter().map(|(.., place)| members[*place]).collect()
}

/// Adds the pairs of games that share another key, from the key at index `from` on.
fn add_refined_pairs(games: &KeyedGames, members: &[(u32, SimilarityKeys)], from: usize, pairs: &mut Vec<(u32, u32)>) {
    let Some((_, first)) = members.first() else { return };
    let is_common =
        |place: &usize| first.0[*place].is_some() && members.iter().all(|(_, keys)| keys.0[*place] == first.0[*place]);
    if (0..KEYS.len()).filter(is_common).count() >= MIN_COMMON_KEYS {
        return add_neighbour_pairs(games, members.iter().map(|(number, _)| *number).collect(), pairs);
    }
    for place in from..KEYS.len() {
        let mut keyed: Vec<(u64, usize)> =
            members.iter().enumerate().filter_map(|(index, (_, keys))| Some((keys.0[place]?, index))).collect();
        keyed.sort_unstable();
        for same in keyed.chunk_by(|one, other| one.0 == other.0) {
            // A key that all members share is the key of this group, or does not distinguish any of
            // them.
            if same.len() < 2 || same.len() == members.len() {
                continue;
            }
            let inner: Vec<(u32, SimilarityKeys)> = same.iter().map(|(_, index)| members[*index]).collect();
            match inner.len() {
                ..=MAX_COMPARED => {
                    add_all_pairs(games, &inner.iter().map(|(number, _)| *number).collect::<Vec<_>>(), pairs)
                }
                _ => add_refined_pairs(games, &inner, place + 1, pairs),
            }
        }
    }
}

/// Pairs each of many very similar games with the next few in the order of content.
fn add_neighbour_pairs(games: &KeyedGames, mut numbers: Vec<u32>, pairs: &mut Vec<(u32, u32)>) {
    numbers.sort_by_key(|number| games.by_content(*number));
    for (place, one) in numbers.iter().enumerate() {
        let next = numbers[place + 1..].iter().take(MAX_COMPARED);
        pairs.extend(next.filter_map(|other| checked_pair(games, *one, *other)));
    }
}
