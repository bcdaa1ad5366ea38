//! Clusters of linked games, and the representative of each cluster.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;

use jigo_core::similarity::{Class, RecordComparison, compare_records};

use crate::pipeline::without_dot_slash;
use crate::tables::GameFacts;

use super::duplicate_set::{ClusterMember, DuplicateSet};
use super::keyed_games::{KeyedGames, unpack_sketch};
use super::union_find::UnionFind;

/// The difference in turns above which the shorter of two games counts as truncated.
const MAX_DIFFERENCE: u32 = 20;

/// Two games that may be the same game.
pub(super) struct Link {
    pub first: u32,
    pub second: u32,
    pub comparison: RecordComparison,
}

/// The rule that selects the representative of a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeepRule {
    /// The game with the fewest errors. Ties are broken by the most turns, then the fewest warnings,
    /// then the most header values, then the earliest position.
    #[default]
    Best,
    /// The first game of the input.
    First,
    /// The game with the most turns, and of several the first.
    Longest,
}

/// The order of the games of a cluster, which selects the representative.
#[derive(Clone, Debug, Default)]
pub struct Preference {
    /// Folders and archives, without a final `/`. Their games come before all others, those of the
    /// first folder first.
    pub folders: Vec<String>,
    /// The order of games in one folder.
    pub rule: KeepRule,
}

impl Preference {
    /// Returns the folders that contain none of the games.
    pub fn unused_folders(&self, games: &KeyedGames) -> impl Iterator<Item = &str> {
        let is_used = |folder: &str| games.files().iter().any(|file| contains(folder, file));
        self.folders.iter().map(String::as_str).filter(move |folder| !is_used(folder))
    }

    /// Returns the index of the first folder that contains a file, or the number of folders.
    fn folder(&self, file: &str) -> usize {
        self.folders.iter().position(|folder| contains(folder, file)).unwrap_or(self.folders.len())
    }
}

/// Returns true if a file is in a folder or archive, or is the archive itself.
fn contains(folder: &str, file: &str) -> bool {
    let folder = without_dot_slash(folder);
    let rest = without_dot_slash(file).strip_prefix(folder);
    matches!(folder, "" | ".") || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '!']))
}

/// Returns true if one game of the link continues much further than the other. Two such
/// continuations may be different games with the same beginning.
fn is_truncated(games: &KeyedGames, Link { first, second, comparison }: &Link) -> bool {
    let [first_turns, second_turns] = [first, second].map(|number| games.facts(*number).played_turns);
    comparison.is_cut || first_turns.abs_diff(second_turns) > MAX_DIFFERENCE
}

/// Forms clusters from links and returns the rows of their games.
pub(super) fn build_clusters(mut games: KeyedGames, links: &[Link], keep: &Preference) -> io::Result<DuplicateSet> {
    let (collisions, duplicate_links): (Vec<&Link>, Vec<&Link>) =
        links.iter().partition(|link| link.comparison.class == Class::Collision);
    let (truncated, mut complete): (Vec<&Link>, Vec<&Link>) =
        duplicate_links.into_iter().partition(|link| is_truncated(&games, link));
    let to_longer = links_to_longer_games(&games, &truncated);
    // The surest links come first, in any order of the input.
    complete.sort_by_cached_key(|Link { first, second, comparison }| {
        let orders = [*first, *second].map(|number| games.content_order(number));
        (comparison.class, Reverse(comparison.agreeing.count()), orders[0].min(orders[1]), orders[0].max(orders[1]))
    });
    let mut groups = GroupsWithoutCollisions::new(games.len(), &collisions);
    let mut ambiguous = BTreeSet::new();
    let mut join = |link: &&Link| {
        let is_joined = groups.join(link);
        ambiguous.extend([link.first, link.second].into_iter().filter(|_| !is_joined));
        is_joined
    };
    complete.retain(&mut join);
    let to_longer: Vec<&Link> = to_longer.into_iter().filter(&mut join).collect();
    let mut groups = groups.joined;
    let linked = complete.iter().chain(&to_longer).map(|link| [link.first, link.second]);
    let linked = linked_games(linked, |number| rank(&games, number, keep));
    let (mut rows, mut representatives) = (Vec::new(), BTreeMap::new());
    for members in groups.groups() {
        let best = members.iter().min_by_key(|number| rank(&games, **number, keep));
        representatives.extend(best.map(|best| (members[0], *best)));
        if !members.iter().any(|number| games.is_new(*number)) {
            continue;
        }
        rows.push((members[0], cluster_rows(&mut games, members, keep, &linked)?));
    }
    let mut representative = |game: u32| {
        let root = groups.root(game);
        representatives.get(&root).copied().unwrap_or(root)
    };
    let collision_pairs = collisions.iter().map(|link| [link.first, link.second].map(&mut representative));
    let collision_pairs = collision_pairs.filter(|[left, right]| left != right).collect();
    rows.extend(collision_rows(&mut games, collision_pairs)?);
    rows.sort_by_key(|(first, _)| *first);
    let numbered_rows = (1..)
        .zip(rows)
        .flat_map(|(cluster, (_, members))| members.into_iter().map(move |member| ClusterMember { cluster, ..member }));
    let members = numbered_rows.collect();
    Ok(DuplicateSet { games, members, ambiguous })
}

