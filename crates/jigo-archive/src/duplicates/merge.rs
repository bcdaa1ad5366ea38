//! Header values that the representative of a cluster lacks and its duplicates have.

use std::collections::BTreeMap;
use std::io;

use jigo_core::fix::{GAME_INFO, exchange_colors};
use jigo_core::similarity::Class;

use super::duplicate_set::{ClusterMember, DuplicateSet, code_of};
use crate::visit::{MergeableHeader, MergeableProperty, unpack_stated};

impl DuplicateSet {
    /// Returns the header values that representatives can take over from their duplicates, by
    /// cluster.
    ///
    /// Collisions are different games and contribute nothing. Games of an index contribute nothing
    /// either, because an index does not contain root values.
    ///
    /// # Errors
    /// Fails if temporary files can't be read.
    pub fn offers(&mut self) -> io::Result<Vec<MergeableHeader>> {
        let members = std::mem::take(&mut self.members);
        let clusters = members.chunk_by(|one, other| one.cluster == other.cluster);
        let offered: io::Result<Vec<_>> = clusters.map(|cluster| self.offers_of(cluster)).collect();
        self.members = members;
        Ok(offered?.into_iter().flatten().filter(|found| !found.offers.is_empty()).collect())
    }

    fn offers_of(&mut self, cluster: &[ClusterMember]) -> io::Result<Option<MergeableHeader>> {
        let Some((kept, copies)) = cluster.split_first().filter(|(kept, _)| kept.of.is_none()) else { return Ok(None) };
        let packed = self.games.root_values(kept.game)?;
        let Some((byte, own)) = unpack_stated(&packed) else { return Ok(None) };
        // For each property the values of the duplicates, each with its count and the first game
        // that has it.
        let mut values_by_property: BTreeMap<u8, Vec<(String, usize, &ClusterMember)>> = BTreeMap::new();
        for copy in copies {
            let Some(is_exchanged) = is_exchanged(cluster, copy) else { continue };
            let packed = self.games.root_values(copy.game)?;
            for (place, value) in unpack_stated(&packed).map_or_else(Vec::new, |(_, values)| values) {
                let seen = if is_exchanged { exchange_colors(place, value) } else { Some((place, value.into())) };
                let Some((place, value)) = seen else { continue };
                if own.iter().any(|(known, _)| *known == place) {
                    continue;
                }
                let values = values_by_property.entry(place).or_default();
                match values.iter_mut().find(|(other, ..)| *other == value) {
                    Some((_, count, _)) => *count += 1,
                    None => values.push((value, 1, copy)),
                }
            }
        }
        let offers = values_by_property.into_iter().flat_map(|(place, mut values)| {
            // The sort is stable, so values with equal counts keep the order of the cluster.
            values.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
            let of = values.len();
            let numbered = (1..).zip(values).filter_map(move |(reading, (value, _, copy))| {
                let class = copy.of.as_ref().map(|(_, found)| found.class)?;
                Some((place, value, copy.game, class, (reading, of)))
            });
            numbered.collect::<Vec<_>>()
        });
        let offers =
            offers.map(|(place, value, copy, class, reading)| self.offer(place, value, (copy, class), reading));
        let entry = self.games.entry(kept.game);
        let place = (self.games.file(kept.game).to_owned(), entry.game, entry.offset, byte);
        Ok(Some(MergeableHeader { place, offers: offers.collect() }))
    }

    fn offer(
        &self,
        place: u8,
        value: String,
        (copy, class): (u32, Class),
        reading: (usize, usize),
    ) -> MergeableProperty {
        let from = (self.games.file(copy).to_owned(), self.games.entry(copy).game);
        MergeableProperty { code: code_of(class), property: GAME_INFO[usize::from(place)], value, from, reading }
    }
}

/// Returns true if a duplicate has the colors of the representative exchanged; `None` if unknown.
fn is_exchanged(cluster: &[ClusterMember], copy: &ClusterMember) -> Option<bool> {
    let (mut game, mut is_exchanged) = (copy.game, false);
    for _ in cluster {
        // After the representative, the rows of a cluster are sorted by game number.
        let (kept, others) = cluster.split_first()?;
        let place = others.binary_search_by_key(&game, |member| member.game);
        let member = place.map_or(Some(kept).filter(|kept| kept.game == game), |place| others.get(place))?;
        let Some((of, found)) = &member.of else { return Some(is_exchanged) };
        (game, is_exchanged) = (*of, is_exchanged != found.view.colors_swapped);
    }
    None
}
