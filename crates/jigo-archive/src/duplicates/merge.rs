//! Header values that the representative of a cluster lacks and its duplicates have.

use std::collections::BTreeMap;
use std::io;

use jigo_core::fix::{GAME_INFO, exchange_colors};
use jigo_core::similarity::Class;

use super::duplicate_set::{ClusterMember, DuplicateSet, code_of};
use crate::visit::{MergeableHeader, MergeableProperty, unpack_root_values};

impl DuplicateSet {
    /// Returns the header values that representatives can take over from their duplicates, by
    /// cluster.
    ///
    /// Collisions are different games and contribute nothing. Games of a store contribute nothing
    /// either, because a store does not contain root values.
    ///
    /// # Errors
    /// Fails if temporary files can't be read.
    pub fn mergeable_headers(&mut self) -> io::Result<Vec<MergeableHeader>> {
        let members = std::mem::take(&mut self.members);
        let clusters = members.chunk_by(|first, second| first.cluster == second.cluster);
        let headers: io::Result<Vec<_>> = clusters.map(|cluster| self.mergeable_header(cluster)).collect();
        self.members = members;
        Ok(headers?.into_iter().flatten().filter(|header| !header.properties.is_empty()).collect())
    }

    fn mergeable_header(&mut self, cluster: &[ClusterMember]) -> io::Result<Option<MergeableHeader>> {
        let Some((representative, duplicates)) =
            cluster.split_first().filter(|(representative, _)| representative.compared_with.is_none())
        else {
            return Ok(None);
        };
        let packed = self.games.root_values(representative.game)?;
        let Some((byte, own_values)) = unpack_root_values(&packed) else { return Ok(None) };
        // For each property the values of the duplicates, each with its count and the first game
        // that has it.
        let mut values_by_property: BTreeMap<u8, Vec<(String, usize, &ClusterMember)>> = BTreeMap::new();
        for duplicate in duplicates {
            let Some(is_exchanged) = is_exchanged(cluster, duplicate) else { continue };
            let packed = self.games.root_values(duplicate.game)?;
            for (property, value) in unpack_root_values(&packed).map_or_else(Vec::new, |(_, values)| values) {
                let recorded =
                    if is_exchanged { exchange_colors(property, value) } else { Some((property, value.into())) };
                let Some((property, value)) = recorded else { continue };
                if own_values.iter().any(|(own_property, _)| *own_property == property) {
                    continue;
                }
                let values = values_by_property.entry(property).or_default();
                match values.iter_mut().find(|(existing, ..)| *existing == value) {
                    Some((_, count, _)) => *count += 1,
                    None => values.push((value, 1, duplicate)),
                }
            }
        }
        let properties = values_by_property.into_iter().flat_map(|(property, mut values)| {
            // The sort is stable, so values with equal counts keep the order of the cluster.
            values.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
            let count = values.len();
            let ranked = (1..).zip(values).filter_map(move |(rank, (value, _, duplicate))| {
                let class = duplicate.compared_with.as_ref().map(|(_, comparison)| comparison.class)?;
                Some((property, value, duplicate.game, class, (rank, count)))
            });
            ranked.collect::<Vec<_>>()
        });
        let properties = properties.map(|(property, value, duplicate, class, rank)| {
            self.mergeable_property(property, value, duplicate, class, rank)
        });
        let entry = self.games.facts(representative.game);
        let location = (self.games.file(representative.game).to_owned(), entry.game, entry.offset, byte);
        Ok(Some(MergeableHeader { location, properties: properties.collect() }))
    }

    fn mergeable_property(
        &self,
        property: u8,
        value: String,
        duplicate: u32,
        class: Class,
        rank: (usize, usize),
    ) -> MergeableProperty {
        let source_game = (self.games.file(duplicate).to_owned(), self.games.facts(duplicate).game);
        MergeableProperty { code: code_of(class), property: GAME_INFO[usize::from(property)], value, source_game, rank }
    }
}

/// Returns true if a duplicate has the colours of the representative exchanged; `None` if unknown.
fn is_exchanged(cluster: &[ClusterMember], duplicate: &ClusterMember) -> Option<bool> {
    let (mut game, mut is_exchanged) = (duplicate.game, false);
    for _ in cluster {
        // After the representative, the rows of a cluster are sorted by game number.
        let (representative, others) = cluster.split_first()?;
        let index = others.binary_search_by_key(&game, |member| member.game);
        let member = index
            .map_or(Some(representative).filter(|representative| representative.game == game), |index| {
                others.get(index)
            })?;
        let Some((other, comparison)) = &member.compared_with else { return Some(is_exchanged) };
        (game, is_exchanged) = (*other, is_exchanged != comparison.view.colors_swapped);
    }
    None
}