/// Groups that never contain two games which collide: a record without headers may be a copy of
/// either, but not of both.
struct GroupsWithoutCollisions {
    joined: UnionFind,
    /// For the root of each group the roots of the groups with which it collides.
    colliding: HashMap<u32, BTreeSet<u32>>,
}

impl GroupsWithoutCollisions {
    fn new(games: usize, collisions: &[&Link]) -> GroupsWithoutCollisions {
        let mut colliding: HashMap<u32, BTreeSet<u32>> = HashMap::new();
        for Link { first, second, .. } in collisions {
            colliding.entry(*first).or_default().insert(*second);
            colliding.entry(*second).or_default().insert(*first);
        }
        GroupsWithoutCollisions { joined: UnionFind::new(games), colliding }
    }

    /// Joins the groups of two linked games. Returns false if the groups collide.
    fn join(&mut self, link: &Link) -> bool {
        let roots = [link.first, link.second].map(|game| self.joined.root(game));
        if self.colliding.get(&roots[0]).is_some_and(|others| others.contains(&roots[1])) {
            return false;
        }
        self.joined.join(roots[0], roots[1]);
        let root = self.joined.root(roots[0]);
        let former = if root == roots[0] { roots[1] } else { roots[0] };
        if former == root {
            return true;
        }
        for other in self.colliding.remove(&former).into_iter().flatten() {
            let of_other = self.colliding.entry(other).or_default();
            of_other.remove(&former);
            of_other.insert(root);
            self.colliding.entry(root).or_default().insert(other);
        }
        true
    }
}

/// Returns the linked games of each game, the lowest rank first.
fn linked_games<R: Ord>(links: impl Iterator<Item = [u32; 2]>, rank: impl Fn(u32) -> R) -> BTreeMap<u32, Vec<u32>> {
    let mut linked: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for [first, second] in links {
        linked.entry(first).or_default().push(second);
        linked.entry(second).or_default().push(first);
    }
    for others in linked.values_mut() {
        others.sort_by_key(|number| rank(*number));
        others.dedup();
    }
    linked
}

/// Returns, for each truncated game, the link to the game that it most probably is part of.
fn links_to_longer_games<'a>(games: &KeyedGames, truncated: &[&'a Link]) -> Vec<&'a Link> {
    let mut best_links: BTreeMap<u32, &Link> = BTreeMap::new();
    for link in truncated {
        let is_swapped = games.content_order(link.second) < games.content_order(link.first);
        let shorter = if is_swapped { link.second } else { link.first };
        // Rank by content, so that the order of the input has no effect.
        let rank = |link: &Link| {
            let comparison = &link.comparison;
            let longer = games.facts(if link.first == shorter { link.second } else { link.first });
            let headers = i64::from(comparison.agreeing.count()) - i64::from(comparison.conflicting.count());
            (headers, comparison.common_turns, Reverse(comparison.edits), longer.played_turns, longer.text_hash)
        };
        let best_link = best_links.entry(shorter).or_insert(link);
        if rank(link) > rank(best_link) {
            *best_link = link;
        }
    }
    best_links.into_values().collect()
}

/// Returns the rows of a cluster.
fn cluster_rows(
    games: &mut KeyedGames,
    mut members: Vec<u32>,
    keep: &Preference,
    linked: &BTreeMap<u32, Vec<u32>>,
) -> io::Result<Vec<ClusterMember>> {
    members.sort_by_key(|number| rank(games, *number, keep));
    let representative = members[0];
    let sketch = games.sketch(representative)?;
    let row = |game, compared_with, keep, reason| ClusterMember { cluster: 0, game, keep, compared_with, reason };
    let mut rows = vec![row(representative, None, true, reason(games, representative, members[1], keep))];
    members[1..].sort_unstable();
    // Many duplicates have equal sketches, so reuse the comparison of the previous one.
    let mut previous: Option<(bool, Vec<u8>, Option<RecordComparison>)> = None;
    for member in &members[1..] {
        let (packed, is_same_text) = (games.packed_sketch(*member)?, games.is_same_text(representative, *member));
        let reusable = previous.take().filter(|(same_text, bytes, _)| *same_text == is_same_text && *bytes == packed);
        let comparison = match reusable {
            Some((.., comparison)) => comparison,
            None => compare_records(&sketch, &unpack_sketch(&packed)?, is_same_text).filter(is_duplicate),
        };
        let compared_with = match comparison {
            Some(comparison) => Some((representative, comparison)),
            // A game that differs from the representative resembles another member.
            None => first_match(games, *member, linked, is_duplicate)?,
        };
        previous = Some((is_same_text, packed, comparison));
        rows.push(row(*member, compared_with, false, reason(games, *member, representative, keep)));
    }
    Ok(rows)
}

fn is_duplicate(comparison: &RecordComparison) -> bool {
    comparison.class != Class::Collision
}

/// Returns the first linked game whose comparison with the game is wanted.
fn first_match(
    games: &mut KeyedGames,
    game: u32,
    linked: &BTreeMap<u32, Vec<u32>>,
    is_wanted: impl Fn(&RecordComparison) -> bool,
) -> io::Result<Option<(u32, RecordComparison)>> {
    let sketch = games.sketch(game)?;
    for candidate in linked.get(&game).into_iter().flatten() {
        let comparison = compare_records(&games.sketch(*candidate)?, &sketch, games.is_same_text(*candidate, game));
        if let Some(comparison) = comparison.filter(&is_wanted) {
            return Ok(Some((*candidate, comparison)));
        }
    }
    Ok(None)
}

/// Returns the rank of a game as a representative; the lowest is best.
fn rank(games: &KeyedGames, number: u32, keep: &Preference) -> (usize, u32, Reverse<u32>, u32, Reverse<u8>, u32) {
    let GameFacts { errors, turns, warnings, header_values, .. } = *games.facts(number);
    let folder = keep.folder(games.file(number));
    match keep.rule {
        // A complete record with a warning is better than a truncated one without.
        KeepRule::Best => (folder, errors, Reverse(turns), warnings, Reverse(header_values), number),
        KeepRule::First => (folder, 0, Reverse(0), 0, Reverse(0), number),
        KeepRule::Longest => (folder, 0, Reverse(turns), 0, Reverse(0), number),
    }
}

/// Returns the first difference in rank between two games, in words.
fn reason(games: &KeyedGames, game: u32, other: u32, keep: &Preference) -> String {
    let [ours, theirs] = [rank(games, game, keep), rank(games, other, keep)];
    if ours.0 != theirs.0 {
        return format!("{} is preferred", keep.folders[ours.0.min(theirs.0)]);
    }
    if ours.1 != theirs.1 {
        return format!("{} errors against {}", ours.1, theirs.1);
    }
    if ours.2 != theirs.2 {
        return format!("{} turns against {}", ours.2.0, theirs.2.0);
    }
    if ours.3 != theirs.3 {
        return format!("{} warnings against {}", ours.3, theirs.3);
    }
    if ours.4 != theirs.4 {
        return format!("{} header fields against {}", ours.4.0, theirs.4.0);
    }
    if game < other { "comes first" } else { "comes later" }.into()
}

/// Returns the rows of games with equal turns that are different games, by the first game of each
/// group.
fn collision_rows(games: &mut KeyedGames, pairs: Vec<[u32; 2]>) -> io::Result<Vec<(u32, Vec<ClusterMember>)>> {
    let mut groups = UnionFind::new(games.len());
    pairs.iter().for_each(|[first, second]| groups.join(*first, *second));
    let partners = linked_games(pairs.into_iter(), |number| games.content_order(number));
    let mut rows = Vec::new();
    for members in groups.groups() {
        if !members.iter().any(|number| games.is_new(*number)) {
            continue;
        }
        let mut collisions = Vec::new();
        for member in &members {
            let compared_with = first_match(games, *member, &partners, |comparison| !is_duplicate(comparison))?;
            let reason = "the headers or clocks are of two games".into();
            collisions.extend(compared_with.map(|compared_with| ClusterMember {
                cluster: 0,
                game: *member,
                keep: true,
                compared_with: Some(compared_with),
                reason,
            }));
        }
        if !collisions.is_empty() {
            rows.push((members[0], collisions));
        }
    }
    Ok(rows)
}
